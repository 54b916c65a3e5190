#include "session/sssp/host_sssp.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algo/sssp/grid_sssp.hpp"
#include "comm/agreement.hpp"
#include "cpu/sssp/grid_engine.hpp"
#include "cpu/sssp/list_heads.hpp"
#include "cpu/sssp/one_rank_search.hpp"

namespace wayfront::session {

namespace {

bool on_one_rank(const comm::ProcessGrid& grid, algo::SsspMethod method)
{
    return grid.world().size() == 1 && cpu::is_one_rank_method(method);
}

/// The bytes of a weight, and of a distance.
std::size_t word_bytes(const DistributedGraph& graph)
{
    return with_weight_type(weight_type(graph.block.in_weights), []<typename W>(W) {
        return std::is_same_v<W, Unweighted> ? sizeof(std::uint32_t) : sizeof(W);
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

algo::SsspEngineMaker host_sssp_engines()
{
    return [](const CsrBlock& block, bool narrow) { return cpu::make_sssp_engine(block, narrow); };
}

double host_sssp_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph, algo::SsspMethod method)
{
    const CsrBlock& block = graph.block;
    const std::size_t word = word_bytes(graph);
    const std::size_t result =
        word + (VertexArray::is_narrow(graph.partition.vertex_count()) ? sizeof(std::int32_t) : sizeof(std::int64_t));
    if (on_one_rank(grid, method)) {
        // The arcs, and for each vertex the place of its list, its label, and its share of the
        // buckets or of the heap, in which only the vertices of a frontier are.
        constexpr std::size_t share = 2;
        const std::size_t a_vertex = sizeof(std::uint64_t) + 2 * word + share + result;
        return static_cast<double>(block.out_edges().edges()) * static_cast<double>(2 * word) +
               static_cast<double>(graph.local_count()) * static_cast<double>(a_vertex);
    }
    // For each column its distance, its place in a list and in three lists of columns; for each row
    // its parent, its candidate arcs, and its places in lists. Ranks that share columns take less.
    constexpr std::size_t index = sizeof(std::uint32_t);
    const bool heads = block.list_order == ListOrder::weights;
    const std::size_t head = heads ? cpu::kHeadEntries * (index + word) : 0;
    const std::size_t a_column = (block.symmetric ? 0 : head) + word + (2 * index + word) + 6 * index;
    const std::size_t a_row = head + word + 5 * index + (heads ? index + 3 * word : 0);
    return static_cast<double>(block.cols()) * static_cast<double>(a_column) +
           static_cast<double>(block.rows()) * static_cast<double>(a_row) +
           static_cast<double>(graph.local_count()) * static_cast<double>(result);
}

}  // namespace wayfront::session
