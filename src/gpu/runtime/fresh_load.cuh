// Loads of words that another block may be writing.
//
// Words that order other words, such as those of barriers and queues, are cuda::atomic_ref with an
// acquire or a release. Words that a barrier orders, or that need no order, are also loaded and
// stored as volatile: in the memory model of PTX (PTX ISA, "Memory Consistency Model") a volatile
// access of a word of at most 64 bits is relaxed with the scope of the system, so that it is no
// data race with atomic_ref. The relaxed accesses of atomic_ref mean the same, but the compiler
// moves no other access across them: with nvcc 13.0 for sm_90 the resident searches then have up to
// 7 % more instructions.
#pragma once

namespace wayfront::gpu {

/// Reads from the L2 cache, again at each call. Each of the four words is a value that was in
/// memory at some time.
[[nodiscard]] __device__ inline uint4 load_fresh(const uint4* from)
{
    uint4 words;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "l"(from)
                 : "memory");
    return words;
}

}  // namespace wayfront::gpu
