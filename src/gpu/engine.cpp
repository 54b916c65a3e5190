#include "gpu/engine.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"
#include "gpu/engine/kernels.hpp"
#include "gpu/engine/stretches.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/staging.hpp"

namespace wayfront::gpu {

namespace {

std::size_t group_count(const Csr& lists)
{
    return (std::size_t{lists.lists()} >> kOffsetGroupBits) + 1;
}

/// The host's lists in device memory.
struct DeviceLists
{
    DeviceBuffer<std::uint64_t> group_offsets;
    DeviceBuffer<std::uint32_t> relative_offsets;
    DeviceBuffer<std::uint32_t> neighbours;

    DeviceLists() = default;
    DeviceLists(const Csr& host, Staging& staging, const Stream& stream)
        : group_offsets(group_count(host)), relative_offsets(std::size_t{host.lists()} + 1), neighbours(host.edges())
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

/// The most pieces that a frontier can have: those of all columns.
std::size_t count_wide_pieces(const CsrView& lists)
{
    std::size_t pieces = 0;
#pragma omp parallel for schedule(static) reduction(+ : pieces)
    for (std::uint32_t u = 0; u < lists.lists; ++u) pieces += wide_pieces(lists.degree(u));
    return pieces;
}

/// 32-bit words of a bitmap, as many as the host's words of 64 bits hold.
std::size_t half_words(std::size_t bits)
{
    return 2 * word_count(bits);
}

std::span<const std::uint32_t> as_half_words(const std::uint64_t* bitmap, std::size_t bits)
{
    return {reinterpret_cast<const std::uint32_t*>(bitmap), half_words(bits)};
}

std::span<std::uint32_t> as_half_words(std::uint64_t* bitmap, std::size_t bits)
{
    return {reinterpret_cast<std::uint32_t*>(bitmap), half_words(bits)};
}

std::string mebibytes(std::size_t bytes)
{
    return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

/// The device that is current, if it has room for the block within `most_bytes`.
int device_with_room(const CsrBlock& block, std::size_t most_bytes)
{
    int device = 0;
    check(cudaGetDevice(&device));
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const DeviceBytes bytes = GpuEngine::device_bytes_for(block);
    const std::size_t needed = bytes.graph + bytes.state;
    const std::size_t most = std::min(free, most_bytes);
    if (needed > most)
        throw ResourceError("a rank's block of the graph and the state of its searches take " + mebibytes(needed) + " of GPU memory, and " +
                            mebibytes(most) + " of " + mebibytes(total) +
                            " are free for each rank; use more GPUs, --engine cpu or a larger --cpu-share");
    return device;
}

int multiprocessors_of(int device)
{
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
}

}  // namespace

DeviceBytes GpuEngine::device_bytes_for(const CsrBlock& block)
{
    const std::size_t rows = block.rows();
    const std::size_t cols = block.cols();
    const std::size_t lists = block.in_edges.bytes() + (block.symmetric ? 0 : block.out_edges().bytes());
    const std::size_t row_words = 2 * rows + kHeaderWords + 2 * half_words(rows);  // parents, found list, seen, found bitmap
    const std::size_t col_words = cols + 2 * half_words(cols);                     // the frontier, and the next one's bitmap
    return {lists + rows * sizeof(std::uint32_t),                                  // and the first neighbours
            (row_words + col_words) * sizeof(std::uint32_t) + count_wide_pieces(block.out_edges().view()) * sizeof(WidePiece)};
}

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

GpuEngine::State::State(const CsrBlock& block, GpuTuning sizes, std::size_t most_bytes)
    : device(device_with_room(block, most_bytes)),
      multiprocessors(multiprocessors_of(device)),
      bytes(device_bytes_for(block)),
      tuning(sizes),
      rows(block.rows()),
      cols(block.cols()),
      row_stretches{1, half_words(rows), tuning.stretch_rows / 32},
      slot_stretches{block.row_chunks, half_words(block.slot_stride), slots_of_a_stretch(block.slot_stride, tuning.stretch_slots) / 32},
      frontier_stretches{block.col_chunks, slot_stretches.chunk_words, slot_stretches.stretch_words},
      in_edges(block.in_edges, staging, stream),
      first_in_neighbour(rows),
      seen(half_words(rows)),
      parents(rows),
      frontier_bitmap(half_words(cols)),
      next_frontier(half_words(cols)),
      frontier_list(cols),
      found_bitmap(half_words(rows)),
      head(kHeaderWords + rows),
      pieces(count_wide_pieces(block.out_edges().view())),
      host_head(kHeaderWords + std::min<std::size_t>(rows, tuning.eager_rows)),
      host_found(half_words(rows))
{
    if (!block.symmetric) out_edges = DeviceLists(block.out_edges(), staging, stream);
    staging.to_device(std::span<const std::uint32_t>(block.first_in_neighbour.span()), first_in_neighbour.data(), stream);
    fill_bytes_async(seen.span(), 0, stream);
    fill_bytes_async(parents.span(), 0xFF, stream);
    for (std::vector<TimedEvent>* const events : {&searched, &copied})
        *events = std::vector<TimedEvent>(std::max(row_stretches.count(), slot_stretches.count()));
    for (std::vector<TimedEvent>* const events : {&bringing, &brought}) *events = std::vector<TimedEvent>(frontier_stretches.count());

    const CsrView in_view = in_edges.view();
    block_view = {in_view, block.symmetric ? in_view : out_edges.view(), first_in_neighbour.data(), rows, cols};
    auto* const header = reinterpret_cast<LevelHeader*>(head.data());
    level_view = {seen.data(),         parents.data(), frontier_bitmap.data(), frontier_list.data(), header, head.data() + kHeaderWords,
                  found_bitmap.data(), pieces.data()};
    if (rows > 0 && cols > 0) load_kernels();
    stream.synchronize();
}

void GpuEngine::State::load_kernels()
{
    fill_bytes_async(head.span().first(kHeaderWords), 0, stream);
    fill_bytes_async(frontier_list.span().first(1), 0, stream);
    fill_bytes_async(frontier_bitmap.span(), 0, stream);
    launch_bitmap_from_list(frontier_list.data(), 1, frontier_bitmap.data(), stream);
    launch_list_from_bitmap(frontier_bitmap.data(), 1, frontier_list.data(), &level_view.header->frontier, stream);
    launch_top_down_kernels(block_view, level_view, 1, multiprocessors, stream);
    launch_bottom_up_kernel(block_view, level_view, 0, 1, multiprocessors, stream);
    launch_set_bit(seen.data(), 0, stream);
    fill_bytes_async(seen.span(), 0, stream);
}

bool GpuEngine::State::begin_level(const FrontierView& frontier, Discoveries& discoveries, Pending::Level level)
{
    use_device();
    const bool empty = frontier.count == 0 || rows == 0;
    pending = {empty ? Pending::Level::empty : level, &discoveries};
    if (discoveries.seen_changed) staging.to_device(as_half_words(static_cast<const std::uint64_t*>(discoveries.seen), rows), seen.data(), stream);
    if (empty) return false;
    searched_any = true;
    fill_bytes_async(head.span().first(kHeaderWords), 0, stream);
    return true;
}

void GpuEngine::State::bring_frontier(const FrontierView& frontier, bool as_list)
{
    const auto list_from_bitmap = [this] {
        launch_list_from_bitmap(frontier_bitmap.data(), half_words(cols), frontier_list.data(), &level_view.header->frontier, stream);
    };
    if (frontier.brought) {
        std::swap(frontier_bitmap, next_frontier);
        level_view.frontier_bitmap = frontier_bitmap.data();
        brought.back().block(stream);
        if (as_list) list_from_bitmap();
        return;
    }
    const bool has_list = frontier.list.size() == frontier.count;
    const bool send_list = has_list && (frontier.bitmap == nullptr || shorter_as_list(frontier.count, cols));
    if (send_list) {
        staging.to_device(frontier.list, frontier_list.data(), stream);
        if (as_list) return;
        fill_bytes_async(frontier_bitmap.span(), 0, stream);
        launch_bitmap_from_list(frontier_list.data(), frontier.count, frontier_bitmap.data(), stream);
    } else {
        staging.to_device(as_half_words(frontier.bitmap, cols), frontier_bitmap.data(), stream);
        if (as_list) list_from_bitmap();
    }
}

/// Searches the rows, stretch by stretch, and copies what is found, each stretch while the next one is searched.
void GpuEngine::State::launch_stretches(const Stretches& stretches)
{
    const bool one = stretches.count() == 1;
    const Stream& copies = one ? stream : found_copies;
    for (std::size_t i = 0; i < stretches.count(); ++i) {
        stretches.for_each_range(i, [&](IndexRange words) {
            launch_bottom_up_kernel(block_view, level_view, static_cast<std::uint32_t>(words.first), static_cast<std::uint32_t>(words.last),
                                    multiprocessors, stream);
        });
        searched[i].record(stream);
        if (!one) searched[i].block(copies);
        stretches.for_each_range(i, [&](IndexRange words) {
            copy_async(std::span<const std::uint32_t>(found_bitmap.span().subspan(words.first, words.size())),
                       host_found.span().subspan(words.first, words.size()), copies);
        });
        copied[i].record(copies);
    }
}

/// Brings the header down, and behind it the beginning of the list of found rows.
void GpuEngine::State::copy_head(std::size_t list_rows)
{
    const std::size_t words = kHeaderWords + list_rows;
    copy_async(std::span<const std::uint32_t>(head.span().first(words)), host_head.span().first(words), stream);
    head_copied.record(stream);
}

void GpuEngine::State::collect_top_down(Discoveries& discoveries)
{
    head_copied.synchronize();
    const std::size_t count = reinterpret_cast<const LevelHeader*>(host_head.data())->found;
    const std::size_t eager = host_head.size() - kHeaderWords;
    discoveries.count = count;
    discoveries.as_list = count <= eager || shorter_as_list(count, rows);
    if (count <= eager) {
        std::copy_n(host_head.data() + kHeaderWords, count, discoveries.list);
    } else if (discoveries.as_list) {
        staging.to_host(level_view.found_list, std::span(discoveries.list, count), stream);
    } else {
        fill_bytes_async(found_bitmap.span(), 0, stream);
        launch_bitmap_from_list(level_view.found_list, count, found_bitmap.data(), stream);
        staging.to_host(found_bitmap.data(), as_half_words(discoveries.found, rows), stream);
    }
}

/// From pinned memory to the caller's.
void GpuEngine::State::take_found(const Stretches& stretches, std::size_t i, const Discoveries& discoveries) const
{
    const std::span<std::uint32_t> found = as_half_words(discoveries.found, rows);
    stretches.for_each_range(i, [&](IndexRange words) {
        copy_on_host(host_found.data() + words.first, found.data() + words.first, words.size() * sizeof(std::uint32_t));
    });
}

void GpuEngine::State::collect_bottom_up(Discoveries& discoveries)
{
    for (std::size_t i = 0; i < row_stretches.count(); ++i) {
        copied[i].synchronize();
        take_found(row_stretches, i, discoveries);
    }
    head_copied.synchronize();
    discoveries.count = reinterpret_cast<const LevelHeader*>(host_head.data())->found;
    discoveries.as_list = false;
}

GpuEngine::GpuEngine(const CsrBlock& block, GpuTuning tuning, std::size_t most_bytes) : state_(std::make_unique<State>(block, tuning, most_bytes)) {}

GpuEngine::~GpuEngine()
{
    // What is under way uses memory that goes now. A failure to wait is not to be told any more.
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
    fill_bytes_async(state.seen.span(), 0, state.stream);
    if (seen_row != kNoLocal) launch_set_bit(state.seen.data(), seen_row, state.stream);
}

void GpuEngine::launch_top_down(const FrontierView& frontier, Discoveries& discoveries)
{
    State& state = *state_;
    if (!state.begin_level(frontier, discoveries, State::Pending::Level::top_down)) return;
    state.bring_frontier(frontier, true);
    launch_top_down_kernels(state.block_view, state.level_view, frontier.count, state.multiprocessors, state.stream);
    state.copy_head(state.host_head.size() - kHeaderWords);
}

void GpuEngine::launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries)
{
    State& state = *state_;
    if (!state.begin_level(frontier, discoveries, State::Pending::Level::bottom_up)) return;
    state.bring_frontier(frontier, false);
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
    state.level_begin = Clock::now();  // the stream is all but empty
    if (!state.begin_level(frontier, discoveries, State::Pending::Level::bottom_up)) return;
    state.bring_frontier(frontier, false);
    state.frontier_there.record(state.stream);
    state.launch_stretches(state.slot_stretches);
}

bool GpuEngine::take(std::size_t stretch)
{
    State& state = *state_;
    state.use_device();
    const Discoveries& discoveries = *state.pending.discoveries;
    if (state.pending.level == State::Pending::Level::empty) {
        const std::span<std::uint32_t> found = as_half_words(discoveries.found, state.rows);
        state.slot_stretches.for_each_range(stretch, [&](IndexRange words) { std::ranges::fill(found.subspan(words.first, words.size()), 0); });
        return true;
    }
    if (!state.copied[stretch].done()) return false;
    state.take_found(state.slot_stretches, stretch, discoveries);
    return true;
}

void GpuEngine::bring(const std::uint64_t* frontier_bitmap, std::size_t stretch)
{
    State& state = *state_;
    state.use_device();
    const std::span<const std::uint32_t> words = as_half_words(frontier_bitmap, state.cols);
    state.bringing[stretch].record(state.frontier_copies);
    state.frontier_stretches.for_each_range(stretch, [&](IndexRange range) {
        state.staging.to_device(words.subspan(range.first, range.size()), state.next_frontier.data() + range.first, state.frontier_copies);
    });
    state.brought[stretch].record(state.frontier_copies);
}

void GpuEngine::add_spans(const LevelLog& to)
{
    State& state = *state_;
    if (to.log == nullptr || state.pending.level == State::Pending::Level::empty) return;
    state.use_device();
    state.brought.back().synchronize();
    const auto time_of = [&](const TimedEvent& event) {
        return state.level_begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(event.seconds_since(state.level_begun)));
    };
    Clock::time_point searched = time_of(state.frontier_there);
    Clock::time_point copied = searched;
    for (std::size_t i = 0; i < state.slot_stretches.count(); ++i) {
        const auto add = [&](std::string_view name, Clock::time_point begin, Clock::time_point end) {
            to.log->add({.name = name, .level = to.level, .begin = begin, .end = end, .stretch = static_cast<int>(i)});
            return end;
        };
        searched = add("stretch search", searched, time_of(state.searched[i]));
        copied = add("stretch down", std::max(searched, copied), time_of(state.copied[i]));
        add("stretch up", time_of(state.bringing[i]), time_of(state.brought[i]));
    }
}

void GpuEngine::end_search(const Discoveries& discoveries)
{
    State& state = *state_;
    state.use_device();
    if (!state.searched_any) return;  // the host knows the row that was seen from the start
    state.staging.to_host(state.seen.data(), as_half_words(discoveries.seen, state.rows), state.stream);
    state.staging.to_host(state.parents.data(), std::span(discoveries.parents, state.rows), state.stream);
}

}  // namespace wayfront::gpu
