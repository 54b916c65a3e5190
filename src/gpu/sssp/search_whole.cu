#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<WholeDistance, Reach::single_gpu>;

}  // namespace wayfront::gpu::sssp
