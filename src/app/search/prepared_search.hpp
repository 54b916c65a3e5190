// What a command needs of the searches of one graph, whatever searches.
//
//   host loop, any engine                  app/search/host_search.hpp   graph on the host; engines on GPUs have a copy of its edges
//   on GPUs, graph copied to them          app/search/gpu_search.cpp    graph on the host and on the GPUs; checked on the host
//   on GPUs, graph constructed there       app/search/gpu_search.cpp    graph on the GPUs alone; checked there
//
// Every member function is collective over the grid's world, but for those that say otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "app/io/graph_input.hpp"
#include "app/job.hpp"
#include "app/search/engine_factory.hpp"
#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph500/validate.hpp"

namespace wayfront::app {

/// What searches, for reports. Equal on all ranks, but for bytes, which are this rank's.
struct EngineFacts
{
    std::string engine;                   // "cpu", "gpu", "split:0.25"
    algo::DirectionPolicy direction;      // as used
    std::string exchange;                 // how sets of vertices travel
    std::int64_t connected_vertices = 0;  // of the graph
    int trial_searches = 0;               // made to adapt the engine, and not timed

    // Of searches on GPUs.
    std::string device;                       // the GPU's name; empty on the CPU
    std::string transport;                    // how GPUs reach each other
    std::size_t graph_bytes = 0;              // of device memory
    std::size_t state_bytes = 0;              // of device memory, besides the graph
    std::size_t construction_peak_bytes = 0;  // of device memory; 0 where the graph was constructed on the host
};

/// What is looked at after a search.
enum class Check {
    edges,     // only the tuples in the key's component are counted, for TEPS
    validity,  // the five rules of Graph500, and the tuples
};

class PreparedSearch
{
public:
    PreparedSearch(const PreparedSearch&) = delete;  // parts refer to each other
    PreparedSearch& operator=(const PreparedSearch&) = delete;
    virtual ~PreparedSearch() = default;

    /// Not collective.
    [[nodiscard]] virtual EngineFacts facts() const = 0;

    /// Says of each vertex whether an edge other than a self-loop touches it; not of those past the last vertex.
    [[nodiscard]] virtual std::vector<bool> have_edges(std::span<const Vertex> vertices) const = 0;

    /// Searches, and returns how long it took, in seconds: from before the key is visited until the result stands, on the slowest rank. Before that,
    /// and not in the time, an engine may adapt itself to what the last search showed, and repeat it for that.
    double run(Vertex key);

    // Of the last search.
    [[nodiscard]] virtual std::uint64_t reached() const = 0;                   // vertices, of all ranks
    [[nodiscard]] virtual std::vector<algo::LevelRecord> level_records() = 0;  // one a level
    [[nodiscard]] virtual std::span<const std::int32_t> levels() = 0;          // of this rank's vertices, by local number; where they were asked for
    [[nodiscard]] virtual const VertexArray& parents() = 0;                    // the same; copied to the host when they are asked for

    /// Allocates what check() needs; before the first search.
    virtual void prepare_check(Check check) = 0;
    /// Looks at the last search. With Check::edges only `edges` of the outcome is set.
    [[nodiscard]] virtual graph500::BfsValidation check() = 0;

protected:
    explicit PreparedSearch(const comm::ProcessGrid& grid) : grid_(grid) {}

    [[nodiscard]] const comm::ProcessGrid& grid() const { return grid_; }
    [[nodiscard]] const comm::Communicator& world() const { return grid_.world(); }
    [[nodiscard]] Vertex key() const { return key_; }          // of the last search
    [[nodiscard]] double seconds() const { return seconds_; }  // the same; equal on all ranks

    /// Searches between two barriers.
    void timed_search(Vertex key);

private:
    /// Before a search, and not timed.
    virtual void tune() {}
    virtual void search(Vertex key) = 0;
    /// After a search, and not timed.
    virtual void note_search() {}

    const comm::ProcessGrid& grid_;
    Vertex key_ = kUnreached;
    double seconds_ = 0;
};

/// Throws an AgreedError where the memory of the hosts cannot hold what construct() needs at its peak, or the second copy of the edges that an engine
/// makes which shares a block. Collective.
void require_construction_memory(const Job& job, comm::GridShape grid, const LoadedGraph& graph, const Engine& engine);

/// construct(), where a graph too large for the grid is an AgreedError. Collective.
DistributedGraph construct_graph(const comm::ProcessGrid& grid, const EdgeFeed& feed);

/// Searches of a graph that was constructed on the host. The grid, the graph and the feed it was constructed from outlive them. Collective.
std::unique_ptr<PreparedSearch> prepare_search(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                               const Engine& engine, const algo::BfsOptions& options);

}  // namespace wayfront::app
