// Reads two numbers of up to eight digits at once: `source target` at the beginning of an edge's
// line. This is the innermost step of the readers.
//
// With AVX2, one comparison of 32 bytes finds the ends of both numbers, and the two halves of one
// register sum up their digits; the register then holds the edge as it is stored in memory. On
// other machines the numbers are read one after the other, word by word. Both ways give the same
// results; io_tokens_test.cpp compares them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "graph/edge_list.hpp"
#include "graph/io/tokens.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace wayfront::io {

/// Reads pairs word by word, on any machine.
class PairByWords
{
public:
    /// Reads the two numbers at `p`, which one byte separates. Returns false if there are not two
    /// numbers, or if one is longer than eight digits. Reads up to 34 bytes.
    bool take(const char* p)
    {
        const std::uint64_t first_values = load8(p) ^ 0x3030303030303030U;
        const unsigned first_digits = leading_digits(first_values);
        between_ = p + first_digits;
        const std::uint64_t second_values = load8(between_ + 1) ^ 0x3030303030303030U;
        const unsigned second_digits = leading_digits(second_values);
        end_ = between_ + 1 + second_digits;
        if (first_digits == 0 || second_digits == 0 || is_digit(*between_) || is_digit(*end_)) return false;
        first_ = static_cast<std::uint32_t>(digits_to_number(first_values, first_digits));
        second_ = static_cast<std::uint32_t>(digits_to_number(second_values, second_digits));
        return true;
    }

    /// The byte that follows the first number, and the byte that follows the second.
    [[nodiscard]] const char* between() const { return between_; }
    [[nodiscard]] const char* end() const { return end_; }

    /// Writes the edge between the two vertices. `first_vertex` is the number of the first vertex
    /// in the file.
    void store(PackedEdge* edge, std::uint32_t first_vertex) const
    {
        *edge = {first_ - first_vertex, second_ - first_vertex, 0};
    }

    /// The smallest and the largest number of many pairs.
    class Extremes
    {
    public:
        void add(const PairByWords& pair)
        {
            least_ = std::min({least_, pair.first_, pair.second_});
            most_ = std::max({most_, pair.first_, pair.second_});
        }
        [[nodiscard]] std::uint32_t least() const { return least_; }
        [[nodiscard]] std::uint32_t most() const { return most_; }

    private:
        std::uint32_t least_ = std::numeric_limits<std::uint32_t>::max();
        std::uint32_t most_ = 0;
    };

private:
    const char* between_ = nullptr;
    const char* end_ = nullptr;
    std::uint32_t first_ = 0;
    std::uint32_t second_ = 0;
};

#if defined(__AVX2__)

/// Reads pairs with vector instructions.
class PairByVectors
{
public:
    bool take(const char* p)
    {
        const __m256i values =
            _mm256_sub_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), _mm256_set1_epi8('0'));
        const __m256i digits = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
        // The upper bits are ones, so that an end is always found.
        const std::uint64_t others = ~std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(digits))};
        const std::uint64_t first_digits = _tzcnt_u64(others);
        const std::uint64_t second_end = _tzcnt_u64(others & (others - 1));
        const std::uint64_t second_digits = second_end - first_digits - 1;
        if (((first_digits - 1) | (second_digits - 1)) > 7) [[unlikely]]
            return false;
        between_ = p + first_digits;
        end_ = p + second_end;

        // The digits are shifted up to the end of the words. The zeroes that enter from below
        // remain zeroes when '0' is subtracted with saturation.
        const std::uint64_t first = load8(p) << ((0U - 8 * first_digits) % 64);
        const std::uint64_t second = load8(between_ + 1) << ((0U - 8 * second_digits) % 64);
        const __m128i text = _mm_set_epi64x(static_cast<long long>(second), static_cast<long long>(first));
        const __m128i ones = _mm_subs_epu8(text, _mm_set1_epi8('0'));
        const __m128i pairs = _mm_maddubs_epi16(ones, _mm_set1_epi16(10 + (1 << 8)));
        const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 + (1 << 16)));
        numbers_ = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(10000 + (1 << 16)));
        return true;
    }

    [[nodiscard]] const char* between() const { return between_; }
    [[nodiscard]] const char* end() const { return end_; }

    void store(PackedEdge* edge, std::uint32_t first_vertex) const
    {
        static_assert(offsetof(PackedEdge, source_low) == 0 && offsetof(PackedEdge, target_low) == 4);
        const __m128i edges = _mm_sub_epi32(numbers_, _mm_set1_epi32(static_cast<int>(first_vertex)));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(edge), edges);
        edge->high = 0;
    }

    class Extremes
    {
    public:
        void add(const PairByVectors& pair)
        {
            least_ = _mm_min_epu32(least_, pair.numbers_);
            most_ = _mm_max_epu32(most_, pair.numbers_);
        }
        [[nodiscard]] std::uint32_t least() const { return std::min(lane(least_, 0), lane(least_, 1)); }
        [[nodiscard]] std::uint32_t most() const { return std::max(lane(most_, 0), lane(most_, 1)); }

    private:
        static std::uint32_t lane(__m128i vector, unsigned index)
        {
            return static_cast<std::uint32_t>(static_cast<std::uint64_t>(_mm_cvtsi128_si64(vector)) >> (32 * index));
        }
        __m128i least_ = _mm_set1_epi32(-1);
        __m128i most_ = _mm_setzero_si128();
    };

private:
    const char* between_ = nullptr;
    const char* end_ = nullptr;
    __m128i numbers_{};  // the two numbers in the lower two quarters, and again in the upper two
};

using FastPair = PairByVectors;

#else

using FastPair = PairByWords;

#endif

}  // namespace wayfront::io
