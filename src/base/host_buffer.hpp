// Owning, uninitialised arrays in host memory.
//
// `HostBuffer<T>` owns `size()` elements of a trivial type. Unlike std::vector it does not
// initialise its elements: large arrays are first touched by the threads that use them. Large
// buffers ask the kernel for huge pages, since random access to tens of megabytes through 4 KB
// pages spends more time in address translation than in loads. Move-only, so that copies of
// gigabytes are explicit.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"

namespace wayfront {

namespace detail {
/// Returns memory for `count` elements of `element_bytes`, aligned to 64 bytes, or to 2 MiB from 1
/// MiB on; nullptr for 0 elements. Throws ResourceError with the size that was requested.
void* allocate_host(std::size_t count, std::size_t element_bytes);
void free_host(void* memory, std::size_t bytes) noexcept;
}  // namespace detail

template <typename T>
class HostBuffer
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    using value_type = T;

    HostBuffer() = default;
    explicit HostBuffer(std::size_t size)
        : data_(static_cast<T*>(detail::allocate_host(size, sizeof(T)))), size_(size), capacity_(size)
    {
    }
    /// All threads write the elements.
    HostBuffer(std::size_t size, T value) : HostBuffer(size)
    {
        parallel_for(size, kSerialBelow, [this, value](std::size_t i) { data_[i] = value; });
    }
    HostBuffer(HostBuffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0))
    {
    }
    HostBuffer& operator=(HostBuffer&& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
        return *this;
    }
    HostBuffer(const HostBuffer&) = delete;  // use std::ranges::copy
    HostBuffer& operator=(const HostBuffer&) = delete;
    ~HostBuffer() { detail::free_host(data_, capacity_ * sizeof(T)); }

    [[nodiscard]] T* data() noexcept { return data_; }
    [[nodiscard]] const T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T* begin() noexcept { return data_; }
    [[nodiscard]] T* end() noexcept { return data_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data_; }
    [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
    [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

    /// Drops the elements from `size` on and keeps the memory. `size` is at most size().
    void truncate(std::size_t size) noexcept { size_ = size; }

private:
    static constexpr std::size_t kSerialBelow = 1 << 16;

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace wayfront
