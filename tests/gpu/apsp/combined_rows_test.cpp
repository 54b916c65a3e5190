// Compares combined rows, with searches in many parts, with Dijkstra's algorithm from each source.
#include "gpu/apsp/rows/combined_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/construction.hpp"
#include "graph/distances.hpp"
#include "oracle/dijkstra.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {
namespace {

class CombinedRowsOnGpu : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

using Graph = oracle::WeightedGraph<OracleWeight<std::uint32_t>>;

template <typename T>
void expect_all_pairs(const Graph& graph, const std::vector<T>& matrix, std::size_t stride)
{
    for (Vertex source = 0; source < graph.vertices; ++source) {
        const auto expected = oracle::dijkstra(graph, source);
        for (std::size_t v = 0; v < expected.size(); ++v) {
            const T found = matrix[static_cast<std::size_t>(source) * stride + v];
            if (expected[v] == oracle::infinity<OracleWeight<std::uint32_t>>())
                ASSERT_EQ(found, unreached<T>()) << "from " << source << " to " << v;
            else
                ASSERT_EQ(static_cast<std::int64_t>(found), static_cast<std::int64_t>(expected[v]))
                    << "from " << source << " to " << v;
        }
    }
}

/// Fills a matrix several times with different parts, so that buffers and streams are reused.
template <typename T>
void check(const Graph& graph, std::size_t shared_bytes)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    const DistributedGraph constructed = construct(grid, ShareFeed<std::uint32_t>(graph, 0, 1));
    const gpu::apsp::RowSearchOptions searching{.type = algo::distance_type_of<T>, .shared_bytes = shared_bytes};
    gpu::apsp::CombinedRows rows(constructed, searching);
    EXPECT_EQ(rows.searches().has_distances_in_shared_memory(), shared_bytes == 0);
    EXPECT_LE(rows.bytes(),
              gpu::apsp::CombinedRows::most_bytes(static_cast<std::size_t>(graph.vertices),
                                                  static_cast<std::size_t>(constructed.directed_edges), searching));
    const gpu::Stream stream;
    gpu::DeviceBuffer<std::byte> matrix(rows.searches().vertices() * rows.searches().stride() * sizeof(T));
    std::vector<T> host(matrix.size() / sizeof(T));
    for (const algo::FeedbackVertexOptions options : {algo::FeedbackVertexOptions{},
                                                      {.members_at_once = 3},
                                                      {.most_arcs = 2, .members_at_once = 17},
                                                      {.most_arcs = 0},
                                                      {.members_at_once = 1}}) {
        SCOPED_TRACE(testing::Message() << "at most " << options.most_arcs << " arcs, parts of "
                                        << options.members_at_once);
        gpu::fill_bytes_async(matrix.span(), 0x55, stream);
        const algo::RowCombination plan = rows.fill(matrix.data(), stream, options);
        EXPECT_EQ(plan.combined.empty(), options.most_arcs == 0);
        gpu::copy_async(std::span<const std::byte>(matrix.span()), std::as_writable_bytes(std::span(host)), stream);
        stream.synchronize();
        expect_all_pairs(graph, host, rows.searches().stride());
    }
}

TEST_F(CombinedRowsOnGpu, ManyParts)
{
    // Some vertices have no edges.
    for (const std::size_t shared_bytes : {0U, 1U})
        for (const bool directed : {true, false}) {
            check<std::int32_t>(random_weighted_graph<std::uint32_t>(700, 2000, directed, 1, 1000, 1), shared_bytes);
            check<std::uint16_t>(random_weighted_graph<std::uint32_t>(701, 2000, directed, 0, 50, 2), shared_bytes);
        }
}

}  // namespace
}  // namespace wayfront
