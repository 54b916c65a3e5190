#include "graph/end_degree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/generators/hash.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kMostSamples = std::size_t{1} << 16;  // edges of all ranks

}  // namespace

double estimate_end_degree(const comm::Communicator& world, const EdgeList& list)
{
    const std::size_t own = list.edges.size();
    const std::size_t samples = std::min(own, kMostSamples / static_cast<std::size_t>(world.size()) + 1);
    const std::uint64_t key = random_key(static_cast<std::uint64_t>(world.rank()), RandomPurpose::edge_samples);
    std::vector<Vertex> own_ends;
    for (std::size_t i = 0; i < samples; ++i) {
        const PackedEdge edge = list.edges[samples == own ? i : static_cast<std::size_t>(random_below(random_word(key, i), own))];
        if (edge.source() == edge.target()) continue;
        own_ends.push_back(edge.source());
        own_ends.push_back(edge.target());
    }
    const std::vector<std::size_t> counts = world.all_gather(own_ends.size());
    std::size_t total = 0;
    for (const std::size_t count : counts) total += count;
    if (total == 0) return 0;
    std::vector<Vertex> ends(total);
    world.all_gather_v(std::span<const Vertex>(own_ends), counts, std::span(ends));
    std::ranges::sort(ends);
    // How many of the other ends are the same vertex, added up over all ends.
    double same = 0;
    for (auto first = ends.begin(); first != ends.end();) {
        const auto last = std::find_if(first, ends.end(), [vertex = *first](Vertex other) { return other != vertex; });
        const auto count = static_cast<double>(last - first);
        same += count * (count - 1);
        first = last;
    }
    const auto sampled = static_cast<double>(world.all_reduce(static_cast<std::int64_t>(samples), comm::Reduction::sum));
    const auto edges = static_cast<double>(world.all_reduce(static_cast<std::int64_t>(own), comm::Reduction::sum));
    return 1 + same / static_cast<double>(total) * (edges / sampled);
}

}  // namespace wayfront
