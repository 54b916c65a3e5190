// Saves a matrix that is computed in steps, such as that of Floyd-Warshall, between two steps.
//
// All functions are collective over the ranks that share the matrix. An engine's tiles depend only
// on the number of steps, so that another grid of ranks can go on with them.
#pragma once

#include <cstddef>

#include "algo/apsp/tile_engine.hpp"

namespace wayfront::algo {

class MatrixCheckpoints
{
public:
    MatrixCheckpoints() = default;
    MatrixCheckpoints(const MatrixCheckpoints&) = delete;
    MatrixCheckpoints& operator=(const MatrixCheckpoints&) = delete;
    virtual ~MatrixCheckpoints() = default;

    /// To be called before the first step. Gives the engine the tiles that an earlier job saved
    /// last, and returns the number of their steps. If there are none, returns 0 and does not
    /// change the tiles. The engine remains until the rows of the matrix are not needed any more.
    [[nodiscard]] virtual std::size_t restore(TileEngine& engine) = 0;

    /// To be called before a step. Returns whether the tiles are to be saved after the step; the
    /// same on all ranks.
    [[nodiscard]] virtual bool due() = 0;

    /// Saves the tiles, which have gone through `steps` steps. May throw, so that the job ends.
    virtual void save(TileEngine& engine, std::size_t steps) = 0;
};

}  // namespace wayfront::algo
