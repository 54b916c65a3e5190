#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

#include "base/error.hpp"
#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/task_floyd_warshall.cuh"
#include "gpu/apsp/matrix/task_floyd_warshall.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Calls f with the number of threads as a type.
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
            throw InputError("a block of blocked Floyd-Warshall has 64, 128, 256, 512 or 1024 threads, not " + std::to_string(threads));
    }
}

}  // namespace

bool fits_tasks(std::uint32_t vertices, std::uint32_t matrices)
{
    const std::uint64_t tiles = TasksPlan::tiles_in(vertices);
    // Blocks that find no task count on.
    return tiles < (1 << 11) && matrices * tiles * tiles * tiles < std::numeric_limits<std::uint32_t>::max() / 2 && matrices < (1 << 16);
}

void close_in_steps(const FloydWarshallView& view, std::uint32_t vertices, std::uint32_t matrices, MinPlusSums sums, unsigned threads,
                    const Stream& stream)
{
    const std::uint32_t tiles = TasksPlan::tiles_in(vertices);
    with_whole_words(sums, [&](auto how) {
        with_threads(threads, [&](auto of_block) {
            using Sums = decltype(how);
            constexpr std::uint32_t each = decltype(of_block)::value;
            for (std::uint32_t step = 0; step < tiles; ++step) {
                close_step<Sums, each, TaskKind::pivot><<<dim3(1, matrices), each, 0, stream.get()>>>(view, step, tiles);
                check_launch();
                if (tiles == 1) break;
                close_step<Sums, each, TaskKind::panel><<<dim3(2 * (tiles - 1), matrices), each, 0, stream.get()>>>(view, step, tiles);
                check_launch();
                close_step<Sums, each, TaskKind::rest><<<dim3((tiles - 1) * (tiles - 1), matrices), each, 0, stream.get()>>>(view, step, tiles);
                check_launch();
            }
        });
    });
}

void close_by_tasks(const FloydWarshallView& view, std::uint32_t vertices, std::uint32_t matrices, MinPlusSums sums, unsigned threads,
                    TaskBuffers& buffers, const Stream& stream)
{
    const std::uint32_t tiles = TasksPlan::tiles_in(vertices);
    if (buffers.next.empty()) {
        const TasksPlan plan(vertices, matrices);
        buffers.memory = DeviceArrays(plan);
        buffers.next = buffers.memory[plan.next];
        buffers.steps = buffers.memory[plan.steps];
    }
    fill_bytes_async(buffers.next, 0, stream);
    fill_bytes_async(buffers.steps, 0, stream);
    const TasksView tasks{buffers.next.data(), buffers.steps.data()};
    with_whole_words(sums, [&](auto how) {
        with_threads(threads, [&](auto of_block) {
            using Sums = decltype(how);
            constexpr std::uint32_t each = decltype(of_block)::value;
            // The blocks that the GPU can hold, or fewer if a step has fewer tasks.
            constexpr std::uint32_t most = kMultiprocessors * 2048 / each;
            const std::uint32_t blocks = std::min(matrices * tiles * tiles, most);
            close_by_tasks<Sums, each><<<blocks, each, 0, stream.get()>>>(view, tasks, tiles, matrices);
            check_launch();
        });
    });
}

}  // namespace wayfront::gpu::apsp
