#include "graph/edge_feed.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"

namespace wayfront {

namespace {
constexpr std::size_t kSerialBelowEdges = 4096;

/// Writes ordered words of the weights first to first + out.size() - 1, as weights of type T.
template <typename T>
void write_words(const WeightSpans& weights, EdgeCount first, std::span<OrderedWord<T>> out)
{
    visit_weights(weights, [&](const auto& list) {
        const auto* const from = list.data() + first;
        parallel_for(out.size(), kSerialBelowEdges,
                     [&](std::size_t i) { out[i] = to_ordered(static_cast<T>(from[i])); });
    });
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

WeightType choose_weight_type(const comm::Communicator& world, const WeightSpans& weights)
{
    // A rank without edges also knows the kind of the weights, because the readers agree about it.
    if (std::holds_alternative<std::monostate>(weights)) return WeightType::none;
    if (std::holds_alternative<std::span<const float>>(weights)) return WeightType::float32;
    if (std::holds_alternative<std::span<const double>>(weights)) return WeightType::float64;
    bool narrow = true;
    visit_weights(weights, [&]<typename T>(std::span<const T> all) {
        if constexpr (std::is_integral_v<T>)
            narrow = std::ranges::all_of(all, [](T weight) { return std::in_range<std::uint32_t>(weight); });
    });
    return world.all(narrow) ? WeightType::uint32 : WeightType::int64;
}

void write_weights(const WeightSpans& weights, WeightType type, EdgeCount first, std::span<std::uint32_t> out)
{
    if (type == WeightType::float32)
        write_words<float>(weights, first, out);
    else
        write_words<std::uint32_t>(weights, first, out);
}

void write_weights(const WeightSpans& weights, WeightType type, EdgeCount first, std::span<std::uint64_t> out)
{
    if (type == WeightType::float64)
        write_words<double>(weights, first, out);
    else
        write_words<std::int64_t>(weights, first, out);
}

SourceFeed::SourceFeed(const EdgeSource& source, int part, int parts, bool weighted)
    : source_(source), weighted_(weighted)
{
    const IndexRange range = part_of(static_cast<std::size_t>(source.edge_count()), static_cast<std::size_t>(part),
                                     static_cast<std::size_t>(parts));
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
    parallel_ranges(out.size(), kSerialBelowEdges, [&](IndexRange range) {
        source.edges(first + static_cast<EdgeCount>(range.first), out.subspan(range.first, range.size()));
    });
}

EdgeList generate_share(const EdgeSource& source, int part, int parts, bool with_weights)
{
    const IndexRange range = part_of(static_cast<std::size_t>(source.edge_count()), static_cast<std::size_t>(part),
                                     static_cast<std::size_t>(parts));
    const auto first = static_cast<EdgeCount>(range.first);
    EdgeList list{source.vertex_count(), source.directed(), HostBuffer<PackedEdge>(range.size()), {}};
    generate_parallel(source, first, list.edges.span());
    if (with_weights) {
        HostBuffer<float> weights(range.size());
        bool weighted = true;
        parallel_ranges(range.size(), kSerialBelowEdges, [&](IndexRange own) {
            if (!source.weights(first + static_cast<EdgeCount>(own.first),
                                weights.span().subspan(own.first, own.size()))) {
#pragma omp atomic write
                weighted = false;
            }
        });
        if (weighted) list.weights = std::move(weights);
    }
    return list;
}

}  // namespace wayfront
