#include "cpu/pairs/pair_searches.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <omp.h>

#include "algo/apsp/elimination.hpp"
#include "algo/sssp/distance.hpp"
#include "base/parallel.hpp"
#include "cpu/apsp/distance_bound.hpp"
#include "cpu/pairs/bidirectional.hpp"
#include "cpu/pairs/elimination_pairs.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/delta_stepping.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/labels.hpp"

namespace wayfront::cpu {

namespace {

using algo::PairAnswer;
using algo::VertexPair;

/// Fewer pairs are searched one by one, from both ends, although they have a common end.
constexpr std::size_t kLeastShared = 4;
/// When the searches of some pairs of a group, one by one, have relaxed this part of all arcs, one search from the
/// common end finds the others.
constexpr double kPartOneByOne = 0.25;

/// The largest number of arcs per vertex for which elimination is tried. Planar graphs have less than six.
constexpr double kMostDegree = 8;
/// The part of the graph that a search from both ends visits, measured on road networks.
constexpr double kVisitedPart = 0.4;
/// Elimination may take this part of the time of all searches, and more than this.
constexpr double kShareOfSearches = 0.5;
constexpr double kLeastSeconds = 0.2;

/// Cuts the loops out of a path.
void remove_loops(std::vector<Vertex>& path)
{
    std::unordered_map<Vertex, std::size_t> places;
    std::size_t size = 0;
    for (const Vertex vertex : path) {
        const auto [entry, is_new] = places.try_emplace(vertex, size);
        while (!is_new && size > entry->second + 1) places.erase(path[--size]);
        if (is_new) path[size++] = vertex;
    }
    path.resize(size);
}

/// The memory of a thread.
template <typename W>
struct Memory
{
    static constexpr bool kWhole = std::is_integral_v<W>;
    using Wide = std::conditional_t<kWhole, std::int64_t, W>;
    using Narrow = std::conditional_t<std::is_same_v<W, std::uint32_t>, std::uint32_t, std::int64_t>;

    std::optional<Labels<Wide>> labels;
    Dijkstra<W, Wide> dijkstra;
    std::vector<bool> is_target;
    // Whole numbers have 32 bits until a distance does not fit.
    std::optional<Bidirectional<std::conditional_t<kWhole, W, std::uint32_t>, Narrow>> narrow;
    std::optional<Bidirectional<std::conditional_t<kWhole, W, std::uint32_t>, std::int64_t>> wide;
    std::optional<EliminationPairs> eliminated;

    /// How many arcs the last search from both ends relaxed.
    [[nodiscard]] std::uint64_t relaxed_arcs() const
    {
        if (!narrow) return 0;
        return narrow->is_final() ? narrow->relaxed_arcs() : wide->relaxed_arcs();
    }
};

template <typename W>
class Searches final : public PairSearches
{
public:
    /// `tree`: null if pairs are searched.
    Searches(ArcLists<W> out, ArcLists<W> in, bool directed, const algo::Cutoff& cutoff,
             std::unique_ptr<const EliminationPaths> tree)
        : out_(std::move(out)),
          in_(std::move(in)),
          tree_(std::move(tree)),
          directed_(directed),
          bound_(algo::bound_of_cutoff<typename Memory<W>::Wide>(cutoff)),
          delta_(default_delta(out_, 1)),
          threads_(static_cast<std::size_t>(thread_count()))
    {
    }

    [[nodiscard]] std::vector<PairAnswer> answer(std::span<const VertexPair> pairs, bool with_paths,
                                                 ProgressListener* listener) override
    {
        with_paths_ = with_paths;
        std::vector<PairAnswer> answers(pairs.size());
        const std::vector<Group> groups = group(pairs);
        parallel_items(
            groups.size(),
            [&](std::size_t i) {
                if (listener != nullptr) listener->advance(0);  // throws if the work is to end
                Memory<W>& own = threads_[static_cast<std::size_t>(omp_get_thread_num())];
                if (tree_ != nullptr)
                    for (const std::size_t member : groups[i].members)
                        answers[member] = answer_by_tree(own, pairs[member]);
                else
                    search_group(own, groups[i], pairs, answers);
                // Around edges without length, a path may come back to a vertex.
                if (with_paths && out_.min_weight == W{0})
                    for (const std::size_t member : groups[i].members) remove_loops(answers[member].path);
                if (listener != nullptr) listener->advance(groups[i].members.size());
            },
            1, static_cast<int>(threads_.size()));
        return answers;
    }

    [[nodiscard]] std::string description() const override
    {
        if (tree_ != nullptr) return "elimination of vertices, since there are many pairs";
        return Memory<W>::kWhole ? "searches from both ends, several pairs of one vertex by Dijkstra's algorithm"
                                 : "Dijkstra's algorithm, up to the targets";
    }

private:
    /// Pairs with a common end, from which one search can start.
    struct Group
    {
        Vertex start;
        std::vector<std::size_t> members;  // positions
    };

    /// The groups of pairs; each pair is in one.
    [[nodiscard]] std::vector<Group> group(std::span<const VertexPair> pairs) const
    {
        const bool either_end = !directed_ && Memory<W>::kWhole;  // rounded sums depend on the direction
        std::unordered_map<Vertex, std::size_t> uses;
        for (const VertexPair& pair : pairs) {
            ++uses[pair.source];
            if (either_end) ++uses[pair.target];
        }
        std::unordered_map<Vertex, std::size_t> position;
        std::vector<Group> groups;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const bool swapped = either_end && uses[pairs[i].target] > uses[pairs[i].source];
            const Vertex start = swapped ? pairs[i].target : pairs[i].source;
            const auto [entry, is_new] = position.try_emplace(start, groups.size());
            if (is_new) groups.push_back({start, {}});
            groups[entry->second].members.push_back(i);
        }
        return groups;
    }

    [[nodiscard]] PairAnswer answer_by_tree(Memory<W>& own, const VertexPair& pair) const
    {
        if constexpr (Memory<W>::kWhole) {
            if (!own.eliminated) own.eliminated.emplace(*tree_);
            const std::uint64_t distance =
                own.eliminated->run(static_cast<std::uint32_t>(pair.source), static_cast<std::uint32_t>(pair.target));
            if (distance == EliminationPairs::kNone || distance >= whole_bound()) return {};
            PairAnswer answer{static_cast<std::int64_t>(distance), {}};
            if (!with_paths_) return answer;
            answer.path = own.eliminated->path(
                [this](std::uint32_t from, std::uint32_t to, std::uint32_t weight) {
                    return std::ranges::any_of(out_.out.list(from), [&](const Arc<W>& arc) {
                        return arc.vertex == to && arc.weight == static_cast<W>(weight);
                    });
                },
                [&](std::uint32_t from, std::uint32_t to) {
                    return search_both_ends(own, {Vertex{from}, Vertex{to}}).path;
                });
            return answer;
        }
        return {};
    }

    [[nodiscard]] PairAnswer search_both_ends(Memory<W>& own, const VertexPair& pair) const
    {
        if constexpr (Memory<W>::kWhole) {
            const auto source = static_cast<std::uint32_t>(pair.source);
            const auto target = static_cast<std::uint32_t>(pair.target);
            if (!own.narrow) own.narrow.emplace(out_, in_, delta_);
            const std::uint64_t distance = own.narrow->run(source, target, whole_bound());
            if (own.narrow->is_final()) return answer_of(*own.narrow, distance);
            if (!own.wide) own.wide.emplace(out_, in_, delta_);
            return answer_of(*own.wide, own.wide->run(source, target, whole_bound()));
        }
        return {};
    }
    /// The bound of distances that are whole numbers.
    [[nodiscard]] std::uint64_t whole_bound() const
    {
        return static_cast<std::uint64_t>(std::max(bound_, typename Memory<W>::Wide{0}));
    }

    template <typename Search>
    [[nodiscard]] PairAnswer answer_of(const Search& search, std::uint64_t distance) const
    {
        if (distance == Search::kNone) return {};
        return {static_cast<std::int64_t>(distance), with_paths_ ? search.path() : std::vector<Vertex>()};
    }

    /// Searches from both ends, pair by pair, as long as these searches look at little of the graph; then one search
    /// finds the others.
    void search_group(Memory<W>& own, const Group& group, std::span<const VertexPair> pairs,
                      std::vector<PairAnswer>& answers) const
    {
        const std::span<const std::size_t> members = group.members;
        std::size_t done = 0;
        if constexpr (Memory<W>::kWhole) {
            const double most = members.size() < kLeastShared ? std::numeric_limits<double>::infinity()
                                                              : kPartOneByOne * static_cast<double>(out_.arcs());
            for (double relaxed = 0; done < members.size() && relaxed < most; ++done) {
                answers[members[done]] = search_both_ends(own, pairs[members[done]]);
                relaxed += static_cast<double>(own.relaxed_arcs());
            }
        }
        if (done < members.size()) search_together(own, group.start, members.subspan(done), pairs, answers);
    }

    /// One search from the start of a group, until the other ends of its members are settled.
    void search_together(Memory<W>& own, Vertex group_start, std::span<const std::size_t> members,
                         std::span<const VertexPair> pairs, std::vector<PairAnswer>& answers) const
    {
        if (!own.labels) {
            own.labels.emplace(out_.vertices());
            own.is_target.resize(out_.vertices());
        }
        const auto other_end = [&](const VertexPair& pair) {
            return static_cast<std::uint32_t>(pair.source == group_start ? pair.target : pair.source);
        };
        std::size_t left = 0;
        for (const std::size_t member : members) {
            std::vector<bool>::reference is_target = own.is_target[other_end(pairs[member])];
            left += is_target ? 0 : 1;
            is_target = true;
        }
        own.labels->clear(bound_);
        const auto start = static_cast<std::uint32_t>(group_start);
        static_cast<void>(own.dijkstra.run(out_, std::span(&start, 1), *own.labels,
                                           [&](std::uint32_t vertex) { return own.is_target[vertex] && --left == 0; }));
        for (const std::size_t member : members) {
            const std::uint32_t end = other_end(pairs[member]);
            own.is_target[end] = false;
            answers[member] = answer_of(*own.labels, end);
            if (pairs[member].source != group_start) std::ranges::reverse(answers[member].path);
        }
    }

    template <typename D>
    [[nodiscard]] PairAnswer answer_of(const Labels<D>& labels, std::uint32_t end) const
    {
        if (labels.parent(end) == kNoLocal) return {};
        PairAnswer answer{labels.distance(end), {}};
        if (!with_paths_) return answer;
        for (std::uint32_t v = end;; v = labels.parent(v)) {
            answer.path.push_back(v);
            if (labels.parent(v) == v) break;
        }
        std::ranges::reverse(answer.path);
        return answer;
    }

    ArcLists<W> out_;
    ArcLists<W> in_;
    std::unique_ptr<const EliminationPaths> tree_;
    bool directed_;
    typename Memory<W>::Wide bound_;  // distances are less
    double delta_;
    bool with_paths_ = false;
    std::vector<Memory<W>> threads_;
};

/// The tree, if the elimination of vertices is expected to take less time than searches of all pairs.
std::unique_ptr<const EliminationPaths> try_elimination(const DistributedGraph& graph, const PairSearchOptions& options)
{
    if (is_floating_point(weight_type(graph.block.in_weights))) return nullptr;
    const double searches = static_cast<double>(options.pairs) * kVisitedPart * options.search_seconds / thread_count();
    const auto arcs = static_cast<double>(graph.block.out_edges().edges());
    if (kShareOfSearches * searches < kLeastSeconds ||
        arcs > kMostDegree * static_cast<double>(graph.connected_vertices))
        return nullptr;
    if (bound_distances(graph).at_most >= algo::Elimination::kFar) return nullptr;
    std::optional<algo::Elimination> tree = algo::eliminate(
        graph,
        {.work = kShareOfSearches * searches / algo::kEliminationLinkSeconds, .bytes = options.elimination_bytes});
    return tree ? std::make_unique<const EliminationPaths>(std::move(*tree)) : nullptr;
}

/// Whether the lengths of all paths fit the wide type of distances.
template <typename W>
bool all_fit(const ArcLists<W>& lists)
{
    using Wide = typename Memory<W>::Wide;
    return static_cast<double>(lists.max_weight) * static_cast<double>(lists.vertices()) <
           static_cast<double>(std::numeric_limits<Wide>::max()) / 4;
}

}  // namespace

std::unique_ptr<PairSearches> make_pair_searches(const DistributedGraph& graph, const PairSearchOptions& options)
{
    return with_weight_type(weight_type(graph.block.in_weights), [&](auto type) -> std::unique_ptr<PairSearches> {
        using W = std::conditional_t<std::is_same_v<decltype(type), Unweighted>, std::uint32_t, decltype(type)>;
        ArcLists<W> out = make_whole_lists<W>(graph, ListOwner::sources);
        if (out.min_weight < W{0} || !all_fit(out)) return nullptr;
        ArcLists<W> in = std::is_integral_v<W> ? make_whole_lists<W>(graph, ListOwner::targets) : ArcLists<W>();
        return std::make_unique<Searches<W>>(std::move(out), std::move(in), graph.directed, options.cutoff,
                                             try_elimination(graph, options));
    });
}

double pair_searches_bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_an_arc = 2 * 12;
    constexpr double bytes_a_list = 2 * 8;
    constexpr double bytes_of_labels =
        16 * 3 + 4 * 2;  // the labels of searches from both ends, and of Dijkstra's algorithm
    return arcs * bytes_an_arc + vertices * (bytes_a_list + bytes_of_labels * threads);
}

}  // namespace wayfront::cpu
