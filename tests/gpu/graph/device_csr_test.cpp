// Tests of plain lists in device memory.
#include "gpu/graph/device_csr.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "graph/csr.hpp"
#include "support/block_testing.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu {
namespace {

class DeviceCsrTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }

    template <typename T>
    static std::vector<T> read(const T* from, std::size_t count)
    {
        const Stream stream;
        std::vector<T> host(count);
        copy_async(std::span<const T>(from, count), std::span(host), stream);
        stream.synchronize();
        return host;
    }
};

TEST(DeviceCsrPlan, IsAsLargeAsOnTheHost)
{
    for (const std::uint32_t lists : {0U, 1U, 4095U, 4096U, 10000U}) {
        const std::vector<std::uint32_t> degrees(lists, 3);
        const Csr host{std::span<const std::uint32_t>(degrees)};
        EXPECT_EQ(DeviceCsrPlan(host.view()).bytes(), host.bytes()) << lists << " lists";
    }
}

TEST_F(DeviceCsrTest, IsACopyOfTheHosts)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t list = 0; list < 9000; list += 7)
        for (std::uint32_t i = 0; i < list % 13; ++i) edges.emplace_back(list, list * 31 + i);
    const Csr host = lists_of(edges, 9000);
    const Stream stream;
    Staging staging;
    DeviceCsr first(host.view(), staging, stream);
    stream.synchronize();
    const DeviceCsr device = std::move(first);  // the view stays valid
    EXPECT_EQ(device.bytes(), DeviceCsrPlan(host.view()).bytes());

    const CsrView view = device.view();
    ASSERT_EQ(view.lists, host.lists());
    const std::vector<std::uint64_t> groups = read(view.group_offsets, (view.lists >> kOffsetGroupBits) + 1);
    const std::vector<std::uint32_t> relative = read(view.relative_offsets, view.lists + 1);
    for (std::uint32_t list = 0; list <= view.lists; ++list)
        ASSERT_EQ(groups[list >> kOffsetGroupBits] + relative[list], host.view().begin(list));
    const std::span<const std::uint32_t> neighbours = host.neighbours();
    EXPECT_EQ(read(view.neighbours, neighbours.size()),
              std::vector<std::uint32_t>(neighbours.begin(), neighbours.end()));
}

}  // namespace
}  // namespace wayfront::gpu
