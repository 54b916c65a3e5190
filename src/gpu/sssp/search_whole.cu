#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<WholeDistance, false>;

}  // namespace wayfront::gpu::sssp
