// The engine on a GPU, for host-driven searches.
//
// The engine follows T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters
// (University of Tsukuba, 2013), section 3. It supports grids of any shape, directed graphs,
// searches that end at a given level, and blocks of the matrix that a GPU shares with the CPU.
// (device_search.hpp has the on-GPU searches.) The block of the matrix is copied to device memory
// in the host's numbering.
//
// The frontier is copied to the device, as a bitmap or a list, whichever has fewer bytes. The found
// rows are copied to the host in either form. `seen` is copied to the device only if the host has
// changed it, since the device has its own copy. The parents are copied to the host once, when the
// search ends. Copies pass through pinned memory in chunks, so that one chunk is on the bus while
// the host fills or empties the next. Bottom-up levels of many rows are launched in stretches: the
// rows found in one stretch are copied while the next is searched. The caller may also take the
// found rows and pass the next frontier stretch by stretch, so that messages overlap with the
// search.
//
// This header is free of CUDA's headers. All calls use the device that is current when the engine
// is constructed (runtime/device.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algo/bfs/edge_engine.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::bfs {

/// The sizes of the parts in which work and copies are done. Tests set small sizes.
struct GpuTuning
{
    // Number of rows of a bottom-up level in one launch; a multiple of 128.
    std::uint32_t stretch_rows = 1U << 22;
    // Number of rows found top-down that are copied together with their count, before the host
    // knows the count.
    std::size_t eager_rows = 4088;

    // Smallest number of slots of a stretch whose results are taken separately; a multiple of 64.
    // With 2^22 slots, ranks send each other messages of 512 KiB; with fewer slots, the messages
    // cost more than the overlap gains. If this is more than half of a chunk, levels are collected
    // as a whole.
    std::uint32_t stretch_slots = 1U << 22;
};

class GpuEngine final : public EdgeEngine, private StretchEngine
{
public:
    static constexpr std::size_t kAllFreeMemory = ~std::size_t{0};

    /// Copies the block of the matrix, which the caller may destroy afterwards. Throws
    /// ResourceError before it allocates memory if the free device memory, or its part `most_bytes`
    /// that the engine may use, does not suffice.
    explicit GpuEngine(const CsrBlock& block, GpuTuning tuning = {}, std::size_t most_bytes = kAllFreeMemory);
    ~GpuEngine() override;

    /// The bytes of device memory of an engine for this block of the matrix.
    [[nodiscard]] static DeviceBytes device_bytes_for(const CsrBlock& block);

    [[nodiscard]] std::string_view name() const override { return "gpu"; }
    [[nodiscard]] bool takes_either_form() const override { return true; }
    [[nodiscard]] bool has_own_copy() const override { return true; }
    [[nodiscard]] DeviceBytes device_bytes() const override;
    void begin_search(std::uint32_t seen_row) override;
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override;
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override;
    void collect() override;
    [[nodiscard]] StretchEngine* stretches() override { return this; }
    void end_search(const Discoveries& discoveries) override;

private:
    [[nodiscard]] std::uint32_t stretch_slots() const override;
    void launch(const FrontierView& frontier, Discoveries& discoveries) override;
    [[nodiscard]] bool poll_stretch(std::size_t stretch) override;
    void upload_frontier(const std::uint64_t* frontier_bitmap, std::size_t stretch) override;
    void add_spans(const LevelLog& to) override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
