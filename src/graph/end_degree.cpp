#include "graph/end_degree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/host_buffer.hpp"
#include "graph/csr_builder.hpp"
#include "graph/generators/hash.hpp"

namespace wayfront {

namespace {

constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 16;  // edges of all ranks

void sort_by_bits(std::span<std::uint64_t> numbers)
{
    if (numbers.empty()) return;
    HostBuffer<std::uint64_t> scratch(numbers.size());
    detail::radix_sort(numbers, scratch.span(),
                       static_cast<unsigned>(std::bit_width(*std::ranges::max_element(numbers))));
}

}  // namespace

DegreeSums sum_degrees(std::span<const std::uint32_t> degrees)
{
    constexpr std::size_t serial_below = 1 << 14;
    double vertices = 0;
    double edges = 0;
    double squares = 0;
#pragma omp parallel for reduction(+ : vertices, edges, squares) if (degrees.size() >= serial_below)
    for (std::size_t i = 0; i < degrees.size(); ++i) {
        const auto degree = static_cast<double>(degrees[i]);
        vertices += degree > 0 ? 1 : 0;
        edges += degree;
        squares += degree * degree;
    }
    return {vertices, edges, squares};
}

double estimate_end_degree(const comm::Communicator& world, const EdgeFeed& feed)
{
    const auto own = static_cast<std::uint64_t>(feed.size());
    const std::uint64_t edges = world.all_reduce(own, comm::Reduction::sum);
    const bool all = edges <= kMostSamples;
    // Each rank's part of the sample is that of the edges.
    const double share = edges > 0 ? static_cast<double>(own) / static_cast<double>(edges) : 0;
    const std::uint64_t own_samples =
        all ? own : static_cast<std::uint64_t>(std::llround(share * static_cast<double>(kMostSamples)));
    const std::uint64_t key = random_key(0, RandomPurpose::edge_samples, static_cast<std::uint64_t>(world.rank()));
    HostBuffer<std::uint64_t> numbers(own_samples);
    for (std::uint64_t i = 0; i < own_samples; ++i) numbers[i] = all ? i : random_below(random_word(key, i), own);
    sort_by_bits(numbers.span());  // so that the edges are read in their order
    std::vector<std::uint64_t> own_ends;
    own_ends.reserve(2 * own_samples);
    PackedEdge room{};
    for (const std::uint64_t number : numbers) {
        const PackedEdge edge = feed.chunk(static_cast<EdgeCount>(number), 1, std::span(&room, 1)).front();
        if (edge.source() == edge.target()) continue;
        own_ends.push_back(static_cast<std::uint64_t>(edge.source()));
        own_ends.push_back(static_cast<std::uint64_t>(edge.target()));
    }
    const std::vector<std::size_t> counts = world.all_gather(own_ends.size());
    std::size_t total = 0;
    for (const std::size_t count : counts) total += count;
    if (total == 0) return 0;
    HostBuffer<std::uint64_t> ends(total);
    world.all_gather_v(std::span<const std::uint64_t>(own_ends), counts, ends.span());
    sort_by_bits(ends.span());
    // Sum over all ends: the number of other ends at the same vertex.
    double same = 0;
    for (auto first = ends.begin(); first != ends.end();) {
        const auto last = std::find_if(first, ends.end(), [vertex = *first](auto other) { return other != vertex; });
        const auto count = static_cast<double>(last - first);
        same += count * (count - 1);
        first = last;
    }
    const double others = same / static_cast<double>(total);
    if (all) return 1 + others;
    // The sample is with replacement: the same edge is drawn again as often as any other edge of the vertex, so that
    // `others` counts the end itself, too.
    const auto samples = static_cast<double>(world.all_reduce(own_samples, comm::Reduction::sum));
    return others * static_cast<double>(edges) / (samples - 1);
}

}  // namespace wayfront
