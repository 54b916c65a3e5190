#include "gpu/bfs/host_driven/engine.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "gpu/bfs/host_driven/state.hpp"

namespace wayfront::gpu::bfs {

GpuEngine::GpuEngine(const CsrBlock& block, GpuTuning tuning, std::size_t most_bytes)
    : state_(std::make_unique<State>(block, tuning, most_bytes))
{
}

GpuEngine::~GpuEngine()
{
    // The streams may still use memory that is about to be released. The destructor cannot report
    // errors of these calls.
    cudaSetDevice(state_->device);
    cudaStreamSynchronize(state_->stream.get());
    cudaStreamSynchronize(state_->found_copies.get());
    cudaStreamSynchronize(state_->frontier_copies.get());
}

DeviceBytes GpuEngine::device_bytes() const
{
    return state_->bytes;
}

void GpuEngine::begin_search(std::uint32_t seen_row)
{
    State& state = *state_;
    state.use_device();
    state.pending = {};
    state.searched_any = false;
    fill_bytes_async(state.seen, 0, state.stream);
    if (seen_row != kNoLocal) launch_set_bit(state.seen.data(), seen_row, state.stream);
}

void GpuEngine::launch_top_down(const FrontierView& frontier, Discoveries& discoveries)
{
    State& state = *state_;
    if (!state.begin_level(frontier, discoveries, State::Pending::Level::top_down)) return;
    state.upload_frontier(frontier, true);
    launch_top_down_kernels(state.block_view, state.level_view, frontier.count, state.multiprocessors, state.stream);
    state.copy_head(state.host_head.size() - kHeaderWords);
}

void GpuEngine::launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries)
{
    State& state = *state_;
    if (!state.begin_level(frontier, discoveries, State::Pending::Level::bottom_up)) return;
    state.upload_frontier(frontier, false);
    state.launch_stretches(state.row_stretches);
    state.copy_head(0);
}

void GpuEngine::collect()
{
    State& state = *state_;
    state.use_device();
    const State::Pending pending = std::exchange(state.pending, {});
    switch (pending.level) {
        case State::Pending::Level::none:
            return;
        case State::Pending::Level::empty:
            pending.discoveries->as_list = true;
            pending.discoveries->count = 0;
            return;
        case State::Pending::Level::top_down:
            state.collect_top_down(*pending.discoveries);
            return;
        case State::Pending::Level::bottom_up:
            state.collect_bottom_up(*pending.discoveries);
            return;
    }
}

std::uint32_t GpuEngine::stretch_slots() const
{
    return static_cast<std::uint32_t>(state_->slot_stretches.stretch_words * 32);
}

void GpuEngine::launch(const FrontierView& frontier, Discoveries& discoveries)
{
    State& state = *state_;
    state.use_device();
    state.level_begun.record(state.stream);
    // The GPU records the event at about this time, since the stream is almost empty.
    state.level_begin = Clock::now();
    if (!state.begin_level(frontier, discoveries, State::Pending::Level::bottom_up)) return;
    state.upload_frontier(frontier, false);
    state.frontier_uploaded.record(state.stream);
    state.launch_stretches(state.slot_stretches);
}

bool GpuEngine::poll_stretch(std::size_t stretch)
{
    State& state = *state_;
    state.use_device();
    const Discoveries& discoveries = *state.pending.discoveries;
    if (state.pending.level == State::Pending::Level::empty) {
        const std::span<std::uint32_t> found = as_half_words(discoveries.found, state.rows);
        state.slot_stretches.for_each_range(
            stretch, [&](IndexRange words) { std::ranges::fill(found.subspan(words.first, words.size()), 0); });
        return true;
    }
    if (!state.copied[stretch].done()) return false;
    state.copy_found(state.slot_stretches, stretch, discoveries);
    return true;
}

void GpuEngine::upload_frontier(const std::uint64_t* frontier_bitmap, std::size_t stretch)
{
    State& state = *state_;
    state.use_device();
    const std::span<const std::uint32_t> words = as_half_words(frontier_bitmap, state.cols);
    state.upload_begun[stretch].record(state.frontier_copies);
    state.frontier_stretches.for_each_range(stretch, [&](IndexRange range) {
        state.staging.to_device(words.subspan(range.first, range.size()), state.next_frontier.data() + range.first,
                                state.frontier_copies);
    });
    state.upload_ended[stretch].record(state.frontier_copies);
}

void GpuEngine::add_spans(const LevelLog& to)
{
    State& state = *state_;
    if (to.log == nullptr || state.pending.level == State::Pending::Level::empty) return;
    state.use_device();
    state.upload_ended.back().synchronize();
    const auto time_of = [&](const TimedEvent& event) {
        return state.level_begin + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(event.seconds_since(state.level_begun)));
    };
    Clock::time_point searched = time_of(state.frontier_uploaded);
    Clock::time_point copied = searched;
    for (std::size_t i = 0; i < state.slot_stretches.count(); ++i) {
        const auto add = [&](std::string_view name, Clock::time_point begin, Clock::time_point end) {
            to.log->add({.name = name, .level = to.level, .begin = begin, .end = end, .stretch = static_cast<int>(i)});
            return end;
        };
        searched = add("stretch search", searched, time_of(state.searched[i]));
        copied = add("stretch down", std::max(searched, copied), time_of(state.copied[i]));
        add("stretch up", time_of(state.upload_begun[i]), time_of(state.upload_ended[i]));
    }
}

void GpuEngine::end_search(const Discoveries& discoveries)
{
    State& state = *state_;
    state.use_device();
    if (!state.searched_any) return;  // without a level, the host knows the only row that was seen
    state.staging.to_host(state.seen.data(), as_half_words(discoveries.seen, state.rows), state.stream);
    state.staging.to_host(state.parents.data(), std::span(discoveries.parents, state.rows), state.stream);
}

}  // namespace wayfront::gpu::bfs
