#include "graph/edge_feed.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/parallel.hpp"

namespace wayfront {

namespace {
constexpr std::size_t kSerialBelowEdges = 4096;

/// Writes ordered words of the weights first to first + out.size() - 1 of a list, as weights of
/// type T.
template <typename T>
void write_words(const Weights& weights, EdgeCount first, std::span<OrderedWord<T>> out)
{
    std::visit(
        [&](const auto& list) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
                const auto* const from = list.data() + first;
                parallel_for(out.size(), kSerialBelowEdges, [&](std::size_t i) { out[i] = to_ordered(static_cast<T>(from[i])); });
            }
        },
        weights);
}
}  // namespace

void EdgeFeed::weights(EdgeCount /*first*/, std::span<std::uint32_t> /*out*/) const
{
    throw std::logic_error("this feed has no 32-bit weights");
}

void EdgeFeed::weights(EdgeCount /*first*/, std::span<std::uint64_t> /*out*/) const
{
    throw std::logic_error("this feed has no 64-bit weights");
}

WeightType choose_weight_type(const comm::Communicator& world, const EdgeList& list)
{
    std::int64_t least = 0;
    if (const auto* whole = std::get_if<HostBuffer<std::int32_t>>(&list.weights)) {
        for (const std::int32_t weight : *whole) least = std::min<std::int64_t>(least, weight);
    }
    // A rank without edges knows the type of the weights, too, as the readers agree about it.
    least = world.all_reduce(least, comm::Reduction::min);
    if (!list.weighted()) return WeightType::none;
    if (std::holds_alternative<HostBuffer<float>>(list.weights)) return WeightType::float32;
    return least < 0 ? WeightType::int64 : WeightType::uint32;
}

void ListFeed::weights(EdgeCount first, std::span<std::uint32_t> out) const
{
    if (type_ == WeightType::float32)
        write_words<float>(list_.weights, first, out);
    else
        write_words<std::uint32_t>(list_.weights, first, out);
}

void ListFeed::weights(EdgeCount first, std::span<std::uint64_t> out) const
{
    if (type_ == WeightType::float64)
        write_words<double>(list_.weights, first, out);
    else
        write_words<std::int64_t>(list_.weights, first, out);
}

SourceFeed::SourceFeed(const EdgeSource& source, int part, int parts, bool weighted) : source_(source), weighted_(weighted)
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

void SourceFeed::weights(EdgeCount first, std::span<std::uint32_t> out) const
{
    parallel_ranges(out.size(), kSerialBelowEdges, [&](IndexRange range) {
        std::array<float, 256> some;
        for (std::size_t i = range.first; i < range.last; i += some.size()) {
            const std::size_t count = std::min(some.size(), range.last - i);
            source_.weights(first_ + first + static_cast<EdgeCount>(i), std::span(some).first(count));
            for (std::size_t k = 0; k < count; ++k) out[i + k] = to_ordered(some[k]);
        }
    });
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
