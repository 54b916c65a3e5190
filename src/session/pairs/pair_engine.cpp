#include "session/pairs/pair_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "algo/sssp/distance.hpp"
#include "base/agreed.hpp"
#include "comm/agreement.hpp"
#include "cpu/pairs/pair_searches.hpp"
#include "job/host_memory.hpp"
#include "plan/rates.hpp"
#include "plan/search_times.hpp"
#include "session/output/vertex_text.hpp"
#include "session/rates_file.hpp"
#include "session/search_tree.hpp"
#include "session/sssp/negative_cycles.hpp"
#include "session/sssp/negative_weights.hpp"
#include "session/sssp/path_length.hpp"
#include "session/sssp/prepared_sssp.hpp"
#include "session/sssp/sssp_searches.hpp"
#include "session/whole_graph.hpp"

namespace wayfront::session {

namespace {

/// The places of the pairs with each source.
std::map<Vertex, std::vector<std::size_t>> by_source(std::span<const algo::VertexPair> pairs)
{
    std::map<Vertex, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < pairs.size(); ++i) places[pairs[i].source].push_back(i);
    return places;
}

/// The answers to some pairs as numbers, for messages. For each pair: its place among all pairs; the type
/// of its distance, or kNoPath; the bits of the distance; the length of the path, and its vertices.
class AnswerNumbers
{
public:
    void add(std::size_t place, const algo::PairAnswer& answer)
    {
        numbers_.push_back(static_cast<std::int64_t>(place));
        numbers_.push_back(answer.distance ? static_cast<std::int64_t>(answer.distance->index()) : kNoPath);
        numbers_.push_back(0);
        if (answer.distance)
            std::visit([this](auto length) { std::memcpy(&numbers_.back(), &length, sizeof length); },
                       *answer.distance);
        numbers_.push_back(static_cast<std::int64_t>(answer.path.size()));
        numbers_.insert(numbers_.end(), answer.path.begin(), answer.path.end());
    }

    /// Writes the answers of all ranks to their places. Collective.
    void exchange(const comm::Communicator& world, std::span<algo::PairAnswer> answers) const
    {
        const std::vector<std::size_t> counts = world.all_gather(numbers_.size());
        std::vector<std::int64_t> all(std::reduce(counts.begin(), counts.end()));
        world.all_gather_v(std::span<const std::int64_t>(numbers_), counts, std::span<std::int64_t>(all));
        for (auto next = all.begin(); next != all.end();) {
            algo::PairAnswer& answer = answers[static_cast<std::size_t>(*next++)];
            const std::int64_t type = *next++;
            const std::int64_t bits = *next++;
            const std::int64_t length = *next++;
            answer.distance = distance_of(type, bits);
            answer.path.assign(next, next + length);
            next += length;
        }
    }

private:
    static constexpr std::int64_t kNoPath = -1;

    static std::optional<PathLength> distance_of(std::int64_t type, std::int64_t bits)
    {
        const auto length = [bits]<typename T>(T value) {
            std::memcpy(&value, &bits, sizeof value);
            return PathLength(value);
        };
        if (type == kNoPath) return std::nullopt;
        static_assert(std::is_same_v<PathLength, std::variant<std::int64_t, float, double>>);
        return type == 0 ? length(std::int64_t{}) : type == 1 ? length(float{}) : length(double{});
    }

    std::vector<std::int64_t> numbers_;
};

/// The progress of the pairs of all ranks, estimated from those of this rank.
class PairsOfAllRanks final : public ProgressListener
{
public:
    PairsOfAllRanks(job::Progress& progress, std::size_t all, std::size_t own)
        : progress_(progress), all_(all), own_(own)
    {
    }
    void begin(std::string_view /*step*/, std::uint64_t /*total*/) override {}
    void advance(std::uint64_t units) override
    {
        const std::uint64_t done = done_.fetch_add(units) + units;
        progress_.advance(done * all_ / own_ - (done - units) * all_ / own_);
    }

private:
    job::Progress& progress_;
    std::uint64_t all_;
    std::uint64_t own_;
    std::atomic<std::uint64_t> done_ = 0;
};

/// Each rank has the whole graph. The ranks share the pairs.
class CorePairs final : public PairEngine
{
public:
    CorePairs(const comm::Communicator& world, std::unique_ptr<cpu::PairSearches> searches,
              std::int64_t connected_vertices, TreeOrder order)
        : world_(world), searches_(std::move(searches)), connected_vertices_(connected_vertices), order_(order)
    {
    }

    [[nodiscard]] std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs, bool with_paths,
                                                       job::Progress& progress) override
    {
        if (world_.size() == 1) return answer_here(pairs, with_paths, progress.listener());
        const AnswerNumbers numbers = run_agreed(world_, [&] {
            const std::vector<std::size_t> places = own_places(pairs);
            std::vector<algo::VertexPair> own(places.size());
            std::ranges::transform(places, own.begin(), [pairs](std::size_t place) { return pairs[place]; });
            PairsOfAllRanks share(progress, pairs.size(), own.size());
            const std::vector<algo::PairAnswer> answers =
                answer_here(own, with_paths, progress.listener() == nullptr ? nullptr : &share);
            AnswerNumbers of_rank;
            for (std::size_t i = 0; i < own.size(); ++i) of_rank.add(places[i], answers[i]);
            return of_rank;
        });
        std::vector<algo::PairAnswer> answers(pairs.size());
        numbers.exchange(world_, answers);
        return answers;
    }
    [[nodiscard]] EngineFacts facts() const override
    {
        EngineFacts facts;
        facts.engine = "cpu";
        facts.connected_vertices = connected_vertices_;
        return facts;
    }
    [[nodiscard]] std::string method() const override
    {
        return searches_->description() + (world_.size() > 1 ? "; each rank has the whole graph" : "");
    }

private:
    /// The pairs of this rank: the ranks deal the sources out among them, so that pairs with the same
    /// source stay together.
    [[nodiscard]] std::vector<std::size_t> own_places(std::span<const algo::VertexPair> pairs) const
    {
        std::vector<std::size_t> places;
        int rank = 0;
        for (const auto& [source, members] : by_source(pairs))
            if (std::exchange(rank, (rank + 1) % world_.size()) == world_.rank())
                places.insert(places.end(), members.begin(), members.end());
        return places;
    }

    [[nodiscard]] std::vector<algo::PairAnswer> answer_here(std::span<const algo::VertexPair> pairs, bool with_paths,
                                                            ProgressListener* listener)
    {
        std::vector<algo::PairAnswer> answers = searches_->answer(pairs, with_paths, listener);
        if (order_ == TreeOrder::to_root)
            for (algo::PairAnswer& answer : answers) std::ranges::reverse(answer.path);
        return answers;
    }

    const comm::Communicator& world_;
    std::unique_ptr<cpu::PairSearches> searches_;
    std::int64_t connected_vertices_;
    TreeOrder order_;
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

    [[nodiscard]] std::vector<algo::PairAnswer> answer(std::span<const algo::VertexPair> pairs, bool with_paths,
                                                       job::Progress& progress) override
    {
        const comm::Communicator& world = job_.world();
        const Partition& partition = prepared_.graph->partition;
        const TreeOrder order = tree_order(prepared_.input.reversed);
        std::vector<algo::PairAnswer> answers(pairs.size());
        for (const auto& [source, members] : by_source(pairs)) {
            searches_->run(source);
            require_no_cycle(source);
            const VertexArray& parents = parents_after(*searches_);
            for (const std::size_t i : members) {
                answers[i].distance = distance_after(world, partition, *searches_, pairs[i].target);
                if (with_paths && answers[i].distance)
                    answers[i].path = path_to(world, partition, parents, pairs[i].target, order).vertices;
            }
            const std::size_t found = members.size();
            run_agreed(world, [&] { progress.advance(found); });
        }
        return answers;
    }
    [[nodiscard]] std::vector<Vertex> negative_cycle() const override
    {
        if constexpr (std::is_same_v<Searches, SsspSearches>) return searches_->negative_cycle();
        return {};
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

/// No path is longer than this, by the weights of this rank's edges.
double most_length_of_path(const EdgeFeed& feed)
{
    return static_cast<double>(feed.vertex_count()) * with_weight_type(feed.weight_type(), [&feed]<typename W>(W) {
               double most = 1;
               if constexpr (!std::is_same_v<W, Unweighted>) {
                   HostBuffer<OrderedWord<W>> words(std::size_t{1} << 16);
                   for (EdgeCount first = 0; first < feed.size(); first += static_cast<EdgeCount>(words.size())) {
                       const auto left = static_cast<std::size_t>(feed.size() - first);
                       const auto chunk = words.span().first(std::min(words.size(), left));
                       feed.weights(first, chunk);
                       most = std::max(most, static_cast<double>(from_ordered<W>(std::ranges::max(chunk))));
                   }
               }
               return most;
           });
}

/// Whether each rank can have the whole graph: there is memory for its edges and for the searches, and
/// distances surely fit their type. Pre: no weight is negative. Collective.
bool each_rank_can_hold(const job::Job& job, const PreparedGraph& prepared, const EdgeFeed& feed)
{
    const comm::Communicator& world = job.world();
    if (!world.any(feed.size() > 0)) return false;
    constexpr double most_length = 1e18;
    constexpr double share_of_memory = 0.5;
    constexpr double bytes_an_edge = 2 * 16;  // an edge is in the array of all edges, and in a rank's own part
    const ConstructionSize size = construction_size({1, 1}, prepared.input, feed.weight_type());
    const double bytes = size.edges * bytes_an_edge + with_page_ends(peak_construction_bytes(size)) +
                         cpu::pair_searches_bytes(size.vertices, size.entries(), job.threads());
    const bool fits = bytes * job.ranks_a_host() < share_of_memory * job::available_bytes().value_or(1e300);
    return world.all(run_agreed(world, [&] { return fits && most_length_of_path(feed) < most_length; }));
}

/// Searches on the cores, each rank with the whole graph; null if they do not suit the weights.
/// Collective.
std::unique_ptr<PairEngine> prepare_on_cores(const job::Job& job, PreparedGraph& prepared, std::int64_t pairs,
                                             const algo::Cutoff& cutoff, PhaseLog* log)
{
    const int ranks = job.world().size();
    const ListFeed of_list(prepared.input.list);
    const EdgeFeed& feed = prepared.feed ? *prepared.feed : static_cast<const EdgeFeed&>(of_list);
    const WeightType weights = feed.weight_type();
    std::unique_ptr<EdgeFeed> all_edges;  // if there are several ranks
    if (ranks > 1) {
        // Constructing the whole graph on each rank takes as long as some 30 searches of a divided one
        // (bench/results/pairs-over-ranks.json).
        constexpr std::int64_t least_pairs = 32;
        if (pairs < std::max<std::int64_t>(least_pairs, ranks) || !each_rank_can_hold(job, prepared, feed))
            return nullptr;
        all_edges = gather_feed(job, feed);
    }
    const plan::CoreRates rates = rates_of(job).core;
    prepared.plan = {};
    prepared.grid.emplace(comm::Communicator::alone(), comm::GridShape{1, 1});
    require_construction_memory(job, {1, 1}, prepared.input, prepared.plan, weights);
    std::unique_ptr<cpu::PairSearches> searches;
    const auto prepare_searches = [&] {
        const DistributedGraph& graph = *prepared.graph;
        job::require_memory(
            job,
            cpu::pair_searches_bytes(static_cast<double>(graph.local_count()),
                                     static_cast<double>(graph.block.out_edges().edges()), job.threads()),
            "searching for shortest paths");
        searches = run_agreed(job.world(), [&] {
            const double search_seconds = plan::dijkstra_seconds(rates, plan::search_shape(graph));
            return cpu::make_pair_searches(graph,
                                           {static_cast<std::size_t>((pairs + ranks - 1) / ranks), search_seconds,
                                            job::available_bytes().value_or(1e300) / 2 / job.ranks_a_host(), cutoff});
        });
    };
    if (ranks == 1)
        construct_on_hosts(job, prepared, {.log = log}, prepare_searches);
    else
        prepared.construction_seconds = seconds_of(job.world(), log, "construct", [&] {
            WholeGraph whole = construct_whole(job, *all_edges);
            prepared.graph = std::move(whole.graph);
            all_edges = nullptr;
            prepare_searches();
        });
    if (searches == nullptr) {
        if (ranks > 1) throw std::logic_error("the weights of pairs do not suit the searches");
        return nullptr;
    }
    return std::make_unique<CorePairs>(job.world(), std::move(searches), prepared.graph->connected_vertices,
                                       tree_order(prepared.input.reversed));
}

}  // namespace

std::unique_ptr<PairEngine> prepare_bfs_pairs(const job::Job& job, const BfsRequest& request,
                                              const std::optional<plan::EnginePlan>& asked, PreparedGraph& prepared,
                                              PhaseLog* log)
{
    const bool on_cores =
        !request.smallest_parents && !(job.world().size() > 1 && request.search.grid) &&
        (request.search.engine.engine == Engine::automatic || (asked && asked->engine == Engine::cpu));
    const algo::Cutoff cutoff =
        request.max_level < algo::kNoMaxLevel ? algo::Cutoff::of_whole(request.max_level) : algo::Cutoff();
    if (on_cores)
        if (std::unique_ptr<PairEngine> cores = prepare_on_cores(job, prepared, request.searches, cutoff, log))
            return cores;
    return std::make_unique<SearchedPairs<HostGraphBfs>>(job, prepared,
                                                         prepare_bfs_searches(job, request, asked, prepared, log));
}

std::unique_ptr<PairEngine> prepare_sssp_pairs(const job::Job& job, const SsspRequest& request,
                                               const std::optional<plan::EnginePlan>& asked, PreparedGraph& prepared,
                                               PhaseLog* log)
{
    // Construction drops edges from a vertex to itself, so weights are looked at before.
    const bool on_cores = (!asked || asked->engine == Engine::cpu) && request.method.is_automatic() &&
                          !request.method.smallest_parents && !(job.world().size() > 1 && request.method.grid) &&
                          !has_negative_weights(job.world(), *prepared.feed);
    const auto plan_whole = [&] { return plan_sssp(job, request, asked, prepared.input, *prepared.feed); };
    // With weights that are floats, a search for a pair starts from one end alone, in the order of distances. In a
    // graph with hubs it meets most arcs at once, and pushes and pulls through the whole graph take less time.
    std::optional<SsspPlan> whole;
    if (on_cores && is_floating_point(prepared.feed->weight_type())) whole = plan_whole();
    if (on_cores && !(whole && whole->choice.method == algo::SsspMethod::push_pull))
        if (std::unique_ptr<PairEngine> cores = prepare_on_cores(job, prepared, request.searches, request.cutoff, log))
            return cores;
    return std::make_unique<SearchedPairs<SsspSearches>>(
        job, prepared, prepare_planned_sssp(job, request, whole ? *whole : plan_whole(), prepared, log));
}

}  // namespace wayfront::session
