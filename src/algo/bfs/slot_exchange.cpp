#include "algo/bfs/slot_exchange.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

constexpr std::size_t kSerialBelow = 1 << 14;
constexpr std::size_t kBits = 32;
constexpr std::size_t kPiece = 512;  // words of a bitmap that one thread reads at a time

std::size_t sum_of(std::span<const std::int64_t> counts)
{
    return static_cast<std::size_t>(std::reduce(counts.begin(), counts.end()));
}

std::vector<std::int64_t> words_of(std::span<const std::int64_t> counts, std::uint32_t slot_stride)
{
    std::vector<std::int64_t> words(counts.size());
    std::ranges::transform(counts, words.begin(),
                           [&](std::int64_t count) { return words_of_slots(count, slot_stride); });
    return words;
}

/// Writes a set as a list or as a bitmap, whichever fills the words.
void pack(std::span<const std::uint32_t> slots, std::span<std::uint32_t> words)
{
    if (slots.size() == words.size()) {
        parallel_for(slots.size(), kSerialBelow, [&](std::size_t i) { words[i] = slots[i]; });
        return;
    }
    parallel_ranges(words.size(), kSerialBelow / kBits, [&](IndexRange range) {
        std::fill(words.begin() + static_cast<std::ptrdiff_t>(range.first),
                  words.begin() + static_cast<std::ptrdiff_t>(range.last), 0U);
        const std::size_t end = range.last * kBits;
        for (auto slot = std::ranges::lower_bound(slots, range.first * kBits); slot != slots.end() && *slot < end;
             ++slot)
            words[*slot / kBits] |= std::uint32_t{1} << (*slot % kBits);
    });
}

void unpack(std::span<const std::uint32_t> words, std::span<std::uint32_t> slots)
{
    if (slots.size() == words.size()) {
        parallel_for(slots.size(), kSerialBelow, [&](std::size_t i) { slots[i] = words[i]; });
        return;
    }
    const std::size_t pieces = (words.size() + kPiece - 1) / kPiece;
    const auto piece_of = [words](std::size_t piece) {
        return words.subspan(piece * kPiece, std::min(kPiece, words.size() - piece * kPiece));
    };
    std::vector<std::size_t> begins(pieces + 1, 0);
    parallel_for(pieces, kSerialBelow / kPiece, [&](std::size_t piece) {
        for (const std::uint32_t word : piece_of(piece))
            begins[piece + 1] += static_cast<std::size_t>(std::popcount(word));
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    parallel_for(pieces, kSerialBelow / kPiece, [&](std::size_t piece) {
        std::size_t next = begins[piece];
        std::size_t first_slot = piece * kPiece * kBits;
        for (std::uint32_t word : piece_of(piece)) {
            for (; word != 0; word &= word - 1)
                slots[next++] =
                    static_cast<std::uint32_t>(first_slot) + static_cast<std::uint32_t>(std::countr_zero(word));
            first_slot += kBits;
        }
    });
}

}  // namespace

HostBuffer<std::uint32_t> exchange_slots(const comm::Communicator& ranks, std::uint32_t slot_stride,
                                         std::span<const std::uint32_t> slots, std::span<const std::int64_t> counts,
                                         std::span<const std::int64_t> received_counts)
{
    const std::vector<std::int64_t> sent_words = words_of(counts, slot_stride);
    const std::vector<std::int64_t> received_words = words_of(received_counts, slot_stride);
    HostBuffer<std::uint32_t> sent(sum_of(sent_words));
    HostBuffer<std::uint32_t> words(sum_of(received_words));
    // Calls f(slots, words) for the parts of each rank.
    const auto for_each_rank = [](auto all_slots, std::span<const std::int64_t> slot_counts, auto all_words,
                                  std::span<const std::int64_t> word_counts, auto&& f) {
        for (std::size_t rank = 0; rank < slot_counts.size(); ++rank) {
            const auto of_rank = static_cast<std::size_t>(slot_counts[rank]);
            const auto words_of_rank = static_cast<std::size_t>(word_counts[rank]);
            f(all_slots.first(of_rank), all_words.first(words_of_rank));
            all_slots = all_slots.subspan(of_rank);
            all_words = all_words.subspan(words_of_rank);
        }
    };
    for_each_rank(slots, counts, sent.span(), sent_words, [](auto some, auto packed) { pack(some, packed); });
    ranks.all_to_all_v(std::span<const std::uint32_t>(sent.span()), sent_words, words.span(),
                       std::span<const std::int64_t>(received_words));
    HostBuffer<std::uint32_t> received(sum_of(received_counts));
    for_each_rank(received.span(), received_counts, std::span<const std::uint32_t>(words.span()), received_words,
                  [](auto some, auto packed) { unpack(packed, some); });
    return received;
}

}  // namespace wayfront::algo
