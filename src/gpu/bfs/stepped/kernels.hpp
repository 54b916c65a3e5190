// The launches of a stepped search. Its levels are those of gpu/bfs/bottom_up.cuh and claim.cuh,
// but a rank asks for the vertices of other ranks that a top-down level finds, in messages to their
// owners.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_device.hpp"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// The asks of one round, in device memory. Their targets are columns; once the asks are sorted by
/// owner, their targets are slots.
struct AskList
{
    Ask* asks = nullptr;
    unsigned long long* count = nullptr;
};

/// The size of a launch that fills a GPU: blocks of kSearchThreads threads, and the shared memory
/// of each.
struct LaunchSize
{
    int blocks = 0;
    std::size_t shared_bytes = 0;
};

/// Makes the own vertex `local`, number `vertex` of the input, the frontier: it is stored in
/// own_frontier, and its counts in counts. Does nothing if the vertex has no edges.
void launch_start(const SteppedView& view, std::uint32_t local, std::uint32_t vertex, const Stream& stream);

/// Runs one bottom-up level from the bitmap `from` of all columns. The vertices that this rank's
/// rows find are stored in its own part of the bitmap `to` and added to counts.
void launch_bottom_up(const SteppedView& view, int from, int to, std::int32_t level, BottomUpWay way, LaunchSize size,
                      const Stream& stream);

/// Stores this rank's part of a frontier that a top-down level found in its own part of the bitmap
/// `to`.
void launch_publish(const SteppedView& view, FrontierAt at, int to, LaunchSize size, const Stream& stream);

/// Moves this rank's part of such a frontier to own_frontier, and adds its vertices and out-edges
/// to counts.
void launch_survey(const SteppedView& view, LaunchSize size, const Stream& stream);
/// Makes the work items of own_frontier, unless the out-edges in counts are more than `most_edges`.
void launch_queue_own_frontier(const SteppedView& view, std::uint64_t most_edges, LaunchSize size,
                               const Stream& stream);

/// Makes the work items of this rank's part of a frontier, stores them in the queue, and adds them
/// and their edges to counts. `columns`: the bitmap of all columns that holds the frontier, for
/// FrontierAt::columns. `tail`: the hubs are left out.
void launch_make_items(const SteppedView& view, FrontierAt at, const std::uint32_t* columns, bool tail, ItemSizes sizes,
                       LaunchSize size, const Stream& stream);

/// Follows the queue's items [first, last). Own vertices are visited and added to counts; for a
/// vertex of another rank an ask is appended. `seen`: a bitmap of all columns; if the bit of
/// another rank's vertex is set, the vertex is visited or has been asked for.
void launch_follow_items(const SteppedView& view, std::uint32_t* seen, std::uint64_t first, std::uint64_t last,
                         ItemSizes sizes, std::int32_t level, AskList found, const Stream& stream);

/// Adds the number of asks for each rank to counts[rank].
void launch_count_asks(const DeviceGraphView& graph, AskList found, unsigned long long* counts, const Stream& stream);

/// Copies `count` asks to `placed`: those for rank r begin at next[r], which is advanced to their
/// end.
void launch_place_asks(const DeviceGraphView& graph, const Ask* asks, std::uint64_t count, unsigned long long* next,
                       Ask* placed, const Stream& stream);

/// Visits the vertices that other ranks ask for, and adds the new ones to counts.
void launch_answer_asks(const SteppedView& view, const Ask* asks, std::uint64_t count, std::int32_t level,
                        const Stream& stream);

/// The asks for each rank, or from each rank, in pieces of the same size: the target of a piece's
/// first ask is the number of those that follow.
struct AskPieces
{
    Ask* asks = nullptr;
    std::uint64_t size = 0;  // of a piece

    [[nodiscard]] WAYFRONT_HD Ask* of_rank(std::uint32_t rank) const { return asks + rank * size; }
    /// For UsedBytes.
    [[nodiscard]] static std::size_t used_bytes(const std::byte* piece, std::size_t piece_bytes)
    {
        const std::size_t count = reinterpret_cast<const Ask*>(piece)->target;
        return std::min(piece_bytes, (1 + count) * sizeof(Ask));
    }
};
/// Copies a few asks to pieces, which have room for all of them.
void launch_fill_pieces(const DeviceGraphView& graph, AskList found, AskPieces pieces, const Stream& stream);
/// Visits the vertices that the pieces of other ranks ask for.
void launch_answer_pieces(const SteppedView& view, AskPieces pieces, std::int32_t level, const Stream& stream);

/// launch_pack() copies this rank's part of a bitmap of all columns to `own_part`, without gaps.
/// launch_unpack() copies the parts of the other ranks, which are stored one after the other in the
/// same form, into the bitmap.
void launch_pack(const DeviceGraphView& graph, const std::uint32_t* columns, std::uint32_t* own_part,
                 const Stream& stream);
void launch_unpack(const DeviceGraphView& graph, const std::uint32_t* parts, std::uint32_t* columns,
                   const Stream& stream);
/// The same with lists of slots, which have `size` places each, ~0 in those that are left. `count`:
/// memory of one number.
void launch_pack_list(const DeviceGraphView& graph, const std::uint32_t* columns, std::span<std::uint32_t> own_list,
                      unsigned long long* count, const Stream& stream);
void launch_unpack_lists(const DeviceGraphView& graph, const std::uint32_t* lists, std::uint64_t size,
                         std::uint32_t* columns, const Stream& stream);

/// Marks the vertices that were not reached, after the last level.
void launch_finish(const SteppedView& view, const Stream& stream);

/// The blocks and shared memory of the launches that take a LaunchSize. Sets the view's shared
/// memory (set_shared_memory()). Throws ResourceError.
[[nodiscard]] LaunchSize stepped_launch_size(SteppedView& view, std::uint32_t most_hubs);

}  // namespace wayfront::gpu::bfs
