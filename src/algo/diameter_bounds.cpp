#include "algo/diameter_bounds.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {
constexpr std::size_t kSerialBelow = 1 << 13;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
}  // namespace

DiameterBounds::DiameterBounds(std::size_t vertices)
    : most_(vertices, kNoBound), least_(vertices, kNever), from_center_(vertices, 0)
{
}

template <typename T>
void DiameterBounds::take(Vertex source, std::span<const T> distances, T unreached)
{
    const std::size_t vertices = most_.size();
    const bool begins = !is_reached(source);
    T eccentricity = 0;
#pragma omp parallel for simd reduction(max : eccentricity) if (vertices > kSerialBelow)
    for (std::size_t v = 0; v < vertices; ++v)
        eccentricity = std::max(eccentricity, distances[v] == unreached ? T{0} : distances[v]);
    diameter_ = std::max<std::int64_t>(diameter_, eccentricity);
    searches_ = begins ? 1 : searches_ + 1;
    const bool is_center = begins || eccentricity < center_eccentricity_;
    if (is_center) center_eccentricity_ = eccentricity;
    parallel_for(vertices, kSerialBelow, [&](std::size_t v) {
        if (distances[v] == unreached) {
            if (!begins) return;
            least_[v] = kNever;
            from_center_[v] = 0;
            return;
        }
        const std::int64_t distance = distances[v];
        const std::int64_t bound = distance + eccentricity;
        most_[v] = begins ? bound : std::min(most_[v], bound);
        least_[v] = begins ? distance : std::max(least_[v], distance);
        if (is_center) from_center_[v] = distance;
    });
    most_[static_cast<std::size_t>(source)] = eccentricity;
    least_[static_cast<std::size_t>(source)] = kNever;
}

template void DiameterBounds::take(Vertex, std::span<const std::int32_t>, std::int32_t);
template void DiameterBounds::take(Vertex, std::span<const std::uint32_t>, std::uint32_t);
template void DiameterBounds::take(Vertex, std::span<const std::int64_t>, std::int64_t);

Vertex DiameterBounds::next() const
{
    constexpr std::size_t few_candidates = 64;  // a search from a more central vertex does not pay for these
    constexpr std::int64_t round = 4;
    const std::size_t vertices = most_.size();
    std::size_t candidates = 0;
    std::int64_t most = 0;
    std::int64_t least = kNever;
#pragma omp parallel for if (vertices > kSerialBelow) reduction(+ : candidates) reduction(max : most) \
    reduction(min : least)
    for (std::size_t v = 0; v < vertices; ++v) {
        least = std::min(least, least_[v]);
        if (!is_candidate(v)) continue;
        ++candidates;
        most = std::max(most, most_[v]);
    }
    if (candidates == 0) return kUnreached;
    const bool wants_center = candidates > few_candidates && searches_ % round == 2 && least < center_eccentricity_;
    for (std::size_t v = 0; v < vertices; ++v)
        if (wants_center ? least_[v] == least : is_candidate(v) && most_[v] == most) return static_cast<Vertex>(v);
    return kUnreached;
}

}  // namespace wayfront::algo
