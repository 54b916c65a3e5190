#include "algo/apsp/row_combination.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace wayfront::algo {

namespace {

using Position = std::int64_t;

std::span<const std::uint32_t> list_of(const CsrView& lists, std::uint32_t vertex)
{
    return {lists.neighbours + lists.begin(vertex), lists.neighbours + lists.end(vertex)};
}

/// A set of vertices without a cycle. Each member has a position, from which its arcs lead to
/// members at higher positions only.
///
/// A vertex can join between the last of its in-neighbours and the first of its out-neighbours, if
/// these come in this order. If a single member is in the way, the vertex can also take its place:
/// the set is as large as before, but a vertex that was kept out by that member may now join. Local
/// searches for feedback vertex sets have used such moves since P. Galinier, E. Lemamou and
/// M. W. Bouzidi, "Applying local search to the feedback vertex set problem", J. Heuristics, 2013.
class AcyclicSet
{
public:
    AcyclicSet(const CsrView& out, const CsrView& in, std::uint32_t vertices) : out_(out), in_(in), positions_(vertices, kOutside) {}

    [[nodiscard]] bool contains(std::uint32_t vertex) const { return positions_[vertex] != kOutside; }

    /// Lets a vertex join if no member is in the way.
    bool join(std::uint32_t vertex)
    {
        const Gap gap = gap_of(vertex);
        if (gap.before - gap.after < 2) return false;
        const Position half = (gap.before - gap.after) / 2;
        // Vertices without arcs on one side stay out of the way of all others. Long paths join from one
        // end to the other, and would soon halve the gap to nothing.
        if (in_.degree(vertex) == 0)
            positions_[vertex] = 1;
        else if (out_.degree(vertex) == 0)
            positions_[vertex] = kEnd - 1;
        else if (gap.before == kEnd && gap.after != 0)
            positions_[vertex] = gap.after + std::min(half, kStep);
        else if (gap.after == 0 && gap.before != kEnd)
            positions_[vertex] = gap.before - std::min(half, kStep);
        else
            positions_[vertex] = gap.after + half;
        return true;
    }

    /// Lets a vertex join in the place of the only member in its way, if there is just one behind or
    /// ahead of its place. Returns that member, or the vertex itself if there is none.
    std::uint32_t replace(std::uint32_t vertex)
    {
        const Gap gap = gap_of(vertex);
        const Obstacle behind = obstacle(out_, vertex, [&](Position p) { return p <= gap.after; });
        const Obstacle ahead = obstacle(in_, vertex, [&](Position p) { return p >= gap.before; });
        const bool moves_behind = behind.count == 1 && (ahead.count != 1 || coin());
        if (!moves_behind && ahead.count != 1) return vertex;
        const std::uint32_t replaced = moves_behind ? behind.vertex : ahead.vertex;
        const Position place = positions_[replaced];
        positions_[replaced] = kOutside;
        const Gap freed = gap_of(vertex);
        if (freed.before - freed.after < 2) {
            positions_[replaced] = place;
            return vertex;
        }
        // Close to the neighbours on its side, so that much room remains for others.
        const Position step = std::min((freed.before - freed.after) / 2, kStep);
        positions_[vertex] = moves_behind ? freed.after + step : freed.before - step;
        return replaced;
    }

private:
    static constexpr Position kOutside = -1;
    static constexpr Position kEnd = Position{1} << 62;
    static constexpr Position kStep = kEnd >> 24;

    struct Gap
    {
        Position after;   // the highest position of an in-neighbour
        Position before;  // the lowest position of an out-neighbour
    };
    struct Obstacle
    {
        std::uint32_t count = 0;
        std::uint32_t vertex = 0;
    };

    [[nodiscard]] Gap gap_of(std::uint32_t vertex) const
    {
        Gap gap{0, kEnd};
        for (const std::uint32_t neighbour : list_of(in_, vertex)) gap.after = std::max(gap.after, positions_[neighbour]);
        for (const std::uint32_t neighbour : list_of(out_, vertex))
            if (contains(neighbour)) gap.before = std::min(gap.before, positions_[neighbour]);
        return gap;
    }
    /// The members among the neighbours at positions that are in the way.
    template <typename InTheWay>
    [[nodiscard]] Obstacle obstacle(const CsrView& lists, std::uint32_t vertex, InTheWay&& in_the_way) const
    {
        Obstacle found;
        for (const std::uint32_t neighbour : list_of(lists, vertex)) {
            if (!contains(neighbour) || !in_the_way(positions_[neighbour])) continue;
            ++found.count;
            found.vertex = neighbour;
        }
        return found;
    }
    bool coin()
    {
        random_ = random_ * 1664525 + 1013904223;
        return (random_ >> 16 & 1) != 0;
    }

    const CsrView& out_;
    const CsrView& in_;
    std::vector<Position> positions_;
    std::uint32_t random_ = 1;
};

/// The vertices with at most so many arcs, by the product of their degrees: those on few paths first.
std::vector<std::uint32_t> by_degrees(const CsrView& out, const CsrView& in, std::uint32_t vertices, std::uint32_t most_arcs)
{
    constexpr std::size_t classes = 1024;
    const auto class_of = [&](std::uint32_t v) { return std::min<std::uint64_t>(out.degree(v) * in.degree(v), classes - 1); };
    std::array<std::uint32_t, classes + 1> places{};
    for (std::uint32_t v = 0; v < vertices; ++v)
        if (out.degree(v) <= most_arcs) ++places[class_of(v) + 1];
    for (std::size_t c = 0; c < classes; ++c) places[c + 1] += places[c];
    std::vector<std::uint32_t> ordered(places[classes]);
    for (std::uint32_t v = 0; v < vertices; ++v)
        if (out.degree(v) <= most_arcs) ordered[places[class_of(v)]++] = v;
    return ordered;
}

/// Lets vertices join until a pass gains few.
void grow(AcyclicSet& set, std::vector<std::uint32_t> candidates, int passes)
{
    constexpr std::size_t least_gain = 200;  // of so many candidates one must join for the next pass to be worth its time
    std::vector<std::uint32_t> outside;
    for (int pass = 0; pass < passes; ++pass) {
        outside.clear();
        std::size_t joined = 0;
        for (const std::uint32_t vertex : candidates) {
            if (set.join(vertex))
                ++joined;
            else
                outside.push_back(pass == 0 ? vertex : set.replace(vertex));
        }
        std::swap(candidates, outside);
        if (joined * least_gain < candidates.size()) break;
    }
}

}  // namespace

RowCombination combine_rows(const CsrView& out, const CsrView& in, std::uint32_t vertices, const RowCombinationOptions& options)
{
    AcyclicSet set(out, in, vertices);
    if (options.most_arcs > 0) grow(set, by_degrees(out, in, vertices, options.most_arcs), options.passes + 1);
    RowCombination result;
    std::vector<std::uint32_t> missing(vertices, 0);  // of each member: its out-neighbours that are members at no level yet
    for (std::uint32_t v = 0; v < vertices; ++v) {
        if (!set.contains(v)) {
            result.searched.push_back(v);
            continue;
        }
        for (const std::uint32_t neighbour : list_of(out, v)) missing[v] += set.contains(neighbour) ? 1 : 0;
        if (missing[v] == 0) result.combined.push_back(v);
    }
    result.level_begins.push_back(0);
    for (std::size_t begin = 0; begin < result.combined.size(); begin = result.level_begins.back()) {
        const std::size_t end = result.combined.size();
        result.level_begins.push_back(static_cast<std::uint32_t>(end));
        for (std::size_t i = begin; i < end; ++i)
            for (const std::uint32_t neighbour : list_of(in, result.combined[i]))
                if (set.contains(neighbour) && --missing[neighbour] == 0) result.combined.push_back(neighbour);
    }
    return result;
}

}  // namespace wayfront::algo
