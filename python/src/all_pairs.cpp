// All pairs: rows as matrices, summaries.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/parallel.hpp"
#include "door.hpp"

namespace wayfront::python {

namespace {

constexpr std::array<Word<PairDistance>, 5> kDistanceTypes{{{"auto", PairDistance::automatic},
                                                            {"uint16", PairDistance::uint16},
                                                            {"int32", PairDistance::int32},
                                                            {"float32", PairDistance::float32},
                                                            {"float64", PairDistance::float64}}};

/// Leaves new elements of a vector without a value.
template <typename T>
struct Uninitialised : std::allocator<T>
{
    template <typename U>
    struct rebind
    {
        using other = Uninitialised<U>;
    };
    template <typename U>
    void construct(U* /*element*/) noexcept
    {
    }
    template <typename U, typename... Values>
    void construct(U* element, Values&&... values)
    {
        ::new (static_cast<void*>(element)) U(std::forward<Values>(values)...);
    }
};

template <typename T>
using Elements = std::vector<T, Uninitialised<T>>;

/// A NumPy array of rows x columns, which takes over the elements.
template <typename T>
nb::object matrix_of(Elements<T>&& elements, std::size_t columns)
{
    auto held = std::make_unique<Elements<T>>(std::move(elements));
    T* const data = held->data();
    const std::size_t rows = columns == 0 ? 0 : held->size() / columns;
    const nb::capsule owner(held.release(), [](void* all) noexcept { delete static_cast<Elements<T>*>(all); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(data, {rows, columns}, owner));
}

/// Which predecessors a matrix has: those of the library (-1 for none, the source its own), or those
/// of SciPy (kNoPredecessor for both).
enum class Predecessors { own, scipy };

/// Rows in memory: all rows of one rank in the order of the sources, or those of one of several
/// ranks in any order, with their positions.
class Matrix
{
public:
    Matrix(std::size_t rows, std::size_t columns, bool whole, Predecessors kind)
        : rows_(rows), columns_(columns), whole_(whole), kind_(kind)
    {
    }

    void take(const DistanceRows& rows)
    {
        const std::size_t first = whole_ ? rows.first : positions_.size();
        for (std::size_t i = 0; i < rows.sources.size(); ++i)
            positions_.push_back(static_cast<std::int64_t>(rows.first + i));
        std::visit([&](auto distances) { copy(distances, first); }, rows.distances);
        if (rows.predecessors.empty()) return;
        grow(predecessors_, first + rows.sources.size());
        parallel_for(rows.sources.size(), 1, [&](std::size_t i) {
            const std::span<const Vertex> from = rows.predecessors.subspan(i * columns_, columns_);
            std::int32_t* const to = predecessors_.data() + (first + i) * columns_;
            const std::int32_t none = kind_ == Predecessors::scipy ? kNoPredecessor : kNotReached;
            std::ranges::transform(from, to,
                                   [none](Vertex v) { return v == kNotReached ? none : static_cast<std::int32_t>(v); });
            if (kind_ == Predecessors::scipy) to[rows.sources[i]] = kNoPredecessor;
        });
    }

    /// The positions of the rows, distances, and predecessors or None.
    [[nodiscard]] nb::tuple arrays(bool predecessors)
    {
        if (whole_)
            for (std::size_t i = 0; i < positions_.size(); ++i) positions_[i] = static_cast<std::int64_t>(i);
        nb::object distances =
            std::visit([&](auto& elements) { return matrix_of(std::move(elements), columns_); }, distances_);
        return nb::make_tuple(array_of(std::move(positions_)), std::move(distances),
                              predecessors ? matrix_of(std::move(predecessors_), columns_) : nb::none());
    }

private:
    template <typename T>
    void grow(Elements<T>& elements, std::size_t rows) const
    {
        if (const std::size_t wanted = (whole_ ? rows_ : rows) * columns_; elements.size() < wanted)
            elements.resize(wanted);
    }

    template <typename T>
    void copy(std::span<const T> distances, std::size_t first)
    {
        if (!std::holds_alternative<Elements<T>>(distances_)) distances_ = Elements<T>();
        Elements<T>& all = std::get<Elements<T>>(distances_);
        const std::size_t rows = distances.size() / std::max<std::size_t>(columns_, 1);
        grow(all, first + rows);
        parallel_for(rows, 1, [&](std::size_t i) {
            std::ranges::copy(distances.subspan(i * columns_, columns_), all.data() + (first + i) * columns_);
        });
    }

    std::size_t rows_;
    std::size_t columns_;
    bool whole_;
    Predecessors kind_;
    std::vector<std::int64_t> positions_;
    std::variant<Elements<double>, Elements<float>, Elements<std::int32_t>, Elements<std::uint16_t>> distances_;
    Elements<std::int32_t> predecessors_;
};

/// The caller's matrix for distances.
using DistanceRowsOut = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Calls Python while rows are made. What it throws ends the work, and is thrown again behind it:
/// the library would turn it into an error of its own.
class Interruption
{
public:
    /// Calls f() with Python's lock.
    template <typename F>
    void run(F&& f)
    {
        const nb::gil_scoped_acquire gil;
        try {
            f();
        } catch (nb::python_error& error) {
            thrown_.emplace(std::move(error));
        }
        if (thrown_) throw std::runtime_error("interrupted");
    }

    /// Returns work(). Called with Python's lock.
    template <typename F>
    void watch(F&& work)
    {
        try {
            work();
        } catch (const Error&) {
            if (thrown_) throw nb::python_error(std::move(*thrown_));
            throw;
        }
    }

private:
    std::optional<nb::python_error> thrown_;
};

struct PyAllPairs
{
    AllPairs pairs;
    nb::object arrays;
    std::shared_ptr<Turns> use;
    int ranks;
    bool predecessors;

    [[nodiscard]] Matrix matrix(std::size_t rows, bool whole, Predecessors kind) const
    {
        return {rows, pairs.columns().size(), whole, kind};
    }
};

/// All rows of this rank. Ctrl-C ends the work between two batches; on several ranks it does not,
/// since the others would wait.
nb::tuple matrix(PyAllPairs& self, bool scipy_predecessors)
{
    Matrix all = self.matrix(self.pairs.sources().size(), self.ranks == 1,
                             scipy_predecessors ? Predecessors::scipy : Predecessors::own);
    Interruption interruption;
    interruption.watch([&] {
        without_gil(*self.use, [&] {
            self.pairs.rows([&](const DistanceRows& rows) {
                if (self.ranks == 1)
                    interruption.run([] {
                        if (PyErr_CheckSignals() != 0) throw nb::python_error();
                    });
                all.take(rows);
            });
        });
    });
    return all.arrays(self.predecessors);
}

/// Passes each batch to take(positions, distances, predecessors), in arrays of their own.
void rows(PyAllPairs& self, const nb::callable& take)
{
    Interruption interruption;
    interruption.watch([&] {
        without_gil(*self.use, [&] {
            self.pairs.rows([&](const DistanceRows& rows) {
                Matrix batch = self.matrix(rows.sources.size(), false, Predecessors::own);
                batch.take(rows);
                interruption.run([&] {
                    if (PyErr_CheckSignals() != 0) throw nb::python_error();
                    take(*batch.arrays(self.predecessors));
                });
            });
        });
    });
}

nb::dict summary(PyAllPairs& self)
{
    AllPairsSummary found = without_gil(*self.use, [&] { return self.pairs.summary(); });
    return figures_of(found);
}

nb::dict vertex_figures(PyAllPairs& self)
{
    VertexFigures found = without_gil(*self.use, [&] { return self.pairs.vertex_figures(); });
    nb::dict figures = figures_of(found);
    std::visit([&](auto& sums) { figures["distance_sums"] = array_of(std::move(sums)); }, found.distance_sums);
    figures["harmonic_closeness"] = array_of(std::move(found.harmonic_closeness));
    figures["global_efficiency"] = found.global_efficiency;
    return figures;
}

/// The offsets, targets and distances of the rows within a limit.
nb::tuple within(PyAllPairs& self, double limit)
{
    RowsWithin found = without_gil(*self.use, [&] { return self.pairs.within(limit); });
    return std::visit(
        [&](auto& distances) {
            return nb::make_tuple(found.first,
                                  array_of(std::vector<std::int64_t>(found.begins.begin(), found.begins.end())),
                                  array_of(std::move(found.targets)), array_of(std::move(distances)));
        },
        found.distances);
}

/// Writes the distances within a limit, and infinity otherwise, into a row for each source. Pre: one rank, vertices
/// count from 0, and the matrix has a row for each source.
void fill_within(PyAllPairs& self, double limit, const DistanceRowsOut& matrix)
{
    const std::size_t rows = matrix.shape(0), columns = matrix.shape(1);
    if (self.ranks != 1 || rows != self.pairs.sources().size() || columns != self.pairs.columns().size())
        throw InputError("a matrix must have a row for each source and a column for each vertex");
    without_gil(*self.use, [&] {
        self.pairs.rows_within(limit, [&](const RowsWithin& batch) {
            parallel_for(batch.begins.size() - 1, 1, [&](std::size_t i) {
                double* const row = matrix.data() + (batch.first + i) * columns;
                std::fill_n(row, columns, std::numeric_limits<double>::infinity());
                std::visit(
                    [&](const auto& distances) {
                        for (std::uint64_t entry = batch.begins[i]; entry < batch.begins[i + 1]; ++entry)
                            row[batch.targets[entry]] = static_cast<double>(distances[entry]);
                    },
                    batch.distances);
            });
        });
    });
}

void bind_options(nb::module_& module)
{
    nb::class_<AllPairsOptions>(module, "AllPairsOptions")
        .def(nb::init<>())
        .def_rw("algorithm", &AllPairsOptions::algorithm)
        .def_prop_rw(
            "type", [](const AllPairsOptions& self) { return word_of(self.type, kDistanceTypes); },
            [](AllPairsOptions& self, std::string_view word) { self.type = enumerator("type", word, kDistanceTypes); })
        .def_prop_rw(
            "engine", [](const AllPairsOptions& self) { return word_of(self.engine, kEngines); },
            [](AllPairsOptions& self, std::string_view word) { self.engine = enumerator("engine", word, kEngines); })
        .def_rw("sources", &AllPairsOptions::sources)
        .def_rw("targets", &AllPairsOptions::targets)
        .def_rw("predecessors", &AllPairsOptions::predecessors)
        .def_rw("validate", &AllPairsOptions::validate);
}

}  // namespace

nb::dict figures_of(AllPairsSummary& found)
{
    nb::dict figures;
    figures["reachable_pairs"] = found.reachable_pairs;
    figures["average"] = found.average;
    figures["diameter"] = found.diameter;
    figures["radius"] = found.radius;
    figures["reached"] = array_of(std::vector<std::int64_t>(found.reached.begin(), found.reached.end()));
    figures["eccentricities"] = array_of(std::move(found.eccentricities));
    figures["closeness"] = array_of(std::move(found.closeness));
    return figures;
}

void bind_all_pairs(nb::module_& module)
{
    bind_options(module);
    nb::class_<PyAllPairs>(module, "AllPairs")
        .def(
            "__init__",
            [](PyAllPairs* self, const PyGraph& graph, AllPairsOptions options, nb::object progress) {
                options.on_progress = progress_of(std::move(progress), graph.graph);
                AllPairs pairs = without_gil(*graph.use, [&] { return AllPairs(graph.graph, options); });
                new (self) PyAllPairs{std::move(pairs), options.validate ? graph.arrays : nb::object(), graph.use,
                                      graph.graph.ranks(), options.predecessors};
            },
            nb::arg("graph"), nb::arg("options"), nb::arg("progress").none())
        .def_prop_ro(
            "sources", [](const PyAllPairs& self) { return array_of(std::vector<Vertex>(self.pairs.sources())); },
            nb::rv_policy::automatic)
        .def_prop_ro(
            "columns", [](const PyAllPairs& self) { return array_of(self.pairs.columns()); }, nb::rv_policy::automatic)
        .def("matrix", matrix, nb::arg("scipy_predecessors"))
        .def("rows", rows, nb::arg("take"))
        .def("summary", summary)
        .def("diameter", [](PyAllPairs& self) { return without_gil(*self.use, [&] { return self.pairs.diameter(); }); })
        .def("vertex_figures", vertex_figures)
        .def("within", within, nb::arg("limit"))
        .def("fill_within", fill_within, nb::arg("limit"), nb::arg("matrix").noconvert())
        .def(
            "write",
            [](PyAllPairs& self, const std::string& distances, const std::string& predecessors) {
                without_gil(*self.use, [&] { self.pairs.write(distances, predecessors); });
            },
            nb::arg("distances"), nb::arg("predecessors"))
        .def_prop_ro("algorithm", [](const PyAllPairs& self) { return self.pairs.algorithm(); });
}

}  // namespace wayfront::python
