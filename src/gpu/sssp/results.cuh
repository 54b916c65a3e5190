// Writes the distances and parents of a search by local number.
#pragma once

#include <cstdint>

#include "gpu/graph/arc_lists.hpp"
#include "gpu/graph/local_fours.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The arrays of the results, in device memory.
struct SsspResultsView
{
    std::uint32_t* distances = nullptr;
    std::int32_t* parents = nullptr;   // the input's numbers of parents; -1 if not reached
    std::uint32_t* reached = nullptr;  // counter to which the number of reached vertices is added
};

constexpr int kOutputThreads = 512;
// Blocks per multiprocessor. With four, the compiler would keep some registers in memory.
constexpr int kOutputBlocks = 3;

/// The number of slots whose results a thread loads together.
constexpr std::uint32_t kSlotsInFlight = 4;
static_assert(LocalFours::kPerThread % kSlotsInFlight == 0);

/// The result of a search for one vertex.
struct SlotResult
{
    std::uint32_t distance;  // infinity if not reached
    std::uint32_t parent;    // a column, or kVertex + the input's number of the parent

    static constexpr std::uint32_t kVertex = std::uint32_t{1} << 31;
};

/// `best(slots, slot_results)` writes the SlotResult of each of kSlotsInFlight slots to
/// `slot_results`. For kNone, the value is not used.
template <typename Distance, typename Best>
__global__ void __launch_bounds__(kOutputThreads, kOutputBlocks)
    write_results(const __grid_constant__ ArcListsView graph, const __grid_constant__ Best best,
                  const __grid_constant__ SsspResultsView results, const __grid_constant__ SsspSource source)
{
    LocalFours fours(graph.local_slots);
    if (fours.past_the_end()) return;
    std::uint32_t distances[LocalFours::kPerThread];
    std::int32_t parents[LocalFours::kPerThread];
    std::uint32_t slots[LocalFours::kPerThread];
    fours.load_slots(slots);
    std::uint32_t reached = 0;
#pragma unroll
    for (std::uint32_t first = 0; first < LocalFours::kPerThread; first += kSlotsInFlight) {
        std::uint32_t batch[kSlotsInFlight];
#pragma unroll
        for (std::uint32_t i = 0; i < kSlotsInFlight; ++i) batch[i] = slots[first + i];
        SlotResult slot_results[kSlotsInFlight];
        best(batch, slot_results);
#pragma unroll
        for (std::uint32_t i = 0; i < kSlotsInFlight; ++i) {
            const bool connected = batch[i] != LocalSlotsView::kNone;
            distances[first + i] = connected ? slot_results[i].distance : Distance::kInfinity;
            parents[first + i] = static_cast<std::int32_t>(slot_results[i].parent);
        }
    }
#pragma unroll
    for (std::uint32_t i = 0; i < LocalFours::kPerThread; ++i) {
        const bool is_reached = distances[i] < Distance::kInfinity;
        const auto parent = static_cast<std::uint32_t>(parents[i]);
        parents[i] = -1;
        if (is_reached && (parent & SlotResult::kVertex) != 0)
            parents[i] = static_cast<std::int32_t>(parent - SlotResult::kVertex);
        if (is_reached && (parent & SlotResult::kVertex) == 0)
            parents[i] = static_cast<std::int32_t>(__ldg(graph.vertex_of_column + parent));
        const bool is_source = source.contains(fours.local(i));
        if (is_source) {
            distances[i] = 0;
            parents[i] = static_cast<std::int32_t>(source.number_of_local(fours.local(i)));
        }
        reached += is_reached || is_source ? 1 : 0;
    }
    fours.store(distances, results.distances);
    fours.store(parents, results.parents);
    reached = __reduce_add_sync(__activemask(), reached);
    if (lane_id() == 0 && reached > 0) atomicAdd(results.reached, reached);
}

/// Calls f(slot), which returns a SlotResult, for each slot.
template <typename F>
struct EachSlot
{
    F f;

    __device__ void operator()(const std::uint32_t (&slots)[kSlotsInFlight],
                               SlotResult (&slot_results)[kSlotsInFlight]) const
    {
#pragma unroll
        for (std::uint32_t i = 0; i < kSlotsInFlight; ++i)
            if (slots[i] != LocalSlotsView::kNone) slot_results[i] = f(slots[i]);
    }
};

template <typename Distance, typename Best>
void launch_write_results(const ArcListsView& graph, const Best& best, const SsspResultsView& results,
                          SsspSource source, const Stream& stream)
{
    const unsigned blocks = LocalFours::blocks(graph.local_slots.count, kOutputThreads);
    if (blocks == 0) return;
    write_results<Distance><<<blocks, kOutputThreads, 0, stream.get()>>>(graph, best, results, source);
    check_launch();
}

}  // namespace wayfront::gpu::sssp
