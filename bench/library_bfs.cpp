// Measures breadth-first searches by the library, as a program of its caller would.
//
//     library_bfs GRAPH [SEARCHES [SOURCES]]
//
// Prints the milliseconds of each call of Bfs::run() from the vertices 0, 1, ..., with the copies of
// its results; of those that reach a thousandth of the vertices. With SOURCES, each search starts
// from so many random vertices, finds the nearest one of each vertex if there are several, and its
// time is printed without the copies. OMP_NUM_THREADS sets the number of threads.
// bench/python_package.py runs it in turn with the same searches from Python.
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "base/phase.hpp"
#include "bench/program.hpp"
#include "wayfront/wayfront.hpp"

namespace {

using namespace wayfront;

/// Searches from `sources` random vertices at once.
void measure_random(Bfs& search, const Graph& graph, std::int64_t searches, std::size_t sources)
{
    std::mt19937_64 random(1);
    for (std::int64_t i = 0; i < searches; ++i) {
        std::vector<Vertex> chosen(sources);
        for (Vertex& source : chosen)
            source =
                graph.first_vertex() + static_cast<Vertex>(random() % static_cast<std::uint64_t>(graph.vertex_count()));
        const BfsResult result = sources == 1 ? search.run(chosen.front()) : search.run_nearest(chosen);
        std::cout << result.seconds * 1000 << '\n';
    }
}

void measure(const std::vector<std::string>& words)
{
    const Graph graph = Graph::load(words.at(0));
    const std::int64_t searches = words.size() > 1 ? std::stoll(words[1]) : 64;
    Bfs search(graph, {.engine = Engine::cpu});
    if (words.size() > 2) {
        measure_random(search, graph, searches, std::stoull(words[2]));
        return;
    }
    for (std::int64_t source = 0, done = 0; done < searches && source < graph.vertex_count(); ++source) {
        const Clock::time_point begin = Clock::now();
        const BfsResult result = search.run(graph.first_vertex() + source);
        const double seconds = seconds_between(begin, Clock::now());
        if (result.reached < graph.vertex_count() / 1000) continue;
        std::cout << seconds * 1000 << '\n';
        ++done;
    }
}

}  // namespace

int main(int argc, char** argv)
{
    return bench::run_program("library_bfs", [&] { measure(std::vector<std::string>(argv + 1, argv + argc)); });
}
