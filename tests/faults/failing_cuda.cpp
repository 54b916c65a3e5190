// Makes a call of CUDA's runtime fail. To be preloaded; fault_plan.hpp says which one. Counts the
// memory, streams and events that are not freed.
#include <cstddef>
#include <utility>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "fault_plan.hpp"

namespace {

// The error of a launch, which cudaGetLastError() reports.
thread_local cudaError_t last_error = cudaSuccess;

/// Calls the runtime's own function of this name, unless the call is to fail.
template <typename... Parameters>
cudaError_t call(const char* name, cudaError_t (*)(Parameters...), Parameters... arguments)
{
    if (wayfront::faults::plan().fails(name)) return last_error = cudaErrorMemoryAllocation;
    const auto next = reinterpret_cast<cudaError_t (*)(Parameters...)>(dlsym(RTLD_NEXT, name));
    return next(arguments...);
}

/// The same for a function that makes an object.
template <typename... Parameters>
cudaError_t make(const char* name, cudaError_t (*function)(Parameters...), Parameters... arguments)
{
    const cudaError_t error = call(name, function, arguments...);
    if (error == cudaSuccess) wayfront::faults::plan().made();
    return error;
}

/// The same for a function that frees an object. A null object is none.
template <typename T>
cudaError_t free_object(const char* name, cudaError_t (*function)(T), T object)
{
    if (object != nullptr) wayfront::faults::plan().freed();
    return call(name, function, object);
}

}  // namespace

extern "C" {

// CUDA's own names of these parameters differ, and some names are reserved.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name, bugprone-reserved-identifier)

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer)
{
    return call("cudaDeviceCanAccessPeer", cudaDeviceCanAccessPeer, can, device, peer);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device)
{
    return call("cudaDeviceGetAttribute", cudaDeviceGetAttribute, value, attribute, device);
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer)
{
    return call("cudaDeviceGetP2PAttribute", cudaDeviceGetP2PAttribute, value, attribute, device, peer);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    return call("cudaDeviceGetStreamPriorityRange", cudaDeviceGetStreamPriorityRange, least, greatest);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value)
{
    return call("cudaDeviceSetLimit", cudaDeviceSetLimit, limit, value);
}

cudaError_t cudaDriverGetVersion(int* version)
{
    return call("cudaDriverGetVersion", cudaDriverGetVersion, version);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    return call("cudaEventElapsedTime", cudaEventElapsedTime, milliseconds, begin, end);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return call("cudaEventQuery", cudaEventQuery, event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return call("cudaEventRecord", cudaEventRecord, event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return call("cudaEventSynchronize", cudaEventSynchronize, event);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel)
{
    return call("cudaFuncGetAttributes", cudaFuncGetAttributes, attributes, kernel);
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value)
{
    return call("cudaFuncSetAttribute", cudaFuncSetAttribute, kernel, attribute, value);
}

cudaError_t cudaGetDevice(int* device)
{
    return call("cudaGetDevice", cudaGetDevice, device);
}

cudaError_t cudaGetDeviceCount(int* count)
{
    return call("cudaGetDeviceCount", cudaGetDeviceCount, count);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    return call("cudaGetDeviceProperties", cudaGetDeviceProperties, properties, device);
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags)
{
    return call("cudaHostRegister", cudaHostRegister, memory, bytes, flags);
}

cudaError_t cudaHostUnregister(void* memory)
{
    return call("cudaHostUnregister", cudaHostUnregister, memory);
}

cudaError_t cudaIpcCloseMemHandle(void* memory)
{
    return call("cudaIpcCloseMemHandle", cudaIpcCloseMemHandle, memory);
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory)
{
    return call("cudaIpcGetMemHandle", cudaIpcGetMemHandle, handle, memory);
}

cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned flags)
{
    return call("cudaIpcOpenMemHandle", cudaIpcOpenMemHandle, memory, handle, flags);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    return call("cudaMemGetInfo", cudaMemGetInfo, free, total);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    return call("cudaMemcpy2DAsync", cudaMemcpy2DAsync, to, to_pitch, from, from_pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return call("cudaMemcpyAsync", cudaMemcpyAsync, to, from, bytes, kind, stream);
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream)
{
    return call("cudaMemsetAsync", cudaMemsetAsync, memory, value, bytes, stream);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t shared_bytes)
{
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", cudaOccupancyMaxActiveBlocksPerMultiprocessor, blocks,
                kernel, threads, shared_bytes);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int threads,
                                                                   std::size_t shared_bytes, unsigned flags)
{
    return call("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, kernel, threads, shared_bytes, flags);
}

cudaError_t cudaSetDevice(int device)
{
    return call("cudaSetDevice", cudaSetDevice, device);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return call("cudaStreamQuery", cudaStreamQuery, stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return call("cudaStreamSynchronize", cudaStreamSynchronize, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return call("cudaStreamWaitEvent", cudaStreamWaitEvent, stream, event, flags);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
                               cudaStream_t stream)
{
    return call("__cudaLaunchKernel", __cudaLaunchKernel, kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream)
{
    return call("cudaLaunchCooperativeKernel", cudaLaunchCooperativeKernel, kernel, grid, block, arguments,
                shared_bytes, stream);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    return make("cudaEventCreateWithFlags", cudaEventCreateWithFlags, event, flags);
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    return make("cudaMalloc", cudaMalloc, memory, bytes);
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes)
{
    return make("cudaMallocHost", cudaMallocHost, memory, bytes);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
{
    return make("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags, stream, flags);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority)
{
    return make("cudaStreamCreateWithPriority", cudaStreamCreateWithPriority, stream, flags, priority);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return free_object("cudaEventDestroy", cudaEventDestroy, event);
}

cudaError_t cudaFree(void* memory)
{
    return free_object("cudaFree", cudaFree, memory);
}

cudaError_t cudaFreeHost(void* memory)
{
    return free_object("cudaFreeHost", cudaFreeHost, memory);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return free_object("cudaStreamDestroy", cudaStreamDestroy, stream);
}

cudaError_t cudaGetLastError()
{
    const auto next = reinterpret_cast<cudaError_t (*)()>(dlsym(RTLD_NEXT, "cudaGetLastError"));
    const cudaError_t error = next();
    const cudaError_t own = std::exchange(last_error, cudaSuccess);
    return own == cudaSuccess ? error : own;
}

cudaError_t cudaPeekAtLastError()
{
    const auto next = reinterpret_cast<cudaError_t (*)()>(dlsym(RTLD_NEXT, "cudaPeekAtLastError"));
    const cudaError_t error = next();
    const cudaError_t own = last_error;
    return own == cudaSuccess ? error : own;
}

// NOLINTEND(readability-inconsistent-declaration-parameter-name, bugprone-reserved-identifier)

}  // extern "C"
