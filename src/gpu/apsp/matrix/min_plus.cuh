// Arithmetic of min-plus products on words of a matrix.
//
// A word contains one distance, or two neighbouring distances of 16 bits. Words have 32 bits, or 64
// bits if distances have 64 bits; the host counts all memory in words of 32 bits. `Sums::relax`
// combines an accumulator with the sums of two pairs of words: two additions and one minimum of
// three numbers take fewer instructions than two additions and two minima. `spread` returns a word
// with the distance at one place of a word in all its places. `kUnset` is not a distance: it is not
// a number, or less than the smallest distance, and all its bytes are equal.
#pragma once

#include <cstdint>

#include "gpu/apsp/matrix/stored_distance.hpp"

namespace wayfront::gpu::apsp {

/// Nonnegative floats. Their bits, as whole numbers, have the same order.
struct UnsignedFloatSums
{
    static constexpr MinPlusSums kKind = MinPlusSums::unsigned_floats;
    using Word = std::uint32_t;
    static constexpr int kOfWord = 1;  // number of distances in a word
    static constexpr Word kInfinity = kFloatInfinity;
    static constexpr Word kUnset = ~0U;

    [[nodiscard]] static __device__ Word spread(Word word, int /*place*/) { return word; }
    static __device__ void relax(Word& least, Word a0, Word b0, Word a1, Word b1)
    {
        const int first = __float_as_int(__fadd_rn(__uint_as_float(a0), __uint_as_float(b0)));
        const int second = __float_as_int(__fadd_rn(__uint_as_float(a1), __uint_as_float(b1)));
        least = static_cast<Word>(__vimin3_s32(static_cast<int>(least), first, second));
    }
    static __device__ void relax_one(Word& least, Word a, Word b)
    {
        const Word sum = __float_as_uint(__fadd_rn(__uint_as_float(a), __uint_as_float(b)));
        least = sum < least ? sum : least;
    }
};

/// Floats of any sign.
struct FloatSums
{
    static constexpr MinPlusSums kKind = MinPlusSums::floats;
    using Word = std::uint32_t;
    static constexpr int kOfWord = 1;
    static constexpr Word kInfinity = kFloatInfinity;
    static constexpr Word kUnset = ~0U;

    [[nodiscard]] static __device__ Word spread(Word word, int /*place*/) { return word; }
    static __device__ void relax(Word& least, Word a0, Word b0, Word a1, Word b1)
    {
        const float first = __fadd_rn(__uint_as_float(a0), __uint_as_float(b0));
        const float second = __fadd_rn(__uint_as_float(a1), __uint_as_float(b1));
        least = __float_as_uint(fminf(__uint_as_float(least), fminf(first, second)));
    }
    static __device__ void relax_one(Word& least, Word a, Word b)
    {
        least = __float_as_uint(fminf(__uint_as_float(least), __fadd_rn(__uint_as_float(a), __uint_as_float(b))));
    }
};

/// Nonnegative whole numbers. Distances are below kInfinity, and a sum of two distances fits 32
/// bits without a sign.
struct UnsignedWholeSums
{
    static constexpr MinPlusSums kKind = MinPlusSums::unsigned_wholes;
    using Word = std::uint32_t;
    static constexpr int kOfWord = 1;
    static constexpr Word kInfinity = kUnsignedWholeInfinity;
    static constexpr Word kUnset = ~0U;

    [[nodiscard]] static __device__ Word spread(Word word, int /*place*/) { return word; }
    static __device__ void relax(Word& least, Word a0, Word b0, Word a1, Word b1)
    {
        least = __viaddmin_u32(a0, b0, least);
        least = __viaddmin_u32(a1, b1, least);
    }
    static __device__ void relax_one(Word& least, Word a, Word b) { least = __viaddmin_u32(a, b, least); }
};

/// Signed whole numbers. Distances are between -kMostWhole and kMostWhole, so that a sum of two
/// distances does not overflow, and the sum of an infinite and two negative distances remains above
/// kMostWhole.
struct WholeSums
{
    static constexpr MinPlusSums kKind = MinPlusSums::wholes;
    using Word = std::uint32_t;
    static constexpr int kOfWord = 1;
    static constexpr Word kInfinity = kWholeInfinity;
    static constexpr Word kUnset = 0x80808080;

    [[nodiscard]] static __device__ Word spread(Word word, int /*place*/) { return word; }
    static __device__ void relax(Word& least, Word a0, Word b0, Word a1, Word b1)
    {
        int value = __viaddmin_s32(static_cast<int>(a0), static_cast<int>(b0), static_cast<int>(least));
        value = __viaddmin_s32(static_cast<int>(a1), static_cast<int>(b1), value);
        least = static_cast<Word>(value);
    }
    static __device__ void relax_one(Word& least, Word a, Word b)
    {
        least = static_cast<Word>(__viaddmin_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(least)));
    }
};

/// Pairs of nonnegative whole numbers of 16 bits. Distances are below kInfinity, so that a sum of
/// two distances does not overflow.
struct ShortSums
{
    static constexpr MinPlusSums kKind = MinPlusSums::shorts;
    using Word = std::uint32_t;
    static constexpr int kOfWord = 2;
    static constexpr Word kInfinity = kShortInfinity << 16 | kShortInfinity;

    [[nodiscard]] static __device__ Word spread(Word word, int place)
    {
        return __byte_perm(word, 0, place == 0 ? 0x1010 : 0x3232);
    }
    static __device__ void relax(Word& least, Word a0, Word b0, Word a1, Word b1)
    {
        least = __viaddmin_u16x2(a0, b0, least);
        least = __viaddmin_u16x2(a1, b1, least);
    }
    static __device__ void relax_one(Word& least, Word a, Word b) { least = __viaddmin_u16x2(a, b, least); }
};

/// Floats of 64 bits of any sign, and whole numbers of a magnitude below 2^53. The sum of
/// infinities with different signs is not a number, which is not less than any distance.
struct DoubleSums
{
    static constexpr MinPlusSums kKind = MinPlusSums::doubles;
    using Word = double;
    static constexpr int kOfWord = 1;
    static constexpr Word kInfinity = StoredDistance<kKind>::infinity();

    [[nodiscard]] static __device__ Word spread(Word word, int /*place*/) { return word; }
    static __device__ void relax(Word& least, Word a0, Word b0, Word a1, Word b1)
    {
        relax_one(least, a0, b0);
        relax_one(least, a1, b1);
    }
    static __device__ void relax_one(Word& least, Word a, Word b)
    {
        // fmin() would take longer, since it returns a number even if one operand is not a number.
        const Word sum = __dadd_rn(a, b);
        least = sum < least ? sum : least;
    }
};

/// The number of 32-bit words of a word of the sums.
template <typename Sums>
inline constexpr std::uint32_t kHostWords = sizeof(typename Sums::Word) / sizeof(std::uint32_t);

/// Calls f with an object of the class of sums. Pre: a word of 32 bits has one distance.
template <typename F>
void with_whole_words(MinPlusSums sums, F&& f)
{
    if (sums == MinPlusSums::unsigned_floats) return f(UnsignedFloatSums{});
    if (sums == MinPlusSums::floats) return f(FloatSums{});
    if (sums == MinPlusSums::unsigned_wholes) return f(UnsignedWholeSums{});
    f(WholeSums{});
}

/// Calls f with an object of the class of sums.
template <typename F>
void with_sums(MinPlusSums sums, F&& f)
{
    if (sums == MinPlusSums::shorts) return f(ShortSums{});
    if (sums == MinPlusSums::doubles) return f(DoubleSums{});
    with_whole_words(sums, f);
}

}  // namespace wayfront::gpu::apsp
