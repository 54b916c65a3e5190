// Launches of kernels with kBlockThreads threads per block, and sums over blocks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/graph/list_tiles.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/grid/kernels.hpp"

namespace wayfront::gpu::sssp {

/// The number of threads of a kernel that reads from device memory how much work there is.
inline constexpr std::uint64_t kAllThreads = ~std::uint64_t{0} / 2;

/// Launches a kernel whose blocks take kBlockThreads of `count` indices at a time, on at most as
/// many blocks as fill the multiprocessors. Does nothing if `count` is 0.
template <typename... Parameters>
void launch_blocks(void (*kernel)(Parameters...), std::uint64_t count, LaunchPlace place,
                   std::type_identity_t<Parameters>... arguments)
{
    constexpr std::uint64_t of_a_multiprocessor = 8;
    if (count == 0) return;
    const std::uint64_t blocks = std::min((count + kBlockThreads - 1) / kBlockThreads,
                                          static_cast<std::uint64_t>(place.multiprocessors) * of_a_multiprocessor);
    kernel<<<static_cast<unsigned>(blocks), kBlockThreads, 0, place.stream.get()>>>(arguments...);
    check_launch();
}

/// Makes the driver load a kernel.
template <typename... Parameters>
void load_kernel(void (*kernel)(Parameters...))
{
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
}

}  // namespace wayfront::gpu::sssp
