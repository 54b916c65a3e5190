// Measures breadth-first searches by the library, as a program of its caller would.
//
//     library_bfs GRAPH [SEARCHES]
//
// Prints the milliseconds of each call of Bfs::run() from the vertices 0, 1, ..., with the copies of
// its results; of those that reach a thousandth of the vertices. OMP_NUM_THREADS sets the number of
// threads. bench/python_package.py runs it in turn with the same searches from Python.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "base/phase.hpp"
#include "bench/program.hpp"
#include "wayfront/wayfront.hpp"

namespace {

using namespace wayfront;

void measure(const std::vector<std::string>& words)
{
    const Graph graph = Graph::load(words.at(0));
    const std::int64_t searches = words.size() > 1 ? std::stoll(words[1]) : 64;
    Bfs search(graph, {.engine = Engine::cpu});
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
