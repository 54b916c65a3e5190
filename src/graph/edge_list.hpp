// Edge lists: what readers and generators make, and what construction turns into blocks.
//
// An edge list is distributed: each rank holds a share of the edges, in any order, and all ranks agree on `vertex_count` and `directed`.
#pragma once

#include <cstdint>
#include <variant>

#include "base/host_buffer.hpp"
#include "base/types.hpp"

namespace wayfront {

struct Edge
{
    Vertex source = 0;
    Vertex target = 0;

    friend constexpr bool operator==(const Edge&, const Edge&) = default;
};

/// An edge in 12 bytes, 48 bits a vertex: byte for byte (little endian) a tuple of a Graph500 tuple file, so that such a file is an array of these.
struct PackedEdge
{
    std::uint32_t source_low;
    std::uint32_t target_low;
    std::uint32_t high;  // bits 0-15: bits 32-47 of the source; bits 16-31: bits 32-47 of the target

    static constexpr PackedEdge pack(Vertex source, Vertex target)
    {
        const auto s = static_cast<std::uint64_t>(source);
        const auto t = static_cast<std::uint64_t>(target);
        return {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(t),
                static_cast<std::uint32_t>((s >> 32) & 0xFFFF) | (static_cast<std::uint32_t>((t >> 32) & 0xFFFF) << 16)};
    }
    static constexpr PackedEdge pack(Edge edge) { return pack(edge.source, edge.target); }
    [[nodiscard]] constexpr Vertex source() const { return static_cast<Vertex>(source_low | (static_cast<std::uint64_t>(high & 0xFFFF) << 32)); }
    [[nodiscard]] constexpr Vertex target() const { return static_cast<Vertex>(target_low | (static_cast<std::uint64_t>(high >> 16) << 32)); }
    [[nodiscard]] constexpr Edge unpack() const { return {source(), target()}; }

    friend constexpr bool operator==(const PackedEdge&, const PackedEdge&) = default;
};
static_assert(sizeof(PackedEdge) == 12);

/// One weight an edge, in the order of the edges: none, 32-bit integers (sums are 64-bit), or 32-bit floats.
using Weights = std::variant<std::monostate, HostBuffer<std::int32_t>, HostBuffer<float>>;

/// A rank's share of an edge list.
struct EdgeList
{
    Vertex vertex_count = 0;       // of the whole graph
    bool directed = false;         // false: each edge stands once and joins both ways
    HostBuffer<PackedEdge> edges;  // this rank's share
    Weights weights;               // empty, or as many as edges

    [[nodiscard]] bool weighted() const { return !std::holds_alternative<std::monostate>(weights); }
};

}  // namespace wayfront
