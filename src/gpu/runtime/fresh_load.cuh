// Loads of words that another block may be writing.
//
// Words that order other words, such as those of barriers and queues, are accessed by
// cuda::atomic_ref with acquire or release. Words that a barrier orders, or that need no order, are
// also accessed as volatile: in the memory model of PTX (PTX ISA, "Memory Consistency Model"), a
// volatile access of a word of at most 64 bits is relaxed with the scope of the system, so that
// there is no data race with atomic_ref. Relaxed accesses of atomic_ref have the same meaning, but
// the compiler moves no other access across them: with nvcc 13.0 for sm_90, the resident searches
// then have up to 7 % more instructions.
#pragma once

namespace wayfront::gpu {

/// Reads from the L2 cache at each call. Each of the four words is a value that the memory
/// contained at some time.
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
