#include "graph/bisection.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.hpp"

namespace wayfront {

namespace {

class Bisection
{
public:
    Bisection(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> neighbours, std::uint32_t parts)
        : offsets_(offsets),
          neighbours_(neighbours),
          parts_(parts),
          order_(offsets.size() - 1),
          next_(order_.size()),
          region_(order_.size(), kWhole),
          visit_(order_.size(), 0)
    {
        std::iota(order_.begin(), order_.end(), 0U);
    }

    /// Halves the parts from `first` on, up to `end`, whose vertices have the region's number.
    /// Returns false if there is nothing to halve.
    bool halve(std::uint32_t first, std::uint32_t end, std::uint32_t region)
    {
        if (end - first <= 1) return false;
        const Range range = range_of(first, end);
        if (range.begin == range.end) return false;
        const std::uint32_t far = visit(range, region, order_[range.begin], 2 * region);
        visit(range, region, far, 2 * region + 1);
        const auto part = [&](std::vector<std::uint32_t>& vertices) {
            return std::span(vertices).subspan(range.begin, range.end - range.begin);
        };
        std::ranges::copy(part(next_), part(order_).begin());
        const std::uint64_t cut = begin_of_part(order_.size(), parts_, middle_of(first, end));
        for (std::uint64_t i = range.begin; i < range.end; ++i)
            region_of(order_[i]).store(2 * region + (i < cut ? 0 : 1), std::memory_order_relaxed);
        return true;
    }

    /// Halves the region again and again until each piece is a single part.
    void divide_halves(std::uint32_t first, std::uint32_t end, std::uint32_t region)
    {
        const std::uint32_t middle = middle_of(first, end);
        const auto divide = [this](std::uint32_t half_first, std::uint32_t half_end, std::uint32_t half) {
            if (halve(half_first, half_end, half)) divide_halves(half_first, half_end, half);
        };
        const Range range = range_of(first, end);
        const bool small = range.end - range.begin < kSmall;
#pragma omp task if (!small)
        divide(first, middle, 2 * region);
        divide(middle, end, 2 * region + 1);
#pragma omp taskwait
    }

    /// The arcs that lead from one region to another.
    [[nodiscard]] std::uint64_t cut_arcs() const
    {
        std::uint64_t cut = 0;
#pragma omp parallel for reduction(+ : cut)
        for (std::size_t v = 0; v < region_.size(); ++v)
            for (std::uint64_t a = offsets_[v]; a < offsets_[v + 1]; ++a)
                cut += region_[v] != region_[neighbours_[a]] ? 1 : 0;
        return cut;
    }

    [[nodiscard]] std::vector<std::uint32_t> take_order()
    {
        return std::move(order_);
    }

    // The number of the region of all vertices; the halves of region r are 2 r and 2 r + 1.
    static constexpr std::uint32_t kWhole = 1;

private:
    struct Range
    {
        std::uint64_t begin, end;
    };
    // Regions with fewer vertices are not worth a task.
    static constexpr std::uint64_t kSmall = 4096;

    [[nodiscard]] Range range_of(std::uint32_t first, std::uint32_t end) const
    {
        return {begin_of_part(order_.size(), parts_, first), begin_of_part(order_.size(), parts_, end)};
    }
    [[nodiscard]] static std::uint32_t middle_of(std::uint32_t first, std::uint32_t end)
    {
        return first + (end - first) / 2;
    }

    /// Atomic, because a task may read the region of a vertex of another task. It does not visit
    /// such a vertex.
    [[nodiscard]] std::atomic_ref<std::uint32_t> region_of(std::uint32_t v)
    {
        return std::atomic_ref(region_[v]);
    }

    /// Writes the range's vertices into next_, ordered by their distance from `start`. If vertices
    /// are left, the search goes on from the first of them in order_. Returns the last vertex.
    /// `number` differs from those of all other visits.
    std::uint32_t visit(Range range, std::uint32_t region, std::uint32_t start, std::uint32_t number)
    {
        std::uint64_t head = range.begin;
        std::uint64_t tail = range.begin;
        std::uint64_t unreached = range.begin;
        const auto reach = [&](std::uint32_t v) {
            if (region_of(v).load(std::memory_order_relaxed) != region || visit_[v] == number) return;
            visit_[v] = number;
            next_[tail++] = v;
        };
        reach(start);
        while (tail < range.end) {
            for (; head < tail; ++head)
                for (std::uint64_t a = offsets_[next_[head]]; a < offsets_[next_[head] + 1]; ++a) reach(neighbours_[a]);
            while (head == tail && tail < range.end) reach(order_[unreached++]);
        }
        return next_[range.end - 1];
    }

    std::span<const std::uint64_t> offsets_;
    std::span<const std::uint32_t> neighbours_;
    std::uint32_t parts_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> region_;
    // The number of the last visit that reached the vertex; 0 before the first.
    std::vector<std::uint32_t> visit_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> order_by_bisection(std::span<const std::uint64_t> offsets,
                                                             std::span<const std::uint32_t> neighbours,
                                                             std::uint32_t parts, std::uint64_t most_cut_arcs)
{
    Bisection bisection(offsets, neighbours, parts);
    if (bisection.halve(0, parts, Bisection::kWhole)) {
        if (most_cut_arcs < neighbours.size() && bisection.cut_arcs() > most_cut_arcs) return std::nullopt;
        parallel_team(thread_count(), [&](std::size_t) {
#pragma omp single
            bisection.divide_halves(0, parts, Bisection::kWhole);
        });
    }
    return bisection.take_order();
}

std::vector<std::uint32_t> order_by_bisection(std::span<const std::uint64_t> offsets,
                                              std::span<const std::uint32_t> neighbours, std::uint32_t parts)
{
    return *order_by_bisection(offsets, neighbours, parts, neighbours.size());
}

}  // namespace wayfront
