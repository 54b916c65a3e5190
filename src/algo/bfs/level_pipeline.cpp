#include "algo/bfs/level_pipeline.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

#include "base/bitmap.hpp"

namespace wayfront::algo {

LevelPipeline::LevelPipeline(const comm::ProcessGrid& grid, const CsrBlock& block, StretchEngine* engine,
                             SearchState& state, PhaseLog* log)
    : block_(block),
      engine_(engine),
      state_(state),
      log_(log),
      folds_{grid.row(), "stretch fold"},
      gathers_{grid.column(), "stretch gather"}
{
    if (engine_ == nullptr) return;
    const std::size_t slots = engine_->stretch_slots();
    stretches_ = (block_.slot_stride + slots - 1) / slots;
    if (!has_stretches()) return;
    next_frontier_ = HostBuffer<std::uint64_t>(word_count(block_.cols()) + 1, 0);
    folds_.of_stretch.resize(stretches_);
    gathers_.of_stretch.resize(stretches_);
}

IndexRange LevelPipeline::words_of(std::size_t stretch) const
{
    const std::size_t words = engine_->stretch_slots() / kWordBits;
    return {stretch * words, std::min((stretch + 1) * words, std::size_t{block_.slot_stride} / kWordBits)};
}

void LevelPipeline::search(const FrontierView& frontier, Discoveries& discoveries, std::int32_t level,
                           comm::SlotSet& own)
{
    level_ = level;
    own_ = &own;
    own.count = 0;
    own.has_list = false;
    own.has_bitmap = true;
    taken_ = 0;
    folds_.restart();
    committed_ = 0;
    gathers_.restart();
    uploaded_ = 0;
    engine_->launch(frontier, discoveries);
    step_until_all(taken_);
}

void LevelPipeline::finish()
{
    {
        std::optional<Phase> phase;
        if (folds_.group.size() > 1) phase.emplace(log_, "all-to-all", level_);
        step_until_all(committed_);
    }
    {
        std::optional<Phase> phase;
        if (gathers_.group.size() > 1) phase.emplace(log_, "all-gather", level_);
        step_until_all(uploaded_);
    }
    engine_->add_spans({log_, level_});
}

void LevelPipeline::take_frontier(std::span<const std::size_t> counts, comm::SlotSet& all)
{
    std::swap(all.bitmap, next_frontier_);
    all.has_list = false;
    all.has_bitmap = true;
    all.count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

bool LevelPipeline::step()
{
    // Messages are started first, so that they are under way while this thread copies and commits.
    bool moved = advance(folds_, taken_, [this](IndexRange words) { return state_.start_fold(words); });
    moved |= advance(gathers_, committed_, [this](IndexRange words) { return start_gather(words); });
    if (taken_ < stretches_ && engine_->poll_stretch(taken_)) {
        ++taken_;
        moved = true;
    }
    if (committed_ < folds_.done) {
        state_.commit_words(words_of(committed_++), level_, *own_);
        moved = true;
    }
    if (uploaded_ < gathers_.done) {
        engine_->upload_frontier(next_frontier_.data(), uploaded_++);
        moved = true;
    }
    return moved;
}

/// Starts the message of the next stretch if this stretch is one of the first `ready`, and notes
/// whether the oldest message under way is done. Returns whether anything happened.
template <typename Start>
bool LevelPipeline::advance(Messages& messages, std::size_t ready, Start&& start)
{
    bool moved = false;
    if (messages.started < ready) {
        messages.of_stretch[messages.started] = {start(words_of(messages.started)), Clock::now()};
        ++messages.started;
        moved = true;
    }
    if (messages.done < messages.started) {
        Messages::Message& message = messages.of_stretch[messages.done];
        if (!message.pending.done()) return moved;
        if (log_ != nullptr && messages.group.size() > 1) {
            const Clock::time_point end = Clock::now();
            log_->add({.name = messages.name,
                       .level = level_,
                       .begin = std::max(message.start, messages.last_done),
                       .end = end,
                       .stretch = static_cast<int>(messages.done)});
            messages.last_done = end;
        }
        ++messages.done;
        moved = true;
    }
    return moved;
}

comm::Pending LevelPipeline::start_gather(IndexRange words)
{
    const std::span<const std::uint64_t> own(own_->bitmap.data(), word_count(block_.slot_stride));
    return gathers_.group.start_all_gather(own, std::span(next_frontier_.data(), word_count(block_.cols())), words);
}

void LevelPipeline::step_until_all(const std::size_t& count)
{
    while (count < stretches_)
        if (!step()) std::this_thread::yield();
}

}  // namespace wayfront::algo
