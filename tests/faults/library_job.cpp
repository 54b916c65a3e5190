// A program that uses the library as docs/library.md describes it, for tests in which an allocation
// of the library fails; it allocates nothing itself. After an error it searches once more with the
// same objects, which must find the right results or throw.
//
// Exit code 0: all results were right; 1: one was wrong; otherwise the code of the first error.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <numeric>
#include <utility>
#include <variant>

#include "wayfront/wayfront.hpp"

namespace {

constexpr wayfront::Vertex kVertices = 300;

/// Searches a cycle from vertex 7. The distances in a cycle of an even number n sum up to n * n / 4.
constexpr std::int64_t kRightSum = kVertices * kVertices / 4;

int code_of_first_error = 0;

/// Whether f() throws an error of the library, which is printed.
bool fails(const std::function<void()>& f)
{
    try {
        f();
        return false;
    } catch (const wayfront::Error& error) {
        std::fprintf(stderr, "wayfront: error: %s\n", error.what());
        if (code_of_first_error == 0) code_of_first_error = static_cast<int>(error.code());
        return true;
    }
}

void expect_right(std::int64_t sum)
{
    if (sum == kRightSum) return;
    std::fprintf(stderr, "wrong: %lld\n", static_cast<long long>(sum));
    std::exit(EXIT_FAILURE);
}

void expect_hops(wayfront::Bfs& search)
{
    const wayfront::BfsResult result = search.run(7);
    expect_right(std::accumulate(result.levels.begin(), result.levels.end(), std::int64_t{0}));
}

void expect_distances(wayfront::ShortestPaths& search)
{
    const wayfront::ShortestPathsResult result = search.run(7);
    std::visit(
        [](const auto& distances) {
            expect_right(static_cast<std::int64_t>(std::accumulate(distances.begin(), distances.end(), 0.0)));
        },
        result.distances);
}

void expect_rows(wayfront::AllPairs& pairs)
{
    double sum = 0;
    pairs.rows([&sum](const wayfront::DistanceRows& rows) {
        for (std::size_t row = 0; row < rows.sources.size(); ++row)
            for (std::size_t v = 0; rows.sources[row] == 7 && v < rows.columns; ++v) sum += rows.distance(row, v);
    });
    expect_right(static_cast<std::int64_t>(sum));
    expect_right(static_cast<std::int64_t>(pairs.summary().diameter * pairs.summary().diameter));
}

void use_library()
{
    std::array<std::pair<wayfront::Vertex, wayfront::Vertex>, kVertices> edges;
    for (wayfront::Vertex vertex = 0; vertex < kVertices; ++vertex)
        edges[static_cast<std::size_t>(vertex)] = {vertex, (vertex + 1) % kVertices};
    const wayfront::Graph graph =
        wayfront::Graph::from_edges(kVertices, edges, {.direction = wayfront::EdgeDirection::undirected});

    wayfront::Bfs hops(graph, {.engine = wayfront::Engine::cpu});
    if (fails([&] { expect_hops(hops); })) fails([&] { expect_hops(hops); });
    for (const wayfront::PathAlgorithm algorithm :
         {wayfront::PathAlgorithm::dijkstra, wayfront::PathAlgorithm::delta_stepping,
          wayfront::PathAlgorithm::push_pull, wayfront::PathAlgorithm::bellman_ford}) {
        wayfront::ShortestPaths paths(graph, {.algorithm = algorithm, .engine = wayfront::Engine::cpu});
        if (fails([&] { expect_distances(paths); })) fails([&] { expect_distances(paths); });
    }
    for (const char* const algorithm : {"bit-parallel", "dijkstra", "floyd-warshall"}) {
        wayfront::AllPairs pairs(graph,
                                 {.algorithm = algorithm, .engine = wayfront::Engine::cpu, .predecessors = true});
        if (fails([&] { expect_rows(pairs); })) fails([&] { expect_rows(pairs); });
    }
}

}  // namespace

int main()
{
    try {
        fails(use_library);
    } catch (const std::bad_alloc&) {
        std::fputs("wayfront: error: std::bad_alloc left the library\n", stderr);
        return EXIT_FAILURE;
    }
    return code_of_first_error;
}
