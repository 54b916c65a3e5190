// Blocked Floyd-Warshall on one GPU, as the host sees it. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/apsp/floyd_warshall_view.hpp"

namespace wayfront::gpu {

[[nodiscard]] constexpr std::uint32_t distances_of_word(MinPlusSums sums)
{
    return sums == MinPlusSums::shorts ? 2 : 1;
}

/// The number of rows and columns of the matrix in device memory: that of the vertices, padded to
/// whole tiles.
[[nodiscard]] constexpr std::uint32_t padded_size(std::uint32_t n, MinPlusSums sums)
{
    const std::uint32_t tile = kTileRows * distances_of_word(sums);
    return (n + tile - 1) / tile * tile;
}

/// The distances are floats; or int32, of which 2^31 - 1 is infinite and others lie between -2^28
/// and 2^28; or uint16, of which 65535 is infinite and others are below 2^15 - 1.
class DeviceFloydWarshall
{
public:
    /// Allocates device memory for n x n distances. Throws ResourceError.
    DeviceFloydWarshall(std::uint32_t n, MinPlusSums sums);
    ~DeviceFloydWarshall();

    /// Copies n x n distances by rows from host memory: weights of arcs, 0 on the diagonal.
    void load(const void* distances);

    /// Replaces the distances by those of shortest paths. A negative distance of a vertex to itself
    /// says that it is on a cycle of negative length; the distances mean nothing then.
    void run();

    /// Copies the n x n distances by rows to host memory.
    void copy(void* distances) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu
