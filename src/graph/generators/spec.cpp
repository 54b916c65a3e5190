#include "graph/generators/spec.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "graph/generators/formula_source.hpp"
#include "graph/generators/kron.hpp"
#include "graph/generators/random_graphs.hpp"
#include "graph/generators/regular_shapes.hpp"

namespace wayfront {

namespace {

using Source = std::unique_ptr<EdgeSource>;

constexpr int kMaxScale = 47;
constexpr Vertex kMaxCompleteVertices = Vertex{1} << 28;

constexpr std::array<GeneratorHelp, 9> kGenerators = {{
    {"kron", "kron:SCALE[,ef=16][,seed1=2][,seed2=3]",
     "Graph500's Kronecker graph: 2^SCALE vertices, ef * 2^SCALE undirected edges, float weights"},
    {"rmat", "rmat:SCALE[,ef=16][,seed=1][,a=.57][,b=.19][,c=.19][,permute=1][,directed=0]",
     "R-MAT: 2^SCALE vertices, ef * 2^SCALE edges; permute=0 leaves the vertices in the order of their bits"},
    {"random", "random:N,M[,seed=1][,directed=0]", "M edges between uniformly chosen vertices of N, no self-loops"},
    {"regular", "regular:N,D[,seed=1]",
     "random multigraph in which each of N vertices has D edges; N * D must be even"},
    {"ring", "ring:N", "a cycle of N vertices"},
    {"path", "path:N", "a path of N vertices"},
    {"star", "star:N", "vertex 0 joined to N - 1 others"},
    {"complete", "complete:N", "all N (N - 1) / 2 edges"},
    {"grid", "grid:ROWSxCOLUMNS", "a grid of four neighbours each"},
}};

/// The key for which `word` is a synonym, in other programs or as an option of this program; empty if there is none.
std::string_view canonical_key(std::string_view word)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSynonyms = {{{"edgefactor", "ef"},
                                                                                         {"edge_factor", "ef"},
                                                                                         {"edge-factor", "ef"},
                                                                                         {"degree", "d"},
                                                                                         {"vertices", "n"},
                                                                                         {"nodes", "n"},
                                                                                         {"edges", "m"},
                                                                                         {"s", "scale"},
                                                                                         {"SCALE", "scale"}}};
    const auto* const found = std::ranges::find(kSynonyms, word, &std::pair<std::string_view, std::string_view>::first);
    return found == kSynonyms.end() ? std::string_view{} : found->second;
}

/// The arguments of one spec: key/value pairs, and the texts that error messages need.
class Arguments
{
public:
    /// `keys` are the keys that the generator accepts, in the order of bare values.
    Arguments(std::string_view spec, const GeneratorHelp& help, std::vector<std::string_view> keys)
        : spec_(spec), help_(help), keys_(std::move(keys))
    {
        std::string_view rest = spec.substr(help.name.size() + 1);
        while (!rest.empty()) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            add(rest.substr(0, comma));
            if (comma + 1 == rest.size()) fail("it ends with a comma");
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }

    [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                                       std::optional<std::int64_t> otherwise = std::nullopt) const
    {
        const std::optional<std::string_view> text = find(key);
        if (!text && otherwise) return *otherwise;
        if (!text) fail(std::string(key) + " is missing");
        return integer_of(key, *text, low, high);
    }

    [[nodiscard]] std::int64_t integer_of(std::string_view key, std::string_view text, std::int64_t low,
                                          std::int64_t high) const
    {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = end == text.data() + text.size();
        if (!text.empty() && whole && error == std::errc() && low <= value && value <= high) return value;
        fail(std::string(key) + " must be a whole number from " + std::to_string(low) + " to " + std::to_string(high) +
             ", not '" + std::string(text) + "'");
    }

    [[nodiscard]] std::uint64_t seed(std::string_view key, std::uint64_t otherwise) const
    {
        const std::optional<std::string_view> text = find(key);
        if (!text) return otherwise;
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (!text->empty() && end == text->data() + text->size() && error == std::errc()) return value;
        fail(std::string(key) + " must be a whole number from 0 to 18446744073709551615, not '" + std::string(*text) +
             "'");
    }

    [[nodiscard]] double probability(std::string_view key, double otherwise) const
    {
        const std::optional<std::string_view> text = find(key);
        if (!text) return otherwise;
        double value = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
        if (!text->empty() && end == text->data() + text->size() && error == std::errc() && value >= 0 && value <= 1)
            return value;
        fail(std::string(key) + " must be a number from 0 to 1, not '" + std::string(*text) + "'");
    }

    [[nodiscard]] bool flag(std::string_view key, bool otherwise) const
    {
        return integer(key, 0, 1, otherwise ? 1 : 0) != 0;
    }

    [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const
    {
        for (const auto& [name, value] : values_) {
            if (name == key) return value;
        }
        return std::nullopt;
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw InputError("graph '" + std::string(spec_) + "': " + what + "\n" + std::string(help_.name) +
                         " is written " + std::string(help_.usage));
    }

private:
    void add(std::string_view item)
    {
        const std::size_t equals = item.find('=');
        const bool bare = equals == std::string_view::npos;
        if (item.empty() || equals == 0) fail("an argument is empty");
        if (bare && named_) fail("'" + std::string(item) + "' follows an argument with a name, and needs a name, too");
        if (bare && values_.size() >= keys_.size()) fail("'" + std::string(item) + "' is one argument too many");
        named_ = named_ || !bare;
        const std::string_view key = bare ? keys_[values_.size()] : item.substr(0, equals);
        if (std::ranges::find(keys_, key) == keys_.end()) {
            std::string known;
            for (const std::string_view name : keys_) known += (known.empty() ? "" : ", ") + std::string(name);
            const std::string_view meant = canonical_key(key);
            const bool is_key = std::ranges::find(keys_, meant) != keys_.end();
            fail("there is no argument '" + std::string(key) + "', only " + known +
                 (is_key ? "; did you mean '" + std::string(meant) + "'?" : ""));
        }
        if (find(key)) fail(std::string(key) + " is given twice");
        values_.emplace_back(key, bare ? item : item.substr(equals + 1));
    }

    std::string_view spec_;
    const GeneratorHelp& help_;
    std::vector<std::string_view> keys_;
    std::vector<std::pair<std::string_view, std::string_view>> values_;
    bool named_ = false;
};

template <typename Formula>
Source from(const Formula& formula)
{
    return std::make_unique<FormulaSource<Formula>>(formula);
}

Source make_kron(std::string_view spec, const GeneratorHelp& help, Seeds seeds)
{
    const Arguments arguments(spec, help, {"scale", "ef", "seed1", "seed2"});
    const auto scale = static_cast<int>(arguments.integer("scale", 1, kMaxScale));
    const EdgeCount edge_factor = arguments.integer("ef", 1, kMaxGeneratedEdges >> scale, 16);
    return std::make_unique<KronSource>(scale, edge_factor, arguments.seed("seed1", seeds.seed1),
                                        arguments.seed("seed2", seeds.seed2));
}

Source make_rmat(std::string_view spec, const GeneratorHelp& help, Seeds seeds)
{
    const Arguments arguments(spec, help, {"scale", "ef", "seed", "a", "b", "c", "permute", "directed"});
    RmatParameters p;
    p.scale = static_cast<int>(arguments.integer("scale", 1, kMaxScale));
    p.edges = arguments.integer("ef", 1, kMaxGeneratedEdges >> p.scale, 16) << p.scale;
    p.a = arguments.probability("a", p.a);
    p.b = arguments.probability("b", p.b);
    p.c = arguments.probability("c", p.c);
    constexpr double rounding = 1e-9;
    if (p.a + p.b + p.c > 1 + rounding) arguments.fail("a + b + c must be at most 1");
    p.permuted = arguments.flag("permute", p.permuted);
    p.directed = arguments.flag("directed", p.directed);
    return from(RmatGraph(p, arguments.seed("seed", seeds.seed)));
}

Source make_random(std::string_view spec, const GeneratorHelp& help, Seeds seeds)
{
    const Arguments arguments(spec, help, {"n", "m", "seed", "directed"});
    const Vertex n = arguments.integer("n", 1, kMaxVertices);
    const EdgeCount m = arguments.integer("m", 0, kMaxGeneratedEdges);
    if (n == 1 && m > 0)
        arguments.fail(
            "a graph of one vertex has no edges, since self-loops are not made: n must be at least 2, or m must be 0");
    return from(RandomGraph(n, m, arguments.seed("seed", seeds.seed), arguments.flag("directed", false)));
}

Source make_regular(std::string_view spec, const GeneratorHelp& help, Seeds seeds)
{
    const Arguments arguments(spec, help, {"n", "d", "seed"});
    const Vertex n = arguments.integer("n", 1, kMaxVertices);
    const Vertex d = arguments.integer("d", 0, std::min(n - 1, 2 * (kMaxGeneratedEdges / n)));
    if (n % 2 != 0 && d % 2 != 0) arguments.fail("n * d, twice the number of edges, must be even");
    return from(RegularGraph(n, d, arguments.seed("seed", seeds.seed)));
}

template <typename Graph, Vertex least, Vertex most>
Source make_shape(std::string_view spec, const GeneratorHelp& help, Seeds /*unused: not random*/)
{
    const Arguments arguments(spec, help, {"n"});
    return from(Graph{arguments.integer("n", least, most)});
}

Source make_grid(std::string_view spec, const GeneratorHelp& help, Seeds /*unused: not random*/)
{
    const Arguments arguments(spec, help, {"size"});
    const std::string_view size = arguments.find("size").value_or("");
    const std::size_t cross = size.find('x');
    if (cross == std::string_view::npos) arguments.fail("a size such as 1000x1000 is missing");
    const Vertex rows = arguments.integer_of("the number of rows", size.substr(0, cross), 1, kMaxVertices);
    const Vertex columns =
        arguments.integer_of("the number of columns", size.substr(cross + 1), 1, kMaxVertices / rows);
    return from(GridGraph{rows, columns});
}

using Maker = Source (*)(std::string_view spec, const GeneratorHelp& help, Seeds seeds);

constexpr std::array<Maker, kGenerators.size()> kMakers = {
    make_kron,
    make_rmat,
    make_random,
    make_regular,
    make_shape<RingGraph, 3, kMaxVertices>,
    make_shape<PathGraph, 1, kMaxVertices>,
    make_shape<StarGraph, 1, kMaxVertices>,
    make_shape<CompleteGraph, 1, kMaxCompleteVertices>,
    make_grid,
};

}  // namespace

std::unique_ptr<EdgeSource> make_edge_source(std::string_view spec, Seeds seeds)
{
    const std::size_t colon = spec.find(':');
    const std::string_view name = spec.substr(0, colon);
    std::string names;
    for (std::size_t i = 0; i < kGenerators.size(); ++i) {
        const GeneratorHelp& help = kGenerators[i];
        names += (names.empty() ? "" : ", ") + std::string(help.name);
        if (help.name != name) continue;
        if (colon != std::string_view::npos) return kMakers[i](spec, help, seeds);
        throw InputError("graph '" + std::string(spec) + "': a colon and arguments are missing\n" + std::string(name) +
                         " is written " + std::string(help.usage));
    }
    throw InputError("graph '" + std::string(spec) + "': there is no generator '" + std::string(name) +
                     "'\nthe generators are " + names + "; for a file of that name write ./" + std::string(spec));
}

bool looks_like_spec(std::string_view text) noexcept
{
    const std::size_t colon = text.find(':');
    // A single letter may be a drive.
    if (colon == std::string_view::npos || colon < 2) return false;
    return std::ranges::all_of(text.substr(0, colon), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
}

std::span<const GeneratorHelp> generator_help() noexcept
{
    return kGenerators;
}

}  // namespace wayfront
