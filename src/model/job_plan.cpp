#include "model/job_plan.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "graph/edge_list.hpp"
#include "graph/vertex_array.hpp"

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

/// The sets and parents of a search on the hosts (algo/bfs/search_state.hpp).
double host_state_bytes(const PlannedGraph& graph, comm::GridShape shape)
{
    const double ranks = shape.size();
    const double bits = 1 / kBitsPerByte;
    double bytes_a_row = 4 + 4 + 2 * bits;   // parents; what is found, as a list and as bits
    const double bytes_a_column = 4 + bits;  // the frontier
    double bytes_of_own = 4 + 4 + bits;      // levels; the frontier
    if (shape.columns > 1) {
        bytes_a_row += 4 + 4 + bits;  // what is sent and received in a fold
        bytes_of_own += bits + 2;     // visited vertices, and who found them
    }
    const double bytes_a_result = id_bytes(graph) + 4;
    return graph.connected * (bytes_a_row / shape.rows + bytes_a_column / shape.columns + bytes_of_own / ranks) +
           graph.vertices * bytes_a_result / ranks;
}

// Of searches inside GPUs: gpu-scale*.json (bench/results) state what construction, graph and
// searches took.
constexpr double kDeviceConstruction = 25;  // bytes of an edge tuple at least, if memory is short
constexpr double kDeviceTuple = 9.25;       // of the graph
constexpr double kDeviceVertex = 17.3;      // of a rank's own vertices
constexpr double kDeviceAnyVertex = 0.8;    // of a vertex of another rank
constexpr double kGeneration = 0.12e-9;     // seconds for a tuple: each GPU makes all tuples

std::vector<PhaseMemory> device_memory(const PlannedGraph& graph, double ranks)
{
    const double tuples = graph.edges / ranks;
    const double lists = kDeviceTuple * (1 + graph.weight_bytes / 4) * tuples;
    const double state = (kDeviceVertex + id_bytes(graph) - 4) * graph.vertices / ranks +
                         kDeviceAnyVertex * graph.vertices * (ranks - 1) / ranks;
    const double weights = graph.weight_bytes * 2 * tuples;
    return {{"construction", (kDeviceConstruction * tuples) + weights + state / 4, 0}, {"searches", lists + state, 0}};
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

std::vector<PhaseMemory> memory_of(const PlannedGraph& graph, const SearchDesign& design, const Processor& processor)
{
    if (processor.gpu) return device_memory(graph, design.shape.size());
    const ConstructionSize size = construction_size(graph, design.shape);
    const double input = (sizeof(PackedEdge) + graph.weight_bytes) * graph.edges / size.ranks();
    return {{"input", 0, input},
            {"construction", 0, input + peak_construction_bytes(size)},
            {"searches", 0, input + constructed_bytes(size, graph.distinct) + host_state_bytes(graph, design.shape)}};
}

double hub_search_bytes(const VertexClasses& classes, const SearchDesign& design)
{
    constexpr double listed_hubs = 1 << 24;
    constexpr double hub_arc = 4;
    constexpr double other_arc = 6;  // an owner, and a number at the owner
    constexpr double row = 16;       // offsets, the first neighbour, the parent
    constexpr double hub = 4 + 2 + 3 / kBitsPerByte;
    constexpr double result = 8 + 1.5 / kBitsPerByte;
    const auto share_of_ends = [&classes](double hubs) {
        const std::vector<double> shares = hub_shares(classes, hubs);
        double ends = 0;
        for (std::size_t k = 0; k < classes.count(); ++k)
            for (std::size_t j = 0; j < classes.count(); ++j)
                ends += classes.sizes[k] * classes.degrees[k] * classes.ends[k][j] * classes.distinct_ends[k][j] *
                        shares[j];
        return ends;
    };
    const double ranks = design.shape.size();
    const double arcs = share_of_ends(classes.vertices()) / ranks;
    const double to_hubs = share_of_ends(design.hubs) / ranks;
    const double listed = share_of_ends(std::min(design.hubs, listed_hubs)) / ranks;
    return to_hubs * hub_arc + (arcs - to_hubs) * other_arc + listed * hub_arc + design.hubs * hub +
           classes.connected() / ranks * row + classes.vertices() / ranks * result;
}

double construction_seconds(const PlannedGraph& graph, const SearchDesign& design, const Machine& machine)
{
    const double ranks = design.shape.size();
    const double own = graph.edges / ranks * machine.processor.tuple;
    if (machine.processor.gpu) return graph.edges * kGeneration + own;
    // Each end of an edge is sent to the block that needs it, in 8 bytes and its weight.
    const double received = (8 + graph.weight_bytes) * (graph.directed ? 1 : 2) * graph.edges / ranks * (1 - 1 / ranks);
    return own +
           all_to_all_time(machine.network, world_of(design.shape, machine.network.ranks_per_host), received).sum();
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

SearchClock clock_of_counts(const DistributedGraph& whole, const PlannedGraph& planned, std::vector<Vertex> keys,
                            const algo::DirectionPolicy& policy)
{
    return [&whole, planned, keys = std::move(keys), policy](const SearchDesign& design, const Machine& machine) {
        std::vector<SearchTime> times;
        for (const Vertex key : keys)
            times.push_back(
                time_counted(count_bfs(whole, design.shape, key, {.direction = policy}), planned, design, machine));
        return times;
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
    const std::array<std::pair<double, std::string_view>, 5> parts{{{time.work, "the processors"},
                                                                    {time.messages.latency, "the latency of messages"},
                                                                    {time.messages.inside, "messages inside hosts"},
                                                                    {time.messages.between, "messages between hosts"},
                                                                    {time.result, "writing results"}}};
    return std::ranges::max_element(parts)->second;
}

namespace {

/// The largest messages of any rank in each part of a level, and the time of the slowest rank's arcs.
struct SlowestRank
{
    RankWork most;
    double work = 0;
};

SlowestRank slowest_of(const LevelWork& level, const Processor& processor, double bottom_up_arc)
{
    const bool bottom_up = level.record.direction == algo::Direction::bottom_up;
    const double arc = bottom_up ? bottom_up_arc : processor.top_down_arc;
    const auto take_larger = [](MessageCount& most, const MessageCount& count) {
        if (count.bytes >= most.bytes) most = count;
    };
    SlowestRank slowest;
    for (const RankWork& rank : level.ranks) {
        slowest.work = std::max(
            slowest.work, static_cast<double>(rank.arcs) * arc + static_cast<double>(rank.found) * processor.found);
        take_larger(slowest.most.counts, rank.counts);
        take_larger(slowest.most.expand, rank.expand);
        take_larger(slowest.most.visited, rank.visited);
        take_larger(slowest.most.fold, rank.fold);
    }
    return slowest;
}

/// Adds the steps of `count`, of which one has all bytes.
template <typename TimeOf>
void add_messages(LevelTime& level, const MessageCount& count, TimeOf&& time_of)
{
    if (count.steps == 0) return;
    level.messages += time_of(static_cast<double>(count.bytes));
    const StepTime further = time_of(0.0);
    for (std::uint64_t step = 1; step < count.steps; ++step) level.messages += further;
    level.received += static_cast<double>(count.bytes);
    level.steps += static_cast<double>(count.steps);
}

}  // namespace

SearchTime time_counted(const SearchWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine)
{
    const Processor& processor = machine.processor;
    const Network& network = machine.network;
    const Group world = world_of(design.shape, network.ranks_per_host);
    const Group row = row_of(design.shape, network.ranks_per_host);
    const Group column = column_of(design.shape, network.ranks_per_host);
    const bool near = graph.connected / design.shape.columns <= processor.near_vertices;
    SearchTime time;
    for (const LevelWork& level : work.levels) {
        const SlowestRank slowest = slowest_of(level, processor, near ? processor.near_arc : processor.far_arc);
        LevelTime sum;
        sum.direction = level.record.direction;
        sum.vertices = static_cast<double>(level.record.frontier.vertices);
        sum.work = processor.level + slowest.work;
        add_messages(sum, slowest.most.counts, [&](double bytes) { return all_gather_time(network, world, bytes); });
        add_messages(sum, slowest.most.expand, [&](double bytes) { return all_gather_time(network, column, bytes); });
        add_messages(sum, slowest.most.visited, [&](double bytes) { return all_gather_time(network, row, bytes); });
        add_messages(sum, slowest.most.fold, [&](double bytes) { return all_to_all_time(network, row, bytes); });
        time.levels.push_back(sum);
    }
    for (std::size_t i = 0; i + 1 < time.levels.size(); ++i) time.levels[i].found = time.levels[i + 1].vertices;
    LevelTime output;
    for (const MessageCount& rank : work.output) {
        LevelTime own;
        add_messages(own, rank, [&](double bytes) { return all_to_all_time(network, row, bytes); });
        if (own.messages.sum() > output.messages.sum()) output = own;
    }
    time.result = graph.vertices / design.shape.size() * processor.result + output.messages.sum();
    return time;
}

}  // namespace wayfront::model
