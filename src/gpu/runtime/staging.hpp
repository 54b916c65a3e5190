// Copies between ordinary host memory and device memory, through pinned buffers.
//
// If memory is not pinned, the driver copies it through pinned memory on one thread, and waits.
// Here a copy is divided into chunks, which go through a ring of pinned buffers: while one chunk is
// on the bus, the threads of the rank fill (or empty) the next.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Copies memory with all threads of the rank if it is large enough for that, otherwise with one.
void copy_on_host(const void* from, void* to, std::size_t bytes);

class Staging
{
public:
    Staging();

    /// Puts a copy into the stream. Returns when `from` has been read, possibly before the copy is
    /// complete.
    template <typename T>
    void to_device(std::span<const T> from, T* to, const Stream& stream)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        send(reinterpret_cast<const std::byte*>(from.data()), reinterpret_cast<std::byte*>(to), from.size_bytes(), stream);
    }

    /// Copies the data that are in device memory when the stream's work so far is done, and waits
    /// for the copy.
    template <typename T>
    void to_host(const T* from, std::span<T> to, const Stream& stream)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        receive(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to.data()), to.size_bytes(), stream);
    }

private:
    static constexpr std::size_t kSlots = 4;
    static constexpr std::size_t kSlotBytes = std::size_t{1} << 21;

    struct Slot
    {
        PinnedBuffer<std::byte> memory{kSlotBytes};
        Event copied;  // the last copy from or into this slot
    };

    void send(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream);
    void receive(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream);
    [[nodiscard]] Slot& slot(std::size_t chunk) { return slots_[(next_ + chunk) % kSlots]; }

    std::array<Slot, kSlots> slots_;
    std::size_t next_ = 0;  // the slot of the next chunk
};

}  // namespace wayfront::gpu
