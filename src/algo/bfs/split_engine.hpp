// Two engines that search one block together, for example the CPU's cores and a GPU.
//
// T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of
// Tsukuba, 2013), section 3.3: both engines search in every level. In the paper the CPU searches
// 1/4 of each block, a share found by trial. Here the block is cut by rows
// (algo/bfs/row_split.hpp), at any share of the edges. Each engine finds rows that the other one
// never looks for, so that their results need not be compared: words of their bitmaps are only
// copied to their positions.
//
// Without a given share the engine finds one by trying, which the paper names as future work
// (algo/bfs/share_trials.hpp). tune() gets the time of each search, cuts the block anew and asks
// for the same search again, until the fastest share is known. It is 0 or 1 if one engine alone is
// fastest.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "algo/bfs/edge_engine.hpp"
#include "algo/bfs/share_trials.hpp"
#include "base/host_buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront {

/// Makes an engine on a block. The block outlives the engine, unless the engine has its own copy.
using EngineMaker = std::function<std::unique_ptr<EdgeEngine>(const CsrBlock&)>;

class SplitEngine final : public EdgeEngine
{
public:
    /// The first engine gets `share` (0 to 1) of the block's edges; without a value kFirstShare,
    /// until tune() finds a better share. A level is launched on both engines, and the first engine
    /// is collected first: the first engine may work in collect(), and the second one in the
    /// background. The block outlives the engine. Copies the edges of parts whose engines have no
    /// copy of their own. Throws what the makers throw.
    SplitEngine(const CsrBlock& block, EngineMaker make_first, EngineMaker make_second, std::optional<double> share);

    /// For example "split:0.25": the first engine's share.
    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] double share() const { return share_; }

    [[nodiscard]] bool takes_either_form() const override;
    [[nodiscard]] DeviceBytes device_bytes() const override;
    void begin_search(std::uint32_t seen_row) override;
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override
    {
        launch({true, frontier, &discoveries});
    }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override
    {
        launch({false, frontier, &discoveries});
    }
    void collect() override;
    void end_search(const Discoveries& discoveries) override;

    /// Cuts the block at `share` during the trials. If an engine has no memory for its part,
    /// kFirstShare is used instead.
    bool tune(double seconds) override;

private:
    /// One engine, its rows, and its state of the search in the part's own numbers.
    struct Part
    {
        HostBuffer<std::uint32_t> words;  // of the block's rows
        CsrBlock block;                   // empty if the engine has a copy or the whole block
        std::unique_ptr<EdgeEngine> engine;
        HostBuffer<std::uint64_t> seen;
        HostBuffer<std::uint32_t> parents;
        HostBuffer<std::uint32_t> list;
        HostBuffer<std::uint64_t> found;
        Discoveries discoveries;  // the discoveries of the level under way
    };
    struct Launched
    {
        bool top_down = false;
        FrontierView frontier;
        Discoveries* discoveries = nullptr;
    };

    void split(double share);
    void split_with_fallback(double share);
    void make_part(Part& part, HostBuffer<std::uint32_t> words, const EngineMaker& make);
    void launch(const Launched& level);
    void launch_on(EdgeEngine& engine, Discoveries& discoveries) const;
    void merge();

    const CsrBlock& block_;
    std::array<EngineMaker, 2> makers_;
    std::array<Part, 2> parts_;
    // The engine that has all rows, if one has: functions call it directly.
    EdgeEngine* whole_block_engine_ = nullptr;
    double share_ = 0;
    std::string name_;
    Launched launched_;
    std::optional<ShareTrials> trials_;  // if no share was given
};

}  // namespace wayfront
