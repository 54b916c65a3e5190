// The file of --trace: overlapping spans have threads of their own.
#include "app/report/trace_file.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "job/listener.hpp"
#include "support/shapes.hpp"

namespace wayfront::app {
namespace {

using TraceFileTest = GridTest;

TEST_F(TraceFileTest, SpansOfStretchesHaveThreadsOfTheirOwn)
{
    const job::Job job(world, 1, std::make_shared<job::NoteForwarder>());
    const std::string path = testing::TempDir() + "wayfront_trace_" + std::to_string(ranks) + ".json";
    Trace trace(job, path);
    const Clock::time_point begin = Clock::now();
    const Clock::time_point end = begin + std::chrono::milliseconds(2);
    for (const int stretch : {0, 1}) {
        trace.log()->add({.name = "stretch fold", .level = 3, .begin = begin, .end = end, .stretch = stretch});
        trace.log()->add({.name = "stretch down", .level = 3, .begin = begin, .end = end, .stretch = stretch});
    }
    trace.log()->add({.name = "search", .level = 3, .begin = begin, .end = end});
    trace.write(job);
    if (rank != 0) return;
    std::ifstream file(path);
    std::map<int, std::map<int, std::string>> names;                 // of the threads of each rank
    std::map<int, std::map<int, std::multiset<std::string>>> spans;  // spans of these threads
    const nlohmann::json document = nlohmann::json::parse(file);
    for (const nlohmann::json& event : document.at("traceEvents")) {
        if (event.at("ph") == "X") {
            spans[event.at("pid")][event.at("tid")].insert(event.at("name"));
            EXPECT_EQ(event.at("args").contains("stretch"), event.at("name") != "search");
        } else if (event.at("name") == "thread_name") {
            names[event.at("pid")][event.at("tid")] = event.at("args").at("name");
        }
    }
    std::filesystem::remove(path);
    ASSERT_EQ(spans.size(), static_cast<std::size_t>(ranks));
    for (int k = 0; k < ranks; ++k) {
        EXPECT_EQ(names[k], (std::map<int, std::string>{{1, "stretch fold"}, {2, "stretch down"}}));
        EXPECT_EQ(spans[k],
                  (std::map<int, std::multiset<std::string>>{
                      {0, {"search"}}, {1, {"stretch fold", "stretch fold"}}, {2, {"stretch down", "stretch down"}}}));
    }
}

}  // namespace
}  // namespace wayfront::app
