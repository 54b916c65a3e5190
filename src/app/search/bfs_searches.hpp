// What commands need of the breadth-first searches of one graph, whatever searches.
//
//                                          graph                          results
//   host loop, any engine   host_bfs.cpp   on the hosts, and a copy of    on the hosts
//                                          its edges on GPUs that search
//   on GPUs, graph copied   gpu_bfs.cpp    on the hosts and on the GPUs   copied to the hosts when they are asked for, and checked there
//   on GPUs, constructed    gpu_bfs.cpp    on the GPUs alone              stay on the GPUs, and are checked there
//
// Every member function is collective over the grid's world, except facts().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "algo/bfs/split_engine.hpp"
#include "app/io/graph_input.hpp"
#include "app/search/component_edges.hpp"
#include "app/search/engine_plan.hpp"
#include "app/search/timed_search.hpp"
#include "graph500/validate.hpp"

namespace wayfront::app {

struct BfsFacts : EngineFacts
{
    algo::DirectionPolicy direction;  // as used
    std::string exchange;             // how sets of vertices travel
    int trial_searches = 0;           // made to adapt the engine, and not timed
};

/// What is looked at after a search.
enum class Check {
    edges,     // only the tuples in the key's component are counted, for TEPS
    validity,  // the five rules of Graph500, and the tuples
};

/// Searches whose results can be checked wherever they are.
class BfsSearches : public TimedSearch
{
public:
    [[nodiscard]] virtual BfsFacts facts() const = 0;

    /// Allocates what check() needs; before the first search.
    virtual void prepare_check(Check check) = 0;
    /// Looks at the last search. With Check::edges only `edges` is set, and the outcome is not_validated.
    [[nodiscard]] virtual graph500::BfsValidation check() = 0;

protected:
    using TimedSearch::TimedSearch;
};

/// Searches of a graph that was constructed on the hosts, where their results are checked and can be read.
class HostGraphBfs : public BfsSearches
{
public:
    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override;
    void prepare_check(Check check) override;
    [[nodiscard]] graph500::BfsValidation check() override;

    // Of the last search.
    [[nodiscard]] virtual std::uint64_t reached() const = 0;                   // vertices, of all ranks
    [[nodiscard]] virtual std::vector<algo::LevelRecord> level_records() = 0;  // one for each level
    /// Of this rank's vertices, by local number. Pre: the options asked for levels or for the smallest parents.
    [[nodiscard]] virtual std::span<const std::int32_t> levels() = 0;
    [[nodiscard]] virtual const VertexArray& parents() = 0;  // the same

protected:
    HostGraphBfs(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed) : BfsSearches(grid), graph_(graph), feed_(feed)
    {
    }
    [[nodiscard]] const DistributedGraph& graph() const { return graph_; }

private:
    const DistributedGraph& graph_;
    const EdgeFeed& feed_;
    std::optional<ComponentEdges> component_;
    std::optional<graph500::BfsValidator> validator_;
};

/// The on-GPU searches of BFS as a plan sees them. `cutoff`: searches end at a given level.
[[nodiscard]] DeviceRequirements bfs_requirements(bool cutoff);

/// settle_plan() for searches of a graph that the hosts construct. Collective.
EnginePlan settle_bfs(const Job& job, const EngineRequest& request, const EnginePlan& plan, const DeviceRequirements& requirements,
                      const LoadedGraph& input);

/// Searches of a graph that was constructed on the hosts from `feed`. Grid, graph and feed outlive them. Collective.
std::unique_ptr<HostGraphBfs> prepare_bfs(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed, const EnginePlan& plan,
                                          const algo::BfsOptions& options);

/// The same, driven by the host (algo/bfs/bfs_search.hpp), with the engine that is made for each rank's block; `device` names the GPU that it uses,
/// if it does.
std::unique_ptr<HostGraphBfs> make_host_loop_bfs(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                                 const EngineMaker& make_engine, const std::string& device, const algo::BfsOptions& options);

}  // namespace wayfront::app
