// The Graph500 benchmark as a function of the library: construction, searches, validation, statistics.
//
//     const wayfront::Graph500Result run = wayfront::run_graph500(20);
//     std::printf("%g TEPS\n", run.bfs->harmonic_mean_teps);
//
// It follows the benchmark's specification, version 3, as `wayfront graph500` does: the graphs are
// those of the reference implementation bit for bit, searches from the first key run before the others
// and are not timed, and times are those of the slowest rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wayfront/wayfront.hpp"

namespace wayfront {

/// The searches that run: breadth-first (kernel 2), shortest paths (kernel 3), or both from the same keys.
enum class Graph500Kernel { bfs, sssp, both };

/// The graph, the searches, and the ranks and devices that run them.
struct Graph500Options
{
    std::int64_t edge_factor = 16;  // edge tuples per vertex
    std::int64_t keys = 64;         // searches; fewer if the graph has fewer vertices with edges
    int warmups = 1;                // searches from the first key that are not timed
    Graph500Kernel kernel = Graph500Kernel::bfs;
    /// Whether each search is validated. An invalid search is a ResultError.
    bool validate = true;
    std::uint64_t seed1 = 2;  // seed1 and seed2 start the generator, and the choice of keys
    std::uint64_t seed2 = 3;

    Engine engine = Engine::automatic;
    std::optional<Grid> grid{};  // without a value, wayfront chooses one
    /// Ranks, threads and notes. `direction`, `weights`, `names` and `double_precision` are not used.
    LoadOptions loading{};
    /// Gets the progress of construction and of the searches. May be empty.
    OnProgress on_progress{};
};

/// One search of the benchmark.
struct Graph500Search
{
    Vertex key = 0;
    double seconds = 0;
    std::int64_t edges = 0;                    // input tuples in the component of the key
    std::optional<double> validate_seconds{};  // no value: not validated
};

/// The searches of one kernel, and the statistics of their traversed edges per second.
struct Graph500Searches
{
    double min_teps = 0;
    double first_quartile_teps = 0;
    double median_teps = 0;
    double third_quartile_teps = 0;
    double max_teps = 0;
    double harmonic_mean_teps = 0;
    double harmonic_stddev_teps = 0;  // NaN for a single search
    std::vector<Graph500Search> searches;
};

/// The figures of a run. Equal on all ranks.
struct Graph500Result
{
    int scale = 0;
    std::int64_t edge_factor = 0;
    Vertex vertices = 0;
    std::int64_t edges = 0;
    int ranks = 1;
    int threads = 1;     // of the first rank
    std::string engine;  // "cpu" or "gpu", of the first kernel
    double generation_seconds = 0;
    double construction_seconds = 0;  // kernel 1
    std::optional<Graph500Searches> bfs;
    std::optional<Graph500Searches> sssp;
};

/// Runs the benchmark on a graph of 2^scale vertices. Throws InputError, before any work, if an argument is
/// out of range. Collective.
[[nodiscard]] Graph500Result run_graph500(int scale, const Graph500Options& options = {});

}  // namespace wayfront
