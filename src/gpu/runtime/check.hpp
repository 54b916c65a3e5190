// The one place where calls of CUDA are checked.
#pragma once

#include <source_location>
#include <string>

#include <cuda_runtime.h>

#include "base/error.hpp"

namespace wayfront::gpu {

/// A CUDA call failed; exit code 3.
class CudaError : public ResourceError
{
public:
    using ResourceError::ResourceError;
};

/// Throws CudaError unless `status` is success; names the caller.
inline void check(cudaError_t status, std::source_location where = std::source_location::current())
{
    if (status == cudaSuccess) return;
    cudaGetLastError();  // the error is reported here, and must not be reported again elsewhere
    const char* const advice =
        status == cudaErrorNoKernelImageForDevice
            ? "; wayfront was built for other GPUs: set CMAKE_CUDA_ARCHITECTURES, and build again"
            : "";
    throw CudaError(std::string("CUDA failed: ") + cudaGetErrorString(status) + advice + " (in " +
                    where.function_name() + ", line " + std::to_string(where.line()) + ")");
}

/// Throws CudaError if the launch before this call was not accepted.
inline void check_launch(std::source_location where = std::source_location::current())
{
    check(cudaGetLastError(), where);
}

}  // namespace wayfront::gpu
