#include "cpu/apsp/arc_list_rows.hpp"

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
#include "cpu/sssp/delta_stepping.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/search_result.hpp"

namespace wayfront::cpu {

namespace {

// A Method has
//     kName, in words;
//     Common(lists), which the searches of all threads share;
//     Method(lists, common), on any thread;
//     run(lists, source, labels, ends): labels the vertices that are not leaves. The search may end as soon as
//         ends(vertex) is true, as in Dijkstra::run().

template <typename W, typename D>
class DijkstraMethod
{
public:
    static constexpr std::string_view kName = "Dijkstra's algorithm";
    struct Common
    {
        explicit Common(const ArcLists<W>& /*lists*/) {}
    };

    DijkstraMethod(const ArcLists<W>& /*lists*/, const Common& /*common*/) {}

    template <typename Ends>
    void run(const ArcLists<W>& lists, std::uint32_t source, Labels<D>& labels, Ends&& ends)
    {
        dijkstra_.run(lists, std::span(&source, 1), labels, std::forward<Ends>(ends));
    }

private:
    Dijkstra<W, D> dijkstra_;
};

/// Each search is on one thread.
template <typename W, typename D>
class DeltaSteppingMethod
{
public:
    static constexpr std::string_view kName = "delta-stepping";
    struct Common
    {
        explicit Common(const ArcLists<W>& lists) : delta(default_delta(lists, 1)) {}
        double delta;
    };

    DeltaSteppingMethod(const ArcLists<W>& lists, const Common& common) : search_(lists, common.delta, 1, 0) {}

    template <typename Ends>
    void run(const ArcLists<W>& /*lists*/, std::uint32_t source, Labels<D>& labels, Ends&& /*ends*/)
    {
        search_.run(std::span(&source, 1), labels);
    }

private:
    DeltaStepping<W, D> search_;
};

/// The arcs, and the vertices of the columns.
template <typename W, typename Method>
class ArcListGraph
{
public:
    explicit ArcListGraph(const DistributedGraph& graph) : lists_(make_arc_lists<W>(graph)), common_(lists_) {}

    [[nodiscard]] static std::string_view method() { return Method::kName; }
    [[nodiscard]] std::size_t vertices() const { return lists_.vertices(); }
    [[nodiscard]] const ArcLists<W>& lists() const { return lists_; }
    [[nodiscard]] const typename Method::Common& common() const { return common_; }
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
    typename Method::Common common_;
    std::optional<Targets> targets_;
};

/// The searches of a thread. W: weights, D: distances.
template <typename W, typename D, typename Method>
class ArcListSearch
{
public:
    using Graph = ArcListGraph<W, Method>;
    static constexpr bool kWhole = std::is_integral_v<D>;

    explicit ArcListSearch(const Graph& graph)
        : graph_(graph), labels_(graph.lists().vertices()), method_(graph.lists(), graph.common())
    {
    }

    template <typename Use>
    void run(Vertex from, Use&& use)
    {
        source_ = static_cast<std::uint32_t>(from);
        labels_.clear(wayfront::unreached<D>());
        if (const auto* const targets = graph_.targets()) {
            std::size_t left = targets->needed_count;
            method_.run(graph_.lists(), source_, labels_,
                        [&](std::uint32_t vertex) { return targets->needed[vertex] && --left == 0; });
        } else {
            method_.run(graph_.lists(), source_, labels_, [](std::uint32_t) { return false; });
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
        for (std::uint32_t vertex = 0; vertex < row_.size(); ++vertex) row_[vertex] = labels_.settled_distance(vertex);
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
        Label best{labels_.settled_distance(vertex), parent_of(labels_.parent(vertex))};
        if (targets == nullptr || targets->leaves[column] == Graph::Targets::kNoLeaf || vertex == source_) return best;
        for (const Arc<W>& arc : graph_.lists().to_leaves.list(targets->leaves[column])) {
            const D length = path_length(labels_.settled_distance(arc.vertex), arc.weight);
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
    Method method_;
    std::uint32_t source_ = 0;
    mutable HostBuffer<D> row_;
};

/// Rows by Method<W, D>, whose types suit the weights and the greatest distance.
template <template <typename, typename> typename Method>
std::unique_ptr<algo::RowProducer> make_rows(const DistributedGraph& graph, const SearchRowsOptions& options)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<algo::RowProducer> {
        const auto make = [&]<typename W, typename D>(W, D) -> std::unique_ptr<algo::RowProducer> {
            using Search = ArcListSearch<W, D, Method<W, D>>;
            return std::make_unique<SearchRows<Search, Out>>(std::make_unique<typename Search::Graph>(graph), options);
        };
        if (weights == WeightType::float64) return make(double{}, double{});
        if (weights == WeightType::float32) return make(float{}, float{});
        if (weights == WeightType::int64) return make(std::int64_t{}, std::int64_t{});
        if (options.most_distance < static_cast<double>(unreached<std::uint32_t>()))
            return make(std::uint32_t{}, std::uint32_t{});
        return make(std::uint32_t{}, std::int64_t{});
    });
}

double rows_bytes(double vertices, double arcs, int threads, double bytes_of_queue)
{
    constexpr double bytes_an_arc = 8 + 4;
    constexpr double bytes_a_label = 16;
    constexpr double bytes_of_row = 8;
    return arcs * bytes_an_arc + vertices * (8 + threads * (bytes_a_label + bytes_of_queue + bytes_of_row));
}

}  // namespace

std::unique_ptr<algo::RowProducer> make_dijkstra_rows(const DistributedGraph& graph, const SearchRowsOptions& options)
{
    return make_rows<DijkstraMethod>(graph, options);
}

std::unique_ptr<algo::RowProducer> make_delta_stepping_rows(const DistributedGraph& graph,
                                                            const SearchRowsOptions& options)
{
    return make_rows<DeltaSteppingMethod>(graph, options);
}

double dijkstra_rows_bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_of_heap = 8;
    return rows_bytes(vertices, arcs, threads, bytes_of_heap);
}

double delta_stepping_rows_bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_of_buckets = 24;
    return rows_bytes(vertices, arcs, threads, bytes_of_buckets);
}

}  // namespace wayfront::cpu
