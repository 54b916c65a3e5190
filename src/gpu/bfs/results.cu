#include "gpu/bfs/results.hpp"
#include "gpu/graph/local_fours.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

namespace {

constexpr int kOutputThreads = 1024;

/// The result of a key that has no slot because it has no edges: its number, or 0.
enum class ValueOfKey : std::uint8_t { number, zero };

/// Copies results from the order of slots to the order of local numbers.
__global__ void __launch_bounds__(kOutputThreads, 2)
    write_result(LocalSlotsView local_slots, const std::uint32_t* __restrict__ by_slot, std::int32_t* result,
                 SearchKey key, ValueOfKey value_of_key)
{
    const LocalFours fours(local_slots);
    if (fours.past_the_end()) return;
    std::uint32_t at[LocalFours::kPerThread];
    std::int32_t values[LocalFours::kPerThread];
    fours.load_slots(at);
#pragma unroll
    for (std::uint32_t i = 0; i < LocalFours::kPerThread; ++i) {
        values[i] = at[i] != LocalSlotsView::kNone ? static_cast<std::int32_t>(by_slot[at[i]]) : -1;
        if (key.contains(fours.local(i)))
            values[i] =
                value_of_key == ValueOfKey::number ? static_cast<std::int32_t>(key.number_of_local(fours.local(i))) : 0;
    }
    fours.store(values, result);
}

}  // namespace

void launch_write_results(const SearchView& view, SearchKey key, const Stream& stream)
{
    const PeerState& own = view.own;
    const unsigned blocks = LocalFours::blocks(view.graph.local_count, kOutputThreads);
    if (blocks == 0) return;
    write_result<<<blocks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots, own.parents, view.result, key,
                                                              ValueOfKey::number);
    check_launch();
    if (!view.keep_levels) return;
    write_result<<<blocks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots,
                                                              reinterpret_cast<const std::uint32_t*>(own.levels),
                                                              view.result_levels, key, ValueOfKey::zero);
    check_launch();
}

}  // namespace wayfront::gpu::bfs
