// Bottom-up levels of the GPU engine.
//
// T. Hiragushi and D. Takahashi's paper, section 3.2, figures 4 and 6: a warp searches a row of 32
// in-edges or more, a thread searches a row of fewer in-edges. As in the paper, a word of rows
// belongs to one warp, so that the warp writes whole words of `seen` and `found` without atomics.
// Departures:
//   * The first in-neighbours of all rows are in a separate array. A warp first tries the first
//     in-neighbours of the unseen rows of kBatchWords words, coalesced. As lists begin with likely
//     parents, this finds most rows, and the degree is read only for the other rows. The paper's
//     bitmap of rows of large degree is not needed.
//   * One kernel searches both kinds of rows, one after the other; the paper has two kernels, which
//     both read the bitmaps.
//   * A warp gathers the rows for single threads in its shared memory, without a scan over the
//     block.
#include <algorithm>

#include "gpu/bfs/host_driven/kernels.hpp"
#include "gpu/graph/block_sums.cuh"

namespace wayfront::gpu::bfs {

namespace {

// Number of words, of 32 rows each, in the batch of a warp.
constexpr std::uint32_t kBatchWords = 4;
constexpr std::uint32_t kBatchRows = 32 * kBatchWords;
// Smallest number of edges after the first with which the whole warp searches a row.
constexpr std::uint32_t kWarpRowFrom = 32;
constexpr unsigned kBlocksPerMultiprocessor = 8;

/// The rows of a batch that single lanes search, in the warp's shared memory.
struct WarpRows
{
    std::uint64_t begins[kBatchRows];  // beginning of each row's list after the first in-neighbour
    std::uint8_t lengths[kBatchRows];  // number of neighbours from there, less than kWarpRowFrom
    std::uint8_t places[kBatchRows];   // each row's place in the batch
    std::uint32_t found[kBatchWords];
};
static_assert(kBatchRows <= 256 && kWarpRowFrom <= 256, "places and lengths fit a byte");

/// One batch of rows, which begins with word `first_word`. Bit g of a lane's mask `open` is row 32
/// (first_word + g) + lane.
class RowBatch
{
public:
    __device__ RowBatch(const BlockView& block, const LevelView& level, WarpRows& shared, std::uint32_t first_word)
        : block_(block), level_(level), shared_(shared), first_row_(first_word * 32)
    {
    }

    /// Searches the batch. Lane g passes the unseen rows of word g, and gets the found rows of this
    /// word. All lanes call.
    __device__ std::uint32_t search(std::uint32_t unseen_word)
    {
        std::uint32_t open = 0;
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            open |= ((__shfl_sync(kAllLanes, unseen_word, static_cast<int>(g)) >> lane_id()) & 1U) << g;
        std::uint32_t found_word = try_first_neighbours(open);
        if (__any_sync(kAllLanes, open != 0)) found_word |= search_lists(open);
        return found_word;
    }

private:
    [[nodiscard]] __device__ std::uint32_t row(std::uint32_t g) const
    {
        return first_row_ + 32 * g + lane_id();
    }
    [[nodiscard]] __device__ bool in_frontier(std::uint32_t column) const
    {
        return has_bit(level_.frontier_bitmap, column);
    }

    /// Tries the first in-neighbours of the rows in `open`, and removes the rows that are finished.
    /// Returns the found rows of this lane's word.
    __device__ std::uint32_t try_first_neighbours(std::uint32_t& open) const
    {
        std::uint32_t columns[kBatchWords];
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            columns[g] = ((open >> g) & 1U) != 0 ? __ldcs(block_.first_in_neighbour + row(g)) : block_.cols;
        std::uint32_t found_word = 0;
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            const bool has_column = columns[g] != block_.cols;
            const bool hit = has_column && in_frontier(columns[g]);
            if (hit) level_.parents[row(g)] = columns[g];
            if (hit || !has_column) open &= ~(1U << g);
            const std::uint32_t word = __ballot_sync(kAllLanes, hit);
            if (lane_id() == g) found_word = word;
        }
        return found_word;
    }

    /// Searches the in-neighbours after the first. Returns the found rows of this lane's word.
    __device__ std::uint32_t search_lists(std::uint32_t open)
    {
        if (lane_id() < kBatchWords) shared_.found[lane_id()] = 0;
        __syncwarp();
        std::uint32_t thread_rows = 0;
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            std::uint64_t begin = 0;
            std::uint64_t length = 0;
            if (((open >> g) & 1U) != 0) {
                begin = block_.in_edges.begin(row(g)) + 1;
                length = block_.in_edges.end(row(g)) - begin;
            }
            search_long_lists(g, begin, length);
            thread_rows = gather_short_lists(g, begin, length, thread_rows);
        }
        __syncwarp();
        for (std::uint32_t i = lane_id(); i < thread_rows; i += 32) search_short_list(i);
        __syncwarp();
        const std::uint32_t found_word = lane_id() < kBatchWords ? shared_.found[lane_id()] : 0;
        __syncwarp();  // the next batch overwrites shared_.found
        return found_word;
    }

    /// The whole warp searches the rows of word g that have long lists, one after the other.
    __device__ void search_long_lists(std::uint32_t g, std::uint64_t begin, std::uint64_t length)
    {
        for (std::uint32_t lanes = __ballot_sync(kAllLanes, length >= kWarpRowFrom); lanes != 0; lanes &= lanes - 1) {
            const int lane = __ffs(static_cast<int>(lanes)) - 1;
            const std::uint64_t first = __shfl_sync(kAllLanes, begin, lane);
            const std::uint64_t end = first + __shfl_sync(kAllLanes, length, lane);
            for (std::uint64_t round = first; round < end; round += 32) {
                const std::uint32_t column =
                    round + lane_id() < end ? block_.in_edges.neighbours[round + lane_id()] : block_.cols;
                const std::uint32_t hits = __ballot_sync(kAllLanes, column != block_.cols && in_frontier(column));
                if (hits == 0) continue;
                if (lane_id() == static_cast<std::uint32_t>(__ffs(static_cast<int>(hits)) - 1)) {
                    level_.parents[first_row_ + 32 * g + static_cast<std::uint32_t>(lane)] = column;
                    atomicOr(&shared_.found[g], 1U << lane);
                }
                break;
            }
        }
    }

    /// Appends the rows of word g that have short lists to the `count` rows for single lanes.
    /// Returns the new count.
    __device__ std::uint32_t gather_short_lists(std::uint32_t g, std::uint64_t begin, std::uint64_t length,
                                                std::uint32_t count)
    {
        const bool is_short = length > 0 && length < kWarpRowFrom;
        const std::uint32_t lanes = __ballot_sync(kAllLanes, is_short);
        if (is_short) {
            const std::uint32_t i = count + lanes_below(lanes);
            shared_.begins[i] = begin;
            shared_.lengths[i] = static_cast<std::uint8_t>(length);
            shared_.places[i] = static_cast<std::uint8_t>(32 * g + lane_id());
        }
        return count + static_cast<std::uint32_t>(__popc(lanes));
    }

    __device__ void search_short_list(std::uint32_t i)
    {
        constexpr std::uint32_t ahead = 4;  // number of columns in flight together
        const std::uint32_t* const list = block_.in_edges.neighbours + shared_.begins[i];
        const std::uint32_t length = shared_.lengths[i];
        for (std::uint32_t first = 0; first < length; first += ahead) {
            std::uint32_t columns[ahead];
#pragma unroll
            for (std::uint32_t k = 0; k < ahead; ++k) columns[k] = first + k < length ? list[first + k] : block_.cols;
            std::uint32_t parent = block_.cols;
#pragma unroll
            for (std::uint32_t k = 0; k < ahead; ++k)
                if (parent == block_.cols && columns[k] != block_.cols && in_frontier(columns[k])) parent = columns[k];
            if (parent == block_.cols) continue;
            const std::uint32_t place = shared_.places[i];
            level_.parents[first_row_ + place] = parent;
            atomicOr(&shared_.found[place / 32], 1U << (place % 32));
            return;
        }
    }

    const BlockView& block_;
    const LevelView& level_;
    WarpRows& shared_;
    std::uint32_t first_row_;
};

__global__ __launch_bounds__(kBlockThreads) void search_rows(BlockView block, LevelView level, std::uint32_t first_word,
                                                             std::uint32_t last_word)
{
    __shared__ WarpRows warps[kBlockWarps];
    std::uint64_t count = 0;
    const std::uint32_t stride = gridDim.x * kBlockWarps * kBatchWords;
    for (std::uint32_t first = first_word + (blockIdx.x * kBlockWarps + threadIdx.x / 32) * kBatchWords;
         first < last_word; first += stride) {
        const std::uint32_t w = first + lane_id();
        const bool has_word = lane_id() < kBatchWords && w < last_word;
        const std::uint32_t seen = has_word ? level.seen[w] : ~0U;
        std::uint32_t found = 0;
        if (__any_sync(kAllLanes, seen != ~0U))
            found = RowBatch(block, level, warps[threadIdx.x / 32], first).search(~seen);
        if (has_word) {
            level.found_bitmap[w] = found;
            if (found != 0) level.seen[w] = seen | found;
            count += static_cast<std::uint64_t>(__popc(found));
        }
    }
    add_block_sum(&level.header->found, count);
}

}  // namespace

void launch_bottom_up_kernel(const BlockView& block, const LevelView& level, IndexRange words, int multiprocessors,
                             const Stream& stream)
{
    const auto first_word = static_cast<std::uint32_t>(words.first);
    const auto last_word = static_cast<std::uint32_t>(words.last);
    if (first_word >= last_word) return;
    constexpr std::uint32_t block_words = kBlockWarps * kBatchWords;
    const std::uint32_t needed = (last_word - first_word + block_words - 1) / block_words;
    const std::uint32_t blocks =
        std::min(needed, static_cast<std::uint32_t>(multiprocessors) * kBlocksPerMultiprocessor);
    search_rows<<<blocks, kBlockThreads, 0, stream.get()>>>(block, level, first_word, last_word);
    check_launch();
}

}  // namespace wayfront::gpu::bfs
