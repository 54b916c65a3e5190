// The life of this process: OpenMP's threads do not survive a fork, threads of Python take turns, and Ctrl-C ends long
// work.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include <nanobind/stl/string_view.h>
#include <pthread.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

/// The turns that this thread has.
thread_local int turns_of_thread = 0;

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

void note_threads(int threads)
{
    if (threads > 1) has_threads = true;
}

void Turns::lock()
{
    if (turns_of_thread == 0) return lock_in_order();
    if (holder_ == std::this_thread::get_id())
        throw std::runtime_error(
            "the graph is in use by the call that runs this callback: search it after the call, or load it again");
    if (!mutex_.try_lock())
        throw std::runtime_error(
            "another thread uses the graph, for which a callback cannot wait: search it after the call, or load it "
            "again");
    note_turn();
}

void Turns::lock_in_order()
{
    if (!mutex_.try_lock()) {
        const auto waited = [this] {
            const nb::gil_scoped_release released;
            return mutex_.try_lock_for(std::chrono::milliseconds(50));
        };
        while (!waited())
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    note_turn();
}

void Turns::note_turn()
{
    holder_ = std::this_thread::get_id();
    ++turns_of_thread;
}

void Turns::unlock()
{
    --turns_of_thread;
    holder_ = std::thread::id();
    mutex_.unlock();
}

bool has_turn()
{
    return turns_of_thread > 0;
}

PyGraph with_threads(Graph graph, nb::object arrays)
{
    note_threads(graph.threads());
    return {std::move(graph), std::move(arrays)};
}

OnProgress progress_of(nb::object callback)
{
    // The library copies and destroys the function without Python's lock.
    const std::shared_ptr<nb::object> kept(new nb::object(std::move(callback)), [](const nb::object* object) {
        const nb::gil_scoped_acquire gil;
        delete object;
    });
    return [kept](std::string_view step, std::uint64_t done, std::uint64_t total) {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!kept->is_none()) (*kept)(step, done, total);
    };
}

OnProgress progress_of(nb::object callback, const Graph& graph)
{
    if (callback.is_none() && graph.ranks() > 1) return {};
    return progress_of(std::move(callback));
}

}  // namespace wayfront::python
