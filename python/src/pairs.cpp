// Distances and paths between pairs of vertices.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "door.hpp"

namespace wayfront::python {

namespace {

/// Rows of a source and a target.
using PairArray = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::vector<std::pair<Vertex, Vertex>> pairs_of(const PairArray& array)
{
    std::vector<std::pair<Vertex, Vertex>> pairs(array.shape(0));
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {array.data()[2 * i], array.data()[2 * i + 1]};
    return pairs;
}

/// The seconds, the distances, and of the paths the offsets and the vertices, one path behind the other.
nb::tuple tuple_of(PairsResult&& result)
{
    std::vector<std::int64_t> offsets{0};
    std::vector<Vertex> vertices;
    for (const std::vector<Vertex>& path : result.paths) {
        vertices.insert(vertices.end(), path.begin(), path.end());
        offsets.push_back(static_cast<std::int64_t>(vertices.size()));
    }
    return std::visit(
        [&](auto& distances) {
            return nb::make_tuple(result.seconds, array_of(std::move(distances)), array_of(std::move(offsets)),
                                  array_of(std::move(vertices)));
        },
        result.distances);
}

/// Search: Bfs or ShortestPaths.
template <typename Search, typename Options>
nb::tuple between(const PyGraph& graph, const PairArray& pairs, bool with_paths, Options options, nb::object progress)
{
    options.on_progress = progress_of(std::move(progress), graph.graph);
    const std::vector<std::pair<Vertex, Vertex>> asked = pairs_of(pairs);
    return tuple_of(without_gil(*graph.use, [&] { return Search::between(graph.graph, asked, with_paths, options); }));
}

}  // namespace

void bind_pairs(nb::module_& module)
{
    module.def("bfs_between", between<Bfs, BfsOptions>, nb::arg("graph"), nb::arg("pairs").noconvert(),
               nb::arg("with_paths"), nb::arg("options"), nb::arg("progress").none());
    module.def("shortest_paths_between", between<ShortestPaths, ShortestPathsOptions>, nb::arg("graph"),
               nb::arg("pairs").noconvert(), nb::arg("with_paths"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace wayfront::python
