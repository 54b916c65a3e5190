// Blocked Floyd-Warshall in tiles of 32 x 32, as described by D. Takafuji, K. Nakano and Y. Ito
// (blocked-fw, 2019), in two forms: three kernels per step, and one kernel whose blocks take tasks
// from a counter. Both forms work on many matrices of one size at once.
//
// A task is a tile in a step. Tasks are numbered by step. Within a step, the first tasks are the
// pivot tiles of all matrices, then the tiles of the pivots' rows and columns, then all other
// tiles. A block that has taken a task waits until the tiles on which the task depends have
// finished enough steps. Since tasks with smaller numbers were taken before, these tiles are being
// computed.
//
// A tile of a pivot's row or column may already be in the next step when another block reads it.
// Its distances are then smaller, but they are still lengths of paths. Whole distances are the same
// in the end; sums of floats may be rounded in another order from run to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include <cuda/atomic>

#include "base/error.hpp"
#include "gpu/apsp/matrix/floyd_warshall_view.hpp"
#include "gpu/apsp/matrix/min_plus.cuh"

namespace wayfront::gpu::apsp {

/// The memory that the blocks of the single kernel share.
struct TasksView
{
    std::uint32_t* next = nullptr;   // number of the next task
    std::uint32_t* steps = nullptr;  // number of finished steps of each tile of each matrix
};

/// A tile of a matrix in a step. The step determines the tiles of the pivot's row and column on
/// which it depends.
struct TileTask
{
    std::uint32_t matrix;
    std::uint32_t step;
    std::uint32_t row;
    std::uint32_t column;
};

/// A block with `Threads` threads. Each thread has kTaskTile^2 / Threads distances of the task's
/// tile in registers; the tiles on which the task depends are in shared memory.
template <typename Sums, std::uint32_t Threads>
class TaskTile
{
public:
    static_assert(Sums::kOfWord == 1 && Threads % kTaskTile == 0);
    using Word = typename Sums::Word;
    static constexpr std::uint32_t kOwn = kTaskTile * kTaskTile / Threads;
    static constexpr std::uint32_t kSharedWords = 2 * kTaskTile * kTaskTile;

    __device__ TaskTile(const FloydWarshallView& view, Word* shared)
        : view_(view), left_(shared), right_(shared + kTaskTile * kTaskTile)
    {
    }

    /// Computes the tile of a task. Pre: the pivot tile, row and column of the step are ready.
    __device__ void run(const TileTask& task)
    {
        const bool in_row = task.row == task.step;
        const bool in_column = task.column == task.step;
        Word* const matrix = view_.matrix + std::size_t{task.matrix} * view_.size * view_.stride;
        const auto tile = [&](std::uint32_t row, std::uint32_t column) {
            return matrix + std::size_t{row} * kTaskTile * view_.stride + column * kTaskTile;
        };
        Word own[kOwn];
        load(own, tile(task.row, task.column));
        __syncthreads();  // no thread still reads the shared memory of the previous task
        keep(left_, own, tile(task.row, task.step), in_column);
        keep(right_, own, tile(task.step, task.column), in_row);
        __syncthreads();
        for (std::uint32_t k = 0; k < kTaskTile; ++k) {
            const Word through = right_[k * kTaskTile + column()];
#pragma unroll
            for (std::uint32_t i = 0; i < kOwn; ++i) Sums::relax_one(own[i], left_[row(i) * kTaskTile + k], through);
            // Only the pivot tile is its own factor. In the pivot's row and column, the other
            // factor is already closed.
            if (!in_row || !in_column) continue;
            __syncthreads();  // all threads have read row k and column k, which do not change at k
#pragma unroll
            for (std::uint32_t i = 0; i < kOwn; ++i)
                left_[row(i) * kTaskTile + column()] = right_[row(i) * kTaskTile + column()] = own[i];
            __syncthreads();
        }
#pragma unroll
        for (std::uint32_t i = 0; i < kOwn; ++i)
            __stcg(tile(task.row, task.column) + row(i) * view_.stride + column(), own[i]);
    }

private:
    [[nodiscard]] static __device__ std::uint32_t column()
    {
        return threadIdx.x % kTaskTile;
    }
    [[nodiscard]] static __device__ std::uint32_t row(std::uint32_t i)
    {
        return i * (Threads / kTaskTile) + threadIdx.x / kTaskTile;
    }

    __device__ void load(Word (&to)[kOwn], const Word* tile) const
    {
#pragma unroll
        for (std::uint32_t i = 0; i < kOwn; ++i) to[i] = __ldcg(tile + row(i) * view_.stride + column());
    }

    /// Copies a factor to shared memory: the task's own tile, or another tile.
    __device__ void keep(Word* to, const Word (&own)[kOwn], const Word* tile, bool is_own) const
    {
#pragma unroll
        for (std::uint32_t i = 0; i < kOwn; ++i)
            to[row(i) * kTaskTile + column()] = is_own ? own[i] : __ldcg(tile + row(i) * view_.stride + column());
    }

    const FloydWarshallView& view_;
    Word* left_;
    Word* right_;
};

/// The tasks of a step by kind: tiles of the pivot's row and column (panel), and other tiles
/// (rest). `tiles`: number of tiles in a row of a matrix.
[[nodiscard]] __device__ inline TileTask panel_task(std::uint32_t matrix, std::uint32_t step, std::uint32_t number)
{
    const std::uint32_t other = number / 2 < step ? number / 2 : number / 2 + 1;
    return number % 2 == 0 ? TileTask{matrix, step, other, step} : TileTask{matrix, step, step, other};
}

[[nodiscard]] __device__ inline TileTask rest_task(std::uint32_t matrix, std::uint32_t step, std::uint32_t number,
                                                   std::uint32_t tiles)
{
    const auto skip = [&](std::uint32_t i) { return i < step ? i : i + 1; };
    return {matrix, step, skip(number / (tiles - 1)), skip(number % (tiles - 1))};
}

/// The task with this number, for `matrices` matrices of tiles x tiles tiles.
[[nodiscard]] __device__ inline TileTask task_of(std::uint32_t number, std::uint32_t tiles, std::uint32_t matrices)
{
    const std::uint32_t of_step = matrices * tiles * tiles;
    const std::uint32_t step = number / of_step;
    const std::uint32_t panels = 2 * (tiles - 1);
    const std::uint32_t rest = (tiles - 1) * (tiles - 1);
    std::uint32_t in_step = number % of_step;
    if (in_step < matrices) return {in_step, step, step, step};
    in_step -= matrices;
    if (in_step < matrices * panels) return panel_task(in_step / panels, step, in_step % panels);
    in_step -= matrices * panels;
    return rest_task(in_step / rest, step, in_step % rest, tiles);
}

/// Takes tasks until none is left. All threads of the block call.
template <typename Sums, std::uint32_t Threads>
class TaskWorker
{
public:
    using Worker = TaskTile<Sums, Threads>;
    static constexpr std::uint32_t kSharedWords = Worker::kSharedWords + 4;

    __device__ TaskWorker(const FloydWarshallView& view, const TasksView& tasks, std::uint32_t tiles,
                          std::uint32_t matrices, std::uint32_t* shared)
        : tasks_(tasks),
          tiles_(tiles),
          matrices_(matrices),
          taken_(shared + Worker::kSharedWords),
          worker_(view, shared)
    {
    }

    __device__ void run()
    {
        const std::uint32_t count = matrices_ * tiles_ * tiles_ * tiles_;
        for (;;) {
            __syncthreads();  // all threads have read the number of the previous task
            if (threadIdx.x == 0) *taken_ = atomicAdd(tasks_.next, 1U);
            __syncthreads();
            const std::uint32_t number = *taken_;
            if (number >= count) return;
            const TileTask task = task_of(number, tiles_, matrices_);
            if (threadIdx.x == 0) wait_for(task);
            __syncthreads();
            worker_.run(task);
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0)
                Steps(steps_of(task, task.row, task.column)).store(task.step + 1, cuda::memory_order_release);
        }
    }

private:
    using Steps = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

    [[nodiscard]] __device__ std::uint32_t& steps_of(const TileTask& task, std::uint32_t row,
                                                     std::uint32_t column) const
    {
        return tasks_.steps[(std::size_t{task.matrix} * tiles_ + row) * tiles_ + column];
    }
    __device__ void wait(const TileTask& task, std::uint32_t row, std::uint32_t column, std::uint32_t steps) const
    {
        while (Steps(steps_of(task, row, column)).load(cuda::memory_order_acquire) < steps) {
        }
    }
    __device__ void wait_for(const TileTask& task) const
    {
        const bool in_row = task.row == task.step;
        const bool in_column = task.column == task.step;
        wait(task, task.row, task.column, task.step);
        if (in_row && in_column) return;
        if (in_row || in_column) return wait(task, task.step, task.step, task.step + 1);
        wait(task, task.row, task.step, task.step + 1);
        wait(task, task.step, task.column, task.step + 1);
    }

    const TasksView& tasks_;
    std::uint32_t tiles_, matrices_;
    std::uint32_t* taken_;
    Worker worker_;
};

/// All tasks in one kernel, with any number of blocks.
template <typename Sums, std::uint32_t Threads>
__global__ void __launch_bounds__(Threads)
    close_by_tasks(FloydWarshallView view, TasksView tasks, std::uint32_t tiles, std::uint32_t matrices)
{
    alignas(16) __shared__ std::uint32_t shared[TaskWorker<Sums, Threads>::kSharedWords];
    TaskWorker<Sums, Threads> worker(view, tasks, tiles, matrices, shared);
    worker.run();
}

enum class TaskKind : std::uint8_t { pivot, panel, rest };

/// The tasks of one kind in one step, one task in each block. blockIdx.y is the number of the
/// matrix.
template <typename Sums, std::uint32_t Threads, TaskKind kind>
__global__ void __launch_bounds__(Threads) close_step(FloydWarshallView view, std::uint32_t step, std::uint32_t tiles)
{
    alignas(16) __shared__ std::uint32_t shared[TaskTile<Sums, Threads>::kSharedWords];
    TaskTile<Sums, Threads> worker(view, shared);
    TileTask task{blockIdx.y, step, step, step};
    if (kind == TaskKind::panel) task = panel_task(blockIdx.y, step, blockIdx.x);
    if (kind == TaskKind::rest) task = rest_task(blockIdx.y, step, blockIdx.x, tiles);
    worker.run(task);
}

/// Calls f with the number of threads of a block as a type. Throws InputError for an unsupported
/// number.
template <typename F>
void with_threads(unsigned threads, F&& f)
{
    switch (threads) {
        case 64:
            return f(std::integral_constant<std::uint32_t, 64>{});
        case 128:
            return f(std::integral_constant<std::uint32_t, 128>{});
        case 256:
            return f(std::integral_constant<std::uint32_t, 256>{});
        case 512:
            return f(std::integral_constant<std::uint32_t, 512>{});
        case 1024:
            return f(std::integral_constant<std::uint32_t, 1024>{});
        default:
            throw InputError("a block of blocked Floyd-Warshall has 64, 128, 256, 512 or 1024 threads, not " +
                             std::to_string(threads));
    }
}

}  // namespace wayfront::gpu::apsp
