// The notes that a job sends to its listener.
#include "job/job.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "job/progress.hpp"
#include "support/shapes.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::job {
namespace {

using JobTest = GridTest;

TEST_F(JobTest, TheFirstRankHearsNotes)
{
    const ThreadGuard threads(1);
    std::vector<std::string> heard;
    const Job job(world, 1, std::make_shared<NoteForwarder>([&](std::string_view text) { heard.emplace_back(text); }));
    job.note("words");
    job.warn("more words");
    EXPECT_EQ(heard,
              world.rank() == 0 ? (std::vector<std::string>{"words", "more words"}) : std::vector<std::string>{});
}

TEST_F(JobTest, WithoutAWatcherWorkNeedNotReport)
{
    const ThreadGuard threads(1);
    const Job job(world, 1, std::make_shared<NoteForwarder>());
    Progress progress(job, "work", 2);
    EXPECT_EQ(progress.listener(), nullptr);
    progress.advance(1);
    progress.clear();
}

}  // namespace
}  // namespace wayfront::job
