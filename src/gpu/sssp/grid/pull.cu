// Pulls of a search over a grid, along lists that are sorted by weight.
//
// A thread pulls for a row along its first entries, which suffice for most rows. A warp continues
// the lists of the other rows. In a grid of one column, rows are the own columns, and a row that
// improves writes its column at once, so that other rows of this pull may read the old or the new
// distance. An old distance is too large, but it is the length of a path. The last pull of a search
// changes no distance, so no row reads an outdated distance in that pull.
#include "algo/sssp/distance.hpp"
#include "gpu/graph/block_list.cuh"
#include "gpu/graph/block_sums.cuh"
#include "gpu/sssp/grid/launch_blocks.cuh"
#include "gpu/sssp/grid/row_words.hpp"

namespace wayfront::gpu::sssp {

namespace {

constexpr std::uint32_t kEntriesInFlight = 4;  // number of entries whose loads a thread has in flight
constexpr std::uint32_t kThreadEntries = 1 + 2 * kEntriesInFlight;

/// The arguments of a pull (algo::Pull).
template <typename D>
struct PullBounds
{
    D settled_below;
    D least;
    D later_least;  // smallest distance of columns that can improve a row in later pulls
    D bound;
    bool all_rows;
    bool lists;
};

/// A row whose list a warp continues, in shared memory.
template <typename D>
struct LongRow
{
    std::uint32_t row;
    std::uint32_t entry;  // first entry for the warp
    std::uint32_t parent;
    bool lost_sum;
    D distance;
};

template <typename D>
struct PullMemory
{
    LongRow<D> rows[kBlockThreads];
    std::uint32_t count;
    BlockListStore improved;
    BlockListStore open;
};

/// The state of the pull for one row.
template <typename D, typename W>
struct RowPull
{
    const W* weights = nullptr;  // weights of the row's list
    const std::uint32_t* neighbours = nullptr;
    std::uint32_t length = 0;
    std::uint32_t entry = 0;  // next entry
    D distance{};
    std::uint32_t parent = 0;
    bool lost_sum = false;  // whether a sum did not fit D or was infinite

    __device__ RowPull() = default;
    __device__ RowPull(const WeightedBlockView<W>& block, std::uint32_t row)
    {
        const std::uint64_t begin = block.in_edges.begin(row);
        weights = block.in_weights + begin;
        neighbours = block.in_edges.neighbours + begin;
        length = static_cast<std::uint32_t>(block.in_edges.end(row) - begin);
    }

    /// Whether an entry of this weight may improve the row. All entries of an unreached row are
    /// read, since one of them may lead from a reached column with a sum that does not fit.
    [[nodiscard]] __device__ bool may_improve(W weight, D least) const
    {
        return distance == algo::unreached<D>() || algo::capped_sum(least, weight) < distance;
    }

    [[nodiscard]] __device__ D sum_of(D column_distance, W weight)
    {
        const D sum = algo::capped_sum(column_distance, weight);
        lost_sum = lost_sum || (column_distance != algo::unreached<D>() && sum == algo::unreached<D>());
        return sum;
    }

    /// Pulls along the next `Count` entries. Returns whether later entries may improve the row.
    /// `arcs` counts the weights that are read.
    template <std::uint32_t Count>
    __device__ bool advance(const D* columns, D least, std::uint64_t& arcs)
    {
        W weight[Count];
        D column_distance[Count];
        bool reads[Count];
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            reads[k] = entry + k < length;
            weight[k] = reads[k] ? weights[entry + k] : W{0};
            arcs += reads[k] ? 1 : 0;
        }
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            reads[k] = reads[k] && may_improve(weight[k], least);
            column_distance[k] = reads[k] ? columns[neighbours[entry + k]] : algo::unreached<D>();
        }
#pragma unroll
        for (std::uint32_t k = 0; k < Count; ++k) {
            if (!reads[k]) return false;
            const D sum = sum_of(column_distance[k], weight[k]);
            if (sum < distance) {
                distance = sum;
                parent = neighbours[entry + k];
            }
        }
        entry += Count;
        return entry < length;
    }

    /// Pulls along all remaining entries. All lanes of a warp call with the same row.
    __device__ void finish_by_warp(const D* columns, D least, std::uint64_t& arcs)
    {
        for (; entry < length; entry += 32) {
            bool reads = entry + lane_id() < length;
            const W weight = reads ? weights[entry + lane_id()] : W{0};
            arcs += reads ? 1 : 0;
            reads = reads && may_improve(weight, least);
            const std::uint32_t reading = __ballot_sync(kAllLanes, reads);
            if (reading == 0) break;
            const std::uint32_t column = reads ? neighbours[entry + lane_id()] : 0;
            const D sum = reads ? sum_of(columns[column], weight) : algo::unreached<D>();
            D smallest = sum;
            for (int offset = 16; offset > 0; offset /= 2) {
                const D other = __shfl_xor_sync(kAllLanes, smallest, offset);
                if (other < smallest) smallest = other;
            }
            if (smallest < distance) {
                const int lane = __ffs(static_cast<int>(__ballot_sync(kAllLanes, reads && sum == smallest))) - 1;
                distance = smallest;
                parent = __shfl_sync(kAllLanes, column, lane);
            }
            if (reading != kAllLanes) break;  // the arcs of later entries are too heavy
        }
        lost_sum = __any_sync(kAllLanes, lost_sum) != 0;
    }
};

template <typename D, typename W>
class Puller
{
public:
    __device__ Puller(const WeightedBlockView<W>& block, const SsspStateView<D>& state, const PullBounds<D>& bounds,
                      PullMemory<D>& memory)
        : block_(block),
          state_(state),
          bounds_(bounds),
          memory_(memory),
          improved_(memory.improved, state.improved, &state.header->improved),
          open_(memory.open, state.still_open, &state.header->still_open)
    {
        improved_.clear();
        open_.clear();
    }

    /// Pulls for a row along its first entries, if the lane has a row. All lanes of a warp call.
    __device__ void begin_row(bool has_row, std::uint32_t row)
    {
        RowPull<D, W> pull;
        bool ends = false;
        if (has_row) {
            pull.distance = distance_before(row);
            has_row = !(pull.distance < bounds_.settled_below);
        }
        if (has_row) {
            const D before = pull.distance;
            pull = RowPull<D, W>(block_, row);
            pull.distance = before;
            bool goes_on = pull.length > 0 && pull.template advance<1>(state_.columns, bounds_.least, arcs_);
            while (goes_on && pull.entry < kThreadEntries)
                goes_on = pull.template advance<kEntriesInFlight>(state_.columns, bounds_.least, arcs_);
            if (goes_on)
                memory_.rows[atomicAdd(&memory_.count, 1U)] = {row, pull.entry, pull.parent, pull.lost_sum,
                                                               pull.distance};
            ends = !goes_on;
        }
        end_row(ends, row, pull);
    }

    /// Pulls along the remaining entries of the block's long row i. All lanes of a warp call with
    /// the same row.
    __device__ void finish_row(std::uint32_t i)
    {
        const LongRow<D>& long_row = memory_.rows[i];
        RowPull<D, W> pull(block_, long_row.row);
        pull.entry = long_row.entry;
        pull.distance = long_row.distance;
        pull.parent = long_row.parent;
        pull.lost_sum = long_row.lost_sum;
        pull.finish_by_warp(state_.columns, bounds_.least, arcs_);
        end_row(lane_id() == 0, long_row.row, pull);
    }

    /// Appends the block's improved and open rows to their lists, and adds its counts to the
    /// header. All threads of the block call, once, after the last row.
    __device__ void finish()
    {
        BlockList<>::flush(improved_, open_);
        add_block_sum(&state_.header->arcs, arcs_);
        __syncthreads();  // both sums use the same shared memory
        add_block_sum(&state_.header->improved_rows, improved_rows_);
        if (overflow_) state_.header->overflow = 1;
    }

private:
    /// Distances at the bound count as not reached.
    [[nodiscard]] __device__ D distance_before(std::uint32_t row) const
    {
        const D distance = RowWord<D>::distance(state_.words[row]);
        return distance < bounds_.bound ? distance : bounds_.bound;
    }

    /// Stores the result of the pull for a row, if the lane has a row. All lanes of a warp call.
    __device__ void end_row(bool has_row, std::uint32_t row, const RowPull<D, W>& pull)
    {
        bool improves = false;
        bool stays_open = false;
        if (has_row) {
            improves = pull.distance < distance_before(row);
            if (improves) {
                state_.words[row] = RowWord<D>::make(pull.distance, pull.parent);
                if constexpr (!RowWord<D>::kHasParent) state_.parents[row] = pull.parent;
                if (block_.owns_rows()) state_.columns[block_.first_own_column + row] = pull.distance;
                ++improved_rows_;
            }
            stays_open = pull.length > 0 && algo::capped_sum(bounds_.later_least, pull.weights[0]) < pull.distance;
            overflow_ = overflow_ || (pull.lost_sum && pull.distance == algo::unreached<D>());
        }
        improved_.append(improves && bounds_.lists, row);
        open_.append(stays_open, row);
    }

    const WeightedBlockView<W>& block_;
    const SsspStateView<D>& state_;
    const PullBounds<D>& bounds_;
    PullMemory<D>& memory_;
    BlockList<> improved_;
    BlockList<> open_;
    std::uint64_t arcs_ = 0;
    std::uint64_t improved_rows_ = 0;
    bool overflow_ = false;
};

template <typename D, typename W>
__global__ __launch_bounds__(kBlockThreads) void pull_rows(WeightedBlockView<W> block, SsspStateView<D> state,
                                                           PullBounds<D> bounds, std::uint64_t count)
{
    __shared__ PullMemory<D> memory;
    Puller<D, W> puller(block, state, bounds, memory);
    if (threadIdx.x == 0) memory.count = 0;
    __syncthreads();
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kBlockThreads; first < count; first += index_stride()) {
        const std::uint64_t i = first + threadIdx.x;
        const bool has_row = i < count;
        std::uint32_t row = 0;
        if (has_row) row = bounds.all_rows ? static_cast<std::uint32_t>(i) : state.open[i];
        puller.begin_row(has_row, row);
        __syncthreads();
        const std::uint32_t long_rows = memory.count;
        for (std::uint32_t k = threadIdx.x / 32; k < long_rows; k += kBlockWarps) puller.finish_row(k);
        __syncthreads();
        if (threadIdx.x == 0) memory.count = 0;
        __syncthreads();
    }
    puller.finish();
}

}  // namespace

template <typename D, typename W>
void PullKernels<D, W>::pull(const algo::Pull<D>& pull, std::uint64_t count) const
{
    const PullBounds<D> bounds{pull.settled_below, pull.least, pull.first ? pull.settled_below : pull.least,
                               pull.bound,         pull.first, pull.lists};
    launch_blocks(pull_rows<D, W>, count, views.place, views.block, views.state, bounds, count);
}

template <typename D, typename W>
void PullKernels<D, W>::load()
{
    load_kernel(pull_rows<D, W>);
}

template struct PullKernels<std::uint32_t, std::uint32_t>;
template struct PullKernels<std::int64_t, std::uint32_t>;
template struct PullKernels<std::int64_t, std::int64_t>;
template struct PullKernels<float, float>;
template struct PullKernels<double, double>;

}  // namespace wayfront::gpu::sssp
