#include "session/output/zip_checksum.hpp"

namespace wayfront::session {

namespace {

// Polynomials of degree below 32; the coefficient of x^0 is the highest bit.
constexpr std::uint32_t kReducing = 0xEDB88320;  // x^32 modulo the polynomial of the checksum
constexpr std::uint32_t kOne = 0x80000000;       // x^0
constexpr std::uint32_t kByte = 0x00800000;      // x^8

/// a * b modulo the polynomial of the checksum.
constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b)
{
    std::uint32_t result = 0;
    for (std::uint32_t bit = kOne; bit != 0; bit >>= 1) {
        if ((a & bit) != 0) result ^= b;
        b = (b & 1) != 0 ? (b >> 1) ^ kReducing : b >> 1;
    }
    return result;
}

}  // namespace

std::uint32_t joined_checksum(std::uint32_t first, std::uint32_t second, std::uint64_t bytes)
{
    std::uint32_t power = kByte;
    for (; bytes != 0; bytes >>= 1) {
        if ((bytes & 1) != 0) first = product(first, power);
        power = product(power, power);
    }
    return first ^ second;
}

}  // namespace wayfront::session
