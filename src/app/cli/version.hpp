#pragma once

#include <string_view>

namespace wayfront::app {

/// The version of the program from the build, for example "0.2.0".
std::string_view program_version();

/// The libraries that the build found, such as "CUDA 12.4.131 for 80-virtual, 90; NCCL 2.19.3;
/// OpenMP 4.5", or "no CUDA; no NCCL; ...". NCCL's version is that of its header.
std::string_view built_with();

}  // namespace wayfront::app
