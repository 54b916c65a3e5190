// Computes many graphs, which the ranks and their threads share.
//
// Graph i is computed by rank i mod P. A rank takes a few of its graphs at a time: threads load
// them, an engine computes their rows (algo/apsp/bulk.hpp), and threads describe the results. A
// graph that fails does not end the job. The graphs of the program and of the library are BulkPairs
// (bulk_pairs.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algo/apsp/bulk.hpp"
#include "base/failure.hpp"
#include "base/progress_listener.hpp"
#include "base/types.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::session {

/// One graph. Its functions are called in this order, by any threads. They send no messages, and
/// may throw.
class BulkGraph
{
public:
    BulkGraph() = default;
    BulkGraph(const BulkGraph&) = delete;
    BulkGraph& operator=(const BulkGraph&) = delete;
    virtual ~BulkGraph() = default;

    virtual void load() = 0;
    [[nodiscard]] virtual Vertex vertices() const = 0;
    /// Prepares task(), which `threads` threads will compute.
    virtual void prepare(int threads) = 0;
    /// The task refers to this object, and has the listener, which may be null.
    [[nodiscard]] virtual algo::BulkTask task(ProgressListener* listener) = 0;
    /// The value of BulkOutcome::facts. Called when all rows are done.
    [[nodiscard]] virtual std::string facts() const = 0;

    /// The cycle of negative length for which load() has thrown an error, with the input's numbers in
    /// the order of its edges; otherwise empty.
    [[nodiscard]] virtual std::vector<Vertex> negative_cycle() const { return {}; }
};

struct BulkOutcome
{
    std::string facts;  // the facts of the graph; empty if its computation failed
    std::optional<Failure> failure;
    std::vector<Vertex> negative_cycle;  // if that is the failure
};

/// The ranks that get the outcomes.
enum class OutcomesOn { first_rank, all_ranks };

struct BulkJob
{
    std::size_t graphs = 0;
    std::function<std::unique_ptr<BulkGraph>(std::size_t number)> make;
    algo::BulkEngine& engine;
    job::Progress& progress;
    OutcomesOn outcomes_on = OutcomesOn::first_rank;
};

/// The engine on these processors. Throws an AgreedError. Collective.
[[nodiscard]] std::unique_ptr<algo::BulkEngine> make_bulk_engine(const job::Job& job, const plan::EnginePlan& plan);

/// Returns the outcome of each graph, in their order; an empty list on ranks that do not get them. The
/// progress counts this rank's graphs, and its listener is also called while a graph is computed. What it throws ends
/// the job by an AgreedError, when the other ranks have computed their graphs. Collective.
[[nodiscard]] std::vector<BulkOutcome> run_bulk(const job::Job& job, const BulkJob& bulk);

}  // namespace wayfront::session
