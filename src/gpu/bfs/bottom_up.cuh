// Bottom-up levels of searches on GPUs.
//
// A warp takes a batch of kBatchWords words of 32 rows each. It tries the rows' first, second, ...
// in-neighbours from the coalesced near lists, in all lanes and words at once. The rows that are
// still open are then gathered in shared memory. Each lane follows the list of one open row, eight
// columns at a time, and takes the next open row when the list ends. (Figures 4 and 6 of T.
// Hiragushi and D. Takahashi's paper give a row to a warp or a thread by its degree; here no lane
// waits for the list of another lane.) The frontier's bits of the hubs, the columns of the largest degrees, are in
// shared memory. A word of rows belongs to one warp, so that only the bits of followed rows are set
// by atomics, within the warp.
//
// A level may look for hubs only (BottomUpVariant::hubs). Lists ascend by column, so a list ends at
// its first column that is not a hub, and no bit is read from global memory. The other vertices of
// the frontier have been followed top-down before (DirectionRule::splits()).
//
// If few rows are unvisited (BottomUpVariant::few_rows), a batch has 32 words, all lists are
// followed from their beginning, and all bits are read from global memory: filling the shared
// memory would take more time than it saves.
#pragma once

#include "gpu/bfs/followed_rows.cuh"
#include "gpu/bfs/publish.cuh"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/bits.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp_prefix.cuh"

namespace wayfront::gpu::bfs {

/// The frontier of a level as a thread of a block sees it, with the hubs in shared memory.
/// `HubsOnly`: the level looks for hubs only.
template <bool HubsOnly>
struct FrontierBits
{
    // In shared memory: the bits of the first hub_columns columns, followed by a word of zeros.
    const std::uint32_t* hubs;
    const std::uint32_t* all;  // in global memory: the bits of all columns
    std::uint32_t hub_columns;
    std::uint32_t bound;  // end of the columns that the level looks for: hub_columns or cols()

    /// The word that contains a column's bit. Undefined if not `wanted`.
    [[nodiscard]] __device__ std::uint32_t word(std::uint32_t column, bool wanted = true) const
    {
        const std::uint32_t of_hubs = hubs[(column < hub_columns ? column : hub_columns) / 32];
        if constexpr (HubsOnly) return of_hubs;
        return load_if(wanted && column >= hub_columns, all + column / 32, of_hubs);
    }
};

/// The frontier of a level, in global memory only.
struct GlobalFrontierBits
{
    const std::uint32_t* all;
    std::uint32_t bound;  // cols(); a word of zeros follows the bits of the columns

    /// The load is volatile, as in load_if(), so that the loads for several columns are in flight
    /// together.
    [[nodiscard]] __device__ std::uint32_t word(std::uint32_t column) const
    {
        return load_if(true, all + column / 32, 0);
    }
};

/// The shared memory of a block for bottom-up levels. The hubs' bits follow this struct.
struct BottomUpMemory
{
    WarpRows warps[kSearchWarps];
};

/// Fills the block's shared memory from a bitmap of all columns. All threads of the block call,
/// after a barrier of the block that follows the last read of this memory (add_to_total() contains
/// such a barrier). `hubs` is aligned to 16 bytes.
template <bool HubsOnly>
__device__ FrontierBits<HubsOnly> load_frontier(const SearchView& view, const std::uint32_t* frontier,
                                                std::uint32_t* hubs)
{
    const auto* const from = reinterpret_cast<const uint4*>(frontier);
    auto* const to = reinterpret_cast<uint4*>(hubs);
    for (std::uint32_t i = threadIdx.x; i < view.hub_words / 4; i += blockDim.x) to[i] = from[i];
    if (threadIdx.x == 0) hubs[view.hub_words] = 0;
    __syncthreads();
    const std::uint32_t hub_columns = view.hub_words * 32;
    return {hubs, frontier, hub_columns, HubsOnly ? hub_columns : view.graph.cols()};
}

/// A mask of the rows of a word that are below `end`. `row` is the first row of the word.
[[nodiscard]] __device__ inline std::uint32_t rows_below(std::uint32_t end, std::uint32_t row)
{
    return row + 32 <= end ? ~0U : row < end ? (1U << (end - row)) - 1 : 0;
}

/// Loads the lists of the first `count` rows of shared.places, and removes rows without a list: in
/// a directed graph, vertices without in-edges. Returns the number of remaining rows. All lanes
/// call.
__device__ inline std::uint32_t load_lists(const SearchView& view, WarpRows& shared, std::uint32_t base,
                                           std::uint32_t count)
{
    std::uint32_t rows = 0;
    for (std::uint32_t first = 0; first < count; first += 32) {
        const bool has_row = first + lane_id() < count;
        const std::uint16_t place = has_row ? shared.places[first + lane_id()] : 0;
        const ListPlace list = has_row ? view.graph.in.lists[base + place] : ListPlace{};
        const std::uint32_t with_list = __ballot_sync(kAllLanes, list.degree() > 0);
        __syncwarp();  // all lanes have read their places
        if (list.degree() > 0) {
            const std::uint32_t i = rows + lanes_below(with_list);
            shared.rows[i] = list.packed;
            shared.places[i] = place;
        }
        rows += static_cast<std::uint32_t>(__popc(with_list));
        __syncwarp();
    }
    return rows;
}

/// Searches a batch of 32 words, one per lane, with few unvisited rows: follows all lists from
/// their beginning. Returns, in lane g, the found rows of word g. All lanes call.
__device__ inline std::uint32_t find_unvisited(const SearchView& view, const GlobalFrontierBits& frontier,
                                               WarpRows& shared, std::uint32_t base, std::uint32_t unvisited_word)
{
    const FollowedRows followed(view, frontier, shared);
    std::uint32_t found = 0;
    // Rows from near_rows[0] on have no list.
    std::uint32_t rest = unvisited_word & rows_below(view.graph.in.near_rows[0], base + 32 * lane_id());
    while (__any_sync(kAllLanes, rest != 0)) {
        std::uint32_t total = 0;
        std::uint32_t place = warp_prefix(static_cast<std::uint32_t>(__popc(rest)), total);
        for (; rest != 0 && place < kBatchRows; rest &= rest - 1) {
            const std::uint32_t in_batch =
                32 * lane_id() + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
            shared.places[place++] = static_cast<std::uint16_t>(in_batch);
        }
        __syncwarp();
        const std::uint32_t rows = load_lists(view, shared, base, total < kBatchRows ? total : kBatchRows);
        followed.follow(rows, 0);
        found |= followed.report(rows, base);
    }
    return found;
}

/// One batch of rows in the registers of a warp: bit g of a thread's masks is row base + 32 g +
/// lane.
template <bool HubsOnly>
class RowBatch
{
public:
    __device__ RowBatch(const SearchView& view, const FrontierBits<HubsOnly>& frontier, WarpRows& shared,
                        std::uint32_t base, std::uint32_t unvisited_word)
        : view_(view), frontier_(frontier), shared_(shared), base_(base)
    {
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            open_ |= ((__shfl_sync(kAllLanes, unvisited_word, static_cast<int>(g)) >> lane_id()) & 1U) << g;
    }

    /// A mask of this lane's found rows.
    [[nodiscard]] __device__ std::uint32_t found() const
    {
        return found_;
    }

    __device__ void try_near_lists()
    {
        std::uint32_t vertices[kBatchWords] = {};  // the parents of the found rows

        // Two lists are read at a time, so that a row that needs both waits only once for memory.
#pragma unroll
        for (int k = 0; k < kNearLists; k += 2) {
            if (!__any_sync(kAllLanes, open_ != 0)) break;
            std::uint32_t nearer[kBatchWords];
            std::uint32_t farther[kBatchWords];
            load_near(k, nearer);
            load_near(k + 1, farther);
            wait_for_all(nearer, farther, view_.zero);
            const std::uint32_t in_nearer = look_up(nearer);
            const std::uint32_t in_farther = look_up(farther);
            load_parents(k, in_nearer, in_farther, vertices);
        }
        write_parents(vertices);
    }

    /// Follows the remaining columns of the open rows' lists. Returns, in lane g, the found rows of
    /// word g.
    __device__ std::uint32_t follow_lists()
    {
        const std::uint32_t rows = gather_open_rows();
        if (rows == 0) return 0;
        const FollowedRows followed(view_, frontier_, shared_);
        followed.follow(rows, kNearLists);
        return followed.report(rows, base_);
    }

private:
    [[nodiscard]] __device__ std::uint32_t row(std::uint32_t g) const
    {
        return base_ + 32 * g + lane_id();
    }

    /// A mask of this lane's rows that have a k-th in-neighbour.
    [[nodiscard]] __device__ std::uint32_t with_near(int k) const
    {
        const std::uint32_t end = view_.graph.in.near_rows[k];
        const std::uint32_t words = row(0) < end ? (end - row(0) + 31) / 32 : 0;
        return words < kBatchWords ? (1U << words) - 1 : ~0U;
    }

    /// Loads the k-th in-neighbours of the open rows. A row without such a neighbour gets cols().
    __device__ void load_near(int k, std::uint32_t (&columns)[kBatchWords]) const
    {
        const std::uint32_t wanted = open_ & with_near(k);
        const std::uint32_t* const near = view_.graph.in.near[k] + row(0);
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            columns[g] = load_streaming_if(((wanted >> g) & 1U) != 0, near + 32 * g, view_.graph.cols());
    }

    /// Loads the parents of the rows that were found in near list k or k + 1.
    __device__ void load_parents(int k, std::uint32_t in_nearer, std::uint32_t in_farther,
                                 std::uint32_t (&vertices)[kBatchWords]) const
    {
        const std::uint32_t* const nearer = view_.graph.near_vertices[k] + row(0);
        const std::uint32_t* const farther = view_.graph.near_vertices[k + 1] + row(0);
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            const bool is_near = ((in_nearer >> g) & 1U) != 0;
            vertices[g] = load_streaming_if(is_near || ((in_farther >> g) & 1U) != 0,
                                            (is_near ? nearer : farther) + 32 * g, vertices[g]);
        }
    }

    __device__ void write_parents(const std::uint32_t (&vertices)[kBatchWords]) const
    {
        std::uint32_t* const parents = view_.own.parents + row(0);
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            if (((found_ >> g) & 1U) != 0) parents[32 * g] = vertices[g];
    }

    /// Closes the rows whose column is in the frontier, and returns a mask of them. Also closes the
    /// rows whose list has ended.
    __device__ std::uint32_t look_up(const std::uint32_t (&columns)[kBatchWords])
    {
        std::uint32_t words[kBatchWords];
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) words[g] = frontier_.word(columns[g], ((open_ >> g) & 1U) != 0);
        wait_for_all(words, view_.zero);
        std::uint32_t hits = 0;
        std::uint32_t ended = 0;
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            hits |= (is_set(words[g], columns[g]) ? 1U : 0U) << g;
            ended |= (columns[g] >= frontier_.bound ? 1U : 0U) << g;
        }
        hits &= open_;
        open_ &= ~(hits | ended);
        found_ |= hits;
        return hits;
    }

    /// Copies the open rows whose lists continue after the near lists to shared memory, and returns
    /// their number.
    __device__ std::uint32_t gather_open_rows()
    {
        if (!__any_sync(kAllLanes, open_ != 0)) return 0;
        std::uint32_t count = 0;
        ListPlace lists[kBatchWords];
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            lists[g] = ((open_ >> g) & 1U) != 0 ? view_.graph.in.lists[row(g)] : ListPlace{};
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            const bool goes_on = lists[g].degree() > kNearLists;
            const std::uint32_t others = __ballot_sync(kAllLanes, goes_on);
            if (goes_on) {
                const std::uint32_t i = count + lanes_below(others);
                shared_.rows[i] = lists[g].packed;
                shared_.places[i] = static_cast<std::uint16_t>(32 * g + lane_id());
            }
            count += static_cast<std::uint32_t>(__popc(others));
        }
        return count;
    }

    const SearchView& view_;
    const FrontierBits<HubsOnly>& frontier_;
    WarpRows& shared_;
    std::uint32_t base_;
    std::uint32_t open_ = 0;
    std::uint32_t found_ = 0;
};

/// The frontier in the form that the level reads. Fills the block's shared memory with the hubs'
/// bits if the level reads them. All threads of the block call, as for load_frontier().
template <BottomUpVariant Variant>
__device__ auto frontier_bits(const SearchView& view, const std::uint32_t* frontier, BottomUpMemory& memory)
{
    if constexpr (Variant == BottomUpVariant::few_rows) {
        return GlobalFrontierBits{frontier, view.graph.cols()};
    } else {
        return load_frontier<Variant == BottomUpVariant::hubs>(view, frontier,
                                                               reinterpret_cast<std::uint32_t*>(&memory + 1));
    }
}

/// A bottom-up level of a search.
struct BottomUpLevel
{
    int from;            // number of the bitmap of all columns that contains the frontier
    int to;              // number of the bitmap of all columns in which the found rows are published
    std::int32_t level;  // of the found rows
};

/// Runs one level, and publishes the found rows (publish_rows()).
template <BottomUpVariant Variant, typename View>
__device__ LevelCounts bottom_up_level(const View& view, const BottomUpLevel& level, std::uint32_t* shared)
{
    constexpr std::uint32_t batch_words = Variant == BottomUpVariant::few_rows ? 32 : kBatchWords;
    const DeviceGraphView& graph = view.graph;
    const PeerState& own = view.own;
    auto& memory = *reinterpret_cast<BottomUpMemory*>(shared);
    const auto frontier = frontier_bits<Variant>(view, own.frontier[level.from], memory);
    WarpRows& warp_rows = memory.warps[threadIdx.x / 32];
    LevelCounts counts;
    const std::uint32_t batches = graph.in.count / 32 / batch_words;
    const std::uint32_t warps = gridDim.x * blockDim.x / 32;
    const auto visited_of = [&](std::uint32_t batch) {
        return batch < batches && lane_id() < batch_words ? own.visited[batch * batch_words + lane_id()] : ~0U;
    };
    std::uint32_t batch = static_cast<std::uint32_t>(spread_index() / 32);
    std::uint32_t next_visited = visited_of(batch);
    for (; batch < batches; batch += warps) {
        const std::uint32_t first_word = batch * batch_words;
        const std::uint32_t visited = next_visited;
        next_visited = visited_of(batch + warps);
        std::uint32_t found_word = 0;
        if (__any_sync(kAllLanes, visited != ~0U)) {
            if constexpr (Variant == BottomUpVariant::few_rows) {
                found_word = find_unvisited(view, frontier, warp_rows, first_word * 32, ~visited);
            } else {
                RowBatch rows(view, frontier, warp_rows, first_word * 32, ~visited);
                rows.try_near_lists();
                found_word = rows.follow_lists();
#pragma unroll
                for (std::uint32_t g = 0; g < kBatchWords; ++g) {
                    const std::uint32_t word = __ballot_sync(kAllLanes, ((rows.found() >> g) & 1U) != 0);
                    if (lane_id() == g) found_word |= word;
                }
            }
            if (view.keep_levels && lane_id() < batch_words)
                for (std::uint32_t rest = found_word; rest != 0; rest &= rest - 1)
                    own.levels[(first_word + lane_id()) * 32 +
                               static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1)] = level.level;
        }
        if (lane_id() < batch_words) {
            if (found_word != 0) own.visited[first_word + lane_id()] = visited | found_word;
            if constexpr (Variant == BottomUpVariant::hubs)
                found_word |= visited & ~view.expanded[first_word + lane_id()];
            publish_rows(view, level.to, first_word, found_word);
            counts.vertices += static_cast<std::uint64_t>(__popc(found_word));
        }
    }
    return counts;
}

template <typename View>
__device__ LevelCounts bottom_up_level(const View& view, const BottomUpLevel& level, BottomUpVariant variant,
                                       std::uint32_t* shared)
{
    switch (variant) {
        case BottomUpVariant::few_rows:
            return bottom_up_level<BottomUpVariant::few_rows>(view, level, shared);
        case BottomUpVariant::hubs:
            return bottom_up_level<BottomUpVariant::hubs>(view, level, shared);
        case BottomUpVariant::all:
            break;
    }
    return bottom_up_level<BottomUpVariant::all>(view, level, shared);
}

}  // namespace wayfront::gpu::bfs
