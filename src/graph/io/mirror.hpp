// Undirected edges that a file holds twice, in the lists of both vertices: METIS, GAPBS.
//
// Readers take such an edge from the list of its smaller vertex, and only check that the list of
// the larger vertex has it, too. The check compares sums of hashes, so that shares need not
// exchange edges. If the sums differ, the file is read once more to find the place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "graph/io/parse_error.hpp"

namespace wayfront::io {

/// The hash of one direction of an edge. Two sums of these hashes are compared: over the edges in
/// the lists of their smaller vertices, and over those in the lists of the larger ones. They are
/// equal if each edge is in both lists with the same weight, and otherwise differ with a
/// probability of 1 - 2^-64. Self-loops are left out.
inline std::uint64_t mirror_hash(Vertex smaller, Vertex larger, std::int64_t weight)
{
    const auto mix = [](std::uint64_t x) {
        x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
        return x ^ (x >> 32);
    };
    const auto s = static_cast<std::uint64_t>(smaller);
    const auto l = static_cast<std::uint64_t>(larger);
    return mix(mix(mix(s + 0x9E3779B97F4A7C15U) + l) + static_cast<std::uint64_t>(weight));
}

/// The neighbour `target` in the list of `source`.
struct HalfEdge
{
    Vertex source;
    Vertex target;
    std::int32_t weight;
    std::size_t place;  // in the file
};

/// The first half edge, in the order of the file, without another half of the same weight.
std::optional<HalfEdge> first_without_mirror(std::vector<HalfEdge> halves);

/// Finds the place in a METIS file of an edge that is missing in the list of its other vertex, and
/// throws ParseFailure. Pre: the file was read without an error.
void throw_if_edge_without_mirror_in_metis(const NamedText& input);

/// The same in a GAPBS file; throws InputError.
void throw_if_edge_without_mirror_in_gapbs(std::string_view bytes, const std::string& path, bool weighted);

}  // namespace wayfront::io
