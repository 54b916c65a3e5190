// A second implementation of Graph500's generator, as plain as possible. Tests compare the fast one
// with it. The two share no code.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace wayfront::test {

class KronOracle
{
public:
    using Wide = unsigned __int128;
    using State = std::array<std::uint64_t, 5>;
    using Matrix = std::array<State, 5>;  // rows

    static constexpr std::uint64_t modulus = 2147483647;

    KronOracle(int scale, std::uint64_t u1, std::uint64_t u2) : scale_(scale)
    {
        seed_ = {(u1 & 0x3FFFFFFF) + 1, ((u1 >> 30) & 0x3FFFFFFF) + 1, (u2 & 0x3FFFFFFF) + 1,
                 ((u2 >> 30) & 0x3FFFFFFF) + 1, ((u2 >> 60) << 4) + (u1 >> 60) + 1};
        const Matrix one_step = {
            {{107374182, 0, 0, 0, 104480}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}}};
        stream_step_ = square(one_step, 64);
        const Matrix far_step = square(stream_step_, 64);
        State state = times(power(far_step, 50), times(power(stream_step_, 7), seed_));
        const std::uint64_t a = next(state);
        const std::uint64_t b = next(state);
        const std::uint64_t c = next(state);
        const std::uint64_t d = next(state);
        val0_ = a * 0xFFFFFFFF + b;
        val1_ = c * 0xFFFFFFFF + d;
        key_stream_ = times(power(far_step, 2), seed_);
    }

    struct Made
    {
        std::uint64_t source;
        std::uint64_t target;
        float weight;
        int rejected;  // draws
    };

    [[nodiscard]] Made edge(std::uint64_t e) const
    {
        State state = times(power(stream_step_, e), seed_);
        Made made{};
        for (int level = 0; level < scale_; ++level) {
            std::uint64_t r = next(state);
            while (r < 2147483647 % 10000) {
                ++made.rejected;
                r = next(state);
            }
            const std::uint64_t t = r % 10000;
            int square = t < 1900 ? 1 : t < 3800 ? 2 : t < 9500 ? 0 : 3;
            if (square == 2 && made.source == made.target) square = 1;
            made.source = made.source * 2 + (square == 2 || square == 3 ? 1U : 0U);
            made.target = made.target * 2 + (square == 1 || square == 3 ? 1U : 0U);
        }
        made.source = scramble(made.source);
        made.target = scramble(made.target);
        made.weight =
            static_cast<float>(static_cast<double>(static_cast<float>(next(state))) * 4.65661287524579692e-10);
        return made;
    }

    /// Candidate number c for a search key, from a separate stream of random numbers.
    [[nodiscard]] std::int64_t key_candidate(std::uint64_t c, std::int64_t n) const
    {
        State state = key_stream_;
        for (std::uint64_t i = 0; i < 2 * c; ++i) next(state);
        std::array<double, 2> d{};
        for (double& value : d) {
            const auto x = static_cast<double>(next(state));
            const auto y = static_cast<double>(next(state));
            volatile const double high = x * 4.65661287524579692e-10;
            volatile const double low = y * 2.168404346990492787e-19;
            value = high + low;
        }
        return static_cast<std::int64_t>((d[0] + d[1]) * static_cast<double>(n)) % n;
    }

    [[nodiscard]] State seed() const { return seed_; }

    static std::uint64_t next(State& state)
    {
        const auto value = static_cast<std::uint64_t>((Wide{107374182} * state[0] + Wide{104480} * state[4]) % modulus);
        state = {value, state[0], state[1], state[2], state[3]};
        return value;
    }

private:
    static State times(const Matrix& m, const State& v)
    {
        State result{};
        for (std::size_t i = 0; i < 5; ++i) {
            Wide sum = 0;
            for (std::size_t j = 0; j < 5; ++j) sum += Wide{m[i][j]} * v[j];
            result[i] = static_cast<std::uint64_t>(sum % modulus);
        }
        return result;
    }
    static Matrix times(const Matrix& a, const Matrix& b)
    {
        Matrix result{};
        for (std::size_t i = 0; i < 5; ++i) {
            for (std::size_t j = 0; j < 5; ++j) {
                Wide sum = 0;
                for (std::size_t k = 0; k < 5; ++k) sum += Wide{a[i][k]} * b[k][j];
                result[i][j] = static_cast<std::uint64_t>(sum % modulus);
            }
        }
        return result;
    }
    static Matrix square(Matrix m, int times_over)
    {
        for (int i = 0; i < times_over; ++i) m = times(m, m);
        return m;
    }
    static Matrix power(Matrix m, std::uint64_t exponent)
    {
        Matrix result{};
        for (std::size_t i = 0; i < 5; ++i) result[i][i] = 1;
        for (; exponent != 0; exponent /= 2) {
            if (exponent % 2 == 1) result = times(m, result);
            m = times(m, m);
        }
        return result;
    }
    // The low scale bits, the others dropped.
    [[nodiscard]] std::uint64_t reversed(std::uint64_t v) const
    {
        std::uint64_t result = 0;
        for (int bit = 0; bit < scale_; ++bit) result |= ((v >> bit) & 1) << (scale_ - 1 - bit);
        return result;
    }
    [[nodiscard]] std::uint64_t scramble(std::uint64_t v) const
    {
        v = reversed((v + val0_ + val1_) * (val0_ | 0x4519840211493211));
        return reversed(v * (val1_ | 0x3050852102C843A5));
    }

    int scale_;
    State seed_{};
    State key_stream_{};
    Matrix stream_step_{};
    std::uint64_t val0_ = 0;
    std::uint64_t val1_ = 0;
};

}  // namespace wayfront::test
