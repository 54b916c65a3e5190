// Converts sets between bitmaps and lists in device memory. This is the first kernel that Hiragushi
// and Takahashi's paper (section 3.1) adds to those of Merrill et al.
#include "gpu/bfs/host_driven/kernels.hpp"
#include "gpu/graph/block_sums.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

namespace {

__global__ void set_bit(std::uint32_t* bitmap, std::uint32_t i)
{
    bitmap[i / 32] |= 1U << (i % 32);
}

__global__ void bitmap_from_list(const std::uint32_t* list, std::uint64_t count, std::uint32_t* bitmap)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        atomicOr(&bitmap[list[i] / 32], 1U << (list[i] % 32));
}

__global__ __launch_bounds__(kBlockThreads) void list_from_bitmap(const std::uint32_t* bitmap, std::uint64_t words,
                                                                  std::uint32_t* list, std::uint64_t* size)
{
    __shared__ std::uint64_t warp_sums[kBlockWarps];
    __shared__ std::uint64_t base;
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kBlockThreads; first < words; first += index_stride()) {
        const std::uint64_t w = first + threadIdx.x;
        const std::uint32_t word = w < words ? bitmap[w] : 0;
        std::uint64_t total = 0;
        const std::uint64_t before = block_prefix(static_cast<std::uint64_t>(__popc(word)), warp_sums, total);
        if (threadIdx.x == 0 && total != 0) base = add_to(size, total);
        __syncthreads();
        std::uint64_t position = base + before;
        for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
            list[position++] =
                static_cast<std::uint32_t>(w * 32) + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
        __syncthreads();  // the next pass of the loop overwrites `base` and the sums
    }
}

}  // namespace

void launch_set_bit(std::uint32_t* bitmap, std::uint32_t i, const Stream& stream)
{
    set_bit<<<1, 1, 0, stream.get()>>>(bitmap, i);
    check_launch();
}

void launch_bitmap_from_list(const std::uint32_t* list, std::uint64_t count, std::uint32_t* bitmap,
                             const Stream& stream)
{
    launch(bitmap_from_list, count, stream, list, count, bitmap);
}

void launch_list_from_bitmap(const std::uint32_t* bitmap, std::uint64_t words, std::uint32_t* list, std::uint64_t* size,
                             const Stream& stream)
{
    static_assert(kBlockThreads == 256, "what launch() takes");
    launch(list_from_bitmap, words, stream, bitmap, words, list, size);
}

}  // namespace wayfront::gpu::bfs
