// Helpers for calls of the device-wide algorithms of CUB and Thrust.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// Returns call(), which calls CUB or Thrust. Converts the exceptions by which these libraries
/// report some errors of CUDA.
template <typename Call>
auto with_cuda_errors(Call&& call)
{
    try {
        return call();
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw CudaError(std::string("CUDA failed: ") + error.what());
    }
}

/// Runs an algorithm of CUB. The function calls algorithm(memory, bytes) twice: first to get the
/// size of the scratch memory, then to run. `scratch` grows when necessary, and may be used for any
/// number of algorithms in one stream.
template <typename Algorithm>
void run_with_scratch(DeviceBuffer<std::byte>& scratch, Algorithm&& algorithm)
{
    std::size_t bytes = 0;
    check(with_cuda_errors([&] { return algorithm(static_cast<void*>(nullptr), bytes); }));
    if (bytes > scratch.size()) scratch = DeviceBuffer<std::byte>(bytes);
    check(with_cuda_errors([&] { return algorithm(static_cast<void*>(scratch.data()), bytes); }));
}

/// An allocator for Thrust's algorithms, as in thrust::cuda::par(memory). The memory is freed with
/// the object. Thrust's own allocator is not used, since it throws if memory cannot be freed, even
/// in destructors.
class ThrustMemory
{
public:
    using value_type = char;

    char* allocate(std::ptrdiff_t bytes) { return buffers_.emplace_back(static_cast<std::size_t>(bytes)).data(); }
    void deallocate(char* /*memory*/, std::size_t /*bytes*/) noexcept {}

private:
    std::vector<DeviceBuffer<char>> buffers_;
};

}  // namespace wayfront::gpu
