// The multiple recursive generator of Graph500's graphs and search keys.
//
// z(n) = (107374182 z(n-1) + 104480 z(n-5)) mod (2^31 - 1), with period (2^31 - 1)^5 - 1. The state
// is the last five values. To skip s steps, the state, as a column vector, is multiplied by A^s,
// where A is the companion matrix of the recurrence. With a table of A^(2^k) this takes one
// matrix-vector product per set bit of s. All types are plain data, and the small functions run in
// kernels, too: a kernel gets a copy of mrg_powers().
//
// Paper: P. L'Ecuyer, F. Blouin, R. Couture: A search for good multiple recursive random number
// generators. ACM Transactions on Modeling and Computer Simulation 3(2), 1993, pp. 87-98,
// doi:10.1145/169702.169698 (table 3, k = 5).
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace wayfront {

inline constexpr std::uint32_t kMrgModulus = 0x7FFFFFFF;
inline constexpr std::uint32_t kMrgFactor1 = 107374182;  // the factor of the newest value
inline constexpr std::uint32_t kMrgFactor5 = 104480;     // the factor of the oldest value

/// The last five values, newest first. Each is below the modulus, and not all are zero.
struct MrgState
{
    std::uint32_t z[5];
};

/// A 5 x 5 matrix over the integers mod 2^31 - 1, row-major.
struct MrgMatrix
{
    std::uint32_t a[5][5];
};

/// A number of steps: low + middle * 2^64 + high * 2^128.
struct MrgSteps
{
    std::uint64_t low = 0;
    std::uint64_t middle = 0;
    std::uint64_t high = 0;
};

/// power[k] = A^(2^k).
struct MrgPowers
{
    MrgMatrix power[192];
};

/// x mod 2^31 - 1, for any x.
WAYFRONT_HD constexpr std::uint32_t mrg_reduce(std::uint64_t x)
{
    x = (x & kMrgModulus) + (x >> 31);  // below 2^34
    x = (x & kMrgModulus) + (x >> 31);  // below 2^31 + 8
    return static_cast<std::uint32_t>(x >= kMrgModulus ? x - kMrgModulus : x);
}

/// Draws the next value, 0 .. 2^31 - 2.
WAYFRONT_HD constexpr std::uint32_t mrg_next(MrgState& state)
{
    const std::uint32_t value =
        mrg_reduce(std::uint64_t{kMrgFactor1} * state.z[0] + std::uint64_t{kMrgFactor5} * state.z[4]);
    state.z[4] = state.z[3];
    state.z[3] = state.z[2];
    state.z[2] = state.z[1];
    state.z[1] = state.z[0];
    state.z[0] = value;
    return value;
}

/// The product matrix * state.
WAYFRONT_HD constexpr MrgState mrg_apply(const MrgMatrix& matrix, const MrgState& state)
{
    MrgState result{};
    for (int row = 0; row < 5; ++row) {
        std::uint64_t sum = 0;
        // 4 (2^31 - 2)^2 < 2^64.
        for (int column = 0; column < 4; ++column) sum += std::uint64_t{matrix.a[row][column]} * state.z[column];
        sum = mrg_reduce(sum) + std::uint64_t{matrix.a[row][4]} * state.z[4];
        result.z[row] = mrg_reduce(sum);
    }
    return result;
}

/// The state `steps` steps ahead. `power` is mrg_powers().power or a copy of it.
WAYFRONT_HD constexpr MrgState mrg_skip(const MrgMatrix* power, MrgState state, MrgSteps steps)
{
    for (int k = 0; steps.low != 0; ++k, steps.low >>= 1) {
        if ((steps.low & 1) != 0) state = mrg_apply(power[k], state);
    }
    for (int k = 64; steps.middle != 0; ++k, steps.middle >>= 1) {
        if ((steps.middle & 1) != 0) state = mrg_apply(power[k], state);
    }
    for (int k = 128; steps.high != 0; ++k, steps.high >>= 1) {
        if ((steps.high & 1) != 0) state = mrg_apply(power[k], state);
    }
    return state;
}

/// The table for mrg_skip: 19,200 bytes, computed once.
const MrgPowers& mrg_powers();

/// The state `steps` steps ahead.
MrgState mrg_skip(const MrgState& state, MrgSteps steps);

/// A^(count * 2^64): the matrix from the stream of an edge to that of the edge `count` later.
MrgMatrix mrg_stream_step(std::uint64_t count);

/// Graph500's initial state for a user's two seeds; the benchmark's seeds are 2 and 3.
MrgState mrg_seed(std::uint64_t seed1, std::uint64_t seed2);

}  // namespace wayfront
