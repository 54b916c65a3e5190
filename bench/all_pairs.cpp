// Measures all pairs on the cores side by side with Boost.Graph, in one run, and writes JSON.
//
//     all_pairs [N [UNWEIGHTED_N]]
//
// N is the number of vertices of the weighted graphs (2048). UNWEIGHTED_N is that of the graph of
// degree 10 whose summary is computed (65536). Each figure is the best of three runs, which take
// turns. OMP_NUM_THREADS sets the number of threads of wayfront; Boost uses one.
#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "algo/apsp/row_loop.hpp"
#include "algo/bfs/bfs_search.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "bench/program.hpp"
#include "cpu/apsp/arc_list_rows.hpp"
#include "cpu/apsp/bit_parallel.hpp"
#include "cpu/apsp/distance_bound.hpp"
#include "cpu/apsp/floyd_warshall.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "graph/construction.hpp"
#include "graph/generators/spec.hpp"
#include "graph/generators/weights.hpp"

namespace {

using namespace wayfront;
using Json = nlohmann::ordered_json;

constexpr int kRuns = 3;

double seconds(const std::function<void()>& f)
{
    const Clock::time_point begin = Clock::now();
    f();
    return seconds_between(begin, Clock::now());
}

/// The best times of two pieces of work that take turns.
std::pair<double, double> best_of(const std::function<void()>& ours, const std::function<void()>& theirs)
{
    std::pair<double, double> best{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    for (int run = 0; run < kRuns; ++run) {
        best.first = std::min(best.first, seconds(ours));
        best.second = std::min(best.second, seconds(theirs));
    }
    return best;
}

void report(Json& results, const std::string& what, const std::string& peer, std::pair<double, double> times)
{
    results[what] = {{"wayfront_seconds", times.first},
                     {"peer", peer},
                     {"peer_seconds", times.second},
                     {"ratio", times.second / times.first}};
    std::cerr << fmt::format("{}: {:.4g} s, {}: {:.4g} s, ratio {:.3g}\n", what, times.first, peer, times.second,
                             times.second / times.first);
}

EdgeList edges_of(const std::string& spec, const std::string& weights)
{
    EdgeList list = generate_share(*make_edge_source(spec, {}), 0, 1, false);
    if (!weights.empty()) list.weights = WeightSpec::parse(weights, list.vertex_count).make(1, 0, list.edges.size());
    return list;
}

template <typename W>
using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                         boost::property<boost::edge_weight_t, W>>;

template <typename W>
BoostGraph<W> boost_graph(const EdgeList& list, const HostBuffer<W>& weights)
{
    BoostGraph<W> graph(static_cast<std::size_t>(list.vertex_count));
    for (std::size_t i = 0; i < list.edges.size(); ++i) {
        const auto source = static_cast<std::size_t>(list.edges[i].source());
        const auto target = static_cast<std::size_t>(list.edges[i].target());
        boost::add_edge(source, target, weights[i], graph);
        if (!list.directed) boost::add_edge(target, source, weights[i], graph);
    }
    return graph;
}

std::vector<Vertex> all_vertices(Vertex count)
{
    std::vector<Vertex> vertices(static_cast<std::size_t>(count));
    std::iota(vertices.begin(), vertices.end(), Vertex{0});
    return vertices;
}

/// Keeps every distance, as Boost's matrix does.
template <typename T>
class Kept final : public algo::RowConsumer
{
public:
    explicit Kept(std::size_t vertices) : vertices_(vertices), matrix(vertices * vertices) {}
    void consume(const algo::RowBatch& batch) override
    {
        std::ranges::copy(std::get<std::span<const T>>(batch.distances), matrix.data() + batch.first * vertices_);
    }

private:
    std::size_t vertices_;

public:
    HostBuffer<T> matrix;
};

void dijkstra(Json& results, Vertex n)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    const EdgeList list = edges_of(fmt::format("random:{},{},directed=1", n, 4 * n), "uniform:1..n");
    const DistributedGraph graph = construct(grid, ListFeed(list, WeightType::uint32));
    const auto& weights = std::get<HostBuffer<std::int32_t>>(list.weights);
    const auto boost = boost_graph(list, weights);
    const std::vector<Vertex> sources = all_vertices(n);
    Kept<std::int32_t> kept(sources.size());
    std::vector<std::int32_t> theirs(sources.size() * sources.size());
    const auto times = best_of(
        [&] {
            const auto producer =
                cpu::make_dijkstra_rows(graph, {.type = algo::DistanceType::int32,
                                                .parents = false,
                                                .most_distance = cpu::bound_distances(graph).at_most});
            algo::RowLoop loop(*producer, sources, {{0, sources.size()}}, {&kept}, nullptr);
            while (!loop.done()) loop.make_batch();
        },
        [&] {
            for (std::size_t source = 0; source < sources.size(); ++source)
                boost::dijkstra_shortest_paths(boost, source,
                                               boost::distance_map(theirs.data() + source * sources.size()));
        });
    if (!std::ranges::equal(theirs, kept.matrix)) throw ResultError("the distances differ from Boost's");
    report(results, fmt::format("Dijkstra per source, n = {}, m = 4n, weights 1..n", n),
           "Boost dijkstra_shortest_paths per source", times);
}

void floyd_warshall(Json& results, Vertex n)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    const EdgeList list = edges_of(fmt::format("random:{},{},directed=1", n, 4 * n), "float");
    const DistributedGraph graph = construct(grid, ListFeed(list, WeightType::float32));
    const auto boost = boost_graph(list, std::get<HostBuffer<float>>(list.weights));
    const auto side = static_cast<std::size_t>(n);
    std::vector<std::vector<float>> theirs(side, std::vector<float>(side));
    const std::vector<Vertex> sources = all_vertices(n);
    Kept<float> kept(side);
    const auto times = best_of(
        [&] {
            const auto producer =
                algo::make_matrix_rows(cpu::make_floyd_warshall(graph, {.type = algo::DistanceType::float32}), nullptr);
            algo::RowLoop loop(*producer, sources, {{0, sources.size()}}, {&kept}, nullptr);
            while (!loop.done()) loop.make_batch();
        },
        [&] {
            boost::floyd_warshall_all_pairs_shortest_paths(
                boost, theirs, boost::distance_inf(std::numeric_limits<float>::infinity()).distance_zero(0.0F));
        });
    constexpr float rounding = 1e-5F;
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j)
            if (theirs[i][j] != kept.matrix[i * side + j] &&
                !(std::abs(theirs[i][j] - kept.matrix[i * side + j]) <= rounding * theirs[i][j]))
                throw ResultError("the distances differ from Boost's");
    report(results, fmt::format("Floyd-Warshall, n = {}, float32", n), "Boost floyd_warshall_all_pairs_shortest_paths",
           times);
}

void bit_parallel(Json& results, Vertex n)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    const EdgeList list = edges_of(fmt::format("regular:{},10", n), "");
    const DistributedGraph graph = construct(grid, ListFeed(list));
    const std::vector<Vertex> sources = all_vertices(n);
    algo::Summary summary(sources.size(), true);
    const double ours = seconds([&] {
        const auto producer = cpu::make_bit_parallel_rows(graph, {});
        algo::RowLoop loop(*producer, sources, {{0, sources.size()}}, {}, &summary);
        while (!loop.done()) loop.make_batch();
    });
    // Breadth-first searches on all threads, one after the other. The time of all is estimated from
    // a sample.
    const std::size_t sample = std::min<std::size_t>(sources.size(), 1024);
    cpu::CpuEngine engine(graph.block);
    algo::BfsOptions options;
    options.levels = true;
    algo::BfsSearch search(grid, graph, engine, options);
    std::uint64_t pairs = 0;
    const double theirs = seconds([&] {
        for (std::size_t i = 0; i < sample; ++i) pairs += search.run(static_cast<Vertex>(i)).reached - 1;
    });
    std::uint64_t ours_of_sample = 0;
    for (std::size_t i = 0; i < sample; ++i) ours_of_sample += summary.rows()[i].reached;
    if (pairs != ours_of_sample)
        throw ResultError("the number of reached vertices differs from that of breadth-first searches");
    const algo::SummaryFigures figures = algo::figures_of(summary.rows());
    const std::string what = fmt::format("summary of all pairs, {} vertices of degree 10", n);
    report(results, what,
           fmt::format("wayfront's breadth-first search per source on all threads, {} sources, scaled up", sample),
           {ours, theirs * static_cast<double>(sources.size()) / static_cast<double>(sample)});
    results[what]["average_shortest_path_length"] = figures.average;
    results[what]["diameter"] = figures.diameter;
}

}  // namespace

int main(int argc, char** argv)
{
    return bench::run_program("all_pairs", [&] {
        const Vertex n = argc > 1 ? std::stoll(argv[1]) : 2048;
        const Vertex unweighted = argc > 2 ? std::stoll(argv[2]) : 65536;
        Json document = {{"title", "All pairs on the cores, side by side in one run"}, {"threads", thread_count()}};
        Json& results = document["results"];
        dijkstra(results, n);
        floyd_warshall(results, n);
        bit_parallel(results, unweighted);
        std::cout << document.dump(1) << '\n';
    });
}
