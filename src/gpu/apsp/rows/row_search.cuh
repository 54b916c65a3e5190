// The search of one source by one thread block, with all distances in shared memory.
//
// Distances are label-correcting with a window: vertices below a limit are relaxed as soon as they
// change, and all others wait until the limit exceeds their distance (U. Meyer and P. Sanders,
// "Delta-stepping: a parallelizable shortest path algorithm", 2003). Two bitmaps hold the vertices
// that changed: the *near* ones, below the limit, and the *far* ones. In a round each warp takes
// the bits of its words and relaxes the arcs of their vertices. A vertex that changes may still be
// taken in the same round. A window ends with a round that finds no near vertex. The next round
// takes the far ones: it relaxes those below the new limit, and puts the others back.
//
// The words of a bitmap are dealt out to the warps such that each gets words of all degrees, and
// its lanes read different banks.
#pragma once

#include <cstdint>

#include "gpu/apsp/rows/arc_sectors.hpp"
#include "gpu/apsp/rows/device_element.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu::apsp {

/// The parts of a block's shared memory.
struct RowSearchShape
{
    std::uint32_t places = 0;
    std::uint32_t warps = 0;
    std::uint32_t bitmap_words = 0;  // a multiple of 32 for each warp

    static constexpr std::uint32_t kQueued = 256;  // vertices that a warp relaxes at a time

    [[nodiscard]] WAYFRONT_HD static constexpr RowSearchShape of(std::uint32_t places, std::uint32_t expanding, std::uint32_t warps)
    {
        const std::uint32_t pass = 32 * warps;
        const std::uint32_t words = (expanding + 31) / 32;
        return {places, warps, (words + pass - 1) / pass * pass};
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t shared_words() const
    {
        return (places + 3) / 4 * 4 + 2 * bitmap_words + warps * kQueued / 2 + kControlWords;
    }
    static constexpr std::uint32_t kControlWords = 4;
};

/// Parameters of all searches of a launch.
struct RowSearchJob
{
    const std::uint32_t* sources = nullptr;  // vertices
    std::uint32_t count = 0;
    // The number of sources from which blocks have begun to search; 0 before the launch.
    std::uint32_t* taken = nullptr;
    std::uint32_t width = 0;  // of a window, as a distance
    // Whether the row of a source is the row of its vertex in a whole matrix. If not, it is the row
    // of its position in `sources`.
    bool in_place = false;
    std::uint64_t stride = 0;  // elements of a row of the results
};

/// The searches of a block, one after the other. All threads of the block call each function.
template <typename Distances, ArcForm form>
class RowSearch
{
public:
    __device__ RowSearch(const ArcSectorsView& graph, const RowSearchShape& shape, std::uint32_t width, std::uint32_t* shared)
        : graph_(graph), shape_(shape), width_(width), distances_(shared)
    {
        near_ = distances_ + (shape.places + 3) / 4 * 4;
        far_ = near_ + shape.bitmap_words;
        control_ = far_ + shape.bitmap_words;
        queue_ = reinterpret_cast<std::uint16_t*>(control_ + RowSearchShape::kControlWords) + threadIdx.x / 32 * RowSearchShape::kQueued;
        for (std::uint32_t i = threadIdx.x; i < 2 * shape.bitmap_words; i += blockDim.x) near_[i] = 0;
    }

    /// Forgets the distances of the previous search.
    __device__ void clear()
    {
        for (std::uint32_t i = threadIdx.x; i < shape_.places; i += blockDim.x) distances_[i] = Distances::kFar;
        if (threadIdx.x < kMinima) control_[kLeast + threadIdx.x] = Distances::kFar;
        __syncthreads();
    }

    /// The next of `count` searches that no block has begun with, or a number from `count` on.
    [[nodiscard]] __device__ std::uint32_t next(std::uint32_t* taken)
    {
        if (threadIdx.x == 0) control_[kNext] = atomicAdd(taken, 1U);
        __syncthreads();
        return control_[kNext];
    }

    /// Finds the distances from a place. distance() is valid afterwards.
    __device__ void run(std::uint32_t source)
    {
        if (threadIdx.x == 0) {
            distances_[source] = 0;
            if (source < graph_.expanding) near_[source / 32] |= 1U << (source % 32);
        }
        __syncthreads();
        begin_ = 0;
        limit_ = Distances::end_of_window(0, width_);
        bool from_far = false;
        for (std::uint32_t far_round = 0;;) {
            const bool found = from_far ? take_far() : take_near();
            std::uint32_t* const least = control_ + kLeast + far_round % kMinima;
            if (from_far) {
                lower(least);
                // Resets the minimum of the next round, which was read before the last barrier.
                if (threadIdx.x == 0) control_[kLeast + (far_round + 1) % kMinima] = Distances::kFar;
                ++far_round;
            }
            if (__syncthreads_or(static_cast<int>(found)) != 0) {
                from_far = false;
                continue;
            }
            std::uint32_t begin = limit_;
            if (from_far) {
                begin = *least;
                if (begin == Distances::kFar) break;  // no vertex waits
            }
            begin_ = limit_;
            limit_ = Distances::end_of_window(begin, width_);
            from_far = true;
        }
    }

    [[nodiscard]] __device__ std::uint32_t distance(std::uint32_t place) const { return distances_[place]; }

private:
    static constexpr std::uint32_t kNext = 0;  // in control_
    static constexpr std::uint32_t kLeast = 1;
    static constexpr std::uint32_t kMinima = 3;  // of far rounds in turn

    /// Lowers a minimum to the least distance of the far vertices that the block put back.
    __device__ void lower(std::uint32_t* minimum)
    {
        const std::uint32_t least = __reduce_min_sync(kAllLanes, least_);
        if (lane_id() == 0 && least != Distances::kFar) atomicMin(minimum, least);
    }

    /// Calls take(word's index) for the words of the thread. All lanes call it together.
    template <typename Take>
    __device__ void for_each_word(Take&& take)
    {
        const std::uint32_t warp = threadIdx.x / 32;
        const std::uint32_t own = lane_id() * shape_.warps + (warp + lane_id()) % shape_.warps;
        for (std::uint32_t pass = 0; pass < shape_.bitmap_words; pass += 32 * shape_.warps) take(pass + own);
    }

    /// Whether the thread relaxed a vertex.
    __device__ bool take_near()
    {
        bool found = false;
        for_each_word([&](std::uint32_t word) {
            const std::uint32_t bits = near_[word] != 0 ? atomicExch(near_ + word, 0U) : 0;
            found = found || bits != 0;
            for_each_queued(word, bits, [&](bool active, std::uint32_t place) { relax(active, place, active ? distances_[place] : 0); });
        });
        return found;
    }

    /// Relaxes the far vertices that are now below the limit. Vertices below the window's begin
    /// have been relaxed since they became far.
    __device__ bool take_far()
    {
        bool found = false;
        least_ = Distances::kFar;
        for_each_word([&](std::uint32_t word) {
            const std::uint32_t bits = far_[word] != 0 ? atomicExch(far_ + word, 0U) : 0;
            for_each_queued(word, bits, [&](bool active, std::uint32_t place) {
                const std::uint32_t distance = active ? distances_[place] : 0;
                if (active && distance >= limit_) {
                    atomicOr(far_ + place / 32, 1U << (place % 32));
                    least_ = distance < least_ ? distance : least_;
                }
                const bool due = active && distance >= begin_ && distance < limit_;
                found = found || due;
                relax(due, place, distance);
            });
        });
        return found;
    }

    /// Calls f(active, place) for the places of the lanes' bits, 32 at a time; `active` is false in
    /// lanes without a place.
    template <typename F>
    __device__ void for_each_queued(std::uint32_t word, std::uint32_t bits, F&& f)
    {
        while (__any_sync(kAllLanes, bits != 0)) {
            std::uint32_t total = 0;
            std::uint32_t at = warp_prefix(static_cast<std::uint32_t>(__popc(bits)), total);
            while (bits != 0 && at < RowSearchShape::kQueued) {
                queue_[at++] = static_cast<std::uint16_t>(word * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1));
                bits &= bits - 1;
            }
            __syncwarp();
            total = total < RowSearchShape::kQueued ? total : RowSearchShape::kQueued;
            for (std::uint32_t first = 0; first < total; first += 32) {
                const std::uint32_t i = first + lane_id();
                f(i < total, i < total ? queue_[i] : 0);
            }
            __syncwarp();
        }
    }

    /// Relaxes the arcs of one place for each active lane. All lanes call it together. Places are
    /// sorted by degree, so that the lanes have about equally long lists.
    __device__ void relax(bool active, std::uint32_t place, std::uint32_t distance)
    {
        const auto* const rest = reinterpret_cast<const uint4*>(graph_.rest);
        const bool shared = active && place < graph_.shared_lists;
        if (active) {
            const auto* const sector = reinterpret_cast<const uint4*>(graph_.sectors) + std::size_t{place} * 2;
            const uint4 first = __ldg(sector);
            if (place < graph_.half_full) {
                const uint4 second = __ldg(sector + 1);
                relax_half(distance, first);
                relax_half(distance, second);
            } else {
                relax_half(distance, first);
            }
            if (place < graph_.long_lists && !shared) {
                const std::uint32_t end = __ldg(graph_.rest_begins + place + 1) / kRestWords;
                for (std::uint32_t i = __ldg(graph_.rest_begins + place) / kRestWords; i < end; ++i) relax_half(distance, __ldg(rest + i));
            }
        }
        for (std::uint32_t lists = __ballot_sync(kAllLanes, shared); lists != 0; lists &= lists - 1) {
            const int lane = __ffs(static_cast<int>(lists)) - 1;
            const std::uint32_t owner = __shfl_sync(kAllLanes, place, lane);
            const std::uint32_t from = __shfl_sync(kAllLanes, distance, lane);
            const std::uint32_t end = __ldg(graph_.rest_begins + owner + 1) / kRestWords;
            for (std::uint32_t i = __ldg(graph_.rest_begins + owner) / kRestWords + lane_id(); i < end; i += 32) relax_half(from, __ldg(rest + i));
        }
    }

    /// The arcs of half a sector, or of kRestWords words.
    __device__ void relax_half(std::uint32_t distance, const uint4& words)
    {
        if constexpr (form == ArcForm::one_word) {
            relax_arcs(distance, {words.x & 0xFFFF, words.y & 0xFFFF, words.z & 0xFFFF, words.w & 0xFFFF},
                       {words.x >> 16, words.y >> 16, words.z >> 16, words.w >> 16});
        } else {
            relax_arcs(distance, {words.x, words.z}, {words.y, words.w});
        }
    }

    /// Relaxes arcs to `targets`, with all loads and then all atomic operations in flight together.
    template <std::size_t Count>
    __device__ void relax_arcs(std::uint32_t distance, const std::uint32_t (&targets)[Count], const std::uint32_t (&weights)[Count])
    {
        std::uint32_t sums[Count];
        std::uint32_t before[Count];
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i) before[i] = distances_[targets[i]];
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i) sums[i] = Distances::sum(distance, weights[i]);
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i)
            if (sums[i] < before[i]) before[i] = atomicMin(distances_ + targets[i], sums[i]);
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i)
            if (sums[i] < before[i] && targets[i] < graph_.expanding)
                atomicOr((sums[i] < limit_ ? near_ : far_) + targets[i] / 32, 1U << (targets[i] % 32));
    }

    const ArcSectorsView& graph_;
    const RowSearchShape& shape_;
    std::uint32_t width_;
    std::uint32_t* distances_;
    std::uint32_t* near_;
    std::uint32_t* far_;
    std::uint32_t* control_;
    std::uint16_t* queue_;     // of the warp
    std::uint32_t begin_ = 0;  // of the window
    std::uint32_t limit_ = 0;  // its end
    std::uint32_t least_ = 0;  // the thread's least distance of a far vertex that was put back
};

}  // namespace wayfront::gpu::apsp
