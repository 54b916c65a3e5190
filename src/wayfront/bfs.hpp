// Breadth-first search of one graph.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plan/engine.hpp"
#include "wayfront/device_arrays.hpp"
#include "wayfront/graph.hpp"
#include "wayfront/search.hpp"

namespace wayfront {

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

/// The result of a search on one rank. Entry i of `levels` and `parents` is that of
/// Graph::own_vertex(i); with BfsOptions::gather, or on a single rank, that of vertex
/// Graph::first_vertex() + i.
struct BfsResult
{
    Vertex source = 0;
    double seconds = 0;                // the time of the search on the slowest rank
    std::int64_t reached = 0;          // vertices, of all ranks, the source included
    std::int32_t depth = 0;            // the deepest level
    std::vector<std::int32_t> levels;  // edges from the source; kNotReached if there is no path
    std::vector<Vertex> parents;       // the source is its own parent; kNotReached if no path
    /// Only of Bfs::run_nearest(): the nearest source of each vertex; kNotReached if no path.
    std::vector<Vertex> nearest{};
};

/// Memory of the caller into which a search writes instead of the vectors of its result. A vector of the result is
/// empty if its span is not. A span is empty, or has the length of its vector.
struct BfsArrays
{
    std::span<std::int32_t> levels{};
    std::span<Vertex> parents{};
};

/// The result of a search in GPU memory, in arrays of its own: entry i is that of vertex Graph::first_vertex() + i.
struct DeviceBfsResult
{
    Vertex source = 0;
    double seconds = 0;
    std::int64_t reached = 0;  // vertices, the source included
    std::int32_t depth = 0;    // the deepest level
    DeviceArray levels;        // int32, as BfsResult::levels
    DeviceArray parents;       // int64, as BfsResult::parents
};

/// Breadth-first search of one graph, prepared once for any number of sources.
class Bfs
{
public:
    /// Chooses the engine and constructs the graph in the engine's form. If the caller keeps
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
    /// The same with a result in GPU memory. If the GPU searches, the result is not copied through the host, unless
    /// it is validated. Throws InputError if there are several ranks, and ResourceError if there is no GPU.
    [[nodiscard]] DeviceBfsResult run_on_device(Vertex source);
    /// Searches from all of `sources` at once, in any order: levels are those from the nearest source.
    /// If several sources are equally near to a vertex, its nearest source is the one with the smallest number.
    /// Parents lead to the nearest source.
    /// The result's source is the smallest one. If several GPUs search on their own, or their memory does not
    /// suffice, the CPU cores run this search.
    /// Throws InputError if there are no sources. Collective.
    [[nodiscard]] BfsResult run_nearest(std::span<const Vertex> sources);

    /// As ShortestPaths::between(); the distances are whole numbers. Collective.
    [[nodiscard]] static PairsResult between(const Graph& graph, std::span<const std::pair<Vertex, Vertex>> pairs,
                                             bool with_paths = true, const BfsOptions& options = {});

    // The following functions return results of the last search. Both throw InputError if there was no search, or if
    // the search failed, for a target that is no vertex, and for another extension.

    /// The vertices of a shortest path from the source, or the nearest one, to `target`, both included; empty if there
    /// is no path. Collective.
    [[nodiscard]] std::vector<Vertex> path(Vertex target) const;
    /// Writes the levels and parents of all vertices to a file in the form of its extension: .txt,
    /// .csv, .npy or .json (docs/formats.md). Collective.
    void write(const std::string& path) const;

    /// The engine that searches.
    [[nodiscard]] EngineDescription engine() const;
    /// Whether searches may still read the edges of the graph, so that the arrays of Graph::view() must outlive this
    /// object: with `validate`, or if the lists of the graph are on a GPU only.
    [[nodiscard]] bool reads_edges() const;

private:
    friend BfsResult bfs(const Graph& graph, Vertex source, const BfsOptions& options, const BfsArrays& arrays);
    struct State;
    Bfs(Graph graph, const BfsOptions& options, std::int64_t searches);

    std::unique_ptr<State> state_;
};

/// One search. For several searches of the same graph, make a Bfs. Throws as Bfs::run(). Collective.
[[nodiscard]] BfsResult bfs(const Graph& graph, Vertex source, const BfsOptions& options = {},
                            const BfsArrays& arrays = {});

}  // namespace wayfront
