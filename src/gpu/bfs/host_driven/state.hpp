// What an engine on a GPU holds, and the parts of a level.
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
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/staging.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// 32-bit words of a bitmap, as many as the host's words of 64 bits hold.
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

/// The host's lists in device memory.
struct DeviceLists
{
    DeviceBuffer<std::uint64_t> group_offsets;
    DeviceBuffer<std::uint32_t> relative_offsets;
    DeviceBuffer<std::uint32_t> neighbours;

    DeviceLists() = default;
    DeviceLists(const Csr& host, Staging& staging, const Stream& stream)
        : group_offsets((std::size_t{host.lists()} >> kOffsetGroupBits) + 1),
          relative_offsets(std::size_t{host.lists()} + 1),
          neighbours(host.edges())
    {
        const CsrView view = host.view();
        staging.to_device(std::span(view.group_offsets, group_offsets.size()), group_offsets.data(), stream);
        staging.to_device(std::span(view.relative_offsets, relative_offsets.size()), relative_offsets.data(), stream);
        staging.to_device(host.neighbours(), neighbours.data(), stream);
    }

    [[nodiscard]] CsrView view() const
    {
        return {group_offsets.data(), relative_offsets.data(), neighbours.data(), static_cast<std::uint32_t>(relative_offsets.size() - 1)};
    }
};

struct GpuEngine::State
{
    /// What collect() waits for.
    struct Pending
    {
        enum class Level { none, empty, top_down, bottom_up } level = Level::none;
        Discoveries* discoveries = nullptr;
    };

    State(const CsrBlock& block, GpuTuning sizes, std::size_t most_bytes);

    /// Runs every kernel once: the driver loads a kernel at its first launch, which takes longer than a level.
    void load_kernels();
    void use_device() const { check(cudaSetDevice(device)); }
    /// What both directions begin with. False where there is nothing to search from.
    bool begin_level(const FrontierView& frontier, Discoveries& discoveries, Pending::Level level);
    void bring_frontier(const FrontierView& frontier, bool as_list);
    void launch_stretches(const Stretches& stretches);
    void copy_head(std::size_t list_rows);
    void collect_top_down(Discoveries& discoveries);
    void take_found(const Stretches& stretches, std::size_t i, const Discoveries& discoveries) const;
    void collect_bottom_up(Discoveries& discoveries);

    int device;
    int multiprocessors;
    DeviceBytes bytes;
    GpuTuning tuning;
    std::uint32_t rows;
    std::uint32_t cols;
    Stretches row_stretches;       // of a level that is collected whole
    Stretches slot_stretches;      // of the rows of one whose stretches are taken
    Stretches frontier_stretches;  // of its columns
    Stream stream;                 // all that happens, one after the other
    Stream found_copies;           // but for the copies of a level's stretches, which run beside the next stretch
    Stream frontier_copies;        // and those of the next frontier
    Staging staging;

    DeviceLists in_edges;
    DeviceLists out_edges;  // empty where the block is symmetric
    DeviceBuffer<std::uint32_t> first_in_neighbour;
    DeviceBuffer<std::uint32_t> seen;
    DeviceBuffer<std::uint32_t> parents;
    DeviceBuffer<std::uint32_t> frontier_bitmap;
    DeviceBuffer<std::uint32_t> next_frontier;  // the bitmap, as far as bring() has had it
    DeviceBuffer<std::uint32_t> frontier_list;
    DeviceBuffer<std::uint32_t> found_bitmap;
    DeviceBuffer<std::uint32_t> head;  // a LevelHeader, then the list of found rows
    DeviceBuffer<WidePiece> pieces;
    BlockView block_view;
    LevelView level_view;

    PinnedBuffer<std::uint32_t> host_head;   // the header and the eager rows
    PinnedBuffer<std::uint32_t> host_found;  // the found bitmap of a bottom-up level
    Event head_copied;
    TimedEvent level_begun;  // where stretches are taken, at this time of the host's
    Clock::time_point level_begin;
    TimedEvent frontier_there;
    std::vector<TimedEvent> searched;  // of each stretch
    std::vector<TimedEvent> copied;
    std::vector<TimedEvent> bringing;
    std::vector<TimedEvent> brought;

    Pending pending;
    bool searched_any = false;  // since begin_search
};

}  // namespace wayfront::gpu
