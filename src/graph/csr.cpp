#include "graph/csr.hpp"

#include <limits>

#include "base/error.hpp"

namespace wayfront {

Csr::Csr(std::span<const std::uint32_t> degrees) : lists_(static_cast<std::uint32_t>(degrees.size()))
{
    constexpr std::uint32_t group_mask = (1U << kOffsetGroupBits) - 1;
    group_offsets_ = HostBuffer<std::uint64_t>((degrees.size() >> kOffsetGroupBits) + 1);
    relative_offsets_ = HostBuffer<std::uint32_t>(degrees.size() + 1);
    std::uint64_t offset = 0;
    std::uint64_t group = 0;
    for (std::uint32_t i = 0; i <= lists_; ++i) {
        if ((i & group_mask) == 0) group_offsets_[i >> kOffsetGroupBits] = group = offset;
        if (offset - group > std::numeric_limits<std::uint32_t>::max())
            throw ResourceError("over 2^32 edges in 4096 consecutive rows of a block; use more ranks");
        relative_offsets_[i] = static_cast<std::uint32_t>(offset - group);
        if (i < lists_) offset += degrees[i];
    }
    neighbours_ = HostBuffer<std::uint32_t>(offset);
}

}  // namespace wayfront
