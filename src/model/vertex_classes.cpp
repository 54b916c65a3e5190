#include "model/vertex_classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wayfront::model {

namespace {

// The probabilities of the four quadrants of an edge's bit, as Graph500 chooses them.
constexpr double kBothZero = 0.57;
constexpr double kOneOfTwo = 0.19;  // for either end
constexpr double kBothOne = 0.05;
constexpr double kZero = kBothZero + kOneOfTwo;
constexpr double kOne = kOneOfTwo + kBothOne;

double log_binomial(int n, int k)
{
    return std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
}

/// The probabilities of 0 to n successes.
std::vector<double> binomial(int n, double p)
{
    std::vector<double> result(static_cast<std::size_t>(n) + 1);
    for (int k = 0; k <= n; ++k)
        result[static_cast<std::size_t>(k)] = std::exp(log_binomial(n, k) + k * std::log(p) + (n - k) * std::log1p(-p));
    return result;
}

/// The distribution of the sum of two numbers.
std::vector<double> sum_of(const std::vector<double>& a, const std::vector<double>& b)
{
    std::vector<double> result(a.size() + b.size() - 1, 0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
    return result;
}

/// The share of arcs between vertices of `first` and of `second` one-bits that are left without
/// duplicates. Pairs of vertices with the same number of common one-bits have the same mean number of
/// arcs.
double distinct_share(int scale, double arcs, int first, int second)
{
    double all = 0;
    double distinct = 0;
    for (int common = std::max(0, first + second - scale); common <= std::min(first, second); ++common) {
        const int mixed = first + second - 2 * common;
        const int zeros = scale - mixed - common;
        // The common bits are chosen among those of `first`, the bits of `second` alone among the others.
        const double pairs = std::exp(log_binomial(first, common) + log_binomial(scale - first, second - common));
        const double mean = arcs * std::pow(kBothZero, zeros) * std::pow(kOneOfTwo, mixed) * std::pow(kBothOne, common);
        all += pairs * mean;
        distinct += pairs * -std::expm1(-mean);
    }
    return distinct / all;
}

}  // namespace

double VertexClasses::vertices() const
{
    return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

double VertexClasses::arcs() const
{
    return std::inner_product(sizes.begin(), sizes.end(), degrees.begin(), 0.0);
}

double VertexClasses::connected() const
{
    double sum = 0;
    for (std::size_t k = 0; k < count(); ++k) sum += sizes[k] * -std::expm1(-degrees[k]);
    return sum;
}

double VertexClasses::leaves() const
{
    double sum = 0;
    for (std::size_t k = 0; k < count(); ++k) sum += sizes[k] * degrees[k] * std::exp(-degrees[k]);
    return sum;
}

double VertexClasses::degree_at_ends() const
{
    // A vertex with a mean of k arcs has k^2 + k at their ends.
    double squares = 0;
    for (std::size_t k = 0; k < count(); ++k) squares += sizes[k] * (degrees[k] * degrees[k] + degrees[k]);
    return squares / arcs();
}

double VertexClasses::lighter_arcs(double weight) const
{
    double sum = 0;
    for (const Pairs& each : pairs) sum += each.number * -std::expm1(-each.arcs * weight);
    return sum;
}

VertexClasses kronecker_classes(int scale, double edge_factor)
{
    VertexClasses classes;
    const double edges = edge_factor * std::exp2(scale);
    for (int ones = 0; ones <= scale; ++ones) {
        classes.sizes.push_back(std::exp(log_binomial(scale, ones)));
        classes.degrees.push_back(2 * edges * std::pow(kZero, scale - ones) * std::pow(kOne, ones));
        classes.ends.push_back(sum_of(binomial(scale - ones, kOneOfTwo / kZero), binomial(ones, kBothOne / kOne)));
    }
    double distinct = 0;
    for (int k = 0; k <= scale; ++k) {
        const auto own = static_cast<std::size_t>(k);
        std::vector<double>& shares = classes.distinct_ends.emplace_back();
        for (int j = 0; j <= scale; ++j) {
            shares.push_back(distinct_share(scale, 2 * edges, k, j));
            distinct +=
                classes.sizes[own] * classes.degrees[own] * classes.ends[own][shares.size() - 1] * shares.back();
        }
    }
    classes.distinct = distinct / classes.arcs();
    // Each bit of a pair is 0 in both numbers, in one of them, or in none.
    for (int zeros = 0; zeros <= scale; ++zeros)
        for (int mixed = 0; mixed <= scale - zeros; ++mixed) {
            const int ones = scale - zeros - mixed;
            const double number =
                std::exp(log_binomial(scale, zeros) + log_binomial(scale - zeros, mixed)) * std::exp2(mixed);
            classes.pairs.push_back({number, 2 * edges * std::pow(kBothZero, zeros) * std::pow(kOneOfTwo, mixed) *
                                                 std::pow(kBothOne, ones)});
        }
    return classes;
}

VertexClasses uniform_classes(double vertices, double edges)
{
    VertexClasses classes;
    classes.sizes = {vertices};
    classes.degrees = {2 * edges / vertices};
    classes.ends = {{1.0}};
    const double pairs = vertices * vertices / 2;
    classes.distinct = pairs * -std::expm1(-edges / pairs) / edges;
    classes.distinct_ends = {{classes.distinct}};
    classes.pairs = {{2 * pairs, edges / pairs}};
    return classes;
}

std::vector<double> hub_shares(const VertexClasses& classes, double hubs)
{
    std::vector<double> shares;
    for (const double size : classes.sizes) {
        shares.push_back(std::clamp(hubs / size, 0.0, 1.0));
        hubs -= size;
    }
    return shares;
}

}  // namespace wayfront::model
