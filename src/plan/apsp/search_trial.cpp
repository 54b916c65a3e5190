#include "plan/apsp/search_trial.hpp"

#include <memory>
#include <span>
#include <vector>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/summary.hpp"
#include "base/phase.hpp"

namespace wayfront::plan {

bool is_worth_search_trial(const ApspCase& asked)
{
    constexpr std::size_t least_searches_of_thread = 128;
    const auto threads = static_cast<std::size_t>(asked.machine.threads_of_rank);
    return asked.ranks() == 1 && asked.work.source_list.size() >= least_searches_of_thread * threads;
}

double measured_search_seconds(const ApspCase& asked, const ApspOffer& offer)
{
    constexpr std::size_t rounds = 4;  // threads take a while to wake up
    const auto threads = static_cast<std::size_t>(asked.machine.threads_of_rank);
    // Evenly spaced, since vertices that are near in the input may be in one part of the graph.
    const std::size_t count = rounds * threads;
    const std::size_t step = asked.work.source_list.size() / count;
    std::vector<Vertex> sources;
    for (std::size_t i = 0; i < count; ++i) sources.push_back(asked.work.source_list[i * step]);

    const EnginePlan on_cores;
    const std::unique_ptr<algo::RowProducer> rows = offer.make(
        asked.work, asked.graph, {.world = asked.job.world(), .engine = on_cores, .ranks = {}, .listener = nullptr});
    algo::Summary summary(count, asked.distances.whole);
    const auto search = [&](std::span<const Vertex> from) {
        const Clock::time_point begin = Clock::now();
        rows->summarise(0, from, summary);
        return seconds_between(begin, Clock::now());
    };
    search(std::span(sources).first(threads));  // touches the memory of each thread
    return search(sources) / rounds;
}

}  // namespace wayfront::plan
