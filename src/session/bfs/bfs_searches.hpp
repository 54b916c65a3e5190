// The breadth-first searches of one graph as commands use them, whichever processors search.
//
//                          file              graph                          results
// host loop, any engine    host_bfs.cpp      on the hosts, and a copy of    on the hosts
//                                            its edges on GPUs that search
// on GPUs, graph copied    gpu_bfs.cpp       on the hosts and on the GPUs   copied to the hosts on
//                                                                           demand, and checked there
// one GPU, large diameter  near_far_bfs.cpp  the same                       the same
// one GPU, constructed     gpu_bfs.cpp       on the GPU, its numbers on     the same
//                                            the host, too
// on GPUs, constructed     gpu_bfs.cpp       on the GPUs alone              stay on the GPUs, and are
//                                                                           checked there
//
// Every member function is collective over the grid's world, except facts().
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "algo/bfs/split_engine.hpp"
#include "graph500/validate.hpp"
#include "plan/engine_plan.hpp"
#include "plan/search_options.hpp"
#include "session/constructed_graph.hpp"
#include "session/host_checks.hpp"
#include "session/input/graph_input.hpp"
#include "session/timed_search.hpp"

namespace wayfront::session {

struct BfsFacts : EngineFacts
{
    algo::DirectionPolicy direction;  // the parameters that the searches use
    std::string exchange;             // how sets of vertices are encoded in messages
    int trial_searches = 0;           // untimed searches, made to adapt the engine
    std::string reason;               // why GPUs search, if nothing asks for them
};

/// Searches whose results can be checked on the processors that hold them.
class BfsSearches : public TimedSearch
{
public:
    [[nodiscard]] virtual BfsFacts facts() const = 0;

    /// Allocates what check() needs. To be called before the first search.
    virtual void prepare_check(Check check) = 0;
    /// Checks the last search. With Check::edges only `edges` is set, and the outcome is
    /// not_validated.
    [[nodiscard]] virtual graph500::BfsValidation check() = 0;

protected:
    using TimedSearch::TimedSearch;
};

/// The results of a search in the memory of the only GPU, by local number; null if they are on the hosts.
struct BfsOnGpu
{
    const std::int32_t* levels = nullptr;
    const std::int32_t* parents = nullptr;
};

/// Searches of a graph that was constructed on the hosts, or by the only GPU. Their results are checked and can be read
/// on the hosts.
class HostGraphBfs : public BfsSearches
{
public:
    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override;
    void prepare_check(Check check) override;
    [[nodiscard]] graph500::BfsValidation check() override;

    // Results of the last search.

    /// The number of reached vertices of all ranks.
    [[nodiscard]] virtual std::uint64_t reached() const = 0;
    /// One record for each level.
    [[nodiscard]] virtual std::vector<algo::LevelRecord> level_records() = 0;
    /// The levels of this rank's vertices, by local number. Pre: the options asked for levels or
    /// for the smallest parents.
    [[nodiscard]] virtual std::span<const std::int32_t> levels() = 0;
    /// The parents of this rank's vertices, by local number.
    [[nodiscard]] virtual const VertexArray& parents() = 0;
    /// Valid until the next search.
    [[nodiscard]] virtual BfsOnGpu on_gpu() const { return {}; }
    /// After run_nearest(): the nearest source; kUnreached if a vertex was not reached.
    [[nodiscard]] virtual const VertexArray& nearest()
    {
        throw std::logic_error("the nearest sources of a search from one vertex are read");
    }

protected:
    explicit HostGraphBfs(const ConstructedGraph& constructed)
        : BfsSearches(constructed.grid), graph_(constructed.graph), checks_(constructed)
    {
    }
    [[nodiscard]] const DistributedGraph& graph() const { return graph_; }

private:
    const DistributedGraph& graph_;
    HostChecks<graph500::BfsValidator> checks_;
};

/// The requirements of on-GPU breadth-first searches.
[[nodiscard]] plan::DeviceRequirements bfs_requirements();

/// Why the searches of GPUs on their own by this plan do not start from several sources; empty if they do.
[[nodiscard]] std::string nearest_obstacle(const plan::EnginePlan& plan, int ranks, bool smallest_parents);

/// settle_plan() for searches of a graph that the hosts construct. `nearest`: whether searches start from several
/// sources. Collective.
plan::EnginePlan settle_bfs(const job::Job& job, const plan::SearchOptions& search, const plan::EnginePlan& plan,
                            const LoadedGraph& input, bool nearest = false);

/// Prepares searches of a graph that was constructed on the hosts. Collective.
std::unique_ptr<HostGraphBfs> prepare_bfs(const ConstructedGraph& constructed, const plan::EnginePlan& plan,
                                          const algo::BfsOptions& options);

/// Prepares searches that the host drives (algo/bfs/bfs_search.hpp), with the engine that
/// `make_engine` returns for each rank's block. `device` is the name of the GPU that the engine
/// uses, or empty. Collective.
std::unique_ptr<HostGraphBfs> make_host_loop_bfs(const ConstructedGraph& constructed, const EngineMaker& make_engine,
                                                 const std::string& device, const algo::BfsOptions& options);

}  // namespace wayfront::session
