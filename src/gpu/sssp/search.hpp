// Shortest paths on GPUs, as the host sees them. Free of CUDA's headers.
//
// A search runs on one GPU; on at most kMaxPeers GPUs that reach each other's memory (CUDA IPC), which then
// share the vertices as ranks of a grid of one column; or on any number of GPUs that exchange messages,
// with several launches (stepped/search.hpp).
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
    /// The width of a window, in units of the weights; without a value it is chosen by the graph.
    std::optional<double> width;
    /// When the reached vertices have this share of all arcs, pushes end and pulls begin. If it is
    /// above 1, nothing is pulled. Without a value it is chosen by the graph.
    std::optional<double> pull_from;
    /// The most vertices of a step that one block does alone, without waiting for others.
    std::optional<std::uint32_t> few;
    /// The most vertices whose distances are in shared memory during pulls.
    std::optional<std::uint32_t> hubs;
    /// Whether each block searches a part of the graph (near_far.cuh). Without a value it is chosen by
    /// the graph.
    std::optional<bool> near_far;
    /// Vertices at a greater distance count as not reached.
    std::optional<double> cutoff;
    /// The vertices, for each multiprocessor, that pulls must leave open if the few that they improve
    /// are to push again.
    std::optional<std::uint32_t> open_for_push;
    /// How many searches will follow: with many, near-far also divides graphs whose distances do not
    /// fit shared memory.
    std::int64_t expected_searches = std::numeric_limits<std::int64_t>::max();
    /// Whether near-far keeps distances in device memory although they fit shared memory.
    bool near_far_in_device_memory = false;
    /// The most paths, and changed bounds, of the first message of a step between GPUs that do not know yet how many
    /// there are.
    std::optional<std::uint32_t> message_room = {};
    /// The first slots, a multiple of kTileSlots, whose vertices pull before the others if GPUs exchange messages.
    /// Without a value, it follows from the size of the graph.
    std::optional<std::uint32_t> busy_slots = {};
    /// The blocks of a search by pushes and pulls, at most; without a value, one for each multiprocessor.
    std::optional<unsigned> blocks = {};
};

/// The numbers of arcs of lists.
struct ListedArcs
{
    std::size_t out = 0;
    std::size_t in = 0;  // 0 without lists of their own
};

/// The fewest arcs with which a search in a directed graph keeps lists of in-arcs, for pulls, unless its
/// tuning rules that out. `vertices`: with or without arcs.
[[nodiscard]] constexpr EdgeCount least_arcs_for_pulls(Vertex vertices)
{
    constexpr Vertex degree_for_pulls = 8;
    return degree_for_pulls * vertices;
}
[[nodiscard]] constexpr bool keeps_in_arcs(EdgeCount arcs, Vertex vertices)
{
    return arcs >= least_arcs_for_pulls(vertices);
}

/// What near-far saves in a search of a graph of many arcs and long paths, measured in one of 50000 vertices and 9
/// arcs each (bench/results/gpu-choices-h200.json).
inline constexpr double kSavedSecondsOfLongPaths = 4e-3;

/// The arcs that searches in a graph of this size keep at most.
[[nodiscard]] constexpr ListedArcs listed_arcs(Vertex vertices, EdgeCount edges, bool directed)
{
    const auto count = static_cast<std::size_t>(edges);
    if (!directed) return {2 * count, 0};
    return {count, keeps_in_arcs(edges, vertices) ? count : 0};
}

/// Whether the time that the hosts take to divide a graph of so many arcs for near-far is less than what
/// `searches` save together, each so many seconds. On two cores, 9 million arcs take 0.7 s.
[[nodiscard]] inline bool dividing_pays(EdgeCount arcs, std::int64_t searches, double saved_seconds)
{
    constexpr double core_seconds_of_arc = 1.6e-7;
    return static_cast<double>(arcs) * core_seconds_of_arc / thread_count() <=
           static_cast<double>(searches) * saved_seconds;
}

/// The facts of a graph that a search needs besides the lists.
struct SsspGraph
{
    WeightType type = WeightType::float32;  // or uint32
    Vertex vertices = 0;                    // including those without edges
    std::int64_t connected_vertices = 0;
    double weight_sum = 0;  // of all arcs, of all ranks
    /// Whether paths have hundreds of arcs although vertices have many (graph/large_diameter.hpp); one rank.
    bool large_diameter = false;
};

class DeviceSssp final : public DeviceSearch
{
public:
    /// The shared memory of a block that searches on GPUs that reach each other's memory need.
    static constexpr std::size_t kSharedBytesOfPeers = std::size_t{160} << 10;

    /// Copies this rank's block to its GPU. Pre: a grid of one column without an obstacle. The weights
    /// are uint32 or float32, none is negative, and the lists are sorted by weight. A graph without
    /// weights counts as one whose weights are all 1.
    /// `exchange`: that of the grid's ranks, if their GPUs exchange messages; null if they reach each
    /// other's memory. The grid outlives the search. Collective. Throws ResourceError: on all ranks
    /// if the peers' memory cannot be opened, on this rank alone if its own memory does not suffice.
    DeviceSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning,
               std::shared_ptr<DeviceExchange> exchange = nullptr);
    /// Takes the lists of a graph that is on the GPUs. Pre: they are sorted by weight, and vertex v
    /// belongs to rank v mod P.
    DeviceSssp(const comm::ProcessGrid& grid, ArcLists lists, const SsspGraph& graph, const SsspTuning& tuning,
               std::shared_ptr<DeviceExchange> exchange = nullptr);
    /// Collective, unless an exception ends the scope.
    ~DeviceSssp() override;

    /// Collective over the grid. When it returns, the GPU may still be clearing memory for the next
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

    /// Whether the vertex of this rank with a local number has edges.
    [[nodiscard]] bool has_edges(std::uint32_t local) const;
    /// The results of the last run() in device memory, by local number: distances as their bits,
    /// and parents, as copy_results() describes them. Valid while the object lives.
    [[nodiscard]] const std::uint32_t* device_distances() const;
    [[nodiscard]] const std::int32_t* device_parents() const;

    /// The ranks of a search, and whether their GPUs exchange messages.
    struct Ranks
    {
        int count = 1;
        bool messages = false;
    };
    /// An upper bound of the device memory of a rank with these numbers of vertices, slots and
    /// arcs, including the temporary memory for copying its block.
    [[nodiscard]] static std::size_t bytes_for(std::size_t local_count, std::size_t least_slots, ListedArcs arcs,
                                               Ranks ranks);
    /// The same for a graph of this size: an upper bound on one rank, and on several if the largest
    /// share of vertices and arcs is at most 10% above the mean.
    [[nodiscard]] static std::size_t most_bytes(Vertex vertices, const ListedArcs& arcs, Ranks ranks);
    /// The most device memory that prepare_nearest() allocates for a graph of one rank.
    [[nodiscard]] static std::size_t most_nearest_bytes(Vertex vertices, const ListedArcs& arcs);
    /// The device memory that a search takes on a rank, besides lists with this number of slots.
    [[nodiscard]] static std::size_t state_bytes_for(std::size_t local_count, std::size_t slots, Ranks ranks);

    /// The width of a window, in units of the weights.
    [[nodiscard]] double width() const;
    /// Whether near-far searches. It stops doing so when it meets a vertex for
    /// which it finds no parent.
    [[nodiscard]] bool is_near_far() const;
    /// Whether searches end with pulls.
    [[nodiscard]] bool pulls() const;
    [[nodiscard]] std::size_t graph_bytes() const override;
    [[nodiscard]] std::size_t state_bytes() const override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::sssp
