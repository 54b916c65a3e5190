#include "algo/apsp/summary.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>

#include "algo/apsp/compensated_sum.hpp"
#include "algo/apsp/rows.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

constexpr int kBinBits = 10;
static_assert(DistanceHistogram::kBins == 1U << kBinBits);

template <typename T>
void scale_sum(std::span<const T> distances, std::size_t source, RowFacts& facts)
{
    facts.sum = 0;
    facts.sum_exponent = kSumExponent;
    for (std::size_t v = 0; v < distances.size(); ++v)
        if (v != source && distances[v] != unreached<T>())
            facts.sum += std::ldexp(static_cast<double>(distances[v]), -kSumExponent);
}

/// Adds up whole numbers of up to 2^63 each, up to 2^31 of them, in any order with the same result.
class WholeSum
{
public:
    void add(std::int64_t value)
    {
        high_ += value >> kLowBits;
        low_ += static_cast<std::uint64_t>(value) & kLowMask;
    }
    [[nodiscard]] std::int64_t value() const
    {
        const std::int64_t high = high_ + static_cast<std::int64_t>(low_ >> kLowBits);
        std::int64_t sum = 0;
        const bool exceeds = __builtin_mul_overflow(high, std::int64_t{1} << kLowBits, &sum) ||
                             __builtin_add_overflow(sum, static_cast<std::int64_t>(low_ & kLowMask), &sum);
        return exceeds ? RowFacts::kNoWholeSum : sum;
    }

private:
    static constexpr int kLowBits = 32;
    static constexpr std::uint64_t kLowMask = (std::uint64_t{1} << kLowBits) - 1;

    std::int64_t high_ = 0;
    std::uint64_t low_ = 0;
};

/// Calls f(distance) for each vertex that is reached, without the source.
template <typename T, typename F>
void for_each_distance(std::span<const T> distances, std::size_t source, F&& f)
{
    for (const std::span<const T> part : {distances.first(source), distances.subspan(source + 1)})
        for (const T distance : part)
            if (distance != unreached<T>()) f(distance);
}

/// Adds the facts that a summary in brief leaves out.
template <typename T>
void complete_facts(std::span<const T> distances, std::size_t source, bool whole, RowFacts& facts)
{
    CompensatedSum inverses;
    WholeSum sum;
    bool negative = false;
    for_each_distance(distances, source, [&](T distance) {
        if (whole) sum.add(static_cast<std::int64_t>(distance));
        if (distance != 0) inverses.add(1 / static_cast<double>(distance));
        negative = negative || distance < T{0};
    });
    facts.whole_sum = sum.value();
    facts.inverse_sum = negative ? std::numeric_limits<double>::quiet_NaN() : inverses.value();
}

void widen(std::vector<std::uint64_t>& counts, int by)
{
    constexpr int all_bits = 63;
    const int shift = std::min(by, all_bits);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const std::uint64_t count = std::exchange(counts[bin], 0);
        counts[bin >> shift] += count;
    }
    while (!counts.empty() && counts.back() == 0) counts.pop_back();
}

}  // namespace

double DistanceHistogram::width() const
{
    return exponent_ == kNoExponent ? 0 : std::ldexp(1.0, exponent_);
}

void DistanceHistogram::cover(double magnitude)
{
    if (magnitude == 0) return;
    widen_to(std::max(std::ilogb(magnitude) - (kBinBits - 1), kLeastExponent));
}

int DistanceHistogram::whole_exponent(std::uint64_t most)
{
    return std::max(static_cast<int>(std::bit_width(most)) - kBinBits, 0);
}

void DistanceHistogram::widen_to(int exponent)
{
    if (exponent <= exponent_) return;
    // If there was no width of bins before, all distances were 0.
    const int by = exponent_ == kNoExponent ? 0 : exponent - exponent_;
    widen(counts_, by);
    widen(negative_counts_, by);
    exponent_ = exponent;
}

std::uint64_t& DistanceHistogram::at(std::int64_t bin)
{
    std::vector<std::uint64_t>& side = bin >= 0 ? counts_ : negative_counts_;
    const auto index = static_cast<std::size_t>(bin >= 0 ? bin : -1 - bin);
    if (index >= side.size()) side.resize(index + 1);
    return side[index];
}

void DistanceHistogram::add(double distance, std::uint64_t count)
{
    cover(std::abs(distance));
    at(distance == 0 ? 0 : static_cast<std::int64_t>(std::floor(std::ldexp(distance, -exponent_)))) += count;
}

template <typename T>
void DistanceHistogram::add_row(std::span<const T> distances, std::size_t source, double most)
{
    cover(most);
    const double scale = exponent_ == kNoExponent ? 0 : std::ldexp(1.0, -exponent_);
    const auto add_part = [&](std::span<const T> part) {
        for (const T distance : part) {
            if (distance == unreached<T>()) continue;
            if constexpr (std::is_integral_v<T>)
                ++at(static_cast<std::int64_t>(distance) >> exponent_);
            else
                ++at(static_cast<std::int64_t>(std::floor(static_cast<double>(distance) * scale)));
        }
    };
    add_part(distances.first(source));
    add_part(distances.subspan(source + 1));
}

void DistanceHistogram::merge(const DistanceHistogram& other)
{
    widen_to(other.exponent_);
    const int shift = other.exponent_ == kNoExponent ? 0 : std::min(exponent_ - other.exponent_, 63);
    for (std::size_t bin = 0; bin < other.counts_.size(); ++bin)
        if (other.counts_[bin] > 0) at(static_cast<std::int64_t>(bin >> shift)) += other.counts_[bin];
    for (std::size_t bin = 0; bin < other.negative_counts_.size(); ++bin)
        if (other.negative_counts_[bin] > 0)
            at(-1 - static_cast<std::int64_t>(bin >> shift)) += other.negative_counts_[bin];
}

void DistanceHistogram::restore(int exponent, std::vector<std::uint64_t> counts,
                                std::vector<std::uint64_t> negative_counts)
{
    exponent_ = exponent;
    counts_ = std::move(counts);
    negative_counts_ = std::move(negative_counts);
}

template <typename T>
RowFacts facts_of_row(std::span<const T> distances, Vertex source, DistanceHistogram& histogram, SummaryDetail detail,
                      bool whole)
{
    RowFacts facts;
    T most = std::numeric_limits<T>::lowest();
    T least = std::numeric_limits<T>::max();
    const auto own = static_cast<std::size_t>(source);
    for_each_distance(distances, own, [&](T distance) {
        ++facts.reached;
        facts.sum += static_cast<double>(distance);
        most = std::max(most, distance);
        least = std::min(least, distance);
    });
    if (facts.reached == 0) return facts;
    if (detail == SummaryDetail::full) complete_facts(distances, own, whole, facts);
    if (!std::isfinite(facts.sum)) scale_sum(distances, own, facts);
    facts.eccentricity = static_cast<double>(most);
    histogram.add_row(distances, own,
                      std::max(std::abs(static_cast<double>(most)), std::abs(static_cast<double>(least))));
    return facts;
}

template RowFacts facts_of_row(std::span<const std::uint16_t>, Vertex, DistanceHistogram&, SummaryDetail, bool);
template RowFacts facts_of_row(std::span<const std::uint32_t>, Vertex, DistanceHistogram&, SummaryDetail, bool);
template RowFacts facts_of_row(std::span<const std::int32_t>, Vertex, DistanceHistogram&, SummaryDetail, bool);
template RowFacts facts_of_row(std::span<const std::int64_t>, Vertex, DistanceHistogram&, SummaryDetail, bool);
template RowFacts facts_of_row(std::span<const float>, Vertex, DistanceHistogram&, SummaryDetail, bool);
template RowFacts facts_of_row(std::span<const double>, Vertex, DistanceHistogram&, SummaryDetail, bool);

void Summary::consume(const RowBatch& batch)
{
    std::mutex lock;
    std::visit(
        [&]<typename T>(std::span<const T> distances) {
            parallel_ranges(batch.sources.size(), 2, [&](IndexRange range) {
                DistanceHistogram own(whole_);
                for (std::size_t i = range.first; i < range.last; ++i)
                    set_row(batch.first + i, facts_of_row(distances.subspan(i * batch.columns, batch.columns),
                                                          batch.sources[i], own, detail_, whole_));
                const std::lock_guard guard(lock);
                histogram_.merge(own);
            });
        },
        batch.distances);
}

SummaryFigures figures_of(std::span<const RowFacts> rows)
{
    SummaryFigures figures;
    CompensatedSum sum;
    CompensatedSum scaled;
    bool exceeds = false;  // whether the sum of a row exceeds float64
    for (const RowFacts& facts : rows) {
        if (facts.reached == 0) continue;
        figures.diameter =
            figures.reachable_pairs == 0 ? facts.eccentricity : std::max(figures.diameter, facts.eccentricity);
        figures.radius =
            figures.reachable_pairs == 0 ? facts.eccentricity : std::min(figures.radius, facts.eccentricity);
        figures.reachable_pairs += facts.reached;
        exceeds = exceeds || facts.sum_exponent != 0;
        sum.add(facts.sum);
        scaled.add(std::ldexp(facts.sum, static_cast<int>(facts.sum_exponent) - kSumExponent));
    }
    const auto pairs = static_cast<double>(figures.reachable_pairs);
    if (pairs > 0)
        figures.average = !exceeds && std::isfinite(sum.value()) ? sum.value() / pairs
                                                                 : std::ldexp(scaled.value() / pairs, kSumExponent);
    return figures;
}

std::vector<std::size_t> rows_of_eccentricity(std::span<const RowFacts> rows, double eccentricity)
{
    std::vector<std::size_t> positions;
    for (std::size_t position = 0; position < rows.size(); ++position)
        if (rows[position].reached > 0 && rows[position].eccentricity == eccentricity) positions.push_back(position);
    return positions;
}

DistanceSum distance_sum_of(const Summary& summary)
{
    constexpr double most_exact = 0x1p53;
    CompensatedSum sum;
    WholeSum whole;
    bool is_exact = summary.whole();
    for (const RowFacts& facts : summary.rows()) {
        sum.add(std::ldexp(facts.sum, static_cast<int>(facts.sum_exponent)));
        const bool from_float = !summary.is_full();
        is_exact =
            is_exact && (from_float ? std::abs(facts.sum) < most_exact : facts.whole_sum != RowFacts::kNoWholeSum);
        if (is_exact) whole.add(from_float ? static_cast<std::int64_t>(facts.sum) : facts.whole_sum);
    }
    if (!is_exact || whole.value() == RowFacts::kNoWholeSum) return {sum.value()};
    return {static_cast<double>(whole.value()), whole.value()};
}

std::optional<double> global_efficiency_of(const Summary& summary, Vertex vertices)
{
    if (vertices < 2) return 0;
    CompensatedSum sum;
    const DistanceHistogram& histogram = summary.histogram();
    if (summary.whole() && histogram.exponent() == 0 && histogram.negative_counts().empty()) {
        for (std::size_t distance = 1; distance < histogram.counts().size(); ++distance)
            sum.add(1 / static_cast<double>(distance), static_cast<double>(histogram.counts()[distance]));
    } else if (summary.is_full()) {
        for (const RowFacts& facts : summary.rows()) sum.add(facts.inverse_sum);
    } else {
        return std::nullopt;
    }
    const auto others = static_cast<double>(vertices - 1);
    const double efficiency = sum.value() / static_cast<double>(vertices) / others;
    return std::isfinite(efficiency) ? std::optional(efficiency) : std::nullopt;
}

std::optional<double> harmonic_closeness_of(const RowFacts& facts)
{
    return std::isfinite(facts.inverse_sum) ? std::optional(facts.inverse_sum) : std::nullopt;
}

std::optional<double> closeness_of(const RowFacts& facts, Vertex vertices)
{
    if (facts.reached == 0) return 0;
    if (facts.sum <= 0) return std::nullopt;
    const auto reached = static_cast<double>(facts.reached);
    const double closeness = std::ldexp(reached / facts.sum * (reached / static_cast<double>(vertices - 1)),
                                        -static_cast<int>(facts.sum_exponent));
    return std::isfinite(closeness) ? std::optional(closeness) : std::nullopt;
}

}  // namespace wayfront::algo
