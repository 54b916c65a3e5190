#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<WholeDistance, Reach::peers>;

}  // namespace wayfront::gpu::sssp
