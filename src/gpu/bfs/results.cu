#include "gpu/bfs/results.hpp"
#include "gpu/graph/local_fours.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

namespace {

constexpr int kOutputThreads = 1024;

/// Copies results from the order of slots to that of local numbers.
__global__ void __launch_bounds__(kOutputThreads, 2)
    write_result(LocalSlotsView local_slots, const std::uint32_t* __restrict__ by_slot, std::int32_t* result,
                 std::uint32_t key_local, std::int32_t key_value)
{
    const LocalFours fours(local_slots);
    if (fours.past_the_end()) return;
    std::uint32_t at[LocalFours::kEach];
    std::int32_t values[LocalFours::kEach];
    fours.load_slots(at);
#pragma unroll
    for (std::uint32_t i = 0; i < LocalFours::kEach; ++i) {
        values[i] = at[i] != LocalSlotsView::kNone ? static_cast<std::int32_t>(by_slot[at[i]]) : -1;
        if (fours.local(i) == key_local) values[i] = key_value;  // a key without edges has no slot
    }
    fours.store(values, result);
}

}  // namespace

void launch_write_results(const SearchView& view, SearchKey key, const Stream& stream)
{
    const PeerState& own = view.own;
    const unsigned blocks = LocalFours::blocks(view.graph.local_count, kOutputThreads);
    if (blocks == 0) return;
    write_result<<<blocks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots, own.parents, view.result,
                                                              key.local, static_cast<std::int32_t>(key.vertex));
    check_launch();
    if (!view.keep_levels) return;
    write_result<<<blocks, kOutputThreads, 0, stream.get()>>>(
        view.graph.local_slots, reinterpret_cast<const std::uint32_t*>(own.levels), view.result_levels, key.local, 0);
    check_launch();
}

}  // namespace wayfront::gpu::bfs
