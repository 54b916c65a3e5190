// Compares the numbering of columns with plain division, which needs no GPU. Tests graphs that do
// not fit.
#include "gpu/graph/device_graph.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/graph/upload.hpp"
#include "graph/distributed_graph.hpp"
#include "support/block_testing.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu {
namespace {

TEST(DeviceGraphView, OwnersAndSlotsOfColumns)
{
    for (const std::uint32_t ranks : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 100U, 1023U, 1024U, 5000U}) {
        DeviceGraphView graph;
        graph.set_ranks(ranks, ranks - 1);
        EXPECT_EQ(graph.rank, ranks - 1);
        const std::uint64_t round = std::uint64_t{kTileSlots} * ranks;
        const std::uint64_t last = (std::uint64_t{1} << 32) / round * round;
        for (const std::uint64_t near :
             {std::uint64_t{0}, round, 7 * round, last / round / 2 * round, last - round, last}) {
            for (const std::int64_t off : {-1025, -1024, -1, 0, 1, 1023, 1024, 1025}) {
                const std::int64_t place = static_cast<std::int64_t>(near) + off;
                if (place < 0 || place >= static_cast<std::int64_t>(last)) continue;
                const auto column = static_cast<std::uint32_t>(place);
                const std::uint32_t tile = column / kTileSlots;
                ASSERT_EQ(graph.owner_of(column), tile % ranks) << "column " << column << " of " << ranks << " ranks";
                ASSERT_EQ(graph.slot_of(column), tile / ranks * kTileSlots + column % kTileSlots)
                    << "column " << column << " of " << ranks << " ranks";
                ASSERT_EQ(graph.column(graph.owner_of(column), graph.slot_of(column)), column);
            }
        }
    }
}

class UploadTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

TEST_F(UploadTest, RefusesVertexNumbersOf64Bits)
{
    const Stream stream;
    const Vertex vertices = (Vertex{1} << 31) + 1;
    const DistributedGraph graph{.partition = Partition(vertices, 1, 1),
                                 .block = make_block(64, 1, 1, {{1, 2}, {2, 1}}),
                                 .slot_of_local = {},
                                 .vertex_of_column = VertexArray(64, vertices)};
    const OwnOutEdges out(comm::Communicator::self(), graph);
    EXPECT_THROW((void)upload_graph(graph, out, stream), InputError);
}

}  // namespace
}  // namespace wayfront::gpu
