// A graph of a bulk job (bulk_job.hpp) as all pairs of one graph (prepared_pairs.hpp): by the same steps as for a
// graph alone, as a job of one rank that sends no messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/progress_listener.hpp"
#include "comm/communicator.hpp"
#include "job/job.hpp"
#include "session/apsp/bulk_job.hpp"
#include "session/apsp/prepared_pairs.hpp"

namespace wayfront::session {

/// A derived class loads the edges, names the requested results, and receives the rows. Its functions are called in the
/// order in which they are declared. The job of gather() has one thread. The job of the other functions has the threads
/// that compute the graph.
class BulkPairs : public BulkGraph
{
public:
    void load() final;
    [[nodiscard]] Vertex vertices() const final { return pairs().input.list.vertex_count; }
    void prepare(int threads) final;
    [[nodiscard]] algo::BulkTask task(ProgressListener* listener) final;
    [[nodiscard]] std::vector<Vertex> negative_cycle() const final;

protected:
    [[nodiscard]] virtual PreparedPairs& pairs() = 0;
    [[nodiscard]] virtual const PreparedPairs& pairs() const = 0;

    /// Loads the edges, names the sources, and calls gather_pairs(). If they are validated, calls
    /// require_pairs_validation_memory().
    virtual void gather(const job::Job& job) = 0;
    /// Constructs the graph, chooses the other sources, and calls plan_pairs().
    virtual void plan(const job::Job& job) = 0;
    /// The consumers of the rows, besides the summary and the validator. They outlive the task.
    [[nodiscard]] virtual std::vector<algo::RowConsumer*> consumers() { return {}; }
    /// Called after the last row.
    virtual void finish(const job::Job& /*job*/) {}

    /// The summary of all rows. Pre: prepare() was called.
    [[nodiscard]] const algo::Summary& summary() const { return *summary_; }
    /// The notes for the user so far.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    /// The job of the last step. Pre: load() was called.
    [[nodiscard]] const job::Job& job() const { return *job_; }

private:
    const job::Job& start_job(int threads);

    comm::Communicator alone_ = comm::Communicator::alone();
    std::optional<job::Job> job_;
    std::optional<algo::Summary> summary_;
    std::vector<std::string> notes_;
};

}  // namespace wayfront::session
