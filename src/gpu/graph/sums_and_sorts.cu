#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/reverse_iterator.h>

#include "gpu/graph/sums_and_sorts.hpp"
#include "gpu/runtime/scratch.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

namespace {

template <typename T>
void exclusive_sum_of(std::span<T> values, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(memory, bytes, values.data(), values.data(),
                                             static_cast<std::int64_t>(values.size()), stream.get());
    });
}

struct Least
{
    __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a < b ? a : b; }
};

template <typename T>
cub::DoubleBuffer<T> double_buffer(const SortBuffers<T>& buffers)
{
    return {buffers.current, buffers.other};
}

template <typename T>
SortBuffers<T> sort_buffers(cub::DoubleBuffer<T>& buffers)
{
    return {buffers.Current(), buffers.Alternate()};
}

/// A sort of `count` keys, alone or with values, by their lowest `bits` bits. Each function calls
/// CUB once: to get the size of the scratch memory if `memory` is null, otherwise to sort.
struct RadixSort
{
    std::uint64_t count;
    int bits;
    const Stream& stream;

    template <typename Key>
    cudaError_t keys(void* memory, std::size_t& bytes, cub::DoubleBuffer<Key>& keys) const
    {
        return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, static_cast<std::int64_t>(count), 0, bits,
                                              stream.get());
    }
    template <typename Key>
    cudaError_t pairs(void* memory, std::size_t& bytes, cub::DoubleBuffer<Key>& keys,
                      cub::DoubleBuffer<std::uint32_t>& values) const
    {
        return cub::DeviceRadixSort::SortPairs(memory, bytes, keys, values, static_cast<std::int64_t>(count), 0, bits,
                                               stream.get());
    }
};

template <typename Key>
void sort_pairs_of(PairBuffers<Key>& pairs, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
                   const Stream& stream)
{
    auto key_buffer = double_buffer(pairs.keys);
    auto value_buffer = double_buffer(pairs.values);
    const RadixSort sort{count, bits, stream};
    run_with_scratch(
        scratch, [&](void* memory, std::size_t& bytes) { return sort.pairs(memory, bytes, key_buffer, value_buffer); });
    pairs.keys = sort_buffers(key_buffer);
    pairs.values = sort_buffers(value_buffer);
}

}  // namespace

void exclusive_sum(std::span<std::uint32_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    exclusive_sum_of(values, scratch, stream);
}

void exclusive_sum(std::span<std::uint64_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    exclusive_sum_of(values, scratch, stream);
}

void inclusive_sum(std::span<std::uint64_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(memory, bytes, values.data(), values.data(),
                                             static_cast<std::int64_t>(values.size()), stream.get());
    });
}

void least_from_here(std::span<std::uint64_t> values, DeviceBuffer<std::byte>& scratch, const Stream& stream)
{
    const auto backwards = thrust::make_reverse_iterator(values.data() + values.size());
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveScan(memory, bytes, backwards, backwards, Least{},
                                              static_cast<std::int64_t>(values.size()), stream.get());
    });
}

void sort_keys(SortBuffers<std::uint64_t>& keys, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
               const Stream& stream)
{
    auto buffer = double_buffer(keys);
    const RadixSort sort{count, bits, stream};
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) { return sort.keys(memory, bytes, buffer); });
    keys = sort_buffers(buffer);
}

void sort_pairs(PairBuffers<std::uint64_t>& pairs, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
                const Stream& stream)
{
    sort_pairs_of(pairs, count, bits, scratch, stream);
}

void sort_pairs(PairBuffers<std::uint8_t>& pairs, std::uint64_t count, int bits, DeviceBuffer<std::byte>& scratch,
                const Stream& stream)
{
    sort_pairs_of(pairs, count, bits, scratch, stream);
}

std::size_t sort_keys_scratch_bytes(std::uint64_t count, const Stream& stream)
{
    std::size_t bytes = 0;
    cub::DoubleBuffer<std::uint64_t> keys(nullptr, nullptr);
    check(with_cuda_errors([&] { return RadixSort{count, 64, stream}.keys(nullptr, bytes, keys); }));
    return bytes;
}

std::size_t sort_pairs_scratch_bytes(std::uint64_t count, const Stream& stream)
{
    std::size_t bytes = 0;
    cub::DoubleBuffer<std::uint64_t> keys(nullptr, nullptr);
    cub::DoubleBuffer<std::uint32_t> values(nullptr, nullptr);
    check(with_cuda_errors([&] { return RadixSort{count, 64, stream}.pairs(nullptr, bytes, keys, values); }));
    return bytes;
}

}  // namespace wayfront::gpu
