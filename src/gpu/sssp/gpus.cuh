// The vertices of one GPU or of several, as the kernel of the resident search sees them.
//
// Each vertex has an owner, which has its list, its state in pushes and its parent by slot. Arcs
// lead to columns, which number the vertices of all GPUs (gpu/graph/column_numbers.hpp); on one GPU
// a column is a slot. A push changes the state of a vertex in its owner's memory, by atomic
// operations over NVLink. Every GPU has the bounds of all vertices but leaves, by column, so that
// pulls read their own memory alone: an owner stores the bounds of its vertices on all GPUs. A GPU that reads
// old bounds of another's vertex finds a longer path, and looks again in the next pass; at a
// barrier all stores have arrived.
#pragma once

#include <cstdint>

#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// kSeveral: whether several GPUs search together. In kernels for one GPU all of this costs
/// nothing.
template <bool kSeveral>
struct Gpus
{
    /// The place of a vertex: its owner, and its slot there.
    struct Place
    {
        std::uint32_t owner;
        std::uint32_t slot;
    };

    [[nodiscard]] static __device__ std::uint32_t count(const SsspView& view)
    {
        return kSeveral ? view.graph.columns.ranks : 1;
    }

    /// The column of an own slot.
    [[nodiscard]] static __device__ std::uint32_t column(const SsspView& view, std::uint32_t slot)
    {
        if constexpr (kSeveral) return view.graph.columns.column(view.graph.columns.rank, slot);
        return slot;
    }

    [[nodiscard]] static __device__ Place place(const SsspView& view, std::uint32_t column)
    {
        if constexpr (kSeveral) return {view.graph.columns.owner_of(column), view.graph.columns.slot_of(column)};
        return {0, column};
    }

    [[nodiscard]] static __device__ const SsspPeer& owner(const SsspView& view, const Place& place)
    {
        if constexpr (kSeveral) return view.peers[place.owner];
        return view.own;
    }

    [[nodiscard]] static __device__ PushState& state(const SsspView& view, const Place& place)
    {
        return owner(view, place).pushed[place.slot];
    }

    /// Stores the bounds of the vertex at a column on this GPU, and on the others if `tells`.
    /// Between two barriers of the GPUs, one block does so for a vertex, and its threads are
    /// ordered by its barriers. A store of 8 bytes is seen as a whole.
    static __device__ void publish(const SsspView& view, std::uint32_t column, const StoredBounds& bounds,
                                   bool tells = true)
    {
        const uint2 words{bounds.upper, bounds.second};
        __stcg(reinterpret_cast<uint2*>(view.own.bounds + column), words);
        if constexpr (kSeveral) {
            if (!tells) return;
            for (std::uint32_t peer = 0; peer < count(view); ++peer)
                if (peer != view.graph.columns.rank)
                    __stcg(reinterpret_cast<uint2*>(view.peers[peer].bounds + column), words);
        }
    }

    /// Adds an item of each lane that wants it to a list of each item's owner. `list_of(peer)` and
    /// `size_of(peer)` are the list and its size in an owner's memory. All lanes of a warp call.
    template <typename ListOf, typename SizeOf>
    static __device__ void append(const SsspView& view, bool wanted, const Place& place, ListOf&& list_of,
                                  SizeOf&& size_of)
    {
        for (std::uint32_t gpu = 0; gpu < count(view); ++gpu) {
            const std::uint32_t lanes = __ballot_sync(kAllLanes, wanted && place.owner == gpu);
            if (lanes == 0) continue;
            const SsspPeer& peer = owner(view, {gpu, 0});
            std::uint32_t at = 0;
            if (lane_id() == 0) at = add(size_of(peer), static_cast<std::uint32_t>(__popc(lanes)));
            at = __shfl_sync(kAllLanes, at, 0) + lanes_below(lanes);
            if (wanted && place.owner == gpu) list_of(peer)[at] = place.slot;
        }
    }

    // Atomic operations on memory that all GPUs change. They return the word before.

    static __device__ std::uint64_t lower(std::uint64_t& word, std::uint64_t value)
    {
        auto* const at = reinterpret_cast<unsigned long long*>(&word);
        if constexpr (kSeveral) return atomicMin_system(at, static_cast<unsigned long long>(value));
        return atomicMin(at, static_cast<unsigned long long>(value));
    }
    static __device__ std::uint64_t exchange(std::uint64_t& word, std::uint64_t value)
    {
        auto* const at = reinterpret_cast<unsigned long long*>(&word);
        if constexpr (kSeveral) return atomicExch_system(at, static_cast<unsigned long long>(value));
        return atomicExch(at, static_cast<unsigned long long>(value));
    }
    static __device__ std::uint64_t keep_bits(std::uint64_t& word, std::uint64_t mask)
    {
        auto* const at = reinterpret_cast<unsigned long long*>(&word);
        if constexpr (kSeveral) return atomicAnd_system(at, static_cast<unsigned long long>(mask));
        return atomicAnd(at, static_cast<unsigned long long>(mask));
    }
    static __device__ std::uint32_t add(std::uint32_t* word, std::uint32_t value)
    {
        if constexpr (kSeveral) return atomicAdd_system(word, value);
        return atomicAdd(word, value);
    }
};

}  // namespace wayfront::gpu::sssp
