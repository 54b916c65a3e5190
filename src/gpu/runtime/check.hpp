// The functions that check the results of all calls of CUDA.
#pragma once

#include <source_location>
#include <string>

#include <cuda_runtime.h>

#include "base/error.hpp"

namespace wayfront::gpu {

/// The failure of a CUDA call; exit code 3.
class CudaError : public ResourceError
{
public:
    using ResourceError::ResourceError;
};

/// Throws CudaError unless `status` is success. The message names the caller.
inline void check(cudaError_t status, std::source_location where = std::source_location::current())
{
    if (status == cudaSuccess) return;
    cudaGetLastError();  // this error is reported here, and must not be reported again elsewhere
    const char* const advice =
        status == cudaErrorNoKernelImageForDevice
            ? "; wayfront was built for other GPUs: set CMAKE_CUDA_ARCHITECTURES, and build again"
            : "";
    throw CudaError(std::string("CUDA failed: ") + cudaGetErrorString(status) + advice + " (in " +
                    where.function_name() + ", line " + std::to_string(where.line()) + ")");
}

/// Throws CudaError if CUDA did not accept the last launch.
inline void check_launch(std::source_location where = std::source_location::current())
{
    check(cudaGetLastError(), where);
}

}  // namespace wayfront::gpu
