// The choice among methods of all pairs, from lists of methods that compute nothing.
#include "plan/apsp/choice.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "support/graphs.hpp"
#include "support/io_testing.hpp"

namespace wayfront::plan {
namespace {

using io_testing::message_of;

std::string no_obstacle(const ApspCase& /*asked*/)
{
    return "";
}

std::string always_obstacle(const ApspCase& /*asked*/)
{
    return "it cannot";
}

template <int seconds, int bytes = 0>
ApspOffer offer(const ApspCase& /*asked*/)
{
    return {.seconds = seconds, .bytes = bytes};
}

ApspOffer offer_in_any_order(const ApspCase& /*asked*/)
{
    return {.seconds = 3, .roundings = {.in_any_order = true}};
}

ApspOffer offer_without_device_memory(const ApspCase& /*asked*/)
{
    return {.seconds = 1, .device_obstacle = "not enough GPU memory"};
}

ApspOffer offer_matrix(const ApspCase& /*asked*/)
{
    return {.seconds = 5, .bytes = 40 * 1024, .keeps_matrix = true, .host_panel_bytes = 30 * 1024};
}

ApspOffer offer_with_parents(const ApspCase& /*asked*/)
{
    return {.seconds = 10, .finds_parents = true};
}

/// Rows that take a time of their own, in milliseconds for each source.
class WaitingRows final : public algo::RowProducer
{
public:
    explicit WaitingRows(int milliseconds) : milliseconds_(milliseconds) {}
    [[nodiscard]] std::string description() const override { return "waiting"; }
    [[nodiscard]] algo::DistanceType type() const override { return algo::DistanceType::uint16; }
    [[nodiscard]] std::size_t batch_rows() const override { return 64; }
    void launch(std::span<const Vertex> /*sources*/) override {}
    [[nodiscard]] algo::RowBatch collect() override { return {}; }
    void summarise(std::size_t /*first*/, std::span<const Vertex> sources, algo::Summary& /*summary*/) override
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds_) * sources.size());
    }

private:
    int milliseconds_;
};

/// An estimate of one second for each search, and searches that take so many milliseconds in truth.
template <int estimate, int milliseconds>
ApspOffer offer_of_searches(const ApspCase& asked)
{
    ApspOffer offer{.seconds = static_cast<double>(estimate * asked.work.sources),
                    .search_seconds = static_cast<double>(estimate)};
    offer.make = [](const ApspWork&, const DistributedGraph&, const RowMaking&) {
        return std::make_unique<WaitingRows>(milliseconds);
    };
    return offer;
}

std::vector<std::optional<double>> seconds_of_trials;

std::string good_trial(ApspCase& /*asked*/, std::optional<double> seconds)
{
    seconds_of_trials.push_back(seconds);
    return "";
}

std::string bad_trial(ApspCase& /*asked*/, std::optional<double> /*seconds*/)
{
    return "it was tried";
}

constexpr ApspMethod kSlow{.name = "slow", .help = "", .obstacle = no_obstacle, .offer = offer<10>};
constexpr ApspMethod kFast{.name = "fast", .help = "", .obstacle = no_obstacle, .offer = offer<4, 100 * 1024>};
constexpr ApspMethod kImpossible{.name = "impossible", .help = "", .obstacle = always_obstacle, .offer = offer<1>};
constexpr ApspMethod kOfPaper{
    .name = "of-paper", .help = "", .of_paper = true, .obstacle = no_obstacle, .offer = offer<1>};
constexpr ApspMethod kInAnyOrder{
    .name = "in-any-order", .help = "", .obstacle = no_obstacle, .offer = offer_in_any_order};
constexpr ApspMethod kWithoutMemory{
    .name = "without-memory", .help = "", .obstacle = no_obstacle, .offer = offer_without_device_memory};
constexpr ApspMethod kMatrix{.name = "matrix", .help = "", .obstacle = no_obstacle, .offer = offer_matrix};
constexpr ApspMethod kFindsParents{
    .name = "finds-parents", .help = "", .obstacle = no_obstacle, .offer = offer_with_parents};
constexpr ApspMethod kTried{
    .name = "tried", .help = "", .trial = good_trial, .obstacle = no_obstacle, .offer = offer<2>};
constexpr ApspMethod kSearches{
    .name = "searches", .help = "", .obstacle = no_obstacle, .offer = offer_of_searches<10, 20>};
constexpr ApspMethod kOtherSearches{
    .name = "other-searches", .help = "", .obstacle = no_obstacle, .offer = offer_of_searches<15, 1>};
constexpr ApspMethod kFarSearches{
    .name = "far-searches", .help = "", .obstacle = no_obstacle, .offer = offer_of_searches<21, 0>};
constexpr ApspMethod kTriedInVain{
    .name = "tried-in-vain", .help = "", .trial = bad_trial, .obstacle = no_obstacle, .offer = offer<1>};

class ApspChoiceTest : public testing::Test
{
protected:
    ApspChoice best(std::vector<ApspMethod> methods, std::optional<double> bytes = std::nullopt)
    {
        kept_ = std::move(methods);
        ApspCase asked = case_of("auto");
        asked.machine.bytes = bytes;
        return best_method(asked, kept_);
    }
    ApspChoice named(const std::string& name, std::vector<ApspMethod> methods)
    {
        kept_ = std::move(methods);
        ApspCase asked = case_of(name);
        return named_method(asked, {.methods = kept_, .processor = " --engine gpu", .absent = "it runs elsewhere"});
    }

    ApspWork work;
    const Rates rates;

private:
    ApspCase case_of(const std::string& name)
    {
        options_.method = name;
        return {.job = job_,
                .options = options_,
                .work = work,
                .graph = graph_,
                .rates = rates,
                .machine = {},
                .distances = {}};
    }

    comm::Communicator alone_ = comm::Communicator::alone();
    job::Job job_{alone_, 1, std::make_shared<job::NoteForwarder>(nullptr)};
    EdgeList list_ = one_edge();
    comm::ProcessGrid grid_{alone_, {1, 1}};
    DistributedGraph graph_ = construct(grid_, ListFeed(list_));
    ApspMethodOptions options_;
    std::vector<ApspMethod> kept_;

    static EdgeList one_edge()
    {
        EdgeList list{2, true, HostBuffer<PackedEdge>(1), {}};
        list.edges[0] = PackedEdge::pack(0, 1);
        return list;
    }
};

TEST_F(ApspChoiceTest, TheFastestMethodIsTaken)
{
    const ApspChoice choice = best({kSlow, kImpossible, kFast, kOfPaper, kWithoutMemory});
    EXPECT_EQ(choice.method->name, "fast");
    EXPECT_EQ(choice.offer.bytes, 100 * 1024);
    EXPECT_EQ(choice.reason, "it is the fastest: slow would take 10 s");
    EXPECT_EQ(best({kImpossible, kFast}).reason, "no other algorithm can do this work");
}

TEST_F(ApspChoiceTest, OtherRoundingsCostAFactor)
{
    const ApspChoice slow = best({kInAnyOrder, kSlow});
    EXPECT_EQ(slow.method->name, "slow");
    EXPECT_EQ(slow.reason, "it is the fastest: in-any-order would take 3.0 s with other roundings");
    EXPECT_EQ(best({kInAnyOrder, kImpossible}).method->name, "in-any-order");
}

TEST_F(ApspChoiceTest, ParentsThatAreTracedTakeTime)
{
    work.parents = true;
    work.sources = 1'000'000'000;
    const double tracing = 1e9 * (rates.core.trace_arc + 2 * rates.core.trace_vertex);
    EXPECT_DOUBLE_EQ(best({kFast}).offer.seconds, 4 + tracing);
    EXPECT_DOUBLE_EQ(best({kFindsParents}).offer.seconds, 10);
    EXPECT_EQ(best({kFast, kFindsParents}).method->name, "finds-parents");
}

TEST_F(ApspChoiceTest, MemoryExcludes)
{
    constexpr double kib = 1024;
    const ApspChoice slow = best({kFast, kSlow}, 100 * kib);
    EXPECT_EQ(slow.method->name, "slow");
    EXPECT_EQ(slow.reason, "it is the fastest: fast would need 100.0 KiB");
    EXPECT_EQ(best({kFast, kSlow}, 100 * kib + 1).method->name, "fast");
    EXPECT_EQ(best({kFast, kSlow}).method->name, "fast") << "nobody knows how much there is";
    const ApspChoice only = best({kFast}, 50);
    EXPECT_EQ(only.method->name, "fast") << "the caller refuses it, and says how much is missing";
    EXPECT_EQ(only.reason, "no other algorithm can do this work");
    const ApspChoice least = best({kFast, kMatrix}, 50);
    EXPECT_EQ(least.method->name, "matrix");
    EXPECT_EQ(least.reason, "it needs the least memory");
    // The whole matrix may take half of the memory. Panels go from GPU to GPU.
    EXPECT_EQ(best({kMatrix, kSlow}, 2 * 10 * kib).method->name, "slow");
    EXPECT_EQ(best({kMatrix, kSlow}, 2 * 10 * kib + 1).method->name, "matrix");
    EXPECT_EQ(best({kMatrix, kSlow}).method->name, "slow") << "nobody knows how much there is";
}

TEST_F(ApspChoiceTest, TrialsHaveATimeThatMemoryAllows)
{
    seconds_of_trials.clear();
    static_cast<void>(best({kFast, kSlow, kTried}, 50));
    EXPECT_EQ(seconds_of_trials, (std::vector<std::optional<double>>{10.0}));
}

TEST_F(ApspChoiceTest, TrialsComeLastAndKnowTheBestOtherTime)
{
    seconds_of_trials.clear();
    EXPECT_EQ(best({kTried, kSlow, kTriedInVain, kFast}).method->name, "tried");
    EXPECT_EQ(seconds_of_trials, (std::vector<std::optional<double>>{4.0}));
    EXPECT_EQ(best({kTriedInVain, kSlow}).method->name, "slow");
    EXPECT_EQ(named("tried", {kTried, kFast}).method->name, "tried");
    EXPECT_EQ(seconds_of_trials.back(), std::nullopt);
}

TEST_F(ApspChoiceTest, SearchesWhoseEstimatesAreCloseAreMeasured)
{
    const std::vector<ApspMethod> methods{kSearches, kOtherSearches, kFarSearches};
    const std::vector<Vertex> sources(128);
    work.sources = sources.size();
    work.source_list = sources;
    const ApspChoice choice = best(methods);
    EXPECT_EQ(choice.method->name, "other-searches");
    EXPECT_GE(choice.offer.search_seconds, 1e-3);
    EXPECT_LT(choice.offer.search_seconds, 5) << "no estimate any more";
    EXPECT_NEAR(choice.offer.seconds, 128 * choice.offer.search_seconds, 1e-9);
    EXPECT_EQ(best({kSearches, kFarSearches}).offer.search_seconds, 10) << "no other is close";

    work.sources = 127;
    work.source_list = std::span(sources).first(127);
    EXPECT_EQ(best(methods).method->name, "searches") << "a trial would take too large a share";
}

TEST_F(ApspChoiceTest, WithoutAMethodTheReasonHasAllObstacles)
{
    const ApspChoice none = best({kImpossible, kOfPaper, kWithoutMemory, kTriedInVain});
    EXPECT_EQ(none.method, nullptr);
    EXPECT_EQ(none.reason, "impossible: it cannot; without-memory: not enough GPU memory; tried-in-vain: it was tried");
}

TEST_F(ApspChoiceTest, NamedMethodsAreTakenOrRefused)
{
    EXPECT_EQ(named("slow", {kSlow, kFast}).method->name, "slow");
    EXPECT_EQ(named("slow", {kSlow, kFast}).reason, "");
    EXPECT_EQ(named("of-paper", {kOfPaper}).method->name, "of-paper");
    EXPECT_EQ(message_of<InputError>([&] { named("impossible", {kImpossible}); }),
              "--algorithm impossible --engine gpu: it cannot");
    EXPECT_EQ(message_of<InputError>([&] { named("tried-in-vain", {kTriedInVain}); }),
              "--algorithm tried-in-vain --engine gpu: it was tried");
    EXPECT_EQ(message_of<InputError>([&] { named("dijkstra", {kFast}); }),
              "--algorithm dijkstra --engine gpu: it runs elsewhere");
    EXPECT_EQ(message_of<ResourceError>([&] { named("without-memory", {kWithoutMemory}); }),
              "--algorithm without-memory: not enough GPU memory");
}

}  // namespace
}  // namespace wayfront::plan
