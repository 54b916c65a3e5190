// On-GPU searches, whose state stays in GPU memory, as the host sees them.
//
// Searches are collective over the grid's world. The grid is P x 1, and the graph is undirected and
// has at most 2^31 vertices. There are two kinds. In the resident search (resident/search.hpp)
// every rank has a GPU of one host, and these GPUs reach each other's memory. In the stepped search
// (stepped/search.hpp) the host launches the levels one by one, and the ranks exchange messages.
// This header is free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "base/phase.hpp"
#include "base/types.hpp"

namespace wayfront::gpu {

struct DeviceResults;

struct DeviceSearchOptions
{
    algo::DirectionBounds direction = {};
    double bottom_up_from_vertices = 0;  // the level of a frontier of more vertices is bottom-up, and its out-edges are not counted
    std::uint64_t many_edges = 1 << 18;  // of a rank: a top-down level of at least so many edges marks vertices first and counts them afterwards
    std::uint64_t large_items_from = 1 << 24;  // of a rank: in a level of at least so many edges, long lists are cut into larger pieces
    // A bottom-up level is split if its frontier has at most most_split_edges out-edges, and its
    // tail, the vertices that are not hubs, at most most_tail_edges: the rows then look for hubs
    // only, and the tail is followed top-down.
    double most_split_edges = 0;
    double most_tail_edges = 0;
    std::uint32_t most_hubs = ~0U;  // the most columns whose bits are kept in shared memory
    bool levels = false;            // keep the level of each vertex too

    // For the resident search. Tests set these so that it runs as it has to run on large graphs.
    std::uint32_t most_asks = ~0U;  // the most asks of one rank that are stored in another rank's memory; a multiple of 128
    bool visited_in_shared = true;  // keep the bitmap of visited vertices in shared memory if the levels of one block have room for it
};

enum class SearchKind { resident, stepped };

/// The most shared memory that a block of a search takes. The rest of a multiprocessor's 256 KB is
/// its cache.
inline constexpr std::size_t kSharedBytes = std::size_t{200} << 10;

/// One level of a search, of all ranks.
struct DeviceLevel
{
    std::int32_t level = 0;  // from 1: the level that starts from the key
    bool bottom_up = false;
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;  // 0 if they were not counted
    Clock::duration duration{};   // from the start of this level to the start of the next, on this rank
};

class DeviceSearch
{
public:
    DeviceSearch() = default;
    DeviceSearch(const DeviceSearch&) = delete;  // owns device memory
    DeviceSearch& operator=(const DeviceSearch&) = delete;
    virtual ~DeviceSearch() = default;

    /// Searches from `key`, and returns when this rank's parents are in GPU memory. Collective.
    void run(Vertex key)
    {
        began_ = Clock::now();
        search(key);
    }

    /// The time at which the last run began.
    [[nodiscard]] Clock::time_point began() const { return began_; }

    /// The parents that the last run found, one for each of this rank's vertices in the order of
    /// local numbers, in device memory. -1: the vertex was not reached.
    [[nodiscard]] const std::int32_t* device_parents() const;
    void copy_parents(std::span<std::int32_t> parents) const;
    void copy_levels(std::span<std::int32_t> levels) const;

    /// The levels of the last run. A resident search keeps at most 64, and counts consecutive
    /// levels that one block ran as one, which has the number of the first of them.
    [[nodiscard]] virtual std::vector<DeviceLevel> levels() const = 0;
    [[nodiscard]] virtual std::uint64_t reached() const = 0;
    /// Bytes of device memory that the search takes besides the graph.
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;

private:
    virtual void search(Vertex key) = 0;
    [[nodiscard]] virtual const DeviceResults& results() const = 0;

    Clock::time_point began_;
};

/// The bytes that state_bytes() will return on a rank with these numbers of slots, local vertices
/// and edges (the sum of the lengths of its lists). Pre: slots is a multiple of kTileSlots.
[[nodiscard]] std::size_t search_state_bytes(SearchKind kind, std::uint32_t slots, int ranks, std::size_t local_count, std::uint64_t edges,
                                             bool levels);

}  // namespace wayfront::gpu
