// The shared parts of the tests of the validator of shortest paths on the GPU: a graph, a search by
// plain loops, and the verdicts of the host and of the GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "gpu/exchange/device_collectives.hpp"
#include "gpu/kron/distance_validation.hpp"
#include "gpu/runtime/buffer.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/kron.hpp"
#include "graph/partition.hpp"
#include "graph500/validate_distances.hpp"
#include "session/verdict.hpp"

namespace wayfront::gpu::kron {

inline constexpr float kFar = std::numeric_limits<float>::infinity();

struct Result
{
    std::vector<float> distances;
    std::vector<std::int32_t> parents;
};

/// A graph, and functions that loop over its tuples.
struct TupleGraph
{
    explicit TupleGraph(int scale, EdgeCount edge_factor, std::uint64_t seed = 2)
        : source(scale, edge_factor, seed, 3),
          n(source.vertex_count()),
          tuples(static_cast<std::size_t>(source.edge_count())),
          weights(static_cast<std::size_t>(source.edge_count()))
    {
        source.edges(0, tuples);
        source.weights(0, weights);
    }

    /// Shortest paths by the Bellman-Ford algorithm.
    [[nodiscard]] Result search(Vertex key) const
    {
        Result result{std::vector<float>(static_cast<std::size_t>(n), kFar),
                      std::vector<std::int32_t>(static_cast<std::size_t>(n), -1)};
        result.distances[static_cast<std::size_t>(key)] = 0;
        result.parents[static_cast<std::size_t>(key)] = static_cast<std::int32_t>(key);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < tuples.size(); ++i) {
                for (const Edge& edge : {tuples[i].unpack(), Edge{tuples[i].target(), tuples[i].source()}}) {
                    const float length = result.distances[static_cast<std::size_t>(edge.source)] + weights[i];
                    float& distance = result.distances[static_cast<std::size_t>(edge.target)];
                    if (!(length < distance)) continue;
                    distance = length;
                    result.parents[static_cast<std::size_t>(edge.target)] = static_cast<std::int32_t>(edge.source);
                    changed = true;
                }
            }
        }
        return result;
    }

    [[nodiscard]] bool joined(Vertex u, Vertex v) const
    {
        return std::ranges::any_of(tuples, [&](const PackedEdge& tuple) {
            return tuple.unpack() == Edge{u, v} || tuple.unpack() == Edge{v, u};
        });
    }

    /// The first vertex that satisfies the condition.
    [[nodiscard]] Vertex first(const std::function<bool(Vertex)>& holds) const
    {
        for (Vertex v = 0; v < n; ++v)
            if (holds(v)) return v;
        throw std::logic_error("the graph has no such vertex");
    }

    KronSource source;
    Vertex n;
    std::vector<PackedEdge> tuples;
    std::vector<float> weights;
};

inline graph500::Validation on_host(const TupleGraph& graph, Vertex key, const Result& result)
{
    const comm::Communicator self = comm::Communicator::self();
    const Partition partition(graph.n, 1, 1);
    const SourceFeed feed(graph.source, 0, 1, true);
    HostBuffer<float> distances(result.distances.size());
    VertexArray parents(result.parents.size(), graph.n);
    for (std::size_t v = 0; v < result.distances.size(); ++v) {
        distances[v] = result.distances[v];
        parents.narrow_elements()[v] = result.parents[v];
    }
    graph500::SsspValidator validator(self, partition, feed);
    return validator.validate(key, Distances(std::move(distances)), parents);
}

/// Uploads a rank's part of a result, which is given by vertex.
template <typename T>
DeviceBuffer<T> upload_own(const std::vector<T>& values, const DeviceCollectives& ranks, const Stream& stream)
{
    std::vector<T> own;
    for (auto v = static_cast<std::size_t>(ranks.rank()); v < values.size();
         v += static_cast<std::size_t>(ranks.ranks()))
        own.push_back(values[v]);
    return upload(std::span<const T>(own), stream);
}

/// The verdicts of a rank. Collective.
inline std::vector<DistanceVerdict> verdicts_of_rank(const TupleGraph& graph, Vertex key,
                                                     const std::vector<Result>& results, DeviceCollectives& ranks)
{
    const Stream stream;
    KronDistanceValidator validator(graph.source.parameters(), graph.source.edge_count(), ranks, stream);
    std::vector<DistanceVerdict> verdicts;
    for (const Result& result : results) {
        const DeviceBuffer<float> distances = upload_own(result.distances, ranks, stream);
        const DeviceBuffer<std::int32_t> parents = upload_own(result.parents, ranks, stream);
        verdicts.push_back(
            validator.validate(key, reinterpret_cast<const std::uint32_t*>(distances.data()), parents.data()));
    }
    return verdicts;
}

/// All fields of a verdict. Floats are converted to bits, so that values that are not numbers
/// compare equal.
inline auto fields(const DistanceVerdict& verdict)
{
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    return std::tuple(static_cast<int>(verdict.fault), static_cast<int>(verdict.tree_fault), verdict.rule,
                      verdict.vertex, verdict.parent, verdict.edge, bits(verdict.distance),
                      bits(verdict.other_distance), bits(verdict.weight), verdict.component_tuples, verdict.reached);
}

/// Expects the host's verdict. If rule 1 is violated, the host may report another vertex.
inline void expect_as_on_host(const TupleGraph& graph, Vertex key, const Result& result, const DistanceVerdict& verdict)
{
    const graph500::Validation found = session::to_validation(verdict, graph.n);
    const graph500::Validation expected = on_host(graph, key, result);
    ASSERT_EQ(found.valid(), expected.valid())
        << (expected.valid() ? describe(*found.violation) : describe(*expected.violation));
    if (expected.valid()) {
        EXPECT_EQ(found.edges, expected.edges);
        EXPECT_EQ(found.reached, expected.reached);
        return;
    }
    EXPECT_EQ(found.violation->rule, expected.violation->rule) << describe(*found.violation) << "\n"
                                                               << describe(*expected.violation);
    if (expected.violation->rule != graph500::Rule::tree) {
        EXPECT_EQ(found.violation->what, expected.violation->what);
    }
}

/// A key with neighbours, and the result of a search from it.
struct Searched
{
    explicit Searched(const TupleGraph& graph)
        : key(graph.first([&](Vertex v) {
              return std::ranges::any_of(
                  graph.tuples, [&](const PackedEdge& tuple) { return tuple.source() == v && tuple.target() != v; });
          })),
          good(graph.search(key))
    {
    }
    [[nodiscard]] float distance(Vertex v) const { return good.distances[static_cast<std::size_t>(v)]; }
    [[nodiscard]] Vertex parent(Vertex v) const { return good.parents[static_cast<std::size_t>(v)]; }
    [[nodiscard]] bool reached(Vertex v) const { return parent(v) >= 0; }
    [[nodiscard]] bool leaf(Vertex v) const
    {
        for (std::size_t u = 0; u < good.parents.size(); ++u)
            if (good.parents[u] == static_cast<std::int32_t>(v)) return false;
        return true;
    }
    /// Whether a vertex is reached, and is neither the key nor a child of the key.
    [[nodiscard]] bool deep(Vertex v) const { return reached(v) && v != key && parent(v) != key; }

    Vertex key;
    Result good;
};

}  // namespace wayfront::gpu::kron
