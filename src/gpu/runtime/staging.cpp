#include "gpu/runtime/staging.hpp"

#include <cstring>

#include "base/parallel.hpp"

namespace wayfront::gpu {

namespace {

constexpr std::size_t kSerialBelowBytes = std::size_t{1} << 18;

}  // namespace

void copy_on_host(const void* from, void* to, std::size_t bytes)
{
    parallel_ranges(bytes, kSerialBelowBytes, [&](IndexRange range) {
        std::memcpy(static_cast<std::byte*>(to) + range.first, static_cast<const std::byte*>(from) + range.first,
                    range.size());
    });
}

Staging::Staging() = default;

}  // namespace wayfront::gpu
