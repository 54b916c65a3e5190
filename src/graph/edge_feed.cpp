#include "graph/edge_feed.hpp"

#include "base/parallel.hpp"

namespace wayfront {

namespace {
constexpr std::size_t kSerialBelowEdges = 4096;
}

SourceFeed::SourceFeed(const EdgeSource& source, int part, int parts) : source_(source)
{
    const IndexRange range = part_of(static_cast<std::size_t>(source.edge_count()), static_cast<std::size_t>(part), static_cast<std::size_t>(parts));
    first_ = static_cast<EdgeCount>(range.first);
    last_ = static_cast<EdgeCount>(range.last);
}

std::span<const PackedEdge> SourceFeed::chunk(EdgeCount first, std::size_t count, std::span<PackedEdge> scratch) const
{
    const std::span<PackedEdge> out = scratch.first(count);
    generate_parallel(source_, first_ + first, out);
    return out;
}

void generate_parallel(const EdgeSource& source, EdgeCount first, std::span<PackedEdge> out)
{
    parallel_ranges(out.size(), kSerialBelowEdges,
                    [&](IndexRange range) { source.edges(first + static_cast<EdgeCount>(range.first), out.subspan(range.first, range.size())); });
}

EdgeList generate_share(const EdgeSource& source, int part, int parts, bool with_weights)
{
    const IndexRange range = part_of(static_cast<std::size_t>(source.edge_count()), static_cast<std::size_t>(part), static_cast<std::size_t>(parts));
    const auto first = static_cast<EdgeCount>(range.first);
    EdgeList list{source.vertex_count(), source.directed(), HostBuffer<PackedEdge>(range.size()), {}};
    generate_parallel(source, first, list.edges.span());
    if (with_weights) {
        HostBuffer<float> weights(range.size());
        bool weighted = true;
        parallel_ranges(range.size(), kSerialBelowEdges, [&](IndexRange own) {
            if (!source.weights(first + static_cast<EdgeCount>(own.first), weights.span().subspan(own.first, own.size()))) {
#pragma omp atomic write
                weighted = false;
            }
        });
        if (weighted) list.weights = std::move(weights);
    }
    return list;
}

}  // namespace wayfront
