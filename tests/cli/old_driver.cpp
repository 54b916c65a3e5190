// Imitates a driver of CUDA 11.4 as far as the CUDA runtime asks for its version, which is too old
// for any runtime whose compiler supports C++20. To be installed as libcuda.so.1 in
// LD_LIBRARY_PATH.
#include <cstdint>
#include <string_view>

namespace {

constexpr int kSuccess = 0;
constexpr int kUnknownError = 999;

int version(int* of_driver)
{
    *of_driver = 11040;
    return kSuccess;
}

int anything_else()
{
    return kUnknownError;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the driver's own name
extern "C" int cuGetProcAddress_v2(const char* name, void** function, int /*version*/, std::uint64_t /*flags*/,
                                   int* status)
{
    if (status != nullptr) *status = 0;
    if (std::string_view(name) == "cuDriverGetVersion")
        *function = reinterpret_cast<void*>(version);
    else if (std::string_view(name) == "cuGetProcAddress")
        *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
    else
        *function = reinterpret_cast<void*>(anything_else);
    return kSuccess;
}
