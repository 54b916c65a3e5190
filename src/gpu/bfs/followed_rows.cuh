// Rows whose lists are followed in bottom-up levels. The rows are in the shared memory of a warp,
// and each lane follows the list of one row.
#pragma once

#include <cstdint>

#include "gpu/bfs/view.hpp"
#include "gpu/runtime/bits.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

inline constexpr std::uint32_t kBatchWords = 8;
inline constexpr std::uint32_t kBatchRows = 32 * kBatchWords;

/// The rows of a batch whose lists a warp follows, in the warp's shared memory.
struct WarpRows
{
    // The row's list (a ListPlace). After the list was followed: the column from which the row was
    // found, or cols().
    std::uint64_t rows[kBatchRows];
    std::uint16_t places[kBatchRows];  // place of each row in the batch
    std::uint32_t found[32];           // found rows, by word of the batch
};

/// Follows the rows in a warp's shared memory: each lane follows the list of one row, and takes the
/// next row when the list ends. All lanes call. `Frontier`: FrontierBits or GlobalFrontierBits
/// (bottom_up.cuh).
template <typename Frontier>
class FollowedRows
{
public:
    __device__ FollowedRows(const SearchView& view, const Frontier& frontier, WarpRows& shared)
        : view_(view), frontier_(frontier), shared_(shared)
    {
    }

    /// Follows the lists of the first `rows` entries of shared.rows, except their first `skip`
    /// columns. Pre: `skip` is a multiple of kListAlign, and every list has more than `skip`
    /// columns.
    __device__ void follow(std::uint32_t rows, std::uint32_t skip) const
    {
        __syncwarp();
        const std::uint32_t none = view_.graph.cols();
        // The next entry of shared_.rows that a lane takes; the same in all lanes.
        std::uint32_t next = 32;
        std::uint32_t i = lane_id();
        const uint4* columns = nullptr;
        std::uint32_t accesses = 0;  // number of remaining loads of the list, of four columns each
        const auto open = [&]() {
            const ListPlace list{shared_.rows[i]};
            columns = reinterpret_cast<const uint4*>(view_.graph.in.neighbours + list.begin() + skip);
            accesses = (list.degree() - skip + kListAlign - 1) / kListAlign;
        };
        bool follows = i < rows;
        if (follows) open();
        while (__any_sync(kAllLanes, follows)) {
            std::uint32_t hit = none;
            if (follows) {
                uint4 nearer = __ldcs(columns);
                const uint4 farther = accesses > 1 ? __ldcs(columns + 1) : uint4{none, none, none, none};
                const std::uint32_t zero = view_.zero;
                nearer = {once_loaded(nearer.x, farther.x, zero), once_loaded(nearer.y, farther.x, zero),
                          once_loaded(nearer.z, farther.x, zero), once_loaded(nearer.w, farther.x, zero)};
                hit = first_in_frontier(nearer);
                if (hit == none) hit = first_in_frontier(farther);
                columns += 2;
                accesses -= accesses > 1 ? 2 : 1;
                if (farther.w >= frontier_.bound) accesses = 0;
            }
            const bool done = follows && (hit != none || accesses == 0);
            const std::uint32_t done_lanes = __ballot_sync(kAllLanes, done);
            if (done) {
                shared_.rows[i] = hit;
                i = next + lanes_below(done_lanes);
                follows = i < rows;
                if (follows) open();
            }
            next += static_cast<std::uint32_t>(__popc(done_lanes));
        }
        __syncwarp();
    }

    /// Writes the parents of the found rows; place 0 is row `base`. Returns, in lane g, the found
    /// rows of word g.
    __device__ std::uint32_t report(std::uint32_t rows, std::uint32_t base) const
    {
        shared_.found[lane_id()] = 0;
        __syncwarp();
        const DeviceGraphView& graph = view_.graph;
        for (std::uint32_t i = lane_id(); i < rows; i += 32) {
            const auto column = static_cast<std::uint32_t>(shared_.rows[i]);
            if (column == graph.cols()) continue;
            const std::uint32_t place = shared_.places[i];
            view_.own.parents[base + place] = graph.vertex_of_column[column];
            atomicOr(&shared_.found[place / 32], 1U << (place % 32));
        }
        __syncwarp();
        const std::uint32_t word = shared_.found[lane_id()];
        __syncwarp();  // the next batch overwrites shared_.found
        return word;
    }

private:
    /// The first of these four columns that is in the frontier; cols() if none is.
    [[nodiscard]] __device__ std::uint32_t first_in_frontier(const uint4& four) const
    {
        std::uint32_t x = frontier_.word(four.x);
        std::uint32_t y = frontier_.word(four.y);
        const std::uint32_t z = frontier_.word(four.z);
        const std::uint32_t w = frontier_.word(four.w);
        x = once_loaded(x, z | w, view_.zero);
        y = once_loaded(y, z | w, view_.zero);
        return is_set(x, four.x)   ? four.x
               : is_set(y, four.y) ? four.y
               : is_set(z, four.z) ? four.z
               : is_set(w, four.w) ? four.w
                                   : view_.graph.cols();
    }

    const SearchView& view_;
    const Frontier& frontier_;
    WarpRows& shared_;
};

}  // namespace wayfront::gpu::bfs
