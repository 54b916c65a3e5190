// Tight edges: the edges that shortest paths use. What follows from distances alone, such as the
// smallest parents and the nearest sources, is found along them, after a search.
//
// An edge u -> v is *tight* if v is reached, and its distance is that of u plus the edge's length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/phase.hpp"
#include "comm/process_grid.hpp"
#include "comm/routing.hpp"
#include "graph/block_weights.hpp"
#include "graph/distances.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// The length of an edge: its weight, or 1, with which distances are levels.
enum class EdgeLengths { weights, ones };

/// Whether an edge of this length between vertices at these distances is tight. Pre: both are reached.
template <typename D, typename Length>
[[nodiscard]] bool is_tight(D from, Length length, D to)
{
    if constexpr (std::is_floating_point_v<D>) {
        return from + length == to;
    } else {
        std::int64_t sum = 0;
        return !__builtin_add_overflow(static_cast<std::int64_t>(from), static_cast<std::int64_t>(length), &sum) &&
               sum == static_cast<std::int64_t>(to);
    }
}

/// A function that returns the length of an edge by its position in lists with these weights, of type
/// W; Unweighted if all edges have length 1.
template <typename W>
[[nodiscard]] auto lengths_of(const BlockWeights& weights)
{
    if constexpr (std::is_same_v<W, Unweighted>)
        return [](std::uint64_t) { return std::uint32_t{1}; };
    else
        return [data = std::get<HostBuffer<W>>(weights).data()](std::uint64_t edge) { return data[edge]; };
}

/// The tight edges of a rank's block, and messages about its rows and columns. D is the type of
/// distances, W that of weights; Unweighted if all edges have length 1.
template <typename D, typename W>
class TightEdges
{
public:
    /// `distances` are those of this rank's slots. Messages are spans in the log, which may be null.
    /// All arguments outlive the object. Uses sizeof(D) bytes per row and column. Collective over
    /// the grid's world.
    TightEdges(const comm::ProcessGrid& grid, const DistributedGraph& graph, std::span<const D> distances,
               PhaseLog* log)
        : grid_(grid),
          graph_(graph),
          block_(graph.block),
          log_(log),
          distances_(distances),
          col_distances_(gathered(grid.column(), distances)),
          row_distances_(gathered(grid.row(), distances))
    {
    }

    [[nodiscard]] const comm::ProcessGrid& grid() const { return grid_; }
    [[nodiscard]] const DistributedGraph& graph() const { return graph_; }
    [[nodiscard]] const CsrBlock& block() const { return block_; }
    [[nodiscard]] PhaseLog* log() const { return log_; }
    [[nodiscard]] D distance(std::uint32_t slot) const { return distances_[slot]; }
    [[nodiscard]] bool is_reached(std::uint32_t slot) const { return distances_[slot] != unreached<D>(); }

    /// Calls f(slot) for each own slot of `vertices`, which may be those of other ranks, too.
    template <typename F>
    void for_each_own_slot(std::span<const Vertex> vertices, F&& f) const
    {
        for (const Vertex vertex : vertices) {
            if (graph_.partition.owner(vertex) != graph_.rank) continue;
            const std::uint32_t slot = graph_.slot_of_local[graph_.partition.local(vertex)];
            if (slot != block_.slot_stride) f(slot, vertex);
        }
    }

    /// Calls f(column) for each tight edge to the row from a column at a smaller distance.
    template <typename F>
    void for_each_from_nearer(std::uint32_t row, F&& f) const
    {
        const D distance = row_distances_[row];
        if (distance == unreached<D>()) return;
        const CsrView edges = block_.in_edges.view();
        const auto length = lengths_of<W>(block_.in_weights);
        for (std::uint64_t e = edges.begin(row); e < edges.end(row); ++e) {
            const std::uint32_t col = edges.neighbours[e];
            if (col_distances_[col] < distance && is_tight(col_distances_[col], length(e), distance)) f(col);
        }
    }
    /// Calls f(row) for each tight edge from the column to a row for which wanted(row) is true. Pre:
    /// the column is reached.
    template <typename Wanted, typename F>
    void for_each_to(std::uint32_t col, Wanted&& wanted, F&& f) const
    {
        const CsrView edges = block_.out_edges().view();
        const auto length = lengths_of<W>(block_.out_weights());
        for (std::uint64_t e = edges.begin(col); e < edges.end(col); ++e) {
            const std::uint32_t row = edges.neighbours[e];
            if (wanted(row) && row_distances_[row] != unreached<D>() &&
                is_tight(col_distances_[col], length(e), row_distances_[row]))
                f(row);
        }
    }

    /// The values of the slots of all ranks of `ranks`, by row or column. Collective over them.
    template <typename T>
    [[nodiscard]] HostBuffer<T> gathered(const comm::Communicator& ranks, std::span<const T> own) const
    {
        HostBuffer<T> all(own.size() * static_cast<std::size_t>(ranks.size()));
        const Phase phase(log_, "all-gather");
        ranks.all_gather(own, all.span());
        return all;
    }

    /// Items that all ranks of `ranks` have about their slots. `slot` of an item becomes a row or a
    /// column. Collective over them.
    template <typename Item>
    [[nodiscard]] std::vector<Item> of_all(const comm::Communicator& ranks, const std::vector<Item>& own) const
    {
        const std::vector<std::size_t> counts = ranks.all_gather(own.size());
        std::size_t total = 0;
        for (const std::size_t count : counts) total += count;
        std::vector<Item> all(total);
        {
            const Phase phase(log_, "all-gather");
            ranks.all_gather_v(std::span<const Item>(own), counts, std::span<Item>(all));
        }
        std::size_t i = 0;
        for (std::size_t chunk = 0; chunk < counts.size(); ++chunk)
            for (const std::size_t end = i + counts[chunk]; i < end; ++i)
                all[i].slot += static_cast<std::uint32_t>(chunk) * block_.slot_stride;
        return all;
    }

    /// Sends items about rows, their `row`, to the owners, and returns those about own slots, whose
    /// `row` is then the slot. Collective over the grid row.
    template <typename Item>
    [[nodiscard]] HostBuffer<Item> to_owners(const std::vector<Item>& items) const
    {
        const comm::Routing routing(items.size(), grid_.row().size(),
                                    [&](std::size_t i) { return static_cast<int>(items[i].row / block_.slot_stride); });
        std::vector<std::int64_t> from;
        const Phase phase(log_, "all-to-all");
        HostBuffer<Item> received =
            routing.template send<Item>(grid_.row(), from, [&](std::size_t i) { return items[i]; });
        for (Item& item : received) item.row %= block_.slot_stride;
        return received;
    }

private:
    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    const CsrBlock& block_;
    PhaseLog* log_;
    std::span<const D> distances_;  // of the own slots
    HostBuffer<D> col_distances_;
    HostBuffer<D> row_distances_;
};

/// Whether searches have distances of type D if the weights have type W.
template <typename D, typename W>
inline constexpr bool kSuitsWeights = std::is_floating_point_v<D> ? std::is_same_v<D, W>
                                                                  : std::is_integral_v<W> && sizeof(D) >= sizeof(W);

/// Returns f(W{}), with W for TightEdges of these lengths.
template <typename D, typename F>
auto with_lengths(const DistributedGraph& graph, EdgeLengths lengths, F&& f)
{
    if constexpr (std::is_same_v<D, std::uint32_t>)
        if (lengths == EdgeLengths::ones) return f(Unweighted{});
    using Result = std::invoke_result_t<F, std::conditional_t<std::is_integral_v<D>, std::uint32_t, D>>;
    return std::visit(
        [&]<typename Weights>(const Weights& /*weights*/) -> Result {
            if constexpr (!std::is_same_v<Weights, std::monostate>)
                if constexpr (kSuitsWeights<D, typename Weights::value_type>) return f(typename Weights::value_type{});
            throw std::logic_error("distances do not suit the weights");
        },
        graph.block.in_weights);
}

}  // namespace wayfront::algo
