// Graphs: loaded, or views of the caller's arrays.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "comm/session.hpp"
#include "device_arrays.hpp"
#include "door.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront::python {

namespace {

constexpr std::array<Word<EdgeDirection>, 4> kDirections{{{"as_in_input", EdgeDirection::as_in_input},
                                                          {"directed", EdgeDirection::directed},
                                                          {"undirected", EdgeDirection::undirected},
                                                          {"reversed", EdgeDirection::reversed}}};

/// Passes a note to Python's logging. What its handlers throw is printed, and the work goes on.
void log_note(std::string_view text)
{
    const nb::gil_scoped_acquire gil;
    try {
        nb::module_::import_("wayfront._notes").attr("receive")(text);
    } catch (nb::python_error& error) {
        error.discard_as_unraisable("wayfront: a note");
    }
}

template <typename T>
std::span<const T> elements(const AnyArray& array)
{
    return {static_cast<const T*>(array.data()), array.size()};
}

IndexSpan indices_of(const char* name, const AnyArray& array)
{
    if (array.dtype() == nb::dtype<std::int32_t>()) return elements<std::int32_t>(array);
    if (array.dtype() == nb::dtype<std::int64_t>()) return elements<std::int64_t>(array);
    throw nb::type_error((std::string(name) + ": expected an array of int32 or int64").c_str());
}

std::optional<EdgeWeights> weights_of(const std::optional<AnyArray>& array)
{
    if (!array) return std::nullopt;
    if (array->dtype() == nb::dtype<std::int32_t>()) return elements<std::int32_t>(*array);
    if (array->dtype() == nb::dtype<std::int64_t>()) return elements<std::int64_t>(*array);
    if (array->dtype() == nb::dtype<float>()) return elements<float>(*array);
    if (array->dtype() == nb::dtype<double>()) return elements<double>(*array);
    throw nb::type_error("weights: expected an array of int32, int64, float32 or float64");
}

/// Returns make(), during which other threads of Python run.
template <typename Make>
Graph made_without_gil(Make&& make)
{
    require_own_threads();
    const nb::gil_scoped_release released;
    return std::forward<Make>(make)();
}

PyGraph load(const std::string& graph, const LoadOptions& options)
{
    return with_threads(made_without_gil([&] { return Graph::load(graph, options); }), {});
}

/// The text of a name, whose bytes that are no UTF-8 are as os.fsdecode() has them.
nb::object text_of(std::string_view name)
{
    return nb::steal(PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), "surrogateescape"));
}

/// The names of all vertices, in the order of these. Pre: named().
nb::list names_of(const PyGraph& self)
{
    nb::list names;
    for (Vertex v = 0; v < self.graph.vertex_count(); ++v) names.append(text_of(self.graph.vertex_name(v)));
    return names;
}

/// The vertex with a name, or None.
std::optional<Vertex> vertex_named(const PyGraph& self, const nb::bytes& name)
{
    try {
        return self.graph.vertex_named({name.c_str(), name.size()});
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// The arrays of a view, which are kept by the graph.
struct Arrays
{
    AnyArray sources;  // of each edge, or the offsets of rows
    AnyArray targets;
    std::optional<AnyArray> weights;

    [[nodiscard]] nb::object kept() const
    {
        return nb::make_tuple(sources, targets, weights ? nb::cast(*weights) : nb::none());
    }
};

PyGraph view_rows(Vertex vertices, const Arrays& arrays, Vertex first_row, const LoadOptions& options)
{
    const CsrArrays rows{indices_of("offsets", arrays.sources), indices_of("targets", arrays.targets),
                         weights_of(arrays.weights), first_row};
    Graph graph = made_without_gil([&] { return Graph::view(vertices, rows, options); });
    return with_threads(std::move(graph), arrays.kept());
}

PyGraph view_edges(Vertex vertices, const Arrays& arrays, const LoadOptions& options)
{
    const EdgeArrays edges{indices_of("sources", arrays.sources), indices_of("targets", arrays.targets),
                           weights_of(arrays.weights)};
    Graph graph = made_without_gil([&] { return Graph::view(vertices, edges, options); });
    return with_threads(std::move(graph), arrays.kept());
}

PyGraph view_gpu_edges(Vertex vertices, const CallerArray& sources, const CallerArray& targets,
                       const CallerArray* weights, std::vector<std::uintptr_t> streams, const LoadOptions& options)
{
    DeviceEdgeArrays edges{sources.span, targets.span, {}, std::move(streams)};
    if (weights != nullptr) edges.weights = weights->span;
    Graph graph = made_without_gil([&] { return Graph::view(vertices, edges, options); });
    const nb::object of_weights = weights != nullptr ? weights->owner : nb::none();
    return with_threads(std::move(graph), nb::make_tuple(sources.owner, targets.owner, of_weights));
}

void bind_load_options(nb::module_& module)
{
    nb::class_<LoadOptions>(module, "LoadOptions")
        .def("__init__", [](LoadOptions* self) { new (self) LoadOptions{.on_note = log_note}; })
        .def_prop_rw(
            "direction", [](const LoadOptions& self) { return word_of(self.direction, kDirections); },
            [](LoadOptions& self, std::string_view word) {
                self.direction = enumerator("direction", word, kDirections);
            })
        .def_rw("threads", &LoadOptions::threads)
        .def_rw("communicator", &LoadOptions::communicator, nb::arg().none())
        .def_rw("alone", &LoadOptions::alone)
        .def_rw("weights", &LoadOptions::weights)
        .def_rw("names", &LoadOptions::names)
        .def_rw("double_precision", &LoadOptions::double_precision)
        .def_rw("watch_ranks", &LoadOptions::watch_ranks);
}

}  // namespace

void bind_graph(nb::module_& module)
{
    bind_load_options(module);
    nb::class_<Arrays>(module, "Arrays")
        .def(
            "__init__",
            [](Arrays* self, AnyArray sources, AnyArray targets, std::optional<AnyArray> weights) {
                new (self) Arrays{std::move(sources), std::move(targets), std::move(weights)};
            },
            nb::arg("sources").noconvert(), nb::arg("targets").noconvert(), nb::arg("weights").noconvert().none());
    nb::class_<PyGraph>(module, "Graph")
        .def_static("load", load, nb::arg("graph"), nb::arg("options"))
        .def_static("view_rows", view_rows, nb::arg("vertices"), nb::arg("arrays"), nb::arg("first_row"),
                    nb::arg("options"))
        .def_static("view_edges", view_edges, nb::arg("vertices"), nb::arg("arrays"), nb::arg("options"))
        .def_static("view_gpu_edges", view_gpu_edges, nb::arg("vertices"), nb::arg("sources"), nb::arg("targets"),
                    nb::arg("weights").none(), nb::arg("streams"), nb::arg("options"))
        .def_prop_ro("name", [](const PyGraph& self) { return self.graph.name(); })
        .def_prop_ro("vertex_count", [](const PyGraph& self) { return self.graph.vertex_count(); })
        .def_prop_ro("edge_count", [](const PyGraph& self) { return self.graph.edge_count(); })
        .def_prop_ro("whole_distances", [](const PyGraph& self) { return self.graph.whole_distances(); })
        .def(
            "agree_on_arrays",
            [](const PyGraph& self, bool given, const std::string& fault) {
                without_gil(*self.use, [&] { self.graph.agree_on_arrays(given, fault); });
            },
            nb::arg("given"), nb::arg("fault"))
        .def_prop_ro("named", [](const PyGraph& self) { return self.graph.named(); })
        .def("names", names_of)
        .def("vertex_named", vertex_named, nb::arg("name"))
        .def_prop_ro("directed", [](const PyGraph& self) { return self.graph.directed(); })
        .def_prop_ro("first_vertex", [](const PyGraph& self) { return self.graph.first_vertex(); })
        .def_prop_ro("rank", [](const PyGraph& self) { return self.graph.rank(); })
        .def_prop_ro("ranks", [](const PyGraph& self) { return self.graph.ranks(); })
        .def_prop_ro("threads", [](const PyGraph& self) { return self.graph.threads(); })
        .def_prop_ro("own_count", [](const PyGraph& self) { return self.graph.own_count(); });
    module.def("gpu_count", gpu::device_count, "The number of visible GPUs; 0 in a build without CUDA.");
    module.def("mpi_library", comm::library_version, "The name and version of the MPI library of this build.");
}

}  // namespace wayfront::python
