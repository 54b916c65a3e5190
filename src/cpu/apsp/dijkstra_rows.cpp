#include "cpu/apsp/dijkstra_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/search_result.hpp"

namespace wayfront::cpu {

namespace {

/// The arcs, and the vertices of the columns.
template <typename W>
class DijkstraGraph
{
public:
    explicit DijkstraGraph(const DistributedGraph& graph) : lists_(make_arc_lists<W>(graph)) {}

    [[nodiscard]] static std::string_view method() { return "Dijkstra's algorithm"; }
    [[nodiscard]] std::size_t vertices() const { return lists_.vertices(); }
    [[nodiscard]] const ArcLists<W>& lists() const { return lists_; }
    void select(std::span<const Vertex> targets) { targets_.emplace(lists_, targets); }

    /// The vertices of the columns, if those are not all.
    struct Targets
    {
        Targets(const ArcLists<W>& lists, std::span<const Vertex> targets) : vertices(targets)
        {
            std::vector<bool> is_needed(lists.vertices());
            for (const Vertex target : targets) {
                const auto leaf = std::ranges::lower_bound(lists.leaves, static_cast<std::uint32_t>(target));
                const bool is_leaf = leaf != lists.leaves.end() && *leaf == target;
                leaves.push_back(is_leaf ? static_cast<std::size_t>(leaf - lists.leaves.begin()) : kNoLeaf);
                if (!is_leaf)
                    is_needed[static_cast<std::size_t>(target)] = true;
                else
                    for (const Arc<W>& arc : lists.to_leaves.list(leaves.back())) is_needed[arc.vertex] = true;
            }
            needed = std::move(is_needed);
            needed_count = static_cast<std::size_t>(std::ranges::count(needed, true));
        }

        static constexpr std::size_t kNoLeaf = ~std::size_t{0};

        std::span<const Vertex> vertices;
        std::vector<std::size_t> leaves;  // by target: its position among the leaves, or kNoLeaf
        // The vertices whose distances determine those of the targets.
        std::vector<bool> needed;
        std::size_t needed_count = 0;
    };
    /// Null if all vertices are columns.
    [[nodiscard]] const Targets* targets() const { return targets_ ? &*targets_ : nullptr; }

private:
    ArcLists<W> lists_;
    std::optional<Targets> targets_;
};

/// The searches of a thread. W: weights, D: distances.
template <typename W, typename D>
class DijkstraSearch
{
public:
    using Graph = DijkstraGraph<W>;
    static constexpr bool kWhole = std::is_integral_v<D>;

    explicit DijkstraSearch(const Graph& graph) : graph_(graph), labels_(graph.lists().vertices()) {}

    template <typename Use>
    void run(Vertex from, Use&& use)
    {
        source_ = static_cast<std::uint32_t>(from);
        labels_.clear(wayfront::unreached<D>());
        if (const auto* const targets = graph_.targets()) {
            std::size_t left = targets->needed_count;
            dijkstra_.run(graph_.lists(), std::span(&source_, 1), labels_,
                          [&](std::uint32_t vertex) { return targets->needed[vertex] && --left == 0; });
        } else {
            dijkstra_.run(graph_.lists(), std::span(&source_, 1), labels_);
            label_leaves(graph_.lists(), labels_);
        }
        use(std::as_const(*this));
    }

    [[nodiscard]] static D unreached() { return wayfront::unreached<D>(); }
    [[nodiscard]] D distance(std::size_t column) const { return label(column).distance; }
    [[nodiscard]] std::int32_t parent(std::size_t column) const { return label(column).parent; }
    [[nodiscard]] std::span<const D> distances() const
    {
        if (row_.empty()) row_ = HostBuffer<D>(labels_.size());
        for (std::uint32_t vertex = 0; vertex < row_.size(); ++vertex) row_[vertex] = labels_.distance(vertex);
        return std::as_const(row_).span();
    }

private:
    /// A distance, and the parent as in a RowBatch.
    struct Label
    {
        D distance;
        std::int32_t parent;
    };

    /// The label of a column's vertex. Those of leaves that are targets are found here.
    [[nodiscard]] Label label(std::size_t column) const
    {
        const auto* const targets = graph_.targets();
        const auto vertex = static_cast<std::uint32_t>(targets != nullptr ? targets->vertices[column] : Vertex(column));
        Label best{labels_.distance(vertex), parent_of(labels_.parent(vertex))};
        if (targets == nullptr || targets->leaves[column] == Graph::Targets::kNoLeaf || vertex == source_) return best;
        for (const Arc<W>& arc : graph_.lists().to_leaves.list(targets->leaves[column])) {
            const D length = path_length(labels_.distance(arc.vertex), arc.weight);
            if (length < best.distance) best = {length, static_cast<std::int32_t>(arc.vertex)};
        }
        return best;
    }

    [[nodiscard]] static std::int32_t parent_of(std::uint32_t vertex)
    {
        return vertex == kNoLocal ? algo::kNoParent : static_cast<std::int32_t>(vertex);
    }

    const Graph& graph_;
    Labels<D> labels_;
    Dijkstra<W, D> dijkstra_;
    std::uint32_t source_ = 0;
    mutable HostBuffer<D> row_;
};

template <typename W, typename D, typename Out>
std::unique_ptr<algo::RowProducer> make(const DistributedGraph& graph, const SearchRowsOptions& options)
{
    return std::make_unique<SearchRows<DijkstraSearch<W, D>, Out>>(std::make_unique<DijkstraGraph<W>>(graph), options);
}

}  // namespace

std::unique_ptr<algo::RowProducer> make_dijkstra_rows(const DistributedGraph& graph, const SearchRowsOptions& options)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<algo::RowProducer> {
        if (weights == WeightType::float64) return make<double, double, Out>(graph, options);
        if (weights == WeightType::float32) return make<float, float, Out>(graph, options);
        if (weights == WeightType::int64) return make<std::int64_t, std::int64_t, Out>(graph, options);
        if (options.most_distance < static_cast<double>(unreached<std::uint32_t>()))
            return make<std::uint32_t, std::uint32_t, Out>(graph, options);
        return make<std::uint32_t, std::int64_t, Out>(graph, options);
    });
}

double dijkstra_rows_bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_an_arc = 8 + 4;
    constexpr double bytes_a_label = 16;
    constexpr double bytes_of_queue_and_row = 16;
    return arcs * bytes_an_arc + vertices * (8 + threads * (bytes_a_label + bytes_of_queue_and_row));
}

}  // namespace wayfront::cpu
