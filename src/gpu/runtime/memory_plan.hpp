// Plans of the arrays that a part of the program has in device memory. The predicted bytes, the
// allocation and the place of each array in it follow from one description, so that a prediction
// cannot differ from the allocation.
//
// A plan is a struct with its arrays as members:
//
//     struct SearchPlan : MemoryPlan
//     {
//         explicit SearchPlan(std::size_t rows)
//             : parents(array<std::uint32_t>("parents", rows)),
//               levels(array<std::int32_t>("levels", rows))
//         {
//         }
//         PlannedArray<std::uint32_t> parents;
//         PlannedArray<std::int32_t> levels;
//     };
//
// SearchPlan(rows).bytes() is the prediction. DeviceArrays (gpu/runtime/device_arrays.hpp)
// allocates all arrays of a plan and returns a span of each; a DeviceBuffer takes a PlannedArray in
// place of a size. Work that allocates in steps has a plan for each set of arrays that are
// allocated and freed together. Its peak is the maximum, over the steps, of bytes_of(the plans
// whose arrays exist in the step).
//
// Free of CUDA's headers, so that a job can be estimated before it uses a GPU.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace wayfront::gpu {

/// Bytes that every estimate adds for scratch memory, fragmentation and the memory of the driver.
inline constexpr std::size_t kDeviceReserveBytes = std::size_t{512} << 20;

template <typename T>
struct PlannedArray
{
    std::size_t count = 0;
    std::size_t index = 0;   // index of the array in the plan
    std::size_t offset = 0;  // offset in the plan's slab, in bytes

    [[nodiscard]] constexpr std::size_t bytes() const { return count * sizeof(T); }
    /// The array in a slab that begins at `slab`.
    [[nodiscard]] T* in(std::byte* slab) const { return reinterpret_cast<T*>(slab + offset); }
};

class MemoryPlan
{
public:
    static constexpr std::size_t kSlabAlignment = 256;  // alignment of cudaMalloc

    struct Array
    {
        const char* name;
        std::size_t bytes;
    };

    /// A plan of arrays that are allocated separately: bytes() is the sum of the requested bytes.
    constexpr MemoryPlan() = default;
    /// A plan of arrays in one allocation, the slab. Each array is aligned to kSlabAlignment, and
    /// the size of the slab is a multiple of `multiple`.
    [[nodiscard]] static constexpr MemoryPlan slab(std::size_t multiple = kSlabAlignment)
    {
        MemoryPlan plan;
        plan.alignment_ = kSlabAlignment;
        plan.multiple_ = multiple;
        return plan;
    }

    [[nodiscard]] constexpr std::size_t bytes() const { return round_up(end_, multiple_); }
    [[nodiscard]] constexpr const std::vector<Array>& arrays() const { return arrays_; }

protected:
    /// Adds an array whose number of elements is the product of `counts`. Throws ResourceError if
    /// the number of bytes does not fit std::size_t.
    template <typename T, std::integral... Counts>
    constexpr PlannedArray<T> array(const char* name, Counts... counts)
    {
        std::size_t count = 1;
        bool fits = true;
        ((fits = fits && std::in_range<std::size_t>(counts) && multiply(count, static_cast<std::size_t>(counts))), ...);
        std::size_t bytes = count;
        if (!fits || !multiply(bytes, sizeof(T)) || bytes > kMost - std::min(end_, kMost)) fail(name);
        const PlannedArray<T> added{count, arrays_.size(), end_};
        arrays_.push_back({name, bytes});
        end_ = round_up(end_ + bytes, alignment_);
        return added;
    }

private:
    // Leaves room for rounding up, and for sums of plans.
    static constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 2;

    static constexpr bool multiply(std::size_t& product, std::size_t factor)
    {
        if (factor != 0 && product > kMost / factor) return false;
        product *= factor;
        return true;
    }
    static constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple)
    {
        return (bytes + multiple - 1) / multiple * multiple;
    }
    [[noreturn]] static void fail(const char* name)
    {
        throw ResourceError(std::string("not enough GPU memory: the number of bytes of \"") + name +
                            "\" does not fit 64 bits");
    }

    std::vector<Array> arrays_;
    std::size_t end_ = 0;
    std::size_t alignment_ = 1;
    std::size_t multiple_ = 1;
};

/// The bytes of plans whose arrays exist together. Throws ResourceError if the sum does not fit
/// std::size_t.
template <std::derived_from<MemoryPlan>... Plans>
[[nodiscard]] constexpr std::size_t bytes_of(const Plans&... plans)
{
    std::size_t sum = 0;
    for (const std::size_t bytes : {std::size_t{0}, plans.bytes()...}) {
        if (bytes > std::numeric_limits<std::size_t>::max() - sum)
            throw ResourceError("not enough GPU memory: the number of bytes does not fit 64 bits");
        sum += bytes;
    }
    return sum;
}

}  // namespace wayfront::gpu
