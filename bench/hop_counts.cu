// Measures counts of numbers of edges between all pairs by one or several ranks, each on a GPU: in
// the random graph of degree 10 that papers_apsp measures on one.
//
//     mpirun -n RANKS hop_counts [VERTICES [RUNS]]
//
// VERTICES is 65536 and RUNS 50 by default. Prints one JSON object. A run counts for all vertices
// and ends if each rank has the facts of its part of the vertices in host memory; ranks begin it
// together. The time is the slowest rank's mean over consecutive runs, after one that is not
// counted.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/phase.hpp"
#include "bench/graphs.hpp"
#include "bench/program.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "comm/session.hpp"
#include "gpu/apsp/hops/bit_parallel.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/stream.hpp"
#include "graph/construction.hpp"

namespace {

using namespace wayfront;

void run(std::int64_t vertices, int runs)
{
    const comm::Communicator world = comm::Communicator::world();
    const std::string device = gpu::use_device(world.split_by_host().rank() % std::max(gpu::device_count(), 1));
    const comm::ProcessGrid alone(comm::Communicator::self(), {1, 1});
    EdgeList list = bench::random_graph(vertices, 5 * vertices, 1);
    list.directed = false;
    const DistributedGraph graph = construct(alone, ListFeed(list, WeightType::none));

    const gpu::Stream stream;
    gpu::apsp::BitParallelSearch search(graph, {.plan = {}, .ranks = &world});
    std::vector<std::uint32_t> sources(static_cast<std::size_t>(vertices));
    std::iota(sources.begin(), sources.end(), 0U);
    const auto on_device = gpu::upload(std::span<const std::uint32_t>(sources), stream);
    const bool suits = world.size() > 1 ? search.can_count_together(sources.size()) : search.count_plan().has_value();
    if (!suits || runs < 1)
        throw InputError("these ranks cannot count the numbers of edges of this graph at once, or RUNS is 0");
    gpu::apsp::BitParallelSearch::Found found;
    const auto count = [&] {
        found = world.size() > 1 ? search.count_together(on_device.data(), sources.size(), stream)
                                 : search.count(on_device.data(), sources.size(), stream);
    };
    count();
    world.barrier();
    const auto begin = Clock::now();
    for (int i = 0; i < runs; ++i) count();
    const double seconds = world.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max);

    std::uint64_t own_pairs = 0;
    std::uint64_t own_sum = 0;
    for (const gpu::apsp::HopFacts& facts : found.facts) {
        own_pairs += facts.reached;
        own_sum += facts.sum;
    }
    const std::uint64_t pairs = world.all_reduce(own_pairs, comm::Reduction::sum);
    const std::uint64_t sum = world.all_reduce(own_sum, comm::Reduction::sum);
    if (world.rank() != 0) return;
    const gpu::apsp::HopPlan plan = search.count_plan().value();
    const nlohmann::ordered_json facts = {
        {"device", device},
        {"ranks", world.size()},
        {"vertices", vertices},
        {"degree", 10},
        {"runs", runs},
        {"ms", seconds * 1000 / runs},
        {"searches_only", plan.searches_only},
        {"first_depth", plan.first_depth},
        {"last_depth", plan.last_depth},
        {"pairs", pairs},
        {"average_shortest_path_length", static_cast<double>(sum) / static_cast<double>(pairs)}};
    std::printf("%s\n", facts.dump(1).c_str());
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc > 3) {
        std::fprintf(stderr, "usage: hop_counts [VERTICES [RUNS]]\n");
        return 2;
    }
    return bench::run_program("hop_counts", [&] {
        const comm::Session session(argc, argv);
        run(argc > 1 ? std::stoll(argv[1]) : 65536, argc > 2 ? std::stoi(argv[2]) : 50);
    });
}
