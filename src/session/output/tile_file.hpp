// The tiles of a matrix in a file, which all ranks write at their positions: the state of
// Floyd-Warshall between two steps.
//
// Tile (i, j) of t x t tiles is number i * t + j. All tiles take the same number of bytes, little
// endian:
//   the number of steps that the matrix has gone through in 8 bytes, the CRC-32 of the rest in 4,
//   and 4 bytes that are 0
//   the distances row by row, and the parents if they are wanted, as the engine computes with them
// The CRC also covers the tile's number, the steps, and the job's description: a tile of another
// place, time or job counts as damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "algo/apsp/tile_engine.hpp"

namespace wayfront::session {

class TileFile
{
public:
    /// `job` describes graph and job. Neither opens nor creates the file. The engine outlives it.
    TileFile(std::string path, algo::TileEngine& engine, const std::string& job);

    /// The size of a file of the engine's matrix.
    [[nodiscard]] static std::uint64_t bytes(const algo::TileEngine& engine);

    /// Creates the file, or changes its size, and reserves the disk space. Throws
    /// ResourceError.
    void create() const;

    /// Writes the tiles of this rank to the file, and waits until the disk has them. Throws
    /// ResourceError.
    void write(std::size_t steps) const;

    /// Reads the tiles of this rank, and gives them to the engine. Returns false if a tile cannot
    /// be read, or is not that of a matrix after `steps` steps; some of the engine's tiles have
    /// then been changed.
    [[nodiscard]] bool read(std::size_t steps) const;

private:
    /// Calls f(row, column, block) for each tile of this rank, on all threads. `block` is memory
    /// for the tile's bytes in the file. Stops if a call returns false; returns whether all
    /// returned true.
    template <typename F>
    bool for_each_tile(F&& f) const;
    [[nodiscard]] std::uint64_t position(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::uint32_t checksum(std::size_t row, std::size_t column, std::size_t steps,
                                         const std::byte* content) const;

    std::string path_;
    algo::TileEngine& engine_;
    std::size_t block_bytes_;  // the bytes of a tile in the file
    std::uint32_t job_checksum_ = 0;
};

}  // namespace wayfront::session
