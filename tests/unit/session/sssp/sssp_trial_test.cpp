// The trial of methods for shortest paths, with searches that wait for a time of their own.
#include "session/sssp/sssp_trial.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace wayfront::session {
namespace {

using algo::SsspMethod;

class WaitingSearch final : public algo::SsspSearch
{
public:
    WaitingSearch(SsspMethod method, int milliseconds, std::vector<Vertex>& sources)
        : milliseconds_(milliseconds), sources_(sources)
    {
        result_.method = method;
    }
    void run(Vertex source) override
    {
        sources_.push_back(source);
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds_));
    }
    [[nodiscard]] const algo::SsspResult& result() const override { return result_; }
    [[nodiscard]] std::string description() const override { return "waiting"; }

private:
    int milliseconds_;
    std::vector<Vertex>& sources_;
    algo::SsspResult result_;
};

class SsspTrialTest : public testing::Test
{
protected:
    /// Searches that wait for so long; none of a method that is not in the list.
    std::unique_ptr<algo::SsspSearch> make(SsspMethod method)
    {
        const auto found = milliseconds_.find(method);
        if (found == milliseconds_.end()) return nullptr;
        return std::make_unique<WaitingSearch>(method, found->second, sources_);
    }
    SsspTrial trial_of(std::vector<SsspMethod> rivals)
    {
        return {{.method = SsspMethod::push_pull, .reason = "it is the fastest", .rivals = std::move(rivals)},
                [this](SsspMethod method) { return make(method); }};
    }

    std::map<SsspMethod, int> milliseconds_;
    std::vector<Vertex> sources_;  // of all searches
};

TEST_F(SsspTrialTest, IsDueAfterFourSearches)
{
    SsspTrial trial = trial_of({SsspMethod::dijkstra});
    for (int search = 0; search < 4; ++search) {
        EXPECT_FALSE(trial.is_due()) << search;
        trial.note_search(search, 1);
    }
    EXPECT_TRUE(trial.is_due());
}

TEST_F(SsspTrialTest, TheFastestRivalTakesOver)
{
    milliseconds_ = {{SsspMethod::push_pull, 60}, {SsspMethod::dijkstra, 20}, {SsspMethod::delta_stepping, 1}};
    SsspTrial trial = trial_of({SsspMethod::dijkstra, SsspMethod::delta_stepping});
    for (const Vertex source : {7, 3, 9, 5}) trial.note_search(source, source == 3 ? 100 : 2);
    std::unique_ptr<algo::SsspSearch> search = make(SsspMethod::push_pull);
    const plan::SsspChoice choice = trial.run(search);
    EXPECT_EQ(choice.method, SsspMethod::delta_stepping);
    EXPECT_EQ(search->result().method, SsspMethod::delta_stepping);
    EXPECT_TRUE(choice.reason.starts_with("a trial found it the fastest: push-pull took ")) << choice.reason;
    EXPECT_NE(choice.reason.find(", dijkstra took "), std::string::npos) << choice.reason;
    EXPECT_EQ(sources_, std::vector<Vertex>(sources_.size(), 3)) << "the search that reached most";
    // One search that is not measured before those of a rival; up to three that are, of a fast method.
    EXPECT_GE(sources_.size(), 1 + 2 + 2);
    EXPECT_LE(sources_.size(), 3 + 4 + 4);
}

TEST_F(SsspTrialTest, ASlowerRivalDoesNot)
{
    milliseconds_ = {{SsspMethod::push_pull, 1}, {SsspMethod::dijkstra, 40}};
    const SsspTrial trial = trial_of({SsspMethod::dijkstra});
    std::unique_ptr<algo::SsspSearch> search = make(SsspMethod::push_pull);
    const plan::SsspChoice choice = trial.run(search);
    EXPECT_EQ(choice.method, SsspMethod::push_pull);
    EXPECT_EQ(search->result().method, SsspMethod::push_pull);
    EXPECT_TRUE(choice.reason.starts_with("a trial found it the fastest: dijkstra took ")) << choice.reason;
}

TEST_F(SsspTrialTest, RivalsWithoutMemoryAreLeftOut)
{
    milliseconds_ = {{SsspMethod::push_pull, 1}};
    const SsspTrial trial = trial_of({SsspMethod::dijkstra});
    std::unique_ptr<algo::SsspSearch> search = make(SsspMethod::push_pull);
    EXPECT_EQ(trial.run(search).reason, "it is the fastest");
    EXPECT_EQ(search->result().method, SsspMethod::push_pull);
}

}  // namespace
}  // namespace wayfront::session
