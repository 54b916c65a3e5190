// A bottom-up level whose kernels, copies and messages overlap.
//
// After figure 8 of T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters
// (University of Tsukuba, 2013). Here the slots are cut into stretches. While the engine searches
// one stretch, earlier stretches pass through these steps:
//
//     searched and copied to the host (StretchEngine)  ->  folded along the grid row
//         ->  committed by the owner
//         ->  gathered along the grid column, as the next level's frontier
//         ->  uploaded to the engine
//
// Folds and gathers start in the order of stretches, which is the same on all ranks. Sets are sent
// as bitmaps. The calling thread drives all steps: it polls them in turn and blocks on none of
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "algo/bfs/edge_engine.hpp"
#include "algo/bfs/search_state.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "comm/frontier_exchange.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

class LevelPipeline
{
public:
    /// All arguments outlive the pipeline. `engine` is null if the engine has no stretches.
    /// Messages are spans in `log`, which may be null.
    LevelPipeline(const comm::ProcessGrid& grid, const CsrBlock& block, StretchEngine* engine, SearchState& state,
                  PhaseLog* log);

    /// Whether a level has more than one stretch. The same on all ranks.
    [[nodiscard]] bool has_stretches() const { return stretches_ > 1; }

    /// Searches a bottom-up level; `own` becomes this rank's part of the next frontier. Returns
    /// when all stretches have been searched; messages may still be under way. Collective over the
    /// grid.
    void search(const FrontierView& frontier, Discoveries& discoveries, std::int32_t level, comm::SlotSet& own);
    /// Waits for the remaining messages of the level.
    void finish();

    /// Moves the frontier that the previous level gathered into `all`. counts[r] is the number of
    /// slots of rank r. The engine has this frontier, too.
    void take_frontier(std::span<const std::size_t> counts, comm::SlotSet& all);

private:
    /// Messages of one kind: those of the stretches [0, done) are done, those of [done, started)
    /// are under way.
    struct Messages
    {
        struct Message
        {
            comm::Pending pending;
            Clock::time_point start;
        };
        const comm::Communicator& group;
        std::string_view name;
        std::size_t started = 0;
        std::size_t done = 0;
        std::vector<Message> of_stretch = {};
        Clock::time_point last_done = {};  // for the log, where spans of one kind do not overlap

        void restart() { started = done = 0; }
    };

    [[nodiscard]] IndexRange words_of(std::size_t stretch) const;
    /// Advances each step by at most one stretch, without waiting. Returns whether anything
    /// happened.
    bool step();
    template <typename Start>
    bool advance(Messages& messages, std::size_t ready, Start&& start);
    [[nodiscard]] comm::Pending start_gather(IndexRange words);
    /// Calls step() until `count` equals the number of stretches.
    void step_until_all(const std::size_t& count);

    const CsrBlock& block_;
    StretchEngine* engine_;
    SearchState& state_;
    PhaseLog* log_;
    std::size_t stretches_ = 0;
    HostBuffer<std::uint64_t> next_frontier_;  // cols() bits, and one more word, which is 0

    // The level under way. Each count is the number of stretches that have passed the step.
    std::int32_t level_ = 0;
    comm::SlotSet* own_ = nullptr;
    std::size_t taken_ = 0;
    Messages folds_;
    std::size_t committed_ = 0;
    Messages gathers_;
    std::size_t uploaded_ = 0;
};

}  // namespace wayfront::algo
