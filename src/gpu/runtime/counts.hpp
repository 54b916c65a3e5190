// Counts that are reduced over all threads of a GPU: a few 64-bit words, each of which is a sum or
// a minimum. Needs no nvcc.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace wayfront::gpu {

/// The operation by which the threads' values of a word are reduced.
enum class WordReduction { sum, minimum };

/// Number of bits of a word. GPUs send each word together with 16 bits of a barrier's number
/// (gpu/exchange/grid_barrier.hpp).
inline constexpr int kCountBits = 48;

/// The number of words of `Counts`. `Counts` is a struct of 64-bit unsigned integers with a
/// function that names the reduction of each word:
///     static WAYFRONT_HD constexpr WordReduction reduction(int word);
template <typename Counts>
inline constexpr int kCountWords = static_cast<int>(sizeof(Counts) / sizeof(std::uint64_t));

/// Counts as an array of words.
template <typename Counts>
struct CountWords
{
    static_assert(std::is_trivially_copyable_v<Counts> && sizeof(Counts) % sizeof(std::uint64_t) == 0);

    std::uint64_t words[kCountWords<Counts>];

    /// The value of a word of a thread without counts.
    [[nodiscard]] WAYFRONT_HD static constexpr std::uint64_t identity(int word)
    {
        return Counts::reduction(word) == WordReduction::sum ? 0 : (std::uint64_t{1} << kCountBits) - 1;
    }
    [[nodiscard]] WAYFRONT_HD static constexpr CountWords none()
    {
        CountWords none{};
        for (int i = 0; i < kCountWords<Counts>; ++i) none.words[i] = identity(i);
        return none;
    }
    [[nodiscard]] WAYFRONT_HD static CountWords of(const Counts& counts)
    {
        return __builtin_bit_cast(CountWords, counts);
    }
    [[nodiscard]] WAYFRONT_HD Counts counts() const { return __builtin_bit_cast(Counts, *this); }

    /// Whether these counts do not change a total.
    [[nodiscard]] WAYFRONT_HD constexpr bool is_none() const
    {
        bool none = true;
        for (int i = 0; i < kCountWords<Counts>; ++i) none = none && words[i] == identity(i);
        return none;
    }
    [[nodiscard]] WAYFRONT_HD static constexpr std::uint64_t reduced(int word, std::uint64_t a, std::uint64_t b)
    {
        if (Counts::reduction(word) == WordReduction::sum) return a + b;
        return a < b ? a : b;
    }
};

}  // namespace wayfront::gpu
