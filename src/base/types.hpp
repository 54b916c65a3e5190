// Index types of the whole program.
//
// `Vertex` is the number of a vertex of the input, counted from 0: readers of formats that count
// from 1 subtract 1, writers add it. `RowLocal` and `ColLocal` are positions in the rows and the
// columns of one rank's block of the adjacency matrix (graph/partition.hpp). They are distinct
// types, so that mixing them does not compile. Both are 32 bits wide, which limits a block to
// kMaxBlockSide rows and columns.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace wayfront {

using Vertex = std::int64_t;
using EdgeCount = std::int64_t;

/// The parent and the level of a vertex that was not reached.
inline constexpr Vertex kUnreached = -1;

/// The largest number of vertices that every format of the program can store: Graph500 tuples have
/// 48 bits per vertex.
inline constexpr Vertex kMaxVertices = Vertex{1} << 48;

/// A 32-bit index that compares only with indices of the same kind.
template <typename Tag>
struct LocalIndex
{
    std::uint32_t value = 0;

    friend constexpr auto operator<=>(LocalIndex, LocalIndex) = default;
};

using RowLocal = LocalIndex<struct RowTag>;
using ColLocal = LocalIndex<struct ColTag>;

/// "No local index", for example of a vertex without edges or of a parent that was not found.
inline constexpr std::uint32_t kNoLocal = std::numeric_limits<std::uint32_t>::max();

/// The largest number of rows or columns of a block: whole words of a bitmap, all indices below
/// kNoLocal.
inline constexpr std::uint64_t kMaxBlockSide = (std::uint64_t{1} << 32) - 64;

}  // namespace wayfront
