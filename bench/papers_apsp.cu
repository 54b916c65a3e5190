// Repeats the tables of two papers on all pairs on one GPU, and measures this program's own methods
// beside them.
//
//     papers_apsp [small|large|combined|hops|single]
//
// Batched searches (tables 1 and 2 and figures 5 and 6 of the paper that
// gpu/papers/batched/batched_search.hpp names): random graphs, R-MAT, a ring and a complete graph. Blocked
// Floyd-Warshall (tables I and II of the paper that gpu/apsp/matrix/task_floyd_warshall.cuh names): one
// matrix of 64 to 32768 vertices, and many of 64 to 1024. Then the numbers of edges between all
// pairs of 65536 vertices. Prints JSON, with times in milliseconds; the distances stay on the GPU.
// Methods that are expected to take long are measured on some sources or steps only, and the output
// says so. Takes about four minutes. `small` or `large` selects a part of the sizes. `combined`
// selects only the rows that are searched and combined, `hops` only the numbers of edges, and
// `single` only the time of closing one matrix of up to 1024 vertices.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "algo/apsp/row_combination.hpp"
#include "algo/apsp/summary.hpp"
#include "base/phase.hpp"
#include "bench/graphs.hpp"
#include "bench/program.hpp"
#include "gpu/apsp/hops/bit_parallel.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/rows/combined_rows.hpp"
#include "gpu/apsp/rows/device_rows.hpp"
#include "gpu/papers/batched/batched_search.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/construction.hpp"
#include "graph/edge_source.hpp"
#include "graph/io/graph_file.hpp"

namespace {

using namespace wayfront;
using Json = nlohmann::ordered_json;
using algo::DistanceType;
using bench::complete_graph;
using bench::random_graph;
using bench::ring_graph;
using bench::rmat_graph;
using gpu::apsp::BatchedMode;
using gpu::apsp::DeviceFloydWarshall;
using gpu::apsp::FloydWarshallForm;
using gpu::apsp::MatrixArc;
using gpu::apsp::MinPlusSums;

constexpr double kMostSeconds = 2;  // the most seconds of a method in a case

double milliseconds(const gpu::Stream& stream, const std::function<void()>& f)
{
    stream.synchronize();
    const auto begin = Clock::now();
    f();
    stream.synchronize();
    return seconds_between(begin, Clock::now()) * 1000;
}

/// The mean over consecutive runs, after a run that is not counted.
double mean_milliseconds(const gpu::Stream& stream, const std::function<void()>& f)
{
    const double first = milliseconds(stream, f);
    const double runs = std::clamp(std::floor(100 / std::max(first, 1e-3)), 1.0, 50.0);
    return milliseconds(stream,
                        [&] {
                            for (int i = 0; i < static_cast<int>(runs); ++i) f();
                        }) /
           runs;
}

DistributedGraph construct_alone(const EdgeList& list, bool weighted = true)
{
    static const comm::Communicator alone = comm::Communicator::alone();
    static const comm::ProcessGrid grid(alone, {1, 1});
    return construct(grid, ListFeed(list, weighted ? WeightType::uint32 : WeightType::none));
}

/// All rows by batches of Bellman-Ford, or as many as the time allows.
Json measure_batched(const DistributedGraph& graph, BatchedMode mode)
{
    const gpu::Stream stream;
    gpu::apsp::BatchedSearch search(graph, {mode, 32, DistanceType::int32});
    const std::size_t n = search.vertices();
    const std::size_t stride = (n + 3) / 4 * 4;
    std::vector<std::uint32_t> sources(n);
    std::iota(sources.begin(), sources.end(), 0U);
    const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    const std::size_t batch = mode == BatchedMode::iterated ? 8 : 32;
    gpu::DeviceBuffer<std::byte> rows(batch * stride * sizeof(std::int32_t));
    double sum = 0;
    std::size_t done = 0;
    while (done < n && sum < kMostSeconds * 1000) {
        const std::size_t count = std::min(batch, n - done);
        sum +=
            milliseconds(stream, [&] { search.search(on_device.data() + done, count, rows.data(), stride, stream); });
        done += count;
    }
    return {{"ms", sum * static_cast<double>(n) / static_cast<double>(done)},
            {"measured_sources", done},
            {"phases_a_batch", static_cast<double>(search.phases()) /
                                   std::ceil(static_cast<double>(done) / (mode == BatchedMode::iterated ? 1 : 32))}};
}

/// The whole matrix in device memory: a search by a block for each row.
Json measure_searched_rows(const DistributedGraph& graph, DistanceType type)
{
    const gpu::Stream stream;
    if (!gpu::apsp::row_search_obstacle(graph, 1e9).empty()) return nullptr;
    gpu::apsp::DeviceRows rows(graph, {.type = type});
    gpu::DeviceBuffer<std::byte> matrix(rows.vertices() * rows.stride() * rows.element_bytes());
    std::vector<std::uint32_t> sources(rows.vertices());
    std::iota(sources.begin(), sources.end(), 0U);
    const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    const double ms =
        mean_milliseconds(stream, [&] { rows.search(on_device.data(), sources.size(), matrix.data(), stream); });
    return {{"ms", ms}, {"dtype", name_of(type)}};
}

/// The same with some rows combined from others. Planning, searches and combining are also measured
/// one after the other.
Json measure_combined_rows(const DistributedGraph& graph, DistanceType type)
{
    const gpu::Stream stream;
    if (!gpu::apsp::row_search_obstacle(graph, 1e9).empty()) return nullptr;
    gpu::apsp::CombinedRows rows(graph, {.type = type});
    gpu::apsp::DeviceRows& searches = rows.searches();
    gpu::DeviceBuffer<std::byte> matrix(searches.vertices() * searches.stride() * searches.element_bytes());
    const double total = mean_milliseconds(stream, [&] { rows.fill(matrix.data(), stream); });

    algo::RowCombination plan;
    const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
    const double planning = mean_milliseconds(
        stream, [&] { plan = algo::combine_rows(graph.block.out_edges().view(), graph.block.in_edges.view(), slots); });
    std::vector<std::uint32_t> sources;
    for (const std::uint32_t slot : plan.searched)
        sources.push_back(static_cast<std::uint32_t>(graph.vertex_of_column[slot]));
    const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    const double searching = mean_milliseconds(
        stream, [&] { searches.search_in_matrix(on_device.data(), sources.size(), matrix.data(), 0, stream); });
    const double combining = mean_milliseconds(stream, [&] { rows.combine(plan, matrix.data(), stream); });
    return {{"ms", total},
            {"dtype", name_of(type)},
            {"planning_on_the_cpu_alone_ms", planning},
            {"searches_alone_ms", searching},
            {"combining_alone_ms", combining},
            {"searched_share", static_cast<double>(plan.searched.size()) / static_cast<double>(slots)},
            {"combined_levels", plan.level_begins.size() - 1}};
}

/// Each matrix gets the same arcs, without loops and repetitions.
std::vector<MatrixArc> matrix_arcs(const EdgeList& list, std::uint32_t matrices, std::uint32_t size)
{
    const auto& weights = std::get<HostBuffer<std::int32_t>>(list.weights);
    std::vector<MatrixArc> arcs;
    for (std::size_t i = 0; i < list.edges.size(); ++i)
        if (const auto [u, v] = std::pair(list.edges[i].source(), list.edges[i].target()); u != v)
            arcs.push_back(
                {static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), static_cast<double>(weights[i])});
    const auto place = [](const MatrixArc& arc) { return std::pair(arc.row, arc.column); };
    std::ranges::sort(arcs, {}, place);
    arcs.erase(std::ranges::unique(arcs, {}, place).begin(), arcs.end());
    const std::size_t count = arcs.size();
    for (std::uint32_t matrix = 1; matrix < matrices; ++matrix)
        for (std::size_t i = 0; i < count; ++i)
            arcs.push_back({matrix * size + arcs[i].row, arcs[i].column, arcs[i].weight});
    return arcs;
}

/// The time of closing matrices that are already in device memory. The matrix changes only the
/// first time; later runs do the same computations.
double measure_closing(std::uint32_t n, MinPlusSums sums, std::uint32_t matrices, FloydWarshallForm form,
                       unsigned threads = 256)
{
    const gpu::Stream stream;
    DeviceFloydWarshall device(n, sums, matrices);
    if (!device.can_run(form)) return std::numeric_limits<double>::quiet_NaN();
    const std::vector<MatrixArc> arcs =
        matrix_arcs(random_graph(n, 4 * n, 1000), matrices, gpu::apsp::padded_size(n, sums));
    const auto on_device = gpu::upload(std::span<const MatrixArc>(arcs), stream);
    device.load(on_device.data(), arcs.size(), stream);
    return mean_milliseconds(stream, [&] { device.run(stream, form, threads); });
}

Json measured(double ms)
{
    return std::isnan(ms) ? Json(nullptr) : Json(ms);
}

Json measure_searches(const EdgeList& list, bool with_iterated)
{
    const DistributedGraph graph = construct_alone(list);
    Json facts = {{"vertices", list.vertex_count}, {"edges", list.edges.size()}};
    if (with_iterated) facts["iterated"] = measure_batched(graph, BatchedMode::iterated);
    facts["batched"] = measure_batched(graph, BatchedMode::shared);
    facts["batched_unshared"] = measure_batched(graph, BatchedMode::unshared);
    facts["block"] = measure_searched_rows(graph, DistanceType::int32);
    facts["combined"] = measure_combined_rows(graph, DistanceType::int32);
    facts["floyd_warshall"] = {
        {"ms", measured(measure_closing(static_cast<std::uint32_t>(list.vertex_count), MinPlusSums::unsigned_wholes, 1,
                                        FloydWarshallForm::automatic))}};
    return facts;
}

/// The sizes that are measured.
struct Sizes
{
    bool small = true;
    bool large = true;

    [[nodiscard]] bool have(std::int64_t n, std::int64_t most_small) const { return n <= most_small ? small : large; }
};

Json measure_okuyama(const Sizes& sizes)
{
    Json facts;
    for (std::int64_t n = 1024; n <= 32768; n *= 2)
        if (sizes.have(n, 4096))
            facts["table_1"].push_back(measure_searches(random_graph(n, 4 * n, static_cast<std::int32_t>(n)), true));
    if (!sizes.small) return facts;
    constexpr std::int64_t n = 4096;
    for (std::int64_t edges = n; edges <= 64 * n; edges *= 2)
        facts["figure_5"].push_back(measure_searches(random_graph(n, edges, n), true));
    for (std::int32_t most = 1; most <= 1 << 20; most *= 16) {
        facts["figure_6"].push_back(measure_searches(random_graph(n, 4 * n, most), true));
        facts["figure_6"].back()["largest_weight"] = most;
    }
    constexpr std::int64_t shaped = 4608;
    const std::vector<std::pair<const char*, EdgeList>> shapes = [] {
        std::vector<std::pair<const char*, EdgeList>> made;
        made.emplace_back("random", random_graph(shaped, 16384, 4096));
        made.emplace_back("R-MAT", rmat_graph(shaped, 16384, 4096));
        made.emplace_back("ring", ring_graph(shaped));
        made.emplace_back("complete", complete_graph(shaped));
        return made;
    }();
    for (const auto& [name, list] : shapes) {
        facts["table_2"].push_back(measure_searches(list, true));
        facts["table_2"].back()["graph"] = name;
    }
    return facts;
}

Json measure_takafuji(const Sizes& sizes)
{
    Json facts;
    for (std::uint32_t n = 64; n <= 32768; n *= 2) {
        if (!sizes.have(n, 4096)) continue;
        Json row = {{"n", n}};
        for (const unsigned threads : {64U, 128U, 256U, 512U, 1024U}) {
            // Larger matrices are measured only with the paper's best number of threads.
            if (n > 4096 && threads != 256) continue;
            const std::string name = std::to_string(threads);
            row["steps_of_32"][name] =
                measured(measure_closing(n, MinPlusSums::unsigned_floats, 1, FloydWarshallForm::steps_of_32, threads));
            row["tasks_of_32"][name] =
                measured(measure_closing(n, MinPlusSums::unsigned_floats, 1, FloydWarshallForm::tasks_of_32, threads));
        }
        const auto own = [&](const char* name, FloydWarshallForm form) {
            row[name] = measured(measure_closing(n, MinPlusSums::unsigned_floats, 1, form));
        };
        own("block", FloydWarshallForm::block);
        own("resident", FloydWarshallForm::resident);
        own("tiles", FloydWarshallForm::tiles);
        own("automatic", FloydWarshallForm::automatic);
        row["int32"] = measured(measure_closing(n, MinPlusSums::unsigned_wholes, 1, FloydWarshallForm::automatic));
        row["uint16"] = measured(measure_closing(n, MinPlusSums::shorts, 1, FloydWarshallForm::automatic));
        facts["table_1"].push_back(row);
    }
    for (const std::uint32_t n : {64U, 128U, 256U, 512U, 1024U})
        for (std::uint32_t matrices = 4; matrices <= (n <= 256 ? 2048U : n == 512 ? 1024U : 512U); matrices *= 2)
            if (sizes.have(matrices, 128))
                facts["table_2"].push_back(
                    {{"n", n},
                     {"matrices", matrices},
                     {"steps_of_32", measured(measure_closing(n, MinPlusSums::unsigned_floats, matrices,
                                                              FloydWarshallForm::steps_of_32))},
                     {"tasks_of_32", measured(measure_closing(n, MinPlusSums::unsigned_floats, matrices,
                                                              FloydWarshallForm::tasks_of_32))},
                     {"automatic", measured(measure_closing(n, MinPlusSums::unsigned_floats, matrices,
                                                            FloydWarshallForm::automatic))}});
    return facts;
}

/// One matrix that is closed by one kernel.
Json measure_single()
{
    Json facts;
    for (std::uint32_t n = 64; n <= 1024; n *= 2)
        facts.push_back(
            {{"n", n},
             {"float32", measured(measure_closing(n, MinPlusSums::unsigned_floats, 1, FloydWarshallForm::automatic))},
             {"int32", measured(measure_closing(n, MinPlusSums::unsigned_wholes, 1, FloydWarshallForm::automatic))}});
    return facts;
}

/// The summary of an undirected graph of degree 10, by numbers of edges.
Json measure_hops(std::int64_t n)
{
    const gpu::Stream stream;
    EdgeList list = random_graph(n, 5 * n, 1);
    list.directed = false;
    const DistributedGraph graph = construct_alone(list, false);
    gpu::apsp::BitParallelSearch search(graph);
    std::vector<std::uint32_t> sources(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), 0U);
    const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    gpu::apsp::BitParallelSearch::Found found;
    const double ms =
        mean_milliseconds(stream, [&] { found = search.count(on_device.data(), sources.size(), stream); });
    double pairs = 0;
    double sum = 0;
    for (const gpu::apsp::HopFacts& facts : found.facts) {
        pairs += static_cast<double>(facts.reached);
        sum += static_cast<double>(facts.sum);
    }
    const gpu::apsp::HopPlan plan = search.count_plan().value();
    return {{"vertices", n},
            {"degree", 10},
            {"ms", ms},
            {"searches_only", plan.searches_only},
            {"first_depth", plan.first_depth},
            {"last_depth", plan.last_depth},
            {"diameter", found.levels.size()},
            {"average_shortest_path_length", sum / pairs}};
}

/// Rows that are searched and combined, on the random graphs of table 1.
Json measure_combination()
{
    Json facts;
    for (std::int64_t n = 1024; n <= 32768; n *= 2) {
        const DistributedGraph graph = construct_alone(random_graph(n, 4 * n, static_cast<std::int32_t>(n)));
        facts.push_back({{"vertices", n},
                         {"block", measure_searched_rows(graph, DistanceType::int32)},
                         {"combined", measure_combined_rows(graph, DistanceType::int32)}});
    }
    return facts;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::string_view part = argc > 1 ? argv[1] : "";
    const Sizes sizes{part != "large", part != "small"};
    return bench::run_program("papers_apsp", [&] {
        Json document;
        document["device"] = gpu::use_device(0);
        const bool papers = part.empty() || part == "small" || part == "large";
        if (papers || part == "combined") document["combined_rows"] = measure_combination();
        if (papers || part == "hops") document["numbers_of_edges"] = {measure_hops(4096), measure_hops(65536)};
        if (part == "single") document["one_matrix"] = measure_single();
        if (papers) {
            document["blocked_floyd_warshall"] = measure_takafuji(sizes);
            document["batched_searches"] = measure_okuyama(sizes);
        }
        std::cout << document.dump(1) << '\n';
    });
}
