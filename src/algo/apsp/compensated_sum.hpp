// Sums of float64 numbers that hardly depend on the order of the additions.
#pragma once

#include <cmath>

namespace wayfront::algo {

/// Adds up in double precision with the rounding errors kept apart (A. Neumaier, 1974).
class CompensatedSum
{
public:
    void add(double value)
    {
        const double sum = sum_ + value;
        error_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
        sum_ = sum;
    }
    /// Adds `value` `times` times, with the same compensation as for single additions.
    void add(double value, double times)
    {
        const double product = times * value;
        error_ += std::fma(times, value, -product);
        add(product);
    }
    [[nodiscard]] double value() const { return sum_ + error_; }

private:
    double sum_ = 0;
    double error_ = 0;
};

}  // namespace wayfront::algo
