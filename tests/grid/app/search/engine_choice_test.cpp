// What --engine and --transport mean once obstacles to on-GPU searches are met, and the driver's searches by an engine that shares its block:
// two of the CPU, so that neither needs a GPU.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/split_engine.hpp"
#include "app/failure.hpp"
#include "app/search/engine_factory.hpp"
#include "app/search/host_search.hpp"
#include "app/search/prepared_search.hpp"
#include "app/search/search_options.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::app {
namespace {

const Obstacle kDirected{.words = "the graph is directed"};
const Obstacle kNoMemory{.words = "not enough GPU memory", .memory = true};

EngineRequest request(EngineChoice choice, TransportChoice transport)
{
    EngineRequest made;
    made.choice = choice;
    made.transport = transport;
    return made;
}

bool contradicts(const EngineRequest& request)
{
    try {
        request.check();
    } catch (const InputError&) {
        return true;
    }
    return false;
}

algo::BfsOptions smallest_parents()
{
    algo::BfsOptions options;
    options.levels = true;
    options.smallest_parents = true;
    return options;
}

CommonOptions quiet()
{
    CommonOptions options;
    options.quiet = true;
    options.threads = 1;
    return options;
}

/// What stands in the way of p2p and of NCCL, and how often each was asked for.
struct Trials
{
    std::string p2p;
    std::string nccl;
    int p2p_asked = 0;
    int nccl_asked = 0;

    TransportObstacles obstacles()
    {
        return {[this] { return ++p2p_asked, p2p; }, [this] { return ++nccl_asked, nccl; }};
    }
};

class EngineChoiceTest : public GridTest
{
protected:
    [[nodiscard]] Engine settle(EngineChoice choice, TransportChoice transport, const Obstacle& obstacle) const
    {
        return settle_engine(job_, request(choice, transport), resident(), obstacle);
    }
    [[nodiscard]] Engine choose(EngineChoice choice, TransportChoice transport, Trials& trials) const
    {
        return choose_transport(job_, request(choice, transport), resident(), trials.obstacles());
    }

    template <typename F>
    [[nodiscard]] static std::string error_of(F&& choose)
    {
        try {
            (void)choose();
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.code(), ExitCode::resources);
            return error.what();
        }
        return "";
    }

    [[nodiscard]] Engine resident() const
    {
        Engine engine;
        engine.kind = Engine::Kind::resident;
        engine.ranks_a_gpu = ranks;
        return engine;
    }

    const ThreadGuard guard_{1};  // a Job sets the number of threads
    const Job job_{world, quiet()};
};

TEST_F(EngineChoiceTest, NothingStandsInTheWay)
{
    for (const EngineChoice choice : {EngineChoice::automatic, EngineChoice::gpu})
        for (const TransportChoice transport : {TransportChoice::automatic, TransportChoice::p2p})
            EXPECT_EQ(settle(choice, transport, {}).kind, Engine::Kind::resident);
}

TEST_F(EngineChoiceTest, TheFirstTransportThatIsPossible)
{
    struct Case
    {
        const char* p2p;
        const char* nccl;
        TransportChoice chosen;
        const char* detour;
    };
    const Case cases[] = {
        {"", "", TransportChoice::p2p, ""},
        {"several hosts", "", TransportChoice::nccl, "several hosts: searches exchange over NCCL"},
        {"several hosts", "no NCCL", TransportChoice::mpi, "several hosts; no NCCL: searches exchange over MPI"},
        {"a shared GPU", "a shared GPU", TransportChoice::mpi, "a shared GPU: searches exchange over MPI"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.detour);
        Trials trials{one.p2p, one.nccl};
        const Engine engine = choose(EngineChoice::gpu, TransportChoice::automatic, trials);
        EXPECT_EQ(engine.transport, one.chosen);
        EXPECT_EQ(engine.kind, one.chosen == TransportChoice::p2p ? Engine::Kind::resident : Engine::Kind::stepped);
        EXPECT_EQ(engine.detour, one.detour);
        EXPECT_EQ(trials.p2p_asked, 1);
        EXPECT_EQ(trials.nccl_asked, trials.p2p.empty() ? 0 : 1);  // connecting takes time and memory

        const Engine automatic = choose(EngineChoice::automatic, TransportChoice::automatic, trials);
        const bool cores = one.chosen == TransportChoice::mpi;
        EXPECT_EQ(automatic.kind, cores ? Engine::Kind::cpu : engine.kind);
        EXPECT_EQ(automatic.detour, cores ? "" : one.detour);
    }
}

TEST_F(EngineChoiceTest, TheTransportThatWasAskedFor)
{
    for (const EngineChoice choice : {EngineChoice::automatic, EngineChoice::gpu}) {
        Trials possible;
        for (const TransportChoice transport : {TransportChoice::p2p, TransportChoice::nccl, TransportChoice::mpi}) {
            const Engine engine = choose(choice, transport, possible);
            EXPECT_EQ(engine.transport, transport);
            EXPECT_EQ(engine.kind, transport == TransportChoice::p2p ? Engine::Kind::resident : Engine::Kind::stepped);
            EXPECT_EQ(engine.detour, "");
        }
        EXPECT_EQ(possible.p2p_asked, 1);
        EXPECT_EQ(possible.nccl_asked, 1);

        Trials impossible{"several hosts", "no NCCL"};
        EXPECT_EQ(error_of([&] { return choose(choice, TransportChoice::p2p, impossible); }), "--transport p2p: several hosts");
        EXPECT_EQ(error_of([&] { return choose(choice, TransportChoice::nccl, impossible); }), "--transport nccl: no NCCL");
        EXPECT_EQ(choose(choice, TransportChoice::mpi, impossible).transport, TransportChoice::mpi);
    }
}

TEST_F(EngineChoiceTest, WhatOnGpuSearchesCannotTakeIsHostDriven)
{
    EXPECT_EQ(settle(EngineChoice::gpu, TransportChoice::automatic, kDirected).kind, Engine::Kind::gpu);
    EXPECT_EQ(settle(EngineChoice::automatic, TransportChoice::automatic, kDirected).kind, Engine::Kind::cpu);
    EXPECT_EQ(settle(EngineChoice::automatic, TransportChoice::automatic, kNoMemory).kind, Engine::Kind::cpu);
}

TEST_F(EngineChoiceTest, GpusThatCannotBeUsedLeaveItToTheCores)
{
    const auto take = [this](const EngineRequest& request, ExitCode code) {
        return gpus_or_cores(job_, request, [&]() -> Engine { throw AgreedError(code, "the GPU is busy"); });
    };
    for (const TransportChoice transport : {TransportChoice::automatic, TransportChoice::mpi, TransportChoice::host})
        EXPECT_EQ(take(request(EngineChoice::automatic, transport), ExitCode::resources).kind, Engine::Kind::cpu);
    for (const EngineRequest& asked :
         {request(EngineChoice::gpu, TransportChoice::automatic), request(EngineChoice::split, TransportChoice::automatic),
          request(EngineChoice::automatic, TransportChoice::p2p), request(EngineChoice::automatic, TransportChoice::nccl)})
        EXPECT_EQ(error_of([&] { return take(asked, ExitCode::resources); }), "the GPU is busy");
    EXPECT_THROW(take(request(EngineChoice::automatic, TransportChoice::automatic), ExitCode::wrong_result),
                 AgreedError);  // an internal error is told
    EXPECT_EQ(gpus_or_cores(job_, request(EngineChoice::automatic, TransportChoice::automatic), [this] { return resident(); }).kind,
              Engine::Kind::resident);
}

TEST_F(EngineChoiceTest, WhatWasAskedForAndCannotBe)
{
    const auto error_with = [this](EngineChoice choice, TransportChoice transport, const Obstacle& obstacle) {
        return error_of([&] { return settle(choice, transport, obstacle); });
    };
    EXPECT_EQ(error_with(EngineChoice::gpu, TransportChoice::automatic, kNoMemory), "--engine gpu: not enough GPU memory");
    for (const EngineChoice choice : {EngineChoice::automatic, EngineChoice::gpu})
        for (const Obstacle& obstacle : {kDirected, kNoMemory}) {
            EXPECT_EQ(error_with(choice, TransportChoice::p2p, obstacle), "--transport p2p: " + obstacle.words);
            EXPECT_EQ(error_with(choice, TransportChoice::nccl, obstacle), "--transport nccl: " + obstacle.words);
            EXPECT_EQ(error_with(choice, TransportChoice::mpi, obstacle), "--transport mpi: " + obstacle.words);
        }
}

TEST_F(EngineChoiceTest, TheGridIsThatOfTheEngineThatSearches)
{
    for (const Engine::Kind kind : {Engine::Kind::resident, Engine::Kind::stepped, Engine::Kind::gpu, Engine::Kind::split, Engine::Kind::cpu}) {
        Engine engine;
        engine.kind = kind;
        const comm::GridShape over_hosts = engine.on_device() ? comm::GridShape{64, 1} : comm::GridShape{8, 8};
        EXPECT_EQ(choose_grid({}, engine, 64, 8), over_hosts);
        EXPECT_EQ(choose_grid({}, engine, 6, 6), (comm::GridShape{6, 1}));
        EXPECT_EQ(choose_grid(comm::GridShape{2, 3}, engine, 6, 6), (comm::GridShape{2, 3}));
    }
}

TEST_F(EngineChoiceTest, OnlyOnGpuSearchesMeetObstacles)
{
    for (const Engine::Kind kind : {Engine::Kind::cpu, Engine::Kind::gpu, Engine::Kind::split}) {
        Engine engine;
        engine.kind = kind;
        EXPECT_EQ(settle_engine(job_, request(EngineChoice::gpu, TransportChoice::automatic), engine, kNoMemory).kind, kind);
    }
}

TEST_F(EngineChoiceTest, OptionsThatContradictEachOther)
{
    for (const EngineChoice choice : {EngineChoice::automatic, EngineChoice::cpu, EngineChoice::gpu, EngineChoice::split}) {
        const bool splits = choice == EngineChoice::split;
        EngineRequest share = request(choice, TransportChoice::automatic);
        share.cpu_share_given = true;
        EXPECT_EQ(contradicts(share), !splits);
        for (const TransportChoice transport : {TransportChoice::p2p, TransportChoice::nccl})
            EXPECT_EQ(contradicts(request(choice, transport)), splits || choice == EngineChoice::cpu);
        for (const TransportChoice transport : {TransportChoice::mpi, TransportChoice::host}) EXPECT_FALSE(contradicts(request(choice, transport)));
    }
}

/// Counts how often it was told to tune.
class TunedEngine final : public EdgeEngine
{
public:
    TunedEngine(const CsrBlock& block, int& tuned) : engine_(block, make_cpu, make_cpu, std::nullopt), tuned_(tuned) {}

    std::string_view name() const override { return engine_.name(); }
    bool takes_either_form() const override { return engine_.takes_either_form(); }
    DeviceBytes device_bytes() const override { return {100, 20}; }
    void begin_search(std::uint32_t seen_row) override { engine_.begin_search(seen_row); }
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override { engine_.launch_top_down(frontier, discoveries); }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override { engine_.launch_bottom_up(frontier, discoveries); }
    void collect() override { engine_.collect(); }
    void end_search(const Discoveries& discoveries) override { engine_.end_search(discoveries); }
    bool tune(double seconds) override
    {
        ++tuned_;
        return engine_.tune(seconds);
    }

private:
    static std::unique_ptr<EdgeEngine> make_cpu(const CsrBlock& block) { return std::make_unique<cpu::CpuEngine>(block); }

    SplitEngine engine_;
    int& tuned_;
};

TEST_F(EngineChoiceTest, SearchesOfTheDriverByAnEngineThatSharesItsBlock)
{
    for (const bool directed : {false, true}) {
        const oracle::Graph whole = random_graph(1500, 6000, directed, 71);
        const oracle::Lists follow = oracle::followers(whole);
        const EdgeList share = share_of(whole, Deal::in_turn, rank, ranks);
        const ListFeed feed(share);
        for (const comm::GridShape shape : shapes_of(ranks)) {
            SCOPED_TRACE(testing::Message() << to_text(shape) << (directed ? ", directed" : ", undirected"));
            const comm::ProcessGrid grid(world, shape);
            const DistributedGraph graph = construct_graph(grid, feed);
            int tuned = 0;
            const std::unique_ptr<PreparedSearch> search = make_host_loop_search(
                grid, graph, feed, [&](const CsrBlock& block) { return std::make_unique<TunedEngine>(block, tuned); }, "a device",
                smallest_parents());
            if (!directed) search->prepare_check(Check::validity);

            const EngineFacts facts = search->facts();
            EXPECT_EQ(facts.engine, "split:0.25");
            EXPECT_EQ(facts.device, "a device");
            EXPECT_EQ(facts.transport, ranks > 1 ? "host (messages over mpi)" : "none (host-driven, one rank)");
            EXPECT_EQ(facts.graph_bytes, 100U);
            EXPECT_EQ(facts.state_bytes, 20U);

            for (const Vertex key : {Vertex{7}, Vertex{1499}, Vertex{7}}) {
                search->run(key);
                const std::vector<std::int64_t> expected = oracle::levels(follow, key);
                EXPECT_EQ(gather_by_vertex(world, 1500, [&](std::size_t i) { return search->levels()[i]; }), expected);
                EXPECT_EQ(gather_by_vertex(world, 1500, [&](std::size_t i) { return search->parents()[i]; }),
                          oracle::smallest_parents(follow, key, expected));
                EXPECT_EQ(search->reached(),
                          static_cast<std::uint64_t>(std::ranges::count_if(expected, [](std::int64_t level) { return level >= 0; })));
                if (!directed) {
                    EXPECT_TRUE(search->check().valid());
                }
            }
            EXPECT_TRUE(search->facts().engine.starts_with("split:"));
            // Before the second search each share on trial was searched with, the first search counting as one; then there was nothing left to try.
            EXPECT_GE(search->facts().trial_searches, 6 * ShareTrials::kSearches - 1);
            EXPECT_EQ(search->facts().trial_searches, tuned - 2);
        }
    }
}

}  // namespace
}  // namespace wayfront::app
