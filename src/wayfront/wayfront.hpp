// wayfront as a library: loads or generates a graph, searches it, and returns levels or distances,
// and parents; or computes the distances between all pairs.
//
//     const wayfront::Graph graph = wayfront::Graph::load("roads.gr");
//     const wayfront::BfsResult hops = wayfront::bfs(graph, 1);
//     const wayfront::ShortestPathsResult ways = wayfront::shortest_paths(graph, 1);
//
// docs/library.md has a complete program.
//
// Ranks. If the caller has initialised MPI, a graph is distributed over the ranks of
// MPI_COMM_WORLD, or of the communicator that LoadOptions names, and every function marked
// "collective" is called by all of these ranks, with equal arguments and in the same order; so are
// the constructors and destructors of Graph, Bfs, ShortestPaths and AllPairs. MPI_THREAD_FUNNELED suffices.
// If MPI has not been initialised, or has been finalised, the calling process is the only rank.
// wayfront neither initialises nor finalises MPI, and its messages travel over communicators of its
// own.
//
// Threads. A graph and its searches are used by one thread at a time; with several ranks, by the
// thread that initialised MPI. The number of OpenMP threads of the calling thread is restored when
// a call returns. A search on a GPU makes this GPU the calling thread's current CUDA device.
//
// Errors. Failures are exceptions (base/error.hpp); Error::code() is the exit code that the program
// `wayfront` would end with:
//
//     InputError     2  bad arguments, or a malformed graph file
//     ResourceError  3  not enough memory or disk space, no usable GPU, a failure of MPI
//     ResultError    1  a result that failed its validation, a cycle of negative length
//                       (NegativeCycleError), or a defect of wayfront
//     RankFailure       thrown on one of several ranks only, with the code of its cause
//
// The first three are thrown on all ranks together, and the job may go on. Messages name options as
// the program does: "--transport nccl: ...". Without LoadOptions::watch_ranks, the library does not
// print and does not end the process. Its only global state is a handler of SIGBUS, installed when it first reads a
// file, for files that are cut short while they are read.
//
// A Graph, a Bfs, a ShortestPaths or an AllPairs that was moved from can be destroyed or assigned;
// its functions throw InputError. So does the function run() of a Bfs or a ShortestPaths after a
// search that failed in its middle, for example since memory ran out.
//
// A rank that dies. The other ranks wait for its messages until the launcher ends the job, as
// mpirun does. Kernels of GPUs that search together wait for each other, too, and a waiting kernel
// ends only with its process. With LoadOptions::watch_ranks, ranks end themselves in this case.
#pragma once

#include "base/error.hpp"
#include "plan/engine.hpp"
#include "wayfront/all_pairs.hpp"
#include "wayfront/bfs.hpp"
#include "wayfront/graph.hpp"
#include "wayfront/search.hpp"
#include "wayfront/shortest_paths.hpp"
