#include "gpu/sssp/search_kernel.cuh"

namespace wayfront::gpu::sssp {

template struct SearchKernel<FloatDistance, Reach::peers>;

}  // namespace wayfront::gpu::sssp
