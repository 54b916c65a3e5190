#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<FloatDistance, true>;

}  // namespace wayfront::gpu::sssp
