// Networks of hosts with contention, and collective operations on them, by SimGrid.
//
// All networks of a process are simulated by one engine. Times are in seconds.
//
// After H. Casanova, A. Giersch, A. Legrand, M. Quinson, F. Suter, Versatile, Scalable, and Accurate
// Simulation of Distributed Applications and Platforms, JPDC 74 (10), 2014,
// doi:10.1016/j.jpdc.2014.06.008.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

namespace wayfront::bench {

namespace s4u = simgrid::s4u;

constexpr unsigned kLeafHosts = 32;
constexpr unsigned kGroupRouters = 16;
constexpr unsigned kRouterHosts = 4;
constexpr unsigned kGroupHosts = kGroupRouters * kRouterHosts;

/// The hosts of a network, neighbours side by side.
inline std::vector<s4u::Host*> make_network(s4u::NetZone* parent, const std::string& topology, unsigned hosts,
                                            double bytes_per_second)
{
    static int count = 0;
    const std::string name = fmt::format("network{}", count++);
    std::vector<s4u::Host*> made;
    const s4u::ClusterCallbacks make_host([&](s4u::NetZone* zone, const std::vector<unsigned long>&, auto id) {
        made.push_back(zone->create_host(fmt::format("{}.{}", name, id), 1));
        return std::make_pair(made.back()->get_netpoint(), static_cast<simgrid::kernel::routing::NetPoint*>(nullptr));
    });
    // The time of a message that does not depend on bytes is paid by the actors: in SimGrid, latency
    // would change the shares of a link.
    constexpr double latency = 0;
    constexpr auto duplex = s4u::Link::SharingPolicy::SPLITDUPLEX;
    const auto whole = [hosts](unsigned part) {
        if (hosts > part && hosts % part != 0)
            throw std::runtime_error(fmt::format("{} hosts are not a multiple of {}", hosts, part));
        return std::max(1U, hosts / part);
    };
    if (topology == "fat-tree" || topology == "fat-tree-2") {
        const unsigned leaves = whole(kLeafHosts);
        const unsigned spines = topology == "fat-tree" ? kLeafHosts : kLeafHosts / 2;
        const s4u::FatTreeParams one_switch(1, {hosts}, {1}, {1});
        const s4u::FatTreeParams tree(2, {kLeafHosts, leaves}, {1, spines}, {1, 1});
        s4u::create_fatTree_zone(name, parent, leaves == 1 ? one_switch : tree, make_host, bytes_per_second, latency,
                                 duplex)
            ->seal();
    } else if (topology == "dragonfly") {
        const unsigned groups = whole(kGroupHosts);
        const unsigned routers = groups == 1 ? (hosts + kRouterHosts - 1) / kRouterHosts : kGroupRouters;
        if (groups > kGroupRouters) throw std::runtime_error("a dragonfly has at most 16 groups");
        const unsigned links = groups == 1 ? 1 : kGroupHosts / (groups - 1);
        s4u::create_dragonfly_zone(name, parent, {{groups, links}, {1, 1}, {routers, 1}, kRouterHosts}, make_host,
                                   bytes_per_second, latency, duplex)
            ->seal();
    } else {
        throw std::runtime_error("expected fat-tree, fat-tree-2 or dragonfly, found '" + topology + "'");
    }
    return made;
}

// ---------------------------------------------------------------------------------------------------
// Algorithms of messages between the hosts of a group

/// Times of messages, in seconds.
struct Costs
{
    double operation = 0;  // fixed time of each collective operation
    double message = 0;    // latency: the time in which a message without bytes arrives
    double begin = 0;      // the sender's time to begin each of several messages
    double bytes_per_second = 0;
};

/// Messages of an all-to-all that a host has on their way at once.
constexpr std::size_t kAtATime = 8;

/// A host in its group, while an operation runs. Called by the actor of this host.
struct Member
{
    std::span<const int> group;
    std::size_t place = 0;
    Costs costs;

    [[nodiscard]] std::size_t size() const { return group.size(); }

    [[nodiscard]] s4u::Mailbox* box(std::size_t of, std::size_t round) const
    {
        return s4u::Mailbox::by_name(fmt::format("{}.{}", group[of], round));
    }

    /// Sends to one host, and receives from another one that sends to this one.
    void exchange(std::size_t to, std::size_t round, double bytes) const
    {
        const s4u::CommPtr received = box(place, round)->get_async<char>(&ignored);
        box(to, round)->put_async(&content, as_size(bytes))->wait();
        received->wait();
        s4u::this_actor::sleep_for(costs.message);
    }

    /// Sends `bytes` to as many hosts as it receives from, `at_a_time` of them at once.
    void exchange_with_all(const std::vector<std::size_t>& peers, std::size_t round, double bytes,
                           std::size_t at_a_time = kAtATime) const
    {
        std::vector<s4u::CommPtr> sent;
        std::vector<s4u::CommPtr> received;
        for (const std::size_t peer : peers) {
            if (sent.size() >= at_a_time) {
                sent[sent.size() - at_a_time]->wait();
                received[received.size() - at_a_time]->wait();
            }
            if (costs.begin > 0) s4u::this_actor::sleep_for(costs.begin);
            received.push_back(box(place, round)->get_async<char>(&ignored));
            sent.push_back(box(peer, round)->put_async(&content, as_size(bytes)));
        }
        for (const s4u::CommPtr& comm : sent) comm->wait();
        for (const s4u::CommPtr& comm : received) comm->wait();
        s4u::this_actor::sleep_for(costs.message);
    }

private:
    static std::uint64_t as_size(double bytes) { return static_cast<std::uint64_t>(std::ceil(std::max(1.0, bytes))); }

    static inline char content = 0;
    static inline char* ignored = nullptr;
};

struct Algorithm
{
    std::string name;
    double least_seconds = 0;  // without contention
    std::function<void(const Member&)> run;
    double inside_seconds = 0;  // the time of messages inside a host, added to the time between hosts
    double share = 1;           // the share of messages that are simulated; their time is divided by `share`
};

/// All-gathers among `hosts` hosts, to each of which any other one contributes `bytes`.
inline std::vector<Algorithm> all_gathers(std::size_t hosts, double bytes, const Costs& costs)
{
    const double rounds = std::log2(static_cast<double>(hosts));
    const double others = static_cast<double>(hosts - 1);
    const double of_bytes = others * bytes / costs.bytes_per_second;
    std::vector<Algorithm> all;
    all.push_back({"ring", costs.operation + others * costs.message + of_bytes, [bytes](const Member& member) {
                       for (std::size_t round = 1; round < member.size(); ++round)
                           member.exchange((member.place + 1) % member.size(), 0, bytes);
                   }});
    if (rounds != std::floor(rounds)) return all;
    // Pairs exchange all that they have: the next hosts first, as in MPI, or the farthest ones, who have
    // little to send then, as in NCCL's PAT.
    const double least = costs.operation + rounds * costs.message + of_bytes;
    all.push_back({"recursive doubling", least, [bytes](const Member& member) {
                       for (std::size_t round = 0, distance = 1; distance < member.size(); ++round, distance *= 2)
                           member.exchange(member.place ^ distance, round, bytes * static_cast<double>(distance));
                   }});
    all.push_back({"recursive doubling, far first", least, [bytes](const Member& member) {
                       std::size_t round = 0;
                       double have = 1;
                       for (std::size_t distance = member.size() / 2; distance > 0; distance /= 2, have *= 2)
                           member.exchange(member.place ^ distance, round++, bytes * have);
                   }});
    return all;
}

/// The largest divisor of `number` up to its square root.
inline std::size_t near_side(std::size_t number)
{
    auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(number)));
    while (number % side != 0) --side;
    return side;
}

inline double seconds_to_all(double peers, double bytes, const Costs& costs)
{
    return peers * std::max(costs.begin, bytes / costs.bytes_per_second) + costs.message;
}

/// Peers of a host that are simulated in an all-to-all; further ones take as long in the mean.
constexpr std::size_t kMostPeers = 64;

/// All-to-alls among `hosts` hosts, each of which sends `bytes` to any other one.
inline std::vector<Algorithm> all_to_alls(std::size_t hosts, double bytes, const Costs& costs,
                                          std::size_t most_peers = kMostPeers)
{
    const double others = static_cast<double>(hosts - 1);
    // If there are many peers, one peer in `sampled` is simulated.
    const std::size_t sampled = (hosts + most_peers - 1) / most_peers;
    const std::size_t count = (hosts - 1) / sampled;
    // Peers one after the other, or with a step between them that spreads them over the network.
    const auto direct = [=](std::size_t stride, std::size_t at_a_time) {
        return [=](const Member& member) {
            std::vector<std::size_t> peers;
            for (std::size_t i = 1; i <= count; ++i) peers.push_back((member.place + i * stride) % member.size());
            member.exchange_with_all(peers, 0, bytes, at_a_time);
        };
    };
    constexpr double golden_ratio = 0.618;
    auto spread = static_cast<std::size_t>(golden_ratio * static_cast<double>(hosts));
    while (spread > 1 && std::gcd(spread, hosts) != 1) --spread;
    const double least = costs.operation + seconds_to_all(others, bytes, costs);
    std::vector<Algorithm> all;
    all.push_back({"pairwise", least, direct(sampled, std::max<std::size_t>(2, kAtATime / sampled))});
    if (spread > 1) all.push_back({"pairwise, spread", least, direct(spread, kAtATime)});
    for (Algorithm& each : all) each.share = static_cast<double>(count) / others;
    const std::size_t near = near_side(hosts);
    const std::size_t far = hosts / near;
    if (near == 1) return all;
    // To the near host in the receiver's column, which joins the messages of its row.
    const double to_near = bytes * static_cast<double>(far);
    const double to_far = bytes * static_cast<double>(near);
    const double stages = seconds_to_all(static_cast<double>(near - 1), to_near, costs) +
                          seconds_to_all(static_cast<double>(far - 1), to_far, costs);
    all.push_back({"two stages", 2 * costs.operation + stages, [=](const Member& member) {
                       const std::size_t row = member.place / near;
                       const std::size_t column = member.place % near;
                       std::vector<std::size_t> peers;
                       for (std::size_t i = 1; i < near; ++i) peers.push_back(row * near + (column + i) % near);
                       member.exchange_with_all(peers, 0, to_near);
                       s4u::this_actor::sleep_for(member.costs.operation);
                       peers.clear();
                       for (std::size_t i = 1; i < far; ++i) peers.push_back((row + i) % far * near + column);
                       member.exchange_with_all(peers, 1, to_far);
                   }});
    return all;
}

// ---------------------------------------------------------------------------------------------------
// Simulation

using HostGroups = std::vector<std::vector<int>>;

/// Runs operations one after the other, each on all groups at once.
class Simulator
{
public:
    Simulator(s4u::NetZone* parent, const std::string& topology, unsigned hosts, const Costs& costs)
        : hosts_(make_network(parent, topology, hosts, costs.bytes_per_second)), costs_(costs)
    {
    }

    /// Calls `work` as an actor when the engine runs; only actors may call seconds_of() and compare().
    void add_actor(const std::function<void()>& work) const { s4u::Actor::create("work", hosts_.front(), work); }

    [[nodiscard]] double seconds_of(const HostGroups& groups, const Algorithm& algorithm) const
    {
        const double begin = s4u::Engine::get_clock();
        std::vector<s4u::ActorPtr> actors;
        for (const std::vector<int>& group : groups)
            for (std::size_t place = 0; place < group.size(); ++place)
                actors.push_back(s4u::Actor::create("host", hosts_[static_cast<std::size_t>(group[place])],
                                                    [&algorithm, member = Member{group, place, costs_}] {
                                                        s4u::this_actor::sleep_for(member.costs.operation);
                                                        algorithm.run(member);
                                                    }));
        for (const s4u::ActorPtr& actor : actors) actor->join();
        const double fixed = costs_.operation + costs_.message;
        return algorithm.share < 1 ? fixed + (s4u::Engine::get_clock() - begin - fixed) / algorithm.share
                                   : s4u::Engine::get_clock() - begin;
    }

    struct Result
    {
        std::string algorithm;
        double seconds = 0;
    };
    /// The fastest algorithm, and behind it the others that were tried. Those that would not be faster
    /// without contention are left out.
    [[nodiscard]] std::vector<Result> compare(const HostGroups& groups, std::vector<Algorithm> algorithms) const
    {
        std::ranges::stable_sort(algorithms, {},
                                 [](const Algorithm& each) { return each.least_seconds + each.inside_seconds; });
        std::vector<Result> results;
        for (const Algorithm& each : algorithms) {
            const double least = each.least_seconds + each.inside_seconds;
            if (!results.empty() && least >= results.front().seconds * (1 - kClose)) break;
            results.push_back({each.name, seconds_of(groups, each) + each.inside_seconds});
            std::ranges::stable_sort(results, {}, &Result::seconds);
        }
        return results;
    }

private:
    static constexpr double kClose = 1e-3;

    std::vector<s4u::Host*> hosts_;
    Costs costs_;
};

}  // namespace wayfront::bench
