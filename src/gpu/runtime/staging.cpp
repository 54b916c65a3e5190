#include "gpu/runtime/staging.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace wayfront::gpu {

namespace {

constexpr std::size_t kSerialBelowBytes = std::size_t{1} << 18;

std::span<const std::byte> bytes_at(const std::byte* memory, std::size_t bytes)
{
    return {memory, bytes};
}

std::span<std::byte> bytes_at(std::byte* memory, std::size_t bytes)
{
    return {memory, bytes};
}

}  // namespace

void copy_on_host(const void* from, void* to, std::size_t bytes)
{
    parallel_ranges(bytes, kSerialBelowBytes, [&](IndexRange range) {
        std::memcpy(static_cast<std::byte*>(to) + range.first, static_cast<const std::byte*>(from) + range.first, range.size());
    });
}

Staging::Staging() = default;

void Staging::send(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream)
{
    for (std::size_t done = 0; done < bytes; done += kSlotBytes) {
        const std::size_t size = std::min(kSlotBytes, bytes - done);
        Slot& chunk = slot(0);
        chunk.copied.synchronize();
        copy_on_host(from + done, chunk.memory.data(), size);
        copy_async(bytes_at(static_cast<const std::byte*>(chunk.memory.data()), size), bytes_at(to + done, size), stream);
        chunk.copied.record(stream);
        next_ = (next_ + 1) % kSlots;
    }
}

void Staging::receive(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream)
{
    const std::size_t chunks = (bytes + kSlotBytes - 1) / kSlotBytes;
    const auto size_of = [&](std::size_t chunk) { return std::min(kSlotBytes, bytes - chunk * kSlotBytes); };
    std::size_t asked = 0;
    for (std::size_t taken = 0; taken < chunks; ++taken) {
        for (; asked < chunks && asked < taken + kSlots; ++asked) {
            Slot& chunk = slot(asked);
            // The slot's previous chunk may still be on its way to the device.
            chunk.copied.synchronize();
            copy_async(bytes_at(from + asked * kSlotBytes, size_of(asked)), bytes_at(chunk.memory.data(), size_of(asked)), stream);
            chunk.copied.record(stream);
        }
        slot(taken).copied.synchronize();
        copy_on_host(slot(taken).memory.data(), to + taken * kSlotBytes, size_of(taken));
    }
    next_ = (next_ + chunks) % kSlots;
}

}  // namespace wayfront::gpu
