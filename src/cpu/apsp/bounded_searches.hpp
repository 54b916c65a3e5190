// Finds the vertices within a limit of distance from each of many sources. Searches end at the limit.
//
// The searches are Dijkstra's algorithm with a limit, or breadth-first searches in graphs without weights. Each
// thread has sources of its own. After a search, it resets only the labels that the search has set, so that the time
// is proportional to the number of found vertices. If a search with weights finds many vertices, the next one of the
// thread is delta-stepping with a limit, after which all labels are reset. The source is found at distance 0.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "algo/apsp/distance_type.hpp"
#include "algo/apsp/sparse_rows.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/types.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

struct BoundedSearchOptions
{
    algo::Cutoff limit;                                     // distances up to it are found
    algo::DistanceType type = algo::DistanceType::float64;  // of the rows
    /// An upper bound of whole distances up to the limit; unused for other weights.
    double most_distance = 0;
    /// The entries after which rows() begins no further search.
    std::size_t batch_entries = std::size_t{1} << 20;
    /// The number of sources: no more threads than that search.
    std::size_t sources = ~std::size_t{0};
};

class BoundedSearches
{
public:
    BoundedSearches() = default;
    BoundedSearches(const BoundedSearches&) = delete;
    BoundedSearches& operator=(const BoundedSearches&) = delete;
    virtual ~BoundedSearches() = default;

    /// The method in words.
    [[nodiscard]] virtual std::string description() const = 0;
    /// The rows of the first sources, of at least one if there is one, on all threads. Throws
    /// InputError if a distance does not fit the type.
    [[nodiscard]] virtual algo::SparseRows rows(std::span<const Vertex> sources) = 0;
};

/// Edges of an unweighted graph have weight 1. Keeps a copy of the graph's arcs. Sums of floats are
/// rounded once per edge. Pre: the graph is on one rank, and no weight is negative.
[[nodiscard]] std::unique_ptr<BoundedSearches> make_bounded_searches(const DistributedGraph& graph,
                                                                     const BoundedSearchOptions& options);

/// An estimate of the bytes that the searches allocate, with a batch.
[[nodiscard]] double bounded_searches_bytes(double vertices, double arcs, int threads,
                                            const BoundedSearchOptions& options);

}  // namespace wayfront::cpu
