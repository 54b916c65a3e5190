#include "algo/sssp/smallest_parents.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "algo/sssp/sssp_result.hpp"
#include "base/bitmap.hpp"
#include "base/parallel.hpp"
#include "comm/routing.hpp"

namespace wayfront::algo {

namespace {

constexpr Vertex kNoParent = std::numeric_limits<Vertex>::max();
constexpr std::size_t kChunk = 256;  // vertices that a thread takes at a time
constexpr std::size_t kSerialBelow = 1 << 14;

/// Pre: both vertices are reached.
template <typename D, typename W>
[[nodiscard]] bool is_tight(D from, W weight, D to)
{
    if constexpr (std::is_floating_point_v<D>) {
        return from + weight == to;
    } else {
        std::int64_t sum = 0;
        return !__builtin_add_overflow(static_cast<std::int64_t>(from), static_cast<std::int64_t>(weight), &sum) &&
               sum == static_cast<std::int64_t>(to);
    }
}

/// Whether searches have distances of type D if the weights have type W.
template <typename D, typename W>
constexpr bool kSuits = std::is_floating_point_v<D> ? std::is_same_v<D, W>
                                                    : std::is_integral_v<W> && sizeof(D) >= sizeof(W);

/// Gathers the values of the slots of all ranks of `ranks`.
template <typename T>
HostBuffer<T> gathered(const comm::Communicator& ranks, std::span<const T> own, PhaseLog* log)
{
    HostBuffer<T> all(own.size() * static_cast<std::size_t>(ranks.size()));
    const Phase phase(log, "all-gather");
    ranks.all_gather(own, all.span());
    return all;
}

template <typename D, typename W>
class Choice
{
public:
    Choice(const comm::ProcessGrid& grid, const DistributedGraph& graph, std::span<const D> distances, PhaseLog* log)
        : grid_(grid),
          graph_(graph),
          block_(graph.block),
          log_(log),
          distances_(distances),
          col_distances_(gathered(grid.column(), distances, log)),
          row_distances_(gathered(grid.row(), distances, log)),
          parents_(block_.slot_stride, kNoParent)
    {
    }

    void begin(Vertex source)
    {
        if (graph_.partition.owner(source) != graph_.rank) return;
        const std::uint32_t slot = graph_.slot_of_local[graph_.partition.local(source)];
        if (slot != block_.slot_stride) parents_[slot] = source;
    }

    /// Chooses the parents of vertices that can have one at a smaller distance. One pass over the
    /// lists of rows; the chunks of the grid row in turn send their smallest parents to the owner.
    void choose_at_smaller_distance()
    {
        HostBuffer<Vertex> smallest(block_.slot_stride);
        for (std::uint32_t chunk = 0; chunk < block_.row_chunks; ++chunk) {
            smallest_in_block(chunk * block_.slot_stride, smallest.span());
            {
                const Phase phase(log_, "reduce");
                grid_.row().reduce(smallest.span(), comm::Reduction::min, static_cast<int>(chunk));
            }
            if (chunk != block_.own_row_chunk) continue;
            for (std::uint32_t slot = 0; slot < block_.slot_stride; ++slot)
                parents_[slot] = std::min(parents_[slot], smallest[slot]);
        }
    }

    /// Chooses the other parents, by a breadth-first search along tight edges from the vertices
    /// that have one.
    void choose_along_tight_edges()
    {
        std::vector<std::uint32_t> frontier;
        bool missing = false;
        for (std::uint32_t slot = 0; slot < block_.slot_stride; ++slot) {
            if (parents_[slot] != kNoParent) frontier.push_back(slot);
            missing = missing || (parents_[slot] == kNoParent && distances_[slot] != unreached<D>());
        }
        if (!grid_.world().any(missing)) return;
        has_parent_ = HostBuffer<std::uint64_t>(word_count(block_.rows()), 0);
        while (grid_.world().any(!frontier.empty())) {
            mark(frontier);
            frontier = take(found_from(frontier));
        }
    }

    [[nodiscard]] HostBuffer<Vertex> finish()
    {
        for (std::uint32_t slot = 0; slot < block_.slot_stride; ++slot)
            if (parents_[slot] == kNoParent) parents_[slot] = kUnreached;
        return std::move(parents_);
    }

private:
    struct Found
    {
        Vertex parent;
        std::uint32_t row;
    };

    void smallest_in_block(std::uint32_t first_row, std::span<Vertex> smallest) const
    {
        const CsrView edges = block_.in_edges.view();
        const W* const weights = std::get<HostBuffer<W>>(block_.in_weights).data();
        graph_.vertex_of_column.visit([&](auto vertices) {
            const auto choose = [&](std::size_t i) {
                smallest[i] = kNoParent;
                const std::uint32_t row = first_row + static_cast<std::uint32_t>(i);
                const D distance = row_distances_[row];
                if (distance == unreached<D>()) return;
                for (std::uint64_t e = edges.begin(row); e < edges.end(row); ++e) {
                    const std::uint32_t col = edges.neighbours[e];
                    if (col_distances_[col] < distance && is_tight(col_distances_[col], weights[e], distance))
                        smallest[i] = std::min(smallest[i], static_cast<Vertex>(vertices[col]));
                }
            };
            parallel_items(smallest.size(), choose, kChunk);
        });
    }

    /// The slots of all ranks of `ranks`, numbered one rank after the other.
    [[nodiscard]] std::vector<std::uint32_t> positions(const comm::Communicator& ranks,
                                                       const std::vector<std::uint32_t>& slots) const
    {
        const std::vector<std::size_t> counts = ranks.all_gather(slots.size());
        std::size_t total = 0;
        for (const std::size_t count : counts) total += count;
        std::vector<std::uint32_t> all(total);
        {
            const Phase phase(log_, "all-gather");
            ranks.all_gather_v(std::span<const std::uint32_t>(slots), counts, std::span<std::uint32_t>(all));
        }
        std::size_t i = 0;
        for (std::size_t chunk = 0; chunk < counts.size(); ++chunk)
            for (const std::size_t end = i + counts[chunk]; i < end; ++i)
                all[i] += static_cast<std::uint32_t>(chunk) * block_.slot_stride;
        return all;
    }

    /// Sends the set of vertices that have parents to the blocks of the grid row.
    void mark(const std::vector<std::uint32_t>& slots)
    {
        for (const std::uint32_t row : positions(grid_.row(), slots)) set_bit(has_parent_.data(), row);
    }

    /// The rows without parents to which tight edges lead from the frontier.
    [[nodiscard]] std::vector<Found> found_from(const std::vector<std::uint32_t>& frontier) const
    {
        const CsrView edges = block_.out_edges().view();
        const W* const weights = std::get<HostBuffer<W>>(block_.out_weights()).data();
        std::vector<Found> found;
        for (const std::uint32_t col : positions(grid_.column(), frontier)) {
            for (std::uint64_t e = edges.begin(col); e < edges.end(col); ++e) {
                const std::uint32_t row = edges.neighbours[e];
                if (!test_bit(has_parent_.data(), row) && row_distances_[row] != unreached<D>() &&
                    is_tight(col_distances_[col], weights[e], row_distances_[row]))
                    found.push_back({graph_.vertex_of_column[col], row});
            }
        }
        return found;
    }

    /// Sends the parents that were found to the owners, who take the smallest ones. Returns the
    /// slots that have parents now.
    [[nodiscard]] std::vector<std::uint32_t> take(const std::vector<Found>& found)
    {
        const comm::Routing to_owners(found.size(), grid_.row().size(), [&](std::size_t i) {
            return static_cast<int>(found[i].row / block_.slot_stride);
        });
        std::vector<std::int64_t> from;
        const Phase phase(log_, "all-to-all");
        std::vector<std::uint32_t> slots;
        for (const Found& each : to_owners.send<Found>(grid_.row(), from, [&](std::size_t i) { return found[i]; })) {
            const std::uint32_t slot = each.row % block_.slot_stride;
            if (parents_[slot] == kNoParent) slots.push_back(slot);
            parents_[slot] = std::min(parents_[slot], each.parent);
        }
        return slots;
    }

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    const CsrBlock& block_;
    PhaseLog* log_;
    std::span<const D> distances_;  // of the own slots
    HostBuffer<D> col_distances_;
    HostBuffer<D> row_distances_;
    HostBuffer<Vertex> parents_;            // of the own slots
    HostBuffer<std::uint64_t> has_parent_;  // a bit for each row
};

}  // namespace

template <typename D>
HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                    std::span<const D> distances, Vertex source, bool negative_weights, PhaseLog* log)
{
    return std::visit(
        [&]<typename Weights>(const Weights& /*weights*/) -> HostBuffer<Vertex> {
            if constexpr (!std::is_same_v<Weights, std::monostate>) {
                using W = typename Weights::value_type;
                if constexpr (kSuits<D, W>) {
                    Choice<D, W> choice(grid, graph, distances, log);
                    choice.begin(source);
                    if (!negative_weights) choice.choose_at_smaller_distance();
                    choice.choose_along_tight_edges();
                    return choice.finish();
                }
            }
            throw std::logic_error("distances do not suit the weights");
        },
        graph.block.in_weights);
}

void replace_parents(const DistributedGraph& graph, std::span<const Vertex> of_slots, VertexArray& parents)
{
    parallel_for(graph.local_count(), kSerialBelow, [&](std::size_t i) {
        const std::uint32_t slot = graph.slot_of_local[i];
        if (slot != graph.block.slot_stride && parents[i] != kUnreached) parents.set(i, of_slots[slot]);
    });
}

template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&,
                                             std::span<const std::uint32_t>, Vertex, bool, PhaseLog*);
template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&,
                                             std::span<const std::int64_t>, Vertex, bool, PhaseLog*);
template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&, std::span<const float>,
                                             Vertex, bool, PhaseLog*);
template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&, std::span<const double>,
                                             Vertex, bool, PhaseLog*);

}  // namespace wayfront::algo
