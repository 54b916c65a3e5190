// The near-far search (A. Davidson, S. Baxter, M. Garland and J. D. Owens, "Work-efficient parallel GPU
// methods for single-source shortest paths", IPDPS 2014) for graphs of few arcs a vertex and long paths,
// such as road networks.
//
// Vertices whose distance lies below the end of a window are *near*: a round relaxes the arcs of those
// that the last round has improved. The others are *far*, and wait for their window. In a road network
// a round has about a thousand vertices, so that the time of a search is that of its rounds: one
// block, whose threads wait for each other in a small part of a microsecond, is faster than a grid. The
// near vertices are in shared memory. A round is two dependent accesses to the L2 cache: a label and
// the four arcs of a head, then the atomic minima of the labels at their ends.
//
// An item is a vertex with the distance that it got. When the vertex has got a smaller one, the
// item has become stale and is dropped, so that each vertex has one item that counts. Lists of many
// arcs are relaxed by the whole block.
#pragma once

#include <cstdint>

#include "gpu/runtime/clock.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/near_far.hpp"

namespace wayfront::gpu {

inline constexpr unsigned kNearFarThreads = 1024;

/// The shared memory of the block.
struct NearFarStores
{
    static constexpr std::uint32_t kNear = 12288;

    NearFarItem near[2][kNear];
    std::uint32_t near_size[2];
    std::uint32_t far_size[2];
    std::uint32_t least_far;  // distance of the items that were kept
    bool crowded;             // with stale items, probably
    bool gives_up;
    // Items of the round whose lists have many arcs.
    static constexpr std::uint32_t kLongLists = 512;
    NearFarItem longs[kLongLists];
    std::uint32_t long_size;
};

template <typename Distance>
class NearFar
{
public:
    __device__ NearFar(const NearFarView& view, NearFarStores& stores) : view_(view), stores_(stores) {}

    __device__ void run(std::uint32_t source)
    {
        if (threadIdx.x == 0) {
            view_.summary->begin = now();
            view_.summary->first_tick = clock64();
            view_.labels[source] = source;
            stores_.near[0][0] = {source, 0};
            stores_.near_size[0] = 1;
            stores_.near_size[1] = 0;
            stores_.far_size[0] = 0;
            stores_.far_size[1] = 0;
            stores_.long_size = 0;
            stores_.gives_up = false;
        }
        limit_ = end_of_window(0);
        __syncthreads();
        for (bool more = true; more;) {
            record();
            while (stores_.near_size[near_] > 0 && !stores_.gives_up) {
                round();
                if (stores_.crowded) sift();
            }
            more = !stores_.gives_up && stores_.far_size[far_] > 0 && open_window();
        }
        finish();
    }

private:
    /// Relaxes the arcs of the near vertices. All threads call, and wait at the end.
    __device__ void round()
    {
        const std::uint32_t size = min(stores_.near_size[near_], NearFarStores::kNear);
        for (std::uint32_t first = threadIdx.x - lane_id(); first < size; first += blockDim.x) {
            const std::uint32_t i = first + lane_id();
            relax_arcs(i < size, stores_.near[near_][i < size ? i : 0]);
        }
        __syncthreads();
        if (stores_.long_size > 0) relax_long_lists();
        if (threadIdx.x == 0) {
            if (stores_.near_size[near_] > NearFarStores::kNear) {
                view_.summary->spilled = 1;
                stores_.gives_up = !view_.must_end;
            }
            stores_.near_size[near_] = 0;
            stores_.crowded = stores_.far_size[far_] > view_.graph.slots;
        }
        near_ = 1 - near_;
        __syncthreads();
    }

    /// The whole block relaxes what relax_arcs() has left. All threads call, and wait at the end.
    __device__ void relax_long_lists()
    {
        const std::uint32_t size = min(stores_.long_size, NearFarStores::kLongLists);
        for (std::uint32_t i = 0; i < size; ++i) {
            const NearFarItem item = stores_.longs[i];
            const ListPlace list = view_.graph.lists[item.slot];
            relax_list(item, list, kHeadArcs + threadIdx.x, blockDim.x);
        }
        __syncthreads();
        if (threadIdx.x == 0) stores_.long_size = 0;
        __syncthreads();
    }

    /// Relaxes the arcs of an item that is there. All lanes of the warp call.
    __device__ void relax_arcs(bool there, const NearFarItem& item)
    {
        const std::uint64_t label = there ? __ldcg(view_.labels + item.slot) : kNothing;
        const auto* const head = reinterpret_cast<const uint4*>(view_.graph.heads + std::uint64_t{item.slot} * kHeadArcs);
        const uint4 first = __ldg(head);
        const uint4 second = __ldg(head + 1);
        const ListPlace list = view_.graph.lists[item.slot];
        const bool counts = there && label >> 32 == item.distance;
        const std::uint32_t degree = counts ? list.degree() : 0;
        const auto parent = static_cast<std::uint32_t>(label);
        const Arc arcs[kHeadArcs] = {{first.x, first.y}, {first.z, first.w}, {second.x, second.y}, {second.z, second.w}};
        std::uint64_t keys[kHeadArcs];
        std::uint64_t old[kHeadArcs];
#pragma unroll
        for (std::uint32_t k = 0; k < kHeadArcs; ++k) {
            keys[k] = k < degree ? key_of(item, arcs[k], parent) : kNothing;
            old[k] = keys[k] < kNothing ? lower(item, arcs[k].slot, keys[k]) : 0;
        }
        NearFarItem found[kHeadArcs];
        bool improved[kHeadArcs];
#pragma unroll
        for (std::uint32_t k = 0; k < kHeadArcs; ++k) {
            found[k] = {arcs[k].slot, static_cast<std::uint32_t>(keys[k] >> 32)};
            improved[k] = keys[k] < kNothing && found[k].distance < old[k] >> 32;
        }
        keep_all(found, improved, 1 - near_, far_);
        relaxed_ += degree;
        if (degree <= kHeadArcs) return;
        if (degree > kLong) {
            const std::uint32_t place = atomicAdd(&stores_.long_size, 1U);
            if (place < NearFarStores::kLongLists) {
                stores_.longs[place] = item;
                return;
            }
        }
        relax_list(item, list, kHeadArcs, 1);
    }

    /// Relaxes the arcs of a list from a place on, `stride` apart.
    __device__ void relax_list(const NearFarItem& item, const ListPlace& list, std::uint32_t place, std::uint32_t stride)
    {
        for (std::uint64_t a = list.begin() + place; a < list.begin() + list.degree(); a += stride) {
            const Arc arc = view_.graph.list_arcs[a];
            const std::uint64_t key = key_of(item, arc, item.slot);
            if (key >= kNothing) continue;
            const auto distance = static_cast<std::uint32_t>(key >> 32);
            if (distance < lower(item, arc.slot, key) >> 32) keep({arc.slot, distance}, 1 - near_, far_);
        }
    }

    /// The label that an arc gives to its end; kNothing if the end lies beyond all distances, or is the
    /// item's parent.
    [[nodiscard]] __device__ std::uint64_t key_of(const NearFarItem& item, const Arc& arc, std::uint32_t parent)
    {
        if (arc.slot == parent) return kNothing;
        const std::uint32_t sum = Distance::sum(item.distance, arc.weight);
        if (Distance::kOverflows && sum == Distance::kInfinity) view_.summary->overflow = 1;
        return sum < view_.end ? std::uint64_t{sum} << 32 | item.slot : kNothing;
    }

    /// Lowers a label to a smaller one. Returns the label before.
    __device__ std::uint64_t lower(const NearFarItem& item, std::uint32_t slot, std::uint64_t key)
    {
        std::uint64_t* const label = view_.labels + slot;
        // At the end of an arc without length, the label may have the same distance, and the item may have got its own from there: that
        // label's parent must stay, or parents could form a cycle.
        if (key >> 32 == item.distance) {
            const std::uint64_t found = __ldcg(label);
            if (found >> 32 <= item.distance) return found;
        }
        return atomicMin(reinterpret_cast<unsigned long long*>(label), static_cast<unsigned long long>(key));
    }

    /// Near vertices for which there is no room wait among the far ones.
    __device__ void keep(const NearFarItem& item, std::uint32_t near, std::uint32_t far)
    {
        if (item.distance < limit_) {
            const std::uint32_t place = atomicAdd(&stores_.near_size[near], 1U);
            if (place < NearFarStores::kNear) {
                stores_.near[near][place] = item;
                return;
            }
        }
        view_.far[far][atomicAdd(&stores_.far_size[far], 1U)] = item;
    }

    /// Keeps the items that are to be kept, with one addition to the size of each list for the warp: additions to one word of shared memory
    /// come one after the other. All lanes of the warp call.
    template <std::uint32_t count>
    __device__ void keep_all(const NearFarItem (&items)[count], const bool (&kept)[count], std::uint32_t near, std::uint32_t far)
    {
        std::uint32_t near_lanes[count];
        std::uint32_t far_lanes[count];
        std::uint32_t near_total = 0;
        std::uint32_t far_total = 0;
#pragma unroll
        for (std::uint32_t k = 0; k < count; ++k) {
            near_lanes[k] = __ballot_sync(kAllLanes, kept[k] && items[k].distance < limit_);
            far_lanes[k] = __ballot_sync(kAllLanes, kept[k] && items[k].distance >= limit_);
            near_total += static_cast<std::uint32_t>(__popc(near_lanes[k]));
            far_total += static_cast<std::uint32_t>(__popc(far_lanes[k]));
        }
        if (near_total + far_total == 0) return;
        std::uint32_t place = 0;
        if (lane_id() == 0 && near_total > 0) place = atomicAdd(&stores_.near_size[near], near_total);
        if (lane_id() == 1 && far_total > 0) place = atomicAdd(&stores_.far_size[far], far_total);
        std::uint32_t near_place = __shfl_sync(kAllLanes, place, 0);
        std::uint32_t far_place = __shfl_sync(kAllLanes, place, 1);
#pragma unroll
        for (std::uint32_t k = 0; k < count; ++k) {
            if ((near_lanes[k] >> lane_id() & 1) != 0) {
                const std::uint32_t at = near_place + lanes_below(near_lanes[k]);
                if (at < NearFarStores::kNear)
                    stores_.near[near][at] = items[k];
                else
                    view_.far[far][atomicAdd(&stores_.far_size[far], 1U)] = items[k];
            }
            if ((far_lanes[k] >> lane_id() & 1) != 0) view_.far[far][far_place + lanes_below(far_lanes[k])] = items[k];
            near_place += static_cast<std::uint32_t>(__popc(near_lanes[k]));
            far_place += static_cast<std::uint32_t>(__popc(far_lanes[k]));
        }
    }

    /// Divides the far vertices anew, without those that are stale. All threads call, and wait at the
    /// end.
    __device__ void sift()
    {
        const std::uint32_t size = stores_.far_size[far_];
        __syncthreads();
        if (threadIdx.x == 0) stores_.least_far = Distance::kInfinity;
        __syncthreads();
        std::uint32_t least = Distance::kInfinity;
        for (std::uint32_t first = threadIdx.x - lane_id(); first < size; first += blockDim.x) {
            const std::uint32_t i = first + lane_id();
            const NearFarItem item[1] = {i < size ? load(view_.far[far_] + i) : NearFarItem{0, Distance::kInfinity}};
            const bool kept[1] = {i < size && __ldcg(view_.labels + item[0].slot) >> 32 == item[0].distance};
            if (kept[0]) least = min(least, item[0].distance);
            keep_all(item, kept, near_, 1 - far_);
        }
        least = __reduce_min_sync(kAllLanes, least);
        if (lane_id() == 0 && least < Distance::kInfinity) atomicMin(&stores_.least_far, least);
        __syncthreads();
        if (threadIdx.x == 0) stores_.far_size[far_] = 0;
        far_ = 1 - far_;
        __syncthreads();
    }

    /// Opens the window of the nearest far vertex. Returns whether there is one.
    __device__ bool open_window()
    {
        limit_ = end_of_window(limit_);
        sift();
        const std::uint32_t least = stores_.least_far;
        if (least == Distance::kInfinity) return false;
        if (stores_.near_size[near_] == 0) {
            limit_ = end_of_window(least);
            sift();
        }
        return true;
    }

    [[nodiscard]] __device__ std::uint32_t end_of_window(std::uint32_t begin) const
    {
        const std::uint32_t end = Distance::sum(begin, view_.width);
        const std::uint32_t beyond = end > begin ? end : begin + 1;
        return beyond < view_.end ? beyond : view_.end;
    }

    /// An item that another thread has written.
    [[nodiscard]] static __device__ NearFarItem load(const NearFarItem* item)
    {
        const std::uint64_t word = __ldcg(reinterpret_cast<const std::uint64_t*>(item));
        return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
    }

    __device__ void record()
    {
        if (threadIdx.x == 0 && windows_ < SsspSummary::kMostRecords)
            view_.summary->records[windows_] = {clock64(), SsspStep::window, stores_.near_size[near_]};
        ++windows_;
    }

    __device__ void finish()
    {
        SsspSummary& summary = *view_.summary;
        const std::uint32_t relaxed = __reduce_add_sync(kAllLanes, relaxed_);
        if (lane_id() == 0) atomicAdd(reinterpret_cast<unsigned long long*>(&summary.relaxed_arcs), static_cast<unsigned long long>(relaxed));
        if (threadIdx.x == 0) {
            summary.steps = windows_;
            summary.last_tick = clock64();
            summary.end = now();
        }
    }

    static constexpr std::uint64_t kNothing = PushState::kNothing;
    static constexpr std::uint32_t kLong = 32;  // arcs

    const NearFarView& view_;
    NearFarStores& stores_;
    std::uint32_t near_ = 0;   // of the two lists
    std::uint32_t far_ = 0;    // likewise
    std::uint32_t limit_ = 0;  // distances below are near
    std::uint32_t windows_ = 0;
    std::uint32_t relaxed_ = 0;
};

}  // namespace wayfront::gpu
