// An exchange of sets of slots between ranks that know how many slots each sends to each other one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "comm/communicator.hpp"

namespace wayfront::algo {

/// The 32-bit words in which a set of `count` slots travels, of slot_stride: a list, or a bitmap if that
/// is smaller.
[[nodiscard]] constexpr std::int64_t words_of_slots(std::int64_t count, std::uint32_t slot_stride)
{
    const std::int64_t bitmap = slot_stride / 32;
    return count < bitmap ? count : bitmap;
}

/// Sends `slots`, of which counts[k] are for rank k and in ascending order. Returns those that the ranks
/// sent, received_counts[k] of rank k. slot_stride is a multiple of 64, and greater than all slots.
/// Collective.
[[nodiscard]] HostBuffer<std::uint32_t> exchange_slots(const comm::Communicator& ranks, std::uint32_t slot_stride,
                                                       std::span<const std::uint32_t> slots,
                                                       std::span<const std::int64_t> counts,
                                                       std::span<const std::int64_t> received_counts);

}  // namespace wayfront::algo
