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
    /// As plan_sssp_launch() of kernel.hpp.
    [[nodiscard]] static SsspLaunch plan();
    /// Searches and writes the results by local number. Pre: the bounds have been cleared since the
    /// last search, including a near-far search. If the view has several GPUs, all of them must launch.
    static void launch(const SsspView& view, SsspSource source, const SsspLaunch& size, const Stream& stream);
};

extern template struct SearchKernel<WholeDistance, Reach::single_gpu>;
extern template struct SearchKernel<WholeDistance, Reach::peers>;
extern template struct SearchKernel<FloatDistance, Reach::single_gpu>;
extern template struct SearchKernel<FloatDistance, Reach::peers>;

}  // namespace wayfront::gpu::sssp
