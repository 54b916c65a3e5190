// All pairs of many graphs.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

template <typename T>
nb::object rows_of(std::vector<T>&& elements, std::size_t rows, std::size_t columns)
{
    auto held = std::make_unique<std::vector<T>>(std::move(elements));
    T* const data = held->data();
    const nb::capsule owner(held.release(), [](void* all) noexcept { delete static_cast<std::vector<T>*>(all); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {rows, columns}, owner));
}

/// The sources, distances, and predecessors or None.
nb::object arrays_of(DistanceMatrix& matrix, bool predecessors)
{
    const std::size_t rows = matrix.sources.size();
    nb::object distances =
        std::visit([&](auto& all) { return rows_of(std::move(all), rows, matrix.columns); }, matrix.distances);
    nb::object parents = nb::none();
    if (predecessors)
        parents = rows_of(std::vector<std::int32_t>(matrix.predecessors.begin(), matrix.predecessors.end()), rows,
                          matrix.columns);
    return nb::make_tuple(array_of(std::move(matrix.sources)), std::move(distances), std::move(parents));
}

/// A dictionary by the names of wayfront._many_graphs.PairsOfGraph; without a figure if the graph has failed.
nb::dict facts_of_graph(PairsOfGraph& graph, bool predecessors)
{
    nb::dict facts;
    facts["name"] = graph.name;
    facts["rank"] = graph.rank;
    facts["error"] = graph.error ? error_object(graph.error) : nb::none();
    if (graph.error) return facts;
    facts["vertex_count"] = graph.vertex_count;
    facts["first_vertex"] = graph.first_vertex;
    facts["edge_count"] = graph.edge_count;
    facts["algorithm"] = graph.algorithm;
    facts["notes"] = graph.notes;
    facts["summary"] = figures_of(graph.summary);
    facts["matrix"] = graph.matrix ? arrays_of(*graph.matrix, predecessors) : nb::none();
    return facts;
}

/// Returns compute()'s results as a list of dictionaries. Other threads of Python run meanwhile.
template <typename Compute>
nb::list computed(const AllPairsOptions& options, Compute&& compute)
{
    require_own_threads();
    std::vector<PairsOfGraph> graphs = [&] {
        const nb::gil_scoped_release released;
        return std::forward<Compute>(compute)();
    }();
    nb::list all;
    for (PairsOfGraph& graph : graphs) all.append(facts_of_graph(graph, options.predecessors));
    return all;
}

nb::list of_names(const std::vector<std::string>& names, bool matrices, AllPairsOptions options,
                  const LoadOptions& loading, nb::object progress)
{
    note_threads(loading.threads == 0 ? 2 : loading.threads);
    // Several ranks do not end at Ctrl-C, which one of them may get alone.
    if (!progress.is_none() || loading.alone) options.on_progress = progress_of(std::move(progress));
    return computed(options, [&] { return AllPairs::of_many(names, matrices, options, loading); });
}

/// A turn of each graph, taken in the order of addresses, so that no two calls wait for each other.
std::vector<std::unique_lock<Turns>> turns_of(std::vector<std::shared_ptr<Turns>> uses)
{
    std::ranges::sort(uses);
    const auto repeated = std::ranges::unique(uses);
    uses.erase(repeated.begin(), repeated.end());
    std::vector<std::unique_lock<Turns>> turns;
    turns.reserve(uses.size());
    const bool in_callback = has_turn();
    for (const std::shared_ptr<Turns>& use : uses) {
        if (in_callback) {
            turns.emplace_back(*use);
        } else {
            use->lock_in_order();
            turns.emplace_back(*use, std::adopt_lock);
        }
    }
    return turns;
}

/// `graphs` are of type PyGraph.
nb::list of_graphs(const nb::list& graphs, bool matrices, AllPairsOptions options, nb::object progress)
{
    options.on_progress = progress_of(std::move(progress));
    std::vector<Graph> copies;
    std::vector<std::shared_ptr<Turns>> uses;
    copies.reserve(graphs.size());
    for (const nb::handle graph : graphs) {
        const auto& given = nb::cast<const PyGraph&>(graph);
        copies.push_back(given.graph);
        uses.push_back(given.use);
    }
    require_own_threads();
    const std::vector<std::unique_lock<Turns>> turns = turns_of(uses);
    return computed(options, [&] { return AllPairs::of_many(copies, matrices, options); });
}

}  // namespace

void bind_many_graphs(nb::module_& module)
{
    module.def("all_pairs_of_names", of_names, nb::arg("names"), nb::arg("matrices"), nb::arg("options"),
               nb::arg("loading"), nb::arg("progress").none());
    module.def("all_pairs_of_graphs", of_graphs, nb::arg("graphs"), nb::arg("matrices"), nb::arg("options"),
               nb::arg("progress").none());
}

}  // namespace wayfront::python
