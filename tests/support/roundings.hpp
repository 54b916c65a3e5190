// How far results may lie from those of another program that adds in another order.
#pragma once

#include <cstddef>
#include <limits>

namespace wayfront {

/// The largest distance between two sums of the same `terms` numbers of one sign, as a share of the
/// sum: each of their additions rounds by at most half an epsilon. A path of `terms` vertices is
/// such a sum.
template <typename Real>
double rounding_of_sums(std::size_t terms)
{
    return static_cast<double>(terms) * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

}  // namespace wayfront
