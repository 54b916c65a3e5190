#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "comm/agreement.hpp"
#include "session/bfs/bfs_searches.hpp"

namespace wayfront::session {

namespace {

class HostLoopBfs final : public HostGraphBfs
{
public:
    HostLoopBfs(const ConstructedGraph& constructed, const EngineMaker& make_engine, std::string device,
                const algo::BfsOptions& options)
        : HostGraphBfs(constructed),
          options_(options),
          device_(std::move(device)),
          engine_(make_engine(graph().block)),
          search_(grid(), graph(), *engine_, options)
    {
    }

    [[nodiscard]] BfsFacts facts() const override
    {
        BfsFacts facts;
        facts.engine = engine_->name();
        facts.direction = options_.direction;
        facts.direction.alpha = search_.alpha();
        facts.exchange = comm::to_string(options_.exchange);
        facts.connected_vertices = graph().connected_vertices;
        facts.trial_searches = trial_searches_;
        facts.device = device_;
        if (!device_.empty())
            facts.transport = world().size() > 1 ? "host (messages over mpi)" : "none (host-driven, one rank)";
        const DeviceBytes bytes = engine_->device_bytes();
        facts.graph_bytes = bytes.graph;
        facts.state_bytes = bytes.state;
        return facts;
    }
    [[nodiscard]] std::uint64_t reached() const override { return result_->reached; }
    [[nodiscard]] std::vector<algo::LevelRecord> level_records() override { return result_->records; }
    [[nodiscard]] std::span<const std::int32_t> levels() override { return result_->levels.span(); }
    [[nodiscard]] const VertexArray& parents() override { return result_->parents; }
    [[nodiscard]] const VertexArray& nearest() override { return result_->nearest; }

private:
    void tune() override
    {
        // A share of the vertices. A search that reaches less is too short for a comparison of times.
        constexpr double telling_part = 0.1;
        if (result_ == nullptr ||
            static_cast<double>(result_->reached) < telling_part * static_cast<double>(graph().connected_vertices))
            return;
        for (; run_agreed(world(), [this] { return engine_->tune(seconds()); }); ++trial_searches_) {
            const Vertex repeated = key();
            timed_search(std::span(&repeated, 1), false);
        }
    }
    void search(Vertex key) override { result_ = &search_.run(key); }
    void search_nearest(std::span<const Vertex> sources) override { result_ = &search_.run_nearest(sources); }

    algo::BfsOptions options_;
    std::string device_;
    std::unique_ptr<EdgeEngine> engine_;
    algo::BfsSearch search_;
    const algo::BfsResult* result_ = nullptr;  // the result of search_ after a run
    int trial_searches_ = 0;
};

}  // namespace

std::unique_ptr<HostGraphBfs> make_host_loop_bfs(const ConstructedGraph& constructed, const EngineMaker& make_engine,
                                                 const std::string& device, const algo::BfsOptions& options)
{
    return run_agreed(constructed.grid.world(), [&]() -> std::unique_ptr<HostGraphBfs> {
        return std::make_unique<HostLoopBfs>(constructed, make_engine, device, options);
    });
}

}  // namespace wayfront::session
