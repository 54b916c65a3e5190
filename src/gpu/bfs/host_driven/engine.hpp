// The engine on a GPU, for host-driven searches.
//
// T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of Tsukuba, 2013), section 3: for grids of any shape,
// directed graphs, searches that end at a given level, and blocks that a GPU shares with the CPU. (On-GPU searches: device_search.hpp.) The block is
// copied to device memory in the host's numbering; the kernels stand in engine/.
//
// What crosses the bus: the frontier up, as bitmap or list, whichever is fewer bytes; what was found down, likewise; `seen` only where the host
// changed it, since the device keeps its own; parents once, when the search ends. Copies go through pinned memory in chunks, so that one is on the
// bus while the host fills or empties the next, and bottom-up levels of many rows are launched in stretches whose finds travel while the next is
// searched. The caller may take these stretch by stretch, and bring the next frontier likewise, so that messages travel meanwhile, too.
//
// Free of CUDA's headers. Uses the device that is current when the engine is made (runtime/device.hpp), in every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "algo/bfs/edge_engine.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu {

/// Sizes from which work and copies are cut. Tests make them small.
struct GpuTuning
{
    std::uint32_t stretch_rows = 1U << 22;  // rows of a bottom-up level that are searched by one launch; a multiple of 128
    std::size_t eager_rows = 4088;          // rows found top-down that come down with their number, before it is known

    // Slots, at least, of a stretch of a bottom-up level that is taken by itself; a multiple of 64. 2^22 give messages of 512 KiB from rank to rank:
    // with fewer, what each message costs by itself took more time than was won. With more than half of a chunk, levels are collected whole.
    std::uint32_t stretch_slots = 1U << 22;
};

class GpuEngine final : public EdgeEngine, private StretchEngine
{
public:
    static constexpr std::size_t kAllThatIsFree = ~std::size_t{0};

    /// Copies the block; it may go afterwards. Throws ResourceError where device memory, of which it may take `most_bytes`, does not suffice, before
    /// it takes any.
    explicit GpuEngine(const CsrBlock& block, GpuTuning tuning = {}, std::size_t most_bytes = kAllThatIsFree);
    ~GpuEngine() override;

    /// Device memory that an engine on this block takes.
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

}  // namespace wayfront::gpu
