// A sample of the weights, from which the width of windows follows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "graph/generators/hash.hpp"

namespace wayfront::algo {

/// At most `most` of `count` weights. weight_at(i) is weight i. One at random of each part of them: lists may all have
/// one length, and be sorted by weight. Each `stream` takes others.
template <typename WeightAt>
[[nodiscard]] std::vector<double> sample_weights(std::size_t count, std::size_t most, std::uint64_t stream,
                                                 WeightAt&& weight_at)
{
    const std::uint64_t key = random_key(0, RandomPurpose::edge_samples, stream);
    std::vector<double> sample;
    const std::size_t samples = std::min(most, count);
    for (std::size_t i = 0; i < samples; ++i) {
        const IndexRange part = part_of(count, i, samples);
        sample.push_back(static_cast<double>(weight_at(part.first + random_below(random_word(key, i), part.size()))));
    }
    return sample;
}

/// The weight that `share` of the sample are below, which is reordered. Pre: the sample is not empty.
[[nodiscard]] inline double weight_at_share(std::vector<double>& sample, double share)
{
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(sample.size()));
    const auto place = sample.begin() + static_cast<std::ptrdiff_t>(std::min(rank, sample.size() - 1));
    std::ranges::nth_element(sample, place);
    return *place;
}

}  // namespace wayfront::algo
