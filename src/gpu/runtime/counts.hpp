// Counts that the threads of a GPU make together: a few 64-bit words. Each word is a sum or a
// minimum. Needs no nvcc.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace wayfront::gpu {

/// The reduction of the threads' values of a word.
enum class WordReduction { sum, minimum };

/// Words are below 2^48, so that GPUs can send each of them together with 16 bits of a barrier's
/// number (gpu/exchange/grid_barrier.hpp).
inline constexpr int kCountBits = 48;

/// Counts are structs of 64-bit unsigned integers that name the reduction of each word:
///     static WAYFRONT_HD constexpr WordReduction reduction(int word);
template <typename Counts>
inline constexpr int kCountWords = static_cast<int>(sizeof(Counts) / sizeof(std::uint64_t));

/// Counts as an array.
template <typename Counts>
struct CountWords
{
    static_assert(std::is_trivially_copyable_v<Counts> && sizeof(Counts) % sizeof(std::uint64_t) == 0);

    std::uint64_t words[kCountWords<Counts>];

    /// The value of a word for a thread that has nothing to count.
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

    /// Whether these counts leave a total unchanged.
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
