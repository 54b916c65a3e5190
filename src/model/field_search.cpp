#include "model/field_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace wayfront::model {

namespace {

constexpr int kMostLevels = 1000;
constexpr double kLargeNumber = 1e5;  // from here on, a drawn number would hardly differ from its mean

double draw(double mean, std::mt19937_64& random)
{
    if (mean <= 0 || mean > kLargeNumber) return std::max(mean, 0.0);
    return static_cast<double>(std::poisson_distribution<std::int64_t>(mean)(random));
}

/// Draws a number that is not 0.
double draw_from_one(double mean, std::mt19937_64& random)
{
    constexpr double rarely_two = 0.01;
    if (mean < rarely_two) return 1;
    double number = 0;
    while (number == 0) number = draw(mean, random);
    return number;
}

class FieldSearch
{
public:
    FieldSearch(const VertexClasses& classes, std::mt19937_64& random)
        : classes_(classes), random_(random), arcs_(classes.count(), 0)
    {
    }

    std::vector<FieldLevel> run(const algo::DirectionPolicy& direction);

private:
    [[nodiscard]] FieldLevel first_level();
    void count(FieldLevel& level, algo::SearchDirection& directions) const;
    [[nodiscard]] std::vector<double> found_in(const FieldLevel& level);
    void add_arcs(const FieldLevel& level);

    const VertexClasses& classes_;
    std::mt19937_64& random_;
    std::vector<double> arcs_;  // mean number from the frontier to vertices not reached, by class
};

FieldLevel FieldSearch::first_level()
{
    std::vector<double> connected;
    for (std::size_t k = 0; k < classes_.count(); ++k)
        connected.push_back(classes_.sizes[k] * -std::expm1(-classes_.degrees[k]));
    const auto key_class = std::discrete_distribution<std::size_t>(connected.begin(), connected.end())(random_);
    const double degree = draw_from_one(classes_.degrees[key_class], random_);

    FieldLevel level;
    level.frontier.assign(classes_.count(), 0);
    level.previous = level.frontier;
    level.open.assign(classes_.count(), 1);
    level.frontier[key_class] = 1 / classes_.sizes[key_class];
    level.open[key_class] -= level.frontier[key_class];
    for (std::size_t j = 0; j < classes_.count(); ++j) arcs_[j] = degree * classes_.ends[key_class][j];
    return level;
}

void FieldSearch::count(FieldLevel& level, algo::SearchDirection& directions) const
{
    for (std::size_t k = 0; k < classes_.count(); ++k) {
        level.vertices += classes_.sizes[k] * level.frontier[k];
        const double out_arcs = classes_.sizes[k] * level.frontier[k] * classes_.degrees[k];
        level.out_arcs += out_arcs;
        for (std::size_t j = 0; out_arcs > 0 && j < classes_.count(); ++j)
            level.distinct_out_arcs += out_arcs * classes_.ends[k][j] * classes_.distinct_ends[k][j];
        const OpenArcs arcs(classes_, level, k);
        double all = 0;
        for (const double mean : arcs.all) all += mean;
        level.open_rows += classes_.sizes[k] * level.open[k] * -std::expm1(-all);
    }
    level.direction = directions.next({static_cast<std::uint64_t>(std::llround(level.vertices)),
                                       static_cast<std::uint64_t>(std::llround(level.out_arcs))});
}

void FieldSearch::add_arcs(const FieldLevel& level)
{
    std::ranges::fill(arcs_, 0);
    for (std::size_t k = 0; k < classes_.count(); ++k) {
        const double out = classes_.sizes[k] * level.frontier[k] * classes_.degrees[k];
        if (out > 0)
            for (std::size_t j = 0; j < classes_.count(); ++j) arcs_[j] += out * classes_.ends[k][j] * level.open[j];
    }
}

std::vector<double> FieldSearch::found_in(const FieldLevel& level)
{
    std::vector<double> found(classes_.count(), 0);
    for (std::size_t j = 0; j < classes_.count(); ++j) {
        const double open = classes_.sizes[j] * level.open[j];
        const double arcs = draw(arcs_[j], random_);
        if (open <= 0 || arcs <= 0) continue;
        // Several arcs may end at one vertex. There is no part of a vertex while numbers are drawn.
        const double distinct = arcs <= 1 ? arcs : open * -std::expm1(-arcs / open);
        found[j] = std::min(open, distinct) / classes_.sizes[j];
    }
    return found;
}

std::vector<FieldLevel> FieldSearch::run(const algo::DirectionPolicy& direction)
{
    algo::SearchDirection directions(
        direction.bounds({.vertices = classes_.connected(), .arcs = classes_.arcs() * classes_.distinct}));
    std::vector<FieldLevel> levels;
    FieldLevel level = first_level();
    for (int number = 0; number < kMostLevels; ++number) {
        count(level, directions);
        if (number > 0) add_arcs(level);
        std::vector<double> found = found_in(level);
        FieldLevel next;
        next.open = level.open;
        for (std::size_t k = 0; k < classes_.count(); ++k) {
            level.found += classes_.sizes[k] * found[k];
            next.open[k] = std::max(0.0, level.open[k] - found[k]);
        }
        next.previous = level.frontier;
        next.frontier = std::move(found);
        levels.push_back(std::move(level));
        if (levels.back().found < 0.5) break;
        level = std::move(next);
    }
    return levels;
}

}  // namespace

OpenArcs::OpenArcs(const VertexClasses& classes, const FieldLevel& level, std::size_t k)
    : to_frontier(classes.count()), all(classes.count()), distinct(classes.count())
{
    for (std::size_t j = 0; j < classes.count(); ++j) {
        const double arcs = classes.degrees[k] * classes.ends[k][j];
        to_frontier[j] = arcs * level.frontier[j];
        all[j] = arcs * (level.frontier[j] + level.open[j]);
        distinct[j] = all[j] * classes.distinct_ends[k][j];
    }
}

std::vector<FieldLevel> field_search(const VertexClasses& classes, const algo::DirectionPolicy& direction,
                                     std::mt19937_64& random)
{
    return FieldSearch(classes, random).run(direction);
}

}  // namespace wayfront::model
