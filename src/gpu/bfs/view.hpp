// The arguments of the kernels of on-GPU searches: plain pointers and numbers. SearchView has the
// arguments of all searches; ResidentView and SteppedView add those of one kind of search.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/direction_rule.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/search_sources.hpp"
#include "gpu/graph/work_items.hpp"

namespace wayfront::gpu::bfs {

// Number of threads of a block whose warps have parts of the shared memory.
inline constexpr int kSearchThreads = 1024;
inline constexpr int kSearchWarps = kSearchThreads / 32;
inline constexpr int kMaxRecords = 64;  // largest number of levels whose counts are recorded for the report

/// A request to the owner of a vertex to visit the vertex: another rank found it, with this parent. In the stepped
/// search, the target is a column until the request is sent.
struct alignas(8) VisitRequest
{
    static constexpr std::uint32_t kNone = ~0U;

    std::uint32_t target;  // the vertex's slot at its owner; kNone if this place of a list is empty
    std::uint32_t vertex;  // the input's number of the parent
};

// Number of places of a list of requests that a warp reserves at a time.
inline constexpr std::uint32_t kRequestChunk = 128;

/// The state of a rank's vertices in a search.
struct PeerState
{
    std::uint32_t* visited = nullptr;  // bitmap of own slots
    // Two bitmaps of all columns, each followed by a tile of zeros; see publish_word().
    std::uint32_t* frontier[2] = {nullptr, nullptr};
    // By own slot: the input's number of the parent; ~0 if the vertex is not reached.
    std::uint32_t* parents = nullptr;
    std::int32_t* levels = nullptr;  // by own slot; null if levels are not kept
};

/// The state of a rank's vertices in the resident search, which peers read and write, and the lists
/// to which peers append their requests.
struct ResidentPeer : PeerState
{
    VisitRequest* requests = nullptr;  // one list of request_capacity requests from each rank
    // kMaxPeers numbers: the places that this rank has reserved in its list at each peer.
    std::uint32_t* request_counts = nullptr;
};

/// The record of a resident search, which the host reads.
struct SearchSummary
{
    std::uint32_t records = 0;  // number of recorded levels
    std::uint64_t reached = 0;
    std::int32_t single_block_level = 0;  // level at which block 0 stopped
    std::uint64_t single_block_reached = 0;
    // Number of each recorded level, from 1. For consecutive single-block levels, the first number.
    std::int32_t levels[kMaxRecords];
    LevelCounts counts[kMaxRecords];         // counts of the frontier from which the level starts
    std::uint32_t bottom_up[kMaxRecords];    // 1 if the level was bottom-up
    std::uint64_t nanoseconds[kMaxRecords];  // time at which the level began
    std::uint64_t end_nanoseconds = 0;       // time at which the last level ended
};

/// The key of a search. Several keys are possible only in the resident search on one GPU.
using SearchKey = SearchSources;

/// The arguments of all kernels of a search. The arrays are on this GPU and belong to the search or
/// its graph.
struct SearchView
{
    DeviceGraphView graph;
    PeerState own;
    // Bitmap of own slots: visited vertices without the frontier, after top-down levels.
    std::uint32_t* expanded = nullptr;
    // Bitmap of own slots: the frontier after FrontierWords::take().
    std::uint32_t* own_frontier = nullptr;
    // By local number: parents.
    std::int32_t* result = nullptr;
    // By local number: levels; null if levels are not kept.
    std::int32_t* result_levels = nullptr;
    DirectionRule rule;
    std::uint32_t zero = 0;  // always 0, which the compiler does not know: see bits.cuh
    // Number of words, in the bitmap of all columns, with the bits of the hubs, which are in shared
    // memory (set_shared_memory()).
    std::uint32_t hub_words = 0;
    std::size_t shared_bytes = 0;  // shared memory of a block, in bytes
    std::uint32_t scan_slots = 0;  // number of slots that a warp gathers in shared memory (FrontierSlots)
    // The first own slot after the hubs; slot_stride if there is none.
    std::uint32_t tail_slot = 0;
    bool keep_levels = false;
};

struct ResidentView : SearchView
{
    // By rank. The pointers of other ranks point to memory of their GPUs.
    ResidentPeer peers[kMaxPeers];
    GridBarrierView<LevelCounts> barrier;
    WorkItem* queue[2] = {nullptr, nullptr};
    SearchSummary* summary = nullptr;
    std::uint32_t request_capacity = 0;  // capacity of a list of requests of one rank in another rank's memory
};

/// The counters of the kernels in a stepped search.
struct StepCounts
{
    CountWords<LevelCounts> level;
    std::uint64_t queue_items;  // number of new work items
};

struct SteppedView : SearchView
{
    WorkItem* queue = nullptr;
    StepCounts* counts = nullptr;
};

}  // namespace wayfront::gpu::bfs
