#include "gpu/bfs/resident/resident_kernel.cuh"

namespace wayfront::gpu::bfs {

template struct ResidentKernel<true>;

}  // namespace wayfront::gpu::bfs
