// The kernel that transposes the results of searches (hop_spheres.cuh) into sets of targets
// (hop_counts.cuh), if the graph is symmetric and ranks divide the targets.
//
// A rank searches from its own targets only. The bitmap of a search has a bit for each place that
// reaches the target, since the graph is symmetric. A set has a bit for each target that a place
// reaches, so its 1024 bits come from 1024 bitmaps. A block takes 256 places of a batch: each of
// its warps reads 32 bytes of each of 32 bitmaps, and transposes them as eight squares of 32 x 32
// bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/apsp/hops/hop_set.cuh"
#include "gpu/apsp/hops/hop_share.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

struct TransposedSpheresView
{
    std::uint32_t places = 0;
    HopShare share;
    // A bitmap of all places for each target of the rank's batches. A bitmap has a piece of 16
    // bytes for each 128 places of whole batches.
    const uint4* bitmaps = nullptr;
    // Sets for each batch of the rank and each place.
    uint4* sets = nullptr;
    std::uint16_t* sizes = nullptr;
};

inline constexpr std::uint32_t kWordsOfSet = kHopTargets / 32;
inline constexpr unsigned kTransposeThreads = 32 * kWordsOfSet;  // one warp for each word of a set
inline constexpr std::uint32_t kTransposedWords = 8;             // number of words of each bitmap that a block takes
inline constexpr std::uint32_t kTransposedPlaces = 32 * kTransposedWords;

/// Transposes a square of bits: lane i has row i and gets column i. All lanes call.
[[nodiscard]] __device__ inline std::uint32_t transposed(std::uint32_t row)
{
    // Exchanges the two squares of half the size off the diagonal, then does the same within each
    // square, and so on.
    std::uint32_t mask = 0x0000FFFF;
#pragma unroll
    for (std::uint32_t half = 16; half > 0; half /= 2) {
        const std::uint32_t other = __shfl_xor_sync(kAllLanes, row, static_cast<int>(half));
        row = (lane_id() & half) == 0 ? (row & mask) | (other & mask) << half : (row & ~mask) | (other >> half & mask);
        mask ^= mask << (half / 2);
    }
    return row;
}

inline __global__ void __launch_bounds__(kTransposeThreads) transpose_spheres(TransposedSpheresView view)
{
    // One word of padding per place, so that writes and reads have no bank conflicts.
    __shared__ std::uint32_t sets[kTransposedPlaces][kWordsOfSet + 1];
    const std::uint32_t batches = (view.places + kHopTargets - 1) / kHopTargets;
    const std::uint32_t blocks_of_batch = batches * (kHopTargets / kTransposedPlaces);
    const std::uint32_t warp = threadIdx.x / 32;
    for (std::uint32_t i = blockIdx.x; i < view.share.batches_of(batches) * blocks_of_batch; i += gridDim.x) {
        const std::uint32_t number = i / blocks_of_batch;
        const std::uint32_t first = i % blocks_of_batch * kTransposedPlaces;
        const std::uint32_t row = number * kHopTargets + warp * 32 + lane_id();
        uint4 pieces[2] = {};
        // Targets after the last place have no search.
        if (view.share.place(row) < view.places)
            for (std::uint32_t half = 0; half < 2; ++half)
                pieces[half] = view.bitmaps[std::size_t{row} * batches * kPiecesOfSet + first / 128 + half];
        const std::uint32_t words[kTransposedWords] = {pieces[0].x, pieces[0].y, pieces[0].z, pieces[0].w,
                                                       pieces[1].x, pieces[1].y, pieces[1].z, pieces[1].w};
#pragma unroll
        for (std::uint32_t w = 0; w < kTransposedWords; ++w) sets[w * 32 + lane_id()][warp] = transposed(words[w]);
        __syncthreads();
        for (std::uint32_t p = warp; p < kTransposedPlaces && first + p < view.places; p += kTransposeThreads / 32) {
            const std::uint32_t word = sets[p][lane_id()];
            const std::size_t set = std::size_t{number} * view.places + first + p;
            reinterpret_cast<std::uint32_t*>(view.sets)[set * kWordsOfSet + lane_id()] = word;
            const std::uint32_t size = __reduce_add_sync(kAllLanes, static_cast<std::uint32_t>(__popc(word)));
            if (lane_id() == 0) view.sizes[set] = static_cast<std::uint16_t>(size);
        }
        __syncthreads();
    }
}

}  // namespace wayfront::gpu::apsp
