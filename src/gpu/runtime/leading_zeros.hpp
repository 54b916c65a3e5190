// The number of leading zeros, on the host and on the device. Needs no nvcc.
#pragma once

#include <bit>
#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront::gpu {

/// The number of zero bits above the highest set bit; 32 for 0.
[[nodiscard]] WAYFRONT_HD constexpr std::uint32_t leading_zeros(std::uint32_t number)
{
#ifdef __CUDA_ARCH__
    return static_cast<std::uint32_t>(__clz(static_cast<int>(number)));
#else
    return static_cast<std::uint32_t>(std::countl_zero(number));
#endif
}

}  // namespace wayfront::gpu
