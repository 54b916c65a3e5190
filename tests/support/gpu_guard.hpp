// What a test that needs a GPU does first.
#pragma once

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "gpu/runtime/device.hpp"

namespace wayfront {

/// In SetUp(): makes a GPU this process's own. Where there is none the test is skipped; with WAYFRONT_REQUIRE_GPU=1 it fails.
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
