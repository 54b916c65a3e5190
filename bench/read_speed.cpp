// Measures how long it takes to read a graph file, from its path to the edge list in memory.
//
//     read_speed FILE [THREADS]
//
// Prints the edges, the threads and the seconds. To be compared with `wc -l` on the same file,
// since both read its bytes once: bench/side_by_side.py runs them in turn.
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include <omp.h>

#include "base/error.hpp"
#include "bench/program.hpp"
#include "graph/io/graph_file.hpp"

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words.size() > 2) {
        std::cerr << "usage: read_speed FILE [THREADS]\n";
        return static_cast<int>(wayfront::ExitCode::bad_input);
    }
    return wayfront::bench::run_program("read_speed", [&] {
        const int threads = words.size() > 1 ? std::stoi(words[1]) : omp_get_max_threads();
        const auto start = std::chrono::steady_clock::now();
        const wayfront::GraphShare graph = wayfront::read_graph(words[0], {}, threads);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        std::cout << "edges: " << graph.list.edges.size() << "\nthreads: " << threads
                  << "\nseconds: " << seconds.count() << '\n';
    });
}
