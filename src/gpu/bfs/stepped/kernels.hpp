// The launches of a stepped search. Of the view, peers[0] is the rank's own state. Levels are those of search/bottom_up.cuh and search/top_down.cuh
// but for what a top-down level finds at other ranks: that is asked of their owners, in messages.
#pragma once

#include <cstddef>
#include <cstdint>

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

/// The own vertex `local`, number `vertex` of the input, becomes the frontier: own_frontier, its counts in counters[0]. Nothing where it has no
/// edges.
void launch_start(const SearchView& view, std::uint32_t local, std::uint32_t vertex, const Stream& stream);

/// One level from the bitmap `from` of all columns; what the rank's rows find goes to its own part of the bitmap `to` and to counters[0].
void launch_bottom_up(const SearchView& view, int from, int to, std::int32_t level, BottomUpWay way, LaunchSize size, const Stream& stream);

/// This rank's part of a frontier that a top-down level found goes to its own part of the bitmap `to`; `counted`: it stands in own_frontier.
void launch_publish(const SearchView& view, bool counted, int to, LaunchSize size, const Stream& stream);

/// Moves such a part to own_frontier and adds its vertices and out-edges to counters[0].
void launch_survey(const SearchView& view, LaunchSize size, const Stream& stream);

/// Makes this rank's part of a frontier into items of queue[0], queue_size[0] of them, and adds its counts to counters[0]. `columns`: the bitmap of
/// all columns that holds the frontier, where it stands there.
void launch_make_items(const SearchView& view, FrontierAt at, const std::uint32_t* columns, ItemSizes sizes, LaunchSize size, const Stream& stream);

/// The same, in one size, of a frontier that stands in own_frontier, but for the hubs.
void launch_make_tail_items(const SearchView& view, LaunchSize size, const Stream& stream);

/// Follows items [first, last) of queue[0]: own vertices are visited, and added to counters[0]; for others' an ask is appended. `seen`: bitmap of all
/// columns; another rank's vertex whose bit is set there is visited or asked for.
void launch_follow_items(const SearchView& view, std::uint32_t* seen, std::uint64_t first, std::uint64_t last, ItemSizes sizes, std::int32_t level,
                         AskList found, const Stream& stream);

/// Adds the asks for each rank to counts[rank].
void launch_count_asks(const DeviceGraphView& graph, AskList found, unsigned long long* counts, const Stream& stream);

/// Copies `count` asks to `placed`, those for rank r from next[r] on, which moves behind them.
void launch_place_asks(const DeviceGraphView& graph, const Ask* asks, std::uint64_t count, unsigned long long* next, Ask* placed,
                       const Stream& stream);

/// Visits what other ranks ask for, and adds what is new to counters[0].
void launch_answer_asks(const SearchView& view, const Ask* asks, std::uint64_t count, std::int32_t level, const Stream& stream);

/// This rank's part of a bitmap of all columns, without gaps; and the other ranks' parts, which stand so one after the other, into the bitmap.
void launch_pack(const DeviceGraphView& graph, const std::uint32_t* columns, std::uint32_t* own_part, const Stream& stream);
void launch_unpack(const DeviceGraphView& graph, const std::uint32_t* parts, std::uint32_t* columns, const Stream& stream);

/// After the last level: marks what was not reached.
void launch_finish(const SearchView& view, const Stream& stream);

/// Blocks and shared memory for the launches that take a LaunchSize, and the view's hub_words and tail_slot. Throws ResourceError.
[[nodiscard]] LaunchSize stepped_launch_size(SearchView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu
