// Shared by the fuzz targets of the text readers. For any bytes, a reader must return a graph that
// satisfies the conditions below, or throw an InputError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "graph/io/graph_file.hpp"

namespace wayfront::fuzz {

inline void require(bool condition)
{
    if (!condition) std::abort();
}

/// The names at the ends of an edge.
inline std::pair<std::string_view, std::string_view> names_of(const GraphShare& share, std::size_t i)
{
    const auto name = [&share](Vertex stored) {
        const std::size_t block = share.names.block_of(stored);
        require(block < share.names.tables().size());
        const NameTable& table = share.names.tables()[block];
        require(share.names.place_of(stored) < table.size());
        return table[share.names.place_of(stored)];
    };
    return {name(share.list.edges[i].source()), name(share.list.edges[i].target())};
}

/// The conditions for every share that was read without an error.
inline void check_share(const GraphShare& share)
{
    require(share.facts.known);
    if (share.facts.named) {
        for (std::size_t i = 0; i < share.list.edges.size(); ++i) require(!names_of(share, i).first.empty());
        return;
    }
    require(share.list.vertex_count >= 0 && share.list.vertex_count <= kMaxVertices);
    for (const PackedEdge& edge : share.list.edges)
        require(edge.source() < share.list.vertex_count && edge.target() < share.list.vertex_count);
    if (const auto* integers = std::get_if<HostBuffer<std::int32_t>>(&share.list.weights))
        require(integers->size() == share.list.edges.size());
    if (const auto* floats = std::get_if<HostBuffer<float>>(&share.list.weights)) {
        require(floats->size() == share.list.edges.size());
        for (const float weight : *floats) require(weight - weight == 0);
    }
    require(share.facts.weights == weight_kind(share.list.weights));
}

/// Reads the text as a whole and in shares. The shares together must equal the whole, or both must
/// fail.
inline int fuzz_text(FileFormat format, const std::uint8_t* data, std::size_t size)
{
    // A copy of exactly this size, so that a sanitizer detects every read beyond the end.
    const std::vector<char> copy(data, data + size);
    const std::string_view text(copy.data(), copy.size());
    bool whole_is_good = true;
    GraphShare whole;
    try {
        whole = parse_text(format, text, "fuzz", {.format = {}, .part = 0, .parts = 1, .threads = 1});
        check_share(whole);
    } catch (const InputError&) {
        whole_is_good = false;
    }

    if (declares_names(format)) return 0;
    constexpr int kParts = 3;
    bool shares_are_good = true;
    ShareFacts all;
    std::size_t edges = 0;
    for (int part = 0; part < kParts; ++part) {
        try {
            const GraphShare share =
                parse_text(format, text, "fuzz", {.format = {}, .part = part, .parts = kParts, .threads = 2});
            check_share(share);
            for (std::size_t i = 0; i < share.list.edges.size() && whole_is_good; ++i)
                require(whole.facts.named ? names_of(share, i) == names_of(whole, edges + i)
                                          : share.list.edges[i] == whole.list.edges[edges + i]);
            edges += share.list.edges.size();
            all = merge(all, share.facts);
        } catch (const InputError&) {
            shares_are_good = false;
        }
    }
    require(whole_is_good == shares_are_good);
    if (!whole_is_good) return 0;
    require(edges == whole.list.edges.size());
    require(all.vertex_count == whole.facts.vertex_count && all.weights == whole.facts.weights &&
            all.seen_edges == whole.facts.seen_edges);
    require(all.mirror_balance == whole.facts.mirror_balance && all.first_vertex == whole.facts.first_vertex);
    require(all.directed == whole.facts.directed && all.direction_known == whole.facts.direction_known &&
            all.notes.timestamps == whole.facts.notes.timestamps);
    try {
        check_totals("fuzz", all);
    } catch (const InputError&) {
        return 0;
    }
    return 0;
}

}  // namespace wayfront::fuzz
