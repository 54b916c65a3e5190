// All pairs of many graphs.
//
// A BulkEngine computes the rows of several graphs together: on the cores a thread for each small
// graph, on a GPU many matrices in one launch. It passes the rows to the consumers of each graph.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/progress_listener.hpp"
#include "base/types.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// One graph. The objects that it refers to remain in place until BulkEngine::run() returns.
struct BulkTask
{
    const DistributedGraph* graph = nullptr;  // on one rank
    std::span<const Vertex> sources;          // the vertices whose rows are wanted
    DistanceType type = DistanceType::float64;
    bool parents = false;
    double most_distance = 0;  // the largest magnitude of whole-number distances
    /// Whether the method is Floyd-Warshall on a matrix that an engine may close together with
    /// others.
    bool matrix = false;

    /// Makes an engine for this graph alone. Its number of threads is that of OpenMP at the time of
    /// the call.
    std::function<std::unique_ptr<RowProducer>()> make_rows;
    /// Adds predecessors, if they are wanted, to rows of distances.
    std::function<std::unique_ptr<RowProducer>(std::unique_ptr<RowProducer>)> complete;

    // The consumers of the rows. They are called by one thread at a time, which may differ from
    // batch to batch.
    std::vector<RowConsumer*> consumers;
    Summary* summary = nullptr;    // may be null
    std::function<void()> finish;  // called after the last row

    /// Its advance() is called while the graph is computed. make_rows() passes it to the engine for this
    /// graph. May be null.
    ProgressListener* listener = nullptr;

    /// Called before the work and after each batch of rows. What the listener throws ends the work.
    void report() const
    {
        if (listener != nullptr) listener->advance(0);
    }
};

class BulkEngine
{
public:
    BulkEngine() = default;
    BulkEngine(const BulkEngine&) = delete;
    BulkEngine& operator=(const BulkEngine&) = delete;
    virtual ~BulkEngine() = default;

    [[nodiscard]] virtual std::string description() const = 0;
    /// The number of graphs that a call of run() should have.
    [[nodiscard]] virtual std::size_t graphs_at_once() const = 0;

    /// Computes the rows of all graphs, in any order. Returns the exception of each graph that
    /// failed, and null for each graph whose consumers have all rows. Throws what a listener throws to the
    /// calling thread while other threads compute. Local to a rank.
    [[nodiscard]] virtual std::vector<std::exception_ptr> run(std::span<const BulkTask> tasks) = 0;
};

/// The most vertices of a graph that one thread computes. Larger graphs are computed by all
/// threads, one after the other.
inline constexpr Vertex kMostVerticesOfThread = 2048;

/// Lets a producer make all rows of a graph, and passes them to the consumers.
void hand_out_rows(const BulkTask& task, RowProducer& producer);
/// The same with the engine for this graph alone.
void compute_alone(const BulkTask& task);

/// Calls f; returns the exception that it throws, or null.
template <typename F>
[[nodiscard]] std::exception_ptr exception_of(F&& f)
{
    try {
        std::forward<F>(f)();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

/// Makes an engine that computes each task on one thread, by BulkTask::make_rows.
[[nodiscard]] std::unique_ptr<BulkEngine> make_threaded_bulk();

}  // namespace wayfront::algo
