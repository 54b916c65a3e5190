// wayfront as a library: loads or generates a graph, searches it, and returns levels or distances,
// and parents; or computes the distances between all pairs.
//
//     const wayfront::Graph graph = wayfront::Graph::load("roads.gr");
//     const wayfront::BfsResult hops = wayfront::bfs(graph, 1);
//     const wayfront::ShortestPathsResult ways = wayfront::shortest_paths(graph, 1);
//
// docs/library.md has a complete program.
//
// Ranks. If the caller has initialised MPI, a graph is distributed over the ranks of
// MPI_COMM_WORLD, or of the communicator that LoadOptions names, and every function marked
// "collective" is called by all of these ranks, with equal arguments and in the same order; so are
// the constructors and destructors of Graph, Bfs, ShortestPaths and AllPairs. MPI_THREAD_FUNNELED suffices.
// If MPI has not been initialised, or has been finalised, the calling process is the only rank.
// wayfront neither initialises nor finalises MPI, and its messages travel over communicators of its
// own.
//
// Threads. A graph and its searches are used by one thread at a time; with several ranks, by the
// thread that initialised MPI. The number of OpenMP threads of the calling thread is restored when
// a call returns. A search on a GPU makes this GPU the calling thread's current CUDA device.
//
// Errors. Failures are exceptions (base/error.hpp); Error::code() is the exit code that the program
// `wayfront` would end with:
//
//     InputError     2  bad arguments, or a malformed graph file
//     ResourceError  3  not enough memory or disk space, no usable GPU, a failure of MPI
//     ResultError    1  a result that failed its validation, a cycle of negative length
//                       (NegativeCycleError), or a defect of wayfront
//     RankFailure       thrown on one of several ranks only, with the code of its cause
//
// The first three are thrown on all ranks together, and the job may go on. Messages name options as
// the program does: "--transport nccl: ...". Without LoadOptions::watch_ranks, the library does not
// print and does not end the process. Its only global state is a handler of SIGBUS, installed when it first reads a
// file, for files that are cut short while they are read.
//
// A Graph, a Bfs, a ShortestPaths or an AllPairs that was moved from can be destroyed or assigned;
// its functions throw InputError. So does the function run() of a Bfs or a ShortestPaths after a
// search that failed in its middle, for example since memory ran out.
//
// A rank that dies. The other ranks wait for its messages until the launcher ends the job, as
// mpirun does. Kernels of GPUs that search together wait for each other, too, and a waiting kernel
// ends only with its process. With LoadOptions::watch_ranks, ranks end themselves in this case.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "plan/engine.hpp"

namespace wayfront {

struct ArrayEdges;

/// The number of a vertex. Arguments and results use the numbers of the input: DIMACS, METIS and
/// Matrix Market files count from 1, all other graphs from 0.
using Vertex = std::int64_t;

/// A failure of this rank that the other ranks do not know of: they may be waiting for this rank's
/// messages. The caller can only end the job, for example by MPI_Abort.
class RankFailure : public Error
{
public:
    using Error::Error;
};

/// There are no shortest paths, since a graph has a cycle of negative length.
class NegativeCycleError : public ResultError
{
public:
    NegativeCycleError(const std::string& message, std::vector<Vertex> vertices)
        : ResultError(message), vertices_(std::make_shared<const std::vector<Vertex>>(std::move(vertices)))
    {
    }
    /// The vertices of such a cycle, in the order of its edges.
    [[nodiscard]] const std::vector<Vertex>& vertices() const noexcept { return *vertices_; }

private:
    std::shared_ptr<const std::vector<Vertex>> vertices_;  // shared, so that copies cannot fail
};

/// Receives the progress of a call, on the first rank and in the calling thread: `done` of `total` units of
/// a step, such as rows or pairs; `total` is 0 if it is not known. Is called at the beginning and at the
/// end of a step, and about 20 times a second at most between them. It calls no function of wayfront. What
/// it throws ends the work; the call then throws the same exception, and on other ranks a ResultError.
using OnProgress = std::function<void(std::string_view step, std::uint64_t done, std::uint64_t total)>;

/// Whether edges are followed in one direction or in both.
enum class EdgeDirection {
    as_in_input,  // as the file or the generator says
    directed,
    undirected,
    // Directed, and followed from their targets: levels and distances are those to the source of a
    // search, a vertex's parent is the next vertex on its way there, and path() ends at the source.
    reversed,
};

/// How a graph is loaded, and by which ranks and threads.
struct LoadOptions
{
    EdgeDirection direction = EdgeDirection::as_in_input;

    /// Each rank's OpenMP threads, at most 4096. 0: OMP_NUM_THREADS, or if it is not set, the rank's
    /// share of the cores that it may use.
    int threads = 0;

    /// MPI_Comm_c2f(comm) of an MPI communicator; wayfront duplicates it. Without a value, it is
    /// MPI_COMM_WORLD if MPI is initialised, and otherwise this process alone.
    std::optional<int> communicator{};
    /// The calling process is the only rank, also if MPI is initialised. Not with `communicator`.
    bool alone = false;

    /// The weights of edges, which shortest paths need. If empty, the weights of the input. "none"
    /// leaves them out, which saves memory. Any other text describes weights that replace those of the
    /// input, as for --weights of the program, for example "uniform:1..100".
    std::string weights{};
    /// The vertices of an edge list have names, also if they could be numbers. If not, they have names
    /// if both ends of the first edge begin with letters (Graph::named).
    bool names = false;
    /// Weights of the input that are not whole numbers are of type double instead of float.
    bool double_precision = false;

    /// Is called on the first rank with notes and warnings for the user, for example why the CPU
    /// searches although there is a GPU.
    std::function<void(std::string_view text)> on_note{};

    /// With several ranks: a thread of each rank watches the others as long as the graph or a search
    /// of it exists. If a rank dies, or is stopped or silent for five minutes, and the launcher does
    /// not end the job, the other ranks end themselves with a message and exit code 3.
    bool watch_ranks = false;
};

/// One weight per edge: whole numbers, or floating-point numbers of the precision in which their
/// sums are computed.
using EdgeWeights = std::variant<std::span<const std::int64_t>, std::span<const float>, std::span<const double>,
                                 std::span<const std::int32_t>>;

/// Whole numbers of 32 or 64 bits, in the caller's memory.
using IndexSpan = std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>>;

/// A rank's share of the edges as compressed sparse rows (CSR), as in SciPy: row i has the edges
/// from vertex first_row + i to targets[offsets[i]], ..., targets[offsets[i + 1] - 1]. Ranks pass
/// any rows, each row on one rank.
struct CsrArrays
{
    IndexSpan offsets;  // one more than rows; the first is 0
    IndexSpan targets;
    std::optional<EdgeWeights> weights{};  // in the order of the targets
    Vertex first_row = 0;
};

/// A rank's share of the edges as two arrays (COO): edge i leads from sources[i] to targets[i].
struct EdgeArrays
{
    IndexSpan sources;
    IndexSpan targets;
    std::optional<EdgeWeights> weights{};
};

/// A graph, distributed over the ranks. Copies share the same graph, which never changes.
///
/// Rank r owns the vertices first_vertex() + r, first_vertex() + r + ranks(), and so on. The
/// i-th of them is own_vertex(i); the results of a search are arrays in this order.
class Graph
{
public:
    /// `graph` is a file or a spec, as in the command line of the program: "roads.gr.gz", "kron:20"
    /// (docs/formats.md has all of them). Throws InputError if there is no such file or spec, or if it is
    /// malformed. Collective.
    static Graph load(const std::string& graph, const LoadOptions& options = {});

    /// A graph of the vertices 0 to vertex_count - 1. `edges` are (source, target), this rank's
    /// share in any order. The edges are directed unless the options make them undirected or reverse
    /// them. An undirected edge is passed only once. Throws InputError if a source or a target is no
    /// vertex. Collective.
    static Graph from_edges(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges,
                            const LoadOptions& options = {});
    /// The same with weights: weights[i] is that of edges[i]. All ranks pass weights of one type,
    /// also those that pass no edges. Throws InputError, too, if there are not as many weights as edges.
    static Graph from_edges(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges,
                            const EdgeWeights& weights, const LoadOptions& options = {});

    /// A graph of the vertices 0 to vertex_count - 1 whose edges remain in the caller's arrays.
    /// They must not change or be freed as long as the graph exists, or an object that was made
    /// from it with `validate`. An undirected edge is passed once; in both directions, it is the
    /// same graph with twice as many edges, also for the choice of an algorithm. All ranks pass
    /// weights of one type, or none. LoadOptions::weights is empty or "none". Throws InputError if
    /// the arrays have different lengths, offsets that do not ascend, or other vertices.
    /// Collective.
    static Graph view(Vertex vertex_count, const CsrArrays& rows, const LoadOptions& options = {});
    /// The same of arrays of sources and targets.
    static Graph view(Vertex vertex_count, const EdgeArrays& edges, const LoadOptions& options = {});

    /// As given to load(), or "edges".
    [[nodiscard]] const std::string& name() const;
    /// The number of vertices, of all ranks.
    [[nodiscard]] Vertex vertex_count() const;
    /// The number of edges of the input, of all ranks, with self-loops and duplicates.
    [[nodiscard]] std::int64_t edge_count() const;
    /// Whether edges are followed in one direction only.
    [[nodiscard]] bool directed() const;
    /// Whether the distances of shortest paths are whole numbers: all weights are, or there are none.
    [[nodiscard]] bool whole_distances() const;
    /// The smallest number of a vertex: 0 or 1.
    [[nodiscard]] Vertex first_vertex() const;
    /// Whether the input has names of vertices. Their numbers are then those of the names in order:
    /// first names that are numbers, by value, and then the others, by their bytes.
    [[nodiscard]] bool named() const;
    /// The name of a vertex of a named graph; valid as long as the graph. Throws InputError if the graph has no
    /// such vertex, or no names.
    [[nodiscard]] std::string_view vertex_name(Vertex vertex) const;
    /// The vertex with a name. Throws InputError if no vertex has it, or if the graph has no names.
    [[nodiscard]] Vertex vertex_named(std::string_view name) const;

    /// This rank among those of the graph, counted from 0.
    [[nodiscard]] int rank() const;
    /// The number of ranks over which the graph is distributed.
    [[nodiscard]] int ranks() const;
    /// The number of threads of this rank.
    [[nodiscard]] int threads() const;

    /// The number of vertices that this rank owns.
    [[nodiscard]] std::int64_t own_count() const;
    /// The i-th vertex that this rank owns, 0 <= i < own_count(). This is not checked.
    [[nodiscard]] Vertex own_vertex(std::int64_t i) const;
    /// The rank that owns a vertex of the graph. Whether it is one is not checked.
    [[nodiscard]] int owner(Vertex vertex) const;
    /// The i for which own_vertex(i) is this vertex on the rank that owns it, of a vertex of the graph.
    [[nodiscard]] std::int64_t index_at_owner(Vertex vertex) const;

    /// Before a search into arrays of the caller: `given` is whether this rank has some, and `fault` what
    /// is wrong with them, in words, or empty. Throws InputError on all ranks if any of them has a fault,
    /// or if only some of them have arrays. Collective.
    void agree_on_arrays(bool given, const std::string& fault) const;

private:
    friend class Bfs;
    friend class ShortestPaths;
    friend class AllPairs;
    struct State;
    explicit Graph(std::shared_ptr<const State> state);
    static Graph view(ArrayEdges edges, const LoadOptions& options);
    /// `weights`: null if there are none.
    static Graph list(Vertex vertex_count, std::span<const std::pair<Vertex, Vertex>> edges, const EdgeWeights* weights,
                      const LoadOptions& options);
    [[nodiscard]] const State& state() const;

    std::shared_ptr<const State> state_;
};

/// R x C ranks, over which the adjacency matrix is distributed.
struct Grid
{
    int rows = 1;
    int columns = 1;
};

/// How breadth-first searches run, and what they return.
struct BfsOptions
{
    Engine engine = Engine::automatic;
    Transport transport = Transport::automatic;
    /// For Engine::split: the CPU's share of the edges, 0 to 1. Without a value, wayfront finds it.
    std::optional<double> cpu_share{};
    std::optional<Grid> grid{};  // without a value, wayfront chooses one

    /// Vertices beyond this level count as not reached.
    std::optional<std::int32_t> cutoff{};

    /// Report the valid parent with the smallest number, which is the same on every machine.
    bool deterministic = false;

    /// Check each result against the edges, by the five rules of Graph500; a ResultError if one
    /// fails. Keeps the edge list in memory. Not with `cutoff`.
    bool validate = false;

    /// Each rank gets the results of all vertices, instead of those that it owns.
    bool gather = false;

    /// Gets the progress of construction, and of Bfs::between(). May be empty.
    OnProgress on_progress{};
};

/// The value of a level or a parent of a vertex that was not reached.
inline constexpr std::int32_t kNotReached = -1;

/// The result of a search on one rank. Entry i of `levels` and `parents` is that of
/// Graph::own_vertex(i); with BfsOptions::gather, or on a single rank, that of vertex
/// Graph::first_vertex() + i.
struct BfsResult
{
    Vertex source = 0;
    double seconds = 0;                // of the search, on the slowest rank
    std::int64_t reached = 0;          // vertices, of all ranks, the source included
    std::int32_t depth = 0;            // the deepest level
    std::vector<std::int32_t> levels;  // edges from the source; kNotReached if there is no path
    std::vector<Vertex> parents;       // the source is its own parent; kNotReached if no path
    /// Only of Bfs::run_nearest(): the nearest source of each vertex; kNotReached if no path.
    std::vector<Vertex> nearest{};
};

/// Memory of the caller into which a search writes, in place of the vectors of its result, which are then
/// empty. An empty span leaves the vector. The others have the length of that vector.
struct BfsArrays
{
    std::span<std::int32_t> levels{};
    std::span<Vertex> parents{};
};

/// Distances and paths between pairs of vertices, on every rank, in the order of the pairs.
struct PairsResult
{
    double seconds = 0;  // of all searches, on the slowest rank
    /// As in ShortestPathsResult; numbers of edges if found by Bfs::between(). kNoDistance or infinity
    /// if there is no path.
    std::variant<std::vector<std::int64_t>, std::vector<double>> distances;
    /// The vertices of a shortest path from the source to the target, or from the target to the source
    /// of a reversed graph; empty if there is none. No elements if no paths are wanted.
    std::vector<std::vector<Vertex>> paths;
};

/// The engine that searches, after Engine::automatic and Transport::automatic have been resolved.
struct EngineDescription
{
    std::string engine;     // "cpu", "gpu", "split:0.25"
    std::string transport;  // between GPUs; empty if the CPU searches
    std::string device;     // the name of the GPU; empty if the CPU searches
    Grid grid;
};

/// Breadth-first search of one graph, prepared once for any number of sources.
class Bfs
{
public:
    /// Chooses the engine and brings the graph into the form that it searches. If the caller keeps
    /// no copy of `graph`, its edge list is freed then (unless it is validated against):
    ///
    ///     Bfs search(Graph::load("kron:24"));
    ///
    /// Collective.
    explicit Bfs(Graph graph, const BfsOptions& options = {});
    Bfs(Bfs&&) noexcept;
    Bfs& operator=(Bfs&&) noexcept;
    ~Bfs();

    /// Searches from `source`, and writes into `arrays`. Throws InputError before the search if the graph
    /// has no such vertex, or if the arrays have another length. Collective.
    [[nodiscard]] BfsResult run(Vertex source, const BfsArrays& arrays = {});
    /// Searches from all of `sources` at once, in any order: levels are those from the nearest source,
    /// of several at the same level the one with the smallest number, and parents lead to it. The
    /// result's source is the smallest one. If GPUs search on their own, the CPU cores run this search.
    /// Throws InputError if there are no sources. Collective.
    [[nodiscard]] BfsResult run_nearest(std::span<const Vertex> sources);

    /// As ShortestPaths::between(); the distances are whole numbers. Collective.
    [[nodiscard]] static PairsResult between(const Graph& graph, std::span<const std::pair<Vertex, Vertex>> pairs,
                                             bool with_paths = true, const BfsOptions& options = {});

    // Of the last search. Both throw InputError if there was none, or if it failed, for a target that is
    // no vertex, and for another extension.

    /// The vertices of a shortest path from the source, or the nearest one, to `target`, both included; empty if there
    /// is no path. Collective.
    [[nodiscard]] std::vector<Vertex> path(Vertex target) const;
    /// Writes the levels and parents of all vertices to a file in the form of its extension: .txt,
    /// .csv, .npy or .json (docs/formats.md). Collective.
    void write(const std::string& path) const;

    /// The engine that searches.
    [[nodiscard]] EngineDescription engine() const;

private:
    friend BfsResult bfs(const Graph& graph, Vertex source, const BfsOptions& options, const BfsArrays& arrays);
    struct State;
    Bfs(Graph graph, const BfsOptions& options, std::int64_t searches);

    std::unique_ptr<State> state_;
};

/// One search. For several searches of the same graph, make a Bfs. Throws as Bfs::run(). Collective.
[[nodiscard]] BfsResult bfs(const Graph& graph, Vertex source, const BfsOptions& options = {},
                            const BfsArrays& arrays = {});

/// Algorithms for shortest paths (docs/sssp.md).
enum class PathAlgorithm {
    automatic,       // chosen by the weights, the graph and the ranks
    dijkstra,        // one rank and thread, for graphs of a few hundred edges
    delta_stepping,  // for road networks and meshes
    bellman_ford,    // for negative weights
    push_pull,       // for social and Kronecker graphs
};

/// How searches for shortest paths run, and what they return.
struct ShortestPathsOptions
{
    PathAlgorithm algorithm = PathAlgorithm::automatic;
    /// The width of the windows of delta-stepping and push-pull; without a value, wayfront chooses.
    std::optional<double> delta{};
    /// Automatic: GPUs if each rank has one of its own on the same host and the graph suits them,
    /// otherwise the CPU. Not `split`.
    Engine engine = Engine::automatic;
    std::optional<Grid> grid{};  // without a value, wayfront chooses one

    /// Vertices at a greater distance count as not reached. It is rounded to the type of distances.
    /// Not with negative weights.
    std::optional<double> cutoff{};

    /// Report the valid parent with the smallest number, which is the same on every machine.
    bool deterministic = false;

    /// As in BfsOptions. Keeps the edge list in memory. Not with `cutoff`.
    bool validate = false;

    /// Each rank gets the results of all vertices, instead of those that it owns.
    bool gather = false;

    /// Gets the progress of construction, and of ShortestPaths::between(). May be empty.
    OnProgress on_progress{};
};

/// The result of a search on one rank, in the order of BfsResult.
struct ShortestPathsResult
{
    /// The distance of a vertex that was not reached, if weights are whole numbers; otherwise it is
    /// infinity.
    static constexpr std::int64_t kNoDistance = std::numeric_limits<std::int64_t>::max();

    Vertex source = 0;
    double seconds = 0;        // of the search, on the slowest rank
    std::int64_t reached = 0;  // vertices, of all ranks, the source included

    /// Whole numbers if the weights are, and then exact. Otherwise sums of the weights' precision,
    /// float or double, rounded once per edge.
    std::variant<std::vector<std::int64_t>, std::vector<double>> distances;
    std::vector<Vertex> parents;  // the source is its own parent; kNotReached if no path
    /// Only of ShortestPaths::run_nearest(): the nearest source of each vertex; kNotReached if no path.
    std::vector<Vertex> nearest{};

    /// The vertices of a cycle of negative length that the source reaches, in the order of its
    /// edges. If there is one, there are no shortest paths: `distances` and `parents` are empty.
    std::vector<Vertex> negative_cycle;

    /// The distance of entry i, of any type; infinity if it was not reached. Throws InputError if
    /// there is no such entry.
    [[nodiscard]] double distance(std::int64_t i) const;
};

/// As BfsArrays. The elements of `distances` have the type of ShortestPathsResult::distances.
struct ShortestPathsArrays
{
    std::variant<std::span<std::int64_t>, std::span<double>> distances{};
    std::span<Vertex> parents{};
};

/// Shortest paths in one graph, prepared once for any number of sources. Edges of a graph without
/// weights have length 1.
class ShortestPaths
{
public:
    /// As Bfs::Bfs. Collective.
    explicit ShortestPaths(Graph graph, const ShortestPathsOptions& options = {});
    ShortestPaths(ShortestPaths&&) noexcept;
    ShortestPaths& operator=(ShortestPaths&&) noexcept;
    ~ShortestPaths();

    /// Searches from `source`, and writes into `arrays`, unless there is a cycle of negative length.
    /// Throws InputError before the search if the graph has no such vertex, or if the arrays have another
    /// length, or distances of another type, and a ResourceError if a distance does not fit its type.
    /// Collective.
    [[nodiscard]] ShortestPathsResult run(Vertex source, const ShortestPathsArrays& arrays = {});
    /// Searches from all of `sources` at once, as Bfs::run_nearest(). Throws as run() does. Collective.
    [[nodiscard]] ShortestPathsResult run_nearest(std::span<const Vertex> sources);

    /// The distance, and with `with_paths` a path, of each pair (source, target). All ranks pass the same
    /// pairs, one at least. On the cores, searches end when the distances of their pairs are known, if
    /// `algorithm` is automatic and nothing is `deterministic`; several ranks share 32 pairs and more, if
    /// each has the memory for the whole graph. Otherwise pairs with the same source share one search.
    /// Throws InputError with `validate`, and NegativeCycleError if a source reaches a cycle of negative
    /// length. Collective.
    [[nodiscard]] static PairsResult between(const Graph& graph, std::span<const std::pair<Vertex, Vertex>> pairs,
                                             bool with_paths = true, const ShortestPathsOptions& options = {});

    // Of the last search. Both throw InputError if there was none, if it failed, or if it found a
    // cycle of negative length, for a target that is no vertex, and for another extension.

    /// As Bfs::path(). Collective.
    [[nodiscard]] std::vector<Vertex> path(Vertex target) const;
    /// As Bfs::write(), with distances. Collective.
    void write(const std::string& path) const;

    /// The engine that searches.
    [[nodiscard]] EngineDescription engine() const;
    /// The algorithm that searches, with its parameters, in words.
    [[nodiscard]] std::string algorithm() const;

private:
    friend ShortestPathsResult shortest_paths(const Graph& graph, Vertex source, const ShortestPathsOptions& options,
                                              const ShortestPathsArrays& arrays);
    struct State;
    ShortestPaths(Graph graph, const ShortestPathsOptions& options, std::int64_t searches);

    std::unique_ptr<State> state_;
};

/// One search. For several searches of the same graph, make a ShortestPaths. Throws as
/// ShortestPaths::run(). Collective.
[[nodiscard]] ShortestPathsResult shortest_paths(const Graph& graph, Vertex source,
                                                 const ShortestPathsOptions& options = {},
                                                 const ShortestPathsArrays& arrays = {});

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
    /// The vertices whose columns are wanted, in this order; empty: all vertices. Nothing wider is
    /// kept or written, and some methods end a search when their distances are known.
    std::vector<Vertex> targets{};
    /// Rows have predecessors, too.
    bool predecessors = false;
    /// Check every row against all edges. Keeps the edge list in memory.
    bool validate = false;
    /// Gets the progress of all functions that compute something, of the first rank's rows. May be empty.
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
    /// Of the distances: exact if they are whole numbers.
    std::variant<std::vector<std::int64_t>, std::vector<double>> distance_sums;
    /// The sum of the reciprocals of the distances other than 0; NaN if it is not defined.
    std::vector<double> harmonic_closeness;
    /// The mean reciprocal of the distances of all ordered pairs of vertices, 0 for a pair without a
    /// path. NaN if it is not defined, or if there are sources: it needs the rows of all vertices.
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

/// The distances from all vertices, or from some, to all vertices, or to some. Each rank keeps the whole graph
/// and makes the rows of its share of the sources; the matrix is never stored unless the caller does.
class AllPairs
{
public:
    /// Receives rows; see rows().
    using TakeRows = std::function<void(const DistanceRows& rows)>;

    /// Gathers the edges on each rank, and constructs the graph. Throws NegativeCycleError if there
    /// is a cycle of negative length. Collective.
    explicit AllPairs(const Graph& graph, AllPairsOptions options = {});
    AllPairs(AllPairs&&) noexcept;
    AllPairs& operator=(AllPairs&&) noexcept;
    ~AllPairs();

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
    /// The same, and writes the rows of all ranks to a file in the form of its extension: .npz, .mtx or
    /// .csv (docs/formats.md). Collective.
    void write_within(double limit, const std::string& path);

    /// The algorithm of the last call, with its reason, in words; empty before the first one. Not of
    /// within() and write_within().
    [[nodiscard]] std::string algorithm() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront
