// Settled vertices in bins of distances, on the host and in kernels.
#pragma once

#include <cstddef>

#include "base/host_device.hpp"

namespace wayfront::algo {

/// Bins of equal width for the distances up to the end of a window.
template <typename D>
class SettledBins
{
public:
    WAYFRONT_HD SettledBins(D window, std::size_t count)
        : last_(count - 1),
          bins_per_distance_(window > D{0} ? static_cast<double>(count) / static_cast<double>(window) : 0)
    {
    }

    [[nodiscard]] WAYFRONT_HD std::size_t bin_of(D distance) const
    {
        const auto bin = static_cast<std::size_t>(static_cast<double>(distance) * bins_per_distance_);
        return bin < last_ ? bin : last_;
    }
    /// Whether a vertex at this distance is the source, or in one of the first `bins` bins.
    [[nodiscard]] WAYFRONT_HD bool is_chosen(D distance, std::size_t bins) const
    {
        return distance == D{0} || bin_of(distance) < bins;
    }

private:
    std::size_t last_;
    double bins_per_distance_;
};

}  // namespace wayfront::algo
