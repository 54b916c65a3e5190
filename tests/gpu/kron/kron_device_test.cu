// Compares the tuples of the Kronecker generator on the GPU with those of KronSource.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/kron/kron_device.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu::kron {
namespace {

class KronDevice : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Each thread generates a run of `run` tuples; generator.stride neighbouring threads interleave
/// their runs. Together the threads write the tuples first, first + 1, ...
__global__ void generate(const __grid_constant__ KronGenerator generator, std::uint64_t first, std::uint64_t count,
                         std::uint64_t run, KronPair* out)
{
    const std::uint64_t threads_together = generator.stride;
    const std::uint64_t thread = first_index();
    const std::uint64_t begin = thread / threads_together * threads_together * run + thread % threads_together;
    if (begin >= count) return;
    const std::uint64_t available = (count - begin + threads_together - 1) / threads_together;
    for_each_kron_edge(generator, first + begin, available < run ? available : run,
                       [&](std::uint64_t number, KronPair edge) { out[number - first] = edge; });
}

std::vector<PackedEdge> tuples_of(const KronSource& source, EdgeCount first, std::size_t count)
{
    std::vector<PackedEdge> tuples(count);
    source.edges(first, tuples);
    return tuples;
}

std::size_t first_difference(const std::vector<PackedEdge>& expected, const std::vector<KronPair>& made)
{
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (static_cast<Vertex>(made[i].source) != expected[i].source() ||
            static_cast<Vertex>(made[i].target) != expected[i].target())
            return i;
    }
    return expected.size();
}

TEST(KronDeviceArithmetic, EqualsKronSourceOnTheHost)
{
    for (int scale = 1; scale <= 32; ++scale) {
        const KronSource source(scale, 16, 2 + 0x9E3779B97F4A7C15 * static_cast<std::uint64_t>(scale), 3);
        const auto count = static_cast<std::size_t>(std::min<EdgeCount>(source.edge_count(), 50000));
        const EdgeCount first = source.edge_count() - static_cast<EdgeCount>(count);
        const std::vector<PackedEdge> expected = tuples_of(source, first, count);
        MrgState stream = kron_stream(source.parameters(), mrg_powers().power, static_cast<std::uint64_t>(first));
        const MrgMatrix step = mrg_stream_step(1);
        std::vector<KronPair> made;
        for (std::size_t i = 0; i < count; ++i) {
            made.push_back(kron_pair(source.parameters(), stream));
            stream = kron_detail::apply(step, stream);
        }
        EXPECT_EQ(first_difference(expected, made), count) << "scale " << scale;
    }
}

TEST_F(KronDevice, TuplesEqualKronSource)
{
    const Stream stream;
    const KronTables tables(stream);
    std::mt19937_64 random(1);
    for (int scale = 5; scale <= 32; ++scale) {
        const KronSource source(scale, 16, scale % 3 == 0 ? 2 : random(), scale % 3 == 0 ? 3 : random());
        for (const std::uint64_t stride : {1, 32}) {
            const auto count = static_cast<std::size_t>(std::min<EdgeCount>(source.edge_count(), 40013));
            const auto first =
                static_cast<EdgeCount>(random() % (static_cast<std::uint64_t>(source.edge_count()) - count + 1));
            DeviceBuffer<KronPair> device(count);
            constexpr std::uint64_t run = 37;
            launch(generate, (count + run - 1) / run + 32, stream, tables.generator(source.parameters(), stride),
                   static_cast<std::uint64_t>(first), count, run, device.data());
            std::vector<KronPair> made(count);
            copy_async(std::span<const KronPair>(device.span()), std::span<KronPair>(made), stream);
            stream.synchronize();
            EXPECT_EQ(first_difference(tuples_of(source, first, count), made), count)
                << "scale " << scale << " from " << first << ", stride " << stride;
        }
    }
}

}  // namespace
}  // namespace wayfront::gpu::kron
