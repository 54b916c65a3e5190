// An estimate of the number of paths of a step, by which the size of pieces is chosen. Needs no
// nvcc.
#pragma once

#include <algorithm>
#include <cstdint>

namespace wayfront::gpu::sssp {

/// The expected number of paths per vertex of a step, which follows from the last step of the same
/// kind. It is never above the first estimate. Messages have room for the expected number: a larger
/// message takes longer, and paths without room need another message.
class PathEstimate
{
public:
    explicit PathEstimate(double most) : most_(most), expected_(most) {}

    /// The expected number of paths from a rank to another rank. `pairs`: number of pairs of ranks.
    [[nodiscard]] std::uint64_t paths(std::uint64_t vertices, double pairs) const
    {
        return static_cast<std::uint64_t>(expected_ * static_cast<double>(vertices) / pairs);
    }
    /// Adapts the estimate to a step that began with `vertices` vertices and sent `paths` paths.
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
