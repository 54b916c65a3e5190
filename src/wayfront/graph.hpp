// A graph of the library: loaded, generated, or made of edges in memory; wayfront.hpp describes ranks, threads
// and errors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "wayfront/device_arrays.hpp"

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
    /// They must not change or be freed as long as the graph exists, or a Bfs or ShortestPaths that was made
    /// from it and whose reads_edges() is true. An undirected edge is passed once; in both directions, it is the
    /// same graph with twice as many edges, also for the choice of an algorithm. All ranks pass
    /// weights of one type, or none. LoadOptions::weights is empty or "none". Throws InputError if
    /// the arrays have different lengths, offsets that do not ascend, or other vertices.
    /// Collective.
    static Graph view(Vertex vertex_count, const CsrArrays& rows, const LoadOptions& options = {});
    /// The same of arrays of sources and targets.
    static Graph view(Vertex vertex_count, const EdgeArrays& edges, const LoadOptions& options = {});

    /// The same of arrays in the memory of the GPU with which this process searches, which is the only rank. That GPU
    /// constructs the graph and searches it. All that runs on the cores copies the edges to the host first.
    /// Throws InputError, too, if there are several ranks or the arrays are elsewhere, and ResourceError if there is
    /// no GPU.
    static Graph view(Vertex vertex_count, const DeviceEdgeArrays& edges, const LoadOptions& options = {});

    /// The argument `graph` of load(), or "edges".
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

    /// Checks the callers' arrays before a search writes its results to them. `given`: whether this rank's
    /// caller has passed arrays. `fault`: describes the fault of these arrays; empty if they have none. Throws
    /// InputError on all ranks if a rank has a fault, or if only some ranks have arrays. Collective.
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

}  // namespace wayfront
