// Random numbers for tests, which are the same on every machine and have the types that the program
// uses.
#pragma once

#include <cstdint>
#include <random>

namespace wayfront {

class RandomNumbers
{
public:
    explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] std::uint64_t next() { return engine_(); }
    /// A random number from 0 to n - 1.
    [[nodiscard]] std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
    /// True in about `share` of the calls.
    [[nodiscard]] bool chance(double share) { return static_cast<double>(engine_() >> 11) < share * 0x1p53; }

private:
    std::mt19937_64 engine_;
};

}  // namespace wayfront
