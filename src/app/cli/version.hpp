#pragma once

#include <string_view>

namespace wayfront::app {

/// "0.1.0", from the build.
std::string_view program_version();

/// "CUDA 12.4.131 for 80-virtual, 90; NCCL 2.19.3; OpenMP 4.5", or "no CUDA; no NCCL; ...": what the build found. NCCL's is the version of its
/// header.
std::string_view built_with();

}  // namespace wayfront::app
