#include "session/search_tuning.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "base/least_seconds.hpp"
#include "base/phase.hpp"
#include "graph/edge_feed.hpp"
#include "plan/gpu_start.hpp"
#include "plan/sssp_times.hpp"
#include "session/bfs/prepared_bfs.hpp"
#include "session/input/graph_input.hpp"
#include "session/prepared_graph.hpp"
#include "session/sssp/prepared_sssp.hpp"

namespace wayfront::session {

namespace {

constexpr std::int64_t kSearches = 9;

LoadedGraph generate_graph(const job::Job& job, const std::string& graph, const std::string& weights)
{
    GraphOptions options;
    options.graph = graph;
    options.weights = weights;
    return load_graph(job, options, !weights.empty());
}

/// The first vertices that have edges.
template <typename Searches>
std::vector<Vertex> choose_sources(const Searches& searches, Vertex vertices)
{
    constexpr Vertex candidates = 64;
    std::vector<Vertex> all(static_cast<std::size_t>(std::min(vertices, candidates)));
    std::iota(all.begin(), all.end(), Vertex{0});
    const std::vector<bool> have_edges = searches.have_edges(all);
    std::vector<Vertex> sources;
    for (std::size_t i = 0; i < all.size() && sources.size() < static_cast<std::size_t>(kSearches); ++i)
        if (have_edges[i]) sources.push_back(all[i]);
    return sources;
}

/// The least seconds of a search from one of the sources.
template <typename Search>
double seconds_of_search(const std::vector<Vertex>& sources, Search&& search)
{
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    return least_seconds(sources.size(), unlimited, [&](std::size_t i) { search(sources[i]); });
}

}  // namespace

SearchTimes time_bfs(const job::Job& job, const std::string& graph, Engine engine)
{
    BfsRequest request;
    request.search.engine.engine = engine;
    request.searches = kSearches;
    PreparedGraph prepared;
    prepared.input = generate_graph(job, graph, "");
    const plan::ExpectedSearches expected = expected_searches(job, prepared.input, 1);
    const Clock::time_point begin = Clock::now();
    const auto searches = prepare_bfs_searches(job, request, asked_engine(job, request.search), prepared, nullptr);
    SearchTimes times;
    times.preparation_seconds = seconds_between(begin, Clock::now());
    times.search_seconds = seconds_of_search(choose_sources(*searches, expected.vertices), [&](Vertex source) {
        searches->run(source);
        static_cast<void>(searches->levels());  // copied from a GPU on demand
    });
    times.estimate = [expected, on_cores = engine == Engine::cpu](const plan::Rates& rates) {
        const plan::EngineTimes estimated = plan::bfs_times(rates, expected);
        return on_cores ? estimated.cores : estimated.gpus;
    };
    return times;
}

SearchTimes time_gpu_sssp(const job::Job& job, const std::string& graph, const std::string& weights)
{
    SsspRequest request;
    request.method.method = algo::SsspMethod::push_pull;
    request.method.engine.engine = Engine::gpu;
    request.searches = kSearches;
    PreparedGraph prepared;
    prepared.input = generate_graph(job, graph, weights);
    prepared.feed =
        std::make_unique<ListFeed>(prepared.input.list, choose_weight_type(job.world(), prepared.input.list));
    const plan::SsspCase searched = sssp_case(job, request.method, prepared.input, *prepared.feed, 1);
    const Clock::time_point begin = Clock::now();
    const auto searches = prepare_sssp_searches(job, request, asked_engine(job, request.method), prepared, nullptr);
    SearchTimes times;
    times.preparation_seconds = seconds_between(begin, Clock::now());
    times.search_seconds =
        seconds_of_search(choose_sources(*searches, prepared.input.list.vertex_count), [&](Vertex source) {
            searches->run(source);
            static_cast<void>(searches->result());  // copied from a GPU on demand
        });
    times.estimate = [searched](const plan::Rates& rates) { return plan::push_pull_seconds(rates.gpu, searched); };
    return times;
}

}  // namespace wayfront::session
