// Shortest paths in one graph.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plan/engine.hpp"
#include "wayfront/device_arrays.hpp"
#include "wayfront/graph.hpp"
#include "wayfront/search.hpp"

namespace wayfront {

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
    /// Automatic: GPUs if each rank has one of its own and the graph suits them, otherwise the CPU.
    /// Not `split`.
    Engine engine = Engine::automatic;
    /// As in BfsOptions.
    Transport transport = Transport::automatic;
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
    double seconds = 0;        // the time of the search on the slowest rank
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

/// The result of a search in GPU memory, in arrays of its own, in the order of DeviceBfsResult.
struct DeviceShortestPathsResult
{
    Vertex source = 0;
    double seconds = 0;
    std::int64_t reached = 0;            // vertices, the source included
    DeviceArray distances;               // int64 or float64, as ShortestPathsResult::distances
    DeviceArray parents;                 // int64
    std::vector<Vertex> negative_cycle;  // as in ShortestPathsResult; the arrays are empty then
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
    /// As Bfs::run_on_device(). Throws as run() does, too.
    [[nodiscard]] DeviceShortestPathsResult run_on_device(Vertex source);
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

    // The following functions return results of the last search. Both throw InputError if there was no search, if the
    // search failed or found a cycle of negative length, for a target that is no vertex, and for another extension.

    /// As Bfs::path(). Collective.
    [[nodiscard]] std::vector<Vertex> path(Vertex target) const;
    /// As Bfs::write(), with distances. Collective.
    void write(const std::string& path) const;

    /// The engine that searches.
    [[nodiscard]] EngineDescription engine() const;
    /// Whether searches may still read the edges of the graph, so that the arrays of Graph::view() must outlive this
    /// object: with `validate`, or if the lists of the graph are on a GPU only.
    [[nodiscard]] bool reads_edges() const;
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

}  // namespace wayfront
