#include <limits>
#include <utility>

#include <cub/device/device_reduce.cuh>

#include "gpu/graph/caller_arrays.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/scratch.hpp"

namespace wayfront::gpu {

namespace {

__global__ void widen_parents(const std::int32_t* parents, std::uint64_t count, std::int64_t first, std::int64_t* wide)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        wide[i] = parents[i] < 0 ? std::int64_t{-1} : first + parents[i];
}

__global__ void widen_floats(const std::uint32_t* words, std::uint64_t count, double* wide)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        wide[i] = static_cast<double>(__uint_as_float(words[i]));  // infinity remains infinity
}

__global__ void widen_numbers(const std::uint32_t* words, std::uint64_t count, std::int64_t none, std::int64_t* wide)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        wide[i] = words[i] != ~0U ? static_cast<std::int64_t>(words[i]) : none;
}

/// Moves the memory of a buffer to a shared owner.
template <typename T>
DeviceMemory shared(DeviceBuffer<T> buffer)
{
    const auto owner = std::make_shared<DeviceBuffer<T>>(std::move(buffer));
    return {owner, owner->data()};
}

}  // namespace

DeviceMemory copied_to_gpu(std::span<const std::byte> from)
{
    const Stream stream;
    DeviceBuffer<std::byte> copy(from.size());
    copy_async(from, copy.span(), stream);
    stream.synchronize();
    return shared(std::move(copy));
}

DeviceMemory wide_parents(std::span<const std::int32_t> parents, Vertex first)
{
    const Stream stream;
    DeviceBuffer<std::int64_t> wide(parents.size());
    launch(widen_parents, parents.size(), stream, parents.data(), std::uint64_t{parents.size()}, std::int64_t{first},
           wide.data());
    stream.synchronize();
    return shared(std::move(wide));
}

DeviceMemory wide_distances(std::span<const std::uint32_t> words, bool floats)
{
    const Stream stream;
    const std::uint64_t count = words.size();
    if (floats) {
        DeviceBuffer<double> wide(count);
        launch(widen_floats, count, stream, words.data(), count, wide.data());
        stream.synchronize();
        return shared(std::move(wide));
    }
    DeviceBuffer<std::int64_t> wide(count);
    launch(widen_numbers, count, stream, words.data(), count, std::numeric_limits<std::int64_t>::max(), wide.data());
    stream.synchronize();
    return shared(std::move(wide));
}

std::int32_t deepest_level(std::span<const std::int32_t> levels)
{
    if (levels.empty()) return 0;
    const Stream stream;
    DeviceBuffer<std::int32_t> deepest(1);
    DeviceBuffer<std::byte> scratch;
    run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Max(memory, bytes, levels.data(), deepest.data(),
                                      static_cast<std::int64_t>(levels.size()), stream.get());
    });
    const std::int32_t found = fetch(deepest.data(), stream);
    return found > 0 ? found : 0;
}

void copy_to_host(const void* from, std::span<std::byte> to)
{
    const Stream stream;
    copy_async(std::span(static_cast<const std::byte*>(from), to.size()), to, stream);
    stream.synchronize();
}

void wait_for_stream(std::uintptr_t stream)
{
    check(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream)));
}

int gpu_of(const void* memory)
{
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, memory));
    const bool on_gpu = attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
    return on_gpu ? attributes.device : -1;
}

int used_gpu()
{
    int device = 0;
    check(cudaGetDevice(&device));
    return device;
}

}  // namespace wayfront::gpu
