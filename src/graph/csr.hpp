// Compressed sparse rows: the adjacency of a block, in either direction.
//
// A `Csr` owns the lists; a `CsrView` does not own them, and kernels use it. List i is
// neighbours[begin(i)] to neighbours[end(i) - 1]. Offsets are 64-bit, but are stored as 32-bit
// numbers relative to their group of 4096 lists, so that a search reads half as many bytes of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "base/host_device.hpp"
#include "base/types.hpp"

namespace wayfront {

inline constexpr std::uint32_t kOffsetGroupBits = 12;

/// The order of the entries of a list.
enum class ListOrder {
    neighbours,  // ascending numbers
    weights,     // ascending weights; entries of equal weight by ascending number
};

struct CsrView
{
    const std::uint64_t* group_offsets = nullptr;     // one per group of 2^kOffsetGroupBits lists
    const std::uint32_t* relative_offsets = nullptr;  // one per list, and one more
    const std::uint32_t* neighbours = nullptr;
    std::uint32_t lists = 0;

    [[nodiscard]] WAYFRONT_HD std::uint64_t begin(std::uint32_t list) const
    {
        return group_offsets[list >> kOffsetGroupBits] + relative_offsets[list];
    }
    [[nodiscard]] WAYFRONT_HD std::uint64_t end(std::uint32_t list) const { return begin(list + 1); }
    [[nodiscard]] WAYFRONT_HD std::uint64_t degree(std::uint32_t list) const { return end(list) - begin(list); }
};

class Csr
{
public:
    Csr() = default;
    /// Makes lists of the given lengths, with uninitialised neighbours. Throws ResourceError if a
    /// group of lists has 2^32 entries or more.
    explicit Csr(std::span<const std::uint32_t> degrees);

    [[nodiscard]] CsrView view() const
    {
        return {group_offsets_.data(), relative_offsets_.data(), neighbours_.data(), lists_};
    }
    [[nodiscard]] std::uint32_t lists() const { return lists_; }
    [[nodiscard]] std::size_t edges() const { return neighbours_.size(); }
    [[nodiscard]] std::span<std::uint32_t> neighbours() { return neighbours_.span(); }
    [[nodiscard]] std::span<const std::uint32_t> neighbours() const { return neighbours_.span(); }
    [[nodiscard]] std::size_t bytes() const
    {
        return group_offsets_.size() * sizeof(std::uint64_t) +
               (relative_offsets_.size() + neighbours_.size()) * sizeof(std::uint32_t);
    }

private:
    HostBuffer<std::uint64_t> group_offsets_;
    HostBuffer<std::uint32_t> relative_offsets_;
    HostBuffer<std::uint32_t> neighbours_;
    std::uint32_t lists_ = 0;
};

}  // namespace wayfront
