// Pulls: vertices look for their best arc in their own lists.
//
// All distances below the settled one are final. A vertex reads its arcs by ascending weight and
// ends at the first arc that cannot improve its distance, whatever the distance of the neighbour.
// Only the thread that pulls for a vertex writes its distance and parent.
//
// Besides its distance, which is an upper bound, a vertex has a lower bound: the shortest way that
// its neighbours' lower bounds allow. A vertex whose bounds are equal is final. The others are open
// and pull again, until none is left or nothing changes.
#pragma once

#include "gpu/sssp/block_list.cuh"
#include "gpu/sssp/distance.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu {

/// The lists that a step of pulls appends to.
struct PullStores
{
    BlockListStore open, unfinished;
};

template <typename Distance>
class Pull
{
public:
    /// `least`: no neighbour that matters is nearer. `settled`: distances below are final. `pass`:
    /// the number of the pass, whose open vertices are collected. All threads of a block call.
    __device__ Pull(const SsspView& view, PullStores& stores, std::uint32_t least, std::uint32_t settled, std::uint32_t pass, std::uint32_t& pulled)
        : view_(view),
          least_(least),
          settled_(settled),
          open_(stores.open, view.open[pass % 2], &view.sizes->open[pass % 3]),
          unfinished_(stores.unfinished, view.waiting[0], &view.sizes->unfinished),
          pulled_(pulled)
    {
        __syncthreads();
    }

    /// All vertices that are not settled take their first four arcs. Those that have to read on
    /// become unfinished.
    __device__ void visit_all()
    {
        constexpr int each = 2;                         // vertices of a lane at a time
        const std::uint32_t slots = view_.graph.slots;  // a multiple of 64
        for (std::uint64_t i = each * (spread_index() - lane_id()); i < slots; i += each * index_stride()) {
            std::uint32_t slot[each];
            std::uint32_t distance[each];
            ListPlace list[each];
#pragma unroll
            for (int k = 0; k < each; ++k) {
                slot[k] = static_cast<std::uint32_t>(i) + 32 * k + lane_id();
                distance[k] = __ldcg(view_.distances + slot[k]);
                list[k] = view_.graph.lists[slot[k]];
            }
            Arc four[each][4];
#pragma unroll
            for (int k = 0; k < each; ++k)
                load_four(distance[k] >= settled_ && list[k].degree() > 0, view_.graph.list_arcs + list[k].begin(), four[k]);
            Bounds bounds[each];
#pragma unroll
            for (int k = 0; k < each; ++k) bounds[k] = Bounds::of(distance[k]);
#pragma unroll
            for (int half = 0; half < 4; half += 2) {
                std::uint32_t there[each][2];
#pragma unroll
                for (int k = 0; k < each; ++k) {
                    there[k][0] = load_distance(four[k][half], bounds[k]);
                    there[k][1] = load_distance(four[k][half + 1], bounds[k]);
                }
#pragma unroll
                for (int k = 0; k < each; ++k) {
                    take(four[k][half], there[k][0], settled_, bounds[k]);
                    take(four[k][half + 1], there[k][1], settled_, bounds[k]);
                }
            }
#pragma unroll
            for (int k = 0; k < each; ++k) {
                const bool wanted = distance[k] >= settled_;
                const bool reads_on = list[k].degree() > 4 && could_improve(bounds[k].upper, four[k][3].weight);
                if (wanted) store(slot[k], distance[k], bounds[k]);
                unfinished_.append(wanted && reads_on, slot[k]);
                open_.append(wanted && !reads_on && bounds[k].is_open(), slot[k]);
            }
        }
    }

    /// Unfinished vertices read on.
    __device__ void visit_unfinished(std::uint32_t size)
    {
        for_each(view_.waiting[0], size, [&](bool wanted, std::uint32_t slot) { visit(wanted, slot, 4, wanted ? __ldcg(view_.lower + slot) : 0); });
    }

    /// Open vertices pull again.
    __device__ void visit_open(const std::uint32_t* open, std::uint32_t size)
    {
        for_each(open, size, [&](bool wanted, std::uint32_t slot) { visit(wanted, slot, 0, Distance::kInfinity); });
    }

    [[nodiscard]] __device__ SsspCounts finish()
    {
        open_.flush();
        unfinished_.flush();
        SsspCounts counts = SsspCounts::none();
        if (nearest_ != ~0U) counts.nearest = nearest_;
        counts.changed = changed_;
        return counts;
    }

private:
    static constexpr std::uint32_t kSerialArcs = 16;  // that a lane reads alone

    struct Bounds
    {
        std::uint32_t upper;   // the distance
        std::uint32_t parent;  // if the distance has become smaller
        std::uint32_t lower;   // of what neighbours that are not final may lead to; infinity if there are none

        [[nodiscard]] static __device__ Bounds of(std::uint32_t distance) { return {distance, 0, Distance::kInfinity}; }
        [[nodiscard]] __device__ bool is_open() const { return lower < upper; }
    };

    template <typename F>
    __device__ void for_each(const std::uint32_t* list, std::uint32_t size, F&& f)
    {
        const std::uint32_t rounded = (size + 31) / 32 * 32;
        for (std::uint64_t i = spread_index(); i < rounded; i += index_stride()) f(i < size, i < size ? __ldcg(list + i) : 0);
    }

    /// Each lane pulls for its vertex, if it is wanted, from an arc on; `lower` is what the arcs
    /// before have left of the lower bound. All lanes call.
    __device__ void visit(bool wanted, std::uint32_t slot, std::uint32_t place, std::uint32_t lower)
    {
        const std::uint32_t distance = wanted ? __ldcg(view_.distances + slot) : 0;
        const ListPlace list = wanted ? view_.graph.lists[slot] : ListPlace{};
        const Arc* const arcs = view_.graph.list_arcs + list.begin();
        Bounds bounds = Bounds::of(distance);
        bounds.lower = lower;
        bool more = place < list.degree();
        for (std::uint32_t end = place + kSerialArcs; __any_sync(kAllLanes, more && place < end);) {
            const bool now = more && place < end;
            Arc four[4];
            std::uint32_t there[4];
            load_four(now, arcs + place, four);
#pragma unroll
            for (int k = 0; k < 4; ++k) there[k] = load_distance(four[k], bounds);
#pragma unroll
            for (int k = 0; k < 4; ++k) take(four[k], there[k], lower_bound(four[k], there[k], bounds), bounds);
            if (!now) continue;
            place += 4;
            more = place < list.degree() && could_improve(bounds.upper, four[3].weight);
        }
        for (std::uint32_t lanes = __ballot_sync(kAllLanes, more); lanes != 0; lanes &= lanes - 1)
            follow(__ffs(static_cast<int>(lanes)) - 1, arcs, list.degree(), place, bounds);
        if (wanted) store(slot, distance, bounds);
        open_.append(wanted && bounds.is_open(), slot);
    }

    /// The whole warp goes on with the list of one lane's vertex, 32 arcs at a time.
    __device__ void follow(int lane, const Arc* arcs, std::uint32_t degree, std::uint32_t place, Bounds& bounds)
    {
        const std::uint32_t count = __shfl_sync(kAllLanes, degree, lane);
        const Arc* const list = reinterpret_cast<const Arc*>(__shfl_sync(kAllLanes, reinterpret_cast<unsigned long long>(arcs), lane));
        Bounds own = Bounds::of(__shfl_sync(kAllLanes, bounds.upper, lane));
        bool more = true;
        for (std::uint32_t at = __shfl_sync(kAllLanes, place, lane) + lane_id(); more; at += 32) {
            const Arc arc = at < count ? load(list + at) : Arc{0, Distance::kInfinity};
            const bool could = could_improve(own.upper, arc.weight);
            const std::uint32_t there = load_distance(arc, own);
            const std::uint32_t before = own.upper;
            take(arc, there, lower_bound(arc, there, own), own);
            const std::uint32_t upper = __reduce_min_sync(kAllLanes, own.upper);
            if (upper < before) {
                const std::uint32_t winners = __ballot_sync(kAllLanes, own.upper == upper);
                const std::uint32_t parent = __shfl_sync(kAllLanes, own.parent, __ffs(static_cast<int>(winners)) - 1);
                own = {upper, parent, own.lower};
            }
            more = __all_sync(kAllLanes, could);
        }
        const std::uint32_t lower = __reduce_min_sync(kAllLanes, own.lower);
        if (static_cast<int>(lane_id()) != lane) return;
        if (own.upper < bounds.upper) bounds = {own.upper, own.parent, bounds.lower};
        bounds.lower = lower < bounds.lower ? lower : bounds.lower;
    }

    /// Stores what a pull has found for a vertex.
    __device__ void store(std::uint32_t slot, std::uint32_t before, const Bounds& bounds)
    {
        __stcg(view_.lower + slot, bounds.lower < bounds.upper ? bounds.lower : bounds.upper);
        if (bounds.upper >= before) return;
        __stcg(view_.parents + slot, bounds.parent);
        __stcg(view_.distances + slot, bounds.upper);
        ++changed_;
        nearest_ = bounds.upper < nearest_ ? bounds.upper : nearest_;
    }

    [[nodiscard]] __device__ bool could_improve(std::uint32_t distance, std::uint32_t weight) const
    {
        return Distance::sum(least_, weight) < distance;
    }

    /// The distance of the neighbour, if the arc could improve the upper bound; else infinity.
    [[nodiscard]] __device__ std::uint32_t load_distance(const Arc& arc, const Bounds& bounds)
    {
        if (!could_improve(bounds.upper, arc.weight)) return Distance::kInfinity;
        ++pulled_;
        return __ldcg(view_.distances + arc.slot);
    }

    /// The neighbour's lower bound, if it matters; at least that of all vertices that are not
    /// settled.
    [[nodiscard]] __device__ std::uint32_t lower_bound(const Arc& arc, std::uint32_t there, const Bounds& bounds) const
    {
        const bool matters = there >= settled_ && Distance::sum(settled_, arc.weight) < bounds.upper;
        const std::uint32_t lower = matters ? __ldcg(view_.lower + arc.slot) : settled_;
        return lower > settled_ ? lower : settled_;
    }

    /// Takes an arc whose end is at distance `there` and has the lower bound `lower`.
    __device__ void take(const Arc& arc, std::uint32_t there, std::uint32_t lower, Bounds& bounds)
    {
        const std::uint32_t length = Distance::sum(there, arc.weight);
        if (length == Distance::kInfinity && there != Distance::kInfinity) view_.summary->overflow = 1;
        if (length < bounds.upper) {
            bounds.upper = length;
            bounds.parent = arc.slot;
        }
        if (there < settled_) return;
        const std::uint32_t low = Distance::sum(lower, arc.weight);
        bounds.lower = low < bounds.lower ? low : bounds.lower;
    }

    [[nodiscard]] static __device__ Arc load(const Arc* arc)
    {
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(arc));
        return {words.x, words.y};
    }

    /// Loads four arcs, which are one sector, if they are wanted; else arcs that improve nothing.
    static __device__ void load_four(bool wanted, const Arc* arcs, Arc (&four)[4])
    {
        constexpr uint4 none{0, Distance::kInfinity, 0, Distance::kInfinity};
        const uint4 first = wanted ? __ldcs(reinterpret_cast<const uint4*>(arcs)) : none;
        const uint4 second = wanted ? __ldcs(reinterpret_cast<const uint4*>(arcs) + 1) : none;
        four[0] = {first.x, first.y};
        four[1] = {first.z, first.w};
        four[2] = {second.x, second.y};
        four[3] = {second.z, second.w};
    }

    const SsspView& view_;
    std::uint32_t least_;
    std::uint32_t settled_;
    BlockList open_, unfinished_;
    std::uint32_t& pulled_;
    std::uint32_t nearest_ = ~0U;
    std::uint32_t changed_ = 0;
};

}  // namespace wayfront::gpu
