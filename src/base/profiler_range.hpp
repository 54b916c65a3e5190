// Ranges of time that a profiler shows.
//
// In builds with CUDA they are NVTX's (gpu/runtime/profiler.hpp), so that Nsight Systems and the like show what the host was about above the kernels
// and copies. Elsewhere nobody listens, and a range is two null checks.
#pragma once

#include <string_view>

namespace wayfront {

/// Who is told of ranges; ranges of one thread end in the reverse order of their beginnings. One for the program, since phases begin in every layer
/// and who listens is the build's matter. Set before the first one begins.
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
