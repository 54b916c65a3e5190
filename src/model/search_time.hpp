// The time of a breadth-first search over a cluster, level by level, for each way to divide the
// graph over its ranks.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "comm/process_grid.hpp"
#include "model/cluster.hpp"
#include "model/field_search.hpp"
#include "model/partition_work.hpp"
#include "model/vertex_classes.hpp"

namespace wayfront::model {

/// A way to divide a graph and its search.
enum class Scheme {
    grid,      // R x C ranks, all blocks at once; P x 1 and 1 x P among them
    rotation,  // R x C ranks, the blocks of a row one after the other
    hubs,      // 1.5D
};

[[nodiscard]] std::string_view to_string(Scheme scheme);

struct SearchDesign
{
    Scheme scheme = Scheme::grid;
    comm::GridShape shape;
    double hubs = 0;         // the number of hubs of Scheme::hubs
    double listed_hubs = 0;  // the number of the first hubs, whose arcs are listed by hub on each rank
    bool by_stores = false;  // the ranks, GPUs of one host, store into each other's memory inside one kernel
};

/// The processor and the links of a cluster.
struct Machine
{
    Processor processor;
    Network network;
};

/// The mean and the maximum, over the ranks, of a number that each rank has. If only the mean rank of several graphs is
/// known, `most` is equal to `mean`.
struct RankStatistics
{
    double mean = 0;
    double most = 0;
};

/// Times of a rank in a level, or in a round of a search for shortest paths, in seconds.
struct LevelTime
{
    std::string_view kind;  // "top-down", "bottom-up"; "push", "pull"
    double vertices = 0;    // vertices of the frontier, or changed distances
    double found = 0;
    double parent_queries = 0;    // found vertices whose parents the owner queries from another rank
    double received = 0;          // bytes that a rank receives: in each part, the most of any rank
    double received_between = 0;  // bytes of these that come from other hosts
    RankStatistics arcs;          // inspected arcs
    RankStatistics bytes;         // received bytes, in all parts
    std::vector<Step> steps;      // collective operations, in their order
    double work = 0;              // time of the processor
    StepTime messages;

    [[nodiscard]] double sum() const { return work + messages.sum(); }
};

struct SearchTime
{
    std::vector<LevelTime> levels;
    double result = 0;  // the time to write the result, and of the messages for it
    std::vector<Step> result_steps;

    [[nodiscard]] double sum() const;
    /// The levels' parts, added.
    [[nodiscard]] double work() const;
    [[nodiscard]] StepTime messages() const;
};

/// The times of levels that do not depend on how their work is known. Refers to its arguments.
class LevelClock
{
public:
    LevelClock(const SearchDesign& design, const Machine& machine);

    /// A level with its fixed times.
    [[nodiscard]] LevelTime begin(std::string_view kind) const;
    void add(LevelTime& time, const Step& step) const;
    /// Adds the messages of a rank in a part of a search, as they are counted.
    void add_messages(LevelTime& time, const RankWork& rank) const;

    [[nodiscard]] const GridGroups& groups() const { return groups_; }

private:
    void add_counted(LevelTime& time, const MessageCount& count, Step step) const;

    const SearchDesign& design_;
    const Machine& machine_;
    GridGroups groups_;
};

SearchTime time_search(const VertexClasses& classes, const std::vector<FieldLevel>& search, const SearchDesign& design,
                       const Machine& machine);

/// The mean of several searches from random keys.
struct MeanTime
{
    double seconds = 0;  // all searches count the same edges, so this time has the harmonic mean of their rates
    double work = 0;     // work, result and messages are the parts of `seconds`
    double result = 0;
    StepTime messages;
    double levels = 0;
    double received = 0;  // bytes a rank receives
    double steps = 0;     // collective operations
};
[[nodiscard]] MeanTime mean_of(std::span<const SearchTime> searches);

/// Searches of a graph from random keys that reach a large part of it. The same for the same seed.
std::vector<std::vector<FieldLevel>> sample_searches(const VertexClasses& classes, const algo::DirectionPolicy& policy,
                                                     int count, std::uint64_t seed);

}  // namespace wayfront::model
