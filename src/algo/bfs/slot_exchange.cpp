#include "algo/bfs/slot_exchange.hpp"

#include <utility>

namespace wayfront::algo {

namespace {

std::size_t sum_of(std::span<const std::int64_t> counts)
{
    return static_cast<std::size_t>(std::reduce(counts.begin(), counts.end()));
}

std::vector<std::int64_t> words_of(std::span<const std::int64_t> counts, SlotForm form)
{
    std::vector<std::int64_t> words(counts.size());
    std::ranges::transform(counts, words.begin(), [&](std::int64_t count) { return form.words(count); });
    return words;
}

/// Writes a set as a list or as a bitmap, whichever fills the words.
void pack(std::span<const std::uint32_t> slots, std::span<std::uint32_t> words)
{
    if (slots.size() == words.size()) {
        parallel_for(slots.size(), detail::kSerialSlotsBelow, [&](std::size_t i) { words[i] = slots[i]; });
        return;
    }
    parallel_ranges(words.size(), detail::kSerialSlotsBelow / detail::kWordSlots, [&](IndexRange range) {
        std::fill(words.begin() + static_cast<std::ptrdiff_t>(range.first),
                  words.begin() + static_cast<std::ptrdiff_t>(range.last), 0U);
        const std::size_t end = range.last * detail::kWordSlots;
        for (auto slot = std::ranges::lower_bound(slots, range.first * detail::kWordSlots);
             slot != slots.end() && *slot < end; ++slot)
            words[*slot / detail::kWordSlots] |= std::uint32_t{1} << (*slot % detail::kWordSlots);
    });
}

/// The words of all sets, one set after the other.
HostBuffer<std::uint32_t> packed(std::span<const std::uint32_t> slots, std::span<const std::int64_t> counts,
                                 std::span<const std::int64_t> word_counts)
{
    HostBuffer<std::uint32_t> words(sum_of(word_counts));
    std::span<std::uint32_t> left = words.span();
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        const auto count = static_cast<std::size_t>(counts[rank]);
        const auto of_rank = static_cast<std::size_t>(word_counts[rank]);
        pack(slots.first(count), left.first(of_rank));
        slots = slots.subspan(count);
        left = left.subspan(of_rank);
    }
    return words;
}

}  // namespace

ReceivedSlots exchange_slots(const comm::Communicator& ranks, SlotForm form, std::span<const std::uint32_t> slots,
                             std::span<const std::int64_t> counts, std::span<const std::int64_t> received_counts)
{
    const std::vector<std::int64_t> sent_words = words_of(counts, form);
    const std::vector<std::int64_t> received_words = words_of(received_counts, form);
    HostBuffer<std::uint32_t> bitmaps;
    if (!std::ranges::equal(sent_words, counts)) bitmaps = packed(slots, counts, sent_words);
    HostBuffer<std::uint32_t> received(sum_of(received_words));
    ranks.all_to_all_v(bitmaps.empty() ? slots : std::as_const(bitmaps).span(), sent_words, received.span(),
                       std::span<const std::int64_t>(received_words));
    std::vector<ReceivedSlots::Set> sets(counts.size());
    std::size_t first = 0;
    for (std::size_t rank = 0; rank < sets.size(); ++rank) {
        const auto words = static_cast<std::size_t>(received_words[rank]);
        sets[rank] = {static_cast<std::size_t>(received_counts[rank]), first, words};
        first += words;
    }
    return {std::move(sets), std::move(received)};
}

}  // namespace wayfront::algo
