#include "algo/smallest_parents.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

constexpr Vertex kNoParent = std::numeric_limits<Vertex>::max();
constexpr std::size_t kChunk = 256;  // vertices that a thread takes at a time

template <typename D, typename W>
class Choice
{
public:
    /// `nearest`: as in SearchedFrom.
    Choice(const TightEdges<D, W>& edges, std::span<const Vertex> nearest)
        : edges_(edges), block_(edges.block()), parents_(block_.slot_stride, kNoParent)
    {
        if (nearest.empty()) return;
        col_nearest_ = edges.gathered(edges.grid().column(), nearest);
        row_nearest_ = edges.gathered(edges.grid().row(), nearest);
    }

    void begin(const SearchedFrom& from)
    {
        edges_.for_each_own_slot(from.sources, [&](std::uint32_t slot, Vertex source) {
            if (from.nearest.empty() || from.nearest[slot] == source) parents_[slot] = source;
        });
    }

    /// Chooses the parents of vertices that can have one at a smaller distance. One pass over the
    /// lists of rows; the chunks of the grid row in turn send their smallest parents to the owner.
    void choose_at_smaller_distance()
    {
        HostBuffer<Vertex> smallest(block_.slot_stride);
        for (std::uint32_t chunk = 0; chunk < block_.row_chunks; ++chunk) {
            smallest_in_block(chunk * block_.slot_stride, smallest.span());
            {
                const Phase phase(edges_.log(), "reduce");
                edges_.grid().row().reduce(smallest.span(), comm::Reduction::min, static_cast<int>(chunk));
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
        const comm::Communicator& world = edges_.grid().world();
        std::vector<Slot> frontier;
        bool missing = false;
        for (std::uint32_t slot = 0; slot < block_.slot_stride; ++slot) {
            if (parents_[slot] != kNoParent) frontier.push_back({slot});
            missing = missing || (parents_[slot] == kNoParent && edges_.is_reached(slot));
        }
        if (!world.any(missing)) return;
        has_parent_ = HostBuffer<std::uint64_t>(word_count(block_.rows()), 0);
        while (world.any(!frontier.empty())) {
            for (const Slot& row : edges_.of_all(edges_.grid().row(), frontier)) set_bit(has_parent_.data(), row.slot);
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
    struct Slot
    {
        std::uint32_t slot;
    };
    struct Found
    {
        Vertex parent;
        std::uint32_t row;
    };

    [[nodiscard]] bool have_same_source(std::uint32_t col, std::uint32_t row) const
    {
        return col_nearest_.empty() || col_nearest_[col] == row_nearest_[row];
    }

    void smallest_in_block(std::uint32_t first_row, std::span<Vertex> smallest) const
    {
        edges_.graph().vertex_of_column.visit([&](auto vertices) {
            const auto choose = [&](std::size_t i) {
                smallest[i] = kNoParent;
                const std::uint32_t row = first_row + static_cast<std::uint32_t>(i);
                edges_.for_each_from_nearer(row, [&](std::uint32_t col) {
                    if (have_same_source(col, row))
                        smallest[i] = std::min(smallest[i], static_cast<Vertex>(vertices[col]));
                });
            };
            parallel_items(smallest.size(), choose, kChunk);
        });
    }

    /// The rows without parents to which tight edges lead from the frontier.
    [[nodiscard]] std::vector<Found> found_from(const std::vector<Slot>& frontier) const
    {
        std::vector<Found> found;
        for (const auto [col] : edges_.of_all(edges_.grid().column(), frontier))
            edges_.for_each_to(
                col,
                [&, from = col](std::uint32_t row) {
                    return !test_bit(has_parent_.data(), row) && have_same_source(from, row);
                },
                [&, from = col](std::uint32_t row) {
                    found.push_back({edges_.graph().vertex_of_column[from], row});
                });
        return found;
    }

    /// Sends the parents that were found to the owners, who take the smallest ones. Returns the
    /// slots that have parents now.
    [[nodiscard]] std::vector<Slot> take(const std::vector<Found>& found)
    {
        std::vector<Slot> slots;
        for (const auto& [parent, slot] : edges_.to_owners(found)) {
            if (parents_[slot] == kNoParent) slots.push_back({slot});
            parents_[slot] = std::min(parents_[slot], parent);
        }
        return slots;
    }

    const TightEdges<D, W>& edges_;
    const CsrBlock& block_;
    HostBuffer<Vertex> parents_;  // of the own slots
    HostBuffer<Vertex> col_nearest_;
    HostBuffer<Vertex> row_nearest_;
    HostBuffer<std::uint64_t> has_parent_;  // a bit for each row
};

}  // namespace

template <typename D>
HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                    std::span<const D> distances, const SearchedFrom& from, PhaseLog* log)
{
    return with_lengths<D>(graph, from.lengths, [&]<typename W>(W) {
        const TightEdges<D, W> edges(grid, graph, distances, log);
        Choice<D, W> choice(edges, from.nearest);
        choice.begin(from);
        if (!from.negative_weights) choice.choose_at_smaller_distance();
        choice.choose_along_tight_edges();
        return choice.finish();
    });
}

void replace_parents(const DistributedGraph& graph, std::span<const Vertex> of_slots, VertexArray& parents)
{
    constexpr std::size_t serial_below = 1 << 14;
    parallel_for(graph.local_count(), serial_below, [&](std::size_t i) {
        const std::uint32_t slot = graph.slot_of_local[i];
        if (slot != graph.block.slot_stride && parents[i] != kUnreached) parents.set(i, of_slots[slot]);
    });
}

template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&,
                                             std::span<const std::uint32_t>, const SearchedFrom&, PhaseLog*);
template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&,
                                             std::span<const std::int64_t>, const SearchedFrom&, PhaseLog*);
template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&, std::span<const float>,
                                             const SearchedFrom&, PhaseLog*);
template HostBuffer<Vertex> smallest_parents(const comm::ProcessGrid&, const DistributedGraph&, std::span<const double>,
                                             const SearchedFrom&, PhaseLog*);

}  // namespace wayfront::algo
