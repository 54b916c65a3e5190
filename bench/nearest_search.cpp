// Measures searches for the nearest of several sources beside searches from one source, by the library.
//
//     nearest_search bfs|sssp GRAPH cpu|gpu [SOURCES [SEARCHES]]
//
// Prepares the searches once, runs one of each kind untimed, and then SEARCHES (15) of each in turn, from
// random vertices: one, or SOURCES (1000). Prints the seconds of the searches as `run` returns them, without
// the copies of their results: the medians in milliseconds, and their quotient.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "bench/program.hpp"
#include "wayfront/wayfront.hpp"

namespace {

using namespace wayfront;

/// Limit of searches from one source until one reaches a thousandth of the vertices.
constexpr int kMostTrials = 100;

double median(std::vector<double> times)
{
    std::ranges::sort(times);
    return times[times.size() / 2];
}

template <typename Search>
void measure(Search&& search, const Graph& graph, std::size_t sources, std::size_t searches)
{
    std::mt19937_64 random(1);
    std::vector<double> one;
    std::vector<double> several;
    const auto random_vertex = [&] {
        return graph.first_vertex() + static_cast<Vertex>(random() % static_cast<std::uint64_t>(graph.vertex_count()));
    };
    for (std::size_t i = 0; i <= searches; ++i) {
        std::vector<Vertex> chosen(sources);
        std::ranges::generate(chosen, random_vertex);
        // In a Kronecker graph, half of the vertices have no edges.
        auto from_one = search.run(chosen.front());
        for (int trial = 0; trial < kMostTrials && from_one.reached < graph.vertex_count() / 1000; ++trial)
            from_one = search.run(random_vertex());
        const auto nearest = search.run_nearest(chosen);
        if (i == 0) continue;
        one.push_back(from_one.seconds * 1000);
        several.push_back(nearest.seconds * 1000);
    }
    std::cout << "engine: " << search.engine().engine << ' ' << search.engine().device
              << "\none source: " << median(one) << " ms\nnearest of " << sources << ": " << median(several)
              << " ms\nquotient: " << median(several) / median(one) << '\n';
}

void measure(const std::vector<std::string>& words)
{
    if (words.size() < 3) throw InputError("usage: nearest_search bfs|sssp GRAPH cpu|gpu [SOURCES [SEARCHES]]");
    Graph graph = Graph::load(words[1]);
    const Graph facts = graph;
    const Engine engine = words[2] == "gpu" ? Engine::gpu : Engine::cpu;
    const std::size_t sources = words.size() > 3 ? std::stoull(words[3]) : 1000;
    const std::size_t searches = words.size() > 4 ? std::stoull(words[4]) : 15;
    if (facts.vertex_count() == 0 || sources == 0 || searches == 0)
        throw InputError("expected a graph with vertices, and at least one source and one search");
    if (words[0] == "bfs")
        measure(Bfs(std::move(graph), {.engine = engine}), facts, sources, searches);
    else
        measure(ShortestPaths(std::move(graph), {.engine = engine}), facts, sources, searches);
}

}  // namespace

int main(int argc, char** argv)
{
    return bench::run_program("nearest_search", [&] { measure(std::vector<std::string>(argv + 1, argv + argc)); });
}
