// Measures searches for shortest paths on one rank.
//
//     sssp_search GRAPH METHOD [SEARCHES [DELTA [SOURCES]]]
//
// METHOD is auto, dijkstra or delta-stepping; DELTA is auto or a number. The sources are random
// vertices with edges; with SOURCES, each search starts from so many of them, and finds the nearest
// one of each vertex. Prints
// the times of all searches in milliseconds, with the writing of their results, and counts of their
// work. OMP_NUM_THREADS sets the number of threads. bench/side_by_side.py runs it in turn with
// other programs.
#include "algo/sssp/sssp_search.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/phase.hpp"
#include "bench/program.hpp"
#include "cpu/sssp/one_rank_search.hpp"
#include "graph/construction.hpp"
#include "graph/io/graph_file.hpp"

namespace {

using namespace wayfront;

algo::SsspMethod method_of(const std::string& name)
{
    if (name == "dijkstra") return algo::SsspMethod::dijkstra;
    if (name == "delta-stepping") return algo::SsspMethod::delta_stepping;
    if (name == "auto") return algo::SsspMethod::automatic;
    throw InputError("there is no method " + name);
}

void measure(const std::vector<std::string>& words)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    const DistributedGraph graph = [&] {
        const EdgeList list = read_graph(words[0]).list;
        return construct(grid, ListFeed(list, choose_weight_type(alone, list)));
    }();
    algo::SsspOptions options;
    options.method = method_of(words[1]);
    PhaseLog log;
    options.log = &log;
    const int searches = words.size() > 2 ? std::stoi(words[2]) : 20;
    if (words.size() > 3 && words[3] != "auto") options.delta = std::stod(words[3]);
    const int sources = words.size() > 4 ? std::stoi(words[4]) : 0;
    const auto start = Clock::now();
    const std::unique_ptr<algo::SsspSearch> search = cpu::make_one_rank_search(graph, options);
    std::cout << "preparation: " << seconds_between(start, Clock::now()) * 1000 << " ms\n"
              << search->description() << '\n';

    std::mt19937_64 random(1);
    std::vector<double> times;
    algo::SsspCounters counters;
    const auto random_source = [&] {
        Vertex source = 0;
        do source = static_cast<Vertex>(random() % static_cast<std::uint64_t>(graph.partition.vertex_count()));
        while (graph.slot_of_local[static_cast<std::size_t>(source)] == graph.block.slot_stride);
        return source;
    };
    for (int i = 0; i < searches; ++i) {
        std::set<Vertex> several;
        while (several.size() < static_cast<std::size_t>(std::max(sources, 1))) several.insert(random_source());
        const std::vector<Vertex> chosen(several.begin(), several.end());
        const auto begin = Clock::now();
        if (sources > 0)
            search->run_nearest(chosen);
        else
            search->run(chosen.front());
        times.push_back(seconds_between(begin, Clock::now()) * 1000);
        counters.rounds += search->result().counters.rounds;
        counters.relaxed_arcs += search->result().counters.relaxed_arcs;
    }
    std::ranges::sort(times);
    for (const double time : times) std::cout << "time: " << time << '\n';
    std::cout << "minimum: " << times.front() << "\nmedian: " << times[times.size() / 2]
              << "\nrounds: " << counters.rounds / static_cast<std::uint64_t>(searches) << "\nrelaxed arcs per arc: "
              << static_cast<double>(counters.relaxed_arcs) / searches / static_cast<double>(graph.directed_edges)
              << '\n';
    std::map<std::string_view, double> phases;
    for (const Span& span : log.spans()) phases[span.name] += span.seconds() * 1000 / searches;
    for (const auto& [name, time] : phases) std::cout << "mean of " << name << ": " << time << '\n';
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2 || words.size() > 5) {
        std::cerr << "usage: sssp_search GRAPH METHOD [SEARCHES [DELTA [SOURCES]]]\n";
        return static_cast<int>(ExitCode::bad_input);
    }
    return bench::run_program("sssp_search", [&] { measure(words); });
}
