#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<FloatDistance, false>;

}  // namespace wayfront::gpu::sssp
