#include "graph/generators/mrg.hpp"

namespace wayfront {

namespace {

MrgMatrix multiply(const MrgMatrix& left, const MrgMatrix& right)
{
    MrgMatrix product{};
    for (int column = 0; column < 5; ++column) {
        MrgState vector{};
        for (int row = 0; row < 5; ++row) vector.z[row] = right.a[row][column];
        vector = mrg_apply(left, vector);
        for (int row = 0; row < 5; ++row) product.a[row][column] = vector.z[row];
    }
    return product;
}

MrgPowers make_powers()
{
    MrgPowers powers{};
    powers.power[0] = {
        {{kMrgFactor1, 0, 0, 0, kMrgFactor5}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}}};
    for (int k = 1; k < 192; ++k) powers.power[k] = multiply(powers.power[k - 1], powers.power[k - 1]);
    return powers;
}

}  // namespace

const MrgPowers& mrg_powers()
{
    static const MrgPowers powers = make_powers();
    return powers;
}

MrgState mrg_skip(const MrgState& state, MrgSteps steps)
{
    return mrg_skip(mrg_powers().power, state, steps);
}

MrgMatrix mrg_stream_step(std::uint64_t count)
{
    MrgMatrix result = {{{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1}}};
    for (int k = 64; count != 0; ++k, count >>= 1) {
        if ((count & 1) != 0) result = multiply(mrg_powers().power[k], result);
    }
    return result;
}

MrgState mrg_seed(std::uint64_t seed1, std::uint64_t seed2)
{
    constexpr std::uint64_t low_30_bits = 0x3FFFFFFF;
    const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value + 1); };
    return {{word(seed1 & low_30_bits), word((seed1 >> 30) & low_30_bits), word(seed2 & low_30_bits),
             word((seed2 >> 30) & low_30_bits), word(((seed2 >> 60) << 4) + (seed1 >> 60))}};
}

}  // namespace wayfront
