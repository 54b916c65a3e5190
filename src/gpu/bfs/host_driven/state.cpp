#include "gpu/bfs/host_driven/state.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "gpu/graph/block_memory.hpp"

namespace wayfront::gpu::bfs {

namespace {

EnginePlan plan_for(const CsrBlock& block)
{
    return {block.rows(), block.cols(), count_wide_pieces(block.out_edges().view())};
}

DeviceBytes bytes_with_lists(const CsrBlock& block, const EnginePlan& plan)
{
    // The array of first in-neighbours counts as a part of the graph.
    const std::size_t first = plan.first_in_neighbour.bytes();
    const std::size_t in_edges = DeviceCsrPlan(block.in_edges.view()).bytes();
    const std::size_t out_edges = block.symmetric ? 0 : DeviceCsrPlan(block.out_edges().view()).bytes();
    return {in_edges + out_edges + first, plan.bytes() - first};
}

constexpr std::string_view kAdvice = "use more GPUs, --engine cpu or a larger --cpu-share";

}  // namespace

DeviceBytes GpuEngine::device_bytes_for(const CsrBlock& block)
{
    return bytes_with_lists(block, plan_for(block));
}

GpuEngine::State::State(const CsrBlock& block, GpuTuning sizes, std::size_t most_bytes)
    : State(block, plan_for(block), sizes, most_bytes)
{
}

GpuEngine::State::State(const CsrBlock& block, const EnginePlan& plan, GpuTuning sizes, std::size_t most_bytes)
    : bytes(bytes_with_lists(block, plan)),
      device(device_with_room(bytes, most_bytes, kAdvice)),
      multiprocessors(multiprocessors_of(device)),
      tuning(sizes),
      rows(block.rows()),
      cols(block.cols()),
      row_stretches{1, half_words(rows), tuning.stretch_rows / 32},
      slot_stretches{block.row_chunks, half_words(block.slot_stride),
                     slots_per_stretch(block.slot_stride, tuning.stretch_slots) / 32},
      frontier_stretches{block.col_chunks, slot_stretches.chunk_words, slot_stretches.stretch_words},
      in_edges(block.in_edges.view(), staging, stream),
      arrays(plan),
      first_in_neighbour(arrays[plan.first_in_neighbour]),
      seen(arrays[plan.seen]),
      parents(arrays[plan.parents]),
      frontier_bitmap(arrays[plan.frontier_bitmap]),
      next_frontier(arrays[plan.next_frontier]),
      frontier_list(arrays[plan.frontier_list]),
      found_bitmap(arrays[plan.found_bitmap]),
      head(arrays[plan.head]),
      pieces(arrays[plan.pieces]),
      host_head(kHeaderWords + std::min<std::size_t>(rows, tuning.eager_rows)),
      host_found(half_words(rows))
{
    if (!block.symmetric) out_edges = DeviceCsr(block.out_edges().view(), staging, stream);
    staging.to_device(std::span<const std::uint32_t>(block.first_in_neighbour.span()), first_in_neighbour.data(),
                      stream);
    fill_bytes_async(seen, 0, stream);
    fill_bytes_async(parents, 0xFF, stream);
    for (std::vector<TimedEvent>* const events : {&searched, &copied})
        *events = std::vector<TimedEvent>(std::max(row_stretches.count(), slot_stretches.count()));
    for (std::vector<TimedEvent>* const events : {&upload_begun, &upload_ended})
        *events = std::vector<TimedEvent>(frontier_stretches.count());

    const CsrView in_view = in_edges.view();
    block_view = {in_view, block.symmetric ? in_view : out_edges.view(), first_in_neighbour.data(), rows, cols};
    auto* const header = reinterpret_cast<LevelHeader*>(head.data());
    level_view = {seen.data(),          parents.data(), frontier_bitmap.data(),
                  frontier_list.data(), header,         head.data() + kHeaderWords,
                  found_bitmap.data(),  pieces.data()};
    if (rows > 0 && cols > 0) load_kernels();
    stream.synchronize();
}

void GpuEngine::State::load_kernels()
{
    fill_bytes_async(head.first(kHeaderWords), 0, stream);
    fill_bytes_async(frontier_list.first(1), 0, stream);
    fill_bytes_async(frontier_bitmap, 0, stream);
    launch_bitmap_from_list(frontier_list.data(), 1, frontier_bitmap.data(), stream);
    launch_list_from_bitmap(frontier_bitmap.data(), 1, frontier_list.data(), &level_view.header->frontier, stream);
    launch_top_down_kernels(block_view, level_view, 1, multiprocessors, stream);
    launch_bottom_up_kernel(block_view, level_view, {.first = 0, .last = 1}, multiprocessors, stream);
    launch_set_bit(seen.data(), 0, stream);
    fill_bytes_async(seen, 0, stream);
}

bool GpuEngine::State::begin_level(const FrontierView& frontier, Discoveries& discoveries, Pending::Level level)
{
    use_device();
    const bool empty = frontier.count == 0 || rows == 0;
    pending = {empty ? Pending::Level::empty : level, &discoveries};
    if (discoveries.seen_changed)
        staging.to_device(as_half_words(static_cast<const std::uint64_t*>(discoveries.seen), rows), seen.data(),
                          stream);
    if (empty) return false;
    searched_any = true;
    fill_bytes_async(head.first(kHeaderWords), 0, stream);
    return true;
}

void GpuEngine::State::upload_frontier(const FrontierView& frontier, bool as_list)
{
    const auto list_from_bitmap = [this] {
        launch_list_from_bitmap(frontier_bitmap.data(), half_words(cols), frontier_list.data(),
                                &level_view.header->frontier, stream);
    };
    if (frontier.uploaded) {
        std::swap(frontier_bitmap, next_frontier);
        level_view.frontier_bitmap = frontier_bitmap.data();
        upload_ended.back().block(stream);
        if (as_list) list_from_bitmap();
        return;
    }
    const bool has_list = frontier.list.size() == frontier.count;
    const bool send_list = has_list && (frontier.bitmap == nullptr || shorter_as_list(frontier.count, cols));
    if (send_list) {
        staging.to_device(frontier.list, frontier_list.data(), stream);
        if (as_list) return;
        fill_bytes_async(frontier_bitmap, 0, stream);
        launch_bitmap_from_list(frontier_list.data(), frontier.count, frontier_bitmap.data(), stream);
    } else {
        staging.to_device(as_half_words(frontier.bitmap, cols), frontier_bitmap.data(), stream);
        if (as_list) list_from_bitmap();
    }
}

/// Searches the rows, stretch by stretch, and copies the found rows of a stretch while the next
/// stretch is searched.
void GpuEngine::State::launch_stretches(const Stretches& stretches)
{
    const bool one = stretches.count() == 1;
    const Stream& copies = one ? stream : found_copies;
    for (std::size_t i = 0; i < stretches.count(); ++i) {
        stretches.for_each_range(i, [&](IndexRange words) {
            launch_bottom_up_kernel(block_view, level_view, words, multiprocessors, stream);
        });
        searched[i].record(stream);
        if (!one) searched[i].block(copies);
        stretches.for_each_range(i, [&](IndexRange words) {
            copy_async(std::span<const std::uint32_t>(found_bitmap.subspan(words.first, words.size())),
                       host_found.span().subspan(words.first, words.size()), copies);
        });
        copied[i].record(copies);
    }
}

/// Copies the header and the first `list_rows` entries of the list of found rows to the host.
void GpuEngine::State::copy_head(std::size_t list_rows)
{
    const std::size_t words = kHeaderWords + list_rows;
    copy_async(std::span<const std::uint32_t>(head.first(words)), host_head.span().first(words), stream);
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
        fill_bytes_async(found_bitmap, 0, stream);
        launch_bitmap_from_list(level_view.found_list, count, found_bitmap.data(), stream);
        staging.to_host(found_bitmap.data(), as_half_words(discoveries.found, rows), stream);
    }
}

/// Copies the found rows of stretch i from pinned memory to the caller's memory.
void GpuEngine::State::copy_found(const Stretches& stretches, std::size_t i, const Discoveries& discoveries) const
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
        copy_found(row_stretches, i, discoveries);
    }
    head_copied.synchronize();
    discoveries.count = reinterpret_cast<const LevelHeader*>(host_head.data())->found;
    discoveries.as_list = false;
}

}  // namespace wayfront::gpu::bfs
