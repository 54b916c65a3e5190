// The resident search, as the host sees it: a search is one launch.
//
// Collective over the grid's world, one rank a GPU, P x 1 grid, at most kMaxPeers GPUs of one host that reach each other's memory (CUDA IPC). Free of
// CUDA's headers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "comm/process_grid.hpp"

namespace wayfront::gpu {

struct DeviceGraph;

struct ResidentOptions
{
    int forced_direction = 0;            // 0: by the two bounds; 1: always top-down; 2: always bottom-up
    double bottom_up_from_edges = 0;     // top-down until a frontier has more out-edges than this
    double top_down_below_vertices = 0;  // bottom-up until a frontier has fewer vertices than this
    double bottom_up_from_vertices = 0;  // a frontier of more vertices goes bottom-up without its out-edges being counted
    bool levels = false;                 // keep the level of each vertex too
};

/// One level of a search, of all ranks.
struct ResidentLevel
{
    bool bottom_up = false;
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;  // known after top-down levels
    double seconds = 0;           // from its begin to the next level's, on this rank's GPU
};

class ResidentSearch
{
public:
    /// Why these ranks cannot search resident; empty where they can. Collective.
    [[nodiscard]] static std::string obstacle(const comm::ProcessGrid& grid);

    /// The graph outlives the search and belongs to `grid`. Allocates what all runs need and opens the peers' memory.
    ResidentSearch(const comm::ProcessGrid& grid, const DeviceGraph& graph, const ResidentOptions& options);
    ResidentSearch(const ResidentSearch&) = delete;  // owns memory that peers have open
    ResidentSearch& operator=(const ResidentSearch&) = delete;
    ~ResidentSearch();

    /// Searches from `key` and returns when this rank's parents stand in the GPU's memory. Collective.
    void run(Vertex key);

    /// Of the last run: this rank's vertices in the order of local numbers, in device memory; -1 where not reached.
    [[nodiscard]] const std::int32_t* device_parents() const;
    void copy_parents(std::span<std::int32_t> parents) const;
    void copy_levels(std::span<std::int32_t> levels) const;

    /// Of the last run: its levels (at most 64 of them, those that one block ran counting as one), then the writing of the result.
    [[nodiscard]] std::vector<ResidentLevel> levels() const;
    [[nodiscard]] std::uint64_t reached() const;
    /// Device memory that the search took besides the graph.
    [[nodiscard]] std::size_t state_bytes() const;

    /// The same beforehand, of a rank with so many slots, local vertices and edges (of its lists). Pre: slots is a multiple of kTileSlots.
    [[nodiscard]] static std::size_t state_bytes_for(std::uint32_t slots, int ranks, std::size_t local_count, std::uint64_t edges, bool levels);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu
