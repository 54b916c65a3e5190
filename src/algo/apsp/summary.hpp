// The summary of all-pairs distances: figures that are computed from the rows as they are made, so
// that the matrix is never stored.
//
// All figures are about the pairs (source, vertex) whose vertex is reached and is not the source.
// For whole-number weights they are exact as long as sums stay below 2^53. They depend on neither
// the order of the rows nor the number of ranks and threads: sums are kept by row, and the
// histogram's bins are powers of two wide, so that widening them only adds counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

struct RowBatch;

/// Sums that exceed the range of float64 are computed of numbers divided by this power of two.
inline constexpr int kSumExponent = 128;

/// The figures of one row.
struct RowFacts
{
    /// The whole_sum of a row whose whole distances have a sum that does not fit 64 bits.
    static constexpr std::int64_t kNoWholeSum = std::numeric_limits<std::int64_t>::min();

    std::uint64_t reached = 0;  // vertices, without the source
    double eccentricity = 0;    // the largest distance; 0 if no vertex is reached
    double sum = 0;             // the sum of the distances, divided by 2^sum_exponent
    // 0 unless the sum exceeds the range of float64.
    std::int64_t sum_exponent = 0;

    // Only of summaries in full detail:
    std::int64_t whole_sum = 0;  // the exact sum of whole distances; 0 for other distances
    // The sum of the reciprocals of the distances other than 0; NaN if a distance is negative.
    double inverse_sum = 0;
};

/// Whether rows have all facts, or those that every engine finds in passing.
enum class SummaryDetail { brief, full };

/// Counts of distances in bins of equal width. Bin b counts the distances from b * width to (b + 1)
/// * width, the end excluded. The width is the smallest power of two such that kBins bins cover all
/// distances on each side of 0, but at least 1 for whole numbers, and 2^kLeastExponent for others.
class DistanceHistogram
{
public:
    static constexpr std::size_t kBins = 1024;

    /// `whole`: distances are whole numbers.
    explicit DistanceHistogram(bool whole = true) : exponent_(whole ? 0 : kNoExponent) {}

    void add(double distance, std::uint64_t count = 1);
    /// Adds a row without its source, whose distances have a magnitude of at most `most`.
    template <typename T>
    void add_row(std::span<const T> distances, std::size_t source, double most);
    /// Adds the counts of another histogram.
    void merge(const DistanceHistogram& other);

    /// Widens the bins so that they cover distances of up to this magnitude.
    void cover(double magnitude);
    /// Widens the bins to 2^exponent, if they are narrower.
    void widen_to(int exponent);
    /// 2^exponent is the width of a bin; kNoExponent if no bin was needed so far.
    [[nodiscard]] int exponent() const { return exponent_; }
    [[nodiscard]] double width() const;
    /// Counts by bin from bin 0 on, and from bin -1 downwards. Trailing bins that are empty are
    /// left out.
    [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }
    [[nodiscard]] std::span<const std::uint64_t> negative_counts() const { return negative_counts_; }
    /// Sets the counts, for example to those that were saved or summed over the ranks.
    void restore(int exponent, std::vector<std::uint64_t> counts, std::vector<std::uint64_t> negative_counts);

    /// The exponent() of whole distances of which `most` is the largest.
    [[nodiscard]] static int whole_exponent(std::uint64_t most);

    static constexpr int kNoExponent = -2000;  // below the exponent of any float64
    // Neither the width nor its reciprocal overflows.
    static constexpr int kLeastExponent = std::numeric_limits<double>::min_exponent - 1;

private:
    /// The counts of the side of 0 that bin `bin` belongs to.
    std::uint64_t& at(std::int64_t bin);

    int exponent_;
    std::vector<std::uint64_t> counts_;
    std::vector<std::uint64_t> negative_counts_;
};

/// The facts of the rows that a rank has made, by their position among the sources of the job;
/// those of other rows are 0.
class Summary
{
public:
    /// `rows`: of the job. `whole`: distances are whole numbers.
    Summary(std::size_t rows, bool whole, SummaryDetail detail = SummaryDetail::brief)
        : whole_(whole), detail_(detail), rows_(rows), histogram_(whole)
    {
    }
    [[nodiscard]] bool whole() const { return whole_; }
    [[nodiscard]] SummaryDetail detail() const { return detail_; }
    [[nodiscard]] bool is_full() const { return detail_ == SummaryDetail::full; }

    /// Adds the rows of a batch, on all threads.
    void consume(const RowBatch& batch);

    /// Sets the facts of the row at a position. Different threads may set different rows.
    void set_row(std::size_t position, const RowFacts& facts) { rows_[position] = facts; }
    /// Used by one thread at a time.
    [[nodiscard]] DistanceHistogram& histogram() { return histogram_; }

    [[nodiscard]] std::span<const RowFacts> rows() const { return rows_; }
    [[nodiscard]] std::span<RowFacts> rows() { return rows_; }
    [[nodiscard]] const DistanceHistogram& histogram() const { return histogram_; }

private:
    bool whole_;
    SummaryDetail detail_;
    std::vector<RowFacts> rows_;
    DistanceHistogram histogram_;
};

/// The facts of the row of `source`, whose distances are also added to the histogram. `whole`:
/// distances are whole numbers.
template <typename T>
[[nodiscard]] RowFacts facts_of_row(std::span<const T> distances, Vertex source, DistanceHistogram& histogram,
                                    SummaryDetail detail = SummaryDetail::brief, bool whole = std::is_integral_v<T>);

/// The figures of a whole job.
struct SummaryFigures
{
    std::uint64_t reachable_pairs = 0;
    double average = 0;   // shortest path length; 0 without pairs
    double diameter = 0;  // the largest eccentricity
    double radius = 0;    // the smallest eccentricity of a source that reaches a vertex
};
[[nodiscard]] SummaryFigures figures_of(std::span<const RowFacts> rows);

/// The positions of the rows with this eccentricity that reach a vertex: the center with the radius,
/// and the periphery with the diameter.
[[nodiscard]] std::vector<std::size_t> rows_of_eccentricity(std::span<const RowFacts> rows, double eccentricity);

/// A sum of distances.
struct DistanceSum
{
    double value = 0;                        // may be infinite
    std::optional<std::int64_t> whole = {};  // exactly, if distances are whole numbers and 64 bits hold it
};
/// The sum of all distances of all rows.
[[nodiscard]] DistanceSum distance_sum_of(const Summary& summary);

/// The mean of the reciprocals of the distances of all ordered pairs of `vertices` vertices, all of
/// which are sources: V. Latora and M. Marchiori, "Efficient Behavior of Small-World Networks",
/// Physical Review Letters 87, 2001. Pairs at a distance of 0 and pairs without a path add 0. None if
/// a distance is negative, if the mean exceeds float64, or if it is unknown: a summary in brief
/// knows it if all distances are whole numbers below DistanceHistogram::kBins.
[[nodiscard]] std::optional<double> global_efficiency_of(const Summary& summary, Vertex vertices);

/// The harmonic closeness of a source: the sum of the reciprocals of the distances other than 0 to
/// the vertices that it reaches. None if a distance is negative, or if the sum exceeds float64. Pre:
/// the facts are of a summary in full detail.
[[nodiscard]] std::optional<double> harmonic_closeness_of(const RowFacts& facts);

/// The closeness of a source: (r / sum) * (r / (n - 1)), with r reached vertices of n, after S.
/// Wasserman and K. Faust, "Social Network Analysis", 1994, for graphs that are not connected; 0 if
/// no vertex is reached. This closeness is outward: the sum is that of the distances from the source. None if the sum
/// of the distances is 0, or negative, or if the closeness exceeds float64.
[[nodiscard]] std::optional<double> closeness_of(const RowFacts& facts, Vertex vertices);

}  // namespace wayfront::algo
