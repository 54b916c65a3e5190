// The exchanges of a rank's GPU along its grid row and its grid column. Free of CUDA's headers.
#pragma once

#include "gpu/exchange/device_exchange.hpp"

namespace wayfront::gpu {

/// The exchange with the ranks of the grid row, and that with the ranks of the grid column.
struct GridExchange
{
    DeviceExchange& row;
    DeviceExchange& column;
};

}  // namespace wayfront::gpu
