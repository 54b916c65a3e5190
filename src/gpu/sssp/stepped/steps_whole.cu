#include "gpu/sssp/stepped/step_kernels.cuh"

namespace wayfront::gpu::sssp {

template struct StepKernels<WholeDistance>;

}  // namespace wayfront::gpu::sssp
