// Searches for shortest paths on one GPU that are compared with Dijkstra's algorithm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cpu/sssp/one_rank_search.hpp"
#include "gpu/sssp/resident_sssp.hpp"
#include "support/gpu_guard.hpp"
#include "support/sssp_testing.hpp"

namespace wayfront {

using gpu::sssp::ResidentSssp;
using gpu::sssp::SsspTuning;

inline constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

class ResidentSsspTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

inline algo::SsspOptions dijkstra_options()
{
    algo::SsspOptions options;
    options.method = algo::SsspMethod::dijkstra;
    return options;
}

/// Whether near-far searches before the first source and after the last source. A member without a
/// value is not checked.
struct NearFarUse
{
    std::optional<bool> before;
    std::optional<bool> after;
};
inline constexpr NearFarUse kAnySearch{};
inline constexpr NearFarUse kNearFar{true, true};
inline constexpr NearFarUse kNearFarAtFirst{true, {}};
inline constexpr NearFarUse kNearFarGivenUp{true, false};
inline constexpr NearFarUse kPushPull{false, false};

inline void check_search(const ResidentSssp& search, const std::optional<bool>& near_far)
{
    if (!near_far) return;
    EXPECT_TRUE(search.description().starts_with(*near_far ? "near-far on the GPU" : "push-pull on the GPU"))
        << search.description();
}

/// Searches from each source with one tuning.
template <typename W>
void check_tuned(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
                 const SsspTuning& tuning, const NearFarUse& near_far = kAnySearch)
{
    const comm::ProcessGrid grid(comm::Communicator::self(), {1, 1});
    const ShareFeed<W> feed(graph, 0, 1);
    const DistributedGraph distributed = construct(grid, feed, {.list_order = ListOrder::weights});
    ResidentSssp search(grid, distributed, tuning,
                        [&] { return cpu::make_one_rank_search(distributed, dijkstra_options()); });
    check_search(search, near_far.before);
    const bool in_device_memory = search.description().find("distances in device memory") != std::string::npos;
    if (near_far.before) {
        EXPECT_EQ(in_device_memory, *near_far.before && tuning.near_far_in_device_memory);
    }
    for (const std::int64_t source : sources) {
        SCOPED_TRACE("source " + std::to_string(source));
        search.run(source);
        check_sssp<W>(grid.world(), graph, source, tuning.cutoff.value_or(kNoCutoff), search.result());
    }
    check_search(search, near_far.after);
}

/// Searches by near-far with the distances of parts in shared memory and in device memory.
template <typename W>
void check_near_far(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
                    double width, const NearFarUse& near_far = kNearFar)
{
    for (const bool in_device_memory : {false, true}) {
        SCOPED_TRACE("near-far, width " + std::to_string(width) + (in_device_memory ? ", in device memory" : ""));
        check_tuned<W>(graph, sources,
                       {.width = width, .near_far = true, .near_far_in_device_memory = in_device_memory}, near_far);
    }
}

/// Searches in all ways: with choices by the graph; with narrow and wide windows; with early pulls,
/// late pulls and no pulls; with most steps by one block or by all blocks; with few distances in
/// shared memory; with pushes after pulls; and by near-far, if the graph has arcs.
template <typename W>
void check_all_ways(const oracle::WeightedGraph<OracleWeight<W>>& graph, const std::vector<std::int64_t>& sources,
                    const NearFarUse& near_far = kNearFarAtFirst)
{
    double mean = 0;
    for (const auto& edge : graph.edges)
        mean += static_cast<double>(edge.weight) / static_cast<double>(graph.edges.size());
    check_tuned<W>(graph, sources, {});
    for (const double width : {0.02, 0.5, 20.0})
        for (const double pull_from : {0.0, 0.3, 0.9, 2.0}) {
            SCOPED_TRACE("width " + std::to_string(width * mean) + ", pulls from " + std::to_string(pull_from));
            check_tuned<W>(graph, sources, {.width = width * mean, .pull_from = pull_from, .near_far = false},
                           kPushPull);
            check_tuned<W>(graph, sources,
                           {.width = width * mean,
                            .pull_from = pull_from,
                            .single_block_vertices = 0,
                            .hubs = 16,
                            .near_far = false,
                            .open_for_push = 0},
                           kPushPull);
        }
    const bool has_arcs = std::ranges::any_of(graph.edges, [](const auto& edge) { return edge.source != edge.target; });
    for (const double width : {0.02, 1.0, 1000.0})
        check_near_far<W>(graph, sources, width * mean, has_arcs ? near_far : kAnySearch);
}

}  // namespace wayfront
