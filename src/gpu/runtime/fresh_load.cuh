// Loads of words that another block may be writing.
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
