// The distances between all pairs of vertices, of one graph or of many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "plan/engine.hpp"
#include "wayfront/graph.hpp"
#include "wayfront/search.hpp"

namespace wayfront {

/// Types of distances between all pairs. Automatic: for whole-number weights the smallest of uint16,
/// int32 and float64 that surely holds all distances, otherwise float32.
enum class PairDistance { automatic, uint16, int32, float32, float64 };

/// Which distances between all pairs are computed, and how.
struct AllPairsOptions
{
    /// A name that `wayfront apsp --algorithm` knows, such as "floyd-warshall".
    std::string algorithm{"auto"};
    PairDistance type = PairDistance::automatic;
    /// Automatic: GPUs if they are expected to be faster than the CPU. Not `split`.
    Engine engine = Engine::automatic;
    /// The vertices whose rows are wanted; empty: all vertices.
    std::vector<Vertex> sources{};
    /// The vertices whose columns are computed, in this order; empty: all vertices. Other columns are neither kept
    /// nor written. Some methods end a search when the distances of the targets are known.
    std::vector<Vertex> targets{};
    /// Rows have predecessors, too.
    bool predecessors = false;
    /// Check every row against all edges. Keeps the edge list in memory.
    bool validate = false;
    /// Receives the progress of the functions that compute rows: that of the first rank's rows. May be empty.
    OnProgress on_progress{};
};

/// Rows of the matrix of distances, one for each of some sources. A view, valid during the call that
/// receives it.
struct DistanceRows
{
    std::size_t first = 0;            // the position of the first row among all sources
    std::span<const Vertex> sources;  // of each row, with the input's numbers
    std::size_t columns = 0;          // the number of vertices, or of targets
    /// sources.size() x columns, row-major. A vertex that is not reached has 65535, 2^31 - 1, or
    /// infinity.
    std::variant<std::span<const std::uint16_t>, std::span<const std::int32_t>, std::span<const float>,
                 std::span<const double>>
        distances;
    /// The same shape, with the input's numbers; kNotReached if no path. Empty unless wanted.
    std::span<const Vertex> predecessors;

    /// The distance in a row and a column; infinity if the vertex is not reached. Throws InputError
    /// if there is no such row or column.
    [[nodiscard]] double distance(std::size_t row, std::size_t column) const;
};

/// Figures of all pairs of a source and another vertex that it reaches. Equal on all ranks.
struct AllPairsSummary
{
    std::uint64_t reachable_pairs = 0;
    double average = 0;   // of the distances; 0 without pairs
    double diameter = 0;  // the largest eccentricity
    double radius = 0;    // the smallest eccentricity of a source that reaches a vertex

    // By position among the sources:

    std::vector<std::uint64_t> reached;  // vertices, without the source
    std::vector<double> eccentricities;  // the largest distance; 0 if no vertex is reached
    /// Outward, as `wayfront apsp --summary` defines it; NaN if it is not defined.
    std::vector<double> closeness;

    /// The sources that reach a vertex and whose eccentricity is the radius.
    std::vector<Vertex> center;
    /// The sources that reach a vertex and whose eccentricity is the diameter.
    std::vector<Vertex> periphery;
};

/// The summary with the figures of each source that `wayfront apsp --vertices` writes, by position among the
/// sources. Equal on all ranks.
struct VertexFigures : AllPairsSummary
{
    /// The sums of the distances: exact if distances are whole numbers.
    std::variant<std::vector<std::int64_t>, std::vector<double>> distance_sums;
    /// The sum of the reciprocals of the distances other than 0; NaN if it is not defined.
    std::vector<double> harmonic_closeness;
    /// The mean reciprocal of the distances of all ordered pairs of vertices, 0 for a pair without a
    /// path. NaN if it is not defined, or if the options name sources: the efficiency needs the rows of all vertices.
    double global_efficiency = 0;
};

/// The vertices at distances up to a limit from some sources, as compressed sparse rows. The rows are those
/// of the sources at the positions first, first + 1, ...; row i has the entries begins[i] to
/// begins[i + 1] - 1.
struct RowsWithin
{
    std::size_t first = 0;
    std::vector<std::uint64_t> begins;
    /// With the input's numbers, ascending in each row. The source is among them, at distance 0.
    std::vector<Vertex> targets;
    std::variant<std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<float>, std::vector<double>>
        distances;

    /// The distance of an entry. Throws InputError if there is no such entry.
    [[nodiscard]] double distance(std::size_t entry) const;
};

/// Rows of distances in memory.
struct DistanceMatrix
{
    std::vector<Vertex> sources;  // of each row, with the input's numbers
    std::size_t columns = 0;      // the number of vertices
    /// As DistanceRows::distances.
    std::variant<std::vector<std::uint16_t>, std::vector<std::int32_t>, std::vector<float>, std::vector<double>>
        distances;
    /// As DistanceRows::predecessors.
    std::vector<Vertex> predecessors;

    /// As DistanceRows::distance().
    [[nodiscard]] double distance(std::size_t row, std::size_t column) const;
};

/// All pairs of one of many graphs, or why they were not computed. Equal on all ranks but for `matrix`.
struct PairsOfGraph
{
    std::string name;  // as given, or "edges"
    int rank = 0;      // the rank that has computed the graph
    /// Null if the graph was computed. Otherwise one of the exceptions of wayfront.hpp, but no RankFailure; the
    /// members after it are then empty or 0.
    std::exception_ptr error;

    Vertex vertex_count = 0;
    Vertex first_vertex = 0;         // as Graph::first_vertex()
    std::int64_t edge_count = 0;     // as Graph::edge_count()
    std::string algorithm;           // with its reason, in words
    std::vector<std::string> notes;  // for the user, for example that edges without weights have length 1
    AllPairsSummary summary;
    /// The rows, on the rank that has computed them, if matrices are wanted.
    std::optional<DistanceMatrix> matrix;
};

/// The distances from all vertices, or from some, to all vertices, or to some. Each rank keeps the whole graph
/// and makes the rows of its share of the sources; the matrix is never stored unless the caller does.
class AllPairs
{
public:
    /// Receives rows; see rows().
    using TakeRows = std::function<void(const DistanceRows& rows)>;
    /// Takes a batch of rows, which are valid during the call.
    using TakeRowsWithin = std::function<void(const RowsWithin& rows)>;

    /// Gathers the edges on each rank, and constructs the graph. Throws NegativeCycleError if there
    /// is a cycle of negative length. Collective.
    explicit AllPairs(const Graph& graph, AllPairsOptions options = {});
    AllPairs(AllPairs&&) noexcept;
    AllPairs& operator=(AllPairs&&) noexcept;
    ~AllPairs();

    /// All pairs of many graphs, in their order: the summary of each, and with `with_matrices` its rows. Each graph
    /// is computed by one rank; small ones by a thread each, or many at once on a GPU, as `wayfront apsp --bulk`
    /// does. A graph that fails does not end the work: its result has the error. `options` hold for each graph;
    /// a graph without one of the sources fails. Throws InputError before any work if there are targets.
    ///
    /// `graphs` are files or specs, as for Graph::load(), with the options `loading`. Rank r loads and computes the
    /// graphs r, r + ranks, ... Throws InputError if not all ranks pass the same names. Notes on a graph are in its
    /// result. Collective over the ranks of `loading`.
    [[nodiscard]] static std::vector<PairsOfGraph> of_many(std::span<const std::string> graphs,
                                                           bool with_matrices = false,
                                                           const AllPairsOptions& options = {},
                                                           const LoadOptions& loading = {});
    /// The same of graphs that this process has alone, with the threads of the first one. Sends no messages: ranks
    /// pass graphs of their own. Throws InputError if a graph is distributed over several ranks.
    [[nodiscard]] static std::vector<PairsOfGraph> of_many(std::span<const Graph> graphs, bool with_matrices = false,
                                                           const AllPairsOptions& options = {});

    /// The sources, with the input's numbers: row i is that of source i.
    [[nodiscard]] const std::vector<Vertex>& sources() const;
    /// The vertices of the columns, with the input's numbers: the targets, or all vertices.
    [[nodiscard]] std::vector<Vertex> columns() const;

    /// Computes the rows, and passes each to take() on one rank, once, in batches and in any order.
    /// take() is called by the calling thread and calls no function of wayfront. Collective.
    void rows(const TakeRows& take);

    /// Computes the summary, without rows if the method can. Throws InputError if there are targets:
    /// a summary needs the distances to all vertices. Collective.
    [[nodiscard]] AllPairsSummary summary();

    /// The diameter of the summary, and of all vertices in undirected graphs by a few searches on the CPU
    /// if lengths are whole and not negative, and the choice of algorithm and engine is left to wayfront.
    /// Throws InputError as summary(). Collective.
    [[nodiscard]] double diameter();

    /// Computes the figures of each source, without keeping the rows. Throws InputError as summary(),
    /// and if the whole distances of a source add up to more than 64 bits hold. Collective.
    [[nodiscard]] VertexFigures vertex_figures();
    /// Computes the figures of each source, and writes them to a file in the form of its extension:
    /// .csv, .npy or .json (docs/formats.md). Throws as vertex_figures(). Collective.
    void write_vertex_figures(const std::string& path);

    /// Computes the rows, and writes distances, and predecessors if `predecessors` is not empty, to
    /// files in the form of their extensions: .npy, .npz, .raw or .csv (docs/formats.md). Collective.
    void write(const std::string& distances, const std::string& predecessors = "");

    /// Finds the vertices at distances up to `limit` from each source, by searches that end there, on the
    /// CPU. Returns the rows of this rank's part of the sources. Throws InputError if the limit is
    /// negative or not finite, if weights are negative, or if there are targets. Collective.
    [[nodiscard]] RowsWithin within(double limit);
    /// The same, and passes the rows in batches, in their order, so that they are never all in memory. take() is
    /// called by the calling thread and calls no function of wayfront. Collective.
    void rows_within(double limit, const TakeRowsWithin& take);
    /// Finds the same, and writes the rows of all ranks to a file in the form of its extension: .npz, .mtx or
    /// .csv (docs/formats.md). Collective.
    void write_within(double limit, const std::string& path);

    /// The algorithm of the last call, with its reason, in words; empty before the first one. Not of
    /// within(), rows_within() and write_within().
    [[nodiscard]] std::string algorithm() const;

private:
    struct State;
    struct ManyGraphs;
    class BulkMember;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront
