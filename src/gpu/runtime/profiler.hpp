// Phases as profilers of GPUs show them. Free of NVTX's headers.
#pragma once

namespace wayfront::gpu {

/// From here on every ProfilerRange, and so every Phase, is a range of NVTX's domain "wayfront", if a profiler is attached. Once a run.
void show_ranges_to_profilers();

}  // namespace wayfront::gpu
