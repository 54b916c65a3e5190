// The plan of a job on a cluster: what it takes in memory and time, before anybody runs it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/construction_memory.hpp"
#include "model/search_time.hpp"
#include "model/vertex_classes.hpp"
#include "model/virtual_bfs.hpp"
#include "model/virtual_sssp.hpp"

namespace wayfront::model {

/// A graph as its plan needs it: of a generator's classes, or counted.
struct PlannedGraph
{
    double vertices = 0;
    double edges = 0;      // tuples of the input
    double connected = 0;  // vertices with edges
    double distinct = 1;   // the share of edges that are left without duplicates
    bool directed = false;
    double weight_bytes = 0;  // the bytes of a weight; 0 if edges have none
    bool paths = false;       // whether edges without weights are searched for shortest paths
    // Only of searches for shortest paths: whether one rank searches without a grid, and the lists' order.
    bool paths_on_one_rank = false;
    bool lists_by_weight = true;
    double rows_bytes = 0;  // for all pairs: the bytes of a rank beside the graph

    [[nodiscard]] bool searches_paths() const { return paths || weight_bytes > 0; }
};

/// Bytes of one rank in a phase of the job: in the memory of its GPU, and in that of its host.
struct PhaseMemory
{
    std::string_view phase;
    double device_bytes = 0;
    double host_bytes = 0;
};

/// The memory of each phase: input, construction, searches.
std::vector<PhaseMemory> memory_of(const PlannedGraph& graph, comm::GridShape shape, const Processor& processor);

/// The sizes that determine the memory of a 1.5D search; of all ranks.
struct HubGraphSize
{
    double vertices = 0;
    double connected = 0;
    double weight_bytes = 0;    // the bytes of a weight, and of a distance; 0 in breadth-first searches
    double arcs = 0;            // without duplicates
    double arcs_to_hubs = 0;    // the arcs among these that lead to hubs
    double arcs_to_listed = 0;  // the arcs that lead to listed hubs
};
HubGraphSize hub_graph_size(const VertexClasses& classes, const SearchDesign& design);
/// The sizes of an undirected graph on one rank.
HubGraphSize hub_graph_size(const DistributedGraph& whole, const SearchDesign& design);

/// The bytes of a 1.5D search on each GPU: arcs to hubs take 4 bytes, others 6; lists of the listed
/// hubs; numbers of hubs, bits of three sets of them; results. For shortest paths, the weights of arcs, and the
/// distances of hubs and of own vertices.
double hub_search_bytes(const HubGraphSize& size, const SearchDesign& design);

/// Seconds of construction. On GPUs, each rank makes the tuples of the whole graph, and keeps what it needs; in 1.5D,
/// which the program does not have, each makes its share of them, and the ranks exchange both ends of each tuple, in 20
/// bytes without weights.
double construction_seconds(const PlannedGraph& graph, const SearchDesign& design, const Machine& machine);

/// Times searches of one graph by a design on a machine.
using SearchClock = std::function<std::vector<SearchTime>(const SearchDesign&, const Machine&)>;

/// Searches of a graph of classes from `count` random keys, with the rule of directions of the
/// program's searches.
SearchClock clock_of_classes(VertexClasses classes, const algo::DirectionPolicy& policy, int count);

/// Searches whose messages and arcs are counted on virtual ranks, once for each design. Work is
/// SearchWork or SsspWork.
template <typename Work>
class Counted
{
public:
    using Count = std::function<std::vector<Work>(const SearchDesign&)>;
    explicit Counted(Count count) : count_(std::move(count)) {}

    [[nodiscard]] const std::vector<Work>& by(const SearchDesign& design)
    {
        const Key key{design.scheme, design.shape.rows, design.shape.columns, design.hubs, design.listed_hubs};
        const auto known = by_design_.find(key);
        return known != by_design_.end() ? known->second : by_design_.emplace(key, count_(design)).first->second;
    }

private:
    using Key = std::tuple<Scheme, int, int, double, double>;
    Count count_;
    std::map<Key, std::vector<Work>> by_design_;
};

/// Searches of a graph of classes for shortest paths by weights that are uniform from 0 on, from `count` random keys.
Counted<SsspWork>::Count paths_of_classes(VertexClasses classes, int count);

/// Breadth-first searches from `keys`. The graph is on one rank, and outlives the result's calls; designs with
/// hubs need an undirected one.
Counted<SearchWork>::Count count_searches(const DistributedGraph& whole, std::vector<Vertex> keys,
                                          const algo::DirectionPolicy& policy, int ranks_per_host);

/// The time of a search whose messages and arcs were counted.
SearchTime time_counted(const SearchWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine);
SearchTime time_counted(const SsspWork& work, const PlannedGraph& graph, const SearchDesign& design,
                        const Machine& machine);

template <typename Work>
SearchClock clock_of_counts(std::shared_ptr<Counted<Work>> searches, const PlannedGraph& planned)
{
    return [searches = std::move(searches), planned](const SearchDesign& design, const Machine& machine) {
        std::vector<SearchTime> times;
        for (const Work& search : searches->by(design)) times.push_back(time_counted(search, planned, design, machine));
        return times;
    };
}

/// The time of searches, with the least and the largest that the uncertainties of links and processor
/// leave open.
struct TimeRange
{
    MeanTime mean;
    double least = 0;
    double most = 0;
};
TimeRange range_of(const SearchClock& clock, const SearchDesign& design, const Machine& machine);

/// The search whose time is the median.
SearchTime typical(std::vector<SearchTime> searches);

/// The part that takes the most time of a search: "the processors", "writing results", or messages, and then what
/// takes the most of these: "the latency of messages", "messages inside hosts" or "messages between
/// hosts".
[[nodiscard]] std::string_view limit_of(const MeanTime& time);

}  // namespace wayfront::model
