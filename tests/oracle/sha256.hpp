// SHA-256 of a few megabytes, for tests that compare the checksums of files with known ones.
//
// Specification: National Institute of Standards and Technology: Secure Hash Standard. FIPS PUB
// 180-4, 2015, doi:10.6028/NIST.FIPS.180-4.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace wayfront::test {

/// The first 32 bits after the point of the square (power 2) or cube (power 3) root of a prime.
inline std::uint32_t root_fraction(unsigned prime, int power)
{
    const long double root =
        power == 2 ? std::sqrt(static_cast<long double>(prime)) : std::cbrt(static_cast<long double>(prime));
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(root * 0x1p32L) & 0xFFFFFFFF);
}

inline std::string sha256(std::span<const std::byte> bytes)
{
    std::array<std::uint32_t, 64> constants{};
    std::array<std::uint32_t, 8> state{};
    unsigned prime = 2;
    for (std::size_t i = 0; i < constants.size(); ++prime) {
        bool composite = false;
        for (unsigned d = 2; d * d <= prime; ++d) composite = composite || prime % d == 0;
        if (composite) continue;
        if (i < state.size()) state[i] = root_fraction(prime, 2);
        constants[i++] = root_fraction(prime, 3);
    }

    std::vector<std::uint8_t> message;
    message.reserve(bytes.size() + 72);
    for (const std::byte byte : bytes) message.push_back(static_cast<std::uint8_t>(byte));
    message.push_back(0x80);
    while (message.size() % 64 != 56) message.push_back(0);
    for (int shift = 56; shift >= 0; shift -= 8)
        message.push_back(static_cast<std::uint8_t>((bytes.size() * 8) >> shift));

    for (std::size_t block = 0; block < message.size(); block += 64) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 64; ++i) w[i / 4] = (w[i / 4] << 8) | message[block + i];
        for (std::size_t i = 16; i < 64; ++i) {
            const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
            const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        std::array<std::uint32_t, 8> v = state;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
            const std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
            const std::uint32_t t1 = v[7] + s1 + choice + constants[i] + w[i];
            const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
            const std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
            v = {t1 + s0 + majority, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
        }
        for (std::size_t i = 0; i < 8; ++i) state[i] += v[i];
    }

    std::string text;
    for (const std::uint32_t word : state) {
        std::array<char, 9> digits{};
        std::snprintf(digits.data(), digits.size(), "%08x", word);
        text += digits.data();
    }
    return text;
}

}  // namespace wayfront::test
