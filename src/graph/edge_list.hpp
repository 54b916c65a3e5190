// Edge lists: readers and generators make them, and construction turns them into blocks.
//
// An edge list is distributed: each rank has a share of the edges, in any order, and `vertex_count`
// and `directed` are the same on all ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
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

/// An edge in 12 bytes, 48 bits per vertex. Its bytes (little endian) are those of a tuple in a
/// Graph500 tuple file, so that such a file is an array of PackedEdge.
struct PackedEdge
{
    std::uint32_t source_low;
    std::uint32_t target_low;
    // Bits 0-15: bits 32-47 of the source; bits 16-31: bits 32-47 of the target.
    std::uint32_t high;

    static constexpr PackedEdge pack(Vertex source, Vertex target)
    {
        const auto s = static_cast<std::uint64_t>(source);
        const auto t = static_cast<std::uint64_t>(target);
        return {
            static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(t),
            static_cast<std::uint32_t>((s >> 32) & 0xFFFF) | (static_cast<std::uint32_t>((t >> 32) & 0xFFFF) << 16)};
    }
    static constexpr PackedEdge pack(Edge edge) { return pack(edge.source, edge.target); }
    [[nodiscard]] constexpr Vertex source() const
    {
        return static_cast<Vertex>(source_low | (static_cast<std::uint64_t>(high & 0xFFFF) << 32));
    }
    [[nodiscard]] constexpr Vertex target() const
    {
        return static_cast<Vertex>(target_low | (static_cast<std::uint64_t>(high >> 16) << 32));
    }
    [[nodiscard]] constexpr Edge unpack() const { return {source(), target()}; }

    friend constexpr bool operator==(const PackedEdge&, const PackedEdge&) = default;
};
static_assert(sizeof(PackedEdge) == 12);

/// One weight per edge, in the order of the edges: none, whole numbers or floating-point numbers,
/// of 32 or 64 bits.
using Weights = std::variant<std::monostate, HostBuffer<std::int32_t>, HostBuffer<std::int64_t>, HostBuffer<float>,
                             HostBuffer<double>>;

/// The same, in memory of somebody else.
using WeightSpans = std::variant<std::monostate, std::span<const std::int32_t>, std::span<const std::int64_t>,
                                 std::span<const float>, std::span<const double>>;

/// Calls f(buffer), or f(span), if there are weights.
template <typename AnyWeights, typename F>
void visit_weights(AnyWeights& weights, F&& f)
{
    std::visit(
        [&](auto& kind) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(kind)>, std::monostate>) f(kind);
        },
        weights);
}

[[nodiscard]] inline WeightSpans spans_of(const Weights& weights)
{
    WeightSpans spans;
    visit_weights(weights, [&spans](const auto& buffer) { spans = buffer.span(); });
    return spans;
}

[[nodiscard]] inline Weights copy_of(const WeightSpans& weights)
{
    Weights copy;
    visit_weights(weights, [&copy]<typename T>(std::span<const T> all) {
        HostBuffer<T> buffer(all.size());
        std::ranges::copy(all, buffer.begin());
        copy = std::move(buffer);
    });
    return copy;
}

/// A rank's share of an edge list.
struct EdgeList
{
    Vertex vertex_count = 0;       // the vertices of the whole graph
    bool directed = false;         // if false, an edge is stored once and leads in both directions
    HostBuffer<PackedEdge> edges;  // this rank's share
    Weights weights;               // none, or one per edge

    [[nodiscard]] bool weighted() const { return !std::holds_alternative<std::monostate>(weights); }
};

}  // namespace wayfront
