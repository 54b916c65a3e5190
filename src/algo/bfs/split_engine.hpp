// Two engines that search one block together: the CPU's cores and a GPU, say.
//
// T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of Tsukuba, 2013), section 3.3: both search in every
// level. There the CPU took 1/4 of each block, found by trial. Here the block is cut by rows (algo/bfs/row_split.hpp) at any share of the edges, or
// at one that is measured: both engines then find rows that the other one never looks for, so nothing they find has to be compared, and words of
// their bitmaps only have to be put in their places.
//
// A share that nobody gives is found by trying (the paper's future work; algo/bfs/share_trials.hpp): tune() is told how long each search took, cuts
// the block anew, and asks for the same search again, until it has the share with which it was quickest; 0 or 1 where one engine is quickest alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "algo/bfs/edge_engine.hpp"
#include "algo/bfs/row_split.hpp"
#include "algo/bfs/share_trials.hpp"
#include "base/host_buffer.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront {

/// Makes an engine on a block, which outlives it unless the engine has its own copy.
using EngineMaker = std::function<std::unique_ptr<EdgeEngine>(const CsrBlock&)>;

class SplitEngine final : public EdgeEngine
{
public:
    /// The first engine takes `share` (0 to 1) of the block's edges, or, where there is none, kFirstShare until tune() finds a better one. Levels are
    /// launched on both, and the first is collected first: so the first may be one that works while it is waited for, and the second one that works
    /// by itself. The block outlives the engine. Copies the edges of the parts whose engines have no copy of their own. Throws what the makers throw.
    SplitEngine(const CsrBlock& block, EngineMaker make_first, EngineMaker make_second, std::optional<double> share);

    /// "split:0.25": the first engine's share.
    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] double share() const { return share_; }

    [[nodiscard]] bool takes_either_form() const override;
    [[nodiscard]] DeviceBytes device_bytes() const override;
    void begin_search(std::uint32_t seen_row) override;
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override { launch({true, frontier, &discoveries}); }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override { launch({false, frontier, &discoveries}); }
    void collect() override;
    void end_search(const Discoveries& discoveries) override;

    /// While shares are tried. A share whose part an engine has no room for is tried, and taken, as kFirstShare.
    bool tune(double seconds) override;

private:
    /// One engine, its rows, and what a search knows of them in the part's own numbers.
    struct Part
    {
        HostBuffer<std::uint32_t> words;  // words of the block's rows
        CsrBlock block;                   // empty where the engine has its own copy, or all of the block
        std::unique_ptr<EdgeEngine> engine;
        HostBuffer<std::uint64_t> seen;
        HostBuffer<std::uint32_t> parents;
        HostBuffer<std::uint32_t> list;
        HostBuffer<std::uint64_t> found;
        Discoveries discoveries;  // of the level under way
    };
    struct Launched
    {
        bool top_down = false;
        FrontierView frontier;
        Discoveries* discoveries = nullptr;
    };

    void split(double share);
    void take(double share);
    void make_part(Part& part, HostBuffer<std::uint32_t> words, const EngineMaker& make);
    void launch(const Launched& level);
    void launch_on(EdgeEngine& engine, Discoveries& discoveries) const;
    void merge();

    const CsrBlock& block_;
    std::array<EngineMaker, 2> makers_;
    std::array<Part, 2> parts_;
    EdgeEngine* alone_ = nullptr;  // the engine that has all rows, where one has: calls pass through to it
    double share_ = 0;
    std::string name_;
    Launched launched_;
    std::optional<ShareTrials> trials_;  // where no share was given
};

}  // namespace wayfront
