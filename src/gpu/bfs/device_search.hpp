// On-GPU searches, whose state stays in GPU memory, as the host sees them.
//
// Searches are collective over the grid's world. The grid is P x 1, and the graph has at most 2^31
// vertices. There are two kinds. In the resident search (resident/search.hpp) every rank has a GPU
// of one host, and these GPUs reach each other's memory. In the stepped search (stepped/search.hpp)
// the host launches the levels one by one, and the ranks exchange messages.
// This header is free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/bfs/direction.hpp"
#include "base/phase.hpp"
#include "base/types.hpp"

namespace wayfront::gpu::bfs {

struct DeviceResults;

struct DeviceSearchOptions
{
    algo::DirectionBounds direction = {};
    // A frontier with more vertices has a bottom-up level, and its out-edges are not counted.
    double bottom_up_from_vertices = 0;
    // After a bottom-up level, a frontier of fewer vertices is searched top-down if at least an eighth of
    // the graph's vertices are unvisited: a single block follows few edges in less time than many rows
    // look for a parent in vain.
    std::uint64_t top_down_in_block = 0;
    // The fewest edges of a rank with which a top-down level marks vertices first and counts them
    // afterwards.
    std::uint64_t many_edges = 1 << 18;
    // The fewest edges of a rank with which a level cuts long lists into larger pieces.
    std::uint64_t large_items_from = 1 << 24;
    // A bottom-up level is split if its frontier has at most most_split_edges out-edges, and its
    // tail, the vertices that are not hubs, at most most_tail_edges: the rows then look for hubs
    // only, and the tail is followed top-down.
    double most_split_edges = 0;
    double most_tail_edges = 0;
    std::uint32_t most_hubs = ~0U;               // the most columns whose bits are kept in shared memory
    bool levels = false;                         // whether the level of each vertex is kept, too
    std::int32_t max_level = algo::kNoMaxLevel;  // vertices beyond this level are not reached

    // Only for the resident search. Tests set these members so that a small graph is searched like
    // a large one.

    /// The most asks of one rank that are stored in another rank's memory; a multiple of 128.
    std::uint32_t most_asks = ~0U;
    /// Whether the bitmap of visited vertices is kept in shared memory if the levels of one block
    /// have room for it.
    bool visited_in_shared = true;
};

enum class SearchKind { resident, stepped };

/// The least shared memory of a block with which searches run: that of the GPUs with the least of
/// it from compute capability 8.0 on.
inline constexpr std::size_t kLeastSharedBytes = std::size_t{99} << 10;

/// One level of a search, of all ranks.
struct DeviceLevel
{
    std::int32_t level = 0;  // from 1: the level that starts from the key
    bool bottom_up = false;
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;  // 0 if they were not counted
    // From the start of this level to the start of the next, on this rank.
    Clock::duration duration{};
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

    /// Allocates what run_nearest() needs. Throws ResourceError, and std::logic_error if searches start from one key.
    virtual void prepare_nearest();
    /// Searches from all of `keys` at once, which are distinct, and returns when the nearest key of each vertex and
    /// parents towards it are in GPU memory. Not collective: one rank.
    void run_nearest(std::span<const Vertex> keys)
    {
        began_ = Clock::now();
        search_nearest(keys);
    }

    /// The beginning of the last run.
    [[nodiscard]] Clock::time_point began() const { return began_; }

    /// The parents that the last run found, one for each of this rank's vertices in the order of
    /// local numbers, in device memory. -1: the vertex was not reached.
    [[nodiscard]] const std::int32_t* device_parents() const;
    /// The levels in the same form, if they are kept; else null.
    [[nodiscard]] const std::int32_t* device_levels() const;
    void copy_parents(std::span<std::int32_t> parents) const;
    void copy_levels(std::span<std::int32_t> levels) const;
    /// The nearest keys that the last run_nearest() found; -1 if not reached.
    virtual void copy_nearest(std::span<std::int32_t> nearest) const;

    /// The levels of the last run. A resident search keeps at most 64. Consecutive levels that one
    /// block ran count as one, with the number of the first of them.
    [[nodiscard]] virtual std::vector<DeviceLevel> levels() const = 0;
    [[nodiscard]] virtual std::uint64_t reached() const = 0;
    /// Bytes of device memory that the search takes besides the graph.
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;

private:
    virtual void search(Vertex key) = 0;
    virtual void search_nearest(std::span<const Vertex> keys);
    [[nodiscard]] virtual const DeviceResults& results() const = 0;

    Clock::time_point began_;
};

/// The bytes that state_bytes() will return on a rank with these numbers of slots, local vertices
/// and edges (the sum of the lengths of its lists). Pre: slots is a multiple of kTileSlots.
[[nodiscard]] std::size_t search_state_bytes(SearchKind kind, std::uint32_t slots, int ranks, std::size_t local_count,
                                             std::uint64_t edges, bool levels);

}  // namespace wayfront::gpu::bfs
