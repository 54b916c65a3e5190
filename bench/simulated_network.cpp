// Replays the messages of a planned search on a simulated network, whose links are shared by all that
// goes over them, and prints the planned and the simulated time of each step as JSON.
//
//     simulated_network NETWORK.json TOPOLOGY PLAN.json SCHEME
//     simulated_network --check
//
// NETWORK is a file as in jobs/networks; PLAN is from `wayfront plan --designs --json`, made for this
// network; SCHEME is "2D" or "1.5D". TOPOLOGY is one of
//
//     fat-tree     switches with 32 hosts each, and 32 links to 32 switches above them; up to 32 hosts
//                  are on one switch
//     fat-tree-2   the same with 16 links to 16 switches: twice as many hosts as links up
//     dragonfly    groups of 16 routers, 4 hosts on each; a link between any two routers of a group, and 64
//                  links from a group to the others, the same number to each, all of them from one router;
//                  minimal routes
//
// A link carries the network's `gigabytes_per_second` between hosts in each direction. Hosts with a
// port for each rank are joined to as many such networks, one for each port. All carry the same
// messages, so that one network with links as fast as all ports together takes the same time. Routes
// are fixed (D mod k in fat trees), and messages share a link evenly (SimGrid's CM02 without factors).
//
// An operation begins with the time of `step_microseconds`; a message takes `doubling_microseconds`,
// whatever its route, and the time of its bytes; in an all-to-all, a host begins a message each
// `message_microseconds`, and has 8 on their way. Of more than 64 peers of a host, some that are spread
// evenly are simulated, and the time is multiplied. Inside a host, where each rank has a link of its own
// to a crossbar, nothing is simulated: the formulas of the model hold. Each step is simulated with
// several algorithms, and the fastest counts.

#include <chrono>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <xbt/log.h>

#include "comm/process_grid.hpp"
#include "model/cluster.hpp"
#include "network_simulator.hpp"
#include "program.hpp"

namespace {

namespace s4u = simgrid::s4u;
using namespace wayfront;
using bench::Algorithm;
using bench::Costs;
using bench::HostGroups;
using bench::Simulator;
using Json = nlohmann::ordered_json;

Costs costs_of(const model::Link& link)
{
    return {link.step, link.doubling, link.message, link.bytes_per_second};
}

/// The hosts of the groups of a grid's ranks. Groups with the same hosts are one: their messages are
/// joined. Throws if a group has not the same number of ranks on each of its hosts, or if groups share
/// some hosts only.
HostGroups hosts_of(comm::GridShape shape, model::StepGroup kind, int ranks_per_host)
{
    std::map<int, std::map<int, int>> ranks_of;  // by group and host
    for (int rank = 0; rank < shape.size(); ++rank) {
        const int row = rank / shape.columns;
        const int column = rank % shape.columns;
        const int group = kind == model::StepGroup::row ? row : kind == model::StepGroup::column ? column : 0;
        ++ranks_of[group][rank / ranks_per_host];
    }
    std::map<int, std::vector<int>> groups;  // by their first host
    for (const auto& [number, ranks_on] : ranks_of) {
        std::vector<int> hosts;
        for (const auto& [host, ranks] : ranks_on) {
            if (ranks != ranks_on.begin()->second) throw std::runtime_error("the groups of the grid are not regular");
            hosts.push_back(host);
        }
        const auto [same, is_new] = groups.try_emplace(hosts.front(), hosts);
        if (!is_new && same->second != hosts) throw std::runtime_error("the groups of the grid are not regular");
    }
    HostGroups all;
    for (auto& [first, hosts] : groups) all.push_back(std::move(hosts));
    return all;
}

/// What a host sends to each other host of its group in a step, the time inside hosts included.
std::vector<Algorithm> algorithms_of(const model::Step& step, const model::Group& group, const model::Network& network)
{
    const Costs costs = costs_of(network.between);
    const double far = step.bytes * (group.ranks - group.ranks_a_host) / (group.ranks - 1);  // a rank receives
    const double peers = group.hosts - 1;
    const auto hosts = static_cast<std::size_t>(group.hosts);
    const double latency = network.inside.latency(group.ranks_a_host);
    if (step.collective == model::Collective::all_gather) {
        std::vector<Algorithm> all = all_gathers(hosts, far * group.groups_a_host / peers, costs);
        const double spread = group.ranks_a_host > 1 ? step.bytes / network.inside.bytes_per_second : 0;
        for (Algorithm& each : all) each.inside_seconds = latency + spread;
        return all;
    }
    std::vector<Algorithm> all = all_to_alls(hosts, far * group.ranks_a_host * group.groups_a_host / peers, costs);
    const double inside = latency + (step.bytes - far) / network.inside.bytes_per_second;
    for (Algorithm& each : all) each.inside_seconds = each.name == "two stages" ? 2 * inside : inside;
    return all;
}

std::string text_of(const std::string& name)
{
    std::ifstream file(name);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) throw std::runtime_error(name + ": cannot be read");
    return text.str();
}

const Json& design_of(const Json& plan, const std::string& scheme)
{
    for (const Json& design : plan.at("designs"))
        if (design.at("scheme") == scheme &&
            (scheme == "1.5D" || !design.at("grid").get<std::string>().ends_with("x1")))
            return design;
    throw std::runtime_error("the plan has no design " + scheme);
}

struct PlannedStep
{
    model::Step step;
    int count = 0;
    double planned_seconds = 0;  // the time of one of these steps
};

/// The value of this name.
template <typename T>
T named(const std::string& name, std::initializer_list<T> values)
{
    for (const T value : values)
        if (to_string(value) == name) return value;
    throw std::runtime_error(fmt::format("a step that is a {} is not simulated", name));
}

/// The distinct steps of a design's search, its result among them.
std::vector<PlannedStep> steps_of(const Json& design)
{
    using model::Collective;
    using model::StepGroup;
    std::map<std::tuple<Collective, StepGroup, double>, PlannedStep> distinct;
    const auto add = [&distinct](const Json& steps) {
        for (const Json& json : steps) {
            const model::Step step{
                named(json.at("collective"), {Collective::all_gather, Collective::all_to_all}),
                named(json.at("group"), {StepGroup::world, StepGroup::row, StepGroup::column}),
                json.at("received_bytes"),
            };
            PlannedStep& planned = distinct[{step.collective, step.group, std::round(step.bytes)}];
            planned = {step, planned.count + 1, json.at("seconds")};
        }
    };
    for (const Json& level : design.at("levels")) add(level.at("steps"));
    add(design.at("result").at("steps"));
    std::vector<PlannedStep> steps;
    steps.reserve(distinct.size());
    for (const auto& [key, step] : distinct) steps.push_back(step);
    return steps;
}

double seconds_since(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

const model::Group& group_of(const model::GridGroups& groups, model::StepGroup kind)
{
    if (kind == model::StepGroup::row) return groups.row;
    return kind == model::StepGroup::column ? groups.column : groups.world;
}

/// Simulates `steps`, and adds the simulated time and the algorithm of each to `results`.
void simulate(const Simulator& simulator, const std::vector<PlannedStep>& steps, comm::GridShape shape,
              const model::Network& network, Json& results)
{
    const model::GridGroups groups(shape, network.ranks_per_host);
    for (const PlannedStep& planned : steps) {
        const auto begin = std::chrono::steady_clock::now();
        const model::Group& group = group_of(groups, planned.step.group);
        std::vector<Simulator::Result> tried{{"inside a host", planned.planned_seconds}};
        if (group.hosts > 1)
            tried = simulator.compare(hosts_of(shape, planned.step.group, network.ranks_per_host),
                                      algorithms_of(planned.step, group, network));
        const double fastest_seconds = tried.front().seconds;
        Json seconds = Json::object();
        for (const Simulator::Result& each : tried) seconds[each.algorithm] = each.seconds;
        results["planned_seconds"] = results["planned_seconds"].get<double>() + planned.count * planned.planned_seconds;
        results["simulated_seconds"] = results["simulated_seconds"].get<double>() + planned.count * fastest_seconds;
        results["steps"].push_back({{"collective", std::string(to_string(planned.step.collective))},
                                    {"group", std::string(to_string(planned.step.group))},
                                    {"received_bytes", planned.step.bytes},
                                    {"count", planned.count},
                                    {"planned_seconds", planned.planned_seconds},
                                    {"simulated_seconds", fastest_seconds},
                                    {"seconds_by_algorithm", seconds},
                                    {"wall_seconds", seconds_since(begin)}});
    }
}

void replay(const std::string& network_file, const std::string& topology, const std::string& plan_file,
            const std::string& scheme)
{
    const auto begin = std::chrono::steady_clock::now();
    const model::Network network = model::network_from_text(text_of(network_file), network_file);
    const Json plan = Json::parse(text_of(plan_file));
    const Json& cluster = plan.at("cluster");
    if (cluster.at("network") != network.name || cluster.at("ranks_per_host") != network.ranks_per_host)
        throw std::runtime_error("the plan is for another network: " + cluster.at("network").get<std::string>());
    const Json& design = design_of(plan, scheme);
    const std::string grid = design.at("grid");
    const comm::GridShape shape = comm::parse_grid_shape(grid);
    const std::vector<PlannedStep> steps = steps_of(design);
    for (const PlannedStep& planned : steps) std::ignore = hosts_of(shape, planned.step.group, network.ranks_per_host);
    const auto hosts = static_cast<unsigned>(model::world_of(shape, network.ranks_per_host).hosts);
    s4u::NetZone* const root = s4u::create_full_zone("root");
    const Simulator simulator(root, topology, hosts, costs_of(network.between));
    root->seal();
    int major = 0;
    int minor = 0;
    int patch = 0;
    sg_version_get(&major, &minor, &patch);
    Json results = {
        {"topology", topology},     {"scheme", scheme},       {"grid", grid},
        {"ranks", shape.size()},    {"hosts", hosts},         {"planned_seconds", 0.0},
        {"simulated_seconds", 0.0}, {"steps", Json::array()}, {"simgrid", fmt::format("{}.{}", major, minor)}};
    simulator.add_actor([&] { simulate(simulator, steps, shape, network, results); });
    s4u::Engine::get_instance()->run();
    results["wall_seconds"] = seconds_since(begin);
    std::cout << results.dump() << '\n';
}

struct Case
{
    std::string_view what;
    double seconds = 0;   // simulated
    double expected = 0;  // computed by hand
};

HostGroups groups_of(int groups, int size, int step_of_group, int step_of_place)
{
    HostGroups all(static_cast<std::size_t>(groups));
    for (int group = 0; group < groups; ++group)
        for (int place = 0; place < size; ++place)
            all[static_cast<std::size_t>(group)].push_back(group * step_of_group + place * step_of_place);
    return all;
}

void check()
{
    constexpr Costs costs{.operation = 10e-6, .message = 2e-6, .begin = 0.2e-6, .bytes_per_second = 1e9};
    constexpr double bytes = 1e6;
    constexpr double fixed = costs.operation + costs.message;
    constexpr double of_bytes = bytes / costs.bytes_per_second;
    s4u::NetZone* const root = s4u::create_full_zone("root");
    const Simulator one_switch(root, "fat-tree", 8, costs);
    const Simulator tree(root, "fat-tree", 256, costs);
    const Simulator thin_tree(root, "fat-tree-2", 256, costs);
    const Simulator dragonfly(root, "dragonfly", 256, costs);
    root->seal();
    std::vector<Case> cases;
    one_switch.add_actor([&] {
        const auto expect = [&cases](std::string_view what, double seconds, double expected) {
            cases.push_back({what, seconds, expected});
        };
        const auto gathers = [&](std::size_t hosts) { return bench::all_gathers(hosts, bytes, costs); };
        const auto exchanges = [&](std::size_t hosts) { return bench::all_to_alls(hosts, bytes, costs); };
        const HostGroups pair = groups_of(1, 2, 0, 1);
        expect("two hosts exchange a message", one_switch.seconds_of(pair, gathers(2)[0]), fixed + of_bytes);
        const HostGroups eight = groups_of(1, 8, 0, 1);
        const double begun = costs.begin;  // the first message
        expect("ring of 8 hosts", one_switch.seconds_of(eight, gathers(8)[0]),
               costs.operation + 7 * (costs.message + of_bytes));
        for (const std::size_t doubling : {1UL, 2UL})
            expect("recursive doubling among 8 hosts", one_switch.seconds_of(eight, gathers(8)[doubling]),
                   costs.operation + 3 * costs.message + 7 * of_bytes);
        expect("all-to-all among 8 hosts", one_switch.seconds_of(eight, exchanges(8)[0]), fixed + begun + 7 * of_bytes);
        expect("all-to-all of few bytes", one_switch.seconds_of(eight, bench::all_to_alls(8, 1, costs)[0]),
               fixed + 7 * costs.begin);
        const HostGroups all = groups_of(1, 256, 0, 1);
        expect("all-to-all in a tree", tree.seconds_of(all, exchanges(256)[0]), fixed + begun + 255 * of_bytes);
        // The messages of 32 hosts of a leaf go over 32 links up, or over 16.
        const HostGroups across = groups_of(128, 2, 1, 128);
        expect("pairs across a tree", tree.seconds_of(across, gathers(2)[0]), fixed + of_bytes);
        expect("pairs across a 2:1 tree", thin_tree.seconds_of(across, gathers(2)[0]), fixed + 2 * of_bytes);
        // Each leaf sends 32 x 224 messages over 16 links, while 31 of 255 messages stay in it.
        const HostGroups rows = groups_of(32, 8, 1, 32);
        expect("all-to-all across a 2:1 tree", thin_tree.seconds_of(rows, exchanges(8)[0]),
               fixed + begun + 2 * 7 * of_bytes);
        // 64 hosts of a group send to one other group, to which 64 / 3 links lead; 4 hosts of a router
        // share the link to the router of these.
        expect("pairs across a dragonfly", dragonfly.seconds_of(across, gathers(2)[0]), fixed + 4 * of_bytes);
        expect("routers of a dragonfly", dragonfly.seconds_of(groups_of(4, 2, 1, 4), gathers(2)[0]),
               fixed + 4 * of_bytes);
    });
    s4u::Engine::get_instance()->run();
    constexpr double tolerance = 1e-3;
    for (const auto& [what, seconds, expected] : cases) {
        std::cout << fmt::format("{}: {:.6g} s\n", what, seconds);
        if (std::abs(seconds - expected) > tolerance * expected)
            throw std::runtime_error(fmt::format("{}: {:.6g} s, not {:.6g} s", what, seconds, expected));
    }
}

}  // namespace

int main(int argc, char** argv)
{
    return bench::run_program("simulated_network", [&] {
        s4u::Engine engine(&argc, argv);
        xbt_log_control_set("root.threshold:warning");
        for (const char* const setting : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
                                          "surf/precision:1e-9", "contexts/stack-size:256"})
            s4u::Engine::set_config(setting);
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        if (arguments.size() == 1 && arguments[0] == "--check") return check();
        if (arguments.size() != 4)
            throw InputError("usage: simulated_network NETWORK.json TOPOLOGY PLAN.json SCHEME, or --check");
        replay(arguments[0], arguments[1], arguments[2], arguments[3]);
    });
}
