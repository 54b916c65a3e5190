#include <algorithm>
#include <limits>

#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/task_floyd_warshall.cuh"
#include "gpu/apsp/matrix/task_floyd_warshall.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

bool fits_tasks(std::uint32_t vertices, std::uint32_t matrices)
{
    const std::uint64_t tiles = TasksPlan::tiles_in(vertices);
    // The limit is half of the numbers, since blocks that find no task still increase the counter.
    return tiles < (1 << 11) && matrices * tiles * tiles * tiles < std::numeric_limits<std::uint32_t>::max() / 2 &&
           matrices < (1 << 16);
}

void close_by_tasks(const MatrixBatch& batch, unsigned threads, TaskBuffers& buffers, const Stream& stream)
{
    const std::uint32_t matrices = batch.matrices;
    const std::uint32_t tiles = TasksPlan::tiles_in(batch.vertices);
    if (buffers.next.empty()) {
        const TasksPlan plan(batch.vertices, matrices);
        buffers.memory = DeviceArrays(plan);
        buffers.next = buffers.memory[plan.next];
        buffers.steps = buffers.memory[plan.steps];
    }
    fill_bytes_async(buffers.next, 0, stream);
    fill_bytes_async(buffers.steps, 0, stream);
    const TasksView tasks{buffers.next.data(), buffers.steps.data()};
    with_whole_words(batch.sums, [&](auto tag) {
        with_threads(threads, [&](auto of_block) {
            using Sums = decltype(tag);
            constexpr std::uint32_t each = decltype(of_block)::value;
            // The number of blocks that the GPU can run together, or fewer if a step has fewer
            // tasks.
            constexpr std::uint32_t most = kMultiprocessors * 2048 / each;
            const std::uint32_t blocks = std::min(matrices * tiles * tiles, most);
            close_by_tasks<Sums, each><<<blocks, each, 0, stream.get()>>>(batch.view, tasks, tiles, matrices);
            check_launch();
        });
    });
}

}  // namespace wayfront::gpu::apsp
