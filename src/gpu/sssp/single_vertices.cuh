// Pushes of a few vertices before and after pulls. These vertices relax all their arcs.
//
// A vertex offers a path to a neighbour whose upper bound is larger. The offer is an atomic minimum
// on PushState::best of the neighbour. The first offer of a round appends the neighbour to a list
// of its owner, so that the list contains the neighbour once. In the next round, the owner takes
// the shortest offered path, publishes the distance, and relaxes the neighbour's arcs.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/arc_bounds.cuh"
#include "gpu/sssp/steps.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The list of the vertices that take offers in a round (the takers), in their owner's memory, and
/// its size.
[[nodiscard]] __device__ inline std::uint32_t* takers(const SsspPeer& owner, std::uint32_t round)
{
    return owner.frontiers[round % 2];
}
[[nodiscard]] __device__ inline std::uint32_t& taker_count(const SsspPeer& owner, std::uint32_t round)
{
    return owner.sizes->takers[round % 3];
}

/// Counts the arcs of the vertices that this block improved in the last pull. All threads of the
/// block call.
template <typename Distance, Reach kReach>
__device__ inline ImprovedCounts SsspSteps<Distance, kReach>::arcs_of_improved()
{
    const Segment<std::uint32_t> improved = improved_vertices(view_, stores_.pull);
    ImprovedCounts counts;
    for (std::uint32_t i = threadIdx.x; i < improved.count(); i += blockDim.x)
        counts.arcs += view_.graph.lists[__ldcg(improved.items() + i)].degree();
    return counts;
}

/// The vertices of a list relax all their arcs. `takes_offers`: whether each vertex first takes the
/// offers that it received; a vertex whose distance the offers do not improve relaxes nothing. The
/// list has no leaf except a source. Returns the number of vertices that this thread has made
/// takers of the next round. All threads of the block call.
template <typename Distance, Reach kReach>
__device__ inline std::uint32_t SsspSteps<Distance, kReach>::relax_single(const std::uint32_t* slots,
                                                                          std::uint32_t count, const Team& team,
                                                                          bool takes_offers, std::uint32_t round)
{
    const std::uint32_t warp_vertices = team.warps < count ? 4 : 1;  // number of vertices per warp
    const std::uint32_t lanes = 32 / warp_vertices;                  // number of lanes per vertex
    // Number of arcs of a vertex that a warp relaxes; the block relaxes longer lists.
    constexpr std::uint32_t most_warp_arcs = 64;
    constexpr std::uint32_t arcs_of_part = 256;
    SingleVertices& single = stores_.pull.single_vertices();
    __syncthreads();
    if (threadIdx.x == 0) single.long_count = 0;
    if (first_index() == 0) taker_count(view_.own, round + 2) = 0;
    __syncthreads();
    std::uint32_t queued = 0;
#pragma unroll 1
    for (std::uint32_t first = team.warp * warp_vertices; first < count; first += team.warps * warp_vertices) {
        const std::uint32_t i = first + lane_id() / lanes;
        const bool has_vertex = i < count;
        const bool leads = has_vertex && lane_id() % lanes == 0;
        const std::uint32_t slot = has_vertex ? __ldcg(slots + i) : 0;
        ListPlace list = has_vertex ? view_.graph.lists[slot] : ListPlace{};
        std::uint32_t distance = Distance::kInfinity;
        if (leads && slot >= view_.first_leaf)
            distance = 0;
        else if (leads)
            distance = takes_offers ? take_offer(slot) : __ldcg(&view_.own.bounds[AllGpus::column(view_, slot)].upper);
        bool is_long = false;
        if (leads && distance != Distance::kInfinity && list.degree() > most_warp_arcs) {
            const std::uint32_t at = atomicAdd(&single.long_count, 1U);
            is_long = at < SingleVertices::kLongs;
            if (is_long) single.longs[at] = {slot, distance};
        }
        distance = __shfl_sync(kAllLanes, is_long ? Distance::kInfinity : distance,
                               static_cast<int>(lane_id() / lanes * lanes));
        if (distance == Distance::kInfinity) list = ListPlace{};
        queued +=
            offer({slot, distance}, list, {.first = lane_id() % lanes, .end = list.degree(), .stride = lanes}, round);
    }
    __syncthreads();
    // The parts of the long lists are distributed cyclically to the warps. `part`: this warp's next part,
    // counted from the first part of the current list.
    const std::uint32_t longs = single.long_count < SingleVertices::kLongs ? single.long_count : SingleVertices::kLongs;
    std::uint32_t part = threadIdx.x / 32;
#pragma unroll 1
    for (std::uint32_t i = 0; i < longs; ++i) {
        const SingleVertices::Vertex from = single.longs[i];
        const ListPlace list = view_.graph.lists[from.slot];
        const std::uint32_t parts = (list.degree() + arcs_of_part - 1) / arcs_of_part;
#pragma unroll 1
        for (; part < parts; part += blockDim.x / 32) {
            const std::uint32_t end = part + 1 < parts ? (part + 1) * arcs_of_part : list.degree();
            queued += offer(from, list, {.first = part * arcs_of_part + lane_id(), .end = end, .stride = 32}, round);
        }
        part -= parts;
    }
    return queued;
}

/// Each lane reads arcs of a vertex's list. If the path along an arc may improve the vertex at its
/// end, the lane offers the path to this vertex. Returns the number of vertices that the lane has
/// made takers of the next round. All lanes call.
template <typename Distance, Reach kReach>
__device__ inline std::uint32_t SsspSteps<Distance, kReach>::offer(const SingleVertices::Vertex& from,
                                                                   const ListPlace& list, const LaneArcs& lane_arcs,
                                                                   std::uint32_t round)
{
    const auto [first, end, stride] = lane_arcs;
    constexpr std::uint32_t in_flight = 4;  // number of arcs of a lane whose loads are in flight together
    const std::uint32_t parent = AllGpus::column(view_, from.slot);
    std::uint32_t queued = 0;
    relaxed_ += first < end ? (end - first - 1) / stride + 1 : 0;
#pragma unroll 1
    for (std::uint32_t place = first; __any_sync(kAllLanes, place < end); place += in_flight * stride) {
        Arc arcs[in_flight];
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            const std::uint32_t at = place + k * stride;
            arcs[k] = at < end ? load_arc(view_.graph.list_arcs + list.begin() + at) : Arc{0, Distance::kInfinity};
        }
        std::uint32_t improving = 0;  // bit k: arc k improves its end
#pragma unroll
        for (std::uint32_t k = 0; k < in_flight; ++k) {
            const std::uint32_t sum = Distance::sum(from.distance, arcs[k].weight);
            const bool improves = sum < view_.end && arcs[k].end < view_.first_leaf_column &&
                                  sum < __ldcg(&view_.own.bounds[arcs[k].end].upper);
            improving |= improves ? 1U << k : 0;
        }
#pragma unroll 1
        for (; __any_sync(kAllLanes, improving != 0); improving &= improving - 1) {
            Arc arc = arcs[0];
#pragma unroll
            for (std::uint32_t k = in_flight; k-- > 1;)
                // The first arc that improves its end.
                if ((improving & ((1U << (k + 1)) - 1)) == 1U << k) arc = arcs[k];
            const typename AllGpus::Place neighbour = AllGpus::place(view_, arc.end);
            const std::uint64_t path = PushState::path(Distance::sum(from.distance, arc.weight), parent);
            const bool queues =
                improving != 0 && AllGpus::lower(AllGpus::best(view_, neighbour), path) == PushState::kNothing;
            AllGpus::append(
                view_, queues, neighbour, [round](const SsspPeer& lists) { return takers(lists, round + 1); },
                [round](const SsspPeer& lists) { return &taker_count(lists, round + 1); });
            queued += queues ? 1 : 0;
        }
    }
    return queued;
}

/// Takes the shortest path that was offered to a vertex of this GPU. Returns its length if it
/// improves the vertex, otherwise infinity.
template <typename Distance, Reach kReach>
__device__ inline std::uint32_t SsspSteps<Distance, kReach>::take_offer(std::uint32_t slot)
{
    const std::uint64_t path = AllGpus::exchange(view_.own.pushed[slot].best, PushState::kNothing);
    const std::uint32_t distance = PushState::distance_of(path);
    const std::uint32_t column = AllGpus::column(view_, slot);
    if (distance >= __ldcg(&view_.own.bounds[column].upper)) return Distance::kInfinity;
    AllGpus::publish(view_, column, StoredBounds::open(distance, 0));
    __stcg(view_.own.parents + slot, PushState::parent_of(path));
    return distance;
}

/// The takers of a round take their offers, and relax no arcs. All threads of the block call.
template <typename Distance, Reach kReach>
__device__ inline void SsspSteps<Distance, kReach>::take_offers(std::uint32_t round)
{
    const std::uint32_t count = read_once(taker_count(view_.own, round));
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        static_cast<void>(take_offer(__ldcg(takers(view_.own, round) + i)));
}

}  // namespace wayfront::gpu::sssp
