#include "model/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace wayfront::model {

namespace {

using Json = nlohmann::json;

constexpr double kMicrosecond = 1e-6;
constexpr double kGigabyte = 1e9;

/// Reads the numbers of one JSON object. Messages of errors begin with `name`.
class Numbers
{
public:
    Numbers(const Json& object, std::string name, std::initializer_list<std::string_view> known)
        : object_(object), name_(std::move(name))
    {
        if (!object.is_object()) throw InputError(name_ + ": expected an object");
        for (const auto& [key, value] : object.items())
            if (std::ranges::find(known, key) == known.end())
                throw InputError(name_ + ": unknown entry \"" + key + '"');
    }

    /// A number of at least `least`.
    [[nodiscard]] double at(const char* key, double least) const
    {
        if (!object_.contains(key)) throw InputError(name_ + ": \"" + key + "\" is missing");
        return read(key, least);
    }
    [[nodiscard]] double at(const char* key, double least, double otherwise) const
    {
        return object_.contains(key) ? read(key, least) : otherwise;
    }

private:
    [[nodiscard]] double read(const char* key, double least) const
    {
        const Json& value = object_.at(key);
        if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < least)
            throw InputError(name_ + ": \"" + key + "\" must be a number of at least " + Json(least).dump() + ", not " +
                             value.dump());
        return value.get<double>();
    }

    const Json& object_;
    std::string name_;
};

Link link_from(const Json& file, const char* key, const std::string& name)
{
    if (!file.contains(key)) throw InputError(name + ": \"" + key + "\" is missing");
    const Numbers numbers(
        file.at(key), name + ": \"" + key + '"',
        {"gigabytes_per_second", "step_microseconds", "doubling_microseconds", "message_microseconds", "uncertainty"});
    constexpr double least_gigabytes = 1e-6;
    Link link;
    link.bytes_per_second = numbers.at("gigabytes_per_second", least_gigabytes) * kGigabyte;
    link.step = numbers.at("step_microseconds", 0) * kMicrosecond;
    link.doubling = numbers.at("doubling_microseconds", 0, 0) * kMicrosecond;
    link.message = numbers.at("message_microseconds", 0, 0) * kMicrosecond;
    link.uncertainty = numbers.at("uncertainty", 1, 1);
    return link;
}

/// The steps that `wayfront tune` has measured.
void read_points(const Json& points, const std::string& name, Network& network)
{
    constexpr double most_ranks = 1 << 20;
    constexpr double most_bytes = 1e18;
    if (!points.is_array()) throw InputError(name + ": \"points\" must be an array");
    for (const Json& point : points) {
        if (!point.is_object()) throw InputError(name + ": \"points\" must have objects");
        const Json link = point.value("link", Json());
        const Json step = point.value("step", Json());
        if ((link != "inside" && link != "between") || (step != "all-gather" && step != "all-to-all"))
            throw InputError(name + ": \"points\" has an unknown link or step");
        Json values = point;
        values.erase("link");
        values.erase("step");
        const Numbers numbers(values, name + ": \"points\"",
                              {"ranks", "received_bytes", "microseconds", "fitted_microseconds"});
        const comm::StepPoint measured{step == "all-gather" ? comm::Step::all_gather : comm::Step::all_to_all,
                                       static_cast<int>(std::min(numbers.at("ranks", 2), most_ranks)),
                                       static_cast<std::size_t>(std::min(numbers.at("received_bytes", 0), most_bytes)),
                                       numbers.at("microseconds", 0) * kMicrosecond};
        if (link == "between") network.between.measured.push_back(measured);
    }
    std::ranges::sort(network.between.measured, {},
                      [](const comm::StepPoint& point) { return std::tuple(point.step, point.ranks, point.bytes); });
}

// The rates of an H200 come from records in bench/results:
//
//   level, far_arc,       a least-squares fit to the mean times of the levels of 64 searches of scale 27
//   found, top_down_arc   (gpu-searches-scale27-1.json). Arcs to near vertices and rows had no rates in this
//                         fit
//   result                the rest of the times of these searches
//   kTodaysSearches       the speedup of the program since then, one factor for all rates above: a fit by
//                         `bench/scale_out.py --fit` to four records of one GPU (gpu-131kib-scale*-1.json)
//   exchange_level        a fit by the same command to gpu-scale28-2-nccl-small-levels.json
//   tuple                 the constructions of gpu-scale*.json
//   weight                the constructions of gpu-sssp-scale*.json
//   round, path_edge,     a fit to the searches for shortest paths in Kronecker graphs
//   path_result           (gpu-sssp-scale*-1.json)
//   memory_arc            an assumption, twice `far_arc`: arcs into bitmaps that do not fit the cache
//
// An H100 takes 1.23 times as long (gpu-bfs-before-and-now-h100.json, measured with the earlier program).
// The rates of a core are rough rates of a server of 2024; model-core-rates.json compares its rates of
// breadth-first searches with measurements.
constexpr double kTodaysSearches = 0.888;
constexpr Processor kH200{.name = "h200",
                          .gpu = true,
                          .memory_bytes = 139.0 * (1 << 30),
                          .level = kTodaysSearches * 30e-6,
                          .exchange_level = 75e-6,
                          .far_arc = kTodaysSearches * 15.5e-12,
                          .memory_arc = kTodaysSearches * 31e-12,
                          .near_vertices = 1.4e6,
                          .far_vertices = 3.2e8,
                          .found = kTodaysSearches * 7.5e-12,
                          .top_down_arc = kTodaysSearches * 21.6e-12,
                          .result = kTodaysSearches * 2.9e-12,
                          .round = 8e-6,
                          .path_edge = 1.8e-12,
                          .path_result = 6.5e-12,
                          .tuple = 0.18e-9,
                          .weight = 0.16e-9,
                          .uncertainty = 1.15};
constexpr double kH100Slower = 1.23;
constexpr Processor kCore{.name = "core",
                          .level = 3e-6,
                          .row = 2.5e-9,
                          .near_arc = 0.9e-9,
                          .far_arc = 4e-9,
                          .memory_arc = 8e-9,
                          .near_vertices = 4e6,
                          .far_vertices = 1e8,
                          .found = 0.5e-9,
                          .top_down_arc = 3.8e-9,
                          .result = 1.1e-9,
                          .round = 5e-6,
                          .pushed_arc = 22e-9,
                          .pulled_arc = 6.5e-9,
                          .searched_arc = 8e-9,
                          .path_result = 3.4e-9,
                          .tuple = 120e-9,
                          .weight = 24e-9,
                          .uncertainty = 1.5};

}  // namespace

double Link::latency(double ends) const
{
    return ends > 1 ? step + doubling * std::log2(ends) : 0;
}

namespace {

/// The value at x of the line through two points.
double on_line(double x, double first_x, double first, double last_x, double last)
{
    return last_x > first_x ? first + (last - first) * (x - first_x) / (last_x - first_x) : last;
}

/// Interpolates the seconds of a step that sends `bytes`. `curve` has the measurements of one kind of step
/// between one number of ranks, ordered by bytes.
double at_bytes(std::span<const comm::StepPoint> curve, double bytes)
{
    const auto bytes_at = [curve](std::size_t i) { return static_cast<double>(curve[i].bytes); };
    if (curve.size() == 1 || bytes <= bytes_at(0)) return curve.front().seconds;
    std::size_t last = 1;
    while (last + 1 < curve.size() && bytes_at(last) < bytes) ++last;
    return on_line(bytes, bytes_at(last - 1), curve[last - 1].seconds, bytes_at(last), curve[last].seconds);
}

}  // namespace

std::optional<double> Link::measured_seconds(comm::Step kind, double ends, double bytes) const
{
    std::vector<std::pair<double, double>> by_ends;  // ends, and seconds for these bytes
    for (std::size_t first = 0; first < measured.size();) {
        std::size_t last = first;
        while (last < measured.size() && measured[last].step == measured[first].step &&
               measured[last].ranks == measured[first].ranks)
            ++last;
        if (measured[first].step == kind)
            by_ends.emplace_back(std::log2(measured[first].ranks),
                                 at_bytes(std::span(measured).subspan(first, last - first), bytes));
        first = last;
    }
    if (by_ends.empty()) return {};
    if (by_ends.size() == 1) return by_ends.front().second;
    const double x = std::max(std::log2(ends), by_ends.front().first);
    std::size_t last = 1;
    while (last + 1 < by_ends.size() && by_ends[last].first < x) ++last;
    const auto& [first_x, first_seconds] = by_ends[last - 1];
    const auto& [last_x, last_seconds] = by_ends[last];
    return std::max(on_line(x, first_x, first_seconds, last_x, last_seconds), std::min(first_seconds, last_seconds));
}

Link Link::scaled(double factor) const
{
    Link link{bytes_per_second / factor, step * factor, doubling * factor, message * factor, uncertainty, measured};
    for (comm::StepPoint& point : link.measured) point.seconds *= factor;
    return link;
}

Network Network::scaled(double inside_factor, double between_factor) const
{
    Network network = *this;
    network.inside = inside.scaled(inside_factor);
    network.between = between.scaled(between_factor);
    return network;
}

Network network_from_text(const std::string& text, const std::string& name)
{
    const Json file = Json::parse(text, nullptr, false);
    if (file.is_discarded()) throw InputError(name + ": expected JSON");
    if (!file.is_object() || file.value("wayfront_network", Json()) != 1)
        throw InputError(name + ": expected \"wayfront_network\": 1");
    Json numbers = file;
    for (const char* const other : {"wayfront_network", "name", "inside", "between", "points"}) numbers.erase(other);
    Network network;
    network.name = file.contains("name") && file.at("name").is_string() ? file.at("name").get<std::string>() : name;
    const double ranks = Numbers(numbers, name, {"ranks_per_host"}).at("ranks_per_host", 1);
    constexpr double most_ranks = 1 << 20;
    if (ranks > most_ranks || ranks != std::floor(ranks))
        throw InputError(name + ": \"ranks_per_host\" must be a whole number from 1 to 1048576");
    network.ranks_per_host = static_cast<int>(ranks);
    network.inside = link_from(file, "inside", name);
    network.between = link_from(file, "between", name);
    if (file.contains("points")) read_points(file.at("points"), name, network);
    return network;
}

const NamedText* find_built_in_network(std::string_view name)
{
    const std::span<const NamedText> all = built_in_networks();
    const auto found = std::ranges::find(all, name, &NamedText::name);
    return found == all.end() ? nullptr : &*found;
}

Group world_of(comm::GridShape shape, int ranks_per_host)
{
    const double ranks = shape.size();
    return {ranks, std::ceil(ranks / ranks_per_host), std::min<double>(ranks, ranks_per_host), 1};
}

Group row_of(comm::GridShape shape, int ranks_per_host)
{
    const int columns = shape.columns;
    const double a_host = std::min(shape.size(), ranks_per_host);
    Group row{static_cast<double>(columns), 1, std::min<double>(columns, ranks_per_host), 1};
    // A grid row may begin at any rank of a host. After `ranks_per_host` rows, the positions in the host repeat.
    for (int i = 0; i < std::min(shape.rows, ranks_per_host); ++i) {
        const int place = static_cast<int>(std::int64_t{i} * columns % ranks_per_host);
        row.hosts = std::max(row.hosts, std::ceil(static_cast<double>(place + columns) / ranks_per_host));
    }
    if (row.hosts > 1) row.groups_a_host = std::min<double>(shape.rows, std::ceil(a_host / columns));
    return row;
}

Group column_of(comm::GridShape shape, int ranks_per_host)
{
    const double a_host = std::min(shape.size(), ranks_per_host);
    const double hosts = std::ceil(static_cast<double>(shape.size()) / ranks_per_host);
    Group column{static_cast<double>(shape.rows), std::min<double>(shape.rows, hosts), 1, 1};
    column.ranks_a_host = std::min<double>(shape.rows, std::ceil(a_host / shape.columns));
    if (column.hosts > 1) column.groups_a_host = std::min<double>(shape.columns, a_host);
    return column;
}

StepTime& StepTime::operator+=(const StepTime& other)
{
    latency += other.latency;
    inside += other.inside;
    between += other.between;
    return *this;
}

namespace {

/// Replaces the time between hosts by a measured one, if there is one; `bytes` go into each host.
StepTime as_measured(const Network& network, const Group& group, comm::Step step, double bytes, StepTime time)
{
    const std::optional<double> first = network.between.measured_seconds(step, group.hosts, 0);
    if (group.hosts <= 1 || !first) return time;
    const double whole = *network.between.measured_seconds(step, group.hosts, bytes);
    time.latency = network.inside.latency(group.ranks_a_host) + *first;
    time.between = std::max(0.0, whole - *first);
    return time;
}

/// The bytes that a rank of the group receives from other hosts if it receives `bytes` bytes in all.
double of_other_hosts(const Group& group, double bytes)
{
    return group.hosts > 1 ? bytes * (group.ranks - group.ranks_a_host) / (group.ranks - 1) : 0;
}

}  // namespace

StepTime all_gather_time(const Network& network, const Group& group, double bytes)
{
    if (group.ranks <= 1) return {};
    StepTime time;
    time.latency = network.inside.latency(group.ranks_a_host) + network.between.latency(group.hosts);
    if (group.ranks_a_host > 1) time.inside = bytes / network.inside.bytes_per_second;
    const double into_host = of_other_hosts(group, bytes) * group.groups_a_host;
    time.between = into_host / network.between.bytes_per_second;
    return as_measured(network, group, comm::Step::all_gather, into_host, time);
}

StepTime all_to_all_time(const Network& network, const Group& group, double bytes)
{
    if (group.ranks <= 1) return {};
    const double far = of_other_hosts(group, bytes);
    const double into_host = far * group.ranks_a_host * group.groups_a_host;
    const double between = into_host / network.between.bytes_per_second;
    // The time of messages between each two of `hosts` hosts. The fixed costs of all but the first message
    // overlap with transfers, because messages are not sent in rounds.
    const auto messages_to = [&](double hosts) {
        const double further = network.between.message * std::max(0.0, hosts - 2);
        StepTime time;
        time.latency = network.inside.latency(group.ranks_a_host) + network.between.latency(std::min(hosts, 2.0)) +
                       std::max(0.0, further - between);
        time.inside = (bytes - far) / network.inside.bytes_per_second;
        time.between = between;
        return time;
    };
    const StepTime direct = messages_to(group.hosts);
    constexpr double least_hosts = 4;  // so that each of the two hops is between at least two hosts
    StepTime hops = messages_to(std::sqrt(std::max(group.hosts, least_hosts)));
    hops += hops;
    return as_measured(network, group, comm::Step::all_to_all, into_host, direct.sum() <= hops.sum() ? direct : hops);
}

StepTime shift_time(const Network& network, const Group& group, double bytes)
{
    if (group.ranks <= 1) return {};
    StepTime time;
    if (group.hosts > 1) {
        time.latency = network.between.latency(2);
        time.between = bytes * group.groups_a_host / network.between.bytes_per_second;
    } else {
        time.latency = network.inside.latency(2);
        time.inside = bytes / network.inside.bytes_per_second;
    }
    return time;
}

std::string_view to_string(Collective collective)
{
    switch (collective) {
        case Collective::all_to_all:
            return "all-to-all";
        case Collective::shift:
            return "shift";
        case Collective::store:
            return "store";
        case Collective::all_gather:
            break;
    }
    return "all-gather";
}

std::string_view to_string(StepGroup group)
{
    if (group == StepGroup::row) return "row";
    return group == StepGroup::column ? "column" : "world";
}

namespace {

const Group& group_of(const GridGroups& groups, const Step& step)
{
    if (step.group == StepGroup::row) return groups.row;
    return step.group == StepGroup::column ? groups.column : groups.world;
}

}  // namespace

double bytes_between(const GridGroups& groups, const Step& step)
{
    const Group& ends = group_of(groups, step);
    if (ends.hosts <= 1) return 0;
    const double share = step.collective == Collective::shift ? 1 : (ends.ranks - ends.ranks_a_host) / (ends.ranks - 1);
    return step.bytes * share;
}

StepTime step_time(const Network& network, const GridGroups& groups, const Step& step)
{
    const Group& ends = group_of(groups, step);
    switch (step.collective) {
        case Collective::all_to_all:
            return all_to_all_time(network, ends, step.bytes);
        case Collective::shift:
            return shift_time(network, ends, step.bytes);
        case Collective::store:
            return {0, step.bytes / network.inside.bytes_per_second, 0};
        case Collective::all_gather:
            break;
    }
    return all_gather_time(network, ends, step.bytes);
}

Processor find_processor(std::string_view name)
{
    if (name == "h200") return kH200;
    if (name == "h100") {
        Processor h100 = scaled(kH200, kH100Slower);
        h100.name = "h100";
        h100.memory_bytes = 78.0 * (1 << 30);
        return h100;
    }
    if (name == "core") return kCore;
    throw InputError("expected h100, h200 or core, found '" + std::string(name) + "'");
}

Processor several(Processor core, int cores)
{
    Processor all = scaled(core, 1.0 / cores);
    all.level = core.level;
    all.round = core.round;
    return all;
}

Processor scaled(Processor processor, double factor)
{
    for (double* const seconds :
         {&processor.level, &processor.exchange_level, &processor.row, &processor.near_arc, &processor.far_arc,
          &processor.memory_arc, &processor.found, &processor.top_down_arc, &processor.result, &processor.round,
          &processor.pushed_arc, &processor.pulled_arc, &processor.searched_arc, &processor.path_edge,
          &processor.path_result, &processor.tuple, &processor.weight})
        *seconds *= factor;
    return processor;
}

}  // namespace wayfront::model
