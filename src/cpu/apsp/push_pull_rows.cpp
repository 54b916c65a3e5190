#include "cpu/apsp/push_pull_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "algo/sssp/grid_sssp.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "base/serial_loops.hpp"
#include "comm/process_grid.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "cpu/sssp/list_heads.hpp"
#include "graph/lists_by_weight.hpp"

namespace wayfront::cpu {

namespace {

class PushPullGraph
{
public:
    explicit PushPullGraph(const DistributedGraph& graph)
        : grid_(comm::Communicator::alone(), comm::GridShape{1, 1}),
          graph_(with_lists_by_weight(graph)),
          engines_(graph_.block)
    {
    }

    [[nodiscard]] static std::string_view method() { return "push-pull"; }
    [[nodiscard]] std::size_t vertices() const { return graph_.local_count(); }
    void select(std::span<const Vertex> targets) { targets_ = targets; }
    [[nodiscard]] std::size_t vertex_of(std::size_t column) const
    {
        return targets_ ? static_cast<std::size_t>((*targets_)[column]) : column;
    }

    [[nodiscard]] std::unique_ptr<algo::SsspSearch> make_search()
    {
        const SerialLoops serial;
        algo::SsspOptions options;
        options.method = algo::SsspMethod::push_pull;
        options.shares_memory = false;
        return algo::make_grid_sssp(
            grid_, graph_, options,
            algo::SsspEngineMaker([this](const CsrBlock& /*block*/, bool narrow) { return engines_.make(narrow); }));
    }

private:
    comm::ProcessGrid grid_;
    DistributedGraph graph_;
    SsspEngines engines_;
    std::optional<std::span<const Vertex>> targets_;
};

/// The searches of a thread. `whole`: whether weights are whole numbers.
template <bool whole>
class PushPullSearch
{
public:
    using Graph = PushPullGraph;
    static constexpr bool kWhole = whole;

    explicit PushPullSearch(Graph& graph) : graph_(graph), search_(graph.make_search()) {}

    template <typename Use>
    void run(Vertex source, Use&& use)
    {
        const SerialLoops serial;
        search_->run(source);
        const algo::SsspResult& result = search_->result();
        std::visit(
            [&]<typename D>(const HostBuffer<D>& distances) {
                if constexpr (std::is_integral_v<D> == whole)
                    use(LabelsOf<D>{graph_, distances.span(), result.parents});
                else
                    throw std::logic_error("distances are of another kind than the weights");
            },
            result.distances);
    }

private:
    template <typename D>
    struct LabelsOf
    {
        const Graph& graph;
        std::span<const D> all;
        const VertexArray& parents;

        [[nodiscard]] static D unreached() { return algo::unreached<D>(); }
        [[nodiscard]] D distance(std::size_t column) const { return all[graph.vertex_of(column)]; }
        [[nodiscard]] std::int32_t parent(std::size_t column) const
        {
            return static_cast<std::int32_t>(parents[graph.vertex_of(column)]);
        }
        [[nodiscard]] std::span<const D> distances() const { return all; }
    };

    const Graph& graph_;
    std::unique_ptr<algo::SsspSearch> search_;
};

static_assert(kUnreached == algo::kNoParent);

}  // namespace

std::unique_ptr<algo::RowProducer> make_push_pull_rows(const DistributedGraph& graph, const SearchRowsOptions& options)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    const bool whole = weights == WeightType::uint32 || weights == WeightType::int64;
    return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<algo::RowProducer> {
        auto shared = std::make_unique<PushPullGraph>(graph);
        if (whole) return std::make_unique<SearchRows<PushPullSearch<true>, Out>>(std::move(shared), options);
        return std::make_unique<SearchRows<PushPullSearch<false>, Out>>(std::move(shared), options);
    });
}

double push_pull_rows_bytes(const DistributedGraph& graph, int threads)
{
    const WeightType type = weight_type(graph.block.in_weights);
    const double weight = type == WeightType::int64 || type == WeightType::float64 ? 8 : 4;
    const double directions = graph.block.symmetric ? 1 : 2;
    const auto arcs = static_cast<double>(graph.block.in_edges.edges());
    constexpr double bytes_of_list = 4 + 4 + sizeof(ListHead<std::uint32_t>) + sizeof(ListHead<std::int64_t>);
    constexpr double bytes_of_numbers = 4 + 8 + 4;
    // A thread has distances of rows, columns and the result, lightest edges, places and lists of vertices,
    // and parents.
    const double of_search = 8 * weight + 4 * 8 + 3 * 8;
    return directions * arcs * (4 + weight) + static_cast<double>(graph.local_count()) *
                                                  (directions * bytes_of_list + bytes_of_numbers + threads * of_search);
}

}  // namespace wayfront::cpu
