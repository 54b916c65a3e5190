#include "session/sssp/host_sssp.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algo/nearest_sources.hpp"
#include "algo/sssp/grid_sssp.hpp"
#include "algo/sssp/push_pull_rules.hpp"
#include "algo/sssp/sssp_memory.hpp"
#include "comm/agreement.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "cpu/sssp/one_rank_search.hpp"
#include "graph/generators/weights.hpp"

namespace wayfront::session {

namespace {

bool on_one_rank(const comm::ProcessGrid& grid, algo::SsspMethod method)
{
    return grid.world().size() == 1 && searches_on_one_rank(method);
}

/// The bytes of a weight, and of a distance.
double word_bytes(const DistributedGraph& graph)
{
    return with_weight_type(weight_type(graph.block.in_weights), []<typename W>(W) {
        return static_cast<double>(std::is_same_v<W, Unweighted> ? sizeof(std::uint32_t) : sizeof(W));
    });
}

}  // namespace

std::unique_ptr<algo::SsspSearch> make_host_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                 const algo::SsspOptions& options)
{
    if (on_one_rank(grid, options.method))
        return run_agreed(grid.world(), [&] { return cpu::make_one_rank_search(graph, options); });
    return algo::make_grid_sssp(grid, graph, options, host_sssp_engines());
}

std::unique_ptr<algo::SsspSearch> make_host_sssp(const EdgeFeed& feed, const algo::SsspOptions& options)
{
    return cpu::make_one_rank_search(feed, options);
}

algo::SsspEngineMaker host_sssp_engines()
{
    return [](const CsrBlock& block, bool narrow) { return cpu::make_sssp_engine(block, narrow); };
}

bool searches_on_one_rank(algo::SsspMethod method)
{
    return cpu::is_one_rank_method(method);
}

bool have_many_values(const std::string& spec, double vertices, double end_degree)
{
    constexpr double many = 8;
    const WeightSpec weights = WeightSpec::parse(spec, static_cast<Vertex>(vertices));
    return weights.values_from_zero() * algo::window_share(end_degree) >= many;
}

double host_sssp_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph, algo::SsspMethod method)
{
    const CsrBlock& block = graph.block;
    const bool narrow = VertexArray::is_narrow(graph.partition.vertex_count());
    return algo::sssp_bytes({.rows = static_cast<double>(block.rows()),
                             .columns = static_cast<double>(block.cols()),
                             .own = static_cast<double>(graph.local_count()),
                             .arcs = static_cast<double>(block.out_edges().edges()),
                             .word_bytes = word_bytes(graph),
                             .id_bytes = static_cast<double>(narrow ? sizeof(std::int32_t) : sizeof(std::int64_t)),
                             .symmetric = block.symmetric,
                             .lists_by_weight = block.list_order == ListOrder::weights,
                             .on_one_rank = on_one_rank(grid, method)});
}

double host_nearest_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                          const algo::SsspOptions& options)
{
    return algo::nearest_bytes(grid, graph, word_bytes(graph), options.smallest_parents);
}

}  // namespace wayfront::session
