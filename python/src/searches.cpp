// Searches from one source: breadth-first, and shortest paths.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

constexpr std::array<Word<PathAlgorithm>, 5> kAlgorithms{{{"auto", PathAlgorithm::automatic},
                                                          {"dijkstra", PathAlgorithm::dijkstra},
                                                          {"delta-stepping", PathAlgorithm::delta_stepping},
                                                          {"bellman-ford", PathAlgorithm::bellman_ford},
                                                          {"push-pull", PathAlgorithm::push_pull}}};

/// A Bfs or a ShortestPaths. Its object in Python keeps the graph, whose arrays searches may read.
template <typename Search>
struct PySearch
{
    Search search;
    std::shared_ptr<Turns> use;

    template <typename Options>
    static PySearch make(const PyGraph& graph, const Options& options)
    {
        return {without_gil(*graph.use, [&] { return Search(graph.graph, options); }), graph.use};
    }
};

/// The arrays of a result, and its figures before them.
nb::tuple tuple_of(BfsResult&& result)
{
    return nb::make_tuple(result.source, result.seconds, result.reached, array_of(std::move(result.parents)),
                          array_of(std::move(result.nearest)), result.depth, array_of(std::move(result.levels)));
}

/// The same of a result in GPU memory.
nb::tuple tuple_of(DeviceBfsResult&& result)
{
    return nb::make_tuple(result.source, result.seconds, result.reached, std::move(result.parents), result.depth,
                          std::move(result.levels));
}

/// Throws NegativeCycleError if the result has a cycle.
template <typename Result>
Result without_cycle(Result&& result)
{
    if (!result.negative_cycle.empty())
        throw NegativeCycleError("there are no shortest paths: the source " + std::to_string(result.source) +
                                     " reaches a cycle of negative length",
                                 std::move(result.negative_cycle));
    return std::move(result);
}

nb::tuple tuple_of(ShortestPathsResult&& result)
{
    return std::visit(
        [&](auto& distances) {
            return nb::make_tuple(result.source, result.seconds, result.reached, array_of(std::move(result.parents)),
                                  array_of(std::move(result.nearest)), array_of(std::move(distances)));
        },
        result.distances);
}

nb::tuple tuple_of(DeviceShortestPathsResult&& result)
{
    return nb::make_tuple(result.source, result.seconds, result.reached, std::move(result.parents),
                          std::move(result.distances));
}

/// An array of the caller for results, or none.
template <typename T>
using MaybeRow = std::optional<Row<T>>;

template <typename T>
std::span<T> elements(const MaybeRow<T>& row)
{
    return row ? std::span<T>(row->data(), row->size()) : std::span<T>();
}

/// Memory of the caller for distances of either type; one of them at most is given.
ShortestPathsArrays arrays_of(const MaybeRow<std::int64_t>& whole, const MaybeRow<double>& real,
                              const MaybeRow<Vertex>& parents)
{
    ShortestPathsArrays arrays{.parents = elements(parents)};
    if (whole) arrays.distances = elements(whole);
    if (real) arrays.distances = elements(real);
    return arrays;
}

/// A row of SciPy's matrices: floating-point distances, and predecessors, of which the source and
/// vertices that are not reached have none.
struct SciPyRow
{
    Row<double> distances;
    std::optional<Row<std::int32_t>> predecessors;

    /// Pre: the arrays have an element for each vertex. Vertices count from 0.
    void write(const ShortestPathsResult& result) const
    {
        std::visit(
            [this]<typename T>(const std::vector<T>& all) {
                std::ranges::transform(all, distances.data(), [](T distance) {
                    const bool none =
                        std::is_integral_v<T> && distance == static_cast<T>(ShortestPathsResult::kNoDistance);
                    return none ? std::numeric_limits<double>::infinity() : static_cast<double>(distance);
                });
            },
            result.distances);
        if (!predecessors) return;
        std::ranges::transform(result.parents, predecessors->data(), [](Vertex parent) {
            return parent == kNotReached ? kNoPredecessor : static_cast<std::int32_t>(parent);
        });
        predecessors->data()[result.source] = kNoPredecessor;
    }
    void require_length(Vertex vertices) const
    {
        if (std::cmp_not_equal(distances.size(), vertices) ||
            (predecessors && std::cmp_not_equal(predecessors->size(), vertices)))
            throw InputError("a row must have an element for each vertex");
    }
};

nb::dict engine_of(const EngineDescription& engine)
{
    nb::dict words;
    words["engine"] = engine.engine;
    words["transport"] = engine.transport;
    words["device"] = engine.device;
    words["grid"] = nb::make_tuple(engine.grid.rows, engine.grid.columns);
    return words;
}

/// Adds what both kinds of searches have.
template <typename Search, typename Options>
nb::class_<PySearch<Search>> bind_search(nb::module_& module, const char* name)
{
    using Self = PySearch<Search>;
    return nb::class_<Self>(module, name)
        .def(
            "__init__",
            [](Self* self, const PyGraph& graph, const Options& options) {
                new (self) Self(Self::make(graph, options));
            },
            nb::arg("graph"), nb::arg("options"))
        .def(
            "path",
            [](const Self& self, Vertex target) {
                return array_of(without_gil(*self.use, [&] { return self.search.path(target); }));
            },
            nb::arg("target"))
        .def(
            "run_on_device",
            [](Self& self, Vertex source) {
                return tuple_of(without_gil(*self.use, [&] {
                    if constexpr (std::is_same_v<Search, Bfs>)
                        return self.search.run_on_device(source);
                    else
                        return without_cycle(self.search.run_on_device(source));
                }));
            },
            nb::arg("source"))
        .def(
            "write",
            [](const Self& self, const std::string& path) { without_gil(*self.use, [&] { self.search.write(path); }); },
            nb::arg("path"))
        .def_prop_ro("engine", [](const Self& self) { return engine_of(self.search.engine()); });
}

}  // namespace

void bind_bfs(nb::module_& module)
{
    nb::class_<BfsOptions> bfs_options(module, "BfsOptions");
    bfs_options.def(nb::init<>()).def_rw("cpu_share", &BfsOptions::cpu_share, nb::arg().none());
    bind_common_options<BfsOptions>(bfs_options);
    bind_search<Bfs, BfsOptions>(module, "Bfs")
        .def(
            "run",
            [](PySearch<Bfs>& self, Vertex source, const MaybeRow<std::int32_t>& levels,
               const MaybeRow<Vertex>& parents) {
                const BfsArrays arrays{elements(levels), elements(parents)};
                return tuple_of(without_gil(*self.use, [&] { return self.search.run(source, arrays); }));
            },
            nb::arg("source"), nb::arg("levels").noconvert().none(), nb::arg("parents").noconvert().none())
        .def(
            "run_nearest",
            [](PySearch<Bfs>& self, const std::vector<Vertex>& sources) {
                return tuple_of(without_gil(*self.use, [&] { return self.search.run_nearest(sources); }));
            },
            nb::arg("sources"));
    module.def(
        "bfs",
        [](const PyGraph& graph, const BfsOptions& options, Vertex source, const MaybeRow<std::int32_t>& levels,
           const MaybeRow<Vertex>& parents) {
            const BfsArrays arrays{elements(levels), elements(parents)};
            return tuple_of(without_gil(*graph.use, [&] { return bfs(graph.graph, source, options, arrays); }));
        },
        nb::arg("graph"), nb::arg("options"), nb::arg("source"), nb::arg("levels").noconvert().none(),
        nb::arg("parents").noconvert().none());
}

void bind_shortest_paths(nb::module_& module)
{
    nb::class_<ShortestPathsOptions> paths_options(module, "ShortestPathsOptions");
    paths_options.def(nb::init<>())
        .def_prop_rw(
            "algorithm", [](const ShortestPathsOptions& self) { return word_of(self.algorithm, kAlgorithms); },
            [](ShortestPathsOptions& self, std::string_view word) {
                self.algorithm = enumerator("algorithm", word, kAlgorithms);
            })
        .def_rw("delta", &ShortestPathsOptions::delta, nb::arg().none());
    bind_common_options<ShortestPathsOptions>(paths_options);
    bind_search<ShortestPaths, ShortestPathsOptions>(module, "ShortestPaths")
        .def(
            "run",
            [](PySearch<ShortestPaths>& self, Vertex source, const MaybeRow<std::int64_t>& whole,
               const MaybeRow<double>& real, const MaybeRow<Vertex>& parents) {
                const ShortestPathsArrays arrays = arrays_of(whole, real, parents);
                return tuple_of(without_gil(*self.use, [&] { return without_cycle(self.search.run(source, arrays)); }));
            },
            nb::arg("source"), nb::arg("whole").noconvert().none(), nb::arg("real").noconvert().none(),
            nb::arg("parents").noconvert().none())
        .def(
            "run_nearest",
            [](PySearch<ShortestPaths>& self, const std::vector<Vertex>& sources) {
                return tuple_of(
                    without_gil(*self.use, [&] { return without_cycle(self.search.run_nearest(sources)); }));
            },
            nb::arg("sources"))
        .def(
            "run_row",
            [](PySearch<ShortestPaths>& self, Vertex source, const SciPyRow& row) {
                without_gil(*self.use, [&] { row.write(without_cycle(self.search.run(source))); });
            },
            nb::arg("source"), nb::arg("row"))
        .def_prop_ro("algorithm", [](const PySearch<ShortestPaths>& self) { return self.search.algorithm(); });
    module.def(
        "shortest_paths",
        [](const PyGraph& graph, const ShortestPathsOptions& options, Vertex source,
           const MaybeRow<std::int64_t>& whole, const MaybeRow<double>& real, const MaybeRow<Vertex>& parents) {
            const ShortestPathsArrays arrays = arrays_of(whole, real, parents);
            return tuple_of(without_gil(
                *graph.use, [&] { return without_cycle(shortest_paths(graph.graph, source, options, arrays)); }));
        },
        nb::arg("graph"), nb::arg("options"), nb::arg("source"), nb::arg("whole").noconvert().none(),
        nb::arg("real").noconvert().none(), nb::arg("parents").noconvert().none());
    nb::class_<SciPyRow>(module, "SciPyRow")
        .def(
            "__init__",
            [](SciPyRow* self, const PyGraph& graph, Row<double> distances,
               std::optional<Row<std::int32_t>> predecessors) {
                SciPyRow row{std::move(distances), std::move(predecessors)};
                row.require_length(graph.graph.vertex_count());
                new (self) SciPyRow(std::move(row));
            },
            nb::arg("graph"), nb::arg("distances").noconvert(), nb::arg("predecessors").noconvert().none());
    module.def(
        "shortest_paths_row",
        [](const PyGraph& graph, const ShortestPathsOptions& options, Vertex source, const SciPyRow& row) {
            without_gil(*graph.use, [&] { row.write(without_cycle(shortest_paths(graph.graph, source, options))); });
        },
        nb::arg("graph"), nb::arg("options"), nb::arg("source"), nb::arg("row"));
}

}  // namespace wayfront::python
