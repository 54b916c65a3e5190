#include "gpu/runtime/buffer.hpp"

#include "base/bytes_in_words.hpp"

namespace wayfront::gpu::detail {

void* allocate_device(std::size_t bytes)
{
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        std::size_t free = 0;
        std::size_t total = 0;
        check(cudaMemGetInfo(&free, &total));
        throw ResourceError("out of GPU memory: " + bytes_in_words(static_cast<double>(bytes)) + " were requested, " +
                            bytes_in_words(static_cast<double>(free)) + " of " +
                            bytes_in_words(static_cast<double>(total)) + " are free; use more GPUs or a smaller graph");
    }
    check(status);
    return memory;
}

void* allocate_pinned(std::size_t bytes)
{
    void* memory = nullptr;
    check(cudaMallocHost(&memory, bytes));
    return memory;
}

void free_device(void* memory) noexcept
{
    cudaFree(memory);
}

void free_pinned(void* memory) noexcept
{
    cudaFreeHost(memory);
}

void pin(void* memory, std::size_t bytes)
{
    check(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
}

bool can_pin(void* memory, std::size_t bytes) noexcept
{
    if (cudaHostRegister(memory, bytes, cudaHostRegisterDefault) == cudaSuccess) return true;
    cudaGetLastError();
    return false;
}

void unpin(void* memory) noexcept
{
    cudaHostUnregister(memory);
}

}  // namespace wayfront::gpu::detail
