// Pulls: vertices look for their best arc in their own lists of in-arcs.
//
// `settled` is a distance below which all distances are final. A vertex reads its arcs by ascending
// weight, and stops at the first arc that cannot improve its distance for any possible distance of
// the neighbour. Only the thread that pulls for a vertex writes its distance and parent. Leaves,
// which have one arc, do not pull, and no vertex pulls along an arc to a leaf: a path through a
// leaf returns to its neighbour or ends in the leaf.
//
// The distance of a vertex is an upper bound. Its lower bound is the length of the shortest path
// that its neighbours' lower bounds allow. A vertex whose bounds are equal is final. The other
// vertices are open. Open vertices pull again until no vertex is open or no distance changes. While
// nothing is known of a vertex, its lightest arcs give its lower bound (lightest_arcs.hpp).
#pragma once

#include "gpu/sssp/arc_bounds.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/gpus.cuh"
#include "gpu/sssp/segment.cuh"
#include "gpu/sssp/single_vertices.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The shared memory of a thread block in pulls. The distances of the hubs follow this struct in
/// shared memory. Hubs are the first columns. A large part of all arcs leads to hubs, since slots
/// are numbered by descending degree.
struct PullStores : PullSizes
{
    [[nodiscard]] __device__ std::uint32_t* hub_distances() { return reinterpret_cast<std::uint32_t*>(this + 1); }
    /// The shared memory of pushes of single vertices. It overlaps the distances of the hubs, which
    /// only the first pull needs.
    [[nodiscard]] __device__ SingleVertices& single_vertices() { return *reinterpret_cast<SingleVertices*>(this + 1); }
};

/// The slots of the block's vertices that a pass has improved. The first pass does not collect
/// them.
[[nodiscard]] __device__ inline Segment<std::uint32_t> improved_vertices(const SsspView& view, PullStores& stores)
{
    return {view.reached, view.segment, stores.improved};
}

/// A pass of pulls, as a thread sees it. A GPU pulls for its own vertices, and reads bounds in its
/// own memory only.
template <typename Distance, Reach kReach>
class Pull
{
public:
    /// `pass`: number of the pass whose open vertices are collected. All threads of a block call.
    __device__ Pull(const SsspView& view, PullStores& stores, const PullLimits& limits, std::uint32_t pass,
                    std::uint32_t& pulled)
        : view_(view),
          stores_(stores),
          bounds_(view, limits, pulled),
          is_first_pass_(pass == 0),
          last_open_(view.open[(pass + 1) % 2], view.segment, stores.open[(pass + 1) % 2]),
          open_(view.open[pass % 2], view.segment, stores.open[pass % 2]),
          last_listed_(view.listed[(pass + 1) % 2], view.segment, stores.listed[(pass + 1) % 2]),
          listed_(view.listed[pass % 2], view.segment, stores.listed[pass % 2]),
          unfinished_(reinterpret_cast<uint2*>(view.open[1]), view.segment, stores.unfinished)
    {
    }

    /// Begins a pass: empties the lists of open and improved vertices. All threads of a block call.
    __device__ void begin()
    {
        open_.clear();
        listed_.clear();
        improved().clear();
        __syncthreads();
    }

    /// The first pass, or a part of it: all vertices at these slots that are not settled pull. The
    /// slots have no leaves. The bounds of neighbours at smaller slots are often known already,
    /// since most arcs lead to vertices of larger degree.
    __device__ void visit_all(const SlotRange& slots)
    {
        unfinished_.clear();
        load_hubs();
        visit_heads(slots);
        __syncthreads();
        const std::uint32_t count = unfinished_.count();
        for (std::uint32_t first = threadIdx.x - lane_id(); first < count; first += blockDim.x) {
            const bool wanted = first + lane_id() < count;
            const uint2 item = wanted ? __ldcg(unfinished_.items() + first + lane_id()) : uint2{0, 0};
            const std::uint32_t slot = item.x;
            const std::uint32_t distance = wanted ? bounds_.load_upper(column(slot)) : 0;
            Result result{distance, 0, item.y};
            read_further_arcs(wanted, slot, result);
            if (wanted) store(slot, distance, result);
            append_listed(wanted && result.is_open(), slot);
        }
    }

    /// The open vertices of this block pull again: first the vertices with an OpenVertex record,
    /// then the vertices that read their lists. The two kinds are in separate lists, since a warp
    /// is as slow as its slowest lane.
    __device__ void visit_open()
    {
        const std::uint32_t open = last_open_.count();
        std::uint32_t place = threadIdx.x;
        OpenVertex next = load_open(place);
        for (; place - lane_id() < open; place += blockDim.x) {
            const OpenVertex vertex = next;
            next = load_open(place + blockDim.x);
            const OpenVertex remaining = place < open ? pull_by_record(vertex) : record(0, 0);
            append_open(remaining.arcs[0].weight != Distance::kInfinity, remaining);
            improved().append(place < open && remaining.distance < vertex.distance, remaining.slot);
        }
        const std::uint32_t listed = last_listed_.count();
        for (place = threadIdx.x; place - lane_id() < listed; place += blockDim.x) {
            const bool wanted = place < listed;
            const std::uint32_t slot = wanted ? __ldcg(last_listed_.items() + place) : 0;
            const std::uint32_t distance = wanted ? bounds_.load_upper(column(slot)) : 0;
            Arc four[kHeadArcs];
            load_four<Distance>(wanted, head(slot), four);
            Result result = Result::of(distance);
            bounds_.apply_four(four, result);
            read_further_arcs(wanted && bounds_.could_improve(result.upper, four[kHeadArcs - 1].weight), slot, result);
            if (wanted) store(slot, distance, result);
            append_listed(wanted && result.is_open(), slot);
            improved().append(wanted && result.upper < distance, slot);
        }
    }

    /// Calls f(arc) for the arcs by which the next pass may improve the vertices that the last pass
    /// has left open. A warp reads each vertex of `listed`. Pre: this object has the number of the
    /// next pass.
    template <typename F>
    __device__ void for_arcs_of_open(F&& f)
    {
        const std::uint32_t open = last_open_.count();
        for (std::uint32_t place = threadIdx.x; place < open; place += blockDim.x) {
            const OpenVertex vertex = load_open(place);
#pragma unroll
            for (const Arc& arc : vertex.arcs)
                if (arc.weight != Distance::kInfinity) f(arc);
        }
        const std::uint32_t listed = last_listed_.count();
        for (std::uint32_t place = threadIdx.x / 32; place < listed; place += blockDim.x / 32) {
            const std::uint32_t slot = __ldcg(last_listed_.items() + place);
            const std::uint32_t distance = bounds_.load_upper(column(slot));
            const ListPlace list = view_.graph.in.lists[slot];
            bool more = true;
            for (std::uint32_t at = lane_id(); more; at += 32) {
                const Arc arc = at < list.degree() ? load_arc(view_.graph.in.list_arcs + list.begin() + at)
                                                   : Arc{0, Distance::kInfinity};
                const bool lane_could_improve = bounds_.could_improve(distance, arc.weight);
                if (lane_could_improve && !bounds_.is_leaf(arc) &&
                    bounds_.may_improve(arc, bounds_.load_bounds(arc), distance))
                    f(arc);
                more = __all_sync(kAllLanes, lane_could_improve);
            }
        }
    }

    [[nodiscard]] __device__ PullCounts finish()
    {
        PullCounts counts;
        if (nearest_ != ~0U) counts.nearest = nearest_;
        counts.open = opened_;
        counts.improved = improved_;
        return counts;
    }

private:
    static constexpr std::uint32_t kSerialArcs = 16;  // number of arcs after the head that a single lane reads

    using Result = PullResult<Distance>;

    /// The distance and the head of a vertex in the first pull.
    struct Head
    {
        std::uint32_t distance;
        Arc arcs[kHeadArcs];
    };

    [[nodiscard]] __device__ std::uint32_t column(std::uint32_t slot) const
    {
        return Gpus<kReach>::column(view_, slot);
    }
    [[nodiscard]] __device__ const Arc* head(std::uint32_t slot) const
    {
        return view_.graph.in.heads + std::uint64_t{slot} * kHeadArcs;
    }

    [[nodiscard]] __device__ Segment<std::uint32_t> improved() const
    {
        return improved_vertices(view_, stores_);
    }

    [[nodiscard]] static __device__ OpenVertex record(std::uint32_t slot, std::uint32_t distance)
    {
        constexpr Arc none{0, Distance::kInfinity};
        return {slot, distance, {none, none, none}};
    }

    __device__ void append_open(bool wanted, const OpenVertex& vertex)
    {
        open_.append(wanted, vertex);
        opened_ += wanted ? 1 : 0;
    }

    __device__ void append_listed(bool wanted, std::uint32_t slot)
    {
        listed_.append(wanted, slot);
        opened_ += wanted ? 1 : 0;
    }

    __device__ void load_hubs()
    {
        hubs_ = view_.hubs < view_.first_leaf_column ? view_.hubs : view_.first_leaf_column;
        constexpr std::uint32_t in_flight = 8;  // hubs whose loads are in flight together
        for (std::uint32_t first = threadIdx.x; first < hubs_; first += in_flight * blockDim.x) {
            std::uint32_t distances[in_flight];
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) {
                const std::uint32_t column = first + k * blockDim.x;
                distances[k] = column < hubs_ ? bounds_.load_upper(column) : 0;
            }
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) {
                const std::uint32_t column = first + k * blockDim.x;
                if (column < hubs_) stores_.hub_distances()[column] = distances[k];
            }
        }
        __syncthreads();
    }

    /// All vertices that are not settled pull along their heads. Vertices that have to read further
    /// arcs are appended to `unfinished`. A lane loads its next vertex before it waits for the
    /// distances of the current vertex's neighbours.
    __device__ void visit_heads(const SlotRange& slots)
    {
        static_assert(kHeadArcs == 4);
        const auto stride = static_cast<std::uint32_t>(index_stride());
        // The number of slots is a multiple of 32.
        auto slot = slots.first + static_cast<std::uint32_t>(spread_index());
        Head next = load_head(slot, slots.end);
        for (; slot < slots.end; slot += stride) {
            const Head vertex = next;
            next = load_head(slot + stride, slots.end);
            const bool wanted = vertex.distance >= bounds_.settled();
            Result result = Result::of(vertex.distance);
            // Arcs to hubs come first: they need no read from device memory, and may make other
            // reads unnecessary.
            DistanceBounds ends[kHeadArcs];
            bool reads[kHeadArcs];
#pragma unroll
            for (std::uint32_t k = 0; k < kHeadArcs; ++k) {
                const Arc& arc = vertex.arcs[k];
                const bool is_hub = arc.end < hubs_;
                reads[k] = wanted && !is_hub && !bounds_.is_leaf(arc);
                ends[k] = {Distance::kInfinity, bounds_.is_leaf(arc) ? Distance::kInfinity : 0};
                if (is_hub && wanted && bounds_.could_improve(result.upper, arc.weight)) {
                    bounds_.count_pull();
                    ends[k].upper = stores_.hub_distances()[arc.end];
                    bounds_.apply(arc, ends[k], result);
                }
            }
#pragma unroll
            for (std::uint32_t k = 0; k < kHeadArcs; ++k) {
                reads[k] = reads[k] && bounds_.could_improve(result.upper, vertex.arcs[k].weight);
                if (!reads[k]) continue;
                bounds_.count_pull();
                ends[k] = bounds_.load_bounds(vertex.arcs[k]);
            }
#pragma unroll
            for (std::uint32_t k = 0; k < kHeadArcs; ++k)
                if (reads[k]) bounds_.apply(vertex.arcs[k], ends[k], result);
            const bool reads_further = wanted && bounds_.could_improve(result.upper, vertex.arcs[kHeadArcs - 1].weight);
            const std::uint32_t lower = result.lower;
            if (reads_further) result.lower = 0;  // only some arcs have contributed to this lower bound
            if (wanted) store(slot, vertex.distance, result, !reads_further);
            if (wanted && result.upper == Distance::kInfinity) note_overflow(slot, vertex.arcs[0]);
            OpenVertex open = record(slot, result.upper);
            std::uint32_t count = 0;
#pragma unroll
            for (std::uint32_t k = 0; k < kHeadArcs; ++k)
                keep(wanted && !reads_further && bounds_.may_improve(vertex.arcs[k], ends[k], result.upper),
                     vertex.arcs[k], open, count);
            unfinished_.append(reads_further, uint2{slot, lower});
            append_open(count > 0 && count <= OpenVertex::kArcs, open);
            append_listed(count > OpenVertex::kArcs, slot);
        }
    }

    /// The vertex at a slot. After the last slot, a settled vertex, which does not pull.
    [[nodiscard]] __device__ Head load_head(std::uint32_t slot, std::uint32_t end) const
    {
        const bool has_slot = slot < end;
        Head vertex;
        vertex.distance = has_slot ? bounds_.load_upper(column(slot)) : 0;
        load_four<Distance>(has_slot, head(slot), vertex.arcs);
        return vertex;
    }

    /// The record at a place of the last pass's list of open vertices. After the end of the list, a
    /// record without arcs.
    [[nodiscard]] __device__ OpenVertex load_open(std::uint32_t place) const
    {
        if (place >= last_open_.count()) return record(0, 0);
        const auto* const words = reinterpret_cast<const uint4*>(last_open_.items() + place);
        const uint4 first = __ldcg(words);
        const uint4 second = __ldcg(words + 1);
        return {first.x, first.y, {{first.z, first.w}, {second.x, second.y}, {second.z, second.w}}};
    }

    /// If `wanted`, stores an arc as entry `count` of the record, if there is room, and counts the
    /// arc.
    static __device__ void keep(bool wanted, const Arc& arc, OpenVertex& open, std::uint32_t& count)
    {
#pragma unroll
        for (std::uint32_t k = 0; k < OpenVertex::kArcs; ++k)
            if (wanted && count == k) open.arcs[k] = arc;
        count += wanted ? 1 : 0;
    }

    /// A lane pulls for a vertex along the arcs of its record. Returns the record with the arcs
    /// that may still improve the vertex.
    [[nodiscard]] __device__ OpenVertex pull_by_record(const OpenVertex& vertex)
    {
        constexpr std::uint32_t arcs = OpenVertex::kArcs;
        Result result = Result::of(vertex.distance);
        DistanceBounds ends[arcs];
#pragma unroll
        for (std::uint32_t k = 0; k < arcs; ++k) ends[k] = bounds_.load_end(vertex.arcs[k], result);
#pragma unroll
        for (std::uint32_t k = 0; k < arcs; ++k) bounds_.apply(vertex.arcs[k], ends[k], result);
        store(vertex.slot, vertex.distance, result);
        OpenVertex remaining = record(vertex.slot, result.upper);
        std::uint32_t count = 0;
#pragma unroll
        for (std::uint32_t k = 0; k < arcs; ++k)
            keep(bounds_.may_improve(vertex.arcs[k], ends[k], result.upper), vertex.arcs[k], remaining, count);
        return remaining;
    }

    /// Notes an overflow if the vertex was not reached and its lightest arc is too heavy for any
    /// sum: the pull has then read no distance of a neighbour, and a neighbour may be reached. A
    /// head without arcs leads to the vertex's own column.
    __device__ void note_overflow(std::uint32_t slot, const Arc& lightest) const
    {
        if (Distance::kOverflows && lightest.end != column(slot) &&
            Distance::sum(bounds_.least(), lightest.weight) == Distance::kInfinity)
            view_.summary->overflow = 1;
    }

    /// Each lane with `wanted` set pulls along the arcs after the head of its vertex. All lanes
    /// call.
    __device__ void read_further_arcs(bool wanted, std::uint32_t slot, Result& result)
    {
        const ListPlace list = wanted ? view_.graph.in.lists[slot] : ListPlace{};
        const Arc* const arcs = view_.graph.in.list_arcs + list.begin();
        std::uint32_t place = kHeadArcs;
        bool more = place < list.degree();
        for (const std::uint32_t end = place + kSerialArcs; __any_sync(kAllLanes, more && place < end);) {
            const bool reads_four = more && place < end;
            Arc four[4];
            load_four<Distance>(reads_four, arcs + place, four);
            bounds_.apply_four(four, result);
            if (!reads_four) continue;
            place += 4;
            more = place < list.degree() && bounds_.could_improve(result.upper, four[3].weight);
        }
        for (std::uint32_t lanes = __ballot_sync(kAllLanes, more); lanes != 0; lanes &= lanes - 1)
            follow(__ffs(static_cast<int>(lanes)) - 1, arcs, list.degree(), place, result);
    }

    /// The whole warp continues the list of one lane's vertex, 32 arcs at a time.
    __device__ void follow(int lane, const Arc* arcs, std::uint32_t degree, std::uint32_t place, Result& result)
    {
        const std::uint32_t count = __shfl_sync(kAllLanes, degree, lane);
        const Arc* const list =
            reinterpret_cast<const Arc*>(__shfl_sync(kAllLanes, reinterpret_cast<unsigned long long>(arcs), lane));
        Result lane_result = Result::of(__shfl_sync(kAllLanes, result.upper, lane));
        bool more = true;
        for (std::uint32_t at = __shfl_sync(kAllLanes, place, lane) + lane_id(); more; at += 32) {
            const Arc arc = at < count ? load_arc(list + at) : Arc{0, Distance::kInfinity};
            const bool lane_could_improve = bounds_.could_improve(lane_result.upper, arc.weight);
            const DistanceBounds end_bounds = bounds_.load_end(arc, lane_result);
            const std::uint32_t before = lane_result.upper;
            bounds_.apply(arc, end_bounds, lane_result);
            const std::uint32_t upper = __reduce_min_sync(kAllLanes, lane_result.upper);
            if (upper < before) {
                const std::uint32_t winners = __ballot_sync(kAllLanes, lane_result.upper == upper);
                const std::uint32_t parent =
                    __shfl_sync(kAllLanes, lane_result.parent, __ffs(static_cast<int>(winners)) - 1);
                lane_result = {upper, parent, lane_result.lower};
            }
            more = __all_sync(kAllLanes, lane_could_improve);
        }
        const std::uint32_t lower = __reduce_min_sync(kAllLanes, lane_result.lower);
        if (static_cast<int>(lane_id()) != lane) return;
        if (lane_result.upper < result.upper) result = {lane_result.upper, lane_result.parent, result.lower};
        result.lower = lower < result.lower ? lower : result.lower;
    }

    /// The change that store() publishes to the other GPUs.
    [[nodiscard]] __device__ Change change(bool improved, bool is_open, bool is_last) const
    {
        if (is_first_pass_ && !Gpus<kReach>::kPublishesFirstPull) return Change::none;
        if (improved || (is_first_pass_ && is_last)) return Change::distance;
        return is_open ? Change::none : Change::closed;
    }

    /// Stores the result of a pull for a vertex. First pass over peers: the vertex's last store
    /// publishes the bounds to all GPUs in any case, since LightestArcs are a valid bound for the
    /// smallest distance of the first pass only. Later passes: a new lower bound alone is not
    /// published. A vertex of another GPU may then pull once more in vain, but its result is still
    /// correct.
    __device__ void store(std::uint32_t slot, std::uint32_t before, const Result& result, bool is_last = true)
    {
        const bool improved = result.upper < before;
        StoredBounds stored = StoredBounds::open(result.upper, result.lower);
        if (!result.is_open())
            stored = improved ? StoredBounds::final(result.upper, result.parent)
                              : StoredBounds{result.upper, StoredBounds::kParentElsewhere};
        else if (improved)
            __stcg(view_.own.parents + slot, result.parent);
        Gpus<kReach>::publish(view_, column(slot), stored, change(improved, result.is_open(), is_last));
        if (!improved) return;
        ++improved_;
        nearest_ = result.upper < nearest_ ? result.upper : nearest_;
    }

    const SsspView& view_;
    PullStores& stores_;
    ArcBounds<Distance> bounds_;
    bool is_first_pass_;
    std::uint32_t hubs_ = 0;
    Segment<OpenVertex> last_open_, open_;
    Segment<std::uint32_t> last_listed_, listed_;
    Segment<uint2> unfinished_;  // slots, with the lower bounds that follow from the arcs of their heads
    std::uint32_t nearest_ = ~0U;
    std::uint32_t improved_ = 0;  // number of improvements by this thread
    std::uint32_t opened_ = 0;    // number of vertices that this thread leaves open
};

}  // namespace wayfront::gpu::sssp
