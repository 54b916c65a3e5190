#include "plan/search_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/end_degree.hpp"
#include "graph/large_diameter.hpp"
#include "plan/sssp_times.hpp"

namespace wayfront::plan {

namespace {

// The constants of this file are fitted to bench/results/apsp-search-times.json. Of 56 times of searches of its
// generated graphs, 40 are within a factor of 4/3 of the estimates, and 52 within a factor of two. The others are of
// push-pull: on a path, a ring and a narrow grid, where it is never the best, and on a complete graph.

constexpr std::size_t kSampleVertices = 4096;
// Random graphs of more than three neighbours a vertex have fewer levels, cubes 15 or more, meshes 37.
constexpr std::size_t kLevelsOfDeepSample = 12;
// Sparser parts have arcs enough to join them.
constexpr double kDegreeOfDenseParts = 8;
constexpr double kLabelSeconds = 4e-9;  // of a vertex, to clear its label and to read it at the end

/// Duplicates of edges do not count, unlike in CsrBlock::out_degrees.
HostBuffer<std::uint32_t> degrees_of(const CsrView& lists)
{
    constexpr std::size_t serial_below = 1 << 14;
    HostBuffer<std::uint32_t> degrees(lists.lists);
    parallel_for(degrees.size(), serial_below, [&](std::size_t i) {
        degrees[i] = static_cast<std::uint32_t>(lists.degree(static_cast<std::uint32_t>(i)));
    });
    return degrees;
}

}  // namespace

SearchShape search_shape(const DistributedGraph& graph)
{
    const CsrView lists = graph.block.out_edges().view();
    const HostBuffer<std::uint32_t> degree_of_list = degrees_of(lists);
    const DegreeSums degrees = sum_degrees(degree_of_list.span());
    const double leaves = graph.directed ? 0 : static_cast<double>(std::ranges::count(degree_of_list.span(), 1U));
    const SearchSample sample = sample_search(lists, kSampleVertices);
    SearchShape shape;
    shape.vertices = static_cast<double>(graph.partition.vertex_count());
    shape.arcs = static_cast<double>(graph.directed_edges);
    shape.inner_vertices = std::max(0.0, static_cast<double>(graph.connected_vertices) - leaves);
    shape.inner_arcs = std::max(0.0, shape.arcs - 2 * leaves);
    shape.end_degree = degrees.mean_at_ends();
    shape.mean_degree = degrees.mean();
    const double connected = std::max(1.0, static_cast<double>(graph.connected_vertices));
    const auto found = static_cast<double>(sample.vertices);
    shape.width = std::max(1.0, found / std::max(1.0, static_cast<double>(sample.levels)));
    shape.is_deep = sample.most_levels >= kLevelsOfDeepSample;
    shape.is_clustered =
        !shape.is_deep && shape.mean_degree >= kDegreeOfDenseParts && is_clustered(lists, kSampleVertices);
    shape.levels = static_cast<double>(sample.most_levels);
    if (sample.complete)
        shape.reached = std::min(1.0, found / connected);
    else  // the frontier of a mesh grows further
        shape.levels += std::max(0.0, connected - found) / (2 * shape.width);
    return shape;
}

double dijkstra_seconds(const CoreRates& rates, const SearchShape& shape)
{
    const double vertices = std::max(1.0, shape.inner_vertices);
    // A vertex with d arcs of random weights gets about 1 + log(d) distances, each shorter than the last.
    const double improvements = 1 + std::log(std::max(1.0, shape.inner_arcs / vertices));
    // The heap is as large as the frontier. That of a random graph has a share of all vertices, whose labels
    // are not in a cache.
    constexpr double small_heap = 4;
    constexpr double narrow = 3;  // a ring has two vertices in a level
    const bool is_path = shape.width < narrow && SsspCase{.end_degree = shape.end_degree}.is_path();
    double heap = std::max(1.0, std::log2(vertices) / 3 - 3);
    if (shape.is_deep) heap = std::min(is_path ? kHeapOfPath : 1.0, shape.width / small_heap);
    return kLabelSeconds * shape.vertices +
           shape.reached *
               (rates.search_arc * shape.inner_arcs + rates.search_vertex * shape.inner_vertices * improvements * heap);
}

double delta_stepping_seconds(const CoreRates& rates, const SearchShape& shape)
{
    constexpr double few_in_window = 8;  // vertices in a level, as in a path
    const bool is_narrow = shape.is_deep && shape.width < few_in_window;
    const SsspCase inner{
        .vertices = shape.inner_vertices, .arcs = shape.inner_arcs, .end_degree = is_narrow ? 1 : shape.end_degree};
    return kLabelSeconds * shape.vertices + shape.reached * delta_stepping_seconds(rates, inner);
}

double bellman_ford_seconds(const CoreRates& rates, const SearchShape& shape)
{
    // Fitted to bench/results/regret-two-cores-trials.json: 2 to 5 times as long as delta-stepping, and longer in the
    // presence of hubs or long paths; half as long if nothing is reached.
    constexpr double label_seconds = kLabelSeconds / 2;
    constexpr double of_delta_stepping = 4;
    const double deeper = shape.is_deep ? shape.levels : 1;
    const double of_reached = delta_stepping_seconds(rates, shape) - kLabelSeconds * shape.vertices;
    return label_seconds * shape.vertices + of_delta_stepping * deeper * of_reached;
}

double push_pull_seconds(const CoreRates& rates, const SearchShape& shape)
{
    // In graphs without hubs, the distance of a vertex improves more often, the more so in larger graphs.
    constexpr double vertices_in_cache = 4096;
    const double vertices = std::max(1.0, shape.inner_vertices);
    const double without_hubs = 2 + 0.4 * std::max(0.0, std::log2(vertices / vertices_in_cache));
    const double slower = std::max(1.0, without_hubs * shape.mean_degree / shape.end_degree);
    constexpr double round_vertex = 6e-10;  // the vertices that are left are passed over in each round
    const double rounds = shape.is_deep ? shape.levels * shape.vertices * round_vertex : 0;
    // Vertices of parts that no push has reached pull along all their arcs.
    constexpr double pulls_in_vain = 5;
    const double in_vain = shape.is_clustered ? pulls_in_vain * rates.search_arc * shape.arcs : 0;
    return kLabelSeconds * shape.vertices + shape.reached * (rates.push_pull_arc * shape.arcs + in_vain +
                                                             rates.push_pull_vertex * vertices * slower + rounds);
}

}  // namespace wayfront::plan
