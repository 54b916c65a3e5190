// The searches for shortest paths in one graph, as commands use them, whichever processors search.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/sssp/sssp_result.hpp"
#include "comm/process_grid.hpp"
#include "graph/csr.hpp"
#include "graph/distributed_graph.hpp"
#include "graph/edge_feed.hpp"
#include "graph500/tree_validator.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "plan/sssp_method.hpp"
#include "session/constructed_graph.hpp"
#include "session/host_checks.hpp"
#include "session/input/graph_input.hpp"
#include "session/kron_graph.hpp"
#include "session/timed_search.hpp"

namespace wayfront::session {

struct PreparedGraph;

/// Decisions that are made before construction. Equal on all ranks.
struct SsspPlan
{
    plan::SsspChoice choice{};
    plan::SsspChoice on_cores{};  // if the cores search in place of GPUs
    WeightType weights = WeightType::none;
    bool negative_weights = false;
    std::optional<plan::SsspCase> graph{};  // has a value if times were compared, or may be compared later
    plan::Rates rates{};                    // if `graph` has a value, those by which times are compared
    plan::EngineRequest request{};          // the request of the options, or of a method that needs a GPU
    // The CPU; the GPUs, which search on their own; or the GPUs, driven by the hosts.
    plan::EnginePlan engine{};

    /// The order of the lists that the method needs.
    [[nodiscard]] ListOrder list_order() const;
};

/// The plan if the options name processors, or a method that needs a GPU, as far as it depends on the ranks alone: to
/// be made before the graph is loaded, so that a mistake in the options is reported at once. No value if the choice is
/// left to the program. Throws an AgreedError if there is no GPU that is asked for, if the other options or the ranks
/// rule it out, or if the grid does not have all ranks. Collective.
[[nodiscard]] std::optional<plan::EnginePlan> asked_engine(const job::Job& job, const plan::SsspMethodOptions& options);

/// The facts of searches on `ranks` ranks that are known before construction. Collective.
[[nodiscard]] plan::SsspCase sssp_case(const job::Job& job, const plan::SsspMethodOptions& options,
                                       const LoadedGraph& input, const EdgeFeed& feed, int ranks);

/// Chooses the method of cores on `ranks` ranks, from the options and the graph; the processors are
/// not chosen yet. Throws an AgreedError if the method does not suit the ranks or the weights.
/// Collective.
[[nodiscard]] SsspPlan choose_sssp_method(const job::Job& job, const plan::SsspMethodOptions& options,
                                          const LoadedGraph& input, const EdgeFeed& feed, int ranks);

/// Searches for shortest paths, as they are asked for.
struct SsspRequest
{
    plan::SsspMethodOptions method;
    algo::Cutoff cutoff;
    bool validate = false;
    std::int64_t searches = std::numeric_limits<std::int64_t>::max();  // searches expected of the prepared graph
    /// Whether only run() and result() are called, once, so that no constructed graph is needed.
    bool single_result = false;
};

/// Chooses the method and the processors, from the options, the ranks and the graph. `asked` is the
/// result of asked_engine(). `feed` has weights. GPUs of one host search with `--engine auto` if the
/// graph has enough edges per vertex, and if they are expected to take less time, with their start.
/// With `--engine gpu`, the GPUs of all ranks search: on their own if they reach each other, and the
/// graph and the options allow it, otherwise driven by the hosts. Throws an AgreedError if the method
/// or the engine that the options name does not suit the ranks or the weights. Collective.
[[nodiscard]] SsspPlan plan_sssp(const job::Job& job, const SsspRequest& request,
                                 const std::optional<plan::EnginePlan>& asked, const LoadedGraph& input,
                                 const EdgeFeed& feed);

/// The plan of searches in a Kronecker graph that GPUs construct; no value if the hosts construct
/// it. One GPU, or the GPUs of one host, construct the graph for push-pull, with `--engine auto` if the method suits
/// the graph. Throws an AgreedError if the options ask for GPUs whose memory does not suffice.
/// Collective.
[[nodiscard]] std::optional<SsspPlan> plan_kron_sssp(const job::Job& job, const plan::SsspMethodOptions& options,
                                                     const std::optional<plan::EnginePlan>& asked,
                                                     const KronGraph& graph);

struct SsspFacts : EngineFacts
{
    std::string algorithm;  // with its parameters, and why it was chosen
};

/// The results of a search in the memory of the only GPU, by local number (gpu/sssp/search.hpp); null if they are on
/// the hosts.
struct SsspOnGpu
{
    const std::uint32_t* distances = nullptr;  // bits of floats, or whole numbers
    const std::int32_t* parents = nullptr;
    bool floats = false;
    std::uint64_t reached = 0;
};

class SsspSearches : public TimedSearch
{
public:
    [[nodiscard]] virtual SsspFacts facts() const = 0;

    /// Allocates what check() needs. To be called before the first search.
    virtual void prepare_check(Check check) = 0;
    /// Checks the last search. With Check::edges only `edges` is set, and the outcome is
    /// not_validated. Pre: there is no negative cycle.
    [[nodiscard]] virtual graph500::Validation check() = 0;

    /// Results of the last search.
    [[nodiscard]] virtual const algo::SsspResult& result() const = 0;
    /// Valid until the next search.
    [[nodiscard]] virtual SsspOnGpu on_gpu() const { return {}; }
    /// A cycle of negative length that the last search reached, in the order of its edges; empty if
    /// there is none. If there is one, distances and parents are not defined. Equal on all ranks.
    [[nodiscard]] virtual const std::vector<Vertex>& negative_cycle() const = 0;

protected:
    using TimedSearch::TimedSearch;
};

/// Prepares searches of a graph that the hosts constructed. `options` has the plan's method. If the
/// share of a rank does not fit its GPU, which the size of the graph did not show, the hosts search,
/// unless the options ask for GPUs. Throws an AgreedError if the searches take more memory than there
/// is. Collective.
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_sssp(const job::Job& job, const ConstructedGraph& constructed,
                                                         const SsspPlan& planned, algo::SsspOptions options);

/// Whether the only GPU constructs the graph for searches by this plan.
[[nodiscard]] bool gpu_constructs_sssp(const comm::ProcessGrid& grid, const EdgeFeed& feed, const SsspPlan& plan,
                                       const algo::SsspOptions& options);

/// Constructs the graph of prepared.feed on the only GPU, sets prepared.graph to its numbers, and prepares searches of
/// it. Null if the memory of the GPU does not suffice, or if float distances may be infinite: the host is to construct
/// the graph then. `job` and `prepared` outlive the searches, and so do the edges of `prepared`, which the host reads
/// if a distance does not fit the GPU's type. Pre: gpu_constructs_sssp(). Throws an AgreedError.
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_constructed_sssp(const job::Job& job, PreparedGraph& prepared,
                                                                     const SsspPlan& plan,
                                                                     const algo::SsspOptions& options);

/// Whether a single search on a few cores of one rank is asked for, and its method needs no constructed graph, or is
/// left to the program.
[[nodiscard]] bool needs_no_construction(const job::Job& job, const SsspRequest& request, const SsspPlan& plan,
                                         const EdgeFeed& feed);

/// Prepares a single search for which needs_no_construction() is true. `constructed.graph` has the partition only.
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_single_sssp(const job::Job& job,
                                                                const ConstructedGraph& constructed, SsspPlan plan,
                                                                algo::SsspOptions options);

/// Constructs a Kronecker graph on the GPUs, and prepares searches of it. `plan` is the result of
/// plan_kron_sssp(), and `options` has its method. The grid outlives the searches. Collective.
[[nodiscard]] std::unique_ptr<SsspSearches> prepare_kron_sssp(const comm::ProcessGrid& grid, const KronGraph& graph,
                                                              const SsspPlan& plan, const algo::SsspOptions& options);

}  // namespace wayfront::session
