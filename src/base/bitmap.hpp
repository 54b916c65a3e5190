// Sets of local indices as bitmaps: bit i % 64 of word i / 64 is 1 if i is in the set.
//
// These functions do not own the words. A bitmap of `bits` indices has word_count(bits) words, and
// the bits past the last index are 0.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace wayfront {

inline constexpr std::size_t kWordBits = 64;

[[nodiscard]] constexpr std::size_t word_count(std::size_t bits)
{
    return (bits + kWordBits - 1) / kWordBits;
}

[[nodiscard]] constexpr std::size_t round_up_to_word(std::size_t bits)
{
    return word_count(bits) * kWordBits;
}

[[nodiscard]] inline bool test_bit(const std::uint64_t* words, std::size_t i)
{
    return ((words[i / kWordBits] >> (i % kWordBits)) & 1U) != 0;
}

inline void set_bit(std::uint64_t* words, std::size_t i)
{
    words[i / kWordBits] |= std::uint64_t{1} << (i % kWordBits);
}

/// Sets bit i while other threads may set bits of the same words. Returns true to exactly one
/// caller: the one that changed the bit from 0 to 1.
[[nodiscard]] inline bool claim_bit(std::uint64_t* words, std::size_t i)
{
    const std::uint64_t mask = std::uint64_t{1} << (i % kWordBits);
    const std::atomic_ref<std::uint64_t> word(words[i / kWordBits]);
    if ((word.load(std::memory_order_relaxed) & mask) != 0) return false;
    return (word.fetch_or(mask, std::memory_order_relaxed) & mask) == 0;
}

/// Calls f(i) for each index i in the words [first, last), in ascending order.
template <typename F>
void for_each_bit(const std::uint64_t* words, std::size_t first, std::size_t last, F&& f)
{
    for (std::size_t w = first; w < last; ++w)
        for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1)
            f(w * kWordBits + static_cast<std::size_t>(std::countr_zero(rest)));
}

}  // namespace wayfront
