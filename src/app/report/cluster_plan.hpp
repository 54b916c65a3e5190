// The plan of a job on a cluster, in words and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/message_count.hpp"
#include "model/job_plan.hpp"
#include "session/apsp/prepared_pairs.hpp"
#include "session/output/json.hpp"

namespace wayfront::app {

/// A design of a kind, of which the best is compared with those of other kinds.
struct TriedDesign
{
    model::SearchDesign design;
    double seconds = 0;
    double rank_bytes = 0;
};

struct ComparedDesign
{
    model::SearchDesign design;
    model::TimeRange time;
    double rank_bytes = 0;  // the bytes of a rank in a search
    double construction_seconds = 0;
    model::SearchTime typical;  // search
    std::vector<TriedDesign> tried;
};

/// The messages that each rank receives in a search whose messages were counted.
struct PlannedMessages
{
    std::vector<std::vector<MessageCount>> parts;  // the messages of each level or round
    std::vector<MessageCount> results;  // the messages after the last level or round; empty if results need no message
};
[[nodiscard]] PlannedMessages messages_of(const model::SearchWork& work);
[[nodiscard]] PlannedMessages messages_of(const model::SsspWork& work);

struct ClusterPlan
{
    std::string graph_name;
    std::string counted;  // how levels and messages are known: "in the mean of 16 searches"
    model::PlannedGraph graph;
    model::Machine machine;
    model::SearchDesign design;
    int cores = 1;            // the cores of a rank, if it has no GPU
    bool in_classes = false;  // whether the graph is described by classes
    std::string work;         // "bfs", "graph500", "sssp" or "apsp"
    bool paths = false;       // whether searches are for shortest paths
    std::string no_search;    // why searches have no times; empty if they have
    std::vector<model::PhaseMemory> memory;
    double construction_seconds = 0;
    model::SearchTime typical;  // search; levels are the rounds of one for shortest paths
    std::optional<model::TimeRange> search;
    std::optional<PlannedMessages> messages;  // if one search was asked for
    std::vector<plan::MethodTime> all_pairs;  // by method, the recommended method first
    std::optional<model::TimeRange> on_twice_the_ranks;
    std::optional<model::TimeRange> of_twice_the_graph_and_ranks;
    std::vector<ComparedDesign> designs;
    std::string obstacle;  // why the job cannot run, and what would help; empty if the job can run

    /// The searches that the job makes, if that is known: those of the Graph500 benchmark.
    [[nodiscard]] int searches() const { return work == "graph500" ? 64 : 0; }
    [[nodiscard]] double ranks() const { return design.shape.size(); }
    [[nodiscard]] double hosts() const;
};

void print(const ClusterPlan& plan);
/// Adds the plan to `head`, the beginning of a --json file.
[[nodiscard]] session::Json to_json(const ClusterPlan& plan, session::Json head);

}  // namespace wayfront::app
