// Launches of kernels that stride over a range of indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// The thread's first index in such a kernel. index_stride() is the distance to its next index.
__device__ inline std::uint64_t first_index()
{
    return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ inline std::uint64_t index_stride()
{
    return std::uint64_t{gridDim.x} * blockDim.x;
}

/// The mask of a warp's collective operations, in which all lanes take part.
inline constexpr std::uint32_t kAllLanes = ~0U;

/// The thread's position in its warp.
__device__ inline std::uint32_t lane_id()
{
    return threadIdx.x % 32;
}

/// The number of lanes of the mask `lanes` that are below the thread's own lane.
__device__ inline std::uint32_t lanes_below(std::uint32_t lanes)
{
    return static_cast<std::uint32_t>(__popc(lanes & ((1U << lane_id()) - 1)));
}

/// A barrier for `count` threads of the block, a multiple of 32. All of them call with the same
/// number `barrier`, from 1 to 15.
__device__ inline void sync_threads_of_block(unsigned barrier, unsigned count)
{
    asm volatile("bar.sync %0, %1;" : : "r"(barrier), "r"(count) : "memory");
}

/// Like first_index(), but neighbouring warps are in different blocks, for work that is distributed
/// unevenly over the range. The distance to the next index is index_stride(), too.
__device__ inline std::uint64_t spread_index()
{
    return (std::uint64_t{threadIdx.x / 32} * gridDim.x + blockIdx.x) * 32 + lane_id();
}

/// The number of multiprocessors of an H200, which launches assume if they do not query the GPU. On
/// a GPU with another number, the loops of threads are only shorter or longer.
inline constexpr std::uint64_t kMultiprocessors = 132;

/// The number of blocks for `count` indices if a block takes `of_block` indices; at most 32 blocks
/// per multiprocessor, which is the largest number of resident blocks. If there are fewer blocks
/// than needed, their threads stride.
inline unsigned blocks_for(std::uint64_t count, std::uint64_t of_block)
{
    constexpr std::uint64_t most_blocks = kMultiprocessors * 32;
    const std::uint64_t blocks = (count + of_block - 1) / of_block;
    return static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks);
}

/// Launches `kernel` with about one thread for each of `count` indices, and at most as many blocks
/// as occupy any GPU. Does nothing if `count` is 0.
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, std::uint64_t count, const Stream& stream, Arguments... arguments)
{
    constexpr unsigned threads = 256;
    if (count == 0) return;
    kernel<<<blocks_for(count, threads), threads, 0, stream.get()>>>(arguments...);
    check_launch();
}

/// Configures a kernel for this amount of dynamic shared memory per block. Throws ResourceError,
/// with `name` in its message, if a block of this GPU cannot have this amount.
inline void allow_shared_memory(const void* kernel, std::size_t bytes, const char* name)
{
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    if (attributes.sharedSizeBytes + bytes > shared_memory_per_block())
        throw ResourceError("this GPU cannot run " + std::string(name) + ": it needs " +
                            std::to_string(attributes.sharedSizeBytes + bytes) +
                            " bytes of shared memory for each block, " + std::to_string(shared_memory_per_block()) +
                            " are there");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

/// The number of blocks of a cooperative launch: one for each multiprocessor. Configures the
/// kernel's shared memory. Throws ResourceError, with `name` in its message, if the device cannot
/// run all blocks at once.
inline unsigned cooperative_blocks(const void* kernel, int threads, std::size_t shared_bytes, const char* name)
{
    int device = 0;
    int cooperative = 0;
    int of_one = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    allow_shared_memory(kernel, shared_bytes, name);
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, kernel, threads, shared_bytes));
    if (cooperative == 0 || of_one == 0)
        throw ResourceError("this GPU cannot run " + std::string(name) + " (" + std::to_string(shared_bytes) +
                            " bytes of shared memory for each block)");
    return static_cast<unsigned>(multiprocessors());
}

/// Launches a cooperative kernel. `blocks`: result of cooperative_blocks().
template <typename... Parameters>
void launch_cooperative(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, std::size_t shared_bytes,
                        const Stream& stream, std::type_identity_t<Parameters>... arguments)
{
    void* addresses[] = {static_cast<void*>(&arguments)...};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks), dim3(threads), addresses,
                                      shared_bytes, stream.get()));
}

}  // namespace wayfront::gpu
