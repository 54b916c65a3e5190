// The inner loop of blocked Floyd-Warshall: C = min(C, A + B) over tiles, in vector registers.
//
// B is packed into *strips* of kStripColumns columns, each strip row by row, so that the loop reads
// it in order. A block of a few rows of C and one strip stays in registers while the loop goes
// through the depth of the product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace wayfront::cpu {

/// The types that tiles are computed with, and the value of each that means "not reached", which saved matrices have,
/// too (session/output/row_checkpoint.cpp):
///   float, double    infinity
///   std::uint32_t    distances from 0 to 2^31 - 2; not reached: 2^31 - 1, of which two add up to
///                    less than 2^32
///   std::int32_t     distances of a magnitude below 2^29, negative ones too; not reached: at least
///                    2^29, stored as 2^30 at first, which negative weights may decrease a little
///   std::uint16_t    distances from 0 to 2^15 - 2; not reached: 2^15 - 1, of which two add up to
///                    less than 2^16
template <typename T>
inline constexpr T kFarTile = std::numeric_limits<T>::infinity();
template <>
inline constexpr std::uint32_t kFarTile<std::uint32_t> = 0x7FFFFFFF;
template <>
inline constexpr std::int32_t kFarTile<std::int32_t> = (1 << 30) - 1;
template <>
inline constexpr std::uint16_t kFarTile<std::uint16_t> = 0x7FFF;

/// Whether an entry of a tile means "not reached".
template <typename T>
[[nodiscard]] constexpr bool is_far(T distance)
{
    if constexpr (std::is_same_v<T, std::int32_t>)
        return distance >= kFarTile<T> / 2;
    else
        return distance >= kFarTile<T>;
}

inline constexpr std::size_t kVectorBytes = 32;

template <typename T>
struct VectorOf
{
    // NOLINTNEXTLINE(modernize-use-using): GCC wants the attribute here
    typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <typename T>
using Vector = typename VectorOf<T>::type;

template <typename T>
inline constexpr std::size_t kLanes = kVectorBytes / sizeof(T);
inline constexpr std::size_t kStripVectors = 2;
template <typename T>
inline constexpr std::size_t kStripColumns = kStripVectors* kLanes<T>;

template <typename T>
[[nodiscard]] inline Vector<T> load_vector(const T* from)
{
    Vector<T> vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
}
template <typename T>
inline void store_vector(T* to, Vector<T> vector)
{
    __builtin_memcpy(to, &vector, sizeof vector);
}
template <typename T>
[[nodiscard]] inline Vector<T> in_all_lanes(T value)
{
    return value - Vector<T>{};
}
template <typename T>
[[nodiscard]] inline Vector<T> smaller_of(Vector<T> a, Vector<T> b)
{
    return a < b ? a : b;
}

/// The signed integers as wide as T: the lanes of parents.
template <typename T>
using ParentOf =
    std::conditional_t<sizeof(T) == 8, std::int64_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int16_t>>;

/// Rows of A or C, or of parents, `stride` elements apart.
template <typename E>
struct Rows
{
    E* entries;
    std::size_t stride;

    [[gnu::always_inline]] E* row(std::size_t i) const { return entries + i * stride; }
};

/// Strips of B that follow each other, and the parents of their entries, or null.
template <typename T>
struct Strips
{
    const T* entries;
    std::size_t depth;
    const ParentOf<T>* parents = nullptr;
};

/// Replaces C by the smaller of C and the sums of A and B, in vectors of `vector_bytes`: `rows` rows of the columns of
/// `strips` strips at once. Has no function calls, so that it can be compiled for several instruction sets.
template <typename T, std::size_t rows, std::size_t strips, std::size_t vector_bytes>
[[gnu::always_inline]] inline void multiply_block(Rows<const T> a, Strips<T> b, Rows<T> c)
{
    // NOLINTNEXTLINE(modernize-use-using): GCC wants the attribute here
    typedef T Lanes __attribute__((vector_size(vector_bytes)));
    constexpr std::size_t lanes = vector_bytes / sizeof(T);
    constexpr std::size_t of_strip = kStripColumns<T> / lanes;
    constexpr std::size_t vectors = strips * of_strip;
    Lanes best[rows][vectors];  // NOLINT(modernize-avoid-c-arrays): registers
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t v = 0; v < vectors; ++v) __builtin_memcpy(&best[i][v], c.row(i) + v * lanes, vector_bytes);
    for (std::size_t k = 0; k < b.depth; ++k) {
        Lanes second[vectors];  // NOLINT(modernize-avoid-c-arrays)
        for (std::size_t v = 0; v < vectors; ++v)
            __builtin_memcpy(&second[v],
                             b.entries + (v / of_strip * b.depth + k) * kStripColumns<T> + v % of_strip * lanes,
                             vector_bytes);
        for (std::size_t i = 0; i < rows; ++i) {
            const Lanes first = a.row(i)[k] - Lanes{};
            for (std::size_t v = 0; v < vectors; ++v) {
                const Lanes sum = first + second[v];
                best[i][v] = sum < best[i][v] ? sum : best[i][v];
            }
        }
    }
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t v = 0; v < vectors; ++v) __builtin_memcpy(c.row(i) + v * lanes, &best[i][v], vector_bytes);
}

/// The same for one strip, in vectors of the compiler's target.
template <typename T, std::size_t rows>
inline void multiply_strip(Rows<const T> a, Strips<T> strip, Rows<T> c)
{
    multiply_block<T, rows, 1, kVectorBytes>(a, strip, c);
}

/// The same in vectors of 64 bytes. Pre: has_wide_vectors().
#if defined(__x86_64__)
template <typename T, std::size_t rows, std::size_t strips>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void multiply_strips_wide(Rows<const T> a, Strips<T> b, Rows<T> c)
{
    multiply_block<T, rows, strips, 2 * kVectorBytes>(a, b, c);
}

/// Whether the processor computes with vectors of 64 bytes, independent of the compiler's target.
[[nodiscard]] inline bool has_wide_vectors()
{
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}
#else
template <typename T, std::size_t rows, std::size_t strips>
void multiply_strips_wide(Rows<const T> a, Strips<T> b, Rows<T> c)
{
    multiply_block<T, rows, strips, 2 * kVectorBytes>(a, b, c);
}

[[nodiscard]] inline bool has_wide_vectors()
{
    return false;
}
#endif

/// As multiply_strip(); if an entry of C becomes smaller, its parent becomes that of B's entry.
template <typename T, std::size_t rows>
inline void multiply_strip_with_parents(Rows<const T> a, Strips<T> strip, Rows<T> c, Rows<ParentOf<T>> c_parents)
{
    using Parent = ParentOf<T>;
    Vector<T> best[rows][kStripVectors];          // NOLINT(modernize-avoid-c-arrays): registers
    Vector<Parent> parents[rows][kStripVectors];  // NOLINT(modernize-avoid-c-arrays)
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t v = 0; v < kStripVectors; ++v) {
            best[i][v] = load_vector(c.row(i) + v * kLanes<T>);
            parents[i][v] = load_vector(c_parents.row(i) + v * kLanes<T>);
        }
    }
    for (std::size_t k = 0; k < strip.depth; ++k) {
        for (std::size_t v = 0; v < kStripVectors; ++v) {
            const std::size_t at = k * kStripColumns<T> + v * kLanes<T>;
            const Vector<T> b = load_vector(strip.entries + at);
            const Vector<Parent> b_parents = load_vector(strip.parents + at);
            for (std::size_t i = 0; i < rows; ++i) {
                const Vector<T> sum = in_all_lanes(a.row(i)[k]) + b;
                const auto improves = sum < best[i][v];
                best[i][v] = improves ? sum : best[i][v];
                parents[i][v] = improves ? b_parents : parents[i][v];
            }
        }
    }
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t v = 0; v < kStripVectors; ++v) {
            store_vector(c.row(i) + v * kLanes<T>, best[i][v]);
            store_vector(c_parents.row(i) + v * kLanes<T>, parents[i][v]);
        }
    }
}

}  // namespace wayfront::cpu
