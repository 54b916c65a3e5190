// The first step of a test that needs a GPU.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "gpu/runtime/device.hpp"

namespace wayfront {

/// Makes a GPU the GPU of this process; for SetUp(). If there is no GPU, the test is skipped, or
/// fails with WAYFRONT_REQUIRE_GPU=1.
inline void require_gpu(int local_rank)
{
    if (gpu::device_count() > 0) {
        gpu::use_device(local_rank % gpu::device_count());
        return;
    }
    const char* const required = std::getenv("WAYFRONT_REQUIRE_GPU");
    if (required != nullptr && std::string(required) == "1") FAIL() << "WAYFRONT_REQUIRE_GPU=1, but there is no GPU";
    GTEST_SKIP() << "no GPU";
}

}  // namespace wayfront
