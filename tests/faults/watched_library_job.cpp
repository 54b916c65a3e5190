// A program of several ranks that search without end over the library, whose ranks watch each other.
#include <cstdio>

#include <mpi.h>

#include "wayfront/wayfront.hpp"

int main(int argc, char** argv)
{
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    wayfront::Bfs search(wayfront::Graph::load("kron:14", {.threads = 1, .watch_ranks = true}),
                         {.engine = wayfront::Engine::cpu});
    std::puts("construction");
    std::fflush(stdout);
    while (search.run(1).reached > 0) {
    }
    MPI_Finalize();
}
