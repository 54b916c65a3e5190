// The vertices of one GPU or of several, as the kernels of a search see them.
//
// Each vertex has an owner, which has its list, its state in pushes and its parent by slot. Arcs
// lead to columns, which number the vertices of all GPUs (gpu/graph/column_numbers.hpp); on one GPU
// a column is a slot. Every GPU has the bounds of all vertices but leaves, by column, so that pulls
// read their own memory alone.
//
// Peers: a push changes the state of a vertex in its owner's memory, by atomic operations over
// NVLink, and an owner stores the bounds of its vertices on all GPUs. A GPU that reads old bounds of
// another's vertex finds a longer path, and looks again in the next pass; at a barrier all stores have
// arrived.
//
// Messages: a GPU keeps the shortest path that a step finds to another's vertex in its own memory,
// and offers it to the owner at the end of the step. An owner marks the vertices whose bounds it has
// changed, and tells the others.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// What the other GPUs are to learn of a vertex.
enum class Change {
    none,
    closed,   // its bounds are equal now
    distance  // its upper bound is smaller, and its bounds may be equal
};

/// In kernels for one GPU all of this costs nothing.
template <Reach kReach>
struct Gpus
{
    static constexpr bool kSeveral = kReach != Reach::alone;
    /// The numbers of owners are below: ranks; with messages 0 for this GPU, and 1 for all others.
    static constexpr std::uint32_t kMostOwners = kReach == Reach::peers ? kMaxPeers : kReach == Reach::messages ? 2 : 1;
    /// Whether the first pull publishes bounds one by one. If not, other GPUs request those that they need.
    static constexpr bool kPublishesFirstPull = kReach != Reach::messages;

    /// The place of a vertex: its owner, and its slot there; with messages, of another GPU's vertex its
    /// column.
    struct Place
    {
        std::uint32_t owner;
        std::uint32_t slot;
    };

    /// The number of owners.
    [[nodiscard]] static __device__ std::uint32_t count(const SsspView& view)
    {
        return kReach == Reach::peers ? view.graph.columns.ranks : kMostOwners;
    }

    /// The column of an own slot.
    [[nodiscard]] static __device__ std::uint32_t column(const SsspView& view, std::uint32_t slot)
    {
        if constexpr (kSeveral) return view.graph.columns.column(view.graph.columns.rank, slot);
        return slot;
    }

    [[nodiscard]] static __device__ Place place(const SsspView& view, std::uint32_t column)
    {
        if constexpr (kReach == Reach::alone) return {0, column};
        const std::uint32_t owner = view.graph.columns.owner_of(column);
        if constexpr (kReach == Reach::messages) {
            if (owner != view.graph.columns.rank) return {1, column};
            return {0, view.graph.columns.slot_of(column)};
        }
        return {owner, view.graph.columns.slot_of(column)};
    }

    /// The lists of an owner's vertices.
    [[nodiscard]] static __device__ const SsspPeer& lists_of(const SsspView& view, std::uint32_t owner)
    {
        if constexpr (kReach == Reach::peers) return view.peers[owner];
        if constexpr (kReach == Reach::messages) return owner == 0 ? view.own : view.messages.others;
        return view.own;
    }

    /// The shortest path to a vertex (PushState::best).
    [[nodiscard]] static __device__ std::uint64_t& best(const SsspView& view, const Place& place)
    {
        if constexpr (kReach == Reach::messages)
            return place.owner == 0 ? view.own.pushed[place.slot].best : view.messages.offers[place.slot];
        return lists_of(view, place.owner).pushed[place.slot].best;
    }

    /// Stores the bounds of the vertex at a column on this GPU, and on the others if these are to learn of the
    /// change; with messages, the vertex is this GPU's, and the others learn of it when changes are sent.
    /// Between two barriers of the GPUs, one block does so for a vertex, and its threads are
    /// ordered by its barriers. A store of 8 bytes is seen as a whole.
    static __device__ void publish(const SsspView& view, std::uint32_t column, const StoredBounds& bounds,
                                   Change change = Change::distance)
    {
        const uint2 words{bounds.upper, bounds.second};
        __stcg(reinterpret_cast<uint2*>(view.own.bounds + column), words);
        if constexpr (kReach == Reach::messages) {
            if (change == Change::none) return;
            const std::uint32_t mark = (bounds.is_final() ? ChangeMark::kClosed : 0) |
                                       (change == Change::distance ? ChangeMark::kDistance : 0);
            view.messages.changed[view.graph.columns.slot_of(column)] = static_cast<std::uint8_t>(mark);
        }
        if constexpr (kReach == Reach::peers) {
            if (change == Change::none) return;
            for (std::uint32_t peer = 0; peer < count(view); ++peer)
                if (peer != view.graph.columns.rank)
                    __stcg(reinterpret_cast<uint2*>(view.peers[peer].bounds + column), words);
        }
    }

    /// Adds an item of each lane that wants it to a list of each item's owner. `list_of(lists)` and
    /// `size_of(lists)` are the list and its size among an owner's lists. All lanes of a warp call.
    template <typename ListOf, typename SizeOf>
    static __device__ void append(const SsspView& view, bool wanted, const Place& place, ListOf&& list_of,
                                  SizeOf&& size_of)
    {
        for (std::uint32_t owner = 0; owner < count(view); ++owner) {
            const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted && place.owner == owner);
            if (lanes == 0) continue;
            const SsspPeer& lists = lists_of(view, owner);
            std::uint32_t at = 0;
            if (lane_id() == 0) at = add(size_of(lists), static_cast<std::uint32_t>(__popc(lanes)));
            at = __shfl_sync(kAllLanes, at, 0) + lanes_below(lanes);
            if (wanted && place.owner == owner) list_of(lists)[at] = place.slot;
        }
    }

    // Atomic operations on memory that all GPUs change. They return the word before.

    static __device__ std::uint64_t lower(std::uint64_t& word, std::uint64_t value)
    {
        auto* const at = reinterpret_cast<unsigned long long*>(&word);
        if constexpr (kReach == Reach::peers) return atomicMin_system(at, static_cast<unsigned long long>(value));
        return atomicMin(at, static_cast<unsigned long long>(value));
    }
    static __device__ std::uint64_t exchange(std::uint64_t& word, std::uint64_t value)
    {
        auto* const at = reinterpret_cast<unsigned long long*>(&word);
        if constexpr (kReach == Reach::peers) return atomicExch_system(at, static_cast<unsigned long long>(value));
        return atomicExch(at, static_cast<unsigned long long>(value));
    }
    static __device__ std::uint64_t keep_bits(std::uint64_t& word, std::uint64_t mask)
    {
        auto* const at = reinterpret_cast<unsigned long long*>(&word);
        if constexpr (kReach == Reach::peers) return atomicAnd_system(at, static_cast<unsigned long long>(mask));
        return atomicAnd(at, static_cast<unsigned long long>(mask));
    }
    static __device__ std::uint32_t add(std::uint32_t* word, std::uint32_t value)
    {
        if constexpr (kReach == Reach::peers) return atomicAdd_system(word, value);
        return atomicAdd(word, value);
    }
};

}  // namespace wayfront::gpu::sssp
