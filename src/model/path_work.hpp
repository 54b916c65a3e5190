// The arcs that the ranks read and the bytes that they send in a round of a search for shortest paths, in the mean
// (field_paths.hpp), for each partition of the graph. Numbers are sums over all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/process_grid.hpp"
#include "model/field_paths.hpp"
#include "model/rank_work.hpp"
#include "model/search_time.hpp"
#include "model/vertex_classes.hpp"
#include "model/virtual_sssp.hpp"

namespace wayfront::model {

/// The arcs of a list by weight. Duplicates are left out, but for the lightest one, so that light arcs are more
/// frequent than heavy ones: a list of a mean of k arcs, d of them distinct, has k (1 - exp(-m w)) / m arcs below the
/// weight w, where m is the mean number of arcs of a pair.
class ListWeights
{
public:
    ListWeights(double all, double distinct);
    [[nodiscard]] double below(double weight) const;

private:
    double all_ = 0;
    double arcs_of_pair_ = 0;
};

/// A round over R x C ranks, as the program searches (virtual_sssp.hpp counts the same of a real graph).
struct GridPathWork
{
    double arcs = 0;   // arcs whose weights are read
    double pairs = 0;  // pairs of a block and a row that the block improves
    // Only in pulls: the pairs of a block and a row that an arc of the block may still improve, judged by the
    // distances in the block. The next pull reads at least one arc of each pair.
    double candidates = 0;
};
class GridPaths
{
public:
    /// Refers to the arguments.
    GridPaths(const VertexClasses& classes, const FieldPaths& search, comm::GridShape shape);
    [[nodiscard]] GridPathWork work(const FieldRound& round) const;

private:
    const VertexClasses& classes_;
    const FieldPaths& search_;
    comm::GridShape shape_;
    std::vector<ListWeights> lists_;
};

/// The mean work and messages of a rank in a round, and in one of the drawn rounds, in which each arc finds a vertex.
/// `slot_stride`: slots of a rank.
RankWork mean_path_work(const GridPathWork& work, const FieldRound& round, comm::GridShape shape,
                        std::uint64_t slot_stride);
RankWork mean_path_work(const DrawnRound& round, comm::GridShape shape);

/// A round of a 1.5D partition, as in partition_work.hpp with distances instead of bits. All ranks have the distances
/// of the hubs, and each rank has its arcs of the hubs by hub. Over arcs between other vertices, distances are pushed
/// or queried. The program has no such search.
struct HubPathWork
{
    double arcs = 0;          // arcs whose weights are read
    double changed_hubs = 0;  // hubs whose distances all ranks receive before the round
    double pushes = 0;
    double queries = 0;  // in pulls, the arcs over which distances are queried instead of pushed
};
class HubPaths
{
public:
    /// Refers to the first two arguments.
    HubPaths(const VertexClasses& classes, const FieldPaths& search, double hubs);
    [[nodiscard]] HubPathWork work(const FieldRound& round) const;

private:
    [[nodiscard]] HubPathWork push(const FieldRound& round) const;
    [[nodiscard]] HubPathWork pull(const FieldRound& round) const;

    const VertexClasses& classes_;
    const FieldPaths& search_;
    std::vector<double> hub_;    // for each class, the share of its vertices that are hubs
    std::vector<double> other_;  // for each class, the share of the other vertices
    std::vector<ListWeights> to_all_;
    std::vector<ListWeights> to_hubs_;
    std::vector<ListWeights> to_others_;
};
RankWork mean_path_work(const HubPathWork& work, const FieldRound& round, double hubs, int ranks);

/// The rounds of a search on a grid or in 1.5D, each with one rank that stands for the mean of all.
SsspWork mean_path_work(const VertexClasses& classes, const FieldPaths& search, const SearchDesign& design);

}  // namespace wayfront::model
