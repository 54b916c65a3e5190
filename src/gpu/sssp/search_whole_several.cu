#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<WholeDistance, true>;

}  // namespace wayfront::gpu::sssp
