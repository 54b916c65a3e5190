#include "gpu/graph/device_graph_plan.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

/// The slots of `count` vertices by local number; `none` or more for a vertex without edges.
struct SlotsByLocal
{
    const std::uint32_t* slots;
    std::uint32_t count;
    std::uint32_t none;
};

/// Sets the bits of vertices with edges, and counts the bits of each word. Each warp writes one
/// word at a time.
__global__ void mark_connected(SlotsByLocal vertices, std::uint32_t words, std::uint32_t* connected,
                               std::uint32_t* counts)
{
    for (std::uint64_t i = first_index(); i < std::uint64_t{words} * 32; i += index_stride()) {
        const std::uint32_t word = __ballot_sync(kAllLanes, i < vertices.count && vertices.slots[i] < vertices.none);
        if (lane_id() != 0) continue;
        connected[i / 32] = word;
        counts[i / 32] = static_cast<std::uint32_t>(__popc(word));
    }
}

__global__ void compact_slots(const std::uint32_t* slot_of_local, LocalSlotsView view, std::uint32_t* slots)
{
    for (std::uint64_t i = first_index(); i < view.count; i += index_stride()) {
        const std::uint32_t word = view.connected[i / 32];
        const std::uint32_t bit = 1U << (i % 32);
        if ((word & bit) != 0)
            slots[view.connected_before[i / 32] + static_cast<std::uint32_t>(__popc(word & (bit - 1)))] =
                slot_of_local[i];
    }
}

}  // namespace

LocalSlots::LocalSlots(const DeviceBuffer<std::uint32_t>& slot_of_local, std::uint32_t none, const Stream& stream)
{
    const auto count = static_cast<std::uint32_t>(slot_of_local.size());
    const auto words = static_cast<std::uint32_t>(LocalSlotsPlan::words(count));
    const LocalSlotsPlan bitmaps(count, 0);
    connected_ = DeviceBuffer<std::uint32_t>(bitmaps.connected);
    connected_before_ = DeviceBuffer<std::uint32_t>(bitmaps.connected_before);
    launch(mark_connected, std::uint64_t{words} * 32, stream, SlotsByLocal{slot_of_local.data(), count, none}, words,
           connected_.data(), connected_before_.data());
    DeviceBuffer<std::byte> scratch;
    exclusive_sum(connected_before_.span().first(words), scratch, stream);
    slots_ =
        DeviceBuffer<std::uint32_t>(LocalSlotsPlan(count, fetch(connected_before_.data() + words - 1, stream)).slots);
    view_ = {connected_.data(), connected_before_.data(), slots_.data(), count};
    launch(compact_slots, count, stream, slot_of_local.data(), view_, slots_.data());
    stream.synchronize();
}

bool LocalSlots::has_edges(std::uint32_t local, const Stream& stream) const
{
    const std::uint32_t word = fetch(connected_.data() + local / 32, stream);
    return ((word >> (local % 32)) & 1U) != 0;
}

}  // namespace wayfront::gpu
