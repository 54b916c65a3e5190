// Searches whose state stays in GPU memory (on-GPU searches), as the host sees them.
//
// A search is collective over the grid's world. The grid is P x 1, and the graph has at most 2^31
// vertices. There are two kinds. Resident search (resident/search.hpp): every rank has a GPU of the
// same host, and these GPUs reach each other's memory. Stepped search (stepped/search.hpp): the
// host launches each level, and the ranks exchange messages. This header is free of CUDA's headers.
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
    // Number of vertices of a frontier above which the level is bottom-up, without a count of the
    // frontier's out-edges.
    double bottom_up_from_vertices = 0;
    // After a bottom-up level, a frontier of fewer vertices is searched top-down if at least an
    // eighth of the graph's vertices are unvisited: a single block follows few edges in less time
    // than many rows look for a parent in vain.
    std::uint64_t top_down_in_block = 0;
    // Smallest number of a rank's edges in a top-down level that first marks vertices and then
    // counts them.
    std::uint64_t many_edges = 1 << 18;
    // Smallest number of a rank's edges in a level that cuts long lists into larger pieces.
    std::uint64_t large_items_from = 1 << 24;
    // A bottom-up level is split if its frontier has at most most_split_edges out-edges, and the
    // tail of the frontier (its vertices that are not hubs) has at most most_tail_edges. In a split
    // level, the tail is followed top-down, and the rows look for hubs only.
    double most_split_edges = 0;
    double most_tail_edges = 0;
    std::uint32_t most_hubs = ~0U;               // largest number of hubs, whose bits are in shared memory
    bool levels = false;                         // whether the search also stores the level of each vertex
    std::int32_t max_level = algo::kNoMaxLevel;  // last level; the search does not reach vertices of later levels

    // Options of the resident search. Tests set them so that a small graph is searched as a large
    // one.

    /// Largest number of requests of one rank in another rank's memory; a multiple of 128.
    std::uint32_t most_requests = ~0U;
    /// Whether single-block levels keep the bitmap of visited vertices in shared memory if it fits.
    bool visited_in_shared = true;
};

enum class SearchKind { resident, stepped };

/// Smallest shared memory of a block with which searches run: that of the smallest GPUs of compute
/// capability 8.0 and above.
inline constexpr std::size_t kLeastSharedBytes = std::size_t{99} << 10;

/// The record of one level, over all ranks.
struct DeviceLevel
{
    std::int32_t level = 0;  // number of the level; level 1 starts from the key
    bool bottom_up = false;
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;  // 0 if the out-edges were not counted
    // Time from the start of this level to the start of the next level, on this rank.
    Clock::duration duration{};
};

/// The numbers of a rank of a P x 1 grid from which the memory of a search follows.
struct RankNumbers
{
    std::uint32_t slots = 0;      // a multiple of kTileSlots
    std::size_t local_count = 0;  // number of vertices
    std::uint64_t edges = 0;      // sum of the lengths of the lists
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

    /// Allocates the memory of run_nearest(). Throws ResourceError; throws std::logic_error if this
    /// search supports only one key.
    virtual void prepare_nearest();
    /// Searches from all of `keys` at once, on one rank. Returns when the nearest key of each
    /// vertex and parents towards it are in GPU memory. The keys are distinct. Not collective.
    void run_nearest(std::span<const Vertex> keys)
    {
        began_ = Clock::now();
        search_nearest(keys);
    }

    /// The time at which the last run began.
    [[nodiscard]] Clock::time_point began() const { return began_; }

    /// The parents of the last run in device memory, by local number; -1 for a vertex that was not
    /// reached.
    [[nodiscard]] const std::int32_t* device_parents() const;
    /// The levels of the last run in device memory, by local number; null if levels are not kept.
    [[nodiscard]] const std::int32_t* device_levels() const;
    void copy_parents(std::span<std::int32_t> parents) const;
    void copy_levels(std::span<std::int32_t> levels) const;
    /// Copies the nearest keys of the last run_nearest(), by local number; -1 for a vertex that was
    /// not reached.
    virtual void copy_nearest(std::span<std::int32_t> nearest) const;

    /// The records of the levels of the last run. A resident search has at most 64 records. One record is
    /// for all consecutive levels that a single block searches; it has the number of the first of them.
    [[nodiscard]] virtual std::vector<DeviceLevel> level_records() const = 0;
    [[nodiscard]] virtual std::uint64_t reached() const = 0;
    /// Bytes of device memory of the search, without the graph.
    [[nodiscard]] virtual std::size_t state_bytes() const = 0;

private:
    virtual void search(Vertex key) = 0;
    virtual void search_nearest(std::span<const Vertex> keys);
    [[nodiscard]] virtual const DeviceResults& results() const = 0;

    Clock::time_point began_;
};

/// The bytes that state_bytes() will return on a rank of a P x 1 grid.
[[nodiscard]] std::size_t search_state_bytes(SearchKind kind, const RankNumbers& rank, int ranks, bool levels);

}  // namespace wayfront::gpu::bfs
