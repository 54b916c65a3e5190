// Bits of bitmaps, and loads and stores that are in flight together.
#pragma once

#include <cstdint>

namespace wayfront::gpu {

/// Whether the bit of a slot or column is set in its word.
[[nodiscard]] __device__ inline bool is_set(std::uint32_t word, std::uint32_t place)
{
    return ((word >> (place % 32)) & 1U) != 0;
}

/// `value`, once `other` has been loaded, too. `zero` is 0, which the compiler does not know. To save registers it would otherwise use what it loaded
/// first before it loads the rest, and a thread would wait for memory once for each.
[[nodiscard]] __device__ inline std::uint32_t once_loaded(std::uint32_t value, std::uint32_t other, std::uint32_t zero)
{
    return value | (other & zero);
}

/// None of the values is used before all are there.
template <int Count>
__device__ void wait_for_all(std::uint32_t (&values)[Count], std::uint32_t zero)
{
    std::uint32_t all = values[Count - 1];
#pragma unroll
    for (int i = 0; i + 1 < Count; ++i) all |= values[i];
#pragma unroll
    for (int i = 0; i < Count; ++i) values[i] = once_loaded(values[i], all, zero);
}

/// The same of two arrays together.
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

// Loads and stores under a condition, without a branch, so that those of several words are on their way together. The compiler makes branches of `if`
// once the condition or the address takes several instructions.

/// *from, which nobody writes during the search and which is read once; else `other`. Not volatile: it may be moved. The other loads must stay behind
/// the barrier before them.
[[nodiscard]] __device__ inline std::uint32_t load_streaming_if(bool wanted, const std::uint32_t* from, std::uint32_t other)
{
    std::uint32_t value = other;
    asm("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted ld.global.cs.u32 %0, [%1];\n\t}"
        : "+r"(value)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<std::uint32_t>(wanted)));
    return value;
}

/// *from, else `other`: a look into shared memory, say, which then comes first. The other way round it would wait until global memory has answered,
/// since both fill the same register.
[[nodiscard]] __device__ inline std::uint32_t load_if(bool wanted, const std::uint32_t* from, std::uint32_t other)
{
    std::uint32_t value = other;
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted ld.global.u32 %0, [%1];\n\t}"
                 : "+r"(value)
                 : "l"(__cvta_generic_to_global(from)), "r"(static_cast<std::uint32_t>(wanted)));
    return value;
}

/// The same from the L2 cache, where what others write meanwhile is seen.
[[nodiscard]] __device__ inline std::uint32_t load_fresh_if(bool wanted, const std::uint32_t* from, std::uint32_t other)
{
    std::uint32_t value = other;
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted ld.global.cg.u32 %0, [%1];\n\t}"
                 : "+r"(value)
                 : "l"(__cvta_generic_to_global(from)), "r"(static_cast<std::uint32_t>(wanted)));
    return value;
}

/// Sets bits, and does not learn which were set before. Of atomicOr() the compiler makes an instruction with an answer here, even if nobody wants it,
/// and whoever needs its registers next waits for the answer.
__device__ inline void set_bits_if(bool wanted, std::uint32_t* word, std::uint32_t bits)
{
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted red.relaxed.gpu.global.or.b32 [%0], %1;\n\t}"
                 :
                 : "l"(__cvta_generic_to_global(word)), "r"(bits), "r"(static_cast<std::uint32_t>(wanted))
                 : "memory");
}

/// The same where other GPUs set bits of the word.
__device__ inline void set_shared_bits_if(bool wanted, std::uint32_t* word, std::uint32_t bits)
{
    asm volatile("{\n\t.reg .pred wanted;\n\tsetp.ne.u32 wanted, %2, 0;\n\t@wanted red.relaxed.sys.global.or.b32 [%0], %1;\n\t}"
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

/// values[i] of an array in registers, where i is known at run time alone: for loops whose body is too long to be there for each i.
template <std::uint32_t Count>
[[nodiscard]] __device__ std::uint32_t chosen(const std::uint32_t (&values)[Count], std::uint32_t i)
{
    std::uint32_t value = values[0];
#pragma unroll
    for (std::uint32_t k = 1; k < Count; ++k) value = i == k ? values[k] : value;
    return value;
}

/// Of the bits that were to be set, keeps those that were not set before.
template <int Count>
__device__ void keep_new(std::uint32_t (&bits)[Count], std::uint32_t (&before)[Count], std::uint32_t zero)
{
    wait_for_all(before, zero);
#pragma unroll
    for (int i = 0; i < Count; ++i) bits[i] &= ~before[i];
}

}  // namespace wayfront::gpu
