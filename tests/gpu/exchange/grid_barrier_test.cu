// Tests of the barrier over all blocks of all GPUs: its totals, and whether threads see the stores
// of other threads.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/exchange/peer_memory.hpp"
#include "gpu/runtime/stream.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu {
namespace {

constexpr std::uint64_t kLargest = (std::uint64_t{1} << kCountBits) - 1;

/// A sum and a minimum, as in a search by distances.
struct TestCounts
{
    std::uint64_t sum = 0;
    std::uint64_t smallest = kLargest;

    [[nodiscard]] __host__ __device__ static constexpr WordReduction reduction(int word)
    {
        return word == 0 ? WordReduction::sum : WordReduction::minimum;
    }
};

struct Round
{
    TestCounts totals;
    std::uint64_t local_total;
    std::uint64_t stale;  // number of stores of the neighbouring rank that threads did not see
};

constexpr int kThreads = 256;
constexpr std::uint32_t kRounds = 12;

/// In round r, thread t (counted over all GPUs) adds r + t to the sum and r * 1000 + t to the
/// minimum. Threads whose number is r modulo 3 add nothing. Each thread stores r into a word of the
/// next rank's memory, and reads its own word after the barrier.
__global__ void __launch_bounds__(kThreads)
    run_rounds(const __grid_constant__ GridBarrierView<TestCounts> view, std::uint32_t* own_words,
               std::uint32_t* next_words, Round* rounds, std::uint32_t first_round)
{
    GridBarrier<TestCounts> barrier(view);
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t threads = gridDim.x * blockDim.x;
    const std::uint32_t global = view.rank * threads + thread;
    std::uint32_t stale = 0;
    for (std::uint32_t i = 0; i < kRounds; ++i) {
        const std::uint32_t r = first_round + i;
        TestCounts own;
        if (global % 3 != r % 3) own = {std::uint64_t{r} + global, std::uint64_t{r} * 1000 + global};
        if (thread % 2 == 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(barrier.next_local_total()),
                      static_cast<unsigned long long>(r + 1));
        next_words[threads - 1 - thread] = r + 1;
        const GridBarrier<TestCounts>::Totals totals = barrier.reduce(own);
        if (*static_cast<volatile std::uint32_t*>(&own_words[thread]) != r + 1) ++stale;
        if (thread == 0) rounds[i] = {totals.counts, totals.local_total, 0};
        // A thread stores the words of the next round only after all threads have read the words of
        // this round.
        barrier.reduce({});
    }
    if (stale != 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(&rounds[0].stale), static_cast<unsigned long long>(stale));
    barrier.finish();
}

class BarrierOverRanks : public testing::Test
{
protected:
    void SetUp() override
    {
        require_gpu(world_.split_by_host().rank());
        if (IsSkipped() || HasFatalFailure()) return;
        const std::string obstacle = peer_obstacle(world_, GpuSharing::allowed);
        if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    }

    comm::Communicator world_ = comm::Communicator::world();
};

TEST_F(BarrierOverRanks, ReducesAndOrdersStores)
{
    const auto ranks = static_cast<std::uint32_t>(world_.size());
    const auto rank = static_cast<std::uint32_t>(world_.rank());
    ASSERT_LE(ranks, static_cast<std::uint32_t>(kMaxPeers));
    const Stream stream;
    const bool shared = ranks_share_gpus(world_);
    const unsigned blocks =
        shared ? 3 : cooperative_blocks(reinterpret_cast<const void*>(run_rounds), kThreads, 0, "this test");
    // All GPUs must run the same number of blocks.
    ASSERT_EQ(world_.all_reduce(std::uint64_t{blocks}, comm::Reduction::max), blocks);
    const std::uint32_t threads = blocks * kThreads;
    constexpr std::size_t inbox_bytes = kInboxMessages * sizeof(BarrierMessage<TestCounts>);
    PeerMemory memory(world_, inbox_bytes + threads * sizeof(std::uint32_t));
    EXPECT_EQ(memory.bytes() % kSharedPageBytes, 0U);
    fill_bytes_async(memory.own(), 0, stream);
    GridBarrierView<TestCounts> view;
    view.ranks = ranks;
    view.rank = rank;
    for (std::uint32_t p = 0; p < ranks; ++p)
        view.inboxes[p] = reinterpret_cast<BarrierMessage<TestCounts>*>(memory.base(p));
    const auto words_of = [&](std::uint32_t r) {
        return reinterpret_cast<std::uint32_t*>(memory.base(r) + inbox_bytes);
    };
    const auto first = GridBarrierState<TestCounts>::first(blocks);
    const DeviceBuffer<GridBarrierState<TestCounts>> state = upload(std::span(&first, 1), stream);
    view.state = const_cast<GridBarrierState<TestCounts>*>(state.data());
    DeviceBuffer<Round> rounds(kRounds);
    world_.barrier();

    // There are two launches. The second launch continues with the last barrier's number, after the
    // numbers have wrapped around.
    for (const std::uint32_t first_round : {0U, 100U}) {
        fill_bytes_async(rounds.span(), 0, stream);
        stream.synchronize();
        world_.barrier();
        launch_cooperative(run_rounds, blocks, kThreads, 0, stream, view, words_of(rank), words_of((rank + 1) % ranks),
                           rounds.data(), first_round);
        std::vector<Round> results(kRounds);
        copy_async(std::span<const Round>(rounds.span()), std::span(results), stream);
        stream.synchronize();
        for (std::uint32_t i = 0; i < kRounds; ++i) {
            SCOPED_TRACE("round " + std::to_string(first_round + i));
            const std::uint64_t r = first_round + i;
            std::uint64_t sum = 0;
            std::uint64_t smallest = kLargest;
            for (std::uint64_t t = 0; t < std::uint64_t{ranks} * threads; ++t) {
                if (t % 3 == r % 3) continue;
                sum += r + t;
                smallest = std::min(smallest, r * 1000 + t);
            }
            EXPECT_EQ(results[i].totals.sum, sum);
            EXPECT_EQ(results[i].totals.smallest, smallest);
            EXPECT_EQ(results[i].local_total, threads / 2 * (r + 1));
            EXPECT_EQ(results[i].stale, 0U);
        }
        world_.barrier();
    }
}

}  // namespace
}  // namespace wayfront::gpu
