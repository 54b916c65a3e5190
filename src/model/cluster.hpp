// A cluster as a model sees it: the links between its ranks, and the processor of a rank.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/process_grid.hpp"
#include "comm/step_times.hpp"

namespace wayfront::model {

/// A link over which collective operations go. Times are in seconds.
struct Link
{
    double bytes_per_second = 0;  // into a rank, of ranks of one host; into a host, of other hosts
    double step = 0;              // the time of a collective operation of few bytes between two ends
    double doubling = 0;          // additional time, each time that the number of ends doubles
    double message = 0;           // additional time of an all-to-all for each further end
    double uncertainty = 1;       // real links may be slower or faster by up to this factor; at least 1
    // Measurements of a link between hosts, with one rank on each, ordered by step, ranks and bytes. If
    // there are any, they replace the numbers above.
    std::vector<comm::StepPoint> measured{};

    [[nodiscard]] double latency(double ends) const;  // the time of a gather or a reduction of few bytes
    /// The time of a step, interpolated between the measurements with the next numbers of ends and bytes;
    /// extrapolated from the last two measurements if it has more ends or bytes. No value if no step of this
    /// kind was measured.
    [[nodiscard]] std::optional<double> measured_seconds(comm::Step kind, double ends, double bytes) const;
    /// A link that takes `factor` times as long.
    [[nodiscard]] Link scaled(double factor) const;
};

/// Ranks are numbered host by host.
struct Network
{
    std::string name;
    int ranks_per_host = 1;
    Link inside;   // between ranks of the same host
    Link between;  // between ranks of different hosts

    /// The network with all links `factor` times as slow; below 1, faster.
    [[nodiscard]] Network scaled(double inside_factor, double between_factor) const;
};

/// Reads a network file:
///
///     {"wayfront_network": 1, "name": "...", "ranks_per_host": 8,
///      "inside": {"gigabytes_per_second": 300, "step_microseconds": 6, "uncertainty": 1.2},
///      "between": {"gigabytes_per_second": 400, "step_microseconds": 10,
///                  "doubling_microseconds": 2, "message_microseconds": 0.2, "uncertainty": 1.5}}
///
/// Throws InputError, whose message begins with `name`, if the text is no network file.
Network network_from_text(const std::string& text, const std::string& name);

/// The texts of the networks that are built in (jobs/networks): their names, and the text of each.
struct NamedText
{
    std::string_view name;
    std::string_view text;
};
[[nodiscard]] std::span<const NamedText> built_in_networks();
/// Null if there is none of this name.
[[nodiscard]] const NamedText* find_built_in_network(std::string_view name);

/// The ranks of a grid row, of a grid column, or of the whole grid: the group that is spread over the most hosts.
struct Group
{
    double ranks = 1;
    double hosts = 1;
    double ranks_a_host = 1;   // the largest number of ranks of the group on one host
    double groups_a_host = 1;  // the largest number of groups that use the links of one host at the same time
};
[[nodiscard]] Group world_of(comm::GridShape shape, int ranks_per_host);
[[nodiscard]] Group row_of(comm::GridShape shape, int ranks_per_host);
[[nodiscard]] Group column_of(comm::GridShape shape, int ranks_per_host);

/// All ranks of a grid, and its rows and columns.
struct GridGroups
{
    GridGroups(comm::GridShape shape, int ranks_per_host)
        : world(world_of(shape, ranks_per_host)),
          row(row_of(shape, ranks_per_host)),
          column(column_of(shape, ranks_per_host))
    {
    }
    Group world;
    Group row;
    Group column;
};

/// The parts of the time of a collective operation.
struct StepTime
{
    double latency = 0;
    double inside = 0;   // the bytes of the same host
    double between = 0;  // the bytes of other hosts

    [[nodiscard]] double sum() const { return latency + inside + between; }
    StepTime& operator+=(const StepTime& other);
};

/// An all-gather, of which each rank receives `bytes`. Bytes of other hosts are sent to a host once, not to each of its
/// ranks.
[[nodiscard]] StepTime all_gather_time(const Network& network, const Group& group, double bytes);
/// An all-to-all, of which each rank receives `bytes`. Messages are sent directly, or over two hops if this
/// takes less time. Two hops send all bytes twice.
[[nodiscard]] StepTime all_to_all_time(const Network& network, const Group& group, double bytes);
/// Each rank of the group sends `bytes` to the next one, and the last one to the first.
[[nodiscard]] StepTime shift_time(const Network& network, const Group& group, double bytes);

enum class Collective {
    all_gather,
    all_to_all,
    shift,
    store,  // the ranks, GPUs of one host, store into each other's memory
};
[[nodiscard]] std::string_view to_string(Collective collective);

/// The ranks that take part in a collective operation: all groups of the kind at the same time.
enum class StepGroup { world, row, column };
[[nodiscard]] std::string_view to_string(StepGroup group);

/// A collective operation, of which each rank receives `bytes`.
struct Step
{
    Collective collective = Collective::all_gather;
    StepGroup group = StepGroup::world;
    double bytes = 0;
};
[[nodiscard]] StepTime step_time(const Network& network, const GridGroups& groups, const Step& step);
/// The most bytes that a rank receives from other hosts; for a shift, all bytes if the group has several hosts.
[[nodiscard]] double bytes_between(const GridGroups& groups, const Step& step);

/// The processor of a rank: a GPU, or some cores. Times are in seconds.
struct Processor
{
    std::string_view name;
    bool gpu = false;
    double memory_bytes = 0;    // the memory of a GPU
    double level = 0;           // fixed time of a level: launches and barriers
    double exchange_level = 0;  // additional time of a level if GPUs exchange over a library, not by stores
    double row = 0;             // time of a row that a bottom-up level visits
    double near_arc = 0;        // time of an arc inspected bottom-up that leads to a near vertex
    double far_arc = 0;         // time of an arc to a vertex whose bit is in the last cache
    double memory_arc = 0;      // time of an arc to any other vertex
    double near_vertices = 0;   // vertices of the largest degrees whose bits are close to the processor
    double far_vertices = 0;    // vertices of the next degrees, whose bits are in its last cache
    double found = 0;           // time of a row that is found
    double top_down_arc = 0;
    double result = 0;        // time of a vertex of the result
    double round = 0;         // fixed time of a round of a search for shortest paths
    double pushed_arc = 0;    // time of a pushed arc on cores
    double pulled_arc = 0;    // time of a pulled arc on cores
    double searched_arc = 0;  // time of an arc on cores, by a method of one rank
    double path_edge = 0;     // time in which a GPU reads an edge tuple of a Kronecker graph in a search
    double path_result = 0;   // time of a vertex of the result of a search for shortest paths
    double tuple = 0;         // time of an edge tuple in construction
    double weight = 0;        // time of 4 bytes of the weights in construction
    double uncertainty = 1;
};

/// "h100", "h200" or "core" (one core of a server of 2024). Throws InputError for other names.
Processor find_processor(std::string_view name);

/// A processor that takes `factor` times as long for everything.
Processor scaled(Processor processor, double factor);

/// A processor of `cores` cores, which divide all work. The fixed times of levels remain.
Processor several(Processor core, int cores);

}  // namespace wayfront::model
