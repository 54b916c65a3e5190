// What the parts of the extension module share: calls into the library without Python's lock, arrays
// that own their memory, and words for enumerators.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "wayfront/wayfront.hpp"

namespace wayfront::python {

namespace nb = nanobind;

/// A one-dimensional array of the caller, of any type, in consecutive memory.
using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// An array of the caller into which results are written.
template <typename T>
using Row = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// What SciPy's matrices of predecessors have if there is none.
inline constexpr std::int32_t kNoPredecessor = -9999;

/// Whose turn it is to use a graph and its searches: several threads of Python may.
class Turns
{
public:
    /// Waits for a turn of the calling thread. Called with Python's lock, without which it waits, so that Ctrl-C
    /// ends the wait of the main thread. A thread that has a turn is in a callback: it does not wait, so that no two
    /// threads wait for each other, but throws std::runtime_error if the graph is in use.
    void lock();
    /// The same, but also a thread that has turns waits. Pre: it has them of Turns before these in an order that all
    /// threads follow, and is in no callback.
    void lock_in_order();
    void unlock();

private:
    void note_turn();

    std::timed_mutex mutex_;
    std::atomic<std::thread::id> holder_{};
};

/// Whether the calling thread has a turn: it is in a callback then.
[[nodiscard]] bool has_turn();

/// A graph, and what its views need.
struct PyGraph
{
    Graph graph;
    nb::object arrays;  // owns the memory of a view
    std::shared_ptr<Turns> use = std::make_shared<Turns>();
};

/// Notes forks of this process from now on.
void watch_forks();
/// Throws ResourceError if this process was forked from one with threads of OpenMP, for which each
/// search would wait for ever.
void require_own_threads();
/// Notes that OpenMP has made threads in this process, if a call used more than one.
void note_threads(int threads);
/// A graph that was made, with the arrays of its view.
PyGraph with_threads(Graph graph, nb::object arrays);

/// Returns f(), during which other threads of Python run, except those that use the same graph.
template <typename F>
auto without_gil(Turns& use, F&& f)
{
    require_own_threads();
    std::unique_lock<Turns> turn(use);
    const nb::gil_scoped_release released;
    const std::unique_lock<Turns> held = std::move(turn);  // ends before Python's lock is waited for
    return std::forward<F>(f)();
}

/// A function for the library that calls `callback`(step, done, total), unless it is None, and lets Ctrl-C
/// end the work. Called with Python's lock.
OnProgress progress_of(nb::object callback);
/// The same; empty if the work is that of several ranks and there is no callback: these do not end at
/// Ctrl-C, which one of them may get alone.
OnProgress progress_of(nb::object callback, const Graph& graph);

/// A NumPy array of one dimension that owns its elements.
template <typename T>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

/// A NumPy array of the vector's elements, which it takes over without a copy.
template <typename T>
Array<T> array_of(std::vector<T>&& values)
{
    auto held = std::make_unique<std::vector<T>>(std::move(values));
    T* const data = held->data();
    const std::size_t size = held->size();
    const nb::capsule owner(held.release(), [](void* all) noexcept { delete static_cast<std::vector<T>*>(all); });
    return Array<T>(data, {size}, owner);
}

template <typename Enum>
struct Word
{
    const char* word;
    Enum value;
};

/// The enumerator that a word of the caller means. Throws InputError.
template <typename Enum, std::size_t N>
Enum enumerator(const char* name, std::string_view word, const std::array<Word<Enum>, N>& words)
{
    std::string expected;
    for (const Word<Enum>& each : words) {
        if (word == each.word) return each.value;
        expected += expected.empty() ? "" : ", ";
        expected += each.word;
    }
    throw InputError(std::string(name) + ": expected one of " + expected + ", found '" + std::string(word) + "'");
}

/// The word of an enumerator.
template <typename Enum, std::size_t N>
const char* word_of(Enum value, const std::array<Word<Enum>, N>& words)
{
    for (const Word<Enum>& each : words)
        if (value == each.value) return each.word;
    return "";
}

inline constexpr std::array<Word<Engine>, 4> kEngines{
    {{"auto", Engine::automatic}, {"cpu", Engine::cpu}, {"gpu", Engine::gpu}, {"split", Engine::split}}};
inline constexpr std::array<Word<Transport>, 5> kTransports{{{"auto", Transport::automatic},
                                                             {"p2p", Transport::p2p},
                                                             {"nccl", Transport::nccl},
                                                             {"mpi", Transport::mpi},
                                                             {"host", Transport::host}}};

/// The rows and columns of a grid of ranks.
using GridPair = std::optional<std::pair<int, int>>;

inline std::optional<Grid> grid_of(const GridPair& grid)
{
    if (!grid) return std::nullopt;
    return Grid{grid->first, grid->second};
}

inline GridPair pair_of(const std::optional<Grid>& grid)
{
    if (!grid) return std::nullopt;
    return std::pair(grid->rows, grid->columns);
}

/// Adds the words for the options that searches of both kinds have.
template <typename Options, typename Class>
void bind_common_options(Class& options)
{
    options
        .def_prop_rw(
            "engine", [](const Options& self) { return word_of(self.engine, kEngines); },
            [](Options& self, std::string_view word) { self.engine = enumerator("engine", word, kEngines); })
        .def_prop_rw(
            "transport", [](const Options& self) { return word_of(self.transport, kTransports); },
            [](Options& self, std::string_view word) { self.transport = enumerator("transport", word, kTransports); })
        .def_prop_rw(
            "grid", [](const Options& self) { return pair_of(self.grid); },
            [](Options& self, const GridPair& grid) { self.grid = grid_of(grid); }, nb::arg().none())
        .def_rw("cutoff", &Options::cutoff, nb::arg().none())
        .def_rw("deterministic", &Options::deterministic)
        .def_rw("validate", &Options::validate)
        .def_rw("gather", &Options::gather);
}

/// Python's exception for one of the library, wayfront._errors. Throws other exceptions again.
nb::object error_object(const std::exception_ptr& thrown);
/// The figures by the names of wayfront._all_pairs.AllPairsSummary. Takes over the lists.
nb::dict figures_of(AllPairsSummary& found);

void bind_errors();
void bind_graph500(nb::module_& module);
void bind_pairs(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_bfs(nb::module_& module);
void bind_shortest_paths(nb::module_& module);
void bind_all_pairs(nb::module_& module);
void bind_many_graphs(nb::module_& module);
void bind_trees(nb::module_& module);

}  // namespace wayfront::python
