#include "algo/bfs/split_engine.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "algo/bfs/row_split.hpp"
#include "base/bitmap.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/types.hpp"

namespace wayfront {

namespace {

// Words of rows below which it would take longer to wake threads.
constexpr std::size_t kSerialBelowWords = 1 << 13;
constexpr std::size_t kSerialBelowRows = 1 << 15;

/// Copies the words of a part's bitmap to their positions in the block's bitmap.
void scatter_words(std::span<const std::uint32_t> words, const std::uint64_t* part, std::uint64_t* block)
{
    parallel_ranges(words.size(), kSerialBelowWords, [&](IndexRange range) {
        for (std::size_t w = range.first; w < range.last; ++w) block[words[w]] = part[w];
    });
}

/// Copies the words of a part from the block's bitmap.
void gather_words(std::span<const std::uint32_t> words, const std::uint64_t* block, std::uint64_t* part)
{
    parallel_ranges(words.size(), kSerialBelowWords, [&](IndexRange range) {
        for (std::size_t w = range.first; w < range.last; ++w) part[w] = block[words[w]];
    });
}

void scatter_parents(std::span<const std::uint32_t> words, const std::uint32_t* part, std::uint32_t* block)
{
    parallel_ranges(words.size(), kSerialBelowWords / kWordBits, [&](IndexRange range) {
        for (std::size_t w = range.first; w < range.last; ++w)
            std::copy_n(part + w * kWordBits, kWordBits, block + std::size_t{words[w]} * kWordBits);
    });
}

/// Writes the rows of a part's list to `to`, in the block's numbers.
void translate_rows(std::span<const std::uint32_t> words, std::span<const std::uint32_t> rows, std::uint32_t* to)
{
    constexpr auto word_rows = static_cast<std::uint32_t>(kWordBits);
    parallel_ranges(rows.size(), kSerialBelowRows, [&](IndexRange range) {
        for (std::size_t i = range.first; i < range.last; ++i)
            to[i] = words[rows[i] / word_rows] * word_rows + rows[i] % word_rows;
    });
}

}  // namespace

SplitEngine::SplitEngine(const CsrBlock& block, EngineMaker make_first, EngineMaker make_second,
                         std::optional<double> share)
    : block_(block), makers_{std::move(make_first), std::move(make_second)}
{
    if (!share) trials_.emplace();
    split(share.value_or(kFirstShare));
}

void SplitEngine::split_with_fallback(double share)
{
    try {
        split(share);
    } catch (const ResourceError&) {
        if (share == kFirstShare) throw;
        split(kFirstShare);
    }
}

void SplitEngine::split(double share)
{
    parts_ = {};  // frees the memory of the old parts before the new ones are made
    whole_block_engine_ = nullptr;
    share_ = share;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "split:%.4g", share);
    name_ = text.data();
    RowSplit rows = split_rows(block_, share);
    for (std::size_t i = 0; i < parts_.size(); ++i) make_part(parts_[i], std::move(rows[i]), makers_[i]);
}

void SplitEngine::make_part(Part& part, HostBuffer<std::uint32_t> words, const EngineMaker& make)
{
    const std::size_t all_words = word_count(block_.rows());
    // If the block has no rows, each part is the whole block.
    if (words.size() == all_words && whole_block_engine_ == nullptr) {
        part.engine = make(block_);
        whole_block_engine_ = part.engine.get();
        return;
    }
    if (words.empty()) return;
    part.words = std::move(words);
    part.block = take_rows(block_, part.words.span());
    const std::size_t rows = part.block.rows();
    part.engine = make(part.block);
    if (part.engine->has_own_copy()) part.block = {};
    // Initialised here, so that no timed search is the first to touch the memory.
    part.seen = HostBuffer<std::uint64_t>(word_count(rows), 0);
    part.parents = HostBuffer<std::uint32_t>(rows, 0);
    part.list = HostBuffer<std::uint32_t>(rows, 0);
    part.found = HostBuffer<std::uint64_t>(word_count(rows), 0);
}

bool SplitEngine::takes_either_form() const
{
    if (whole_block_engine_ != nullptr) return whole_block_engine_->takes_either_form();
    return parts_[0].engine->takes_either_form() && parts_[1].engine->takes_either_form();
}

DeviceBytes SplitEngine::device_bytes() const
{
    DeviceBytes sum;
    for (const Part& part : parts_) {
        if (part.engine == nullptr) continue;
        const DeviceBytes bytes = part.engine->device_bytes();
        sum.graph += bytes.graph;
        sum.state += bytes.state;
    }
    return sum;
}

void SplitEngine::begin_search(std::uint32_t seen_row)
{
    if (whole_block_engine_ != nullptr) {
        whole_block_engine_->begin_search(seen_row);
        return;
    }
    constexpr auto word_rows = static_cast<std::uint32_t>(kWordBits);
    for (Part& part : parts_) {
        std::ranges::fill(part.seen, 0);
        std::uint32_t own_row = kNoLocal;
        if (seen_row != kNoLocal) {
            const auto* const word = std::lower_bound(part.words.begin(), part.words.end(), seen_row / word_rows);
            if (word != part.words.end() && *word == seen_row / word_rows)
                own_row = static_cast<std::uint32_t>(word - part.words.begin()) * word_rows + seen_row % word_rows;
        }
        if (own_row != kNoLocal) set_bit(part.seen.data(), own_row);
        part.engine->begin_search(own_row);
    }
}

void SplitEngine::launch(const Launched& level)
{
    launched_ = level;
    if (whole_block_engine_ != nullptr) {
        launch_on(*whole_block_engine_, *level.discoveries);
        return;
    }
    for (Part& part : parts_) {
        if (level.discoveries->seen_changed) gather_words(part.words.span(), level.discoveries->seen, part.seen.data());
        // `finders` is null: the rows that the two parts find are not in a common order.
        part.discoveries = {.seen = part.seen.data(),
                            .seen_changed = level.discoveries->seen_changed,
                            .parents = part.parents.data(),
                            .list = part.list.data(),
                            .found = part.found.data()};
    }
    for (Part& part : parts_) launch_on(*part.engine, part.discoveries);
}

void SplitEngine::launch_on(EdgeEngine& engine, Discoveries& discoveries) const
{
    if (launched_.top_down)
        engine.launch_top_down(launched_.frontier, discoveries);
    else
        engine.launch_bottom_up(launched_.frontier, discoveries);
}

void SplitEngine::collect()
{
    if (whole_block_engine_ != nullptr) {
        whole_block_engine_->collect();
    } else {
        for (Part& part : parts_) part.engine->collect();
        merge();
    }
}

void SplitEngine::merge()
{
    Discoveries& whole = *launched_.discoveries;
    whole.count = parts_[0].discoveries.count + parts_[1].discoveries.count;
    whole.as_list = parts_[0].discoveries.as_list && parts_[1].discoveries.as_list;
    std::size_t listed = 0;
    for (Part& part : parts_) {
        const std::span<const std::uint32_t> list(part.list.data(),
                                                  part.discoveries.as_list ? part.discoveries.count : 0);
        if (whole.as_list) {
            translate_rows(part.words.span(), list, whole.list + listed);
            listed += list.size();
            continue;
        }
        if (part.discoveries.as_list) {
            std::ranges::fill(part.found, 0);
            for (const std::uint32_t row : list) set_bit(part.found.data(), row);
        }
        scatter_words(part.words.span(), part.found.data(), whole.found);
    }
}

void SplitEngine::end_search(const Discoveries& discoveries)
{
    if (whole_block_engine_ != nullptr) {
        whole_block_engine_->end_search(discoveries);
        return;
    }
    for (Part& part : parts_) {
        part.engine->end_search({.seen = part.seen.data(), .parents = part.parents.data()});
        scatter_words(part.words.span(), part.seen.data(), discoveries.seen);
        scatter_parents(part.words.span(), part.parents.data(), discoveries.parents);
    }
}

bool SplitEngine::tune(double seconds)
{
    if (!trials_ || trials_->done()) return false;
    const double before = trials_->share();
    trials_->add(seconds);
    if (trials_->share() != before) split_with_fallback(trials_->share());
    return !trials_->done();
}

}  // namespace wayfront
