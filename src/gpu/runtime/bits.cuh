// Functions for bits of bitmaps, and for loads and stores that are in flight together.
#pragma once

#include <cstdint>

namespace wayfront::gpu {

/// Whether the bit of a slot or column is set in its word.
[[nodiscard]] __device__ inline bool is_set(std::uint32_t word, std::uint32_t place)
{
    return ((word >> (place % 32)) & 1U) != 0;
}

/// Returns `value` after both `value` and `other` have been loaded. `zero` is 0, which the compiler
/// does not know. Without this function, the compiler would use the first loaded value before it
/// issues the other loads, to save registers, and a thread would wait for memory once per value.
[[nodiscard]] __device__ inline std::uint32_t once_loaded(std::uint32_t value, std::uint32_t other, std::uint32_t zero)
{
    return value | (other & zero);
}

/// Prevents the use of any of the values before all values are loaded.
template <int Count>
__device__ void wait_for_all(std::uint32_t (&values)[Count], std::uint32_t zero)
{
    std::uint32_t all = values[Count - 1];
#pragma unroll
    for (int i = 0; i + 1 < Count; ++i) all |= values[i];
#pragma unroll
    for (int i = 0; i < Count; ++i) values[i] = once_loaded(values[i], all, zero);
}

/// Prevents the use of any value of the two arrays before all values are loaded.
template <int Count>
__device__ void wait_for_all(std::uint32_t (&some)[Count], std::uint32_t (&others)[Count], std::uint32_t zero)
{
    std::uint32_t all = 0;
#pragma unroll
    for (int i = 0; i < Count; ++i) all |= some[i] | others[i];
#pragma unroll
    for (int i = 0; i < Count; ++i) {
        some[i] = once_loaded(some[i], all, zero);
        others[i] = once_loaded(others[i], all, zero);
    }
}

// Conditional loads and stores without a branch, so that several of them are in flight together.
// For an `if`, the compiler makes a branch if the condition or the address takes several
// instructions.

/// Returns *from if `wanted`, otherwise `other`. Pre: *from is not written during the search, and
/// is read once. This load is not volatile, so the compiler may move it. The volatile loads below
/// must stay after the barrier before them.
[[nodiscard]] __device__ inline std::uint32_t load_streaming_if(bool wanted, const std::uint32_t* from,
                                                                std::uint32_t other)
{
    std::uint32_t value = other;
    asm("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted ld.global.cs.u32 %0, [%1];\n\t}"
        : "+r"(value)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<std::uint32_t>(wanted)));
    return value;
}

/// Returns *from if `wanted`, otherwise `other`. `other` may be a value from shared memory, which
/// is then loaded first. In the opposite order, the load from shared memory would wait for global
/// memory, since both loads write the same register.
[[nodiscard]] __device__ inline std::uint32_t load_if(bool wanted, const std::uint32_t* from, std::uint32_t other)
{
    std::uint32_t value = other;
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted ld.global.u32 %0, [%1];\n\t}"
                 : "+r"(value)
                 : "l"(__cvta_generic_to_global(from)), "r"(static_cast<std::uint32_t>(wanted)));
    return value;
}

/// Same as load_if(), but reads the L2 cache, so that it sees concurrent writes of other blocks.
[[nodiscard]] __device__ inline std::uint32_t load_fresh_if(bool wanted, const std::uint32_t* from, std::uint32_t other)
{
    std::uint32_t value = other;
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted ld.global.cg.u32 %0, [%1];\n\t}"
                 : "+r"(value)
                 : "l"(__cvta_generic_to_global(from)), "r"(static_cast<std::uint32_t>(wanted)));
    return value;
}

/// Sets bits if `wanted`, and does not return the old bits. For atomicOr(), the compiler emits an
/// instruction that returns a value here even if the value is not used, and the next instruction
/// that needs its registers waits for the value.
__device__ inline void set_bits_if(bool wanted, std::uint32_t* word, std::uint32_t bits)
{
    asm volatile(
        "{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted red.relaxed.gpu.global.or.b32 [%0], %1;\n\t}"
        :
        : "l"(__cvta_generic_to_global(word)), "r"(bits), "r"(static_cast<std::uint32_t>(wanted))
        : "memory");
}

/// Same as set_bits_if(), for a word in which other GPUs set bits, too.
__device__ inline void set_shared_bits_if(bool wanted, std::uint32_t* word, std::uint32_t bits)
{
    asm volatile(
        "{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted red.relaxed.sys.global.or.b32 [%0], %1;\n\t}"
        :
        : "l"(__cvta_generic_to_global(word)), "r"(bits), "r"(static_cast<std::uint32_t>(wanted))
        : "memory");
}

__device__ inline void store_if(bool wanted, std::uint32_t* to, std::uint32_t value)
{
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted st.global.u32 [%0], %1;\n\t}"
                 :
                 : "l"(__cvta_generic_to_global(to)), "r"(value), "r"(static_cast<std::uint32_t>(wanted))
                 : "memory");
}

/// Returns values[i] of an array in registers if i is known only at run time. For loops whose body
/// is too long to be unrolled.
template <std::uint32_t Count>
[[nodiscard]] __device__ std::uint32_t chosen(const std::uint32_t (&values)[Count], std::uint32_t i)
{
    std::uint32_t value = values[0];
#pragma unroll
    for (std::uint32_t k = 1; k < Count; ++k) value = i == k ? values[k] : value;
    return value;
}

/// Removes from `bits` the bits that are set in `before`, the words before the bits were set.
template <int Count>
__device__ void keep_new(std::uint32_t (&bits)[Count], std::uint32_t (&before)[Count], std::uint32_t zero)
{
    wait_for_all(before, zero);
#pragma unroll
    for (int i = 0; i < Count; ++i) bits[i] &= ~before[i];
}

}  // namespace wayfront::gpu
