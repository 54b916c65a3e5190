// The effect of --engine and --transport if there are obstacles to on-GPU searches, and searches
// driven by the host with an engine that shares its block. Both engines are CPU engines, so that no
// test needs a GPU.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/split_engine.hpp"
#include "base/agreed.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "graph/construction.hpp"
#include "job/listener.hpp"
#include "plan/engine_plan.hpp"
#include "plan/search_options.hpp"
#include "session/bfs/bfs_searches.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::session {
namespace {

const std::vector<Transport> kTransports{Transport::p2p, Transport::nccl, Transport::mpi};

const plan::Obstacle kDirected{.words = "the graph is directed"};
const plan::Obstacle kNoMemory{.words = "not enough GPU memory", .memory = true};

plan::EngineRequest request(Engine engine, Transport transport)
{
    plan::EngineRequest made;
    made.engine = engine;
    made.transport = transport;
    return made;
}

plan::EnginePlan plan_of(Engine engine, Transport transport)
{
    plan::EnginePlan plan;
    plan.engine = engine;
    plan.transport = transport;
    return plan;
}

bool contradicts(const plan::EngineRequest& request)
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

/// The obstacles to p2p and to NCCL, and the number of calls of each function.
struct Trials
{
    std::string p2p;
    std::string nccl;
    int p2p_asked = 0;
    int nccl_asked = 0;

    plan::TransportObstacles obstacles()
    {
        return {[this] { return ++p2p_asked, p2p; }, [this] { return ++nccl_asked, nccl; }};
    }
};

class EngineChoiceTest : public GridTest
{
protected:
    [[nodiscard]] plan::EnginePlan settle(Engine choice, Transport transport, const plan::Obstacle& obstacle) const
    {
        return plan::settle_plan(job_, request(choice, transport), resident(), obstacle);
    }
    [[nodiscard]] plan::EnginePlan choose(Engine choice, Transport transport, Trials& trials) const
    {
        return plan::choose_transport(job_, request(choice, transport), resident(), kTransports, trials.obstacles());
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

    [[nodiscard]] plan::EnginePlan resident() const
    {
        plan::EnginePlan plan;
        plan.engine = Engine::gpu;
        plan.transport = Transport::p2p;
        plan.ranks_a_gpu = ranks;
        return plan;
    }

    const ThreadGuard guard_{1};  // a Job sets the number of threads
    const job::Job job_{world, 1, std::make_shared<job::NoteForwarder>()};
};

TEST_F(EngineChoiceTest, NoObstacle)
{
    for (const Engine& choice : std::initializer_list<Engine>{Engine::automatic, Engine::gpu})
        for (const Transport& transport : std::initializer_list<Transport>{Transport::automatic, Transport::p2p})
            EXPECT_TRUE(settle(choice, transport, {}).resident());
}

TEST_F(EngineChoiceTest, TheFirstTransportThatIsPossible)
{
    struct Case
    {
        const char* p2p;
        const char* nccl;
        Transport chosen;
        const char* detour;
    };
    const Case cases[] = {
        {"", "", Transport::p2p, ""},
        {"several hosts", "", Transport::nccl, "several hosts: searches exchange over NCCL"},
        {"several hosts", "no NCCL", Transport::mpi, "several hosts; no NCCL: searches exchange over MPI"},
        {"a shared GPU", "a shared GPU", Transport::mpi, "a shared GPU: searches exchange over MPI"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.detour);
        Trials trials{one.p2p, one.nccl};
        const plan::EnginePlan plan = choose(Engine::gpu, Transport::automatic, trials);
        EXPECT_EQ(plan.transport, one.chosen);
        EXPECT_TRUE(plan.on_device());
        EXPECT_EQ(plan.detour, one.detour);
        EXPECT_EQ(trials.p2p_asked, 1);
        // Connecting takes time and memory.
        EXPECT_EQ(trials.nccl_asked, trials.p2p.empty() ? 0 : 1);

        const plan::EnginePlan automatic = choose(Engine::automatic, Transport::automatic, trials);
        const bool cores = one.chosen == Transport::mpi;
        EXPECT_EQ(automatic.engine, cores ? Engine::cpu : Engine::gpu);
        EXPECT_EQ(automatic.on_device(), !cores);
        EXPECT_EQ(automatic.detour, cores ? "" : one.detour);
    }
}

TEST_F(EngineChoiceTest, TheTransportThatWasAskedFor)
{
    for (const Engine& choice : std::initializer_list<Engine>{Engine::automatic, Engine::gpu}) {
        Trials possible;
        for (const Transport& transport :
             std::initializer_list<Transport>{Transport::p2p, Transport::nccl, Transport::mpi}) {
            const plan::EnginePlan plan = choose(choice, transport, possible);
            EXPECT_EQ(plan.transport, transport);
            EXPECT_TRUE(plan.on_device());
            EXPECT_EQ(plan.detour, "");
        }
        EXPECT_EQ(possible.p2p_asked, 1);
        EXPECT_EQ(possible.nccl_asked, 1);

        Trials impossible{"several hosts", "no NCCL"};
        EXPECT_EQ(error_of([&] { return choose(choice, Transport::p2p, impossible); }),
                  "--transport p2p: several hosts");
        EXPECT_EQ(error_of([&] { return choose(choice, Transport::nccl, impossible); }), "--transport nccl: no NCCL");
        EXPECT_EQ(choose(choice, Transport::mpi, impossible).transport, Transport::mpi);
    }
}

TEST_F(EngineChoiceTest, WhatOnGpuSearchesCannotTakeIsHostDriven)
{
    const plan::EnginePlan host_driven = settle(Engine::gpu, Transport::automatic, kDirected);
    EXPECT_EQ(host_driven.engine, Engine::gpu);
    EXPECT_FALSE(host_driven.on_device());
    EXPECT_EQ(settle(Engine::automatic, Transport::automatic, kDirected).engine, Engine::cpu);
    EXPECT_EQ(settle(Engine::automatic, Transport::automatic, kNoMemory).engine, Engine::cpu);
}

TEST_F(EngineChoiceTest, GpusThatCannotBeUsedLeaveItToTheCores)
{
    const auto take = [this](const plan::EngineRequest& request, ExitCode code) {
        return plan::gpus_or_cores(job_, request,
                                   [&]() -> plan::EnginePlan { throw AgreedError(code, "the GPU is busy"); });
    };
    for (const Transport& transport :
         std::initializer_list<Transport>{Transport::automatic, Transport::mpi, Transport::host})
        EXPECT_EQ(take(request(Engine::automatic, transport), ExitCode::resources).engine, Engine::cpu);
    for (const plan::EngineRequest& asked :
         {request(Engine::gpu, Transport::automatic), request(Engine::split, Transport::automatic),
          request(Engine::automatic, Transport::p2p), request(Engine::automatic, Transport::nccl)})
        EXPECT_EQ(error_of([&] { return take(asked, ExitCode::resources); }), "the GPU is busy");
    EXPECT_THROW(take(request(Engine::automatic, Transport::automatic), ExitCode::wrong_result),
                 AgreedError);  // an internal error is reported
    EXPECT_TRUE(plan::gpus_or_cores(job_, request(Engine::automatic, Transport::automatic), [this] {
                    return resident();
                }).resident());
}

TEST_F(EngineChoiceTest, WhatWasAskedForAndCannotBe)
{
    const auto error_with = [this](Engine choice, Transport transport, const plan::Obstacle& obstacle) {
        return error_of([&] { return settle(choice, transport, obstacle); });
    };
    EXPECT_EQ(error_with(Engine::gpu, Transport::automatic, kNoMemory), "--engine gpu: not enough GPU memory");
    for (const Engine& choice : std::initializer_list<Engine>{Engine::automatic, Engine::gpu})
        for (const plan::Obstacle& obstacle : {kDirected, kNoMemory}) {
            EXPECT_EQ(error_with(choice, Transport::p2p, obstacle), "--transport p2p: " + obstacle.words);
            EXPECT_EQ(error_with(choice, Transport::nccl, obstacle), "--transport nccl: " + obstacle.words);
            EXPECT_EQ(error_with(choice, Transport::mpi, obstacle), "--transport mpi: " + obstacle.words);
        }
}

TEST_F(EngineChoiceTest, TheGridIsThatOfTheEngineThatSearches)
{
    for (const plan::EnginePlan& plan : {plan_of(Engine::gpu, Transport::p2p), plan_of(Engine::gpu, Transport::nccl),
                                         plan_of(Engine::gpu, Transport::mpi), plan_of(Engine::gpu, Transport::host),
                                         plan_of(Engine::split, Transport::host), plan::EnginePlan()}) {
        const comm::GridShape over_hosts = plan.on_device() ? comm::GridShape{64, 1} : comm::GridShape{8, 8};
        EXPECT_EQ(plan::choose_grid({}, plan, 64, 8), over_hosts);
        EXPECT_EQ(plan::choose_grid({}, plan, 6, 6), (comm::GridShape{6, 1}));
        plan::EnginePlan of_grid = plan;
        of_grid.several_columns = true;
        EXPECT_EQ(plan::choose_grid(comm::GridShape{2, 3}, of_grid, 6, 6), (comm::GridShape{2, 3}));
    }
}

TEST_F(EngineChoiceTest, UndirectedGraphsInAGridOfOneRowAreSearchedAsInOneColumn)
{
    plan::EnginePlan plan = plan_of(Engine::gpu, Transport::p2p);
    plan.several_columns = true;
    EXPECT_FALSE(plan.resident());
    EXPECT_EQ(plan::choose_grid(comm::GridShape{1, 6}, plan, 6, 6), (comm::GridShape{1, 6}));
    EXPECT_TRUE(plan::for_undirected(plan).several_columns);  // one_row is false: the grid may have several rows, too
    plan.one_row = true;
    const plan::EnginePlan undirected = plan::for_undirected(plan);
    EXPECT_TRUE(undirected.resident());
    EXPECT_EQ(plan::choose_grid(comm::GridShape{1, 6}, undirected, 6, 6), (comm::GridShape{6, 1}));
    // On the cores, the grid is the one that was asked for.
    EXPECT_EQ(plan::choose_grid(comm::GridShape{1, 6}, plan::for_undirected({}), 6, 6), (comm::GridShape{1, 6}));
}

/// Another algorithm may have other requirements: it may support only one transport and fewer
/// vertices.
TEST_F(EngineChoiceTest, TheAlgorithmSaysWhatItsSearchesRequire)
{
    const plan::DeviceRequirements bfs = bfs_requirements();
    EXPECT_EQ(bfs.transports, kTransports);
    EXPECT_EQ(plan::graph_obstacle(bfs, Vertex{1} << 31).words, "");
    EXPECT_EQ(plan::graph_obstacle(bfs, (Vertex{1} << 31) + 1).words,
              "the graph has more than 2^31 vertices, which on-GPU searches do not support");

    const plan::DeviceRequirements other{.transports = {Transport::p2p}, .most_vertices = Vertex{1} << 20};
    EXPECT_EQ(plan::graph_obstacle(other, Vertex{1} << 20).words, "");
    EXPECT_EQ(plan::graph_obstacle(other, (Vertex{1} << 20) + 1).words,
              "the graph has more than 2^20 vertices, which on-GPU searches do not support");
    Trials possible;
    const auto over = [&](Engine engine, Transport transport) {
        return plan::choose_transport(job_, request(engine, transport), resident(), other.transports,
                                      possible.obstacles());
    };
    EXPECT_TRUE(over(Engine::gpu, Transport::automatic).resident());
    EXPECT_EQ(error_of([&] { return over(Engine::gpu, Transport::nccl); }),
              "--transport nccl: on-GPU searches of this kind do not exchange over this transport");
    EXPECT_EQ(possible.nccl_asked, 0);
}

TEST_F(EngineChoiceTest, OnlyOnGpuSearchesMeetObstacles)
{
    for (const Engine engine : {Engine::cpu, Engine::gpu, Engine::split}) {
        const plan::EnginePlan settled = plan::settle_plan(job_, request(Engine::gpu, Transport::automatic),
                                                           plan_of(engine, Transport::host), kNoMemory);
        EXPECT_EQ(settled.engine, engine);
        EXPECT_FALSE(settled.on_device());
    }
}

TEST_F(EngineChoiceTest, OptionsThatContradictEachOther)
{
    for (const Engine& choice :
         std::initializer_list<Engine>{Engine::automatic, Engine::cpu, Engine::gpu, Engine::split}) {
        const bool splits = choice == Engine::split;
        plan::EngineRequest share = request(choice, Transport::automatic);
        share.cpu_share_given = true;
        EXPECT_EQ(contradicts(share), !splits);
        for (const Transport& transport : std::initializer_list<Transport>{Transport::p2p, Transport::nccl})
            EXPECT_EQ(contradicts(request(choice, transport)), splits || choice == Engine::cpu);
        for (const Transport& transport : std::initializer_list<Transport>{Transport::mpi, Transport::host})
            EXPECT_FALSE(contradicts(request(choice, transport)));
    }
}

/// Counts the calls of tune().
class TunedEngine final : public EdgeEngine
{
public:
    TunedEngine(const CsrBlock& block, int& tuned) : engine_(block, make_cpu, make_cpu, std::nullopt), tuned_(tuned) {}

    std::string_view name() const override { return engine_.name(); }
    bool takes_either_form() const override { return engine_.takes_either_form(); }
    DeviceBytes device_bytes() const override { return {100, 20}; }
    void begin_search(std::uint32_t seen_row) override { engine_.begin_search(seen_row); }
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override
    {
        engine_.launch_top_down(frontier, discoveries);
    }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override
    {
        engine_.launch_bottom_up(frontier, discoveries);
    }
    void collect() override { engine_.collect(); }
    void end_search(const Discoveries& discoveries) override { engine_.end_search(discoveries); }
    bool tune(double seconds) override
    {
        ++tuned_;
        return engine_.tune(seconds);
    }

private:
    static std::unique_ptr<EdgeEngine> make_cpu(const CsrBlock& block)
    {
        return std::make_unique<cpu::CpuEngine>(block);
    }

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
            const DistributedGraph graph = construct(grid, feed);
            int tuned = 0;
            const std::unique_ptr<HostGraphBfs> search = make_host_loop_bfs(
                {grid, graph, feed}, [&](const CsrBlock& block) { return std::make_unique<TunedEngine>(block, tuned); },
                "a device", smallest_parents());
            if (!directed) search->prepare_check(Check::validity);

            const BfsFacts facts = search->facts();
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
                EXPECT_EQ(search->reached(), static_cast<std::uint64_t>(std::ranges::count_if(
                                                 expected, [](std::int64_t level) { return level >= 0; })));
                if (!directed) {
                    EXPECT_TRUE(search->check().valid());
                }
            }
            EXPECT_TRUE(search->facts().engine.starts_with("split:"));
            // Before the second search, each share on trial was used for a search (the first search
            // counts as one); after that, all shares had been tried.
            EXPECT_GE(search->facts().trial_searches, 6 * ShareTrials::kSearches - 1);
            EXPECT_EQ(search->facts().trial_searches, tuned - 2);
        }
    }
}

TEST_F(EngineChoiceTest, SearchesThatWereOnlyCountedAreNotCalledValid)
{
    const oracle::Graph whole = random_graph(300, 900, false, 72);
    const EdgeList share = share_of(whole, Deal::in_turn, rank, ranks);
    const ListFeed feed(share);
    const comm::ProcessGrid grid(world, {ranks, 1});
    const DistributedGraph graph = construct(grid, feed);
    const EngineMaker on_cpu = [](const CsrBlock& block) { return std::make_unique<cpu::CpuEngine>(block); };
    EdgeCount edges = 0;
    for (const Check check : {Check::validity, Check::edges}) {
        const std::unique_ptr<HostGraphBfs> searches = make_host_loop_bfs({grid, graph, feed}, on_cpu, "", {});
        searches->prepare_check(check);
        searches->run(0);
        const graph500::BfsValidation found = searches->check();
        EXPECT_EQ(found.outcome, check == Check::edges ? graph500::Outcome::not_validated : graph500::Outcome::valid);
        EXPECT_EQ(found.valid(), check == Check::validity);
        if (check == Check::validity) edges = found.edges;
        EXPECT_GT(found.edges, 0);
        EXPECT_EQ(found.edges, edges);
    }
}

}  // namespace
}  // namespace wayfront::session
