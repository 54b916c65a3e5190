#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/task_floyd_warshall.cuh"
#include "gpu/apsp/matrix/task_floyd_warshall.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

void close_in_steps(const MatrixBatch& batch, unsigned threads, const Stream& stream)
{
    const std::uint32_t matrices = batch.matrices;
    const std::uint32_t tiles = TasksPlan::tiles_in(batch.vertices);
    with_whole_words(batch.sums, [&](auto tag) {
        with_threads(threads, [&](auto of_block) {
            using Sums = decltype(tag);
            constexpr std::uint32_t each = decltype(of_block)::value;
            for (std::uint32_t step = 0; step < tiles; ++step) {
                close_step<Sums, each, TaskKind::pivot>
                    <<<dim3(1, matrices), each, 0, stream.get()>>>(batch.view, step, tiles);
                check_launch();
                if (tiles == 1) break;
                close_step<Sums, each, TaskKind::panel>
                    <<<dim3(2 * (tiles - 1), matrices), each, 0, stream.get()>>>(batch.view, step, tiles);
                check_launch();
                close_step<Sums, each, TaskKind::rest>
                    <<<dim3((tiles - 1) * (tiles - 1), matrices), each, 0, stream.get()>>>(batch.view, step, tiles);
                check_launch();
            }
        });
    });
}

}  // namespace wayfront::gpu::apsp
