// The searches of a Graph500 run, after kernel 1.
//
// As in the benchmark's reference implementation, searches from the first key run before the others
// and are not timed. Each search is validated after it has ended; the time of validation is recorded
// apart.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/phase.hpp"
#include "graph/generators/spec.hpp"
#include "graph500/report.hpp"
#include "graph500/statistics.hpp"
#include "job/job.hpp"
#include "plan/engine_plan.hpp"
#include "session/kernel1.hpp"

namespace wayfront::session {

// Limits of a run.
inline constexpr int kMostScale = 47;
inline constexpr EdgeCount kMostEdgeFactor = EdgeCount{1} << 40;
inline constexpr std::int64_t kMostKeys = std::int64_t{1} << 20;
inline constexpr int kMostWarmups = 1000;

struct Graph500Protocol
{
    std::int64_t keys = 64;
    int warmups = 1;
    bool validate = true;
    Seeds seeds;  // the seeds of the choice of keys
};

/// The receivers of the times of searches, in addition to the records.
struct Graph500Log
{
    PhaseLog* phases = nullptr;
    /// Is called after each search, with "warm-up", "bfs" or "sssp", its number from 1 on, and the time
    /// at which it began; may be empty.
    std::function<void(std::string_view name, std::int64_t number, Vertex key, Clock::time_point begin)> add_search{};
};

/// The records of each kernel's searches, from the same keys; no value if it did not run.
struct Graph500Records
{
    std::optional<std::vector<graph500::SearchRecord>> bfs;
    std::optional<std::vector<graph500::SearchRecord>> sssp;

    /// The results of the kernel that ran first.
    [[nodiscard]] const std::vector<graph500::SearchRecord>& first() const { return bfs ? *bfs : *sssp; }
};

/// Runs the searches of all kernels that are prepared. There are fewer keys if the graph has fewer
/// vertices with edges. Throws an AgreedError if there is none, if memory does not suffice for the
/// validation, or if a search is invalid. Collective.
[[nodiscard]] Graph500Records run_graph500_searches(const job::Job& job, const Kernel1& kernel1,
                                                    const Graph500Protocol& protocol, const Graph500Log& log);

/// The scale and the edge factor of the graph of a run, rounded.
[[nodiscard]] int scale_of(const Kernel1& kernel1);
[[nodiscard]] EdgeCount edge_factor_of(const Kernel1& kernel1);

/// The statistics of a kernel's searches. Pre: there is one.
[[nodiscard]] graph500::TepsStatistics teps_of(const std::vector<graph500::SearchRecord>& records);

/// The processors of breadth-first searches, and in `options` the GPUs for shortest paths. Copies the
/// choice of engine and grid of the searches to those for shortest paths. Collective.
[[nodiscard]] plan::EnginePlan choose_graph500_plan(const job::Job& job, Kernel1Options& options);

}  // namespace wayfront::session
