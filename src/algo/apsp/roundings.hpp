// How the distances of rows of floats were rounded, for the check of such rows.
#pragma once

#include <concepts>
#include <limits>

namespace wayfront::algo {

/// The largest relative error of one rounding to the type.
template <std::floating_point T>
inline constexpr double kUnitRoundoff = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

struct Roundings
{
    bool in_any_order = false;  // sums were added in another order than along paths
    double addition = 0;        // the unit roundoff of each addition
    double conversion = 0;      // the rounding of a conversion to fewer bits at the end; 0 if there is no conversion

    /// Whether distances equal sums that are added along paths, in the type of the weights or of the
    /// distances.
    [[nodiscard]] bool along_paths() const { return !in_any_order && conversion == 0; }
};

/// The largest relative error of a sum of numbers of one sign after this many additions, in any
/// order. N. J. Higham: Accuracy and Stability of Numerical Algorithms, 2nd edition, SIAM, 2002,
/// lemma 3.1.
[[nodiscard]] constexpr double growth_of_error(double additions, double unit_roundoff)
{
    const double product = additions * unit_roundoff;
    return product < 1 ? product / (1 - product) : std::numeric_limits<double>::infinity();
}

}  // namespace wayfront::algo
