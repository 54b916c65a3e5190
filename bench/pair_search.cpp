// Measures shortest paths between random pairs of vertices, on one rank.
//
//     pair_search GRAPH PAIRS [ROUNDS [SECONDS]]
//
// With SECONDS, the time of a search of the whole graph, the vertices may be eliminated first.
// Prints the times of all rounds in milliseconds, each with other pairs and with their paths.
// OMP_NUM_THREADS sets the number of threads.
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "base/phase.hpp"
#include "bench/program.hpp"
#include "cpu/pairs/pair_searches.hpp"
#include "graph/construction.hpp"
#include "graph/io/graph_file.hpp"

namespace {

using namespace wayfront;

void measure(const std::vector<std::string>& words)
{
    const comm::Communicator alone = comm::Communicator::alone();
    const comm::ProcessGrid grid(alone, {1, 1});
    const DistributedGraph graph = [&] {
        const EdgeList list = read_graph(words[0]).list;
        return construct(grid, ListFeed(list, choose_weight_type(alone, list)));
    }();
    const auto start = Clock::now();
    const std::unique_ptr<cpu::PairSearches> searches = cpu::make_pair_searches(
        graph, {static_cast<std::size_t>(std::stoi(words[1])), words.size() > 3 ? std::stod(words[3]) : 0});
    std::cout << searches->description() << "\npreparation: " << seconds_between(start, Clock::now()) * 1000 << " ms\n";
    std::mt19937_64 random(1);
    const auto vertices = static_cast<std::uint64_t>(graph.partition.vertex_count());
    const auto draw = [&] { return static_cast<Vertex>(random() % vertices); };
    const int rounds = words.size() > 2 ? std::stoi(words[2]) : 5;
    for (int round = 0; round < rounds; ++round) {
        std::vector<algo::VertexPair> pairs(static_cast<std::size_t>(std::stoi(words[1])));
        for (algo::VertexPair& pair : pairs) pair = {draw(), draw()};
        const auto begin = Clock::now();
        const std::vector<algo::PairAnswer> answers = searches->answer(pairs, true);
        std::cout << "time: " << seconds_between(begin, Clock::now()) * 1000 << '\n';
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2 || words.size() > 4) {
        std::cerr << "usage: pair_search GRAPH PAIRS [ROUNDS [SECONDS]]\n";
        return static_cast<int>(ExitCode::bad_input);
    }
    return bench::run_program("pair_search", [&] { measure(words); });
}
