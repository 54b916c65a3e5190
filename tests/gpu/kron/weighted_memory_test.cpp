// Tests of the predictions of device memory for construction with weights. These tests need no GPU.
#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/construction/construction_plans.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/sssp/search.hpp"

namespace wayfront::gpu::kron {

TEST(WeightedConstructionMemory, FitsTheGraphsThatItShould)
{
    constexpr std::size_t h200 = std::size_t{139} << 30;
    EXPECT_LE(weighted_construction_memory(26, EdgeCount{16} << 26, 1).one_batch_bytes, h200);
    EXPECT_LE(weighted_construction_memory(27, EdgeCount{16} << 27, 1).least_bytes, h200);
    EXPECT_LE(weighted_construction_memory(28, EdgeCount{16} << 28, 1).least_bytes, h200);
    EXPECT_LE(weighted_construction_memory(27, EdgeCount{16} << 27, 2).one_batch_bytes, h200);
    EXPECT_LE(weighted_construction_memory(30, EdgeCount{16} << 30, 4).least_bytes, h200);
    EXPECT_LE(weighted_construction_memory(31, EdgeCount{16} << 31, 8).least_bytes, h200);
    EXPECT_NO_THROW(require_weighted_memory(27, EdgeCount{16} << 27, 1, h200));
    EXPECT_NO_THROW(require_weighted_memory(31, EdgeCount{16} << 31, 8, h200));
    // The memory of searches at scale 27, including their graph, must fit an H200.
    const std::size_t searches =
        sssp::DeviceSssp::state_bytes_for(std::size_t{1} << 27, construction::weighted_slots(std::size_t{1} << 27), {});
    EXPECT_LE(weighted_construction_memory(27, EdgeCount{16} << 27, 1).graph_bytes + searches, h200);
    // Each of eight GPUs stores the bounds of all vertices.
    const ConstructionMemory eighth = weighted_construction_memory(31, EdgeCount{16} << 31, 8);
    EXPECT_LE(eighth.graph_bytes + sssp::DeviceSssp::state_bytes_for(std::size_t{1} << 28, eighth.slots, {.count = 8}),
              h200);
}

TEST(WeightedConstructionMemory, IsSharedByTheRanks)
{
    for (const int scale : {20, 26, 30}) {
        const EdgeCount tuples = EdgeCount{16} << scale;
        const ConstructionMemory alone = weighted_construction_memory(scale, tuples, 1);
        for (const int ranks : {2, 3, 8}) {
            SCOPED_TRACE("scale " + std::to_string(scale) + ", " + std::to_string(ranks) + " ranks");
            const ConstructionMemory shared = weighted_construction_memory(scale, tuples, ranks);
            const auto part = alone.graph_bytes / static_cast<std::size_t>(ranks);
            EXPECT_GE(shared.graph_bytes, part);
            // Every rank stores the vertices of all columns.
            const std::size_t columns = (std::size_t{1} << scale) * sizeof(std::uint32_t);
            EXPECT_LE(shared.graph_bytes, part + part / 20 + columns);
            EXPECT_LT(shared.one_batch_bytes, alone.one_batch_bytes);
            // While vertices are numbered, a rank stores two numbers for each vertex of all ranks.
            EXPECT_GE(shared.least_bytes, 2 * columns + kDeviceReserveBytes);
        }
    }
}

TEST(WeightedConstructionMemory, SaysWhatWouldDo)
{
    constexpr std::size_t h200 = std::size_t{139} << 30;
    try {
        require_weighted_memory(30, EdgeCount{16} << 30, 1, h200);
        FAIL() << "scale 30 was said to fit a GPU";
    } catch (const ResourceError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("kron:30 with 17179869184 edges and weights over 1 rank needs"), std::string::npos)
            << message;
        EXPECT_NE(message.find("139.0 GiB are free; 4 ranks with as much or scale 28 would do"), std::string::npos)
            << message;
    }
    EXPECT_THROW(require_weighted_memory(32, EdgeCount{16} << 32, 64, h200), ResourceError);
    EXPECT_THROW(require_weighted_memory(10, EdgeCount{16} << 10, 1, 1000), ResourceError);
}

}  // namespace wayfront::gpu::kron
