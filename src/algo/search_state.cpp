#include "algo/search_state.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {
constexpr std::size_t kSerialBelow = 1 << 14;

std::size_t own_words(const CsrBlock& block)
{
    return block.slot_stride / kWordBits;
}
}  // namespace

SearchState::SearchState(const comm::ProcessGrid& grid, const DistributedGraph& graph, bool with_levels)
    : grid_(grid),
      graph_(graph),
      block_(graph.block),
      with_levels_(with_levels),
      seen_(word_count(block_.rows())),
      parents_(std::size_t{block_.rows()} + 1),
      found_(block_.rows())
{
    if (folds()) {
        visited_ = HostBuffer<std::uint64_t>(own_words(block_));
        finders_ = HostBuffer<std::uint16_t>(block_.slot_stride);
    }
    if (with_levels_) levels_ = HostBuffer<std::int32_t>(std::size_t{block_.slot_stride} + 1);
}

std::uint32_t SearchState::start(Vertex key, comm::SlotSet& frontier)
{
    key_ = key;
    key_row_ = kNoLocal;
    seen_changed_ = false;
    std::ranges::fill(seen_, 0);
    std::ranges::fill(visited_, 0);
    frontier.clear();
    const Partition& partition = graph_.partition;
    if (partition.owner(key) != graph_.rank) return kNoLocal;
    const std::uint32_t slot = graph_.slot_of_local[partition.local(key)];
    if (slot == block_.slot_stride) return kNoLocal;  // no edges: finish() knows the key
    key_row_ = block_.own_row(slot).value;
    set_bit(seen_.data(), key_row_);
    if (folds()) {
        set_bit(visited_.data(), slot);
        finders_[slot] = static_cast<std::uint16_t>(block_.own_row_chunk);
    }
    if (with_levels_) levels_[slot] = 0;
    frontier.list[0] = slot;
    frontier.count = 1;
    return key_row_;
}

void SearchState::refresh_seen()
{
    if (!folds()) return;
    grid_.row().all_gather(std::span<const std::uint64_t>(visited_.span()), seen_.span());
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
    return discoveries;
}

void SearchState::commit(const Discoveries& discoveries, comm::ExchangeFormat format, std::int32_t level, comm::SlotSet& frontier)
{
    found_.count = discoveries.count;
    found_.has_list = discoveries.as_list;
    found_.has_bitmap = !discoveries.as_list;
    if (folds())
        commit_folded(comm::fold(grid_.row(), format, block_.slot_stride, found_), frontier);
    else
        std::swap(found_, frontier);
    if (!with_levels_) return;
    if (frontier.has_list)
        for (const std::uint32_t slot : frontier.members()) levels_[slot] = level;
    else
        parallel_ranges(own_words(block_), kSerialBelow / kWordBits, [&](IndexRange words) {
            for_each_bit(frontier.bitmap.data(), words.first, words.last, [&](std::size_t slot) { levels_[slot] = level; });
        });
}

void SearchState::commit_folded(const comm::Folded& folded, comm::SlotSet& frontier)
{
    if (folded.as_list) {
        commit_folded_lists(folded, frontier);
        return;
    }
    frontier.has_list = false;
    frontier.has_bitmap = true;
    std::size_t count = 0;
    const std::size_t words = own_words(block_);
#pragma omp parallel for reduction(+ : count) if (words * kWordBits >= kSerialBelow)
    for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t fresh = 0;
        for (std::uint32_t finder = 0; finder < block_.row_chunks; ++finder) {
            const std::uint64_t news = folded.bitmaps[finder * words + w] & ~(visited_[w] | fresh);
            for_each_bit(&news, 0, 1, [&](std::size_t i) { finders_[w * kWordBits + i] = static_cast<std::uint16_t>(finder); });
            fresh |= news;
        }
        visited_[w] |= fresh;
        frontier.bitmap[w] = fresh;
        count += static_cast<std::size_t>(std::popcount(fresh));
    }
    frontier.count = count;
}

void SearchState::commit_folded_lists(const comm::Folded& folded, comm::SlotSet& frontier)
{
    frontier.clear();
    std::size_t position = 0;
    for (std::uint32_t finder = 0; finder < block_.row_chunks; ++finder) {
        for (const std::size_t end = position + static_cast<std::size_t>(folded.list_counts[finder]); position < end; ++position) {
            const std::uint32_t slot = folded.lists[position];
            if (test_bit(visited_.data(), slot)) continue;
            set_bit(visited_.data(), slot);
            finders_[slot] = static_cast<std::uint16_t>(finder);
            frontier.list[frontier.count++] = slot;
        }
    }
}

void SearchState::finish(VertexArray& parents, HostBuffer<std::int32_t>& levels)
{
    if (key_row_ != kNoLocal) parents_[key_row_] = block_.own_col(key_row_ - block_.own_row(0).value).value;
    if (folds())
        finish_folded(parents);
    else
        finish_local(parents);
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    if (with_levels_) {
        for (std::size_t w = 0; w < own_words(block_); ++w) {
            const std::uint64_t unreached = ~visited()[w];
            for_each_bit(&unreached, 0, 1, [&](std::size_t i) { levels_[w * kWordBits + i] = static_cast<std::int32_t>(kUnreached); });
        }
        levels_[block_.slot_stride] = static_cast<std::int32_t>(kUnreached);
        parallel_ranges(levels.size(), kSerialBelow, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) levels[i] = levels_[slots[i]];
        });
    }
    const Partition& partition = graph_.partition;
    if (partition.owner(key_) == graph_.rank) {
        parents.set(partition.local(key_), key_);
        if (with_levels_) levels[partition.local(key_)] = 0;
    }
}

void SearchState::finish_local(VertexArray& parents)
{
    // Unreached slots, and the slot that stands for vertices without edges, point at the column that stands for kUnreached.
    const std::uint32_t none = block_.cols();
    const std::size_t words = own_words(block_);
    parallel_ranges(words, kSerialBelow / kWordBits, [&](IndexRange range) {
        for (std::size_t w = range.first; w < range.last; ++w) {
            const std::uint64_t unreached = ~seen_[w];
            for_each_bit(&unreached, 0, 1, [&](std::size_t i) { parents_[w * kWordBits + i] = none; });
        }
    });
    parents_[block_.slot_stride] = none;
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    const std::uint32_t* const columns = parents_.data();
    graph_.vertex_of_column.visit([&](auto vertices) {
        parents.visit([&](auto out) {
            using Id = typename decltype(out)::value_type;
            parallel_ranges(out.size(), kSerialBelow, [&](IndexRange range) {
                for (std::size_t i = range.first; i < range.last; ++i) out[i] = static_cast<Id>(vertices[columns[slots[i]]]);
            });
        });
    });
}

void SearchState::finish_folded(VertexArray& parents)
{
    // Each owner asks the block that found a vertex for its parent, once for all vertices.
    const std::size_t finders = block_.row_chunks;
    std::vector<std::int64_t> counts(finders, 0);
    for_each_bit(visited_.data(), 0, own_words(block_), [&](std::size_t slot) { ++counts[finders_[slot]]; });
    std::vector<std::int64_t> next(finders, 0);
    std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::int64_t{0});
    std::vector<std::uint32_t> asked(static_cast<std::size_t>(next.back() + counts.back()));
    for_each_bit(visited_.data(), 0, own_words(block_),
                 [&](std::size_t slot) { asked[static_cast<std::size_t>(next[finders_[slot]]++)] = static_cast<std::uint32_t>(slot); });

    std::vector<std::int64_t> asked_of_me;
    const std::vector<std::uint32_t> questions = grid_.row().all_to_all_v(std::span<const std::uint32_t>(asked), counts, &asked_of_me);
    std::vector<Vertex> answers(questions.size());
    std::size_t position = 0;
    for (std::uint32_t owner = 0; owner < finders; ++owner)
        for (const std::size_t end = position + static_cast<std::size_t>(asked_of_me[owner]); position < end; ++position)
            answers[position] = graph_.vertex_of_column[parents_[owner * block_.slot_stride + questions[position]]];
    HostBuffer<Vertex> received(asked.size());
    grid_.row().all_to_all_v(std::span<const Vertex>(answers), asked_of_me, received.span(), counts);

    HostBuffer<Vertex> of_slot(std::size_t{block_.slot_stride} + 1, kUnreached);
    for (std::size_t i = 0; i < asked.size(); ++i) of_slot[asked[i]] = received[i];
    const std::uint32_t* const slots = graph_.slot_of_local.data();
    parents.visit([&](auto out) {
        using Id = typename decltype(out)::value_type;
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Id>(of_slot[slots[i]]);
    });
}

}  // namespace wayfront::algo
