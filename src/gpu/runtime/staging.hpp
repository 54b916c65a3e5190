// Copies between ordinary host memory and device memory, through pinned buffers.
//
// If memory is not pinned, the driver copies it through pinned memory on one thread, and the host
// waits. Staging divides a copy into chunks, which pass through a ring of pinned buffers: while one
// chunk is on the bus, the threads of the rank fill (or empty) the next chunk.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// Copies memory: with all threads of the rank if the memory is large, otherwise with one thread.
void copy_on_host(const void* from, void* to, std::size_t bytes);

class Staging
{
public:
    Staging();

    /// Enqueues a copy on the stream. Returns when `from` has been read, which may be before the
    /// copy is complete.
    template <typename T>
    void to_device(std::span<const T> from, T* to, const Stream& stream)
    {
        to_device(from.size(), to, stream, [from](std::size_t first, std::span<T> chunk) {
            copy_on_host(from.data() + first, chunk.data(), chunk.size_bytes());
        });
    }
    /// Enqueues a copy of `count` values. fill(first, chunk) writes the values from number `first`
    /// on into a chunk of pinned memory.
    template <typename T, typename Fill>
    void to_device(std::size_t count, T* to, const Stream& stream, Fill&& fill)
    {
        for (std::size_t first = 0; first < count; first += kChunk<T>) {
            const std::size_t size = std::min(kChunk<T>, count - first);
            Slot& chunk = slot(0);
            chunk.copied.synchronize();
            fill(first, chunk.values<T>(size));
            copy_async(std::span<const T>(chunk.values<T>(size)), std::span<T>(to + first, size), stream);
            chunk.copied.record(stream);
            next_ = (next_ + 1) % kSlots;
        }
    }

    /// Copies the data that are in device memory after the current work of the stream. Waits for
    /// the copy.
    template <typename T>
    void to_host(const T* from, std::span<T> to, const Stream& stream)
    {
        to_host(from, to.size(), stream, [to](std::size_t first, std::span<const T> chunk) {
            copy_on_host(chunk.data(), to.data() + first, chunk.size_bytes());
        });
    }
    /// Copies `count` values. read(first, chunk) reads the values from number `first` on from a
    /// chunk of pinned memory.
    template <typename T, typename Read>
    void to_host(const T* from, std::size_t count, const Stream& stream, Read&& read)
    {
        const std::size_t chunks = (count + kChunk<T> - 1) / kChunk<T>;
        const auto size_of = [count](std::size_t chunk) { return std::min(kChunk<T>, count - chunk * kChunk<T>); };
        std::size_t copied_chunks = 0;
        for (std::size_t read_chunks = 0; read_chunks < chunks; ++read_chunks) {
            for (; copied_chunks < chunks && copied_chunks < read_chunks + kSlots; ++copied_chunks) {
                Slot& chunk = slot(copied_chunks);
                // The copy of the slot's previous chunk to the device may not be complete.
                chunk.copied.synchronize();
                copy_async(std::span<const T>(from + copied_chunks * kChunk<T>, size_of(copied_chunks)),
                           chunk.values<T>(size_of(copied_chunks)), stream);
                chunk.copied.record(stream);
            }
            Slot& chunk = slot(read_chunks);
            chunk.copied.synchronize();
            read(read_chunks * kChunk<T>, std::span<const T>(chunk.values<T>(size_of(read_chunks))));
        }
        next_ = (next_ + chunks) % kSlots;
    }

private:
    static constexpr std::size_t kSlots = 4;
    static constexpr std::size_t kSlotBytes = std::size_t{1} << 21;
    template <typename T>
    static constexpr std::size_t kChunk = kSlotBytes / sizeof(T);  // number of values in a chunk

    struct Slot
    {
        PinnedBuffer<std::byte> memory{kSlotBytes};
        Event copied;  // the last copy from or to this slot

        template <typename T>
        [[nodiscard]] std::span<T> values(std::size_t count)
        {
            static_assert(std::is_trivially_copyable_v<T>);
            return {reinterpret_cast<T*>(memory.data()), count};
        }
    };

    [[nodiscard]] Slot& slot(std::size_t chunk) { return slots_[(next_ + chunk) % kSlots]; }

    std::array<Slot, kSlots> slots_;
    std::size_t next_ = 0;  // index of the slot of the next chunk
};

}  // namespace wayfront::gpu
