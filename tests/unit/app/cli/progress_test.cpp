// When lines of progress are shown.
#include "app/cli/progress.hpp"

#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "app/cli/terminal.hpp"

namespace wayfront::app {
namespace {

/// The text that f() prints on standard error.
template <typename F>
std::string printed(F&& f)
{
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
}

TEST(ShownProgress, RareLinesHaveTenSecondsBetweenThem)
{
    Clock::time_point last_line = Clock::now() - std::chrono::seconds(11);
    std::unique_ptr<ShownProgress> progress;
    EXPECT_EQ(printed([&] { progress = std::make_unique<ShownProgress>(ProgressLines::rare, last_line, "search", 4); }),
              "wayfront: progress: search: 0 of 4\n");
    EXPECT_EQ(printed([&] { progress->advance(1); }), "");
    last_line = Clock::now() - std::chrono::seconds(9);
    EXPECT_EQ(printed([&] { progress->advance(1); }), "");
    last_line = Clock::now() - std::chrono::seconds(10);
    EXPECT_EQ(printed([&] { progress->advance(1); }).substr(0, 35), "wayfront: progress: search: 3 of 4,");
    EXPECT_EQ(printed([&] { progress->advance(1); }), "") << "the end alone is no reason for a line";
}

TEST(ShownProgress, WorkOfOneListenerFollowsThatOfAnother)
{
    Clock::time_point last_line = Clock::now() - std::chrono::seconds(11);
    EXPECT_NE(printed([&] { const ShownProgress load(ProgressLines::rare, last_line, "load", 2); }), "");
    EXPECT_EQ(printed([&] { const ShownProgress search(ProgressLines::rare, last_line, "search", 2); }), "")
        << "of one log";
}

TEST(ShownProgress, EachStepEndsWithALine)
{
    Clock::time_point last_line = Clock::now();
    ShownProgress progress(ProgressLines::each, last_line, "load");
    EXPECT_EQ(printed([&] { progress.begin("read", 10); }), "");
    EXPECT_EQ(printed([&] { progress.advance(5); }), "");
    EXPECT_EQ(printed([&] { progress.advance(5); }), "wayfront: progress: load: read 100% after 0 s\n");
    EXPECT_EQ(printed([&] { progress.clear(); }), "") << "a log has nothing to hide";
}

TEST(Terminal, IsQuietIfItIsAskedTo)
{
    Terminal quiet(true, ProgressForm::log);
    EXPECT_EQ(printed([&] {
                  quiet.note("words");
                  quiet.warn("words");
              }),
              "");
    EXPECT_EQ(quiet.watch("work"), nullptr);
    Terminal terminal(false, ProgressForm::none);
    EXPECT_EQ(printed([&] {
                  terminal.note("words");
                  terminal.warn("more words");
                  terminal.note("words");
              }),
              "wayfront: note: words\nwayfront: warning: more words\n");
    EXPECT_EQ(terminal.watch("work"), nullptr);
    EXPECT_NE(Terminal(false, ProgressForm::log).watch("work"), nullptr);
}

}  // namespace
}  // namespace wayfront::app
