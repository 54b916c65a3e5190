// Words of bitmaps in flight.
#pragma once

#include <cstdint>

namespace wayfront::gpu {

/// Whether the bit of a slot or column is set in its word.
[[nodiscard]] __device__ inline bool is_set(std::uint32_t word, std::uint32_t place)
{
    return ((word >> (place % 32)) & 1U) != 0;
}

/// `value`, once `other` has been loaded, too. `zero` is 0, which the compiler does not know. To save registers it would otherwise use what it loaded
/// first before it loads the rest, and a thread would wait for memory once for each.
[[nodiscard]] __device__ inline std::uint32_t after(std::uint32_t value, std::uint32_t other, std::uint32_t zero)
{
    return value | (other & zero);
}

/// None of the values is used before all are there.
template <int Count>
__device__ void wait_for_all(std::uint32_t (&values)[Count], std::uint32_t zero)
{
    std::uint32_t all = values[Count - 1];
#pragma unroll
    for (int i = 0; i + 1 < Count; ++i) all |= values[i];
#pragma unroll
    for (int i = 0; i < Count; ++i) values[i] = after(values[i], all, zero);
}

/// values[i] of an array in registers, where i is known at run time alone: for loops whose body is too long to be there for each i.
template <std::uint32_t Count>
[[nodiscard]] __device__ std::uint32_t chosen(const std::uint32_t (&values)[Count], std::uint32_t i)
{
    std::uint32_t value = values[0];
#pragma unroll
    for (std::uint32_t k = 1; k < Count; ++k) value = i == k ? values[k] : value;
    return value;
}

/// Of the bits that were to be set, keeps those that were not set before.
template <int Count>
__device__ void keep_new(std::uint32_t (&bits)[Count], std::uint32_t (&before)[Count], std::uint32_t zero)
{
    wait_for_all(before, zero);
#pragma unroll
    for (int i = 0; i < Count; ++i) bits[i] &= ~before[i];
}

}  // namespace wayfront::gpu
