// What the kernels of on-GPU searches work on: plain pointers and numbers. What both forms of the
// search need is in SearchView, what one of them needs in ResidentView and SteppedView.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/bfs/direction_rule.hpp"
#include "gpu/exchange/grid_barrier.hpp"
#include "gpu/graph/device_graph.hpp"
#include "gpu/graph/work_items.hpp"

namespace wayfront::gpu {

inline constexpr int kSearchThreads = 1024;  // of a block whose warps have shared memory of their own
inline constexpr int kSearchWarps = kSearchThreads / 32;
inline constexpr int kMaxRecords = 64;  // levels whose counts are kept for the report

/// A vertex that another rank's search found, and its parent. On its way to the owner the stepped
/// search names the vertex by its column.
struct alignas(8) Ask
{
    static constexpr std::uint32_t kNone = ~0U;

    std::uint32_t target;  // its slot; kNone: none
    std::uint32_t vertex;  // the parent's number in the input
};

inline constexpr std::uint32_t kAskChunk = 128;  // places of a list of asks that a warp takes at a time

/// What a search keeps of a rank's vertices.
struct PeerState
{
    std::uint32_t* visited = nullptr;                 // own slots, bitmap
    std::uint32_t* frontier[2] = {nullptr, nullptr};  // all columns, bitmap, and a tile of zeros behind; see publish_word()
    std::uint32_t* parents = nullptr;                 // own slots: the input's numbers; ~0 if not reached
    std::int32_t* levels = nullptr;                   // own slots, if they are kept
};

/// The same in the resident search, whose peers read and write it, with what they leave there.
struct ResidentPeer : PeerState
{
    Ask* asks = nullptr;                  // a list of ask_capacity from each rank
    std::uint32_t* ask_counts = nullptr;  // kMaxPeers: the places that this rank has taken in its lists at others
};

/// What the host reads of a resident search.
struct SearchSummary
{
    std::uint32_t records = 0;  // levels that are recorded below
    std::uint64_t reached = 0;
    std::int32_t single_block_level = 0;  // the level at which block 0 stopped
    std::uint64_t single_block_reached = 0;
    LevelCounts counts[kMaxRecords];         // of the frontier that level i starts from
    std::uint32_t bottom_up[kMaxRecords];    // 1: level i went bottom-up
    std::uint64_t nanoseconds[kMaxRecords];  // the time at which level i began
    std::uint64_t end_nanoseconds = 0;       // and at which the last one ended
};

/// The key of a search, as a rank sees it.
struct SearchKey
{
    static constexpr std::uint32_t kElsewhere = ~0U;

    std::uint32_t local = kElsewhere;  // its local number on its owner, kElsewhere on other ranks
    std::uint32_t vertex = 0;          // its number in the input

    [[nodiscard]] static SearchKey of(Vertex key, const DeviceGraphView& graph)
    {
        const bool own = key % static_cast<Vertex>(graph.ranks) == static_cast<Vertex>(graph.rank);
        return {own ? static_cast<std::uint32_t>(key / static_cast<Vertex>(graph.ranks)) : kElsewhere, static_cast<std::uint32_t>(key)};
    }
};

/// What all kernels of a search are given. The memory belongs to the search or its graph, on this GPU.
struct SearchView
{
    DeviceGraphView graph;
    PeerState own;
    std::uint32_t* expanded = nullptr;      // own slots, bitmap: visited, without the frontier (after top-down levels)
    std::uint32_t* own_frontier = nullptr;  // own slots, bitmap: the frontier, once it is taken (FrontierWords)
    std::int32_t* result = nullptr;         // graph.local_count: parents in the order of local numbers
    std::int32_t* result_levels = nullptr;  // the same of levels, if they are kept
    DirectionRule rule;
    std::uint32_t zero = 0;        // which the compiler does not know: see bits.cuh
    std::uint32_t hub_words = 0;   // words of a bitmap of all columns that fit into shared memory: the hubs' (set_shared_memory())
    std::size_t shared_bytes = 0;  // of a block
    std::uint32_t tail_slot = 0;   // the first own slot behind the hubs; slot_stride if there is none
    bool keep_levels = false;
};

struct ResidentView : SearchView
{
    ResidentPeer peers[kMaxPeers];  // by rank; of the others, memory on their GPUs
    GridBarrierView<LevelCounts> barrier;
    WorkItem* queue[2] = {nullptr, nullptr};
    SearchSummary* summary = nullptr;
    std::uint32_t ask_capacity = 0;  // asks of one rank that fit into another's memory
};

/// What kernels of a stepped search count.
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

}  // namespace wayfront::gpu
