// Shows the program's phases to profilers of GPUs. Free of NVTX's headers.
#pragma once

namespace wayfront::gpu {

/// Makes every ProfilerRange, and so every Phase, a range of NVTX's domain "wayfront" if a profiler
/// is attached. To be called once in a run.
void show_ranges_to_profilers();

}  // namespace wayfront::gpu
