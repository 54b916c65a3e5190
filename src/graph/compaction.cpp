#include "graph/compaction.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.hpp"
#include "graph/joined_lists.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kSerialBelow = std::size_t{1} << 14;  // edges

HostBuffer<Vertex> list_vertices_of_part(std::span<const PackedEdge> edges, const LargeNumbers& large_numbers)
{
    HostBuffer<Vertex> vertices(2 * edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        vertices[2 * i] = large_numbers.number_of(edges[i].source());
        vertices[2 * i + 1] = large_numbers.number_of(edges[i].target());
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.truncate(static_cast<std::size_t>(std::unique(vertices.begin(), vertices.end()) - vertices.begin()));
    return vertices;
}

/// Finds positions in an ascending list. The numbers are divided into about as many equal intervals
/// as the list has elements, so that few elements share one unless they crowd together.
class Positions
{
public:
    explicit Positions(std::span<const Vertex> list) : list_(list)
    {
        if (list.empty()) return;
        while (interval_of(list.back()) >= list.size()) ++shift_;
        begins_ = HostBuffer<std::size_t>(interval_of(list.back()) + 2);
        std::size_t interval = 0;
        for (std::size_t i = 0; i < list.size(); ++i)
            while (interval <= interval_of(list[i])) begins_[interval++] = i;
        begins_[interval] = list.size();
    }

    /// Pre: `v` is in the list.
    [[nodiscard]] Vertex of(Vertex v) const
    {
        const std::size_t interval = interval_of(v);
        const auto first = list_.begin() + static_cast<std::ptrdiff_t>(begins_[interval]);
        const auto last = list_.begin() + static_cast<std::ptrdiff_t>(begins_[interval + 1]);
        return std::lower_bound(first, last, v) - list_.begin();
    }

private:
    [[nodiscard]] std::size_t interval_of(Vertex v) const
    {
        return static_cast<std::size_t>(v - list_.front()) >> shift_;
    }

    std::span<const Vertex> list_;
    unsigned shift_ = 0;
    HostBuffer<std::size_t> begins_;  // of each interval, and the end of the last
};

}  // namespace

HostBuffer<Vertex> list_vertices(std::span<const PackedEdge> edges, const LargeNumbers& large_numbers)
{
    const auto parts = edges.size() < kSerialBelow ? std::size_t{1} : static_cast<std::size_t>(thread_count());
    std::vector<HostBuffer<Vertex>> lists(parts);
    parallel_parts(parts, [&](std::size_t part) {
        const IndexRange range = part_of(edges.size(), part, parts);
        lists[part] = list_vertices_of_part(edges.subspan(range.first, range.size()), large_numbers);
    });
    return joined_lists<Vertex>({lists.begin(), lists.end()});
}

void number_by_position(std::span<PackedEdge> edges, const LargeNumbers& large_numbers,
                        std::span<const Vertex> vertices)
{
    const Positions positions(vertices);
    const auto position_of = [&](Vertex stored) { return positions.of(large_numbers.number_of(stored)); };
    parallel_for(edges.size(), kSerialBelow, [&](std::size_t i) {
        edges[i] = PackedEdge::pack(position_of(edges[i].source()), position_of(edges[i].target()));
    });
}

}  // namespace wayfront
