// The graph of a plan, and how the times of its searches are known.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/report/cluster_plan.hpp"
#include "job/job.hpp"
#include "model/job_plan.hpp"
#include "model/vertex_classes.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/input/graph_input.hpp"
#include "session/prepared_graph.hpp"

namespace wayfront::app {

/// The searches that are planned.
struct PlannedSearches
{
    const session::GraphOptions& graph;
    algo::DirectionPolicy direction;  // the direction of levels in breadth-first searches
    int ranks = 1;
    int ranks_per_host = 1;
    int count = 1;                       // searches from random vertices
    std::optional<std::int64_t> source;  // the source of the searches; no value: random vertices
};

/// A job has at most this number of ranks.
inline constexpr int kMostRanks = 1 << 20;

/// A graph whose searches can be timed.
struct KnownGraph
{
    model::PlannedGraph planned;
    model::SearchClock clock;  // empty: there is nothing to search, or it is not modelled
    std::function<PlannedMessages(const model::SearchDesign&)>
        messages;  // the messages of the first search, if they are counted
    // The part of the hubs in 1.5D designs; empty if the graph is directed, which has no such design.
    std::function<model::HubGraphSize(const model::SearchDesign&)> hub_size;
    std::optional<model::VertexClasses> classes;
    /// Searches of the same kind of graph, twice as large; empty: searches are not followed in the mean.
    std::function<model::SearchClock(const algo::DirectionPolicy&)> twice;
    int most_ranks = kMostRanks;      // the largest number of ranks for which searches are known
    std::string counted;              // how levels and messages are known
    session::PreparedGraph prepared;  // the graph, if it was loaded
};

/// Whether a graph is described by classes of vertices, and not loaded.
[[nodiscard]] bool is_in_classes(const session::GraphOptions& graph, bool has_source);

/// The facts of a graph of classes.
void describe_classes(const session::GraphOptions& graph, KnownGraph& known);
/// Follows the levels of breadth-first searches in a graph of which only a description is known.
void follow_levels_in_mean(const PlannedSearches& searches, KnownGraph& known);
/// Loads the graph, and prepares the count of its breadth-first searches. Collective.
void load_for_levels(const job::Job& job, const PlannedSearches& searches, KnownGraph& known);
/// The searches of a large graph of classes with uniform weights by push-pull are followed in the mean. Loads any other
/// graph, whose searches for shortest paths are counted; of a large one of classes, a sample, whose counts are scaled.
/// Throws an AgreedError if the graph has no weights. Collective.
void load_for_paths(const job::Job& job, const PlannedSearches& searches, KnownGraph& known);

/// Loads the graph, and estimates what each method on cores takes for all pairs. `machine` is that of all ranks.
/// Collective.
[[nodiscard]] std::vector<plan::MethodTime> load_for_all_pairs(const job::Job& job, const session::GraphOptions& graph,
                                                               const plan::ApspMachine& machine, KnownGraph& known);

}  // namespace wayfront::app
