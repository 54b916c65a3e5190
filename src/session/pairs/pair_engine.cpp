#include "session/pairs/pair_engine.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "algo/sssp/distance.hpp"
#include "base/agreed.hpp"
#include "comm/agreement.hpp"
#include "cpu/pairs/pair_searches.hpp"
#include "job/host_memory.hpp"
#include "plan/rates.hpp"
#include "session/output/vertex_text.hpp"
#include "session/rates_file.hpp"
#include "session/search_tree.hpp"
#include "session/sssp/negative_cycles.hpp"
#include "session/sssp/path_length.hpp"

namespace wayfront::session {

namespace {

/// Whether a distance is beyond a limit.
bool is_beyond(const PathLength& distance, const algo::Cutoff& cutoff)
{
    return std::visit(
        [&cutoff]<typename T>(T length) {
            const T bound = algo::bound_of_cutoff<T>(cutoff);
            return bound != algo::unreached<T>() && length >= bound;
        },
        distance);
}

class CorePairs final : public PairEngine
{
public:
    CorePairs(std::unique_ptr<cpu::PairSearches> searches, std::int64_t connected_vertices, TreeOrder order,
              const algo::Cutoff& cutoff)
        : searches_(std::move(searches)), connected_vertices_(connected_vertices), order_(order), cutoff_(cutoff)
    {
    }

    [[nodiscard]] std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs,
                                                       bool with_paths) override
    {
        std::vector<algo::PairAnswer> answers = searches_->answer(pairs, with_paths);
        for (algo::PairAnswer& answer : answers) {
            if (answer.distance && is_beyond(*answer.distance, cutoff_)) answer = {};
            if (order_ == TreeOrder::to_root) std::ranges::reverse(answer.path);
        }
        return answers;
    }
    [[nodiscard]] EngineFacts facts() const override
    {
        EngineFacts facts;
        facts.engine = "cpu";
        facts.connected_vertices = connected_vertices_;
        return facts;
    }
    [[nodiscard]] std::string method() const override { return searches_->description(); }

private:
    std::unique_ptr<cpu::PairSearches> searches_;
    std::int64_t connected_vertices_;
    TreeOrder order_;
    algo::Cutoff cutoff_;
};

/// The distance of a vertex after a search.
std::optional<PathLength> distance_after(const comm::Communicator& world, const Partition& partition,
                                         HostGraphBfs& searches, Vertex target)
{
    const int owner = partition.owner(target);
    std::int64_t level = owner == world.rank() ? searches.levels()[partition.local(target)] : 0;
    world.broadcast(std::span(&level, 1), owner);
    if (level == kUnreached) return std::nullopt;
    return level;
}
std::optional<PathLength> distance_after(const comm::Communicator& world, const Partition& partition,
                                         SsspSearches& searches, Vertex target)
{
    return distance_of(world, partition, searches.result().distances, target);
}
const VertexArray& parents_after(HostGraphBfs& searches)
{
    return searches.parents();
}
const VertexArray& parents_after(SsspSearches& searches)
{
    return searches.result().parents;
}

/// One search for all pairs with the same source.
template <typename Searches>
class SearchedPairs final : public PairEngine
{
public:
    SearchedPairs(const job::Job& job, const PreparedGraph& prepared, std::unique_ptr<Searches> searches)
        : job_(job), prepared_(prepared), searches_(std::move(searches))
    {
    }

    [[nodiscard]] std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs,
                                                       bool with_paths) override
    {
        std::map<Vertex, std::vector<std::size_t>> of_source;
        for (std::size_t i = 0; i < pairs.size(); ++i) of_source[pairs[i].source].push_back(i);
        const comm::Communicator& world = job_.world();
        const Partition& partition = prepared_.graph->partition;
        const TreeOrder order = tree_order(prepared_.input.reversed);
        std::vector<algo::PairAnswer> answers(pairs.size());
        for (const auto& [source, members] : of_source) {
            searches_->run(source);
            require_no_cycle(source);
            const VertexArray& parents = parents_after(*searches_);
            for (const std::size_t i : members) {
                answers[i].distance = distance_after(world, partition, *searches_, pairs[i].target);
                if (with_paths && answers[i].distance)
                    answers[i].path = path_to(world, partition, parents, pairs[i].target, order).vertices;
            }
        }
        return answers;
    }
    [[nodiscard]] EngineFacts facts() const override { return searches_->facts(); }
    [[nodiscard]] std::string method() const override
    {
        if constexpr (std::is_same_v<Searches, SsspSearches>)
            return "one search per source: " + searches_->facts().algorithm;
        else
            return "one search per source";
    }

private:
    void require_no_cycle([[maybe_unused]] Vertex source) const
    {
        if constexpr (std::is_same_v<Searches, SsspSearches>) {
            const std::vector<Vertex>& cycle = searches_->negative_cycle();
            if (cycle.empty()) return;
            throw AgreedError(
                ExitCode::wrong_result,
                fmt::format("there are no shortest paths from {}: it reaches a cycle of negative length, {}",
                            vertex_in_words(prepared_.input.numbers(), source),
                            cycle_in_words(prepared_.input, cycle)));
        }
    }

    const job::Job& job_;
    const PreparedGraph& prepared_;
    std::unique_ptr<Searches> searches_;
};

/// Searches on the cores of one rank; null if they do not suit the weights. Collective.
std::unique_ptr<PairEngine> prepare_on_cores(const job::Job& job, PreparedGraph& prepared, std::int64_t pairs,
                                             const algo::Cutoff& cutoff, PhaseLog* log)
{
    const WeightType weights = prepared.feed ? prepared.feed->weight_type() : WeightType::none;
    const plan::CoreRates rates = find_rates(job.world(), "").core;
    prepared.plan = {};
    prepared.grid.emplace(job.world(), comm::GridShape{1, 1});
    require_construction_memory(job, {1, 1}, prepared.input, prepared.plan, weights);
    std::unique_ptr<cpu::PairSearches> searches;
    construct_on_hosts(job, prepared, VertexCount::given, log, [&] {
        const DistributedGraph& graph = *prepared.graph;
        job::require_memory(
            job,
            cpu::pair_searches_bytes(static_cast<double>(graph.local_count()),
                                     static_cast<double>(graph.block.out_edges().edges()), job.threads()),
            "searching for shortest paths");
        const double search_seconds = rates.search_arc * static_cast<double>(graph.block.out_edges().edges()) +
                                      rates.search_vertex * static_cast<double>(graph.connected_vertices);
        searches = run_agreed(job.world(), [&] {
            return cpu::make_pair_searches(
                graph, {static_cast<std::size_t>(pairs), search_seconds, job::available_bytes().value_or(1e300) / 2});
        });
    });
    if (searches == nullptr) return nullptr;
    return std::make_unique<CorePairs>(std::move(searches), prepared.graph->connected_vertices,
                                       tree_order(prepared.input.reversed), cutoff);
}

}  // namespace

std::unique_ptr<PairEngine> prepare_bfs_pairs(const job::Job& job, const BfsRequest& request, PreparedGraph& prepared,
                                              PhaseLog* log)
{
    const bool on_cores = job.world().size() == 1 && !request.smallest_parents &&
                          (request.search.engine.engine == Engine::automatic || prepared.plan.engine == Engine::cpu);
    const algo::Cutoff cutoff =
        request.max_level < algo::kNoMaxLevel ? algo::Cutoff::of_whole(request.max_level) : algo::Cutoff();
    if (on_cores) return prepare_on_cores(job, prepared, request.searches, cutoff, log);
    return std::make_unique<SearchedPairs<HostGraphBfs>>(job, prepared,
                                                         prepare_bfs_searches(job, request, prepared, log));
}

std::unique_ptr<PairEngine> prepare_sssp_pairs(const job::Job& job, const SsspRequest& request,
                                               const std::optional<plan::EnginePlan>& asked, PreparedGraph& prepared,
                                               PhaseLog* log)
{
    if (job.world().size() == 1 && !asked && request.method.is_automatic() && !request.method.smallest_parents)
        if (std::unique_ptr<PairEngine> cores = prepare_on_cores(job, prepared, request.searches, request.cutoff, log))
            return cores;
    return std::make_unique<SearchedPairs<SsspSearches>>(job, prepared,
                                                         prepare_sssp_searches(job, request, asked, prepared, log));
}

}  // namespace wayfront::session
