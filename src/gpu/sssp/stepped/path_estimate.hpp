// How large the pieces of a step's paths are to be. Needs no nvcc.
#pragma once

#include <algorithm>
#include <cstdint>

namespace wayfront::gpu::sssp {

/// The number of paths that a step sends for each vertex that it begins with, by the last such step; never above the
/// first estimate. Messages have room for so many: larger ones take longer, and what finds no room takes another
/// message.
class PathEstimate
{
public:
    explicit PathEstimate(double most) : most_(most), expected_(most) {}

    /// From a rank to another one, of `pairs`.
    [[nodiscard]] std::uint64_t paths(std::uint64_t vertices, double pairs) const
    {
        return static_cast<std::uint64_t>(expected_ * static_cast<double>(vertices) / pairs);
    }
    /// `paths`: that the step has sent.
    void learn(std::uint64_t vertices, double paths)
    {
        constexpr double margin = 1.5;
        expected_ = std::min(most_, margin * paths / static_cast<double>(std::max<std::uint64_t>(vertices, 1)));
    }

private:
    double most_;
    double expected_;
};

}  // namespace wayfront::gpu::sssp
