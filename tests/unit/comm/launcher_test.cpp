#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "comm/session.hpp"

namespace wayfront::comm {
namespace {

TEST(LauncherRank, ComesFromTheVariablesOfAnyLauncher)
{
    if (launcher_rank()) GTEST_SKIP() << "this test was started by a launcher";
    for (const std::string name :
         {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
        SCOPED_TRACE(name);
        ::setenv(name.c_str(), "3", 1);
        EXPECT_EQ(launcher_rank(), 3);
        ::unsetenv(name.c_str());
        EXPECT_EQ(launcher_rank(), std::nullopt);
    }
}

}  // namespace
}  // namespace wayfront::comm
