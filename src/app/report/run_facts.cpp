#include "app/report/run_facts.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/date.hpp"
#include "app/cli/version.hpp"
#include "base/counted.hpp"
#include "session/output/json.hpp"
#include "session/tuning.hpp"

namespace wayfront::app {

namespace {

const char* text_of(algo::DirectionChoice choice)
{
    switch (choice) {
        case algo::DirectionChoice::top_down:
            return "top-down";
        case algo::DirectionChoice::bottom_up:
            return "bottom-up";
        case algo::DirectionChoice::automatic:
            break;
    }
    return "auto";
}

const char* text_of(session::DirectionFrom direction)
{
    switch (direction) {
        case session::DirectionFrom::spec:
            return "spec";
        case session::DirectionFrom::format:
            return "format";
        case session::DirectionFrom::header:
            return "header";
        case session::DirectionFrom::option:
            return "option";
        case session::DirectionFrom::assumed:
            break;
    }
    return "assumed";
}

/// The names of the hosts, in the order of their first ranks. Collective.
std::vector<std::string> hosts_of(const job::Job& job)
{
    using Name = std::array<char, 256>;
    const bool leads = job.host().rank() == 0;
    const comm::Communicator leaders = job.world().split(leads ? 0 : 1, job.world().rank());
    Name own{};
    comm::host_name().copy(own.data(), own.size() - 1);
    std::vector<std::string> names;
    for (const Name& name : leaders.all_gather(own)) names.emplace_back(name.data());
    return names;
}

}  // namespace

std::string to_string(comm::GridShape shape)
{
    return fmt::format("{}x{}", shape.rows, shape.columns);
}

session::Json graph_facts(const session::LoadedGraph& graph)
{
    session::Json facts = {
        {"name", graph.name}, {"format", graph.format}, {"vertices", graph.list.vertex_count}, {"edges", graph.edges}};
    facts["directed"] = graph.list.directed;
    facts["direction_from"] = text_of(graph.direction_from);
    facts["reversed"] = graph.reversed;
    facts["compact"] = graph.compact;
    facts["named"] = graph.named;
    facts["first_vertex"] = graph.first_vertex;
    if (graph.seed) facts["seed"] = *graph.seed;
    if (!graph.weights_spec.empty()) facts["weights"] = graph.weights_spec;
    return facts;
}

session::Json search_facts(const job::Job& job, comm::GridShape grid, const session::BfsFacts& facts)
{
    session::Json json = {{"direction", text_of(facts.direction.choice)},
                          {"alpha", facts.direction.alpha},
                          {"beta", facts.direction.beta},
                          {"exchange", facts.exchange}};
    if (facts.trial_searches > 0) json["trial_searches"] = facts.trial_searches;
    return search_facts(job, grid, facts, json, method_in_words(facts));
}

session::Json search_facts(const job::Job& job, std::optional<comm::GridShape> grid, const session::EngineFacts& facts,
                           const session::Json& of_algorithm, const std::string& method)
{
    session::Json json = {{"ranks", job.world().size()}, {"threads", job.threads()}};
    if (grid) json["grid"] = to_string(*grid);
    json["engine"] = facts.engine;
    json.update(of_algorithm);
    json["in_words"] = search_in_words(job, grid, facts, method);
    if (facts.device.empty()) return json;
    json["device"] = facts.device;
    json["transport"] = facts.transport;
    json["graph_bytes"] = job.world().all_reduce(static_cast<std::uint64_t>(facts.graph_bytes), comm::Reduction::max);
    json["state_bytes"] = job.world().all_reduce(static_cast<std::uint64_t>(facts.state_bytes), comm::Reduction::max);
    return json;
}

session::Json json_head(const job::Job& job, const Subcommand& command)
{
    return {{"wayfront", program_version()},
            {"command", command.name()},
            {"command_line", command.common.command_line},
            {"date", date_and_time()},
            {"machine", {{"hosts", hosts_of(job)}, {"cpu", job.first() ? session::processor_name() : ""}}}};
}

std::string direction_in_words(const session::LoadedGraph& graph)
{
    if (graph.direction_from == session::DirectionFrom::assumed)
        return "directed (assumed: the file does not give the direction; if its edges are undirected, add "
               "--undirected)";
    return graph.list.directed ? "directed" : "undirected";
}

std::string graph_in_words(const session::LoadedGraph& graph)
{
    return fmt::format("{}, {}, {}{}", counted(graph.list.vertex_count, "vertex", "vertices"),
                       counted(graph.edges, "edge", "edges"), direction_in_words(graph),
                       graph.reversed ? ", reversed" : "");
}

std::string search_in_words(const job::Job& job, std::optional<comm::GridShape> grid, const session::EngineFacts& facts,
                            const std::string& method)
{
    const std::string transport = facts.transport.empty() ? "" : ", " + facts.transport;
    const std::string device = facts.device.empty() ? "" : fmt::format(" ({}{})", facts.device, transport);
    return fmt::format(
        "{} engine{}, {}{}, {} per rank, by {}", facts.engine, device, counted(job.world().size(), "rank", "ranks"),
        grid ? fmt::format(" (grid {})", to_string(*grid)) : "", counted(job.threads(), "thread", "threads"), method);
}

std::string method_in_words(const session::BfsFacts& facts)
{
    const std::string reason = facts.reason.empty() ? "" : ", since " + facts.reason;
    if (facts.direction.choice != algo::DirectionChoice::automatic)
        return fmt::format("{} levels{}", text_of(facts.direction.choice), reason);
    return fmt::format("top-down and bottom-up levels, as alpha {:.3g} and beta {:g} decide{}", facts.direction.alpha,
                       facts.direction.beta, reason);
}

}  // namespace wayfront::app
