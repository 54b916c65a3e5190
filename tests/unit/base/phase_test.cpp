#include "base/phase.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

TEST(Phase, SpansAreLoggedAsTheyEnd)
{
    PhaseLog log;
    {
        const Phase outer(&log, "outer");
        const Phase inner(&log, "inner", 3);
        EXPECT_TRUE(log.spans().empty());
    }
    ASSERT_EQ(log.spans().size(), 2U);
    const Span& inner = log.spans()[0];
    const Span& outer = log.spans()[1];
    EXPECT_EQ(inner.name, "inner");
    EXPECT_EQ(inner.level, 3);
    EXPECT_EQ(outer.name, "outer");
    EXPECT_EQ(outer.level, 0);
    EXPECT_LE(outer.begin, inner.begin);
    EXPECT_LE(inner.begin, inner.end);
    EXPECT_LE(inner.end, outer.end);
    EXPECT_GE(inner.seconds(), 0);
    EXPECT_LE(inner.seconds(), outer.seconds());
    log.clear();
    EXPECT_TRUE(log.spans().empty());
}

TEST(Phase, IsInertWhenNobodyListens)
{
    const Phase phase(nullptr, "unheard", 1);
}

std::vector<std::string> heard;

TEST(Phase, AProfilerHearsOfThemWithOrWithoutALog)
{
    profiler_hooks = {[](std::string_view name) { heard.emplace_back(name); }, [] { heard.emplace_back("end"); }};
    {
        const Phase outer(nullptr, "outer");
        PhaseLog log;
        const Phase inner(&log, "inner", 3);
    }
    profiler_hooks = {};
    const Phase unheard(nullptr, "unheard");
    EXPECT_EQ(heard, (std::vector<std::string>{"outer", "inner", "end", "end"}));
}

TEST(Phase, SecondsAreSeconds)
{
    const Clock::time_point begin = Clock::now();
    EXPECT_DOUBLE_EQ(seconds_between(begin, begin + std::chrono::milliseconds(250)), 0.25);
    EXPECT_DOUBLE_EQ((Span{"half", 0, begin, begin + std::chrono::milliseconds(500)}.seconds()), 0.5);
}

}  // namespace
}  // namespace wayfront
