#include "algo/nearest_sources.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "algo/nearest_in_memory.hpp"
#include "algo/smallest_parents.hpp"
#include "base/counting_sort.hpp"
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

/// Calls f(local number, slot) for each of this rank's vertices with edges, on all threads.
template <typename F>
void for_each_slot(const DistributedGraph& graph, F&& f)
{
    parallel_for(graph.local_count(), kSerialBelow, [&](std::size_t i) {
        if (graph.slot_of_local[i] != graph.block.slot_stride) f(i, graph.slot_of_local[i]);
    });
}

/// The local number of each slot's vertex; kNoLocal if there is none.
HostBuffer<std::uint32_t> numbers_of_slots(const DistributedGraph& graph, std::size_t slots)
{
    HostBuffer<std::uint32_t> numbers(slots, kNoLocal);
    for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) { numbers[slot] = static_cast<std::uint32_t>(i); });
    return numbers;
}

/// The tree of a search on one rank, whose vertices are slots.
template <typename D, typename W>
class SlotTree
{
public:
    /// `parents` are those of the vertices.
    SlotTree(const DistributedGraph& graph, std::span<const D> distances, const VertexArray& parents,
             bool negative_weights)
        : graph_(graph),
          distances_(distances),
          lists_end_early_(graph.block.list_order == ListOrder::weights && !negative_weights),
          farthest_(farthest(distances)),
          parents_(distances.size(), kNoLocal),
          numbers_(numbers_of_slots(graph, distances.size()))
    {
        const std::uint32_t* const slots = graph.slot_of_local.data();
        parents.visit([&](auto of_vertices) {
            parallel_for(of_vertices.size(), kSerialBelow, [&](std::size_t i) {
                if (slots[i] != graph.block.slot_stride && of_vertices[i] >= 0)
                    parents_[slots[i]] = slots[of_vertices[i]];
            });
        });
    }

    [[nodiscard]] std::span<const std::uint32_t> numbers() const { return numbers_.span(); }

    [[nodiscard]] std::uint32_t parent(std::uint32_t slot) const { return parents_[slot]; }
    [[nodiscard]] std::uint32_t number(std::uint32_t slot) const { return numbers_[slot]; }
    template <typename F>
    void for_each_out_arc(std::uint32_t slot, F&& f) const
    {
        const CsrView edges = graph_.block.out_edges().view();
        const auto length = lengths_of<W>(graph_.block.out_weights());
        const D distance = distances_[slot];
        for (std::uint64_t e = edges.begin(slot); e < edges.end(slot); ++e) {
            if (lists_end_early_ && is_beyond_all(distance, length(e))) return;
            f(edges.neighbours[e], length(e));
        }
    }
    template <typename F>
    void for_each_in_arc(std::uint32_t slot, F&& f) const
    {
        const CsrView edges = graph_.block.in_edges.view();
        const auto length = lengths_of<W>(graph_.block.in_weights);
        const D distance = distances_[slot];
        for (std::uint64_t e = edges.begin(slot); e < edges.end(slot); ++e) {
            if (lists_end_early_ && length(e) > distance) return;
            f(edges.neighbours[e], length(e));
        }
    }
    template <typename Length>
    [[nodiscard]] bool is_tight(std::uint32_t from, std::uint32_t to, Length length) const
    {
        return algo::is_tight(distances_[from], length, distances_[to]);
    }

private:
    /// Whether a path that goes on along an arc ends beyond all vertices. Sums are rounded as in is_tight().
    [[nodiscard]] bool is_beyond_all(D distance, auto length) const
    {
        if constexpr (std::is_floating_point_v<D>)
            return distance + length > farthest_;
        else
            return length > farthest_ - distance;
    }

    static D farthest(std::span<const D> distances)
    {
        D most{0};
        for (const D distance : distances)
            if (distance != unreached<D>()) most = std::max(most, distance);
        return most;
    }

    const DistributedGraph& graph_;
    std::span<const D> distances_;
    bool lists_end_early_;  // at arcs that are too long to be tight
    D farthest_;
    HostBuffer<std::uint32_t> parents_;
    HostBuffer<std::uint32_t> numbers_;
};

/// The reached slots in the order of their levels.
class SlotsByLevel
{
public:
    template <typename D>
    explicit SlotsByLevel(std::span<const D> levels) : sort_(level_count(levels))
    {
        const auto level_of = [levels](std::size_t slot, auto&& f) {
            if (levels[slot] != unreached<D>())
                f(static_cast<std::size_t>(levels[slot]), static_cast<std::uint32_t>(slot));
        };
        sort_.count(levels.size(), kSerialBelow, level_of);
        slots_ = HostBuffer<std::uint32_t>(sort_.size());
        sort_.place(level_of, [this](std::size_t position, std::uint32_t slot) { slots_[position] = slot; });
    }

    [[nodiscard]] std::size_t count() const { return sort_.counts().size(); }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t level) const
    {
        const std::span<const std::size_t> begins = sort_.begins();
        return slots_.span().subspan(begins[level], begins[level + 1] - begins[level]);
    }

private:
    template <typename D>
    static std::size_t level_count(std::span<const D> levels)
    {
        std::size_t count = 0;
        for (const D level : levels)
            if (level != unreached<D>()) count = std::max(count, static_cast<std::size_t>(level) + 1);
        return count;
    }

    CountingSort sort_;
    HostBuffer<std::uint32_t> slots_;
};

/// The nearest sources if all edges have length 1: level after level, each slot takes the smallest one
/// of the level before that leads to it.
class NearestByLevels
{
public:
    template <typename D>
    NearestByLevels(const DistributedGraph& graph, std::span<const D> distances, std::span<const std::uint32_t> numbers)
        : edges_(graph.block.in_edges.view()),
          sources_(distances.size(), kNoLocal),
          of_last_level_(distances.size(), kNoLocal),
          parents_(distances.size())
    {
        const SlotsByLevel levels(distances);
        for (std::size_t level = 0; level < levels.count(); ++level) {
            if (level == 0) {
                for (const std::uint32_t slot : levels[0]) sources_[slot] = numbers[parents_[slot] = slot];
                continue;
            }
            take(levels[level], show(levels[level - 1]));
            hide(levels[level - 1]);
        }
    }

    /// The number of the nearest source; kNoLocal if the slot is not reached.
    [[nodiscard]] std::uint32_t nearest(std::uint32_t slot) const { return sources_[slot]; }
    [[nodiscard]] std::uint32_t parent(std::uint32_t slot) const { return parents_[slot]; }

private:
    static constexpr std::size_t kSerialSlotsBelow = 512;

    /// Returns the smallest source of the level.
    std::uint32_t show(std::span<const std::uint32_t> level)
    {
        std::uint32_t smallest = kNoLocal;
        for (const std::uint32_t slot : level) {
            of_last_level_[slot] = sources_[slot];
            smallest = std::min(smallest, sources_[slot]);
        }
        return smallest;
    }
    void hide(std::span<const std::uint32_t> level)
    {
        for (const std::uint32_t slot : level) of_last_level_[slot] = kNoLocal;
    }
    void take(std::span<const std::uint32_t> level, std::uint32_t smallest)
    {
        parallel_for(level.size(), kSerialSlotsBelow, [&, shown = of_last_level_.data()](std::size_t i) {
            const std::uint32_t slot = level[i];
            std::uint32_t best = kNoLocal;
            for (std::uint64_t e = edges_.begin(slot); best > smallest && e < edges_.end(slot); ++e) {
                const std::uint32_t from = edges_.neighbours[e];
                if (shown[from] >= best) continue;
                best = shown[from];
                parents_[slot] = from;
            }
            sources_[slot] = best;
        });
    }

    CsrView edges_;
    HostBuffer<std::uint32_t> sources_;
    HostBuffer<std::uint32_t> of_last_level_;  // kNoLocal for the slots of other levels
    HostBuffer<std::uint32_t> parents_;
};

/// Writes the choice for the vertices.
template <typename D, typename W>
void choose_in_memory(const DistributedGraph& graph, std::span<const D> distances, bool negative_weights,
                      VertexArray& parents, VertexArray& nearest)
{
    const auto write = [&](const auto& choice, std::span<const std::uint32_t> numbers) {
        const std::uint32_t* const slots = graph.slot_of_local.data();
        nearest.visit([&]<typename Id>(std::span<Id> sources) {
            parents.visit([&]<typename Parent>(std::span<Parent> of_vertices) {
                parallel_for(sources.size(), kSerialBelow, [&](std::size_t i) {
                    const std::uint32_t slot = slots[i];
                    const bool lone = slot == graph.block.slot_stride || choice.nearest(slot) == kNoLocal;
                    sources[i] = static_cast<Id>(lone ? of_vertices[i] : static_cast<Id>(choice.nearest(slot)));
                    if (!lone) of_vertices[i] = static_cast<Parent>(numbers[choice.parent(slot)]);
                });
            });
        });
    };
    // On New York's roads, of few ties, roots are faster (bench/results/nearest-sources.json, trials).
    constexpr double least_degree = 8;
    if (std::is_same_v<W, Unweighted> &&
        static_cast<double>(graph.directed_edges) >= least_degree * static_cast<double>(graph.connected_vertices)) {
        const HostBuffer<std::uint32_t> numbers = numbers_of_slots(graph, distances.size());
        write(NearestByLevels(graph, distances, numbers.span()), numbers.span());
        return;
    }
    const SlotTree<D, W> tree(graph, distances, parents, negative_weights);
    NearestInMemory<SlotTree<D, W>> choice(distances.size());
    choice.take_roots(tree);
    choice.take_from_all(tree);
    write(choice, tree.numbers());
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

/// Writes the choice for this rank's vertices. Collective over the grid's world.
template <typename D, typename W>
void choose_in_rounds(const TightEdges<D, W>& edges, std::span<const Vertex> sources, VertexArray& parents,
                      VertexArray& nearest)
{
    const OfSlots chosen = Rounds<D, W>(edges).run(sources);
    for (std::size_t i = 0; i < parents.size(); ++i) nearest.set(i, parents[i]);  // sources without edges
    for_each_slot(edges.graph(), [&](std::size_t i, std::uint32_t slot) {
        if (parents[i] == kUnreached) return;
        nearest.set(i, chosen.nearest[slot]);
        parents.set(i, chosen.parents[slot]);
    });
}

}  // namespace

template <typename D>
void choose_nearest(const comm::ProcessGrid& grid, const DistributedGraph& graph, const NearestSearch& search,
                    std::span<const D> distances, VertexArray& parents, VertexArray& nearest, PhaseLog* log)
{
    const Phase phase(log, "nearest");
    if (nearest.size() != parents.size()) nearest = VertexArray(parents.size(), graph.partition.vertex_count());
    with_lengths<D>(graph, search.lengths, [&]<typename W>(W) {
        if (grid.world().size() == 1)
            choose_in_memory<D, W>(graph, distances, search.negative_weights, parents, nearest);
        else
            choose_in_rounds<D, W>(TightEdges<D, W>(grid, graph, distances, log), search.sources, parents, nearest);
    });
    if (!search.smallest_parents) return;
    HostBuffer<Vertex> of_slots(distances.size(), kUnreached);
    for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) { of_slots[slot] = nearest[i]; });
    const HostBuffer<Vertex> smallest = smallest_parents(
        grid, graph, distances, {search.sources, of_slots.span(), search.lengths, search.negative_weights}, log);
    for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) {
        if (parents[i] != kUnreached) parents.set(i, smallest[slot]);
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
