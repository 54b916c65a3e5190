// Trees of predecessors: paths, the order of a breadth-first search, the roots of vertices, and the
// weights of edges, of which SciPy's functions are made.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>

#include "door.hpp"

namespace wayfront::python {

namespace {

template <typename T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const Input<T>& array)
{
    return {array.data(), array.size()};
}

/// The vertices from the root of a tree to `target`; empty if it is in no tree. Vertices and
/// predecessors count from `first`; a root is its own predecessor, and a vertex in no tree has
/// kNotReached.
Array<std::int64_t> path(const Input<std::int64_t>& predecessors, std::int64_t first, std::int64_t target)
{
    const std::span<const std::int64_t> all = span_of(predecessors);
    std::vector<std::int64_t> vertices;
    for (std::int64_t v = target;; v = vertices.back()) {
        const std::int64_t i = v - first;
        if (i < 0 || static_cast<std::size_t>(i) >= all.size())
            throw InputError("target: there is no vertex " + std::to_string(v));
        const std::int64_t next = all[static_cast<std::size_t>(i)];
        if (next == kNotReached && vertices.empty()) return array_of(std::move(vertices));
        if (vertices.empty()) vertices.push_back(v);
        if (next == v) break;
        if (vertices.size() == all.size()) throw InputError("the predecessors are those of no tree");
        vertices.push_back(next);
    }
    std::ranges::reverse(vertices);
    return array_of(std::move(vertices));
}

/// The reached vertices by their levels, those of a level by their numbers.
Array<std::int32_t> level_order(const Input<std::int32_t>& levels)
{
    const std::span<const std::int32_t> all = span_of(levels);
    std::vector<std::size_t> begins(1);  // of each level, one further on
    for (const std::int32_t level : all) {
        if (level == kNotReached) continue;
        if (static_cast<std::size_t>(level) + 2 > begins.size()) begins.resize(static_cast<std::size_t>(level) + 2);
        ++begins[static_cast<std::size_t>(level) + 1];
    }
    for (std::size_t level = 1; level < begins.size(); ++level) begins[level] += begins[level - 1];
    std::vector<std::int32_t> order(begins.back());
    for (std::size_t v = 0; v < all.size(); ++v)
        if (all[v] != kNotReached) order[begins[static_cast<std::size_t>(all[v])]++] = static_cast<std::int32_t>(v);
    return array_of(std::move(order));
}

/// Compressed sparse rows in the order in which a search looks at them.
struct SearchRows
{
    Input<std::int64_t> offsets;
    Input<std::int32_t> targets;
};

/// The order in which a search with one queue visits vertices, and the tree of this order, made from
/// the distances. Vertices leave the queue by ascending distance, those of one distance as they came.
/// A vertex comes to the queue with the first edge that makes up its distance, and the beginning of
/// this edge is its parent. So do breadth-first search and Dijkstra's algorithm with a heap of
/// (distance, time).
///
/// `lengths`: of the edges; without them all are 1. None is negative. `ascending`: the vertices that
/// were reached, by ascending distance. `sources`: those of distance 0 that begin the queue.
/// Returns the order, and the parents: a source is its own one, kNotReached if there is no path.
template <typename T>
nb::tuple queue_order(const SearchRows& rows, const std::optional<Input<T>>& lengths, const Input<T>& distances,
                      const Input<std::int64_t>& ascending, const Input<std::int64_t>& sources)
{
    const std::span<const std::int64_t> begins = span_of(rows.offsets);
    const std::span<const T> distance = span_of(distances);
    std::vector<std::int64_t> queue(ascending.size(), kNotReached);
    std::vector<std::int64_t> parents(distances.size(), kNotReached);
    // Of a vertex that was reached: the place in the queue of the first one with its distance. At
    // this place: the number of those that have come.
    std::vector<std::size_t> place(distances.size());
    std::vector<std::size_t> came(ascending.size());
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        const auto v = static_cast<std::size_t>(ascending.data()[i]);
        const std::size_t before = i == 0 ? v : static_cast<std::size_t>(ascending.data()[i - 1]);
        place[v] = i > 0 && distance[before] == distance[v] ? place[before] : i;
    }
    const auto come = [&](std::int64_t v, std::int64_t parent) {
        const std::size_t first = place[static_cast<std::size_t>(v)];
        parents[static_cast<std::size_t>(v)] = parent;
        queue[first + came[first]++] = v;
    };
    for (const std::int64_t source : span_of(sources)) come(source, source);
    for (const std::int64_t v : queue) {
        if (v == kNotReached) throw ResultError("the distances are those of no search");
        const T here = distance[static_cast<std::size_t>(v)];
        for (auto i = static_cast<std::size_t>(begins[v]); i < static_cast<std::size_t>(begins[v + 1]); ++i) {
            const std::int32_t to = rows.targets.data()[i];
            const auto target = static_cast<std::size_t>(to);
            if (parents[target] == kNotReached && distance[target] == here + (lengths ? lengths->data()[i] : T{1}))
                come(to, v);
        }
    }
    return nb::make_tuple(array_of(std::move(queue)), array_of(std::move(parents)));
}

template <typename T>
void bind_queue_order(nb::module_& module)
{
    module.def("queue_order", queue_order<T>, nb::arg("rows"), nb::arg("lengths").noconvert().none(),
               nb::arg("distances").noconvert(), nb::arg("ascending").noconvert(), nb::arg("sources").noconvert());
}

/// For each vertex the root of its tree, for those with no predecessor themselves; kNoPredecessor
/// if the distance is infinite.
Array<std::int32_t> roots(const Input<std::int32_t>& predecessors, const Input<double>& distances)
{
    const std::span<const std::int32_t> above = span_of(predecessors);
    std::vector<std::int32_t> found(above.size(), kNotReached);
    std::vector<std::size_t> chain;
    for (std::size_t v = 0; v < found.size(); ++v) {
        if (distances.data()[v] == std::numeric_limits<double>::infinity()) found[v] = kNoPredecessor;
        std::size_t next = v;
        for (chain.clear(); found[next] == kNotReached; next = static_cast<std::size_t>(above[next])) {
            if (above[next] < 0)
                found[next] = static_cast<std::int32_t>(next);
            else
                chain.push_back(next);
            if (above[next] < 0) break;
        }
        for (const std::size_t below : chain) found[below] = found[next];
    }
    return array_of(std::move(found));
}

/// Compressed sparse rows with sorted columns.
struct SortedRows
{
    Input<std::int64_t> offsets;
    Input<std::int32_t> columns;
    Input<double> weights;

    /// The lightest edge from one vertex to another; infinity if there is none.
    [[nodiscard]] double weight(std::int32_t from, std::int32_t to) const
    {
        const auto begin = static_cast<std::size_t>(offsets.data()[from]);
        const auto end = static_cast<std::size_t>(offsets.data()[from + 1]);
        const std::span<const std::int32_t> row = span_of(columns).subspan(begin, end - begin);
        double lightest = std::numeric_limits<double>::infinity();
        for (auto i = std::ranges::lower_bound(row, to); i != row.end() && *i == to; ++i)
            lightest = std::min(lightest, weights.data()[begin + static_cast<std::size_t>(i - row.begin())]);
        return lightest;
    }
    [[nodiscard]] double weight(std::int32_t from, std::int32_t to, bool directed) const
    {
        return directed ? weight(from, to) : std::min(weight(from, to), weight(to, from));
    }
};

/// The weights of the edges from each vertex's predecessor to the vertex; infinity where there is
/// no predecessor or no edge.
Array<double> weights_to(const SortedRows& rows, const Input<std::int32_t>& predecessors, bool directed)
{
    std::vector<double> weights(predecessors.size(), std::numeric_limits<double>::infinity());
    for (std::size_t v = 0; v < weights.size(); ++v)
        if (const std::int32_t above = predecessors.data()[v]; above >= 0)
            weights[v] = rows.weight(above, static_cast<std::int32_t>(v), directed);
    return array_of(std::move(weights));
}

/// Writes the lengths of the paths of one tree. `lengths` has the weights of the edges from
/// predecessors, and gets the lengths of the paths from `source`, or `none` without one.
void sum_paths(const Input<std::int32_t>& predecessors, std::int32_t source, double none, const Row<double>& lengths)
{
    const std::span<const std::int32_t> above = span_of(predecessors);
    std::vector<bool> done(above.size(), false);
    std::vector<std::size_t> chain;
    for (std::size_t v = 0; v < above.size(); ++v) {
        std::size_t top = v;
        for (chain.clear(); !done[top] && std::cmp_not_equal(top, source) && above[top] >= 0;) {
            done[top] = true;
            chain.push_back(top);
            top = static_cast<std::size_t>(above[top]);
        }
        if (!done[top]) lengths.data()[top] = std::cmp_equal(top, source) ? 0 : none;
        done[top] = true;
        for (; !chain.empty(); chain.pop_back()) {
            double& length = lengths.data()[chain.back()];
            const double before = lengths.data()[static_cast<std::size_t>(above[chain.back()])];
            length = before == none ? none : before + length;
        }
    }
}

}  // namespace

void bind_trees(nb::module_& module)
{
    nb::class_<SortedRows>(module, "SortedRows")
        .def(
            "__init__",
            [](SortedRows* self, Input<std::int64_t> offsets, Input<std::int32_t> columns, Input<double> weights) {
                new (self) SortedRows{std::move(offsets), std::move(columns), std::move(weights)};
            },
            nb::arg("offsets").noconvert(), nb::arg("columns").noconvert(), nb::arg("weights").noconvert())
        .def("weights_to", weights_to, nb::arg("predecessors").noconvert(), nb::arg("directed"));
    module.def("path", path, nb::arg("predecessors").noconvert(), nb::arg("first"), nb::arg("target"));
    module.def("level_order", level_order, nb::arg("levels").noconvert());
    nb::class_<SearchRows>(module, "SearchRows")
        .def(
            "__init__",
            [](SearchRows* self, Input<std::int64_t> offsets, Input<std::int32_t> targets) {
                new (self) SearchRows{std::move(offsets), std::move(targets)};
            },
            nb::arg("offsets").noconvert(), nb::arg("targets").noconvert());
    bind_queue_order<std::int32_t>(module);
    bind_queue_order<std::int64_t>(module);
    bind_queue_order<double>(module);
    module.def("roots", roots, nb::arg("predecessors").noconvert(), nb::arg("distances").noconvert());
    module.def("sum_paths", sum_paths, nb::arg("predecessors").noconvert(), nb::arg("source"), nb::arg("none"),
               nb::arg("lengths").noconvert());
}

}  // namespace wayfront::python
