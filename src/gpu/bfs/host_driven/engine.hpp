// The engine on a GPU, for host-driven searches.
//
// It follows T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters
// (University of Tsukuba, 2013), section 3. It is for grids of any shape, directed graphs, searches
// that end at a given level, and blocks that a GPU shares with the CPU. (For on-GPU searches see
// device_search.hpp.) The block is copied to device memory in the host's numbering.
//
// The frontier is copied to the device, as a bitmap or a list, whichever has fewer bytes. The found
// rows are copied to the host, in either form. `seen` is copied to the device only if the host
// changed it, since the device keeps its own copy. The parents are copied to the host once, when
// the search ends. Copies go through pinned memory in chunks, so that one chunk is on the bus while
// the host fills or empties the next. Bottom-up levels of many rows are launched in stretches, and
// the rows found in one are copied while the next is searched. The caller may take the found rows
// stretch by stretch, and pass the next frontier in the same way, so that messages are sent
// meanwhile, too.
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

/// The sizes of the parts in which work and copies are done. Tests make them small.
struct GpuTuning
{
    // Rows of a bottom-up level that are searched by one launch; a multiple of 128.
    std::uint32_t stretch_rows = 1U << 22;
    // Rows found top-down that are copied together with their number, before it is known.
    std::size_t eager_rows = 4088;

    // The fewest slots of a stretch of a bottom-up level that is taken by itself; a multiple of 64.
    // 2^22 slots give messages of 512 KiB from rank to rank: with fewer, the cost of the messages
    // was larger than the gain. If this is more than half of a chunk, levels are collected whole.
    std::uint32_t stretch_slots = 1U << 22;
};

class GpuEngine final : public EdgeEngine, private StretchEngine
{
public:
    static constexpr std::size_t kAllThatIsFree = ~std::size_t{0};

    /// Copies the block, which the caller may destroy afterwards. Throws ResourceError, before it
    /// allocates anything, if the free device memory, or the `most_bytes` of it that the engine may
    /// take, does not suffice.
    explicit GpuEngine(const CsrBlock& block, GpuTuning tuning = {}, std::size_t most_bytes = kAllThatIsFree);
    ~GpuEngine() override;

    /// The bytes of device memory that an engine on this block takes.
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
    [[nodiscard]] bool take(std::size_t stretch) override;
    void bring(const std::uint64_t* frontier_bitmap, std::size_t stretch) override;
    void add_spans(const LevelLog& to) override;

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace wayfront::gpu::bfs
