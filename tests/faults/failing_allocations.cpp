// Makes an allocation of the program fail. To be preloaded; fault_plan.hpp says which one.
//
// Only allocations that the program itself makes, or the C++ library for it, are counted: those of
// MPI, of OpenMP's runtime and of the C library are up to these. Needs glibc.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <link.h>

#include "fault_plan.hpp"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
}

namespace {

struct CodeRange
{
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

// The code of the program and of the C++ library.
CodeRange ranges[2];

int note_range(dl_phdr_info* object, std::size_t /*bytes*/, void* /*unused*/)
{
    const std::string_view name = object->dlpi_name;
    const bool program = name.empty();
    if (!program && name.find("libstdc++") == std::string_view::npos) return 0;
    CodeRange& range = ranges[program ? 0 : 1];
    if (range.end != 0) return 0;  // the kernel's own object has no name, either
    range.begin = UINTPTR_MAX;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = object->dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
        if (begin < range.begin) range.begin = begin;
        if (begin + part.p_memsz > range.end) range.end = begin + part.p_memsz;
    }
    return 0;
}

[[gnu::constructor]] void note_ranges()
{
    dl_iterate_phdr(note_range, nullptr);
}

bool fails(const void* caller, std::size_t bytes)
{
    const auto place = reinterpret_cast<std::uintptr_t>(caller);
    bool own = false;
    for (const CodeRange& range : ranges) own = own || (place >= range.begin && place < range.end);
    if (!own || !wayfront::faults::plan().fails("malloc", bytes)) return false;
    errno = ENOMEM;
    return true;
}

}  // namespace

extern "C" {

// The C library's own names of these parameters are reserved.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)

void* malloc(std::size_t bytes)
{
    return fails(__builtin_return_address(0), bytes) ? nullptr : __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes)
{
    return fails(__builtin_return_address(0), count * bytes) ? nullptr : __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes)
{
    return fails(__builtin_return_address(0), bytes) ? nullptr : __libc_realloc(memory, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes)
{
    return fails(__builtin_return_address(0), bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes)
{
    if (fails(__builtin_return_address(0), bytes)) return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory == nullptr ? ENOMEM : 0;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name)

}  // extern "C"
