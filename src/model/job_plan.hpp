// The plan of a job on a cluster: what it takes in memory and time, before anybody runs it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/construction_memory.hpp"
#include "model/search_time.hpp"
#include "model/vertex_classes.hpp"
#include "model/virtual_bfs.hpp"

namespace wayfront::model {

/// A graph as its plan needs it: of a generator's classes, or counted.
struct PlannedGraph
{
    double vertices = 0;
    double edges = 0;      // tuples of the input
    double connected = 0;  // vertices with edges
    double distinct = 1;   // the share of edges that are left without duplicates
    bool directed = false;
    double weight_bytes = 0;  // of a weight; 0 if the job uses none
};

/// Bytes of one rank in a phase of the job: in the memory of its GPU, and in that of its host.
struct PhaseMemory
{
    std::string_view phase;
    double device_bytes = 0;
    double host_bytes = 0;
};

/// The memory of each phase: input, construction, searches.
std::vector<PhaseMemory> memory_of(const PlannedGraph& graph, const SearchDesign& design, const Processor& processor);

/// Seconds of construction. `design` and `machine` as in time_search().
double construction_seconds(const PlannedGraph& graph, const SearchDesign& design, const Machine& machine);

/// The time of searches, with the least and the largest that the uncertainties of links and processor
/// leave open.
struct TimeRange
{
    MeanTime mean;
    double least = 0;
    double most = 0;
};
TimeRange range_of(const VertexClasses& classes, const std::vector<std::vector<FieldLevel>>& searches,
                   const SearchDesign& design, const Machine& machine);

/// What takes the most of a search: "the processors", "the latency of messages", "messages inside
/// hosts", "messages between hosts" or "writing results".
[[nodiscard]] std::string_view limit_of(const MeanTime& time);

/// The time of a search whose messages and arcs were counted.
SearchTime time_counted(const SearchWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine);

}  // namespace wayfront::model
