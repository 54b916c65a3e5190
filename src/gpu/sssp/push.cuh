// Pushes: reached vertices relax their arcs below the limit of the window.
//
// A list is sorted by weight, so the arcs that a vertex has relaxed are the first ones of its list.
// In the next window, the vertex continues with the next arc. If its distance has become smaller,
// the vertex starts again at the first arc. A vertex whose next arc leads beyond the limit costs
// one read per window.
//
// Four lanes relax the next four arcs of a vertex. If all four arcs are below the limit, the list
// is a long one, and more lanes of the thread block continue it (long_lists.cuh, which a kernel
// includes, too).
//
// On several GPUs, a GPU visits its own vertices and appends the vertices that it improves to the
// frontiers of their owners. If GPUs exchange messages, it appends other GPUs' vertices to a list
// of columns.
//
// The duration of a step of few vertices is the time to fetch its instructions. Each part of this
// code is therefore compiled once, and loops are not unrolled.
#pragma once

#include "gpu/graph/block_list.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The shared memory of a thread block in a push step. On several GPUs there is one frontier for
/// each owner.
template <Reach kReach>
struct PushStores
{
    /// A list whose next arcs were all below the limit, so that more lanes continue it.
    struct LongList
    {
        ListPlace list;
        std::uint32_t slot;
        std::uint32_t distance;
        std::uint32_t place;
        // Whether the vertex is appended to the waiting vertices if its list has an arc beyond the
        // limit.
        std::uint32_t joins : 1;
        std::uint32_t parts : 31;  // number of the list's parts that warps relax (long_lists.cuh)
    };
    static constexpr std::uint32_t kLongLists = 1280;
    // Largest number of vertices that the warps of a block visit between two checks of the room for
    // long lists.
    static constexpr std::uint32_t kVisited = 1024;

    BlockListStore frontiers[Gpus<kReach>::kMostOwners];  // by owner
    BlockListStore waiting, reached;
    std::uint32_t ready[32][32];  // for each warp: waiting vertices whose next arc is below the limit
    LongList long_lists[kLongLists];
    std::uint32_t long_count;
    std::uint16_t continued[kLongLists];  // indices of the long lists that warps continue
    std::uint32_t continued_count;
};

/// The warps that share the work of a step: those of the grid or those of one thread block.
struct Team
{
    std::uint32_t warp;  // number of the thread's warp
    std::uint32_t warps;

    [[nodiscard]] static __device__ Team grid()
    {
        return {static_cast<std::uint32_t>(spread_index() / 32), static_cast<std::uint32_t>(index_stride() / 32)};
    }
    [[nodiscard]] static __device__ Team block() { return {threadIdx.x / 32, blockDim.x / 32}; }
};

template <typename Distance, Reach kReach>
class Push
{
public:
    using Stores = PushStores<kReach>;

    /// Paths of the length `progress.limit` and longer wait for a later window. The step fills the
    /// frontiers of the round after `progress.round`, and the waiting vertices of the window
    /// `progress.window`. `frontier_size`: size of the frontier that is filled, on one GPU. All
    /// threads of a block call.
    __device__ Push(const SsspView& view, PushStores<kReach>& stores, const Team& team, const PushProgress& progress,
                    std::uint32_t* frontier_size)
        : view_(view),
          stores_(stores),
          team_(team),
          limit_(progress.limit),
          round_(progress.round + 1),
          own_frontier_(view.own.frontiers[progress.round % 2]),
          frontier_size_(frontier_size),
          waiting_(stores.waiting, view.waiting[progress.window % 2], &view.own.sizes->waiting[progress.window % 3]),
          reached_(stores.reached, view.reached, &view.own.sizes->reached)
    {
        for (std::uint32_t owner = 0; owner < AllGpus::count(view); ++owner) frontier(owner).clear();
        waiting_.clear();
        reached_.clear();
        clear_long_lists();
        __syncthreads();
    }

    /// The vertices of a frontier relax their arcs. A warp takes fewer vertices at a time if this
    /// occupies more warps. If there are at most kFewPerWarp vertices per warp, the block continues
    /// their whole lists at once: each of these vertices gets at least eight lanes, and a head has
    /// four arcs.
    __device__ void visit_frontier(const std::uint32_t* vertices, std::uint32_t size)
    {
        if (size <= kFewPerWarp * team_.warps) {
            visit_few(vertices, size);
            return;
        }
        const std::uint32_t warp_vertices = choose_share(size, kBatch * kQuads);
#pragma unroll 1
        for (std::uint32_t begin = 0; begin < size; begin += team_.warps * warp_vertices) {
            if (begin > 0) make_room();
            const std::uint32_t first = begin + team_.warp * warp_vertices;
            if (first >= size) continue;
            bool has_vertex[kBatch];
            std::uint32_t slot[kBatch];
#pragma unroll
            for (std::uint32_t k = 0; k < kBatch; ++k) {
                const std::uint32_t offset = k * kQuads + lane_id() / kQuad;
                has_vertex[k] = offset < warp_vertices && first + offset < size;
                slot[k] = has_vertex[k] ? __ldcg(vertices + first + offset) : 0;
            }
            visit_improved(has_vertex, slot);
        }
    }

    /// The waiting vertices whose next arc is below the limit relax their arcs.
    __device__ void visit_waiting(const std::uint32_t* waiting, std::uint32_t size)
    {
        make_room();
        std::uint32_t(&ready)[32] = stores_.ready[threadIdx.x / 32];
        const std::uint32_t warp_vertices = choose_share(size, 32);
#pragma unroll 1
        for (std::uint32_t begin = 0; begin < size; begin += team_.warps * warp_vertices) {
            if (begin > 0) make_room();
            const std::uint32_t first = begin + team_.warp * warp_vertices;
            if (first >= size) continue;
            const bool has_vertex = lane_id() < warp_vertices && first + lane_id() < size;
            const std::uint32_t slot = has_vertex ? __ldcg(waiting + first + lane_id()) : 0;
            const std::uint32_t next_distance =
                has_vertex ? __ldcg(&view_.own.pushed[slot].next_reach) : Distance::kInfinity;
            const bool is_ready = next_distance < limit_;
            if (has_vertex && !is_ready) note_nearest(next_distance);
            waiting_.append(has_vertex && !is_ready, slot);
            const std::uint32_t lanes = __ballot_sync(kAllLanes, is_ready);
            if (is_ready) ready[lanes_below(lanes)] = slot;
            __syncwarp();
            const auto count = static_cast<std::uint32_t>(__popc(lanes));
#pragma unroll 1
            for (std::uint32_t done = 0; done < count; done += kQuads) {
                const std::uint32_t at = done + lane_id() / kQuad;
                visit_again(at < count, at < count ? ready[at] : 0);
            }
            __syncwarp();
        }
    }

    [[nodiscard]] __device__ PushCounts<kReach> finish()
    {
        follow_long_lists();
        flush();
        PushCounts<kReach> counts;
        if (nearest_ != ~0U) counts.nearest = nearest_;
        counts.settled_arcs = settled_arcs_;
        if constexpr (AllGpus::kSeveral)
            counts.improved = improved_;
        else
            counts.relaxed_arcs = relaxed_;
        return counts;
    }
    /// The number of arcs that this thread has relaxed.
    [[nodiscard]] __device__ std::uint32_t relaxed() const
    {
        return relaxed_;
    }

private:
    using AllGpus = Gpus<kReach>;

    static constexpr std::uint32_t kQuad = 4;  // number of lanes for a vertex
    static constexpr std::uint32_t kQuads = 32 / kQuad;
    // Number of vertices of four lanes, or arcs of a lane, whose loads are in flight together.
    static constexpr std::uint32_t kBatch = 2;
    // Largest number of vertices per warp for visit_few(). Searches with 2 and with 8 take as long.
    static constexpr std::uint32_t kFewPerWarp = 4;
    // Long lists: arcs that a warp relaxes together, and smallest number of lanes in a group.
    static constexpr std::uint32_t kPartArcs = 32 * kBatch;
    static constexpr std::uint32_t kLeastLanes = 8;
    static_assert(kQuad == kHeadArcs && kBatch * kQuads <= 32 && Stores::kVisited < Stores::kLongLists);

    struct ArcEnd
    {
        std::uint32_t column;
        std::uint32_t distance;
    };

    /// The state of a vertex while four lanes visit it.
    struct Visit
    {
        ListPlace list;
        std::uint32_t slot;
        std::uint32_t distance;
        std::uint32_t place;         // place of the first of the four arcs in the list
        std::uint32_t end_distance;  // distance at the end of the lane's arc
        bool has_vertex;
        bool is_first;  // whether the vertex is visited for the first time; valid in the leading lane
        bool joins;     // whether the vertex may be appended to the waiting vertices; valid in the leading lane
    };

    /// The result of a group of lanes that has relaxed a part of a list.
    struct Part
    {
        std::uint32_t place;  // place in the list after the last arc below the limit
        std::uint32_t next;   // distance at the end of the arc at `place`, unless all arcs are below the limit
        bool all;             // whether all arcs were below the limit
    };

    /// The frontier, among the vertices of an owner, that this round fills.
    [[nodiscard]] __device__ BlockList<kReach == Reach::peers> frontier(std::uint32_t owner) const
    {
        if constexpr (!AllGpus::kSeveral) return {stores_.frontiers[0], own_frontier_, frontier_size_};
        const SsspPeer& lists = AllGpus::lists_of(view_, owner);
        return {stores_.frontiers[owner], lists.frontiers[(round_ - 1) % 2], &lists.sizes->frontier[(round_ - 1) % 3]};
    }

    __device__ void flush()
    {
        if constexpr (!AllGpus::kSeveral) {
            BlockList<> own_list = frontier(0);
            BlockList<>::flush(own_list, waiting_, reached_);
        } else {
            __syncthreads();
            const std::uint32_t warp = threadIdx.x / 32;
            if (lane_id() == 0 && warp < AllGpus::count(view_)) frontier(warp).reserve_places();
            if (lane_id() == 0 && warp == AllGpus::kMostOwners) waiting_.reserve_places();
            if (lane_id() == 0 && warp == AllGpus::kMostOwners + 1) reached_.reserve_places();
            __syncthreads();
            for (std::uint32_t owner = 0; owner < AllGpus::count(view_); ++owner) frontier(owner).copy();
            waiting_.copy();
            reached_.copy();
        }
    }

    [[nodiscard]] static __device__ bool is_leader()
    {
        return lane_id() % kQuad == 0;
    }

    /// The number of vertices that a warp takes at a time: a power of two, at most `most`.
    [[nodiscard]] __device__ std::uint32_t choose_share(std::uint32_t size, std::uint32_t most) const
    {
        std::uint32_t share = 1;
        while (share < most && share * team_.warps < size) share *= 2;
        return share;
    }

    __device__ void note_nearest(std::uint32_t distance)
    {
        if (distance < view_.end && distance < nearest_) nearest_ = distance;
    }

    [[nodiscard]] __device__ ulonglong2 load_state(std::uint32_t slot) const
    {
        return __ldcg(reinterpret_cast<const ulonglong2*>(view_.own.pushed + slot));
    }

    struct Improved
    {
        std::uint32_t distance;
        bool is_first;  // whether the vertex is visited for the first time
    };

    /// Begins the visit of a vertex of the frontier: clears kQueued, so that a shorter path queues
    /// the vertex again. The state is loaded before the atomic operation, because an atomic
    /// operation that returns a value is slow if the word is not in the L2 cache: rounds took 1.8
    /// times as long (gpu-sssp-trials-h200.json). The mask depends on the loaded state, so that the
    /// atomic operation waits for the load. The vertex has a path in any case.
    [[nodiscard]] __device__ Improved leave_queue(std::uint32_t slot) const
    {
        const ulonglong2 state = load_state(slot);
        const std::uint64_t mask = state.x == PushState::kNothing ? PushState::kNothing : ~PushState::kQueued;
        return {PushState::distance_of(AllGpus::keep_bits(view_.own.pushed[slot].best, mask)),
                state.y == PushState::kNothing};
    }

    /// Appends the lists of the frontier's vertices, at most kFewPerWarp per warp, to the long
    /// lists of the block.
    __device__ void visit_few(const std::uint32_t* vertices, std::uint32_t size)
    {
        const std::uint32_t warp_vertices = choose_share(size, kFewPerWarp);
        const std::uint32_t first = team_.warp * warp_vertices;
        const bool has_vertex = lane_id() < warp_vertices && first + lane_id() < size;
        const std::uint32_t slot = has_vertex ? __ldcg(vertices + first + lane_id()) : 0;
        const ListPlace list = has_vertex ? view_.graph.lists[slot] : ListPlace{};
        const Improved improved = has_vertex ? leave_queue(slot) : Improved{Distance::kInfinity, false};
        if (improved.is_first) settled_arcs_ += list.degree();
        reached_.append(improved.is_first, slot);
        append_long_list(has_vertex, {list, slot, improved.distance, 0, improved.is_first, 0});
    }

    /// Four lanes visit each vertex for which `has_vertex` is set. The distance of these vertices
    /// has become smaller, so that they start at the first arc. All lanes call.
    __device__ void visit_improved(const bool (&has_vertex)[kBatch], const std::uint32_t (&slot)[kBatch])
    {
        Visit visits[kBatch];
        ArcEnd arc_ends[kBatch];
#pragma unroll
        for (std::uint32_t k = 0; k < kBatch; ++k) {
            const Improved improved =
                has_vertex[k] && is_leader() ? leave_queue(slot[k]) : Improved{Distance::kInfinity, false};
            const Arc arc = has_vertex[k]
                                ? load(view_.graph.heads + std::uint64_t{slot[k]} * kHeadArcs + lane_id() % kQuad)
                                : Arc{0, Distance::kInfinity};
            Visit& visit = visits[k];
            visit.list = has_vertex[k] ? view_.graph.lists[slot[k]] : ListPlace{};
            visit.slot = slot[k];
            visit.distance = __shfl_sync(kAllLanes, improved.distance, static_cast<int>(lane_id() / kQuad * kQuad));
            visit.place = 0;
            visit.end_distance = has_vertex[k] ? Distance::sum(visit.distance, arc.weight) : Distance::kInfinity;
            visit.has_vertex = has_vertex[k];
            visit.is_first = improved.is_first;
            visit.joins = visit.is_first;
            arc_ends[k] = {arc.end, visit.end_distance};
        }
        relax(arc_ends, slot);
#pragma unroll
        for (std::uint32_t k = 0; k < kBatch; ++k) {
            if (visits[k].is_first) settled_arcs_ += visits[k].list.degree();
            end_visit(visits[k]);
        }
    }

    /// Four lanes visit a vertex that continues its list, if its distance has not changed. A vertex
    /// with kQueued set is visited as a member of a frontier; this function only keeps it among the
    /// waiting vertices. Otherwise two visits with different distances might store their progress,
    /// and the larger distance might be stored last. All lanes call.
    __device__ void visit_again(bool has_vertex, std::uint32_t slot)
    {
        const ulonglong2 state = has_vertex ? load_state(slot) : ulonglong2{PushState::kNothing, 0};
        const bool queued = has_vertex && (state.x & PushState::kQueued) != 0;
        waiting_.append(queued && is_leader(), slot);
        has_vertex = has_vertex && !queued;
        const ListPlace list = has_vertex ? view_.graph.lists[slot] : ListPlace{};
        const std::uint32_t distance = PushState::distance_of(state.x);
        const std::uint32_t place = (state.y >> 32) == distance ? static_cast<std::uint32_t>(state.y) : 0;
        const ArcEnd arc_ends[1] = {end_of(distance, list, place + lane_id() % kQuad)};
        const std::uint32_t slots[1] = {slot};
        relax(arc_ends, slots);
        end_visit({list, slot, distance, place, arc_ends[0].distance, has_vertex, false, true});
    }

    /// Ends the visit of a vertex after four lanes have relaxed its next four arcs. If all four
    /// arcs are below the limit, the list becomes a long list of the block.
    __device__ void end_visit(const Visit& visit)
    {
        const std::uint32_t quad_begin = lane_id() / kQuad * kQuad;
        const std::uint32_t quad =
            (__ballot_sync(kAllLanes, visit.end_distance < limit_) >> quad_begin) & ((1U << kQuad) - 1);
        const auto count = static_cast<std::uint32_t>(__popc(quad));
        const std::uint32_t next =
            __shfl_sync(kAllLanes, visit.end_distance, static_cast<int>(quad_begin + count % kQuad));
        const std::uint32_t place = visit.place + count;
        const bool leads = visit.has_vertex && is_leader();
        const bool ends = place >= visit.list.degree();
        const bool goes_on = leads && count == kQuad && !ends;
        append_long_list(goes_on, {visit.list, visit.slot, visit.distance, place, visit.joins, 0});
        if (leads && !goes_on) store_progress(visit.slot, visit.distance, place, ends, next);
        reached_.append(visit.is_first, visit.slot);
        waiting_.append(leads && !goes_on && !ends && visit.joins, visit.slot);
    }

    // Defined in long_lists.cuh.
    __device__ void clear_long_lists();
    __device__ void append_long_list(bool wanted, const Stores::LongList& item);
    __device__ void make_room();
    __device__ void follow_long_lists();
    [[nodiscard]] __device__ std::uint32_t follow_by_groups(std::uint32_t count);
    __device__ void count_parts(Stores::LongList& item) const;
    [[nodiscard]] __device__ Part relax_part(const Stores::LongList& item, std::uint32_t place, std::uint32_t lanes);
    __device__ void end_list(bool leads, const Stores::LongList& item, const Part& part);

    /// Stores a vertex's place in its list and the distance at the end of the arc at this place.
    /// `ends`: the list has no further arc.
    __device__ void store_progress(std::uint32_t slot, std::uint32_t distance, std::uint32_t place, bool ends,
                                   std::uint32_t next)
    {
        __stcg(&view_.own.pushed[slot].progress, std::uint64_t{distance} << 32 | place);
        // A vertex whose list has ended is read at most once more.
        __stcg(&view_.own.pushed[slot].next_reach, ends ? 0 : next);
        if (ends) return;
        note_nearest(next);
        if (next == Distance::kInfinity) view_.summary->overflow = 1;
    }

    /// The end of the arc at a place of a list and the distance there. After the last arc, the
    /// distance is infinite.
    [[nodiscard]] __device__ ArcEnd end_of(std::uint32_t distance, const ListPlace& list, std::uint32_t place) const
    {
        if (place >= list.degree()) return {0, Distance::kInfinity};
        const Arc arc = load(view_.graph.list_arcs + list.begin() + place);
        return {arc.end, Distance::sum(distance, arc.weight)};
    }

    /// Each lane lowers the paths of the vertices that it found below the limit, and appends the
    /// improved vertices to a frontier, unless they are in one and not yet visited. `from`: slots
    /// at which the arcs begin. All lanes call.
    template <std::uint32_t Count>
    __device__ void relax(const ArcEnd (&arc_ends)[Count], const std::uint32_t (&from)[Count])
    {
        typename AllGpus::Place places[Count];
        bool improves[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            const bool below = arc_ends[k].distance < limit_;
            relaxed_ += below ? 1 : 0;
            places[k] = AllGpus::place(view_, arc_ends[k].column);
            const std::uint32_t before = below ? PushState::distance_of(__ldcg(&AllGpus::best(view_, places[k]))) : 0;
            improves[k] = arc_ends[k].distance < before;
        }
        // All atomic operations are issued before the first result is read.
        std::uint64_t path[Count];
        std::uint64_t before[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            path[k] = PushState::path(arc_ends[k].distance, AllGpus::column(view_, from[k]));
            before[k] = improves[k] ? AllGpus::lower(AllGpus::best(view_, places[k]), path[k]) : 0;
        }
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            const bool queues = path[k] < before[k] && !PushState::is_queued(before[k]);
            if constexpr (AllGpus::kSeveral) improved_ += queues ? 1 : 0;
            for (std::uint32_t owner = 0; owner < AllGpus::count(view_); ++owner)
                frontier(owner).append(queues && places[k].owner == owner, places[k].slot);
        }
    }

    [[nodiscard]] static __device__ Arc load(const Arc* arc)
    {
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(arc));
        return {words.x, words.y};
    }

    const SsspView& view_;
    PushStores<kReach>& stores_;
    Team team_;
    std::uint32_t limit_;
    std::uint32_t round_;
    std::uint32_t* own_frontier_;
    std::uint32_t* frontier_size_;
    BlockList<> waiting_, reached_;
    std::uint32_t nearest_ = ~0U;
    std::uint64_t settled_arcs_ = 0;
    std::uint32_t relaxed_ = 0;   // number of arcs that were relaxed
    std::uint32_t improved_ = 0;  // number of vertices that were queued; on several GPUs only
    bool is_full_ = false;        // whether the long lists of the next visits might find no room
};

}  // namespace wayfront::gpu::sssp
