// Rows of the matrix of all-pairs distances: their producers and their consumers.
//
// Row s has the distances from vertex s to all vertices. A *producer* is an engine that makes rows,
// a batch of sources at a time, for example by Dijkstra's algorithm on the cores, by bit-parallel
// search, or on a GPU. A *consumer* takes finished rows: the output file, the summary, the
// validator. The loop between them (row_loop.hpp) depends on neither. A method that needs the whole
// matrix before its first row is done, such as Floyd-Warshall, is a MatrixMethod. MatrixRows turns
// it into a producer, so that the same consumers take its finished stripes.
//
// All functions are local to a rank, except for RowProducer::prepare(), summarise_together() and
// MatrixMethod::run(): each rank holds the whole graph and makes the rows of its share of the
// sources. Vertices have the numbers of the edge list, from 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/summary.hpp"
#include "base/parallel.hpp"
#include "base/progress_listener.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

class MatrixCheckpoints;

/// Finished rows, in host memory. A view: the producer owns the memory.
struct RowBatch
{
    // The position of the first row among the sources of the job.
    std::size_t first = 0;
    std::span<const Vertex> sources;        // of each row
    std::size_t columns = 0;                // the number of vertices of the graph, or of targets
    DistanceSpan distances;                 // sources.size() x columns, row-major
    std::span<const std::int32_t> parents;  // the same shape, or empty if parents are not wanted
};
/// The parent of a vertex that is not reached; the source is its own parent.
inline constexpr std::int32_t kNoParent = -1;

class RowConsumer
{
public:
    RowConsumer() = default;
    RowConsumer(const RowConsumer&) = delete;
    RowConsumer& operator=(const RowConsumer&) = delete;
    virtual ~RowConsumer() = default;

    /// Processes the rows of a batch. Batches arrive in any order of positions, each row once. Throws
    /// ResourceError (a full disk) or ResultError (a row that is wrong).
    virtual void consume(const RowBatch& batch) = 0;
};

/// An engine that makes rows. Its memory is allocated when it is made, and reused.
class RowProducer
{
public:
    RowProducer() = default;
    RowProducer(const RowProducer&) = delete;
    RowProducer& operator=(const RowProducer&) = delete;
    virtual ~RowProducer() = default;

    /// The method with its parameters, in words.
    [[nodiscard]] virtual std::string description() const = 0;
    /// The type of the distances of all batches.
    [[nodiscard]] virtual DistanceType type() const = 0;
    /// The number of sources of a full batch, which is the largest that launch() and summarise()
    /// take. At least 1.
    [[nodiscard]] virtual std::size_t batch_rows() const = 0;

    /// From now on makes the columns of `targets` alone, in their order, so that a search may end when
    /// their distances are known. Returns false, and changes nothing, if the engine makes whole rows only,
    /// which target_columns.hpp narrows. The targets outlive the producer. Pre: no batch was launched.
    virtual bool make_columns(std::span<const Vertex> /*targets*/) { return false; }

    /// Does the work that precedes the first batch, if there is any. If prepare() is not called,
    /// the first collect() does it. Collective over the ranks of the job if they compute rows
    /// together.
    virtual void prepare() {}
    /// Lets prepare() save its state to `checkpoints` from time to time and continue from it, if
    /// the engine supports this. The checkpoints outlive prepare().
    virtual void save_to(MatrixCheckpoints& /*checkpoints*/) {}

    /// Starts to make the rows of `sources`, which remain in place until collect(). Between the two
    /// calls a GPU works on its own. The cores do their work in collect().
    virtual void launch(std::span<const Vertex> sources) = 0;
    /// Waits for the rows that were launched. They are valid until the next collect(), also while
    /// the next batch is launched: an engine that works on its own has two buffers. The caller sets
    /// RowBatch::first. Throws InputError if a distance does not fit type().
    [[nodiscard]] virtual RowBatch collect() = 0;

    /// Adds the rows of `sources` to the summary, for jobs that need only the summary. The first
    /// source has position `first`. An engine overrides this function if it can summarise without
    /// making the rows. Pre: the summary is in brief, or summarises_fully().
    virtual void summarise(std::size_t first, std::span<const Vertex> sources, Summary& summary);

    /// Whether summarise() supports summaries in full detail. Otherwise rows are made for them.
    [[nodiscard]] virtual bool summarises_fully() const { return false; }

    /// Adds all rows of a job that needs only the summary to the ranks' summaries, if the engine
    /// divides this work among the ranks other than by sources. Otherwise returns false on all
    /// ranks, and each summarises its own sources. `sources` are those of the job, by position;
    /// `left` are the positions whose rows are not done, ascending. Each rank's summary gets the
    /// facts of its part of `left` (part_of_ranges()), and the histograms of all ranks together the
    /// distances. Pre: the summary is in brief. Collective over the ranks of the job.
    virtual bool summarise_together(std::span<const Vertex> /*sources*/, std::span<const IndexRange> /*left*/,
                                    Summary& /*summary*/)
    {
        return false;
    }
};

/// A method that computes the whole matrix at once.
class MatrixMethod
{
public:
    MatrixMethod() = default;
    MatrixMethod(const MatrixMethod&) = delete;
    MatrixMethod& operator=(const MatrixMethod&) = delete;
    virtual ~MatrixMethod() = default;

    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual DistanceType type() const = 0;
    [[nodiscard]] virtual std::size_t vertices() const = 0;
    /// The most consecutive rows that a call of rows() returns.
    [[nodiscard]] virtual std::size_t stripe_rows() const = 0;

    /// Lets run() save the matrix to `checkpoints` from time to time and continue from it, if the
    /// method supports this. The checkpoints outlive run().
    virtual void save_to(MatrixCheckpoints& /*checkpoints*/) {}
    /// Computes the matrix, once. The listener, which may be null, is informed of each step.
    /// Collective if ranks share the matrix.
    virtual void run(ProgressListener* listener) = 0;
    /// The finished rows first to first + count - 1, valid until the next call. The caller sets
    /// `sources` and `first` of the batch. Pre: run() has returned, and count is at most
    /// stripe_rows().
    [[nodiscard]] virtual RowBatch rows(std::size_t first, std::size_t count) = 0;
    /// Adds the rows of at most stripe_rows() sources to the summary, and returns true; the first
    /// source has position `first`. Returns false if the method cannot do this without rows().
    /// Pre: run() has returned.
    virtual bool summarise(std::size_t /*first*/, std::span<const Vertex> /*sources*/, Summary& /*summary*/)
    {
        return false;
    }
};

/// The rows of a matrix as a producer gives them, in batches of consecutive vertices or, if the
/// sources are not consecutive, one by one.
[[nodiscard]] std::unique_ptr<RowProducer> make_matrix_rows(std::unique_ptr<MatrixMethod> method,
                                                            ProgressListener* listener);

}  // namespace wayfront::algo
