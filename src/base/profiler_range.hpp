// Ranges of time for profilers.
//
// In builds with CUDA the ranges are NVTX ranges (gpu/runtime/profiler.hpp), so that Nsight Systems
// shows what the host did beside the kernels and copies. Without a profiler a range costs two null
// checks.
#pragma once

#include <string_view>

namespace wayfront {

/// The functions that begin and end a profiler's ranges. Ranges of one thread end in the reverse
/// order of their beginnings. There is one set of hooks for the whole program, because every layer
/// has phases and only the build determines the profiler. Set before the first range begins.
struct ProfilerHooks
{
    void (*begin)(std::string_view name) = nullptr;
    void (*end)() = nullptr;
};
inline ProfilerHooks profiler_hooks;

class ProfilerRange
{
public:
    explicit ProfilerRange(std::string_view name)
    {
        if (profiler_hooks.begin != nullptr) profiler_hooks.begin(name);
    }
    ProfilerRange(const ProfilerRange&) = delete;  // one range, one owner
    ProfilerRange& operator=(const ProfilerRange&) = delete;
    ~ProfilerRange()
    {
        if (profiler_hooks.end != nullptr) profiler_hooks.end();
    }
};

}  // namespace wayfront
