// The launches of a stepped search. Levels are those of gpu/bfs/bottom_up.cuh and claim.cuh, but vertices that a
// top-down level finds at other ranks are asked for, in messages to their owners.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Asks of one round, in device memory: their targets are columns, and slots once they stand among those for one owner.
struct AskList
{
    Ask* asks = nullptr;
    unsigned long long* count = nullptr;
};

/// How a launch fills a GPU: blocks of kSearchThreads, with as much shared memory as levels take.
struct LaunchSize
{
    int blocks = 0;
    std::size_t shared_bytes = 0;
};

/// The own vertex `local`, number `vertex` of the input, becomes the frontier: own_frontier, its counts in counts. Nothing where it has no
/// edges.
void launch_start(const SteppedView& view, std::uint32_t local, std::uint32_t vertex, const Stream& stream);

/// One level from the bitmap `from` of all columns; what the rank's rows find goes to its own part of the bitmap `to` and to counts.
void launch_bottom_up(const SteppedView& view, int from, int to, std::int32_t level, BottomUpWay way, LaunchSize size, const Stream& stream);

/// This rank's part of a frontier that a top-down level found goes to its own part of the bitmap `to`.
void launch_publish(const SteppedView& view, FrontierAt at, int to, LaunchSize size, const Stream& stream);

/// Moves such a part to own_frontier and adds its vertices and out-edges to counts.
void launch_survey(const SteppedView& view, LaunchSize size, const Stream& stream);

/// Makes this rank's part of a frontier into items of the queue, and adds them and their edges to counts. `columns`: the bitmap of all columns that
/// holds the frontier, for FrontierAt::columns. `tail`: without the hubs.
void launch_make_items(const SteppedView& view, FrontierAt at, const std::uint32_t* columns, bool tail, ItemSizes sizes, LaunchSize size,
                       const Stream& stream);

/// Follows items [first, last) of queue: own vertices are visited, and added to counts; for others' an ask is appended. `seen`: bitmap of all
/// columns; another rank's vertex whose bit is set there is visited or asked for.
void launch_follow_items(const SteppedView& view, std::uint32_t* seen, std::uint64_t first, std::uint64_t last, ItemSizes sizes, std::int32_t level,
                         AskList found, const Stream& stream);

/// Adds the asks for each rank to counts[rank].
void launch_count_asks(const DeviceGraphView& graph, AskList found, unsigned long long* counts, const Stream& stream);

/// Copies `count` asks to `placed`, those for rank r from next[r] on, which moves behind them.
void launch_place_asks(const DeviceGraphView& graph, const Ask* asks, std::uint64_t count, unsigned long long* next, Ask* placed,
                       const Stream& stream);

/// Visits what other ranks ask for, and adds what is new to counts.
void launch_answer_asks(const SteppedView& view, const Ask* asks, std::uint64_t count, std::int32_t level, const Stream& stream);

/// This rank's part of a bitmap of all columns, without gaps; and the other ranks' parts, which stand so one after the other, into the bitmap.
void launch_pack(const DeviceGraphView& graph, const std::uint32_t* columns, std::uint32_t* own_part, const Stream& stream);
void launch_unpack(const DeviceGraphView& graph, const std::uint32_t* parts, std::uint32_t* columns, const Stream& stream);

/// After the last level: marks what was not reached.
void launch_finish(const SteppedView& view, const Stream& stream);

/// Blocks and shared memory for the launches that take a LaunchSize, and the view's hub_words and tail_slot. Throws ResourceError.
[[nodiscard]] LaunchSize stepped_launch_size(SteppedView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu
