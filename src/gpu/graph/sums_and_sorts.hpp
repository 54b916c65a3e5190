// Sums and sorts of arrays in device memory by CUB. Free of CUB's headers, so that CUB is compiled
// once. `scratch` grows when necessary, and may be used by any number of calls in one stream. Each
// function throws ResourceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

class Stream;

/// Starts to replace each element by the sum of the elements before it.
void exclusive_sum(std::span<std::uint32_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream);
void exclusive_sum(std::span<std::uint64_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream);
/// Starts to add to each element the sum of the elements before it.
void inclusive_sum(std::span<std::uint64_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream);

/// Starts to replace each element by the minimum of itself and all later elements.
void least_from_here(std::span<std::uint64_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream);

/// An array in device memory, and another array of the same size. A sort swaps the two if the
/// result is in the other array.
template <typename T>
struct SortBuffers
{
    T* current = nullptr;
    T* other = nullptr;

    [[nodiscard]] SortBuffers swapped() const { return {other, current}; }
};

/// The buffers of keys with a value for each key.
template <typename Key>
struct PairBuffers
{
    SortBuffers<Key> keys;
    SortBuffers<std::uint32_t> values;
};

/// Starts to sort `count` keys by their lowest `bits` bits. The sort is stable.
void sort_keys(SortBuffers<std::uint64_t>& keys, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
               const Stream& stream);
/// Starts to sort `count` pairs by the lowest `bits` bits of their keys. The sort is stable.
void sort_pairs(PairBuffers<std::uint64_t>& pairs, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
                const Stream& stream);
void sort_pairs(PairBuffers<std::uint8_t>& pairs, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
                const Stream& stream);

/// Upper bounds of the scratch memory, in bytes, of sort_keys() and of sort_pairs() with keys of 64
/// bits.
[[nodiscard]] std::size_t sort_keys_scratch_bytes(std::uint64_t count, const Stream& stream);
[[nodiscard]] std::size_t sort_pairs_scratch_bytes(std::uint64_t count, const Stream& stream);

}  // namespace wayfront::gpu
