#include "algo/nearest_sources.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "algo/nearest_in_memory.hpp"
#include "algo/smallest_parents.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront::algo {

namespace {

constexpr std::size_t kSerialBelow = 1 << 13;
constexpr Vertex kNoSource = std::numeric_limits<Vertex>::max();

/// The choice for this rank's slots; kUnreached if a slot is not reached.
struct OfSlots
{
    HostBuffer<Vertex> nearest;
    HostBuffer<Vertex> parents;
};

/// The tree of a search on one rank, whose vertices are slots.
template <typename D, typename W>
struct SlotTree
{
    const DistributedGraph& graph;
    std::span<const D> distances;
    const VertexArray& parents;  // by local number

    [[nodiscard]] std::uint32_t parent(std::uint32_t slot) const
    {
        const Vertex vertex = graph.vertex_of_column[slot];
        const Vertex above = vertex == kUnreached ? kUnreached : parents[static_cast<std::size_t>(vertex)];
        return above == kUnreached ? kNoLocal : graph.slot_of_local[static_cast<std::size_t>(above)];
    }
    [[nodiscard]] std::uint32_t number(std::uint32_t slot) const
    {
        return static_cast<std::uint32_t>(graph.vertex_of_column[slot]);
    }
    template <typename F>
    void for_each_out_arc(std::uint32_t slot, F&& f) const
    {
        const CsrView edges = graph.block.out_edges().view();
        const auto length = lengths_of<W>(graph.block.out_weights());
        for (std::uint64_t e = edges.begin(slot); e < edges.end(slot); ++e) f(edges.neighbours[e], length(e));
    }
    template <typename Length>
    [[nodiscard]] bool is_tight(std::uint32_t from, std::uint32_t to, Length length) const
    {
        return algo::is_tight(distances[from], length, distances[to]);
    }
};

template <typename D, typename W>
OfSlots choose_in_memory(const DistributedGraph& graph, std::span<const D> distances, const VertexArray& parents)
{
    const SlotTree<D, W> tree{graph, distances, parents};
    NearestInMemory<SlotTree<D, W>> choice(distances.size());
    choice.take_roots(tree);
    choice.pass_on_from_all(tree);
    OfSlots chosen{HostBuffer<Vertex>(distances.size()), HostBuffer<Vertex>(distances.size())};
    parallel_for(distances.size(), kSerialBelow, [&](std::size_t i) {
        const std::uint32_t source = choice.nearest(static_cast<std::uint32_t>(i));
        chosen.nearest[i] = source == kNoLocal ? kUnreached : Vertex{source};
        chosen.parents[i] =
            source == kNoLocal ? kUnreached : graph.vertex_of_column[choice.parent(static_cast<std::uint32_t>(i))];
    });
    return chosen;
}

/// Passes sources on over the ranks of a grid.
template <typename D, typename W>
class Rounds
{
public:
    explicit Rounds(const TightEdges<D, W>& edges)
        : edges_(edges),
          block_(edges.block()),
          of_rows_(block_.rows(), kNoSource),
          chosen_{HostBuffer<Vertex>(block_.slot_stride, kNoSource), HostBuffer<Vertex>(block_.slot_stride, kUnreached)}
    {
    }

    OfSlots run(std::span<const Vertex> sources)
    {
        const comm::ProcessGrid& grid = edges_.grid();
        std::vector<Told> changed;
        edges_.for_each_own_slot(sources, [&](std::uint32_t slot, Vertex source) {
            if (edges_.distance(slot) != D{0}) return;  // with negative weights
            chosen_.nearest[slot] = source;
            chosen_.parents[slot] = source;
            changed.push_back({source, slot});
        });
        while (grid.world().any(!changed.empty())) changed = take(found_from(edges_.of_all(grid.column(), changed)));
        parallel_for(chosen_.nearest.size(), kSerialBelow, [this](std::size_t slot) {
            if (chosen_.nearest[slot] == kNoSource) chosen_.nearest[slot] = kUnreached;
        });
        return std::move(chosen_);
    }

private:
    /// A slot, or a column, that got a smaller source.
    struct Told
    {
        Vertex source;
        std::uint32_t slot;
    };
    struct Found
    {
        Vertex source;
        Vertex parent;
        std::uint32_t row;
    };

    /// Gives a row of the block a smaller source. Returns whether it is smaller than all that this
    /// block has found for the row.
    bool lower(std::uint32_t row, Vertex source)
    {
        const std::atomic_ref<Vertex> stored(of_rows_[row]);
        Vertex seen = stored.load(std::memory_order_relaxed);
        while (source < seen)
            if (stored.compare_exchange_weak(seen, source, std::memory_order_relaxed)) return true;
        return false;
    }

    /// The rows that get smaller sources along tight edges, some of them more than once.
    [[nodiscard]] std::vector<Found> found_from(const std::vector<Told>& columns)
    {
        std::vector<Found> found;
        std::mutex lock;
        parallel_ranges(columns.size(), kSerialBelow, [&](IndexRange range) {
            std::vector<Found> own;
            for (std::size_t i = range.first; i < range.last; ++i) {
                const auto [source, col] = columns[i];
                const Vertex parent = edges_.graph().vertex_of_column[col];
                edges_.for_each_to(
                    col,
                    [&, from = source](std::uint32_t row) {
                        return from < std::atomic_ref<Vertex>(of_rows_[row]).load(std::memory_order_relaxed);
                    },
                    [&, from = source](std::uint32_t row) {
                        if (lower(row, from)) own.push_back({from, parent, row});
                    });
            }
            const std::lock_guard guard(lock);
            found.insert(found.end(), own.begin(), own.end());
        });
        return found;
    }

    /// Sends the sources that were found to the owners of the rows, who take smaller ones. Returns
    /// the slots that got one.
    [[nodiscard]] std::vector<Told> take(const std::vector<Found>& found)
    {
        std::vector<Told> changed;
        for (const auto& [source, parent, slot] : edges_.to_owners(found)) {
            if (!(source < chosen_.nearest[slot])) continue;
            chosen_.nearest[slot] = source;
            chosen_.parents[slot] = parent;
            changed.push_back({source, slot});
        }
        // Of a slot that got several, only the smallest is sent.
        std::erase_if(changed, [this](const Told& told) { return told.source != chosen_.nearest[told.slot]; });
        return changed;
    }

    const TightEdges<D, W>& edges_;
    const CsrBlock& block_;
    HostBuffer<Vertex> of_rows_;  // the smallest source that this block has found for each row
    OfSlots chosen_;
};

}  // namespace

template <typename D>
void choose_nearest(const comm::ProcessGrid& grid, const DistributedGraph& graph, const NearestSearch& search,
                    std::span<const D> distances, VertexArray& parents, VertexArray& nearest, PhaseLog* log)
{
    const Phase phase(log, "nearest");
    OfSlots chosen = with_lengths<D>(graph, search.lengths, [&]<typename W>(W) {
        if (grid.world().size() == 1) return choose_in_memory<D, W>(graph, distances, parents);
        return Rounds<D, W>(TightEdges<D, W>(grid, graph, distances, log)).run(search.sources);
    });
    if (search.smallest_parents)
        chosen.parents =
            smallest_parents(grid, graph, distances,
                             {search.sources, chosen.nearest.span(), search.lengths, search.negative_weights}, log);
    if (nearest.size() != parents.size()) nearest = VertexArray(parents.size(), graph.partition.vertex_count());
    parallel_for(parents.size(), kSerialBelow, [&](std::size_t i) {
        const std::uint32_t slot = graph.slot_of_local[i];
        if (slot == graph.block.slot_stride || parents[i] == kUnreached) {  // a source without edges, or not reached
            nearest.set(i, parents[i]);
            return;
        }
        nearest.set(i, chosen.nearest[slot]);
        parents.set(i, chosen.parents[slot]);
    });
}

template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch&,
                             std::span<const std::uint32_t>, VertexArray&, VertexArray&, PhaseLog*);
template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch&,
                             std::span<const std::int64_t>, VertexArray&, VertexArray&, PhaseLog*);
template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch&,
                             std::span<const float>, VertexArray&, VertexArray&, PhaseLog*);
template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch&,
                             std::span<const double>, VertexArray&, VertexArray&, PhaseLog*);

}  // namespace wayfront::algo
