#include "session/degree_distribution.hpp"

#include <bit>
#include <map>
#include <numeric>
#include <span>

namespace wayfront::session {

namespace {

struct DegreeCount
{
    std::uint64_t degree;
    std::int64_t vertices;
};

// A graph of m edges has O(sqrt(m)) different degrees, since the degrees add up to at most 2 m.
using Counts = std::map<std::uint64_t, std::int64_t>;

Counts counts_of_rank(const DistributedGraph& graph)
{
    Counts counts;
    for (const std::uint32_t slot : graph.slot_of_local)
        ++counts[slot == graph.block.slot_stride ? 0 : graph.block.out_degrees[slot]];
    return counts;
}

Counts counts_of_all(const comm::Communicator& world, const Counts& own)
{
    std::vector<DegreeCount> mine;
    for (const auto& [degree, vertices] : own) mine.push_back({degree, vertices});
    const std::vector<std::size_t> sizes = world.all_gather(mine.size());
    std::vector<DegreeCount> all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    world.all_gather_v(std::span<const DegreeCount>(mine), sizes, std::span<DegreeCount>(all));
    Counts counts;
    for (const DegreeCount& one : all) counts[one.degree] += one.vertices;
    return counts;
}

/// Returns the degree of vertex number `rank` in the order of degrees.
std::uint64_t degree_at(const Counts& counts, std::int64_t rank)
{
    for (const auto& [degree, vertices] : counts) {
        if (rank < vertices) return degree;
        rank -= vertices;
    }
    return 0;
}

}  // namespace

DegreeDistribution degree_distribution(const comm::Communicator& world, const DistributedGraph& graph)
{
    const Counts counts = counts_of_all(world, counts_of_rank(graph));
    DegreeDistribution distribution;
    if (counts.empty()) return distribution;
    std::int64_t vertices = 0;
    double sum = 0;
    for (const auto& [degree, number] : counts) {
        vertices += number;
        sum += static_cast<double>(degree) * static_cast<double>(number);
        const auto bin = static_cast<std::size_t>(std::bit_width(degree));
        if (distribution.log2_histogram.size() <= bin) distribution.log2_histogram.resize(bin + 1, 0);
        distribution.log2_histogram[bin] += number;
    }
    distribution.min = counts.begin()->first;
    distribution.max = counts.rbegin()->first;
    distribution.mean = sum / static_cast<double>(vertices);
    distribution.median = (static_cast<double>(degree_at(counts, (vertices - 1) / 2)) +
                           static_cast<double>(degree_at(counts, vertices / 2))) /
                          2;
    return distribution;
}

}  // namespace wayfront::session
