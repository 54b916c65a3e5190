// An exchange of sets of slots between ranks that know how many slots each sends to each other one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/communicator.hpp"

namespace wayfront::algo {

/// How sets of slots travel: as lists, or, between hosts, as bitmaps if these are smaller. Within a host,
/// bitmaps are no faster (bench/results/bfs-questions-one-host.json).
struct SlotForm
{
    std::uint32_t slot_stride = 0;  // a multiple of 64, and greater than all slots
    bool between_hosts = false;

    /// The 32-bit words of a set of `count` slots.
    [[nodiscard]] constexpr std::int64_t words(std::int64_t count) const
    {
        const std::int64_t bitmap = slot_stride / 32;
        return between_hosts && bitmap < count ? bitmap : count;
    }
};

namespace detail {
inline constexpr std::size_t kSerialSlotsBelow = 1 << 14;
inline constexpr std::size_t kWordSlots = 32;  // the slots of a word of a bitmap
}  // namespace detail

/// The sets of slots that the ranks sent to this one.
class ReceivedSlots
{
public:
    struct Set
    {
        std::size_t count = 0;  // the number of slots
        std::size_t first = 0;  // the position of the first word
        std::size_t words = 0;
    };
    ReceivedSlots(std::vector<Set> sets, HostBuffer<std::uint32_t> words)
        : sets_(std::move(sets)), words_(std::move(words))
    {
    }

    /// The number of slots that a rank sent.
    [[nodiscard]] std::size_t count(std::size_t rank) const { return sets_[rank].count; }
    /// Calls f(i, slot), on all threads, for the i-th slot in ascending order that a rank sent.
    template <typename F>
    void for_each(std::size_t rank, F&& f) const
    {
        const Set& set = sets_[rank];
        const std::span<const std::uint32_t> words = words_.span().subspan(set.first, set.words);
        if (set.count == set.words)
            parallel_for(set.count, detail::kSerialSlotsBelow, [words, &f](std::size_t i) { f(i, words[i]); });
        else
            for_each_bit_of(words, f);
    }

private:
    static constexpr std::size_t kPiece = 512;  // words that one thread reads at a time

    template <typename F>
    static void for_each_bit_of(std::span<const std::uint32_t> words, F&& f)
    {
        const std::size_t pieces = (words.size() + kPiece - 1) / kPiece;
        const auto piece_of = [words](std::size_t piece) {
            return words.subspan(piece * kPiece, std::min(kPiece, words.size() - piece * kPiece));
        };
        std::vector<std::size_t> begins(pieces + 1, 0);
        parallel_for(pieces, detail::kSerialSlotsBelow / kPiece, [&](std::size_t piece) {
            for (const std::uint32_t word : piece_of(piece))
                begins[piece + 1] += static_cast<std::size_t>(std::popcount(word));
        });
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        parallel_for(pieces, detail::kSerialSlotsBelow / kPiece, [&](std::size_t piece) {
            std::size_t next = begins[piece];
            auto first_slot = static_cast<std::uint32_t>(piece * kPiece * detail::kWordSlots);
            for (std::uint32_t word : piece_of(piece)) {
                for (; word != 0; word &= word - 1)
                    f(next++, first_slot + static_cast<std::uint32_t>(std::countr_zero(word)));
                first_slot += detail::kWordSlots;
            }
        });
    }

    std::vector<Set> sets_;  // by rank
    HostBuffer<std::uint32_t> words_;
};

/// Sends `slots`, of which counts[k] are for rank k and in ascending order. Returns those that the ranks
/// sent, received_counts[k] of rank k. Collective.
[[nodiscard]] ReceivedSlots exchange_slots(const comm::Communicator& ranks, SlotForm form,
                                           std::span<const std::uint32_t> slots, std::span<const std::int64_t> counts,
                                           std::span<const std::int64_t> received_counts);

}  // namespace wayfront::algo
