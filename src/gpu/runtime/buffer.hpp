// Arrays in device memory and in pinned host memory: move-only owners, uninitialised unless
// documented otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

#include "base/host_buffer.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

namespace detail {
// The allocating functions throw ResourceError with the requested and the free bytes.
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void free_device(void* memory) noexcept;
void free_pinned(void* memory) noexcept;
void pin(void* memory, std::size_t bytes);
/// Pins memory; false if the driver refuses.
[[nodiscard]] bool can_pin(void* memory, std::size_t bytes) noexcept;
void unpin(void* memory) noexcept;
}  // namespace detail

template <typename T, void* (*Allocate)(std::size_t), void (*Free)(void*) noexcept>
class CudaBuffer
{
    static_assert(std::is_trivially_copyable_v<T>);

public:
    CudaBuffer() = default;
    explicit CudaBuffer(std::size_t size)
        : data_(size > 0 ? static_cast<T*>(Allocate(size * sizeof(T))) : nullptr), size_(size)
    {
    }
    explicit CudaBuffer(const PlannedArray<T>& planned) : CudaBuffer(planned.count) {}
    CudaBuffer(CudaBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0))
    {
    }
    CudaBuffer& operator=(CudaBuffer&& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    CudaBuffer(const CudaBuffer&) = delete;  // copies are explicit calls with a stream
    CudaBuffer& operator=(const CudaBuffer&) = delete;
    ~CudaBuffer() { Free(data_); }

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return size_ * sizeof(T); }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
    [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

template <typename T>
using DeviceBuffer = CudaBuffer<T, detail::allocate_device, detail::free_device>;
/// Host memory that is copied to and from the device directly and asynchronously.
template <typename T>
using PinnedBuffer = CudaBuffer<T, detail::allocate_pinned, detail::free_pinned>;

/// Pinned host memory for gigabytes. All threads of the rank write the elements first, so that the
/// pages already exist when the driver pins them. The driver would allocate and clear the pages on
/// one thread.
template <typename T>
class FilledPinnedBuffer
{
public:
    FilledPinnedBuffer() = default;
    FilledPinnedBuffer(std::size_t size, T value) : memory_(size, value)
    {
        if (size > 0) detail::pin(memory_.data(), size * sizeof(T));
    }
    FilledPinnedBuffer(FilledPinnedBuffer&& other) noexcept : memory_(std::move(other.memory_)) {}
    FilledPinnedBuffer& operator=(FilledPinnedBuffer&& other) noexcept
    {
        std::swap(memory_, other.memory_);
        return *this;
    }
    // Copies are explicit calls with a stream.
    FilledPinnedBuffer(const FilledPinnedBuffer&) = delete;
    FilledPinnedBuffer& operator=(const FilledPinnedBuffer&) = delete;
    ~FilledPinnedBuffer()
    {
        if (!memory_.empty()) detail::unpin(memory_.data());
    }

    [[nodiscard]] T* data() noexcept { return memory_.data(); }
    [[nodiscard]] std::span<T> span() noexcept { return memory_.span(); }
    [[nodiscard]] bool empty() const noexcept { return memory_.empty(); }

private:
    HostBuffer<T> memory_;
};

/// Copies between any two memories (cudaMemcpyDefault). Returns before the copy is complete if both
/// memories are device memory or pinned memory.
template <typename T>
void copy_async(std::span<const T> from, std::span<T> to, const Stream& stream)
{
    if (!from.empty())
        check(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyDefault, stream.get()));
}

/// Sets all bytes of the memory to `byte`.
template <typename T>
void fill_bytes_async(std::span<T> memory, std::uint8_t byte, const Stream& stream)
{
    if (!memory.empty()) check(cudaMemsetAsync(memory.data(), byte, memory.size_bytes(), stream.get()));
}

/// Returns one value from device memory. Waits for the stream.
template <typename T>
[[nodiscard]] T fetch(const T* at, const Stream& stream)
{
    T value;
    copy_async(std::span<const T>(at, 1), std::span<T>(&value, 1), stream);
    stream.synchronize();
    return value;
}

/// Returns a copy of host memory in device memory. Waits for the copy.
template <typename T>
[[nodiscard]] DeviceBuffer<T> upload(std::span<const T> host, const Stream& stream)
{
    DeviceBuffer<T> device(host.size());
    copy_async(host, device.span(), stream);
    stream.synchronize();
    return device;
}

}  // namespace wayfront::gpu
