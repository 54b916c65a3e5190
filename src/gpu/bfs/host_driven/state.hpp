// The state of an engine on a GPU, and the parts of a level.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bitmap.hpp"
#include "base/phase.hpp"
#include "base/types.hpp"
#include "gpu/bfs/host_driven/engine.hpp"
#include "gpu/bfs/host_driven/kernels.hpp"
#include "gpu/bfs/host_driven/stretches.hpp"
#include "gpu/graph/device_csr.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// The number of 32-bit words in a bitmap of the host, whose words have 64 bits.
inline std::size_t half_words(std::size_t bits)
{
    return 2 * word_count(bits);
}

inline std::span<const std::uint32_t> as_half_words(const std::uint64_t* bitmap, std::size_t bits)
{
    return {reinterpret_cast<const std::uint32_t*>(bitmap), half_words(bits)};
}

inline std::span<std::uint32_t> as_half_words(std::uint64_t* bitmap, std::size_t bits)
{
    return {reinterpret_cast<std::uint32_t*>(bitmap), half_words(bits)};
}

/// The arrays of an engine, without the lists of its block of the matrix.
struct EnginePlan : MemoryPlan
{
    EnginePlan(std::uint32_t rows, std::uint32_t cols, std::size_t most_pieces)
        : first_in_neighbour(array<std::uint32_t>("first neighbours", rows)),
          seen(array<std::uint32_t>("seen rows", half_words(rows))),
          parents(array<std::uint32_t>("parents", rows)),
          frontier_bitmap(array<std::uint32_t>("frontier", half_words(cols))),
          next_frontier(array<std::uint32_t>("next frontier", half_words(cols))),
          frontier_list(array<std::uint32_t>("frontier list", cols)),
          found_bitmap(array<std::uint32_t>("found rows", half_words(rows))),
          head(array<std::uint32_t>("header and list of found rows", kHeaderWords + rows)),
          pieces(array<WidePiece>("pieces of wide lists", most_pieces))
    {
    }

    PlannedArray<std::uint32_t> first_in_neighbour, seen, parents, frontier_bitmap, next_frontier, frontier_list,
        found_bitmap, head;
    PlannedArray<WidePiece> pieces;
};

struct GpuEngine::State
{
    /// The level for which collect() waits.
    struct Pending
    {
        enum class Level { none, empty, top_down, bottom_up } level = Level::none;
        Discoveries* discoveries = nullptr;
    };

    State(const CsrBlock& block, GpuTuning sizes, std::size_t most_bytes);
    State(const CsrBlock& block, const EnginePlan& plan, GpuTuning sizes, std::size_t most_bytes);

    /// Runs every kernel once. The driver loads a kernel at its first launch, which takes longer
    /// than a level.
    void load_kernels();
    void use_device() const { check(cudaSetDevice(device)); }
    /// Begins a level in either direction. Returns false if the frontier or the block of the matrix
    /// is empty.
    bool begin_level(const FrontierView& frontier, Discoveries& discoveries, Pending::Level level);
    void upload_frontier(const FrontierView& frontier, bool as_list);
    void launch_stretches(const Stretches& stretches);
    void copy_head(std::size_t list_rows);
    void collect_top_down(Discoveries& discoveries);
    void copy_found(const Stretches& stretches, std::size_t i, const Discoveries& discoveries) const;
    void collect_bottom_up(Discoveries& discoveries);

    DeviceBytes bytes;
    int device;
    int multiprocessors;
    GpuTuning tuning;
    std::uint32_t rows;
    std::uint32_t cols;
    Stretches row_stretches;       // stretches of rows of a level that is collected as a whole
    Stretches slot_stretches;      // stretches of rows of a level that is taken stretch by stretch
    Stretches frontier_stretches;  // stretches of columns of such a level
    Stream stream;                 // the stream of all work except the copies in the next two streams
    // Stream of the copies of a stretch's found rows, which run while the next stretch is searched.
    Stream found_copies;
    Stream frontier_copies;  // stream of the copies of the next frontier
    Staging staging;

    DeviceCsr in_edges;
    DeviceCsr out_edges;  // empty if the block is symmetric
    DeviceArrays arrays;
    std::span<std::uint32_t> first_in_neighbour;
    std::span<std::uint32_t> seen;
    std::span<std::uint32_t> parents;
    std::span<std::uint32_t> frontier_bitmap;
    // Bitmap of the next frontier, of which upload_frontier() has copied the first stretches.
    std::span<std::uint32_t> next_frontier;
    std::span<std::uint32_t> frontier_list;
    std::span<std::uint32_t> found_bitmap;
    std::span<std::uint32_t> head;  // a LevelHeader, then the list of found rows
    std::span<WidePiece> pieces;
    BlockView block_view;
    LevelView level_view;

    PinnedBuffer<std::uint32_t> host_head;   // the header and the eager rows
    PinnedBuffer<std::uint32_t> host_found;  // the found bitmap of a bottom-up level
    Event head_copied;
    TimedEvent level_begun;  // the beginning of a level whose stretches are taken one by one
    Clock::time_point level_begin;
    TimedEvent frontier_uploaded;
    std::vector<TimedEvent> searched;  // one event for each stretch, as in the next three vectors
    std::vector<TimedEvent> copied;
    std::vector<TimedEvent> upload_begun;
    std::vector<TimedEvent> upload_ended;

    Pending pending;
    bool searched_any = false;  // whether a level has run since begin_search()
};

}  // namespace wayfront::gpu::bfs
