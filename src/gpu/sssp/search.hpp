// Shortest paths on GPUs, as the host sees them. Free of CUDA's headers.
//
// A search runs on one GPU; or on at most kMaxPeers GPUs that reach each other's memory (CUDA IPC),
// whose ranks form a grid of one column and share the vertices; or on any number of GPUs that
// exchange messages, with one launch or more per step (stepped/search.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/parallel.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/sssp/device_search.hpp"
#include "graph/block_weights.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {
class ArcLists;
class DeviceExchange;
}  // namespace wayfront::gpu

namespace wayfront::gpu::sssp {

struct SsspTuning
{
    /// Width of a window, in units of the weights. Without a value, the search chooses the width by
    /// the graph.
    std::optional<double> width = {};
    /// Share of all arcs that reached vertices have when pushes end and pulls begin. A value above
    /// 1 means no pulls. Without a value, the search chooses the share by the graph.
    std::optional<double> pull_from = {};
    /// Largest number of vertices in a step of a single thread block.
    std::optional<std::uint32_t> single_block_vertices = {};
    /// Largest number of vertices whose distances are in shared memory during pulls.
    std::optional<std::uint32_t> hubs = {};
    /// Whether near-far searches (near_far.cuh), with a part of the graph for each block. Without a
    /// value, the search decides by the graph.
    std::optional<bool> near_far = {};
    /// Vertices at a greater distance count as not reached.
    std::optional<double> cutoff = {};
    /// Number of open vertices per multiprocessor from which on the vertices that a pull improves
    /// may push, if they are few.
    std::optional<std::uint32_t> open_for_push = {};
    /// Number of searches that will follow. If they are many, near-far also divides graphs whose
    /// distances do not fit shared memory.
    std::int64_t expected_searches = std::numeric_limits<std::int64_t>::max();
    /// Whether near-far keeps distances in device memory although they fit shared memory.
    bool near_far_in_device_memory = false;
    /// Largest number of paths and of changed bounds in the first message of a step, if the GPUs do
    /// not know yet how many there are.
    std::optional<std::uint32_t> message_room = {};
    /// Number of slots, a multiple of kTileSlots, whose vertices pull before the others if GPUs
    /// exchange messages. These are the first slots. Without a value, the number follows from the
    /// size of the graph.
    std::optional<std::uint32_t> busy_slots = {};
    /// Largest number of blocks of a search by pushes and pulls. Without a value, one block for
    /// each multiprocessor.
    std::optional<unsigned> blocks = {};
};

/// The numbers of arcs in the lists of out-arcs and of in-arcs.
struct ListedArcs
{
    std::size_t out = 0;
    std::size_t in = 0;  // 0 if the graph has no separate lists of in-arcs
};

/// Smallest number of arcs with which a search in a directed graph keeps lists of in-arcs, for
/// pulls, unless its tuning excludes pulls. `vertices`: number of vertices, with or without arcs.
[[nodiscard]] constexpr EdgeCount least_arcs_for_pulls(Vertex vertices)
{
    constexpr Vertex degree_for_pulls = 8;
    return degree_for_pulls * vertices;
}
[[nodiscard]] constexpr bool keeps_in_arcs(EdgeCount arcs, Vertex vertices)
{
    return arcs >= least_arcs_for_pulls(vertices);
}

/// Seconds that near-far saves per search in a graph of many arcs and long paths. Measured in a
/// graph of 50000 vertices with 9 arcs each (bench/results/gpu-choices-h200.json).
inline constexpr double kSavedSecondsOfLongPaths = 4e-3;

/// The largest numbers of arcs that the lists of a search contain for a graph of this size.
[[nodiscard]] constexpr ListedArcs listed_arcs(Vertex vertices, EdgeCount edges, bool directed)
{
    const auto count = static_cast<std::size_t>(edges);
    if (!directed) return {2 * count, 0};
    return {count, keeps_in_arcs(edges, vertices) ? count : 0};
}

/// Whether the time in which the host divides a graph for near-far is less than the time that
/// `searches` searches save, each `saved_seconds`. On two cores, a graph of 9 million arcs takes
/// 0.7 s.
[[nodiscard]] inline bool dividing_pays(EdgeCount arcs, std::int64_t searches, double saved_seconds)
{
    constexpr double core_seconds_of_arc = 1.6e-7;
    return static_cast<double>(arcs) * core_seconds_of_arc / thread_count() <=
           static_cast<double>(searches) * saved_seconds;
}

/// The properties of a graph that a search needs besides the lists.
struct SsspGraph
{
    WeightType type = WeightType::float32;  // uint32 or float32
    Vertex vertices = 0;                    // number of vertices, including those without edges
    std::int64_t connected_vertices = 0;
    double weight_sum = 0;  // sum over all arcs of all ranks
    /// Whether shortest paths have hundreds of arcs although the mean degree is large
    /// (graph/large_diameter.hpp); on one rank only.
    bool large_diameter = false;
};

class DeviceSssp final : public DeviceSearch
{
public:
    /// Shared memory that a block needs in a search on GPUs that reach each other's memory.
    static constexpr std::size_t kSharedBytesOfPeers = std::size_t{160} << 10;

    /// Copies this rank's block of the matrix to its GPU. Pre: a grid of one column without an
    /// obstacle. The weights are uint32 or float32, none is negative, and the lists are sorted by
    /// weight. A graph without weights has the weight 1 for all arcs. `exchange`: the exchange of
    /// the grid's ranks if their GPUs exchange messages; null if the GPUs reach each other's
    /// memory. The grid outlives the search. Collective. Throws ResourceError: on all ranks if the
    /// peers' memory cannot be opened, on this rank alone if its own memory does not suffice.
    DeviceSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning,
               std::shared_ptr<DeviceExchange> exchange = nullptr);
    /// Takes over the lists of a graph that is already on the GPUs. Pre: the lists are sorted by
    /// weight, and vertex v belongs to rank v mod P.
    DeviceSssp(const comm::ProcessGrid& grid, ArcLists lists, const SsspGraph& graph, const SsspTuning& tuning,
               std::shared_ptr<DeviceExchange> exchange = nullptr);
    /// Collective, unless an exception ends the scope.
    ~DeviceSssp() override;

    /// Collective over the grid. After the return, the GPU may still clear memory for the next
    /// search.
    void run(Vertex source) override;
    [[nodiscard]] bool starts_from_several() const override;
    void run_nearest(std::span<const Vertex> sources) override;
    void copy_nearest(std::span<std::int32_t> nearest) const override;
    void prepare_nearest() override;
    void collect() override;
    [[nodiscard]] SsspFacts facts() const override;
    [[nodiscard]] bool overflowed() const override;
    [[nodiscard]] bool always_overflows() const override;
    void copy_results(std::span<std::uint32_t> distances, std::span<std::int32_t> parents) const override;
    [[nodiscard]] std::string description() const override;

    /// Whether the vertex of this rank with the local number `local` has edges.
    [[nodiscard]] bool has_edges(std::uint32_t local) const;
    /// The results of the last run() in device memory, by local number: distances as their bits,
    /// and parents, in the encoding of copy_results(). Valid while this object exists.
    [[nodiscard]] const std::uint32_t* device_distances() const;
    [[nodiscard]] const std::int32_t* device_parents() const;

    /// The ranks of a search, and whether their GPUs exchange messages.
    struct Ranks
    {
        int count = 1;
        bool messages = false;
    };
    /// An upper bound of the device memory of a rank with this number of vertices, slots and arcs,
    /// including the temporary memory for the copy of its block of the matrix.
    [[nodiscard]] static std::size_t bytes_for(std::size_t local_count, std::size_t least_slots, ListedArcs arcs,
                                               Ranks ranks);
    /// Device memory for a graph of this size: an upper bound on one rank. On several ranks it is
    /// an upper bound if the largest share of vertices and arcs is at most 10% above the mean.
    [[nodiscard]] static std::size_t most_bytes(Vertex vertices, const ListedArcs& arcs, Ranks ranks);
    /// Upper bound of the device memory that prepare_nearest() allocates for a graph of one rank.
    [[nodiscard]] static std::size_t most_nearest_bytes(Vertex vertices, const ListedArcs& arcs);
    /// Device memory of a search on a rank, without the lists. `slots`: number of slots of the
    /// lists.
    [[nodiscard]] static std::size_t state_bytes_for(std::size_t local_count, std::size_t slots, Ranks ranks);

    /// The width of a window, in units of the weights.
    [[nodiscard]] double width() const;
    /// Whether near-far searches. Push-pull replaces it after a search in which near-far finds no
    /// parent for a vertex.
    [[nodiscard]] bool is_near_far() const;
    /// Whether searches use pulls.
    [[nodiscard]] bool pulls() const;
    [[nodiscard]] std::size_t graph_bytes() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::sssp
