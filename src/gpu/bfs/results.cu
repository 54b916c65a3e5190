#include "gpu/bfs/results.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

constexpr int kOutputThreads = 1024;
constexpr std::uint32_t kOutputVertices = 8;  // of each thread; a multiple of 4

/// Copies results from the order of slots to that of local numbers. Each result waits four times
/// for memory, so each thread copies kOutputVertices of them. Lanes take neighbouring groups of
/// four, so that whole cache lines are written. Slots of one degree class ascend with local
/// numbers, so a block, which takes consecutive numbers, reads each class's range of `by_slot` from
/// its cache. This is a kernel of its own because it needs the cache that the search uses as shared
/// memory.
__global__ void __launch_bounds__(kOutputThreads, 2) write_result(LocalSlotsView local_slots, const std::uint32_t* __restrict__ by_slot,
                                                                  std::int32_t* result, std::uint32_t key_local, std::int32_t key_value)
{
    constexpr std::uint32_t fours = kOutputVertices / 4;
    const std::uint64_t warp = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
    const std::uint64_t first = warp * 32 * kOutputVertices + 4 * lane_id();
    if (first >= local_slots.count) return;
    std::uint32_t at[kOutputVertices];
    std::int32_t values[kOutputVertices];
#pragma unroll
    for (std::uint32_t k = 0; k < fours; ++k) {
        const std::uint64_t local = first + 128 * k;
        const std::uint32_t word = local < local_slots.count ? local_slots.connected[local / 32] : 0;
        const std::uint32_t before = local < local_slots.count ? local_slots.connected_before[local / 32] : 0;
        const std::uint32_t* slots = local_slots.slots + before + __popc(word & ((1U << (local % 32)) - 1));
#pragma unroll
        for (std::uint32_t j = 0; j < 4; ++j) {
            const bool connected = ((word >> (local % 32 + j)) & 1U) != 0;
            at[4 * k + j] = connected ? __ldcs(slots) : LocalSlotsView::kNone;
            slots += connected ? 1 : 0;
        }
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kOutputVertices; ++i) {
        values[i] = at[i] != LocalSlotsView::kNone ? static_cast<std::int32_t>(by_slot[at[i]]) : -1;
        if (first + 128 * (i / 4) + i % 4 == key_local) values[i] = key_value;  // a key without edges has no slot
    }
#pragma unroll
    for (std::uint32_t k = 0; k < fours; ++k) {
        const std::uint64_t local = first + 128 * k;
        if (local + 4 <= local_slots.count) {
            __stcs(reinterpret_cast<int4*>(result + local), int4{values[4 * k], values[4 * k + 1], values[4 * k + 2], values[4 * k + 3]});
        } else {
#pragma unroll
            for (std::uint32_t j = 0; j < 4; ++j)
                if (local + j < local_slots.count) result[local + j] = values[4 * k + j];
        }
    }
}

}  // namespace

void launch_write_results(const SearchView& view, SearchKey key, const Stream& stream)
{
    const PeerState& own = view.own;
    constexpr std::uint32_t of_block = kOutputThreads * kOutputVertices;
    const unsigned chunks = (view.graph.local_count + of_block - 1) / of_block;
    if (chunks == 0) return;
    write_result<<<chunks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots, own.parents, view.result, key.local,
                                                              static_cast<std::int32_t>(key.vertex));
    check_launch();
    if (!view.keep_levels) return;
    write_result<<<chunks, kOutputThreads, 0, stream.get()>>>(view.graph.local_slots, reinterpret_cast<const std::uint32_t*>(own.levels),
                                                              view.result_levels, key.local, 0);
    check_launch();
}

}  // namespace wayfront::gpu
