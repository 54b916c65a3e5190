#include "model/job_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "algo/sssp/sssp_memory.hpp"
#include "graph/edge_list.hpp"
#include "graph/vertex_array.hpp"
#include "model/field_paths.hpp"
#include "model/path_work.hpp"
#include "model/virtual_hubs.hpp"

namespace wayfront::model {

namespace {

constexpr double kBitsPerByte = 8;

double id_bytes(const PlannedGraph& graph)
{
    return VertexArray::is_narrow(static_cast<Vertex>(graph.vertices)) ? 4 : 8;
}

ConstructionSize construction_size(const PlannedGraph& graph, comm::GridShape shape)
{
    return {graph.vertices,     graph.connected, graph.edges,  graph.directed,
            graph.weight_bytes, shape.rows,      shape.columns};
}

/// The state of a search on the hosts: for shortest paths, or the sets and parents of a breadth-first
/// search (algo/bfs/search_state.hpp).
double host_state_bytes(const PlannedGraph& graph, comm::GridShape shape)
{
    constexpr double least_word = 4;  // of a distance in a graph without weights
    if (graph.searches_paths())
        return algo::sssp_bytes({.rows = graph.connected / shape.rows,
                                 .columns = graph.connected / shape.columns,
                                 .own = graph.vertices / shape.size(),
                                 .arcs = construction_size(graph, shape).entries() * graph.distinct,
                                 .word_bytes = std::max(least_word, graph.weight_bytes),
                                 .id_bytes = id_bytes(graph),
                                 .symmetric = shape.size() == 1 && !graph.directed,
                                 .lists_by_weight = graph.lists_by_weight,
                                 .on_one_rank = graph.paths_on_one_rank && shape.size() == 1});
    const double ranks = shape.size();
    const double bits = 1 / kBitsPerByte;
    double bytes_a_row = 4 + 4 + 2 * bits;   // parents; found rows, as a list and as bits
    const double bytes_a_column = 4 + bits;  // the frontier
    double bytes_of_own = 4 + 4 + bits;      // levels; the frontier
    if (shape.columns > 1) {
        bytes_a_row += 4 + 4 + 2 * bits;  // bytes sent and received in a fold; bits of rows without arcs
        bytes_of_own += 2 * bits + 2;     // bits of visited vertices and of own finds; the finders of the others
    }
    const double bytes_a_result = id_bytes(graph) + 4;
    return graph.connected * (bytes_a_row / shape.rows + bytes_a_column / shape.columns + bytes_of_own / ranks) +
           graph.vertices * bytes_a_result / ranks;
}

// The bytes of searches inside GPUs, from bench/results/gpu-scale*.json. A row is a vertex of the grid
// row, a column a vertex of the grid column. Only grids of one column were measured.
constexpr double kDeviceArc = 4;
constexpr double kDeviceRow = 14;            // of lists, first neighbours and parents
constexpr double kDeviceColumn = 0.8;        // of bits and hubs
constexpr double kDeviceBytesOfVertex = 25;  // numbers, results
constexpr double kDeviceTuple = 17;          // of the keys that construction sorts, if memory is short
constexpr double kGeneration = 0.12e-9;      // seconds for a tuple: each GPU makes all tuples

// The bytes of searches for shortest paths, from bench/results/gpu-sssp-scale*.json. Duplicate arcs
// are kept.
constexpr double kPathVertex = 30;
constexpr double kPathConnected = 167;
constexpr double kMultiGpuBytesPerVertex = 8;  // more, with several GPUs
// Over messages: a distance and the number of a changed one for each column of a block; with several columns, a
// distance and a parent for each row. GPUs that store into each other's memory read it there.
constexpr double kPathColumn = 8;
constexpr double kPathRow = 8;
constexpr int kMostPeers = 8;

std::vector<PhaseMemory> device_memory(const PlannedGraph& graph, comm::GridShape shape)
{
    const double ranks = shape.size();
    const double arcs = 2 * graph.edges * graph.distinct / ranks;
    const double lists = arcs * (kDeviceArc + graph.weight_bytes) + kDeviceRow * graph.vertices / shape.rows;
    const double own = (kDeviceBytesOfVertex + id_bytes(graph) - 4) * graph.vertices / ranks;
    const double bits = kDeviceColumn * graph.vertices / shape.columns * (1 - 1.0 / shape.rows);
    if (graph.searches_paths()) {
        const double a_vertex = kPathVertex + (ranks > 1 ? kMultiGpuBytesPerVertex : 0);
        const double divided = 2 * graph.edges * (kDeviceArc + graph.weight_bytes) + a_vertex * graph.vertices +
                               kPathConnected * graph.connected;
        const bool has_peers = shape.columns == 1 && shape.size() <= kMostPeers;
        const double columns = has_peers ? 0 : kPathColumn * graph.connected / shape.columns;
        const double rows = shape.columns > 1 ? kPathRow * graph.connected / shape.rows : 0;
        const double searches = divided / ranks + columns + rows;
        return {{"construction", (divided + kDeviceTuple * graph.edges) / ranks, 0}, {"searches", searches, 0}};
    }
    // The lists, and the keys of a part of the edges; degrees of all vertices.
    const double construction = lists + kDeviceTuple * graph.edges / ranks / 2 + 4 * graph.vertices;
    return {{"construction", construction, 0}, {"searches", lists + own + bits, 0}};
}

double with_factor(const SearchClock& clock, const SearchDesign& design, Machine machine, bool slower)
{
    const auto factor = [slower](double uncertainty) { return slower ? uncertainty : 1 / uncertainty; };
    const Network& network = machine.network;
    machine.network = network.scaled(factor(network.inside.uncertainty), factor(network.between.uncertainty));
    machine.processor = scaled(machine.processor, factor(machine.processor.uncertainty));
    return mean_of(clock(design, machine)).seconds;
}

}  // namespace

std::vector<PhaseMemory> memory_of(const PlannedGraph& graph, comm::GridShape shape, const Processor& processor)
{
    if (processor.gpu) return device_memory(graph, shape);
    const ConstructionSize size = construction_size(graph, shape);
    const double input = (sizeof(PackedEdge) + graph.weight_bytes) * graph.edges / size.ranks();
    return {{"input", 0, input},
            {"construction", 0, input + with_page_ends(peak_construction_bytes(size))},
            {"searches", 0, input + constructed_bytes(size, graph.distinct) + host_state_bytes(graph, shape)}};
}

HubGraphSize hub_graph_size(const VertexClasses& classes, const SearchDesign& design)
{
    const auto arcs_to = [&classes](double hubs) {
        const std::vector<double> shares = hub_shares(classes, hubs);
        double arcs = 0;
        for (std::size_t k = 0; k < classes.count(); ++k)
            for (std::size_t j = 0; j < classes.count(); ++j)
                arcs += classes.sizes[k] * classes.degrees[k] * classes.ends[k][j] * classes.distinct_ends[k][j] *
                        shares[j];
        return arcs;
    };
    return {classes.vertices(),          classes.connected(),  0,
            arcs_to(classes.vertices()), arcs_to(design.hubs), arcs_to(design.listed_hubs)};
}

HubGraphSize hub_graph_size(const DistributedGraph& whole, const SearchDesign& design)
{
    // As many arcs lead to a vertex as from it; slots are in descending order of degrees.
    const CsrView lists = whole.block.in_edges.view();
    const auto arcs_to = [&lists](double hubs) {
        const double last = std::min(hubs, static_cast<double>(lists.lists));
        return static_cast<double>(lists.begin(static_cast<std::uint32_t>(last)));
    };
    return {static_cast<double>(whole.partition.vertex_count()),
            static_cast<double>(whole.connected_vertices),
            0,
            static_cast<double>(whole.directed_edges),
            arcs_to(design.hubs),
            arcs_to(design.listed_hubs)};
}

double hub_search_bytes(const HubGraphSize& size, const SearchDesign& design)
{
    constexpr double hub_arc = 4;
    constexpr double other_arc = 6;  // an owner, and a number at the owner
    constexpr double hub_list = 4;   // its offset
    constexpr double row = 16;       // offsets, the first neighbour, the parent
    constexpr double hub = 4 + 2 + 3 / kBitsPerByte;
    constexpr double result = 8 + 1.5 / kBitsPerByte;
    const double ranks = design.shape.size();
    const double divided = size.arcs_to_hubs * hub_arc + (size.arcs - size.arcs_to_hubs) * other_arc +
                           size.arcs_to_listed * hub_arc + size.connected * row + size.vertices * result;
    const double weights = size.weight_bytes * (size.arcs + size.arcs_to_listed + size.connected) / ranks;
    return divided / ranks + weights + design.listed_hubs * hub_list + design.hubs * (hub + size.weight_bytes);
}

double construction_seconds(const PlannedGraph& graph, const SearchDesign& design, const Machine& machine)
{
    const double ranks = design.shape.size();
    const Processor& processor = machine.processor;
    const double tuples = graph.edges / ranks;
    const double own = tuples * (processor.tuple + graph.weight_bytes / 4 * processor.weight);
    const bool has_hubs = design.scheme == Scheme::hubs;
    if (processor.gpu && !has_hubs) return graph.edges * kGeneration + own;
    // Each end of an edge is sent to the rank that needs it, with its weight: a place in the owner's block, and the
    // other end, which 1.5D names by an owner and a number.
    const double end = has_hubs ? 4 + 6 : 4 + 4;
    const double received = (end + graph.weight_bytes) * (graph.directed ? 1 : 2) * tuples * (1 - 1 / ranks);
    const double exchange =
        all_to_all_time(machine.network, world_of(design.shape, machine.network.ranks_per_host), received).sum();
    return (processor.gpu ? tuples * kGeneration : 0) + own + exchange;
}

SearchClock clock_of_classes(VertexClasses classes, const algo::DirectionPolicy& policy, int count)
{
    constexpr std::uint64_t seed = 1;
    auto searches = sample_searches(classes, policy, count, seed);
    return [classes = std::move(classes), searches = std::move(searches)](const SearchDesign& design,
                                                                          const Machine& machine) {
        std::vector<SearchTime> times;
        for (const std::vector<FieldLevel>& search : searches)
            times.push_back(time_search(classes, search, design, machine));
        return times;
    };
}

namespace {

/// A search that reaches a large part of the graph, the same for the same number.
FieldPaths large_path_search(const VertexClasses& classes, int number)
{
    constexpr int most_tries = 100;
    constexpr double large = 0.1;  // of the vertices with arcs
    std::mt19937_64 random(static_cast<std::uint64_t>(number) + 1);
    FieldPaths search = field_paths(classes, random);
    for (int tries = 1; tries < most_tries && search.reached < large * classes.connected(); ++tries)
        search = field_paths(classes, random);
    return search;
}

}  // namespace

Counted<SsspWork>::Count paths_of_classes(VertexClasses classes, int count)
{
    // A search takes up to a hundred megabytes, so that not all of many are kept.
    constexpr int most_kept = 4;
    std::vector<FieldPaths> kept;
    kept.reserve(most_kept);
    for (int number = 0; number < std::min(count, most_kept); ++number)
        kept.push_back(large_path_search(classes, number));
    return [classes = std::move(classes), kept = std::move(kept), count](const SearchDesign& design) {
        std::vector<SsspWork> all;
        all.reserve(static_cast<std::size_t>(count));
        for (const FieldPaths& search : kept) all.push_back(mean_path_work(classes, search, design));
        for (int number = static_cast<int>(kept.size()); number < count; ++number)
            all.push_back(mean_path_work(classes, large_path_search(classes, number), design));
        return all;
    };
}

Counted<SearchWork>::Count count_searches(const DistributedGraph& whole, std::vector<Vertex> keys,
                                          const algo::DirectionPolicy& policy, int ranks_per_host)
{
    return [&whole, keys = std::move(keys), policy, ranks_per_host](const SearchDesign& design) {
        const VirtualBfsOptions on_grid{.direction = policy,
                                        .rows_span_hosts = row_of(design.shape, ranks_per_host).hosts > 1,
                                        .rotate_blocks = design.scheme == Scheme::rotation};
        const HubBfsOptions with_hubs{policy, static_cast<std::uint32_t>(design.hubs),
                                      static_cast<std::uint32_t>(design.listed_hubs)};
        std::vector<SearchWork> searches;
        searches.reserve(keys.size());
        for (const Vertex key : keys)
            searches.push_back(design.scheme == Scheme::hubs ? count_hub_bfs(whole, design.shape.size(), key, with_hubs)
                                                             : count_bfs(whole, design.shape, key, on_grid));
        return searches;
    };
}

TimeRange range_of(const SearchClock& clock, const SearchDesign& design, const Machine& machine)
{
    return {mean_of(clock(design, machine)), with_factor(clock, design, machine, false),
            with_factor(clock, design, machine, true)};
}

SearchTime typical(std::vector<SearchTime> searches)
{
    const auto middle = searches.begin() + static_cast<std::ptrdiff_t>(searches.size() / 2);
    std::ranges::nth_element(searches, middle, {}, &SearchTime::sum);
    return std::move(*middle);
}

std::string_view limit_of(const MeanTime& time)
{
    const StepTime& messages = time.messages;
    if (time.work >= messages.sum() && time.work >= time.result) return "the processors";
    if (time.result >= messages.sum()) return "writing results";
    if (messages.between >= messages.latency && messages.between >= messages.inside) return "messages between hosts";
    return messages.latency >= messages.inside ? "the latency of messages" : "messages inside hosts";
}

namespace {

/// The seconds of each item of work of a rank in a level or round.
struct WorkRates
{
    double row = 0;
    double arc = 0;
    double found = 0;
    double pushed = 0;

    [[nodiscard]] double of(const RankWork& rank) const
    {
        return static_cast<double>(rank.rows) * row + static_cast<double>(rank.arcs) * arc +
               static_cast<double>(rank.found) * found + static_cast<double>(rank.pushed) * pushed;
    }
};

/// The mean and the most of a number of the ranks.
template <typename F>
RankStatistics of_ranks(std::span<const RankWork> ranks, F&& number)
{
    RankStatistics all;
    for (const RankWork& rank : ranks) {
        const auto own = static_cast<double>(number(rank));
        all.mean += own / static_cast<double>(ranks.size());
        all.most = std::max(all.most, own);
    }
    return all;
}

void add_spread(LevelTime& time, std::span<const RankWork> ranks)
{
    time.arcs = of_ranks(ranks, [](const RankWork& rank) { return rank.arcs; });
    time.bytes = of_ranks(ranks, [](const RankWork& rank) { return rank.received().bytes; });
}

/// The largest messages of any rank in each part of a level, and the time of the slowest rank's work.
struct SlowestRank
{
    RankWork most;
    double work = 0;
};

SlowestRank slowest_of(std::span<const RankWork> ranks, const WorkRates& rates)
{
    SlowestRank slowest;
    for (const RankWork& rank : ranks) {
        slowest.work = std::max(slowest.work, rates.of(rank));
        for (MessageCount RankWork::*const part :
             {&RankWork::counts, &RankWork::expand, &RankWork::refresh, &RankWork::turns, &RankWork::fold,
              &RankWork::hubs, &RankWork::exchange})
            if ((rank.*part).bytes >= (slowest.most.*part).bytes) slowest.most.*part = rank.*part;
    }
    return slowest;
}

}  // namespace

SearchTime time_counted(const SearchWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine)
{
    const Processor& processor = machine.processor;
    // In a 1.5D search, rows inspect only arcs to hubs.
    const double ends = design.scheme == Scheme::hubs ? design.hubs : graph.connected / design.shape.columns;
    const bool near = ends <= processor.near_vertices;
    WorkRates rates{processor.row, 0, processor.found, processor.top_down_arc + processor.far_arc};
    const LevelClock clock(design, machine);
    SearchTime time;
    for (const LevelWork& level : work.levels) {
        rates.arc = !level.visits_rows ? processor.top_down_arc : near ? processor.near_arc : processor.far_arc;
        const SlowestRank slowest = slowest_of(level.ranks, rates);
        LevelTime sum = clock.begin(algo::to_string(level.record.direction));
        sum.vertices = static_cast<double>(level.record.frontier.vertices);
        add_spread(sum, level.ranks);
        sum.work += slowest.work;
        clock.add_messages(sum, slowest.most);
        time.levels.push_back(sum);
    }
    for (std::size_t i = 0; i + 1 < time.levels.size(); ++i) time.levels[i].found = time.levels[i + 1].vertices;
    LevelTime queries;
    const SlowestRank slowest = slowest_of(work.result_queries, {.pushed = processor.far_arc});
    clock.add_messages(queries, slowest.most);
    time.result = graph.vertices / design.shape.size() * processor.result + slowest.work + queries.messages.sum();
    time.result_steps = std::move(queries.steps);
    return time;
}

SearchTime time_counted(const SsspWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine)
{
    const Processor& processor = machine.processor;
    const LevelClock clock(design, machine);
    // GPUs read fewer arcs than the engines that are counted; their time is divided as the arcs are.
    const auto ranks = static_cast<double>(work.rounds.empty() ? 1 : work.rounds.front().ranks.size());
    const double of_arc = processor.path_edge * graph.edges / design.shape.size() /
                          std::max(1.0, static_cast<double>(all_arcs(work)) / ranks);
    const double of_push = processor.gpu ? processor.top_down_arc + processor.far_arc : processor.pushed_arc;
    SearchTime time;
    for (const RoundWork& round : work.rounds) {
        double arc = processor.gpu ? of_arc : round.pulls ? processor.pulled_arc : processor.pushed_arc;
        if (work.on_one_rank && !processor.gpu) arc = processor.searched_arc;
        const SlowestRank slowest = slowest_of(round.ranks, {.arc = arc, .pushed = of_push});
        LevelTime sum = clock.begin(round.pulls ? "pull" : "push");
        sum.vertices = static_cast<double>(round.changed);
        add_spread(sum, round.ranks);
        sum.work = processor.round + slowest.work;
        clock.add_messages(sum, slowest.most);
        time.levels.push_back(sum);
    }
    time.result = graph.vertices / design.shape.size() * processor.path_result;
    return time;
}

}  // namespace wayfront::model
