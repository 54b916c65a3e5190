// The kernel of the resident search (kernel.hpp), for one type of distances, on one GPU or on
// several GPUs of a host.
#pragma once

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

struct WholeDistance;
struct FloatDistance;

template <typename Distance, Reach kReach>
struct SearchKernel
{
    /// Implement plan_sssp_launch() and launch_sssp() of kernel.hpp.
    [[nodiscard]] static SsspLaunch plan();
    static void launch(const SsspView& view, SsspSource source, const SsspLaunch& size, const Stream& stream);
};

extern template struct SearchKernel<WholeDistance, Reach::single_gpu>;
extern template struct SearchKernel<WholeDistance, Reach::peers>;
extern template struct SearchKernel<FloatDistance, Reach::single_gpu>;
extern template struct SearchKernel<FloatDistance, Reach::peers>;

}  // namespace wayfront::gpu::sssp
