// usage: consumer GNUTELLA.zst
// Searches a ring of eight vertices through the installed library, on one rank, and checks the levels; then reads the compressed file, which takes
// the libraries that the package has to bring.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "algo/bfs/bfs_search.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "graph/io/graph_file.hpp"

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: consumer GNUTELLA.zst\n", stderr);
        return EXIT_FAILURE;
    }
    const wayfront::comm::Session session(argc, argv);
    const wayfront::comm::ProcessGrid grid(wayfront::comm::Communicator::self(), {1, 1});
    const auto ring = wayfront::make_edge_source("ring:8");
    const wayfront::SourceFeed feed(*ring, 0, 1);
    const wayfront::DistributedGraph graph = wayfront::construct(grid, feed);
    wayfront::cpu::CpuEngine engine(graph.block);
    wayfront::algo::BfsOptions options;
    options.levels = true;
    wayfront::algo::BfsSearch search(grid, graph, engine, options);
    const wayfront::algo::BfsResult& result = search.run(3);
    std::int32_t farthest = 0;
    for (const std::int32_t level : result.levels) farthest = level > farthest ? level : farthest;
    std::printf("reached %d vertices, the farthest in %d steps\n", static_cast<int>(result.reached), static_cast<int>(farthest));
    const wayfront::GraphShare file = wayfront::read_graph(argv[1]);
    std::printf("read %zu edges of %s\n", file.list.edges.size(), argv[1]);
    return result.reached == 8 && farthest == 4 && file.list.edges.size() == 2499 ? EXIT_SUCCESS : EXIT_FAILURE;
}
