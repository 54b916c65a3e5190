// The kernel of the resident search (kernel.hpp), for one type of distances, on one GPU or on several.
#pragma once

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

struct WholeDistance;
struct FloatDistance;

template <typename Distance, bool kSeveral>
struct SearchKernel
{
    /// plan_sssp_launch() and launch_sssp() of kernel.hpp.
    [[nodiscard]] static SsspLaunch plan();
    static void launch(const SsspView& view, SsspSource source, const SsspLaunch& how, const Stream& stream);
};

extern template struct SearchKernel<WholeDistance, false>;
extern template struct SearchKernel<WholeDistance, true>;
extern template struct SearchKernel<FloatDistance, false>;
extern template struct SearchKernel<FloatDistance, true>;

}  // namespace wayfront::gpu::sssp
