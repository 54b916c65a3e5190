// The vertices of one GPU or of several GPUs, as the kernels of a search see them.
//
// Each vertex has an owner. The owner stores the vertex's list, its state in pushes and its parent,
// by slot. Arcs lead to columns, which number the vertices of all GPUs
// (gpu/graph/column_numbers.hpp); on one GPU, a column is a slot. Every GPU stores the bounds of
// all vertices but leaves, by column, so that pulls read only the memory of their own GPU.
//
// Reach::peers: a push changes the state of a vertex in its owner's memory, by atomic operations
// over NVLink. The owner stores the bounds of its vertices on all GPUs. A GPU that reads outdated
// bounds of another GPU's vertex finds a longer path, and reads the bounds again in the next pass.
// A barrier completes all stores.
//
// Reach::messages: a GPU keeps the shortest path that a step finds to another GPU's vertex in its
// own memory, and sends the path to the owner at the end of the step. The owner marks the vertices
// whose bounds it has changed, and sends these changes to the other GPUs.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// The change of a vertex that the other GPUs have to receive.
enum class Change {
    none,
    closed,   // upper and lower bound have become equal
    distance  // the upper bound has become smaller; both bounds may be equal
};

/// Access to the vertices of all GPUs. With Reach::single_gpu, all functions compile to plain
/// accesses.
template <Reach kReach>
struct Gpus
{
    static constexpr bool kSeveral = kReach != Reach::single_gpu;
    /// Upper limit of the numbers of owners. Peers: an owner's number is its rank. Messages: 0 is
    /// this GPU, 1 means all other GPUs.
    static constexpr std::uint32_t kMostOwners = kReach == Reach::peers ? kMaxPeers : kReach == Reach::messages ? 2 : 1;
    /// Whether the first pull publishes each bound at once. If not, the other GPUs request the
    /// bounds that they need.
    static constexpr bool kPublishesFirstPull = kReach != Reach::messages;

    /// The place of a vertex: its owner and its slot there. Messages: for another GPU's vertex,
    /// `slot` is its column.
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

    /// The column of a slot of this GPU.
    [[nodiscard]] static __device__ std::uint32_t column(const SsspView& view, std::uint32_t slot)
    {
        if constexpr (kSeveral) return view.graph.columns.column(view.graph.columns.rank, slot);
        return slot;
    }

    [[nodiscard]] static __device__ Place place(const SsspView& view, std::uint32_t column)
    {
        if constexpr (kReach == Reach::single_gpu) return {0, column};
        const std::uint32_t owner = view.graph.columns.owner_of(column);
        if constexpr (kReach == Reach::messages) {
            if (owner != view.graph.columns.rank) return {1, column};
            return {0, view.graph.columns.slot_of(column)};
        }
        return {owner, view.graph.columns.slot_of(column)};
    }

    /// The lists that contain an owner's vertices.
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

    /// Stores the bounds of the vertex at a column on this GPU, and on the peers if `change` is not
    /// none. Messages: the vertex belongs to this GPU, and a mark is set, so that the change is
    /// sent later. Between two barriers of the GPUs, a single thread block stores the bounds of a
    /// vertex, and barriers of the block order its threads. A store of 8 bytes is atomic.
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

    /// Appends an item of each lane for which `wanted` is set to a list of the item's owner.
    /// `list_of(lists)` and `size_of(lists)` return the list and its size. All lanes of a warp
    /// call.
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

    // Atomic operations on words that all GPUs change. Each returns the previous value.

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
