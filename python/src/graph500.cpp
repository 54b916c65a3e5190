// The Graph500 benchmark.
#include "wayfront/graph500.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

constexpr std::array<Word<Graph500Kernel>, 3> kKernels{
    {{"bfs", Graph500Kernel::bfs}, {"sssp", Graph500Kernel::sssp}, {"both", Graph500Kernel::both}}};

/// By the names of wayfront._graph500.Graph500Searches.
nb::dict dict_of(const Graph500Searches& kernel, bool validated)
{
    std::vector<Vertex> keys;
    std::vector<double> seconds;
    std::vector<std::int64_t> edges;
    std::vector<double> validate_seconds;
    for (const Graph500Search& search : kernel.searches) {
        keys.push_back(search.key);
        seconds.push_back(search.seconds);
        edges.push_back(search.edges);
        if (validated) validate_seconds.push_back(search.validate_seconds.value_or(0));
    }
    nb::dict made;
    made["harmonic_mean_teps"] = kernel.harmonic_mean_teps;
    made["harmonic_stddev_teps"] = kernel.harmonic_stddev_teps;
    made["min_teps"] = kernel.min_teps;
    made["first_quartile_teps"] = kernel.first_quartile_teps;
    made["median_teps"] = kernel.median_teps;
    made["third_quartile_teps"] = kernel.third_quartile_teps;
    made["max_teps"] = kernel.max_teps;
    made["keys"] = array_of(std::move(keys));
    made["seconds"] = array_of(std::move(seconds));
    made["edges"] = array_of(std::move(edges));
    made["validate_seconds"] = array_of(std::move(validate_seconds));
    return made;
}

/// By the names of wayfront._graph500.Graph500Run.
nb::dict graph500(int scale, Graph500Options options, nb::object progress)
{
    if (options.loading.alone || !progress.is_none()) options.on_progress = progress_of(std::move(progress));
    require_own_threads();
    const Graph500Result run = [&] {
        const nb::gil_scoped_release released;
        return run_graph500(scale, options);
    }();
    note_threads(run.threads);
    nb::dict made;
    made["scale"] = run.scale;
    made["edge_factor"] = run.edge_factor;
    made["vertices"] = run.vertices;
    made["edges"] = run.edges;
    made["ranks"] = run.ranks;
    made["threads"] = run.threads;
    made["engine"] = run.engine;
    made["validated"] = options.validate;
    made["generation_seconds"] = run.generation_seconds;
    made["construction_seconds"] = run.construction_seconds;
    if (run.bfs) made["bfs"] = dict_of(*run.bfs, options.validate);
    if (run.sssp) made["sssp"] = dict_of(*run.sssp, options.validate);
    return made;
}

}  // namespace

void bind_graph500(nb::module_& module)
{
    nb::class_<Graph500Options>(module, "Graph500Options")
        .def(nb::init<>())
        .def_rw("edge_factor", &Graph500Options::edge_factor)
        .def_rw("keys", &Graph500Options::keys)
        .def_rw("warmups", &Graph500Options::warmups)
        .def_prop_rw(
            "kernel", [](const Graph500Options& self) { return word_of(self.kernel, kKernels); },
            [](Graph500Options& self, std::string_view word) { self.kernel = enumerator("kernel", word, kKernels); })
        .def_rw("validate", &Graph500Options::validate)
        .def_prop_rw(
            "seeds", [](const Graph500Options& self) { return std::pair(self.seed1, self.seed2); },
            [](Graph500Options& self, const std::pair<std::uint64_t, std::uint64_t>& seeds) {
                std::tie(self.seed1, self.seed2) = seeds;
            })
        .def_prop_rw(
            "engine", [](const Graph500Options& self) { return word_of(self.engine, kEngines); },
            [](Graph500Options& self, std::string_view word) { self.engine = enumerator("engine", word, kEngines); })
        .def_prop_rw(
            "grid", [](const Graph500Options& self) { return pair_of(self.grid); },
            [](Graph500Options& self, const GridPair& grid) { self.grid = grid_of(grid); }, nb::arg().none())
        .def_rw("loading", &Graph500Options::loading);
    module.def("graph500", graph500, nb::arg("scale"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace wayfront::python
