// The search from one source by one thread block. Its distances are in shared memory if they fit,
// otherwise in device memory.
//
// The search is label-correcting with a window: vertices below a limit are relaxed as soon as they
// change, and the others wait until the limit exceeds their distance (U. Meyer and P. Sanders,
// "Delta-stepping: a parallelizable shortest path algorithm", 2003). Two bitmaps contain the
// vertices that changed: the *near* ones, below the limit, and the *far* ones. In a round, each
// warp takes the bits of its words and relaxes the arcs of their vertices. A vertex that changes
// may still be relaxed in the same round. A window ends with a round that finds no near vertex. The
// next round takes the far vertices: it relaxes those below the new limit, and sets the bits of the
// others again.
//
// The words of a bitmap are distributed to the warps such that each warp gets words of all degrees, and
// its lanes read different banks. All warps relax the longest lists together at the end of a round.
//
// If distances are in device memory, a relaxation costs more. The width of windows then follows
// from the distances of earlier searches: a window should have just enough vertices to occupy all
// threads, since a vertex in a wide window is relaxed several times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu/apsp/rows/arc_sectors.hpp"
#include "gpu/apsp/rows/device_element.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu::apsp {

enum class DistancePlace : std::uint8_t { shared_memory, device_memory };

/// The sizes of the arrays in a block's shared memory.
struct RowSearchShape
{
    DistancePlace distances = DistancePlace::shared_memory;
    std::uint32_t places = 0;
    std::uint32_t warps = 0;
    std::uint32_t bitmap_words = 0;  // a multiple of 32 for each warp

    static constexpr std::uint32_t kQueued = 256;  // number of vertices that a warp relaxes at a time
    static constexpr std::uint32_t kControlWords = 8;
    /// Largest number of places of a search with distances in shared memory, whose queues have
    /// entries of 16 bits.
    static constexpr std::uint32_t kMostSharedPlaces = 0xFFFF;

    [[nodiscard]] WAYFRONT_HD static constexpr RowSearchShape of(DistancePlace distances, const ArcSectorsView& graph,
                                                                 std::uint32_t warps)
    {
        const std::uint32_t pass = 32 * warps;
        const std::uint32_t words = (graph.expanding + 31) / 32;
        return {.distances = distances,
                .places = graph.places,
                .warps = warps,
                .bitmap_words = (words + pass - 1) / pass * pass};
    }
    /// Number of words of a block's distances, padded so that the distances of all blocks have the
    /// same alignment.
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t distance_words() const { return (places + 31) / 32 * 32; }
    [[nodiscard]] WAYFRONT_HD constexpr std::uint32_t shared_words(std::uint32_t block_lists) const
    {
        const bool in_shared = distances == DistancePlace::shared_memory;
        return (in_shared ? distance_words() : 0) + 2 * bitmap_words + warps * kQueued / (in_shared ? 2 : 1) +
               kControlWords + block_lists;
    }
};

/// The parameters of all searches of a launch.
struct RowSearchJob
{
    const std::uint32_t* sources = nullptr;  // vertices
    std::uint32_t count = 0;
    // Number of sources whose searches have begun; 0 before the launch.
    std::uint32_t* begun = nullptr;
    std::uint32_t* distances = nullptr;  // distances of each block, if they are in device memory
    std::uint32_t* width = nullptr;      // width of a window, as a distance
    // For adapt(). window_share: width of later windows * number of reached vertices / their mean
    // distance. least_width: the least width.
    float window_share = 0;
    std::uint32_t least_width = 0;
    // Whether the row of a source is the row of its vertex in a whole matrix. If not, the row's
    // number is the position of the source in `sources`.
    bool in_place = false;
    std::uint64_t stride = 0;  // number of elements from row to row of the results
};

/// The searches of a block, one after the other. All threads of the block call each function.
template <typename Distances, ArcForm form, DistancePlace distance_place>
class RowSearch
{
public:
    __device__ RowSearch(const ArcSectorsView& graph, const RowSearchShape& shape, const RowSearchJob& job,
                         std::uint32_t* shared)
        : graph_(graph), shape_(shape), near_(shared)
    {
        if constexpr (distance_place == DistancePlace::shared_memory) {
            distances_ = shared;
            near_ += shape.distance_words();
        } else {
            distances_ = job.distances + std::size_t{blockIdx.x} * shape.distance_words();
        }
        far_ = near_ + shape.bitmap_words;
        control_ = far_ + shape.bitmap_words;
        block_lists_ = control_ + RowSearchShape::kControlWords;
        queue_ =
            reinterpret_cast<Queued*>(block_lists_ + graph.block_lists) + threadIdx.x / 32 * RowSearchShape::kQueued;
        for (std::uint32_t i = threadIdx.x; i < 2 * shape.bitmap_words; i += blockDim.x) near_[i] = 0;
        if (threadIdx.x < 2) control_[kBlockLists + threadIdx.x] = 0;
        if (threadIdx.x == 0) control_[kSum] = 0;
    }

    /// Clears the distances of the previous search.
    __device__ void clear()
    {
        for (std::uint32_t i = threadIdx.x; i < shape_.places; i += blockDim.x) distances_[i] = Distances::kFar;
        if (threadIdx.x < kMinima) control_[kLeast + threadIdx.x] = Distances::kFar;
        __syncthreads();
    }

    /// Reserves the next search of the launch. Returns its number, which is not less than the
    /// number of searches if there is none left.
    [[nodiscard]] __device__ std::uint32_t next(const RowSearchJob& job)
    {
        if (threadIdx.x == 0) {
            control_[kNext] = atomicAdd(job.begun, 1U);
            control_[kWidth] = __ldcg(job.width);
        }
        __syncthreads();
        width_ = control_[kWidth];
        return control_[kNext];
    }

    /// Finds the distances from a place. distance() returns them afterwards.
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
        for (std::uint32_t round = 0, far_round = 0;; ++round) {
            counter_ = control_ + kBlockLists + round % 2;
            const bool found = from_far ? take_far() : take_near();
            relax_block_lists(control_ + kBlockLists + (round + 1) % 2);
            std::uint32_t* const least = control_ + kLeast + far_round % kMinima;
            if (from_far) {
                lower(least);
                // Resets the minimum of the next far round, which all threads have read before the
                // last barrier.
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
                if (begin == Distances::kFar) break;  // no far vertex is left
            }
            begin_ = limit_;
            limit_ = Distances::end_of_window(begin, width_);
            from_far = true;
        }
    }

    /// Sets the width of later searches by a sample of the distances, if the source reaches most of
    /// the sample.
    __device__ void adapt(const RowSearchJob& job)
    {
        const std::uint32_t step = shape_.places > blockDim.x ? shape_.places / blockDim.x : 1;
        const std::uint32_t place = threadIdx.x * step;
        const std::uint32_t found = place < shape_.places ? distance(place) : Distances::kFar;
        const bool reached = found != Distances::kFar;
        float sum = reached ? Distances::number_of(found) : 0;
        for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(kAllLanes, sum, lanes);
        if (lane_id() == 0) atomicAdd(reinterpret_cast<float*>(control_ + kSum), sum);
        const auto samples = static_cast<float>(shape_.places < blockDim.x ? shape_.places : blockDim.x);
        const auto count = static_cast<float>(__syncthreads_count(static_cast<int>(reached)));
        if (threadIdx.x > 0) return;
        if (2 * count > samples) {
            const float mean = __uint_as_float(control_[kSum]) / count;
            const std::uint32_t width =
                Distances::width_of(job.window_share * mean / (static_cast<float>(shape_.places) * count / samples));
            atomicExch(job.width, width > job.least_width ? width : job.least_width);
        }
        control_[kSum] = 0;
    }

    /// The distance of a place. This load bypasses the L1 cache, which may contain outdated
    /// distances, because atomic operations change distances in the L2 cache.
    [[nodiscard]] __device__ std::uint32_t distance(std::uint32_t place) const
    {
        if constexpr (distance_place == DistancePlace::shared_memory)
            return distances_[place];
        else
            return __ldcg(distances_ + place);
    }

private:
    using Queued = std::conditional_t<distance_place == DistancePlace::shared_memory, std::uint16_t, std::uint32_t>;

    static constexpr std::uint32_t kArcsOfGroup = kRestWords / words_of_arc(form);

    static constexpr std::uint32_t kNext = 0;  // indices of words in control_
    static constexpr std::uint32_t kLeast = 1;
    static constexpr std::uint32_t kMinima = 3;      // minima of far rounds, in turn
    static constexpr std::uint32_t kBlockLists = 4;  // numbers of block lists, of two rounds in turn
    static constexpr std::uint32_t kWidth = 6;
    static constexpr std::uint32_t kSum = 7;  // sum of distances, a float

    /// Lowers a minimum to the least distance of the far vertices whose bits the warp has set
    /// again.
    __device__ void lower(std::uint32_t* minimum)
    {
        const std::uint32_t least = __reduce_min_sync(kAllLanes, least_);
        if (lane_id() == 0 && least != Distances::kFar) atomicMin(minimum, least);
    }

    /// Calls f(word index) for the words of the thread. All lanes call.
    template <typename F>
    __device__ void for_each_word(F&& f)
    {
        const std::uint32_t warp = threadIdx.x / 32;
        const std::uint32_t own = lane_id() * shape_.warps + (warp + lane_id()) % shape_.warps;
        for (std::uint32_t pass = 0; pass < shape_.bitmap_words; pass += 32 * shape_.warps) f(pass + own);
    }

    /// Relaxes the near vertices of this warp's words. Returns whether the thread relaxed a vertex.
    __device__ bool take_near()
    {
        bool found = false;
        for_each_word([&](std::uint32_t word) {
            const std::uint32_t bits = near_[word] != 0 ? atomicExch(near_ + word, 0U) : 0;
            found = found || bits != 0;
            for_each_queued(word, bits, [&](bool active, std::uint32_t place) {
                relax(active, place, active ? distance(place) : 0);
            });
        });
        return found;
    }

    /// Relaxes the far vertices that are now below the limit. Vertices below the beginning of the
    /// window have been relaxed since they became far.
    __device__ bool take_far()
    {
        bool found = false;
        least_ = Distances::kFar;
        for_each_word([&](std::uint32_t word) {
            const std::uint32_t bits = far_[word] != 0 ? atomicExch(far_ + word, 0U) : 0;
            for_each_queued(word, bits, [&](bool active, std::uint32_t place) {
                const std::uint32_t now = active ? distance(place) : 0;
                if (active && now >= limit_) {
                    atomicOr(far_ + place / 32, 1U << (place % 32));
                    least_ = now < least_ ? now : least_;
                }
                const bool due = active && now >= begin_ && now < limit_;
                found = found || due;
                relax(due, place, now);
            });
        });
        return found;
    }

    /// Calls f(active, place) for the places of the lanes' bits, 32 at a time. `active` is false in
    /// lanes without a place.
    template <typename F>
    __device__ void for_each_queued(std::uint32_t word, std::uint32_t bits, F&& f)
    {
        while (__any_sync(kAllLanes, bits != 0)) {
            std::uint32_t total = 0;
            std::uint32_t at = warp_prefix(static_cast<std::uint32_t>(__popc(bits)), total);
            while (bits != 0 && at < RowSearchShape::kQueued) {
                queue_[at++] =
                    static_cast<Queued>(word * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1));
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

    /// Relaxes the arcs of one place in each active lane. Places are sorted by degree, so that the
    /// lists of the lanes have about equal length. All lanes call.
    __device__ void relax(bool active, std::uint32_t place, std::uint32_t distance)
    {
        const bool shared = active && place < graph_.shared_lists;
        if (active) {
            const auto* const sector = reinterpret_cast<const uint4*>(graph_.sectors) + std::size_t{place} * 2;
            const uint4 first = __ldg(sector);
            // At most four arcs are loaded together, so that the registers suffice.
            if constexpr (form == ArcForm::two_words) {
                if (place < graph_.half_full)
                    relax_groups(distance, {first, __ldg(sector + 1)});
                else
                    relax_groups(distance, {first});
            } else if (place < graph_.half_full) {
                const uint4 second = __ldg(sector + 1);
                relax_groups(distance, {first});
                relax_groups(distance, {second});
            } else {
                relax_groups(distance, {first});
            }
            if (place < graph_.long_lists && !shared) relax_rest(place, distance, 0, 1);
        }
        for (std::uint32_t lists = __ballot_sync(kAllLanes, shared); lists != 0; lists &= lists - 1) {
            const int lane = __ffs(static_cast<int>(lists)) - 1;
            const std::uint32_t owner = __shfl_sync(kAllLanes, place, lane);
            const std::uint32_t from = __shfl_sync(kAllLanes, distance, lane);
            if (owner >= graph_.block_lists)
                relax_rest(owner, from, lane_id(), 32);
            else if (lane_id() == 0)
                block_lists_[atomicAdd(counter_, 1U)] = owner;
        }
    }

    /// Relaxes the rests of the lists that a block reads together, for all places that the round
    /// took. `next_counter`: counter of the next round.
    __device__ void relax_block_lists(std::uint32_t* next_counter)
    {
        if (graph_.block_lists == 0) return;
        __syncthreads();
        // All threads have read this counter before the last barrier of the previous round.
        if (threadIdx.x == 0) *next_counter = 0;
        const std::uint32_t lists = *counter_;
        for (std::uint32_t list = 0; list < lists; ++list) {
            const std::uint32_t place = block_lists_[list];
            relax_rest(place, distance(place), threadIdx.x, blockDim.x);
        }
    }

    /// Relaxes every `step`th group of kRestWords words of a long list's rest, from group `first`
    /// on.
    __device__ void relax_rest(std::uint32_t place, std::uint32_t distance, std::uint32_t first, std::uint32_t step)
    {
        const auto* const rest = reinterpret_cast<const uint4*>(graph_.rest);
        const std::uint32_t end = __ldg(graph_.rest_begins + place + 1) / kRestWords;
        for (std::uint32_t i = __ldg(graph_.rest_begins + place) / kRestWords + first; i < end; i += step)
            relax_groups(distance, {__ldg(rest + i)});
    }

    /// Relaxes the arcs in groups of kRestWords words.
    template <std::size_t Count>
    __device__ void relax_groups(std::uint32_t distance, const uint4 (&groups)[Count])
    {
        std::uint32_t targets[Count * kArcsOfGroup];
        std::uint32_t weights[Count * kArcsOfGroup];
#pragma unroll
        for (std::size_t g = 0; g < Count; ++g) {
            const uint4& words = groups[g];
            if constexpr (form == ArcForm::one_word) {
                const std::uint32_t arcs[4]{words.x, words.y, words.z, words.w};
#pragma unroll
                for (std::size_t i = 0; i < 4; ++i) {
                    targets[4 * g + i] = arcs[i] & 0xFFFF;
                    weights[4 * g + i] = arcs[i] >> 16;
                }
            } else {
                targets[2 * g] = words.x;
                weights[2 * g] = words.y;
                targets[2 * g + 1] = words.z;
                weights[2 * g + 1] = words.w;
            }
        }
        relax_arcs(distance, targets, weights);
    }

    /// Relaxes arcs to `targets`. First all loads, then all atomic operations are in flight
    /// together.
    template <std::size_t Count>
    __device__ void relax_arcs(std::uint32_t distance, const std::uint32_t (&targets)[Count],
                               const std::uint32_t (&weights)[Count])
    {
        std::uint32_t sums[Count];
        std::uint32_t before[Count];
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i) before[i] = this->distance(targets[i]);
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i) sums[i] = Distances::sum(distance, weights[i]);
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i)
            if (sums[i] < before[i]) before[i] = atomicMin(distances_ + targets[i], sums[i]);
        // The new distance is in the L2 cache before the bit is set, so that the warp that takes
        // the bit reads the new distance.
        if constexpr (distance_place == DistancePlace::device_memory) __threadfence_block();
#pragma unroll
        for (std::size_t i = 0; i < Count; ++i)
            if (sums[i] < before[i] && targets[i] < graph_.expanding)
                atomicOr((sums[i] < limit_ ? near_ : far_) + targets[i] / 32, 1U << (targets[i] % 32));
    }

    const ArcSectorsView& graph_;
    const RowSearchShape& shape_;
    std::uint32_t width_ = 0;
    std::uint32_t* distances_;
    std::uint32_t* near_;
    std::uint32_t* far_;
    std::uint32_t* control_;
    std::uint32_t* block_lists_;        // places of the round whose lists the block reads together
    std::uint32_t* counter_ = nullptr;  // number of these places
    Queued* queue_;                     // queue of the warp
    std::uint32_t begin_ = 0;           // beginning of the window
    std::uint32_t limit_ = 0;           // end of the window
    std::uint32_t least_ = 0;           // least distance of a far vertex whose bit this thread has set again
};

}  // namespace wayfront::gpu::apsp
