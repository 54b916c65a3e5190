// Rows of distances whose type is known at run time. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algo/apsp/distance_type.hpp"

namespace wayfront::gpu::apsp {

/// Rows of distances in device memory, one after the other.
struct TypedRows
{
    algo::DistanceType type;
    std::byte* begin;
    std::size_t stride;    // number of elements from row to row
    std::uint32_t length;  // number of distances of a row
};

}  // namespace wayfront::gpu::apsp
