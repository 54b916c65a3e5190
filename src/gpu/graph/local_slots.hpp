// The slot of each of a rank's vertices, in device memory: one bit for each vertex, which says
// whether it has edges, and the slots of the vertices that have edges.
//
// Half the vertices of a Kronecker graph have no edges. To write a result in the order of local
// numbers, a bit is read for such a vertex, and not four bytes and a parent. This takes about 5 of
// the 12 bytes a vertex that writing would take otherwise.
#pragma once

#include <bit>
#include <cstdint>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// The slots as an argument of kernels.
struct LocalSlotsView
{
    // Bitmap by local number, followed by a word of zeros.
    const std::uint32_t* connected = nullptr;
    // For each word of the bitmap: the number of bits in the words before.
    const std::uint32_t* connected_before = nullptr;
    // The slots of vertices with edges, by ascending local number.
    const std::uint32_t* slots = nullptr;
    std::uint32_t count = 0;  // vertices, including those without edges

    static constexpr std::uint32_t kNone = ~0U;

    /// The slot of a vertex; kNone if it has no edges.
    [[nodiscard]] __host__ __device__ std::uint32_t slot_of(std::uint32_t local) const
    {
        const std::uint32_t word = connected[local / 32];
        const std::uint32_t bit = 1U << (local % 32);
        return (word & bit) != 0 ? slots[connected_before[local / 32] + count_bits(word & (bit - 1))] : kNone;
    }

private:
    [[nodiscard]] __host__ __device__ static std::uint32_t count_bits(std::uint32_t word)
    {
#ifdef __CUDA_ARCH__
        return static_cast<std::uint32_t>(__popc(word));
#else
        return static_cast<std::uint32_t>(std::popcount(word));
#endif
    }
};

/// Owns the memory that a LocalSlotsView points to.
class LocalSlots
{
public:
    LocalSlots() = default;
    /// Built from the slots of all own vertices by local number; the slot of a vertex without edges
    /// is `none` or more. Returns when all work is done.
    LocalSlots(const DeviceBuffer<std::uint32_t>& slot_of_local, std::uint32_t none, const Stream& stream);

    [[nodiscard]] const LocalSlotsView& view() const { return view_; }
    /// Whether a vertex, by its local number, has edges. Waits for the stream.
    [[nodiscard]] bool has_edges(std::uint32_t local, const Stream& stream) const;
    [[nodiscard]] std::size_t bytes() const { return connected_.bytes() + connected_before_.bytes() + slots_.bytes(); }

private:
    DeviceBuffer<std::uint32_t> connected_;
    DeviceBuffer<std::uint32_t> connected_before_;
    DeviceBuffer<std::uint32_t> slots_;
    LocalSlotsView view_;
};

}  // namespace wayfront::gpu
