// On-GPU searches, whose state stays in GPU memory, as the host sees them.
//
// Collective over the grid's world, a P x 1 grid, undirected graphs of at most 2^31 vertices. Two kinds: resident (resident/search.hpp), where
// every rank has a GPU of one host and these reach each other's memory, and stepped (stepped/search.hpp), whose levels the host launches one by one
// and whose ranks exchange by messages. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "base/types.hpp"

namespace wayfront::gpu {

struct DeviceResults;

struct DeviceSearchOptions
{
    algo::DirectionBounds direction = {};
    double bottom_up_from_vertices = 0;        // a frontier of more vertices goes bottom-up without its out-edges being counted
    std::uint64_t many_edges = 1 << 18;        // of a rank: top-down levels of so many edges mark vertices first and count them afterwards
    std::uint64_t large_items_from = 1 << 24;  // of a rank: from so many edges on, long lists are cut into larger pieces
    double most_split_edges = 0;  // a frontier of at most so many out-edges that goes bottom-up is split: rows look for its hubs alone, and the rest
                                  // of it, its tail, is followed top-down,
    double most_tail_edges = 0;   // if that has at most so many out-edges
    std::uint32_t most_hubs = ~0U;  // columns whose bits stand in shared memory, at most
    bool levels = false;            // keep the level of each vertex too

    // Of the resident search. Tests make it do without, as it has to on large graphs.
    std::uint32_t most_asks = ~0U;  // of one rank that stand in another's memory, at most; a multiple of 128
    bool visited_in_shared = true;  // where the levels of one block have room for it
};

enum class SearchKind { resident, stepped };

/// Shared memory that a block of searches takes at most; the rest of the 256 KB of a multiprocessor is its cache.
inline constexpr std::size_t kSharedBytes = std::size_t{200} << 10;

/// One level of a search, of all ranks.
struct DeviceLevel
{
    bool bottom_up = false;
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;  // 0 where they were not counted
    double seconds = 0;           // from its begin to the next level's, on this rank
};

class DeviceSearch
{
public:
    DeviceSearch() = default;
    DeviceSearch(const DeviceSearch&) = delete;  // owns device memory
    DeviceSearch& operator=(const DeviceSearch&) = delete;
    virtual ~DeviceSearch() = default;

    /// Searches from `key` and returns when this rank's parents stand in the GPU's memory. Collective.
    virtual void run(Vertex key) = 0;

    /// Of the last run: this rank's vertices in the order of local numbers, in device memory; -1 where not reached.
    [[nodiscard]] const std::int32_t* device_parents() const;
    void copy_parents(std::span<std::int32_t> parents) const;
    void copy_levels(std::span<std::int32_t> levels) const;

    /// Of the last run: its levels; of a resident search at most 64, those that one block ran counting as one.
    [[nodiscard]] virtual std::vector<DeviceLevel> levels() const = 0;
    [[nodiscard]] virtual std::uint64_t reached() const = 0;
    /// Device memory that the search took besides the graph.
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;

private:
    [[nodiscard]] virtual const DeviceResults& results() const = 0;
};

/// state_bytes() beforehand, of a rank with so many slots, local vertices and edges (of its lists). Pre: slots is a multiple of kTileSlots.
[[nodiscard]] std::size_t search_state_bytes(SearchKind kind, std::uint32_t slots, int ranks, std::size_t local_count, std::uint64_t edges,
                                             bool levels);

}  // namespace wayfront::gpu
