// Edges in the memory of a GPU that somebody else owns, such as the arrays of a caller of the
// library. Free of CUDA's headers.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace wayfront {

/// Vertices in device memory: whole numbers of 32 or 64 bits with a sign.
struct DeviceIndices
{
    const void* data = nullptr;
    bool wide = false;  // 64 bits
};

enum class DeviceWeightType : std::uint8_t { none, int32, int64, float32, float64 };

/// Edge i leads from sources[i] to targets[i], and has weights[i].
struct DeviceEdges
{
    Vertex vertex_count = 0;
    bool directed = true;
    EdgeCount count = 0;
    DeviceIndices sources, targets;
    const void* weights = nullptr;  // null if there are none
    DeviceWeightType weight_type = DeviceWeightType::none;
    bool negative_weights = false;  // whether a weight is negative
};

}  // namespace wayfront
