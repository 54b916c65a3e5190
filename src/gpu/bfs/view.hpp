// The arguments of the kernels of on-GPU searches: plain pointers and numbers. SearchView has the
// arguments that both forms of the search need; ResidentView and SteppedView add those that only
// one of them needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/direction_rule.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/search_sources.hpp"
#include "gpu/graph/work_items.hpp"

namespace wayfront::gpu::bfs {

// Threads of a block whose warps have shared memory of their own.
inline constexpr int kSearchThreads = 1024;
inline constexpr int kSearchWarps = kSearchThreads / 32;
inline constexpr int kMaxRecords = 64;  // the most levels whose counts are kept for the report

/// A vertex that another rank's search found, with its parent, on the way to the vertex's owner.
/// Before the stepped search sends an ask, its target is a column.
struct alignas(8) Ask
{
    static constexpr std::uint32_t kNone = ~0U;

    std::uint32_t target;  // the vertex's slot at its owner; kNone: this place of the list is empty
    std::uint32_t vertex;  // the parent's number in the input
};

// Places of a list of asks that a warp takes at a time.
inline constexpr std::uint32_t kAskChunk = 128;

/// The state of a rank's vertices in a search.
struct PeerState
{
    std::uint32_t* visited = nullptr;  // own slots, bitmap
    // All columns, bitmap, followed by a tile of zeros; see publish_word().
    std::uint32_t* frontier[2] = {nullptr, nullptr};
    // Own slots: the input's numbers; ~0 if not reached.
    std::uint32_t* parents = nullptr;
    std::int32_t* levels = nullptr;  // own slots, if they are kept
};

/// The state of a rank's vertices in the resident search, which peers read and write, and the lists
/// in which peers leave their asks.
struct ResidentPeer : PeerState
{
    Ask* asks = nullptr;  // a list of ask_capacity from each rank
    // kMaxPeers numbers: the places that this rank has taken in its list at each peer.
    std::uint32_t* ask_counts = nullptr;
};

/// The record of a resident search, which the host reads.
struct SearchSummary
{
    std::uint32_t records = 0;  // the number of levels that are recorded below
    std::uint64_t reached = 0;
    std::int32_t single_block_level = 0;  // the level at which block 0 stopped
    std::uint64_t single_block_reached = 0;
    // The number of the level, from 1; of consecutive levels on one block, the first one's.
    std::int32_t levels[kMaxRecords];
    LevelCounts counts[kMaxRecords];         // of the frontier that the level starts from
    std::uint32_t bottom_up[kMaxRecords];    // 1: the level went bottom-up
    std::uint64_t nanoseconds[kMaxRecords];  // the time at which the level began
    std::uint64_t end_nanoseconds = 0;       // the time at which the last level ended
};

/// The key of a search; several keys only in the resident search on one GPU.
using SearchKey = SearchSources;

/// The arguments of all kernels of a search. The memory is on this GPU and belongs to the search or
/// its graph.
struct SearchView
{
    DeviceGraphView graph;
    PeerState own;
    // Own slots, bitmap: visited, without the frontier (after top-down levels).
    std::uint32_t* expanded = nullptr;
    // Own slots, bitmap: the frontier after it was taken (FrontierWords).
    std::uint32_t* own_frontier = nullptr;
    // graph.local_count: parents in the order of local numbers.
    std::int32_t* result = nullptr;
    // graph.local_count: levels in the order of local numbers, if they are kept.
    std::int32_t* result_levels = nullptr;
    DirectionRule rule;
    std::uint32_t zero = 0;  // always 0, but the compiler does not know that: see bits.cuh
    // Words of the bitmap of all columns that are kept in shared memory, those of the hubs
    // (set_shared_memory()).
    std::uint32_t hub_words = 0;
    std::size_t shared_bytes = 0;  // bytes of shared memory of a block
    std::uint32_t scan_slots = 0;  // that a warp gathers in shared memory (FrontierSlots)
    // The first own slot after the hubs; slot_stride if there is none.
    std::uint32_t tail_slot = 0;
    bool keep_levels = false;
};

struct ResidentView : SearchView
{
    // By rank; the pointers of other ranks point to memory on their GPUs.
    ResidentPeer peers[kMaxPeers];
    GridBarrierView<LevelCounts> barrier;
    WorkItem* queue[2] = {nullptr, nullptr};
    SearchSummary* summary = nullptr;
    std::uint32_t ask_capacity = 0;  // the most asks of one rank in another's memory
};

/// The counters of the kernels of a stepped search.
struct StepCounts
{
    CountWords<LevelCounts> level;
    std::uint64_t queue_items;  // work items that were made
};

struct SteppedView : SearchView
{
    WorkItem* queue = nullptr;
    StepCounts* counts = nullptr;
};

}  // namespace wayfront::gpu::bfs
