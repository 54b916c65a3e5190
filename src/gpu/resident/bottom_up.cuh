// Bottom-up levels of searches on GPUs.
//
// A warp takes a batch of kBatchWords words, 32 rows each, and tries the rows' first, second, ... in-neighbours, in all lanes and words at once, from
// the coalesced near lists. The rows that are then still open are gathered in shared memory, and each lane follows the list of one of them in the
// block, eight columns at a time, and takes the next open row when it is done (T. Hiragushi and D. Takahashi's paper, figures 4 and 6, gives a row a
// warp or a thread by its degree; here no lane waits for another's list). The busiest columns' bits of the frontier stand in shared memory. A word of
// rows belongs to one warp: nothing is atomic but the bits of followed rows, within a warp.
#pragma once

#include "gpu/launch.hpp"
#include "gpu/resident/view.hpp"

namespace wayfront::gpu {

inline constexpr std::uint32_t kBatchWords = 8;
inline constexpr std::uint32_t kBatchRows = 32 * kBatchWords;

/// The frontier of a level, as a thread of a block sees it.
struct FrontierBits
{
    const std::uint32_t* hubs;  // shared memory: the first hub_columns columns
    const std::uint32_t* all;   // global memory
    std::uint32_t hub_columns;

    [[nodiscard]] __device__ bool has(std::uint32_t column) const
    {
        const std::uint32_t word = column < hub_columns ? hubs[column / 32] : all[column / 32];
        return ((word >> (column % 32)) & 1U) != 0;
    }
};

/// What a warp keeps in shared memory of a batch: the rows whose lists are followed.
struct WarpRows
{
    std::uint64_t rows[kBatchRows];   // the list (a ListPlace); then the column that the row was found from, or cols()
    std::uint8_t places[kBatchRows];  // of the row in the batch
    std::uint32_t found[kBatchWords];
};

/// Shared memory of a block for bottom-up levels: the hubs' bits follow.
struct BottomUpMemory
{
    WarpRows warps[32];
};

/// Fills the block's shared memory; all threads of the block call.
__device__ inline FrontierBits load_frontier(const ResidentView& view, const std::uint32_t* frontier, std::uint32_t* hubs)
{
    const auto* const from = reinterpret_cast<const uint4*>(frontier);
    auto* const to = reinterpret_cast<uint4*>(hubs);
    for (std::uint32_t i = threadIdx.x; i < view.hub_words / 4; i += blockDim.x) to[i] = from[i];
    __syncthreads();
    return {hubs, frontier, view.hub_words * 32};
}

/// One batch of rows in the registers of a warp: bit g of a thread's masks is row base + 32 g + lane.
class RowBatch
{
public:
    __device__ RowBatch(const ResidentView& view, const FrontierBits& frontier, WarpRows& shared, std::uint32_t base, std::uint32_t unvisited_word)
        : view_(view), frontier_(frontier), shared_(shared), base_(base)
    {
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) open_ |= ((__shfl_sync(~0U, unvisited_word, static_cast<int>(g)) >> lane_id()) & 1U) << g;
    }

    /// The rows that are found, as a mask of this lane's.
    [[nodiscard]] __device__ std::uint32_t found() const
    {
        return found_;
    }

    __device__ void try_near_lists()
    {
        std::uint32_t hit_at[kNearLists] = {};  // rows found in the k-th list; their parents are fetched together
        // Two lists are read at a time: a row that the first does not settle waits once for memory, not twice.
#pragma unroll
        for (int k = 0; k < kNearLists; k += 2) {
            if (!__any_sync(~0U, open_ != 0)) break;
            std::uint32_t nearer[kBatchWords];
            std::uint32_t farther[kBatchWords];
            load_near(k, nearer);
            load_near(k + 1, farther);
            hit_at[k] = look_up(nearer);
            hit_at[k + 1] = look_up(farther);
        }
        write_parents(hit_at);
    }

    /// The rest of the lists. Lane g gets the rows of word g that were found so.
    __device__ std::uint32_t follow_lists()
    {
        const std::uint32_t rows = gather_open_rows();
        if (rows == 0) return 0;
        follow_gathered(rows);
        return report_gathered(rows);
    }

private:
    [[nodiscard]] __device__ std::uint32_t row(std::uint32_t g) const
    {
        return base_ + 32 * g + lane_id();
    }

    /// The k-th in-neighbours of the open rows; cols() where there is none.
    __device__ void load_near(int k, std::uint32_t (&columns)[kBatchWords]) const
    {
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            columns[g] = ((open_ >> g) & 1U) != 0 && row(g) < view_.graph.near_rows[k] ? __ldcs(view_.graph.near[k] + row(g)) : view_.graph.cols();
    }

    /// The parents of the rows that were found in the k-th lists: bits hit_at[k]. All are read before one is written.
    __device__ void write_parents(const std::uint32_t (&hit_at)[kNearLists]) const
    {
        std::uint32_t vertices[kBatchWords];
        std::uint32_t hits = 0;
#pragma unroll
        for (int k = 0; k < kNearLists; ++k) {
            hits |= hit_at[k];
#pragma unroll
            for (std::uint32_t g = 0; g < kBatchWords; ++g)
                if (((hit_at[k] >> g) & 1U) != 0) vertices[g] = __ldcs(view_.graph.near_vertices[k] + row(g));
        }
        std::uint32_t* const parents = view_.own().parents;
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g)
            if (((hits >> g) & 1U) != 0) parents[row(g)] = vertices[g];
    }

    /// Closes the rows whose column is in the frontier, and returns them, and those whose list has ended.
    __device__ std::uint32_t look_up(const std::uint32_t (&columns)[kBatchWords])
    {
        std::uint32_t hits = 0;
        std::uint32_t ended = 0;
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            hits |= (frontier_.has(columns[g]) ? 1U : 0U) << g;
            ended |= (columns[g] == view_.graph.cols() ? 1U : 0U) << g;
        }
        hits &= open_;
        open_ &= ~(hits | ended);
        found_ |= hits;
        return hits;
    }

    /// Puts the open rows whose lists go on behind the near lists into shared memory; returns how many.
    __device__ std::uint32_t gather_open_rows()
    {
        if (!__any_sync(~0U, open_ != 0)) return 0;
        std::uint32_t count = 0;
        ListPlace lists[kBatchWords];
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) lists[g] = ((open_ >> g) & 1U) != 0 ? view_.graph.lists[row(g)] : ListPlace{};
#pragma unroll
        for (std::uint32_t g = 0; g < kBatchWords; ++g) {
            const bool goes_on = lists[g].degree() > kNearLists;
            const std::uint32_t others = __ballot_sync(~0U, goes_on);
            if (goes_on) {
                const std::uint32_t i = count + static_cast<std::uint32_t>(__popc(others & ((1U << lane_id()) - 1)));
                shared_.rows[i] = lists[g].packed;
                shared_.places[i] = static_cast<std::uint8_t>(32 * g + lane_id());
            }
            count += static_cast<std::uint32_t>(__popc(others));
        }
        if (lane_id() < kBatchWords) shared_.found[lane_id()] = 0;
        __syncwarp();
        return count;
    }

    /// The first of these columns that is in the frontier; cols() where none is.
    [[nodiscard]] __device__ std::uint32_t first_in_frontier(const uint4& four) const
    {
        const bool x = frontier_.has(four.x);
        const bool y = frontier_.has(four.y);
        const bool z = frontier_.has(four.z);
        const bool w = frontier_.has(four.w);
        return x ? four.x : y ? four.y : z ? four.z : w ? four.w : view_.graph.cols();
    }

    __device__ void follow_gathered(std::uint32_t rows)
    {
        const std::uint32_t none = view_.graph.cols();
        std::uint32_t next = 32;  // of shared_.rows; the same in all lanes
        std::uint32_t i = lane_id();
        const uint4* columns = nullptr;
        std::uint32_t accesses = 0;  // of four columns, that the list still takes
        const auto open = [&]() {
            const ListPlace list{shared_.rows[i]};
            columns = reinterpret_cast<const uint4*>(view_.graph.neighbours + list.begin()) + kNearLists / kListAlign;
            accesses = (list.degree() - kNearLists + kListAlign - 1) / kListAlign;
        };
        bool follows = i < rows;
        if (follows) open();
        while (__any_sync(~0U, follows)) {
            std::uint32_t hit = none;
            if (follows) {
                const uint4 nearer = __ldcs(columns);
                const uint4 farther = accesses > 1 ? __ldcs(columns + 1) : uint4{none, none, none, none};
                hit = first_in_frontier(nearer);
                if (hit == none) hit = first_in_frontier(farther);
                columns += 2;
                accesses -= accesses > 1 ? 2 : 1;
            }
            const bool done = follows && (hit != none || accesses == 0);
            const std::uint32_t done_lanes = __ballot_sync(~0U, done);
            if (done) {
                shared_.rows[i] = hit;
                i = next + static_cast<std::uint32_t>(__popc(done_lanes & ((1U << lane_id()) - 1)));
                follows = i < rows;
                if (follows) open();
            }
            next += static_cast<std::uint32_t>(__popc(done_lanes));
        }
        __syncwarp();
    }

    __device__ std::uint32_t report_gathered(std::uint32_t rows)
    {
        const DeviceGraphView& graph = view_.graph;
        for (std::uint32_t i = lane_id(); i < rows; i += 32) {
            const auto column = static_cast<std::uint32_t>(shared_.rows[i]);
            if (column == graph.cols()) continue;
            const std::uint32_t place = shared_.places[i];
            view_.own().parents[base_ + place] = graph.vertex_of_column[column];
            atomicOr(&shared_.found[place / 32], 1U << (place % 32));
        }
        __syncwarp();
        const std::uint32_t word = lane_id() < kBatchWords ? shared_.found[lane_id()] : 0;
        __syncwarp();  // the next batch overwrites what was read
        return word;
    }

    const ResidentView& view_;
    const FrontierBits& frontier_;
    WarpRows& shared_;
    std::uint32_t base_;
    std::uint32_t open_ = 0;
    std::uint32_t found_ = 0;
};

/// One level: reads `frontier` (this GPU's copy of all columns), writes what its rows find into every peer's copy of the next one.
__device__ inline LevelCounts bottom_up_level(const ResidentView& view, int from, int to, std::int32_t level, std::uint32_t* shared)
{
    const DeviceGraphView& graph = view.graph;
    const PeerState& own = view.own();
    auto& memory = *reinterpret_cast<BottomUpMemory*>(shared);
    const FrontierBits frontier = load_frontier(view, own.frontier[from], reinterpret_cast<std::uint32_t*>(&memory + 1));
    LevelCounts counts;
    const std::uint32_t batches = graph.slot_stride / kBatchRows;
    const std::uint32_t warps = gridDim.x * blockDim.x / 32;
    const auto visited_of = [&](std::uint32_t batch) {
        return batch < batches && lane_id() < kBatchWords ? own.visited[batch * kBatchWords + lane_id()] : ~0U;
    };
    std::uint32_t batch = static_cast<std::uint32_t>(spread_index() / 32);
    std::uint32_t next_visited = visited_of(batch);
    for (; batch < batches; batch += warps) {
        const std::uint32_t first_word = batch * kBatchWords;
        const std::uint32_t visited = next_visited;
        next_visited = visited_of(batch + warps);
        std::uint32_t found_word = 0;
        if (__any_sync(~0U, visited != ~0U)) {
            RowBatch rows(view, frontier, memory.warps[threadIdx.x / 32], first_word * 32, ~visited);
            rows.try_near_lists();
            found_word = rows.follow_lists();
#pragma unroll
            for (std::uint32_t g = 0; g < kBatchWords; ++g) {
                const std::uint32_t word = __ballot_sync(~0U, ((rows.found() >> g) & 1U) != 0);
                if (lane_id() == g) found_word |= word;
            }
            if (view.keep_levels && lane_id() < kBatchWords)
                for (std::uint32_t rest = found_word; rest != 0; rest &= rest - 1)
                    own.levels[(first_word + lane_id()) * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1)] = level;
        }
        if (lane_id() < kBatchWords) {
            if (found_word != 0) own.visited[first_word + lane_id()] = visited | found_word;
            const std::uint32_t place = graph.column(graph.rank, first_word * 32) / 32 + lane_id();
            for (std::uint32_t p = 0; p < view.peer_count; ++p) view.peers[(view.me + p) % view.peer_count].frontier[to][place] = found_word;
            counts.vertices += static_cast<std::uint64_t>(__popc(found_word));
        }
    }
    return counts;
}

/// After a top-down level: moves this rank's part of the frontier into every peer's copy. `word_of(w)` is its word w, and is asked once.
template <typename WordOf>
__device__ void publish_frontier(const ResidentView& view, WordOf&& word_of, int to)
{
    const DeviceGraphView& graph = view.graph;
    for (std::uint32_t w = blockIdx.x * blockDim.x + threadIdx.x; w < graph.slot_stride / 32; w += gridDim.x * blockDim.x) {
        const std::uint32_t word = word_of(w);
        const std::uint32_t place = graph.column(graph.rank, w * 32) / 32;
        for (std::uint32_t p = 0; p < view.peer_count; ++p) view.peers[(view.me + p) % view.peer_count].frontier[to][place] = word;
    }
}

}  // namespace wayfront::gpu
