// The claims of the resident search, in the memory of the vertices' owners.
#pragma once

#include "gpu/bfs/claim.cuh"

namespace wayfront::gpu::bfs {

/// Claims for neighbours of `vertex`, a number of the input. `seen` is this GPU's bitmap of all
/// columns. A bit of `seen` is set only if the vertex is visited; it prevents this GPU from
/// claiming a vertex of another GPU twice. `SingleGpu`: there is one GPU, and `seen` is the bitmap
/// of visited slots.
template <bool SingleGpu>
struct ResidentClaims
{
    const ResidentView& view;
    std::uint32_t* seen;
    std::uint32_t vertex;
    std::int32_t level;

    [[nodiscard]] __device__ std::uint32_t* word(std::uint32_t column) const { return seen + column / 32; }

    template <int Count>
    __device__ void confirm(const std::uint32_t (&columns)[Count], std::uint32_t (&claimed)[Count]) const
    {
        if constexpr (!SingleGpu) {
            std::uint32_t before[Count] = {};
#pragma unroll
            for (int e = 0; e < Count; ++e)
                if (claimed[e] != 0)
                    before[e] =
                        atomicOr_system(&owner_of(columns[e]).visited[view.graph.slot_of(columns[e]) / 32], claimed[e]);
            keep_new(claimed, before, view.zero);
        }
    }

    template <int Count>
    __device__ std::uint32_t store(const std::uint32_t (&columns)[Count], const bool (&first)[Count]) const
    {
        std::uint32_t found = 0;
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            if (!first[e]) continue;
            store_visit(view, owner_of(columns[e]), SingleGpu ? columns[e] : view.graph.slot_of(columns[e]), vertex,
                        level);
            ++found;
        }
        return found;
    }

private:
    [[nodiscard]] __device__ const PeerState& owner_of(std::uint32_t column) const
    {
        if constexpr (SingleGpu) return view.own;
        return view.peers[view.graph.owner_of(column)];
    }
};

}  // namespace wayfront::gpu::bfs
