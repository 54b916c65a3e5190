// Graphs that every rank knows completely, correct searches of them, and a fixture that validates
// results in shares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/spec.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"
#include "graph500/validate.hpp"
#include "graph500/validator_sizes.hpp"

namespace wayfront::graph500 {

using Parents = std::vector<Vertex>;  // of all vertices

/// A graph that every rank knows completely and validates in shares.
struct Graph
{
    Vertex n = 0;
    bool directed = false;
    std::vector<Edge> edges;
};

inline Graph graph_of(const std::string& spec)
{
    const auto source = make_edge_source(spec);
    std::vector<PackedEdge> packed(static_cast<std::size_t>(source->edge_count()));
    source->edges(0, packed);
    Graph graph{source->vertex_count(), source->directed(), {}};
    for (const PackedEdge& edge : packed) graph.edges.push_back(edge.unpack());
    return graph;
}

/// A textbook breadth-first search.
inline Parents search(const Graph& graph, Vertex key)
{
    std::vector<std::vector<Vertex>> neighbours(static_cast<std::size_t>(graph.n));
    for (const Edge& edge : graph.edges) {
        neighbours[static_cast<std::size_t>(edge.source)].push_back(edge.target);
        if (!graph.directed) neighbours[static_cast<std::size_t>(edge.target)].push_back(edge.source);
    }
    Parents parents(static_cast<std::size_t>(graph.n), kUnreached);
    parents[static_cast<std::size_t>(key)] = key;
    for (std::deque<Vertex> queue = {key}; !queue.empty(); queue.pop_front()) {
        for (const Vertex v : neighbours[static_cast<std::size_t>(queue.front())]) {
            if (parents[static_cast<std::size_t>(v)] != kUnreached) continue;
            parents[static_cast<std::size_t>(v)] = queue.front();
            queue.push_back(v);
        }
    }
    return parents;
}

/// The results stay with their owners, or every rank holds all of them.
inline constexpr Vertex kAtOwners = 0;
inline constexpr Vertex kGathered = kMaxVertices;

inline std::string name_of(const testing::TestParamInfo<ValidatorSizes>& info)
{
    return "of" + std::to_string(info.param.chunk) + (info.param.most_gathered == kAtOwners ? "AtOwners" : "Gathered");
}

class Validate : public testing::TestWithParam<ValidatorSizes>
{
protected:
    /// Validates with the edges dealt to the ranks in turn, so that shares differ in length, and
    /// the parents sent to their owners.
    BfsValidation validate(const Graph& graph, Vertex key, const Parents& parents)
    {
        return with_validator(graph, [&](BfsValidator& validator, const Partition& partition) {
            return validator.validate(key, own(graph, partition, parents));
        });
    }
    /// The same from several keys, with the nearest one of each vertex.
    BfsValidation validate_nearest(const Graph& graph, const std::vector<Vertex>& keys, const Parents& nearest,
                                   const Parents& parents)
    {
        return with_validator(graph, [&](BfsValidator& validator, const Partition& partition) {
            return validator.validate_nearest(keys, own(graph, partition, nearest), own(graph, partition, parents));
        });
    }

    /// A rank's elements of the values of all vertices.
    VertexArray own(const Graph& graph, const Partition& partition, const Parents& all)
    {
        VertexArray own(partition.chunk_size(world_.rank()), graph.n);
        for (std::uint32_t local = 0; local < partition.chunk_size(world_.rank()); ++local)
            own.set(local, all[static_cast<std::size_t>(partition.vertex(world_.rank(), local))]);
        return own;
    }

    template <typename F>
    BfsValidation with_validator(const Graph& graph, F&& f)
    {
        const auto rank = static_cast<std::size_t>(world_.rank());
        const auto ranks = static_cast<std::size_t>(world_.size());
        const Partition partition(graph.n, 1, world_.size());
        std::vector<PackedEdge> share;
        for (std::size_t i = rank; i < graph.edges.size(); i += ranks)
            share.push_back(PackedEdge::pack(graph.edges[i]));
        EdgeList list{graph.n, graph.directed, HostBuffer<PackedEdge>(share.size()), {}};
        std::ranges::copy(share, list.edges.begin());
        const ListFeed feed(list);

        BfsValidator validator(world_, partition, feed, GetParam());
        return f(validator, partition);
    }

    void expect_valid(const Graph& graph, Vertex key, EdgeCount edges, Vertex reached, Vertex eccentricity)
    {
        const BfsValidation result = validate(graph, key, search(graph, key));
        ASSERT_TRUE(result.valid()) << describe(*result.violation);
        EXPECT_EQ(result.edges, edges);
        EXPECT_EQ(result.reached, reached);
        EXPECT_EQ(result.eccentricity, eccentricity);
    }

    void expect_violation(const Graph& graph, Vertex key, const Parents& parents, Rule rule, const std::string& what)
    {
        const BfsValidation result = validate(graph, key, parents);
        ASSERT_FALSE(result.valid()) << "a broken rule was not caught";
        EXPECT_EQ(static_cast<int>(result.violation->rule), static_cast<int>(rule)) << describe(*result.violation);
        EXPECT_EQ(result.violation->what, what);
        EXPECT_NE(describe(*result.violation).find("rule " + std::to_string(static_cast<int>(rule))),
                  std::string::npos);
    }

    comm::Communicator world_ = comm::Communicator::world();
};

}  // namespace wayfront::graph500
