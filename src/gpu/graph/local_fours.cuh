// Converts results in the order of slots to results in the order of local numbers.
//
// Each result waits several times for memory, so a thread handles eight vertices at once. Lanes
// take neighbouring groups of four vertices, so that whole cache lines are written. Slots of one
// degree class ascend with local numbers, so a block, which takes consecutive local numbers, reads
// the range of slots of each class from its cache. Results are written by separate kernels, because
// these need the L1 cache that searches use as shared memory.
#pragma once

#include <cstdint>

#include "gpu/graph/local_slots.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

/// A thread's vertices: two groups of four. Vertices after the last one have no slot and are not
/// stored.
class LocalFours
{
public:
    static constexpr std::uint32_t kPerThread = 8;  // number of vertices of a thread; a multiple of 4

    /// The number of blocks of `threads` threads for `count` vertices.
    [[nodiscard]] static unsigned blocks(std::uint32_t count, unsigned threads)
    {
        const std::uint64_t of_block = std::uint64_t{threads} * kPerThread;
        return static_cast<unsigned>((count + of_block - 1) / of_block);
    }

    __device__ explicit LocalFours(const LocalSlotsView& local_slots)
        : local_slots_(local_slots), first_(first_index() / 32 * 32 * kPerThread + std::uint64_t{4} * lane_id())
    {
    }

    [[nodiscard]] __device__ bool past_the_end() const { return first_ >= local_slots_.count; }
    /// The local number of the thread's vertex i.
    [[nodiscard]] __device__ std::uint64_t local(std::uint32_t i) const { return first_ + 128 * (i / 4) + i % 4; }

    /// Loads the slots of the vertices; kNone for a vertex without edges.
    __device__ void load_slots(std::uint32_t (&at)[kPerThread]) const
    {
#pragma unroll
        for (std::uint32_t k = 0; k < kPerThread / 4; ++k) {
            const std::uint64_t local = first_ + 128 * k;
            const std::uint32_t word = local < local_slots_.count ? local_slots_.connected[local / 32] : 0;
            const std::uint32_t before = local < local_slots_.count ? local_slots_.connected_before[local / 32] : 0;
            const std::uint32_t* slots = local_slots_.slots + before + __popc(word & ((1U << (local % 32)) - 1));
#pragma unroll
            for (std::uint32_t j = 0; j < 4; ++j) {
                const bool connected = ((word >> (local % 32 + j)) & 1U) != 0;
                at[4 * k + j] = connected ? __ldcs(slots) : LocalSlotsView::kNone;
                slots += connected ? 1 : 0;
            }
        }
    }

    template <typename T>
    __device__ void store(const T (&values)[kPerThread], T* result) const
    {
        static_assert(sizeof(T) == sizeof(int));
#pragma unroll
        for (std::uint32_t k = 0; k < kPerThread / 4; ++k) {
            const std::uint64_t local = first_ + 128 * k;
            if (local + 4 <= local_slots_.count) {
                __stcs(reinterpret_cast<int4*>(result + local),
                       int4{static_cast<int>(values[4 * k]), static_cast<int>(values[4 * k + 1]),
                            static_cast<int>(values[4 * k + 2]), static_cast<int>(values[4 * k + 3])});
            } else {
#pragma unroll
                for (std::uint32_t j = 0; j < 4; ++j)
                    if (local + j < local_slots_.count) result[local + j] = values[4 * k + j];
            }
        }
    }

private:
    const LocalSlotsView& local_slots_;
    std::uint64_t first_;
};

}  // namespace wayfront::gpu
