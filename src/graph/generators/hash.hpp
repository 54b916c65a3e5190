// Random numbers by counter: word i of the sequence of a key is computed from (key, i) alone, so
// that any thread can make any part of a random graph.
//
// The words are those of SplitMix64: its output function of key + (i + 1) * golden ratio. A key is
// itself a mixed seed, so that the sequences of different seeds and purposes are unrelated.
//
// Paper: G. L. Steele Jr., D. Lea, C. H. Flood: Fast splittable pseudorandom number generators.
// OOPSLA 2014, ACM SIGPLAN Notices 49(10), pp. 453-472, doi:10.1145/2714064.2660195.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront {

/// A bijection of the 64-bit numbers whose results look random.
WAYFRONT_HD constexpr std::uint64_t mix64(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

/// The purposes of a seed; each has its own sequences.
enum class RandomPurpose : std::uint64_t {
    rmat_edges = 1,
    vertex_numbers,
    random_edges,
    regular_cycles,
    weights,
    sources,
    edge_samples,
    targets
};

/// The key of sequence `stream` of a purpose.
WAYFRONT_HD constexpr std::uint64_t random_key(std::uint64_t seed, RandomPurpose purpose, std::uint64_t stream = 0)
{
    return mix64(mix64(mix64(seed) + static_cast<std::uint64_t>(purpose)) + stream);
}

/// Word `index` of a key's sequence.
WAYFRONT_HD constexpr std::uint64_t random_word(std::uint64_t key, std::uint64_t index)
{
    return mix64(key + (index + 1) * 0x9E3779B97F4A7C15);
}

/// The upper half of the 128-bit product.
WAYFRONT_HD constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b)
{
    const std::uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
    const std::uint64_t middle1 = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
    const std::uint64_t middle2 = (a & 0xFFFFFFFF) * (b >> 32) + (middle1 & 0xFFFFFFFF);
    return (a >> 32) * (b >> 32) + (middle1 >> 32) + (middle2 >> 32);
}

/// Maps a random word to a number in [0, bound). The numbers are equally likely up to bound / 2^64.
WAYFRONT_HD constexpr std::uint64_t random_below(std::uint64_t word, std::uint64_t bound)
{
    return multiply_high(word, bound);
}

}  // namespace wayfront
