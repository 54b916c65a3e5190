// Finished rows of a rank's tiles in device memory (device_tiles.hpp), as rows of a type. They are
// summarised on the GPU or copied to the host. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/summary.hpp"
#include "base/types.hpp"

namespace wayfront::gpu::apsp {

class DeviceTiles;

class TileRows
{
public:
    /// Rows of `vertices` distances, of which the rank has whole rows in device memory; at most
    /// `most_rows` at a time. The tiles outlive the object. Throws ResourceError.
    TileRows(const DeviceTiles& tiles, std::size_t vertices, algo::DistanceType type, std::size_t most_rows);
    TileRows(const TileRows&) = delete;  // owns the memory of rows
    TileRows& operator=(const TileRows&) = delete;
    ~TileRows();

    /// The bytes of device memory of an object.
    [[nodiscard]] static std::size_t bytes(std::size_t vertices, algo::DistanceType type, std::size_t most_rows);

    /// Adds the rows of `sources` to the summary. The first source has position `first`.
    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary);
    /// Copies the rows first to first + count - 1 to host memory, one after the other. The result
    /// is valid until the next call.
    [[nodiscard]] std::span<const std::byte> copy(std::size_t first, std::size_t count);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::apsp
