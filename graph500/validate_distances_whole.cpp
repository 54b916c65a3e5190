#include <cstdint>
#include <span>

#include "graph500/validate_distances_as.hpp"

namespace wayfront::graph500 {

template Validation SsspValidator::validate_as(const Roots<std::int32_t>&, std::span<const std::uint32_t>,
                                               std::span<const std::int32_t>);
template Validation SsspValidator::validate_as(const Roots<std::int64_t>&, std::span<const std::uint32_t>,
                                               std::span<const std::int64_t>);
template Validation SsspValidator::validate_as(const Roots<std::int32_t>&, std::span<const std::int64_t>,
                                               std::span<const std::int32_t>);
template Validation SsspValidator::validate_as(const Roots<std::int64_t>&, std::span<const std::int64_t>,
                                               std::span<const std::int64_t>);

}  // namespace wayfront::graph500
