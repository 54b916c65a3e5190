// The life of this process: OpenMP's threads do not survive a fork.
#include <atomic>

#include <pthread.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

std::atomic<bool> has_threads = false;
std::atomic<bool> lost_threads = false;

void after_fork_in_child()
{
    lost_threads = lost_threads || has_threads;
}

}  // namespace

void watch_forks()
{
    static_cast<void>(::pthread_atfork(nullptr, nullptr, after_fork_in_child));
}

void require_own_threads()
{
    if (lost_threads)
        throw ResourceError(
            "this process was forked from one whose threads wayfront uses; start processes by 'spawn' or "
            "'forkserver' (multiprocessing.get_context), or let one thread work before the fork (threads=1)");
}

PyGraph with_threads(Graph graph, nb::object arrays)
{
    if (graph.threads() > 1) has_threads = true;
    return {std::move(graph), std::move(arrays)};
}

}  // namespace wayfront::python
