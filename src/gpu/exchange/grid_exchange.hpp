// The exchange of a rank's GPU over a grid. Free of CUDA's headers.
#pragma once

#include "gpu/exchange/device_exchange.hpp"

namespace wayfront::gpu {

/// With the ranks of the grid row, and with those of the grid column.
struct GridExchange
{
    DeviceExchange& row;
    DeviceExchange& column;
};

}  // namespace wayfront::gpu
