// Parses a text in parallel.
//
// A share's range of bytes is cut between lines into blocks, which threads process in order. There
// are two passes over the blocks. The first bounds the number of edges of each block (by its
// newlines, for example), so that each block gets a place in the share's arrays; the second parses.
// The edges are in the order of the file. If a block has fewer edges than its bound (because of
// comments, or of edges that the file repeats), the gaps are closed at the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "graph/io/graph_file.hpp"
#include "graph/io/parse_error.hpp"

namespace wayfront::io {

struct TextRange
{
    const char* begin = nullptr;
    const char* end = nullptr;

    [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
};

/// The lines of `body` that belong to share `part` of `parts`: those that start in this share's
/// part of the bytes. Pre: `body` begins with the start of a line.
TextRange share_of_lines(TextRange body, int part, int parts);

/// Cuts a range of whole lines into blocks of whole lines. The blocks are small enough to fit the
/// caches and to balance the work of the threads.
std::vector<TextRange> cut_into_blocks(TextRange range, int threads);

/// Counts the bytes of the range for which `wanted` is true.
template <typename Predicate>
std::size_t count_bytes(TextRange range, Predicate wanted)
{
    // The number of 8-bit counters. Vector units increment 16, 32 or 64 of them at a time; the
    // counters are added up and reset before they can overflow.
    constexpr std::size_t kLanes = 64;
    constexpr std::size_t kMostRounds = 255;
    std::size_t count = 0;
    const char* p = range.begin;
    while (static_cast<std::size_t>(range.end - p) >= kLanes) {
        const std::size_t rounds = std::min(static_cast<std::size_t>(range.end - p) / kLanes, kMostRounds);
        std::array<std::uint8_t, kLanes> lanes{};
        for (std::size_t round = 0; round < rounds; ++round, p += kLanes)
            for (std::size_t lane = 0; lane < kLanes; ++lane)
                lanes[lane] = static_cast<std::uint8_t>(lanes[lane] + (wanted(p[lane]) ? 1 : 0));
        for (const std::uint8_t lane : lanes) count += lane;
    }
    return count + static_cast<std::size_t>(std::count_if(p, range.end, wanted));
}

inline std::size_t count_newlines(TextRange range)
{
    return count_bytes(range, [](char c) { return c == '\n'; });
}

/// Calls work(0) ... work(count - 1) on `threads` threads (0: as OpenMP chooses), approximately in
/// this order. If calls throw, later calls are not begun, and the exception of the call with the
/// lowest number is thrown. This is the same exception for any number of threads.
void for_each_block(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

/// The results of parsing a block, besides the edges themselves.
struct BlockFacts
{
    std::size_t edges = 0;
    Vertex largest = -1;               // the largest vertex that was read
    std::uint64_t mirror_balance = 0;  // see ShareFacts
    ReadNotes notes{};
};

/// The slots in which a block stores its edges, beginning at `edges` and `weights`. `weights` is
/// null if there are none.
template <typename Weight>
struct Slots
{
    PackedEdge* edges;
    Weight* weights;
};

struct NoWeight
{
};

template <typename Weight>
inline constexpr std::size_t kSlotBytes = sizeof(PackedEdge) + (std::is_same_v<Weight, NoWeight> ? 0 : sizeof(Weight));

/// Runs both passes: bound(range) returns the largest number of edges that the block can have;
/// parse(block number, range, slots) returns BlockFacts. Stores edges and weights in share.list,
/// and the facts in share.facts (seen_edges, mirror_balance, and vertex_count if it is not known).
template <typename Weight, typename Bound, typename Parse>
void parse_blocks(GraphShare& share, std::span<const TextRange> blocks, const ReadOptions& options, const Bound& bound,
                  const Parse& parse);

namespace detail {
/// Exclusive prefix sums; one element more than `counts`.
std::vector<std::size_t> place_blocks(std::span<const std::size_t> bounds);
/// Adds the facts of all blocks to the share.
std::size_t add_facts(GraphShare& share, std::span<const BlockFacts> facts);
/// Moves the used parts of the slots together. `element_bytes` is the size of an element.
void close_gaps(void* array, std::size_t element_bytes, std::span<const std::size_t> places,
                std::span<const BlockFacts> facts);
}  // namespace detail

template <typename Weight, typename Bound, typename Parse>
void parse_blocks(GraphShare& share, std::span<const TextRange> blocks, const ReadOptions& options, const Bound& bound,
                  const Parse& parse)
{
    constexpr bool kWeighted = !std::is_same_v<Weight, NoWeight>;
    std::uint64_t all_bytes = 0;
    for (const TextRange& block : blocks) all_bytes += block.bytes();
    std::vector<std::size_t> bounds(blocks.size());
    if (options.progress != nullptr) options.progress->begin("scan", all_bytes);
    for_each_block(blocks.size(), options.threads, [&](std::size_t b) {
        bounds[b] = bound(blocks[b]);
        if (options.progress != nullptr) options.progress->advance(blocks[b].bytes());
    });
    const std::vector<std::size_t> places = detail::place_blocks(bounds);

    if (options.before_memory) options.before_memory(places.back() * kSlotBytes<Weight>);
    HostBuffer<PackedEdge> edges(places.back());
    HostBuffer<Weight> weights(kWeighted ? places.back() : 0);
    std::vector<BlockFacts> facts(blocks.size());
    if (options.progress != nullptr) options.progress->begin("read", all_bytes);
    for_each_block(blocks.size(), options.threads, [&](std::size_t b) {
        const Slots<Weight> slots{edges.data() + places[b], kWeighted ? weights.data() + places[b] : nullptr};
        facts[b] = parse(b, blocks[b], slots);
        if (options.progress != nullptr) options.progress->advance(blocks[b].bytes());
    });

    detail::close_gaps(edges.data(), sizeof(PackedEdge), places, facts);
    const std::size_t used = detail::add_facts(share, facts);
    edges.truncate(used);
    share.list.edges = std::move(edges);
    if constexpr (kWeighted) {
        detail::close_gaps(weights.data(), sizeof(Weight), places, facts);
        weights.truncate(used);
        share.list.weights = std::move(weights);
    }
}

}  // namespace wayfront::io
