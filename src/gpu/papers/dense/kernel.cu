#include <algorithm>
#include <limits>
#include <type_traits>

#include <cub/block/block_scan.cuh>

#include "gpu/exchange/grid_barrier.cuh"
#include "gpu/papers/dense/kernel.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::sssp {

namespace {

struct FloatSums
{
    using Value = float;

    [[nodiscard]] static __device__ float infinity() { return __int_as_float(0x7F800000); }
    [[nodiscard]] static __device__ float of_word(std::uint32_t word) { return __uint_as_float(word); }
    [[nodiscard]] static __device__ std::uint32_t to_word(float value) { return __float_as_uint(value); }
    /// The sum; infinite if the distance or the weight is infinite.
    [[nodiscard]] static __device__ float sum(float distance, float weight, bool& overflow)
    {
        const float sum = __fadd_rn(distance, weight);
        overflow = overflow || (isinf(sum) && !isinf(weight) && !isinf(distance));
        return sum;
    }
};

struct WholeSums
{
    using Value = std::int32_t;

    [[nodiscard]] static __device__ std::int32_t infinity() { return std::numeric_limits<std::int32_t>::max(); }
    [[nodiscard]] static __device__ std::int32_t of_word(std::uint32_t word) { return static_cast<std::int32_t>(word); }
    [[nodiscard]] static __device__ std::uint32_t to_word(std::int32_t value)
    {
        return static_cast<std::uint32_t>(value);
    }
    [[nodiscard]] static __device__ std::int32_t sum(std::int32_t distance, std::int32_t weight, bool& overflow)
    {
        if (distance == infinity() || weight == infinity()) return infinity();
        const std::int64_t whole = std::int64_t{distance} + weight;
        const bool fits = whole < infinity() && whole >= std::numeric_limits<std::int32_t>::min();
        overflow = overflow || !fits;
        return fits ? static_cast<std::int32_t>(whole) : infinity();
    }
};

template <typename Sums>
__global__ void first_pass(DenseView view, std::uint32_t source, std::uint32_t first_column, std::uint32_t end_column)
{
    for (std::uint64_t i = first_column + first_index(); i < end_column; i += index_stride()) {
        const auto column = static_cast<std::uint32_t>(i);
        const auto weight = Sums::of_word(view.matrix[view.tiles.place(source, column)]);
        const bool reached = column != source && weight < Sums::infinity();
        const auto distance = column == source ? typename Sums::Value{0} : weight;
        view.distances[1][column] = Sums::to_word(distance);
        view.predecessors[column] = reached ? static_cast<std::int32_t>(source) : -1;
        view.changed[1][column] = reached ? 1 : 0;
    }
}

// This algorithm needs little shared memory.
using Compaction = cub::BlockScan<std::uint32_t, kDenseThreads, cub::BLOCK_SCAN_WARP_SCANS>;

/// The passes, as one thread of a block sees them. A thread block computes the distances of the
/// columns of its tile.
template <typename Sums>
class Passes
{
public:
    using Value = typename Sums::Value;
    static constexpr std::uint32_t kColumns = kColumnsOfLoad;

    __device__ Passes(const DenseView& view, std::byte* shared, typename Compaction::TempStorage& scan)
        : view_(view), tiles_(view.tiles), scan_(scan), barrier_(view.barrier)
    {
        const DenseLayout layout = tiles_.layout();
        listed_distances_ = reinterpret_cast<Value*>(shared + layout.distances);
        listed_vertices_ = reinterpret_cast<std::uint32_t*>(shared + layout.vertices);
        sums_ = reinterpret_cast<Value*>(shared + layout.partial);
        found_ = reinterpret_cast<std::int32_t*>(sums_ + kDenseThreads * kColumns);
        tile_ = reinterpret_cast<const uint4*>(view.matrix + blockIdx.x * tiles_.tile_words());
        has_tile_ = blockIdx.x < tiles_.tiles;
        group_ = threadIdx.x / tiles_.threads_of_row();
        part_ = threadIdx.x % tiles_.threads_of_row();
        if (tiles_.in_shared_memory) keep_tile(reinterpret_cast<uint4*>(shared + layout.matrix));
    }

    __device__ void run(std::uint32_t first, std::uint32_t most)
    {
        std::uint32_t pass = first;
        std::uint64_t changed = 0;
        for (; pass < first + most; ++pass) {
            relax(pass);
            const DenseCounts totals = barrier_.reduce(counts_).counts;
            counts_ = {};
            changed = totals.changed;
            overflow_ = overflow_ || totals.overflow != 0;
            if (changed == 0) break;
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            DenseSummary& summary = *view_.summary;
            summary.passes += pass < first + most ? pass - first + 1 : most;
            summary.changed = static_cast<std::uint32_t>(changed);
            summary.rows += rows_;
            if (overflow_) summary.overflow = 1;
        }
        barrier_.finish();
    }

private:
    __device__ void keep_tile(uint4* kept)
    {
        if (has_tile_)
            for (std::size_t i = threadIdx.x; i < tiles_.tile_words() / kColumns; i += kDenseThreads)
                kept[i] = tile_[i];
        tile_ = kept;
        __syncthreads();
    }

    /// Runs one pass: the block's columns get their distances number pass % 2.
    __device__ void relax(std::uint32_t pass)
    {
        Value best[kColumns];
        std::int32_t from[kColumns];
#pragma unroll
        for (std::uint32_t k = 0; k < kColumns; ++k) {
            best[k] = Sums::infinity();
            from[k] = -1;
        }
        bool overflow = false;
        for (std::uint32_t begin = 0; begin < tiles_.n; begin += kCompactedAtOnce) {
            const std::uint32_t listed = compact(begin, (pass + 1) % 2);
            rows_ += listed;
            if (has_tile_ && group_ < tiles_.groups()) add_listed(listed, best, from, overflow);
            __syncthreads();  // the next part of the loop overwrites the lists
        }
        if (overflow) counts_.overflow = 1;
        if (!has_tile_) return;
        reduce(best, from);
        commit(pass);
    }

    /// Lists the vertices that take part in the pass among the kCompactedAtOnce vertices from
    /// `begin` on, in the order of their numbers. Returns their number. All threads call.
    [[nodiscard]] __device__ std::uint32_t compact(std::uint32_t begin, std::uint32_t last)
    {
        const std::uint32_t first = begin + 8 * threadIdx.x;
        std::uint32_t thread_bits = 0;  // bit k: whether vertex first + k takes part
        if (first < tiles_.n) {
            if (view_.fixed_order) {
                const std::uint64_t bytes =
                    __ldcg(reinterpret_cast<const unsigned long long*>(view_.changed[last] + first));
#pragma unroll
                for (std::uint32_t k = 0; k < 8; ++k)
                    thread_bits |= static_cast<std::uint32_t>(bytes >> (8 * k) & 1) << k;
            } else {
                thread_bits = tiles_.n - first >= 8 ? 0xFF : (1U << (tiles_.n - first)) - 1;
            }
        }
        std::uint32_t place = 0;
        std::uint32_t total = 0;
        Compaction(scan_).ExclusiveSum(static_cast<std::uint32_t>(__popc(thread_bits)), place, total);
#pragma unroll
        for (std::uint32_t k = 0; k < 8; ++k) {
            if ((thread_bits >> k & 1) == 0) continue;
            listed_vertices_[place] = first + k;
            listed_distances_[place] = Sums::of_word(__ldcg(view_.distances[last] + first + k));
            ++place;
        }
        __syncthreads();
        return total;
    }

    /// Each group of threads adds every groups()-th listed row. Rows ascend, so that the smallest
    /// predecessor of several equal sums is kept.
    __device__ void add_listed(std::uint32_t listed, Value (&best)[kColumns], std::int32_t (&from)[kColumns],
                               bool& overflow) const
    {
        const std::uint32_t groups = tiles_.groups();
        const std::uint32_t threads_of_row = tiles_.threads_of_row();
#pragma unroll 4
        for (std::uint32_t i = group_; i < listed; i += groups) {
            const std::uint32_t vertex = listed_vertices_[i];
            const Value distance = listed_distances_[i];
            const uint4 words = tile_[std::size_t{vertex} * threads_of_row + part_];
            const std::uint32_t weights[kColumns] = {words.x, words.y, words.z, words.w};
#pragma unroll
            for (std::uint32_t k = 0; k < kColumns; ++k) {
                const Value sum = Sums::sum(distance, Sums::of_word(weights[k]), overflow);
                if (sum < best[k]) {
                    best[k] = sum;
                    from[k] = static_cast<std::int32_t>(vertex);
                }
            }
        }
    }

    /// Reduces the partial results of all groups by comparing halves. The part of group 0 then
    /// contains the smallest sum of each column and, for equal sums, the smallest predecessor. All
    /// threads of a block call.
    __device__ void reduce(const Value (&best)[kColumns], const std::int32_t (&from)[kColumns])
    {
        const std::uint32_t own = threadIdx.x * kColumns;
#pragma unroll
        for (std::uint32_t k = 0; k < kColumns; ++k) {
            sums_[own + k] = best[k];
            found_[own + k] = from[k];
        }
        __syncthreads();
        const std::uint32_t width = tiles_.threads_of_row() * kColumns;  // columns of a group
        for (std::uint32_t groups = tiles_.groups(); groups > 1; groups = (groups + 1) / 2) {
            const std::uint32_t half = (groups + 1) / 2;
            for (std::uint32_t i = threadIdx.x; i < (groups - half) * width; i += kDenseThreads) {
                const std::uint32_t other = i + half * width;
                const bool smaller = sums_[other] < sums_[i] || (sums_[other] == sums_[i] && found_[other] < found_[i]);
                if (smaller) {
                    sums_[i] = sums_[other];
                    found_[i] = found_[other];
                }
            }
            __syncthreads();
        }
    }

    /// Stores the distances, changes and predecessors of the block's columns for this pass.
    __device__ void commit(std::uint32_t pass)
    {
        for (std::uint32_t c = threadIdx.x; c < tiles_.columns; c += kDenseThreads) {
            const std::uint32_t column = blockIdx.x * tiles_.columns + c;
            if (column >= tiles_.n) continue;
            const Value old = Sums::of_word(__ldcg(view_.distances[(pass + 1) % 2] + column));
            const bool smaller = sums_[c] < old;
            view_.distances[pass % 2][column] = Sums::to_word(smaller ? sums_[c] : old);
            view_.changed[pass % 2][column] = smaller ? 1 : 0;
            if (!smaller) continue;
            view_.predecessors[column] = found_[c];
            ++counts_.changed;
        }
    }

    const DenseView& view_;
    const DenseTiles& tiles_;
    typename Compaction::TempStorage& scan_;
    GridBarrier<DenseCounts> barrier_;
    DenseCounts counts_;
    Value* listed_distances_ = nullptr;
    std::uint32_t* listed_vertices_ = nullptr;
    Value* sums_ = nullptr;
    std::int32_t* found_ = nullptr;
    const uint4* tile_ = nullptr;
    bool has_tile_ = false;
    std::uint32_t group_ = 0;
    std::uint32_t part_ = 0;
    std::uint64_t rows_ = 0;
    bool overflow_ = false;
};

template <typename Sums>
__global__ void __launch_bounds__(kDenseThreads, 1) passes(DenseView view, std::uint32_t first, std::uint32_t most)
{
    extern __shared__ uint4 shared[];
    __shared__ typename Compaction::TempStorage scan;
    Passes<Sums>(view, reinterpret_cast<std::byte*>(shared), scan).run(first, most);
}

template <typename F>
void with_sums(DenseType type, F&& f)
{
    if (type == DenseType::int32)
        f(WholeSums{});
    else
        f(FloatSums{});
}

}  // namespace

unsigned dense_blocks(DenseType type, std::size_t shared_bytes)
{
    unsigned blocks = 0;
    with_sums(type, [&](auto sums) {
        blocks = cooperative_blocks(reinterpret_cast<const void*>(passes<decltype(sums)>), kDenseThreads, shared_bytes,
                                    "Bellman-Ford passes");
    });
    return blocks;
}

void launch_first_pass(const DenseView& view, DenseType type, std::uint32_t source, DenseTileRange tiles,
                       const Stream& stream)
{
    const std::uint32_t begin = tiles.first * view.tiles.columns;
    const std::uint32_t end = std::min((tiles.first + tiles.count) * view.tiles.columns, view.tiles.n);
    if (begin >= end) return;
    with_sums(type,
              [&](auto sums) { launch(first_pass<decltype(sums)>, end - begin, stream, view, source, begin, end); });
}

void launch_dense_passes(const DenseView& view, DenseType type, DensePassLimits limits, unsigned blocks,
                         const Stream& stream)
{
    with_sums(type, [&](auto sums) {
        launch_cooperative(passes<decltype(sums)>, blocks, kDenseThreads, view.tiles.layout().bytes, stream, view,
                           limits.first, limits.most);
    });
}

}  // namespace wayfront::gpu::sssp
