#include "gpu/bfs/resident/resident_kernel.cuh"

namespace wayfront::gpu::bfs {

template struct ResidentKernel<false>;

}  // namespace wayfront::gpu::bfs
