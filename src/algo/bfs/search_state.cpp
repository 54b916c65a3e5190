#include "algo/bfs/search_state.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "algo/bfs/slot_exchange.hpp"
#include "algo/nearest_by_levels.hpp"
#include "base/bitmap.hpp"
#include "base/parallel_sum.hpp"

namespace wayfront::algo {

namespace {
constexpr std::size_t kSerialBelow = 1 << 14;
constexpr std::size_t kPrefetchAhead = 24;  // slots of a list

std::size_t own_words(const CsrBlock& block)
{
    return block.slot_stride / kWordBits;
}

/// Calls f(slot), on all threads, for each slot of this rank that is not in the set.
template <typename F>
void for_each_unset(const std::uint64_t* set, std::size_t words, F&& f)
{
    parallel_for(words, kSerialBelow / kWordBits, [&](std::size_t w) {
        const std::uint64_t unset = ~set[w];
        for_each_bit(&unset, 0, 1, [&](std::size_t i) { f(w * kWordBits + i); });
    });
}

/// The rows of a block whose lists are empty, one bit per row.
HostBuffer<std::uint64_t> rows_without_arcs(const CsrBlock& block)
{
    const CsrView lists = block.in_edges.view();
    HostBuffer<std::uint64_t> rows(word_count(block.rows()));
    parallel_for(rows.size(), kSerialBelow / kWordBits, [&](std::size_t w) {
        rows[w] = 0;
        const std::size_t end = std::min<std::size_t>((w + 1) * kWordBits, block.rows());
        for (std::size_t row = w * kWordBits; row < end; ++row)
            if (lists.degree(static_cast<std::uint32_t>(row)) == 0) set_bit(rows.data(), row);
    });
    return rows;
}

/// Writes `value` for each member of a set with a list.
template <typename T>
void set_of_members(HostBuffer<T>& values, const comm::SlotSet& set, T value)
{
    const std::span<const std::uint32_t> slots = set.members();
    parallel_ranges(slots.size(), kSerialBelow, [&, value, to = values.data()](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            if (i + kPrefetchAhead < range.last) __builtin_prefetch(to + slots[i + kPrefetchAhead], 1);
            to[slots[i]] = value;
        }
    });
}

/// The sum of f(word), of all threads.
template <typename F>
std::size_t sum_over_words(IndexRange words, F&& f)
{
    return parallel_sum(words.size(), kSerialBelow / kWordBits, [&](IndexRange part) {
        std::uint64_t sum = 0;
        for (std::size_t i = part.first; i < part.last; ++i) sum += static_cast<std::uint64_t>(f(words.first + i));
        return sum;
    });
}
}  // namespace

SearchState::SearchState(const comm::ProcessGrid& grid, const DistributedGraph& graph, bool with_levels, PhaseLog* log)
    : grid_(grid),
      graph_(graph),
      block_(graph.block),
      with_levels_(with_levels),
      log_(log),
      seen_(word_count(block_.rows())),
      parents_(std::size_t{block_.rows()} + 1),
      found_(block_.rows())
{
    if (folds()) {
        visited_ = HostBuffer<std::uint64_t>(own_words(block_));
        found_by_own_block_ = HostBuffer<std::uint64_t>(own_words(block_));
        without_arcs_ = rows_without_arcs(block_);
        finders_ = HostBuffer<std::uint16_t>(block_.slot_stride);
        fold_.emplace(grid.row(), block_.slot_stride);
        by_finder_.emplace(block_.row_chunks);
    }
    if (with_levels_) levels_ = HostBuffer<std::int32_t>(std::size_t{block_.slot_stride} + 1);
}

std::uint32_t SearchState::start(std::span<const Vertex> keys, comm::SlotSet& frontier)
{
    keys_.clear();
    key_rows_.clear();
    parallel_for(seen_.size(), kSerialBelow, [&](std::size_t w) { seen_[w] = 0; });
    parallel_for(visited_.size(), kSerialBelow, [&](std::size_t w) { visited_[w] = found_by_own_block_[w] = 0; });
    frontier.clear();
    const Partition& partition = graph_.partition;
    for (const Vertex key : keys) {
        if (partition.owner(key) != graph_.rank) continue;
        keys_.push_back(partition.local(key));
        const std::uint32_t slot = graph_.slot_of_local[keys_.back()];
        if (slot == block_.slot_stride) continue;  // the key has no edges; finish() handles it
        key_rows_.push_back(block_.own_row(slot).value);
        set_bit(seen_.data(), key_rows_.back());
        if (folds()) {
            set_bit(visited_.data(), slot);
            set_bit(found_by_own_block_.data(), slot);
        }
        if (with_levels_) levels_[slot] = 0;
        frontier.list[frontier.count++] = slot;
    }
    seen_changed_ = key_rows_.size() > 1;
    leads_to_nearest_ = false;
    return key_rows_.size() == 1 ? key_rows_.front() : kNoLocal;
}

std::uint32_t SearchState::start_nearest(std::span<const Vertex> keys, comm::SlotSet& frontier)
{
    const std::uint32_t seen_row = start(keys, frontier);
    leads_to_nearest_ = grid_.world().size() == 1 && !suits_levels(graph_);
    if (!leads_to_nearest_) return seen_row;
    if (!order_) order_.emplace(block_.slot_stride);
    order_->begin(frontier.members());
    return seen_row;
}

void SearchState::refresh_seen(std::int32_t level)
{
    if (!folds()) return;
    const Phase phase(log_, "all-gather", level);
    grid_.row().all_gather(std::span<const std::uint64_t>(visited_.span()), seen_.span());
    parallel_for(seen_.size(), kSerialBelow, [&](std::size_t w) { seen_[w] |= without_arcs_[w]; });
    seen_changed_ = true;
}

Discoveries SearchState::discoveries()
{
    Discoveries discoveries;
    discoveries.seen = seen_.data();
    discoveries.seen_changed = std::exchange(seen_changed_, false);
    discoveries.parents = parents_.data();
    discoveries.list = found_.list.data();
    discoveries.found = found_.bitmap.data();
    if (leads_to_nearest_) discoveries.finders = order_->parents_of_next_level();
    return discoveries;
}

void SearchState::commit(const Discoveries& discoveries, comm::ExchangeFormat format, std::int32_t level,
                         comm::SlotSet& frontier)
{
    if (leads_to_nearest_ && !discoveries.in_order) leave_order();
    found_.count = discoveries.count;
    found_.has_list = discoveries.as_list;
    found_.has_bitmap = !discoveries.as_list;
    if (folds()) {
        fold_->run(format, found_, {log_, level});
        commit_folded(frontier);
    } else {
        std::swap(found_, frontier);
    }
    if (leads_to_nearest_) order_->add(frontier.members());
    if (leads_to_nearest_ || !with_levels_) return;
    if (frontier.has_list)
        set_of_members(levels_, frontier, level);
    else
        set_levels({0, own_words(block_)}, level, frontier);
}

void SearchState::set_levels(IndexRange words, std::int32_t level, const comm::SlotSet& frontier)
{
    parallel_ranges(words.size(), kSerialBelow / kWordBits, [&](IndexRange part) {
        for_each_bit(frontier.bitmap.data(), words.first + part.first, words.first + part.last,
                     [&](std::size_t slot) { levels_[slot] = level; });
    });
}

comm::Pending SearchState::start_fold(IndexRange words)
{
    return folds() ? fold_->start_bitmaps(found_, words) : comm::Pending();
}

void SearchState::commit_words(IndexRange words, std::int32_t level, comm::SlotSet& frontier)
{
    if (leads_to_nearest_) leave_order();
    if (folds()) {
        frontier.count += commit_bitmaps(words, frontier);
    } else {
        frontier.count += sum_over_words(words, [&](std::size_t w) {
            frontier.bitmap[w] = found_.bitmap[w];
            return std::popcount(found_.bitmap[w]);
        });
    }
    if (with_levels_) set_levels(words, level, frontier);
}

void SearchState::commit_folded(comm::SlotSet& frontier)
{
    if (fold_->as_lists()) {
        commit_folded_lists(frontier);
        return;
    }
    frontier.has_list = false;
    frontier.has_bitmap = true;
    frontier.count = commit_bitmaps({0, own_words(block_)}, frontier);
}

/// Adds the new slots of these words to the frontier, from the bitmaps that the blocks of the grid
/// row sent, and returns their number.
std::size_t SearchState::commit_bitmaps(IndexRange words, comm::SlotSet& frontier)
{
    const std::uint64_t* const bitmaps = fold_->bitmaps().data();
    const std::size_t all_words = own_words(block_);
    const std::uint64_t* const own_bitmap = bitmaps + finder_column(0) * all_words;
    return sum_over_words(words, [&](std::size_t w) {
        std::uint64_t fresh = own_bitmap[w] & ~visited_[w];
        found_by_own_block_[w] |= fresh;
        for (std::uint32_t turn = 1; turn < block_.row_chunks; ++turn) {
            const std::uint32_t finder = finder_column(turn);
            const std::uint64_t news = bitmaps[finder * all_words + w] & ~(visited_[w] | fresh);
            for_each_bit(&news, 0, 1,
                         [&](std::size_t i) { finders_[w * kWordBits + i] = static_cast<std::uint16_t>(finder); });
            fresh |= news;
        }
        visited_[w] |= fresh;
        frontier.bitmap[w] = fresh;
        return std::popcount(fresh);
    });
}

void SearchState::commit_folded_lists(comm::SlotSet& frontier)
{
    const std::span<const std::uint32_t> slots = fold_->slots();
    const std::span<const std::int64_t> counts = fold_->list_counts();
    frontier.clear();
    std::vector<std::size_t> begins{0};
    for (const std::int64_t count : counts) begins.push_back(begins.back() + static_cast<std::size_t>(count));
    for (std::uint32_t turn = 0; turn < block_.row_chunks; ++turn) {
        const std::uint32_t finder = finder_column(turn);
        for (std::size_t i = begins[finder]; i < begins[finder + 1]; ++i) {
            const std::uint32_t slot = slots[i];
            if (test_bit(visited_.data(), slot)) continue;
            set_bit(visited_.data(), slot);
            if (turn == 0)
                set_bit(found_by_own_block_.data(), slot);
            else
                finders_[slot] = static_cast<std::uint16_t>(finder);
            frontier.list[frontier.count++] = slot;
        }
    }
}

void SearchState::finish(VertexArray& parents, HostBuffer<std::int32_t>& levels)
{
    for (const std::uint32_t row : key_rows_) parents_[row] = block_.own_col(row - block_.own_row(0).value).value;
    if (folds())
        finish_folded(parents);
    else
        finish_local(parents);
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    if (with_levels_) {
        for_each_unset(visited(), own_words(block_),
                       [&](std::size_t slot) { levels_[slot] = static_cast<std::int32_t>(kUnreached); });
        levels_[block_.slot_stride] = static_cast<std::int32_t>(kUnreached);
        parallel_for(levels.size(), kSerialBelow, [&](std::size_t i) { levels[i] = levels_[slots[i]]; });
    }
    for (const std::uint32_t key : keys_) {
        parents.set(key, graph_.partition.vertex(graph_.rank, key));
        if (with_levels_) levels[key] = 0;
    }
}

void SearchState::leave_order()
{
    leads_to_nearest_ = false;
    order_->for_each([this](std::uint32_t slot, std::uint32_t parent, std::int32_t level) {
        parents_[slot] = block_.own_col(parent).value;
        if (with_levels_) levels_[slot] = level;
    });
}

void SearchState::finish_nearest(VertexArray& parents, HostBuffer<std::int32_t>& levels, VertexArray& nearest)
{
    const std::size_t vertices = parents.size();
    if (nearest.size() != vertices) nearest = VertexArray(vertices, graph_.partition.vertex_count());
    const bool fills = order_->size() < vertices;
    if (fills)
        parallel_for(levels.size(), kSerialBelow,
                     [&](std::size_t i) { levels[i] = static_cast<std::int32_t>(kUnreached); });
    parents.visit([&]<typename Id>(std::span<Id> parents_out) {
        nearest.visit([&]<typename NearestId>(std::span<NearestId> nearest_out) {
            if (fills)
                parallel_for(vertices, kSerialBelow, [&](std::size_t i) {
                    parents_out[i] = static_cast<Id>(kUnreached);
                    nearest_out[i] = static_cast<NearestId>(kUnreached);
                });
            // Always inline, since GCC 12 deletes calls of functions of nothing but prefetches.
            const auto prefetch = [&](Id vertex) __attribute__((always_inline))
            {
                __builtin_prefetch(parents_out.data() + vertex, 1);
                __builtin_prefetch(nearest_out.data() + vertex, 1);
                __builtin_prefetch(levels.data() + vertex, 1);
            };
            const auto write = [&](std::uint32_t vertex, std::uint32_t parent, std::uint32_t root, std::int32_t level) {
                parents_out[vertex] = static_cast<Id>(parent);
                nearest_out[vertex] = static_cast<NearestId>(root);
                if (with_levels_) levels[vertex] = level;
            };
            order_->take_each(graph_.vertex_of_column.elements<Id>(), prefetch, write);
            for (const std::uint32_t key : keys_) write(key, key, key, 0);  // also those without edges
        });
    });
}

void SearchState::finish_local(VertexArray& parents)
{
    // Slots that were not reached, and the slot of vertices without edges, refer to the column
    // whose vertex is kUnreached.
    const std::uint32_t none = block_.cols();
    for_each_unset(seen_.data(), own_words(block_), [&](std::size_t slot) { parents_[slot] = none; });
    parents_[block_.slot_stride] = none;
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    const std::uint32_t* const columns = parents_.data();
    graph_.vertex_of_column.visit([&](auto vertices) {
        parents.visit([&](auto out) {
            using Id = typename decltype(out)::value_type;
            parallel_for(out.size(), kSerialBelow,
                         [&](std::size_t i) { out[i] = static_cast<Id>(vertices[columns[slots[i]]]); });
        });
    });
}

HostBuffer<std::uint32_t> SearchState::slots_of_other_finders()
{
    const auto visit = [&](std::size_t word, auto&& f) {
        const std::uint64_t bits = visited_[word] & ~found_by_own_block_[word];
        for_each_bit(&bits, 0, 1, [&](std::size_t i) {
            const std::size_t slot = word * kWordBits + i;
            f(finders_[slot], slot);
        });
    };
    by_finder_->count(own_words(block_), kSerialBelow / kWordBits, visit);
    HostBuffer<std::uint32_t> slots(by_finder_->size());
    by_finder_->place(visit, [to = slots.data()](std::size_t position, std::size_t slot) {
        to[position] = static_cast<std::uint32_t>(slot);
    });
    return slots;
}

void SearchState::finish_folded(VertexArray& parents)
{
    graph_.vertex_of_column.visit(
        [&](auto vertices) { parents.visit([&](auto out) { request_parents(vertices, out); }); });
}

template <typename VertexOfColumn, typename Id>
void SearchState::request_parents(std::span<VertexOfColumn> vertices, std::span<Id> parents)
{
    // Each owner asks the other block that found a vertex for its parent, once for all vertices.
    const HostBuffer<std::uint32_t> asked = slots_of_other_finders();
    const std::span<const std::int64_t> counts = by_finder_->counts();
    const std::vector<std::int64_t> asked_of_me = [&] {
        const Phase phase(log_, "all-to-all");
        return grid_.row().all_to_all(counts);
    }();
    const ReceivedSlots questions = [&] {
        const Phase phase(log_, "all-to-all");
        return exchange_slots(grid_.row(), {block_.slot_stride, grid_.rows_span_hosts()}, asked.span(), counts,
                              asked_of_me);
    }();

    HostBuffer<Id> answers(static_cast<std::size_t>(std::reduce(asked_of_me.begin(), asked_of_me.end())));
    Id* to_owner = answers.data();
    for (std::uint32_t owner = 0; owner < block_.row_chunks; ++owner) {
        const std::uint32_t* const parents_of_owner = parents_.data() + std::size_t{owner} * block_.slot_stride;
        questions.for_each(owner, [=](std::size_t i, std::uint32_t slot) {
            to_owner[i] = static_cast<Id>(vertices[parents_of_owner[slot]]);
        });
        to_owner += questions.count(owner);
    }
    HostBuffer<Id> received(asked.size());
    {
        const Phase phase(log_, "all-to-all");
        // Without a barrier, a rank that begins late delays MPI's rendezvous in both directions. With bitmaps
        // of questions, the barrier is measured in bench/results/bfs-questions-slow-links.json.
        if (grid_.rows_span_hosts()) grid_.row().barrier();
        grid_.row().all_to_all_v(std::span<const Id>(answers.span()), asked_of_me, received.span(), counts);
    }

    HostBuffer<Id> of_slot(std::size_t{block_.slot_stride} + 1);
    const std::uint32_t* const own_parents = parents_.data() + std::size_t{block_.own_row_chunk} * block_.slot_stride;
    parallel_for(own_words(block_), kSerialBelow / kWordBits, [&](std::size_t w) {
        for_each_bit(found_by_own_block_.data(), w, w + 1,
                     [&](std::size_t slot) { of_slot[slot] = static_cast<Id>(vertices[own_parents[slot]]); });
    });
    for_each_unset(visited_.data(), own_words(block_),
                   [&](std::size_t slot) { of_slot[slot] = static_cast<Id>(kUnreached); });
    of_slot[block_.slot_stride] = static_cast<Id>(kUnreached);
    parallel_for(asked.size(), kSerialBelow, [&](std::size_t i) { of_slot[asked[i]] = received[i]; });
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    parallel_for(parents.size(), kSerialBelow, [&](std::size_t i) { parents[i] = of_slot[slots[i]]; });
}

}  // namespace wayfront::algo
