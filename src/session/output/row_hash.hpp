// Hashes of the rows of a matrix. A checkpoint keeps their sum, which does not depend on the order
// in which the rows were written, nor on the ranks that wrote them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace wayfront::session {

/// A hash of row `position`, whose elements are `bytes`. Rows of the same size that differ in a
/// single word of 8 bytes have different hashes.
[[nodiscard]] inline std::uint64_t hash_of_row(std::uint64_t position, std::span<const std::byte> bytes)
{
    // Several lanes, so that the multiplications of one need not wait for those of another. Each
    // step is a bijection of the lane, and of the word.
    constexpr std::size_t lanes = 8;
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;
    constexpr int turn = 29;
    const auto mixed = [](std::uint64_t lane, std::uint64_t word) { return std::rotl(lane ^ word, turn) * multiplier; };
    std::array<std::uint64_t, lanes> state{};
    for (std::size_t lane = 0; lane < lanes; ++lane) state[lane] = mixed(position, lane + 1);
    std::array<std::uint64_t, lanes> words{};
    std::size_t at = 0;
    for (; at + sizeof words <= bytes.size(); at += sizeof words) {
        std::memcpy(words.data(), bytes.data() + at, sizeof words);
        for (std::size_t lane = 0; lane < lanes; ++lane) state[lane] = mixed(state[lane], words[lane]);
    }
    words = {};
    if (at < bytes.size()) std::memcpy(words.data(), bytes.data() + at, bytes.size() - at);
    std::uint64_t hash = bytes.size();
    for (std::size_t lane = 0; lane < lanes; ++lane) hash = mixed(hash, mixed(state[lane], words[lane]));
    return hash ^ (hash >> 32);
}

}  // namespace wayfront::session
