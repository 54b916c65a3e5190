#include "model/job_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

// Of searches inside GPUs: bytes/gpu-scale*.json (bench/results) state what construction, graph and
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

MeanTime with_factor(const VertexClasses& classes, const std::vector<std::vector<FieldLevel>>& searches,
                     const SearchDesign& design, Machine machine, bool slower)
{
    const auto factor = [slower](double uncertainty) { return slower ? uncertainty : 1 / uncertainty; };
    machine.network =
        machine.network.scaled(factor(machine.network.inside.uncertainty), factor(machine.network.between.uncertainty));
    return mean_time(classes, searches, design,
                     {scaled(machine.processor, factor(machine.processor.uncertainty)), machine.network});
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

TimeRange range_of(const VertexClasses& classes, const std::vector<std::vector<FieldLevel>>& searches,
                   const SearchDesign& design, const Machine& machine)
{
    return {mean_time(classes, searches, design, machine),
            with_factor(classes, searches, design, machine, false).seconds,
            with_factor(classes, searches, design, machine, true).seconds};
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

SearchTime time_counted(const SearchWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine)
{
    const Processor& processor = machine.processor;
    const int ranks_per_host = machine.network.ranks_per_host;
    const bool near = graph.connected / design.shape.columns <= processor.near_vertices;
    const double arc = near ? processor.near_arc : processor.far_arc;
    SearchTime time;
    for (const LevelWork& level : work.levels) {
        const bool bottom_up = level.record.direction == algo::Direction::bottom_up;
        LevelTime sum;
        sum.direction = level.record.direction;
        sum.vertices = static_cast<double>(level.record.frontier.vertices);
        sum.work = processor.level;
        // The slowest rank counts in each part.
        double arcs = 0;
        RankWork most;
        for (const RankWork& rank : level.ranks) {
            arcs = std::max(arcs, static_cast<double>(rank.arcs) * (bottom_up ? arc : processor.top_down_arc) +
                                      static_cast<double>(rank.found) * processor.found);
            most.counts =
                std::max(most.counts, rank.counts, [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
            most.expand =
                std::max(most.expand, rank.expand, [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
            most.fold = std::max(most.fold, rank.fold, [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
        }
        sum.work += arcs;
        const auto add = [&sum](const MessageCount& count, const Group& group, auto&& time_of, const Network& network) {
            if (count.steps == 0) return;
            sum.messages += time_of(network, group, static_cast<double>(count.bytes));
            const StepTime further = time_of(network, group, 0.0);
            for (std::uint64_t step = 1; step < count.steps; ++step) sum.messages += further;
            sum.received += static_cast<double>(count.bytes);
            sum.steps += static_cast<double>(count.steps);
        };
        add(most.counts, world_of(design.shape, ranks_per_host), all_gather_time, machine.network);
        add(most.expand, column_of(design.shape, ranks_per_host), all_gather_time, machine.network);
        add(most.fold, row_of(design.shape, ranks_per_host), all_to_all_time, machine.network);
        time.levels.push_back(sum);
    }
    for (std::size_t i = 0; i + 1 < time.levels.size(); ++i) time.levels[i].found = time.levels[i + 1].vertices;
    time.result = graph.vertices / design.shape.size() * processor.result;
    MessageCount output;
    for (const MessageCount& rank : work.output)
        if (rank.bytes >= output.bytes) output = rank;
    if (output.steps > 0)
        time.result +=
            all_to_all_time(machine.network, row_of(design.shape, ranks_per_host), static_cast<double>(output.bytes))
                .sum() +
            2 * all_to_all_time(machine.network, row_of(design.shape, ranks_per_host), 0).sum();
    return time;
}

}  // namespace wayfront::model
