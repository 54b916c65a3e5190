// The JSON of reports.
//
// nlohmann-json cannot do without memory: a value whose creation fails is destroyed as if it had
// been created. A failed allocation therefore ends the process (SureAllocator) instead of being an
// exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "job/failure.hpp"

namespace wayfront::session {

template <typename T>
struct SureAllocator
{
    using value_type = T;

    SureAllocator() = default;
    template <typename U>
    SureAllocator(
        const SureAllocator<U>& /*other*/) noexcept  // NOLINT(google-explicit-constructor): allocators convert
    {
    }

    T* allocate(std::size_t count)
    {
        if (void* const memory = ::operator new(count * sizeof(T), std::nothrow)) return static_cast<T*>(memory);
        job::end_without_memory();
    }
    void deallocate(T* memory, std::size_t /*count*/) noexcept { ::operator delete(memory); }

    friend bool operator==(const SureAllocator& /*a*/, const SureAllocator& /*b*/) { return true; }
};

/// A value whose members keep the order in which they were added.
using Json = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                  double, SureAllocator>;

}  // namespace wayfront::session
