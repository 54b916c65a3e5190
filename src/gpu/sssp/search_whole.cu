#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<WholeDistance, Reach::alone>;

}  // namespace wayfront::gpu::sssp
