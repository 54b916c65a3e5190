// Repeats the figures and tables of two papers on shortest paths on one GPU.
//
//     papers_sssp [GRAPH...]
//
// The search by phases (figures 6, 7 and 8 of the paper that gpu/papers/phases/view.hpp names): on
// each GRAPH, a road network, with log-normal weights like the paper's; beside it the near-far
// search, which is the default for such graphs. Fixed-order Bellman-Ford (tables 3, 4, 5, 6, 8 and
// 10 of the paper that gpu/papers/dense/view.hpp names): on random graphs of 512 to 8192 vertices
// with an eighth of all possible edges. Prints JSON. The times are those of searches whose results
// stay on the GPU, in milliseconds. Takes less than a minute.
#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/phase.hpp"
#include "bench/program.hpp"
#include "gpu/papers/dense/search.hpp"
#include "gpu/papers/phases/search.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/construction.hpp"
#include "graph/generators/weights.hpp"
#include "graph/io/graph_file.hpp"

namespace {

using namespace wayfront;
using Json = nlohmann::ordered_json;
using gpu::sssp::PhaseMode;
using gpu::sssp::PhaseThresholds;

constexpr std::size_t kSources = 1000;
// For all sources; a slower method searches from fewer sources.
constexpr double kMostSecondsOfMethod = 2.5;
constexpr double kMostSecondsOfThreshold = 0.4;
constexpr const char* kPaperWeights = "lognormal:mean=83666,sd=184384,min=10,max=1000000";

template <typename F>
double milliseconds(F&& f)
{
    const auto begin = Clock::now();
    f();
    return seconds_between(begin, Clock::now()) * 1000;
}

struct Mean
{
    double milliseconds = 0;
    std::size_t searches = 0;
};

/// Calls search(source).
template <typename F>
Mean mean_of_searches(const std::vector<Vertex>& sources, double most_seconds, F&& search)
{
    double sum = 0;
    std::size_t count = 0;
    for (const Vertex source : sources) {
        sum += milliseconds([&] { search(source); });
        ++count;
        if (sum > most_seconds * 1000) break;
    }
    return {sum / static_cast<double>(count), count};
}

constexpr std::array<std::pair<const char*, PhaseMode>, 3> kModes{{{"conventional", PhaseMode::conventional},
                                                                   {"selection", PhaseMode::selection},
                                                                   {"adaptive", PhaseMode::adaptive}}};

/// The widths of windows, in mean weights.
Json measure_near_far(const comm::ProcessGrid& grid, const DistributedGraph& graph, const std::vector<Vertex>& sources,
                      double means)
{
    double sum = 0;
    std::visit(
        [&](const auto& weights) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
                for (const auto weight : weights.span()) sum += static_cast<double>(weight);
        },
        graph.block.out_weights());
    gpu::sssp::SsspTuning tuning;
    tuning.width = means * sum / static_cast<double>(graph.directed_edges);
    tuning.near_far = true;
    gpu::sssp::DeviceSssp search(grid, graph, tuning);
    const Mean mean = mean_of_searches(sources, kMostSecondsOfMethod, [&](Vertex source) { search.run(source); });
    search.run(sources.front());
    const gpu::sssp::SsspFacts found = search.facts();
    return {{"window_of_mean_weights", means},
            {"mean_ms", mean.milliseconds},
            {"searches", mean.searches},
            {"rounds_of_first_source", found.steps},
            {"relaxed_arcs_of_first_source", found.relaxed_arcs}};
}

Json measure_phases(const std::string& path)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    EdgeList list = read_graph(path).list;
    list.weights = WeightSpec::parse(kPaperWeights, list.vertex_count).make(1, 0, list.edges.size());
    const DistributedGraph graph = construct(grid, ListFeed(list, choose_weight_type(alone, list)));
    std::vector<Vertex> sources;
    std::mt19937_64 random(1);
    while (sources.size() < kSources) {
        const auto source = static_cast<Vertex>(random() % static_cast<std::uint64_t>(graph.partition.vertex_count()));
        if (graph.slot_of_local[static_cast<std::size_t>(source)] != graph.block.slot_stride) sources.push_back(source);
    }
    const auto begin = Clock::now();
    gpu::sssp::DevicePhases search(graph, {});
    const PhaseThresholds tuned = search.thresholds();
    Json facts = {
        {"graph", path},
        {"weights", kPaperWeights},
        {"vertices", graph.partition.vertex_count()},
        {"arcs", graph.directed_edges},
        {"preparation_ms", seconds_between(begin, Clock::now()) * 1000},
        {"up_us", tuned.up == PhaseThresholds::kNever ? Json("never") : Json(static_cast<double>(tuned.up) * 1e-3)},
        {"down_us", static_cast<double>(tuned.down) * 1e-3}};
    for (const auto& [name, mode] : kModes) {
        const Mean mean = mean_of_searches(sources, kMostSecondsOfMethod,
                                           [&, how = mode](Vertex source) { search.run(source, how, tuned); });
        search.run(sources.front(), mode, tuned);
        const gpu::sssp::SsspFacts found = search.facts();
        facts["figure_7"][name] = {{"mean_ms", mean.milliseconds},
                                   {"searches", mean.searches},
                                   {"steps_of_first_source", found.steps},
                                   {"relaxed_arcs_of_first_source", found.relaxed_arcs}};
        Json& phases = facts["figure_6"][name];
        for (std::size_t i = 0; i < found.records.size(); i += std::max<std::size_t>(found.records.size() / 200, 1))
            phases.push_back({{"phase", i},
                              {"step", found.records[i].step},
                              {"vertices", found.records[i].vertices},
                              {"us", found.records[i].seconds * 1e6}});
    }
    for (const double up_us : {3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0}) {
        const PhaseThresholds thresholds{gpu::sssp::nanoseconds_of(up_us * 1e-6),
                                         gpu::sssp::nanoseconds_of(up_us * 1e-6 * gpu::sssp::kWayBack)};
        const Mean mean = mean_of_searches(sources, kMostSecondsOfThreshold,
                                           [&](Vertex source) { search.run(source, PhaseMode::adaptive, thresholds); });
        facts["figure_8"].push_back({{"up_us", up_us}, {"mean_ms", mean.milliseconds}, {"searches", mean.searches}});
    }
    for (const double means : {1.0, 3.0, 6.0, 12.0, 24.0})
        facts["near_far"].push_back(measure_near_far(grid, graph, sources, means));
    return facts;
}

/// A directed graph with an eighth of the n * (n - 1) possible edges, and weights from 1 to 100.
EdgeList random_dense(std::int64_t n)
{
    EdgeList list;
    list.vertex_count = n;
    list.directed = true;
    std::vector<PackedEdge> edges;
    std::vector<std::int32_t> weights;
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    for (Vertex u = 0; u < n; ++u)
        for (Vertex v = static_cast<Vertex>(random() % 15) + 1; v < n; v += static_cast<Vertex>(random() % 15) + 1) {
            if (u == v) continue;
            edges.push_back(PackedEdge::pack(u, v));
            weights.push_back(static_cast<std::int32_t>(random() % 100) + 1);
        }
    list.edges = HostBuffer<PackedEdge>(edges.size());
    std::ranges::copy(edges, list.edges.data());
    HostBuffer<std::int32_t> copied(weights.size());
    std::ranges::copy(weights, copied.data());
    list.weights = std::move(copied);
    return list;
}

/// The fixed-order algorithm on one thread of the CPU, over a dense matrix.
double serial_milliseconds(const EdgeList& list)
{
    const auto n = static_cast<std::size_t>(list.vertex_count);
    constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max() / 2;
    std::vector<std::int32_t> matrix(n * n, none);
    const auto& weights = std::get<HostBuffer<std::int32_t>>(list.weights);
    for (std::size_t i = 0; i < list.edges.size(); ++i)
        matrix[static_cast<std::size_t>(list.edges[i].source()) * n +
               static_cast<std::size_t>(list.edges[i].target())] = weights[i];
    return milliseconds([&] {
        std::vector<std::int32_t> distances(n, none);
        std::vector<std::size_t> changed{0};
        distances[0] = 0;
        while (!changed.empty()) {
            std::vector<std::int32_t> next = distances;
            for (const std::size_t u : changed)
                for (std::size_t v = 0; v < n; ++v) next[v] = std::min(next[v], distances[u] + matrix[u * n + v]);
            changed.clear();
            for (std::size_t v = 0; v < n; ++v)
                if (next[v] < distances[v]) changed.push_back(v);
            distances.swap(next);
        }
    });
}

Json measure_dense(std::int64_t n)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    const EdgeList list = random_dense(n);
    const DistributedGraph graph = construct(grid, ListFeed(list, choose_weight_type(alone, list)));
    gpu::sssp::DenseSssp search(graph, {});
    /// The smallest of some runs, with or without the upload.
    const auto best = [&](const gpu::sssp::DenseTuning& tuning, bool upload) {
        search.set_tuning(tuning);
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 6; ++i) {
            if (upload) search.forget_upload();
            least = std::min(least, milliseconds([&] { search.run(0); }));
        }
        return least;
    };
    const double all = best({}, true);
    Json facts = {{"n", n}, {"edges", list.edges.size()}, {"method", search.description()}};
    facts["table_3"] = {{"matrix_in_global_memory_all_vertices_ms", best({false, false, true}, false)},
                        {"formulas_all_vertices_ms", best({true, false, true}, false)}};
    facts["table_4"] = {{"fixed_order_ms", best({}, false)}};
    facts["passes"] = search.facts().passes;
    facts["rows"] = search.facts().rows;
    facts["table_5"] = {{"with_upload_in_streams_ms", all},
                        {"with_upload_at_once_ms", best({true, true, false}, true)}};
    facts["table_6_and_8"] = {{"serial_fixed_order_on_the_cpu_ms", serial_milliseconds(list)}};
    facts["table_10"] = {{"with_upload_ms", all}};
    return facts;
}

}  // namespace

int main(int argc, char** argv)
{
    return bench::run_program("papers_sssp", [&] {
        Json document;
        document["device"] = gpu::use_device(0);
        for (const std::string& path : std::vector<std::string>(argv + 1, argv + argc))
            document["phases"].push_back(measure_phases(path));
        for (const std::int64_t n : {512, 1024, 2048, 4096, 8192}) document["dense"].push_back(measure_dense(n));
        std::cout << document.dump(1) << '\n';
    });
}
