#include "app/report/cluster_plan.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/report/run_facts.hpp"
#include "base/bytes_in_words.hpp"

namespace wayfront::app {

namespace {

constexpr double kGiga = 1e9;

/// Three digits, with a unit.
std::string seconds_in_words(double seconds)
{
    if (seconds == 0) return "0";
    if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
    return fmt::format("{:.3g} s", seconds);
}

std::string number_in_words(double number)
{
    constexpr double exact_below = 1e15;
    return number < exact_below ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
}

std::string in_words(const model::TimeRange& time)
{
    return fmt::format("{} ({} to {})", seconds_in_words(time.mean.seconds), seconds_in_words(time.least),
                       seconds_in_words(time.most));
}

std::string in_words(const model::SearchDesign& design)
{
    const std::string shape = to_string(design.shape);
    if (design.scheme == model::Scheme::hubs)
        return fmt::format("1.5D, {} ranks, 2^{:.0f} hubs, 2^{:.0f} listed", shape, std::log2(design.hubs),
                           std::log2(design.listed_hubs));
    if (design.scheme == model::Scheme::rotation) return fmt::format("2D {}, blocks in turn", shape);
    return fmt::format("2D {}{}", shape, design.by_stores ? ", GPUs store into each other's memory" : "");
}

void line(std::string_view key, const std::string& value)
{
    std::cout << fmt::format("{:<14}{}\n", key, value);
}

std::string upper_case(std::string_view text)
{
    std::string upper(text);
    for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return upper;
}

std::string processor_in_words(const ClusterPlan& plan)
{
    return plan.machine.processor.gpu ? fmt::format("an {} each", upper_case(plan.machine.processor.name))
                                      : fmt::format("{} {} each", plan.cores, plan.cores == 1 ? "core" : "cores");
}

void print_levels(const ClusterPlan& plan)
{
    constexpr std::size_t most_lines = 24;
    const std::string_view part = plan.paths ? "round" : "level";
    std::cout << fmt::format("\n{}s of a typical search, {}:\n", part, plan.counted)
              << fmt::format("{}  direction {:>12}    received   steps      work  messages\n", part,
                             plan.paths ? "changed" : "frontier");
    const std::vector<model::LevelTime>& levels = plan.typical.levels;
    const std::size_t lines = levels.size() > most_lines ? most_lines / 2 : levels.size();
    for (std::size_t i = 0; i < lines; ++i) {
        const model::LevelTime& level = levels[i];
        std::cout << fmt::format("{:>5}  {:<9} {:>12} {:>11} {:>7} {:>9} {:>9}\n", i + 1, level.kind,
                                 number_in_words(level.vertices), bytes_in_words(level.received), level.steps.size(),
                                 seconds_in_words(level.work), seconds_in_words(level.messages.sum()));
    }
    if (lines < levels.size()) std::cout << fmt::format("  ...  {} {}s in all; --json has each\n", levels.size(), part);
}

void print_search(const ClusterPlan& plan)
{
    const model::TimeRange& search = *plan.search;
    const model::MeanTime& mean = search.mean;
    const double teps = plan.graph.edges / mean.seconds;
    line("search", in_words(search));
    if (plan.in_classes)
        line("", fmt::format("{:.4g} GTEPS, {:.4g} for each rank", teps / kGiga, teps / kGiga / plan.ranks()));
    line("", fmt::format("work {}, messages {}, results {}", seconds_in_words(mean.work),
                         seconds_in_words(mean.messages.sum()), seconds_in_words(mean.result)));
    line("", fmt::format("a rank receives {} in {:.0f} steps", bytes_in_words(mean.received), mean.steps));
    if (plan.searches() > 0)
        line("benchmark", fmt::format("{} searches {}, construction {}; without validation", plan.searches(),
                                      seconds_in_words(plan.searches() * mean.seconds),
                                      seconds_in_words(plan.construction_seconds)));
    line("limited by", std::string(model::limit_of(mean)));
    if (plan.on_twice_the_ranks)
        line("twice as many",
             fmt::format("ranks: {}{}", in_words(*plan.on_twice_the_ranks),
                         plan.of_twice_the_graph_and_ranks ? fmt::format("; for a graph twice as large: {}",
                                                                         in_words(*plan.of_twice_the_graph_and_ranks))
                                                           : ""));
}

session::Json to_json(const model::TimeRange& time)
{
    const model::MeanTime& mean = time.mean;
    return {{"seconds", mean.seconds},
            {"least_seconds", time.least},
            {"most_seconds", time.most},
            {"work_seconds", mean.work},
            {"latency_seconds", mean.messages.latency},
            {"inside_hosts_seconds", mean.messages.inside},
            {"between_hosts_seconds", mean.messages.between},
            {"result_seconds", mean.result},
            {"levels", mean.levels},
            {"received_bytes", mean.received},
            {"steps", mean.steps},
            {"limit", std::string(model::limit_of(mean))}};
}

/// [steps, bytes] of each rank.
session::Json to_json(std::span<const MessageCount> ranks)
{
    session::Json json = session::Json::array();
    for (const MessageCount& rank : ranks) json.push_back({rank.steps, rank.bytes});
    return json;
}

session::Json to_json(const PlannedMessages& messages)
{
    session::Json json = {{"levels", session::Json::array()}, {"results", to_json(messages.results)}};
    for (const std::vector<MessageCount>& ranks : messages.parts) json["levels"].push_back(to_json(ranks));
    return json;
}

std::vector<MessageCount> received_by(std::span<const model::RankWork> ranks)
{
    std::vector<MessageCount> received;
    received.reserve(ranks.size());
    for (const model::RankWork& rank : ranks) received.push_back(rank.received());
    return received;
}

session::Json to_json(const std::vector<model::Step>& steps, const model::SearchDesign& design,
                      const model::Network& network)
{
    const model::GridGroups groups(design.shape, network.ranks_per_host);
    session::Json json = session::Json::array();
    for (const model::Step& step : steps)
        json.push_back({{"collective", std::string(model::to_string(step.collective))},
                        {"group", std::string(model::to_string(step.group))},
                        {"received_bytes", step.bytes},
                        {"seconds", model::step_time(network, groups, step).sum()}});
    return json;
}

session::Json to_json(const model::RankStatistics& ranks)
{
    return {{"mean", ranks.mean}, {"most", ranks.most}};
}

/// Adds the levels of a search, and what follows the last one.
void add_search(session::Json& json, const model::SearchTime& search, const model::SearchDesign& design,
                const model::Network& network)
{
    for (const model::LevelTime& level : search.levels)
        json["levels"].push_back({{"direction", std::string(level.kind)},
                                  {"vertices", level.vertices},
                                  {"found", level.found},
                                  {"received_bytes", level.received},
                                  {"received_between_bytes", level.received_between},
                                  {"arcs", to_json(level.arcs)},
                                  {"received", to_json(level.bytes)},
                                  {"steps", to_json(level.steps, design, network)},
                                  {"work_seconds", level.work},
                                  {"message_seconds", level.messages.sum()},
                                  {"latency_seconds", level.messages.latency},
                                  {"inside_hosts_seconds", level.messages.inside},
                                  {"between_hosts_seconds", level.messages.between}});
    json["result"] = {{"steps", to_json(search.result_steps, design, network)}, {"seconds", search.result}};
}

session::Json to_json(const model::SearchDesign& design)
{
    session::Json json = {{"scheme", std::string(model::to_string(design.scheme))}, {"grid", to_string(design.shape)}};
    if (design.scheme == model::Scheme::hubs) {
        json["hubs"] = design.hubs;
        json["listed_hubs"] = design.listed_hubs;
    }
    json["stores"] = design.by_stores;
    return json;
}

}  // namespace

PlannedMessages messages_of(const model::SearchWork& work)
{
    PlannedMessages messages{{}, received_by(work.result_queries)};
    for (const model::LevelWork& level : work.levels) messages.parts.push_back(received_by(level.ranks));
    return messages;
}

PlannedMessages messages_of(const model::SsspWork& work)
{
    PlannedMessages messages;
    for (const model::RoundWork& round : work.rounds) messages.parts.push_back(received_by(round.ranks));
    return messages;
}

double ClusterPlan::hosts() const
{
    return std::ceil(ranks() / machine.network.ranks_per_host);
}

void print(const ClusterPlan& plan)
{
    line("graph", fmt::format("{}: {} vertices, {} edges, {} vertices with edges", plan.graph_name,
                              number_in_words(plan.graph.vertices), number_in_words(plan.graph.edges),
                              number_in_words(plan.graph.connected)));
    line("ranks", fmt::format("{:.0f} on {:.0f} {}, {}", plan.ranks(), plan.hosts(),
                              plan.hosts() == 1 ? "host" : "hosts", processor_in_words(plan)));
    if (plan.ranks() > 1) line("network", plan.machine.network.name);
    line("partition", plan.all_pairs.empty()      ? in_words(plan.design)
                      : plan.graph.rows_bytes > 0 ? "each rank has the whole graph, and a share of the rows"
                                                  : "the matrix is divided over all ranks");
    for (const model::PhaseMemory& phase : plan.memory) {
        if (phase.device_bytes > 0)
            line("memory", fmt::format("{}: {} of {} on each GPU", phase.phase, bytes_in_words(phase.device_bytes),
                                       bytes_in_words(plan.machine.processor.memory_bytes)));
        if (phase.host_bytes > 0)
            line("memory",
                 fmt::format("{}: {} a rank, {} a host", phase.phase, bytes_in_words(phase.host_bytes),
                             bytes_in_words(phase.host_bytes *
                                            std::min<double>(plan.machine.network.ranks_per_host, plan.ranks()))));
    }
    if (plan.construction_seconds > 0) line("construction", seconds_in_words(plan.construction_seconds));
    for (const plan::MethodTime& each : plan.all_pairs)
        line(&each == plan.all_pairs.data() ? "all pairs" : "",
             fmt::format("{} by {}, with {} a rank{}{}", seconds_in_words(each.seconds), each.method,
                         bytes_in_words(each.bytes), each.other_roundings ? " and other roundings" : "",
                         each.fits ? "" : ", which does not fit"));
    if (!plan.no_search.empty()) line("search", plan.no_search);
    if (plan.search) print_search(plan);
    if (!plan.obstacle.empty()) line("obstacle", plan.obstacle);
    if (!plan.typical.levels.empty()) print_levels(plan);
    if (plan.designs.empty()) return;
    std::cout << "\npartitions, the best of each kind first; 1.5D and blocks in turn are models of searches that the "
                 "program does not have:\n";
    for (const auto& [design, time, bytes, construction, typical, tried] : plan.designs)
        std::cout << fmt::format("  {:<44} {:>36}  {:.4g} GTEPS a rank, {}, limited by {}; construction {}\n",
                                 in_words(design), in_words(time),
                                 plan.graph.edges / time.mean.seconds / kGiga / plan.ranks(), bytes_in_words(bytes),
                                 model::limit_of(time.mean), seconds_in_words(construction));
}

session::Json to_json(const ClusterPlan& plan, session::Json head)
{
    session::Json json = std::move(head);
    json["graph"] = {{"name", plan.graph_name},         {"vertices", plan.graph.vertices},
                     {"edges", plan.graph.edges},       {"connected_vertices", plan.graph.connected},
                     {"distinct", plan.graph.distinct}, {"directed", plan.graph.directed}};
    json["for"] = plan.work;
    if (plan.work == "graph500") json["kernel"] = plan.paths ? "sssp" : "bfs";
    json["cluster"] = {{"ranks", plan.ranks()},
                       {"hosts", plan.hosts()},
                       {"processor", std::string(plan.machine.processor.name)},
                       {"cores", plan.cores},
                       {"network", plan.machine.network.name},
                       {"ranks_per_host", plan.machine.network.ranks_per_host}};
    json["design"] = to_json(plan.design);
    json["memory"] = session::Json::array();
    for (const model::PhaseMemory& phase : plan.memory)
        json["memory"].push_back({{"phase", std::string(phase.phase)},
                                  {"device_bytes", phase.device_bytes},
                                  {"host_bytes", phase.host_bytes}});
    json["obstacle"] = plan.obstacle.empty() ? session::Json() : session::Json(plan.obstacle);
    json["construction_seconds"] = plan.construction_seconds;
    for (const plan::MethodTime& each : plan.all_pairs)
        json["all_pairs"].push_back({{"method", std::string(each.method)},
                                     {"seconds", each.seconds},
                                     {"rank_bytes", each.bytes},
                                     {"other_roundings", each.other_roundings},
                                     {"fits", each.fits}});
    if (plan.search) json["search"] = to_json(*plan.search);
    if (plan.search && plan.searches() > 0)
        json["benchmark"] = {{"searches", plan.searches()},
                             {"search_seconds", plan.searches() * plan.search->mean.seconds},
                             {"construction_seconds", plan.construction_seconds}};
    if (plan.search && plan.in_classes) json["search"]["teps"] = plan.graph.edges / plan.search->mean.seconds;
    json["levels"] = session::Json::array();
    if (plan.search) add_search(json, plan.typical, plan.design, plan.machine.network);
    if (plan.messages) json["messages"] = to_json(*plan.messages);
    if (plan.on_twice_the_ranks) json["twice_the_ranks"] = to_json(*plan.on_twice_the_ranks);
    if (plan.of_twice_the_graph_and_ranks)
        json["twice_the_graph_and_ranks"] = to_json(*plan.of_twice_the_graph_and_ranks);
    if (plan.designs.empty()) return json;
    json["designs"] = session::Json::array();
    for (const auto& [design, time, bytes, construction, typical, tried] : plan.designs) {
        session::Json& compared = json["designs"].emplace_back(to_json(design));
        compared["rank_bytes"] = bytes;
        compared["construction_seconds"] = construction;
        compared["search"] = to_json(time);
        add_search(compared, typical, design, plan.machine.network);
        for (const TriedDesign& other : tried) {
            session::Json& json_of_other = compared["tried"].emplace_back(to_json(other.design));
            json_of_other["seconds"] = other.seconds;
            json_of_other["rank_bytes"] = other.rank_bytes;
        }
    }
    return json;
}

}  // namespace wayfront::app
