// Keyed random permutations of 0 to n - 1. Any element can be computed without the others.
//
// A Feistel network of kRounds rounds permutes the 2^b numbers of b = ceil(log2 n) bits. If the
// result is not below n, it is permuted again, until it is ("cycle walking"): less than twice on
// average, as n > 2^(b - 1).
//
// Papers: M. Luby, C. Rackoff: How to construct pseudorandom permutations from pseudorandom
// functions. SIAM Journal on Computing 17(2), 1988, pp. 373-386, doi:10.1137/0217022. J. Black, P.
// Rogaway: Ciphers with arbitrary finite domains. Topics in Cryptology - CT-RSA 2002, LNCS 2271,
// pp. 114-130, doi:10.1007/3-540-45760-7_9.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "graph/generators/hash.hpp"

namespace wayfront {

class KeyedPermutation
{
public:
    /// Pre: 1 <= size <= 2^63.
    WAYFRONT_HD constexpr KeyedPermutation(std::uint64_t size, std::uint64_t key) : size_(size), key_(key)
    {
        int bits = 0;
        while ((std::uint64_t{1} << bits) < size) ++bits;
        low_bits_ = bits / 2;
        low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
        high_mask_ = (std::uint64_t{1} << (bits - low_bits_)) - 1;
    }

    [[nodiscard]] WAYFRONT_HD constexpr std::uint64_t size() const { return size_; }

    /// The image of i. Pre: i < size().
    [[nodiscard]] WAYFRONT_HD constexpr std::uint64_t operator()(std::uint64_t i) const
    {
        do i = encipher(i);
        while (i >= size_);
        return i;
    }

private:
    // The papers prove that 4 rounds suffice. There are more, because the halves are short in small
    // graphs.
    static constexpr std::uint64_t kRounds = 6;

    [[nodiscard]] WAYFRONT_HD constexpr std::uint64_t encipher(std::uint64_t x) const
    {
        std::uint64_t low = x & low_mask_;
        std::uint64_t high = x >> low_bits_;
        for (std::uint64_t round = 0; round < kRounds; round += 2) {
            high ^= mix64(key_ + round + (low << 8)) & high_mask_;
            low ^= mix64(key_ + round + 1 + (high << 8)) & low_mask_;
        }
        return (high << low_bits_) | low;
    }

    std::uint64_t size_;
    std::uint64_t key_;
    std::uint64_t low_mask_ = 0;
    std::uint64_t high_mask_ = 0;
    int low_bits_ = 0;
};

}  // namespace wayfront
