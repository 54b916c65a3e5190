// Index types of the whole program.
//
// `Vertex` numbers a vertex of the input, as the input numbers it (from 0; readers of formats that count from 1 subtract, writers add).
// `RowLocal` and `ColLocal` are positions in the rows and the columns of one rank's block of the adjacency matrix (graph/partition.hpp).
// They are distinct types, so that mixing them does not compile; both are 32 bits wide, which bounds a block to kMaxBlockSide rows and columns.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace wayfront {

using Vertex = std::int64_t;
using EdgeCount = std::int64_t;

/// In results: the vertex was not reached (its parent, its level).
inline constexpr Vertex kUnreached = -1;

/// The largest number of vertices that any format of the program can carry: Graph500 tuples hold 48 bits a vertex.
inline constexpr Vertex kMaxVertices = Vertex{1} << 48;

/// A 32-bit index that only mixes with its own kind.
template <typename Tag>
struct LocalIndex
{
    std::uint32_t value = 0;

    friend constexpr auto operator<=>(LocalIndex, LocalIndex) = default;
};

using RowLocal = LocalIndex<struct RowTag>;
using ColLocal = LocalIndex<struct ColTag>;

/// "No such local index": isolated vertices, parents not found.
inline constexpr std::uint32_t kNoLocal = std::numeric_limits<std::uint32_t>::max();

/// The most rows, or columns, of a block: whole words of a bitmap, all of them below kNoLocal.
inline constexpr std::uint64_t kMaxBlockSide = (std::uint64_t{1} << 32) - 64;

}  // namespace wayfront
