#include "base/host_buffer.hpp"

#include <cstdlib>
#include <string>

#include <sys/mman.h>

#include "base/error.hpp"

namespace wayfront::detail {

namespace {
constexpr std::size_t kCacheLineBytes = 64;
constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
// below this size, rounding up to huge pages would waste more than half of the memory
constexpr std::size_t kHugeFromBytes = kHugePageBytes / 2;
constexpr std::size_t kMaxBytes = std::size_t{1} << 47;  // the address space of a process

std::size_t round_up(std::size_t bytes, std::size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}
}  // namespace

void* allocate_host(std::size_t count, std::size_t element_bytes)
{
    if (count == 0) return nullptr;
    const std::size_t bytes = count * element_bytes;
    const bool huge = bytes >= kHugeFromBytes;
    const std::size_t alignment = huge ? kHugePageBytes : kCacheLineBytes;
    void* memory =
        count <= kMaxBytes / element_bytes ? std::aligned_alloc(alignment, round_up(bytes, alignment)) : nullptr;
    if (memory == nullptr)
        throw ResourceError("out of memory: " + std::to_string(count) + " elements of " +
                            std::to_string(element_bytes) + " bytes were requested; use more ranks or a smaller graph");
    // only a hint: a failure is harmless
    if (huge) ::madvise(memory, round_up(bytes, alignment), MADV_HUGEPAGE);
    return memory;
}

void free_host(void* memory, std::size_t /*bytes*/) noexcept
{
    std::free(memory);
}

}  // namespace wayfront::detail
