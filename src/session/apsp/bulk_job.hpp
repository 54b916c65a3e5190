// Computes many graphs, which the ranks and their threads share.
//
// Graph i is computed by rank i mod P. A rank takes a few of its graphs at a time: threads load
// them, an engine computes their rows (algo/apsp/bulk.hpp), and threads describe the results. A
// graph that fails does not end the job.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algo/apsp/bulk.hpp"
#include "base/failure.hpp"
#include "job/job.hpp"
#include "job/progress.hpp"
#include "session/output/json.hpp"

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
    /// The task refers to this object.
    [[nodiscard]] virtual algo::BulkTask task() = 0;
    /// Called when all rows are done.
    [[nodiscard]] virtual Json facts() const = 0;
};

struct BulkOutcome
{
    std::string facts;  // as JSON; empty if the graph failed
    std::optional<Failure> failure;
};

struct BulkJob
{
    std::size_t graphs = 0;
    std::function<std::unique_ptr<BulkGraph>(std::size_t number)> make;
    algo::BulkEngine& engine;
    job::Progress& progress;
};

/// Returns the outcome of each graph, in their order, on rank 0, and an empty list on the other
/// ranks. Collective.
[[nodiscard]] std::vector<BulkOutcome> run_bulk(const job::Job& job, const BulkJob& bulk);

}  // namespace wayfront::session
