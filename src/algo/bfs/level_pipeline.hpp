// A bottom-up level whose kernels, copies and messages are under way together.
//
// After the overlapped steps of a level in T. Hiragushi and D. Takahashi's paper on breadth-first search on GPU clusters (University of Tsukuba,
// 2013), figure 8. Here the slots are cut into stretches, and while the engine searches one, what it found in those before is on its way:
//
//     searched and copied to the host (StretchEngine)  ->  folded along the grid row  ->  committed by its owner
//         ->  gathered along the grid column, as the next level's frontier  ->  brought to the engine
//
// Folds and gathers start in the order of stretches, which is the same on all ranks. Sets travel as bitmaps. The thread that calls moves all of it
// on: it asks in turn what is done, and waits for nothing in particular.
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
    /// All of them outlive the pipeline; `engine` is null where it has no stretches. Messages have spans in `log`, which may be null.
    LevelPipeline(const comm::ProcessGrid& grid, const CsrBlock& block, StretchEngine* engine, SearchState& state, PhaseLog* log);

    /// Whether a level has several stretches. The same on all ranks.
    [[nodiscard]] bool has_stretches() const { return stretches_ > 1; }

    /// Searches a bottom-up level; `own` becomes this rank's part of the next frontier. Returns when all is searched. Collective over the grid.
    void search(const FrontierView& frontier, Discoveries& discoveries, std::int32_t level, comm::SlotSet& own);
    /// Waits for the rest of the level's messages.
    void finish();

    /// What was gathered ahead by the level before, into `all`; `counts`: how many slots of each rank. The engine has it, too.
    void take_frontier(std::span<const std::size_t> counts, comm::SlotSet& all);

private:
    /// Messages of one kind: those of stretches [0, done) have come, those of [done, started) are under way.
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
        Clock::time_point last_done = {};  // for the trace, where spans of one kind follow each other

        void restart() { started = done = 0; }
    };

    [[nodiscard]] IndexRange words_of(std::size_t stretch) const;
    /// Does what can be done now, at most once of each kind. Whether there was anything.
    bool step();
    template <typename Start>
    bool advance(Messages& messages, std::size_t ready, Start&& start);
    [[nodiscard]] comm::Pending start_gather(IndexRange words);
    /// Goes on until `count` has come to all stretches.
    void step_until_all(const std::size_t& count);

    const CsrBlock& block_;
    StretchEngine* engine_;
    SearchState& state_;
    PhaseLog* log_;
    std::size_t stretches_ = 0;
    HostBuffer<std::uint64_t> next_frontier_;  // of all columns, and one more word, which is 0

    // Of the level under way. Counts are of the stretches that have come so far.
    std::int32_t level_ = 0;
    comm::SlotSet* own_ = nullptr;
    std::size_t taken_ = 0;
    Messages folds_;
    std::size_t committed_ = 0;
    Messages gathers_;
    std::size_t brought_ = 0;
};

}  // namespace wayfront::algo
