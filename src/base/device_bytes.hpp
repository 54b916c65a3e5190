// The device memory that a part of the program takes.
#pragma once

#include <cstddef>

namespace wayfront {

struct DeviceBytes
{
    std::size_t graph = 0;  // the bytes of the block
    std::size_t state = 0;  // the bytes of everything else
};

}  // namespace wayfront
