#include "algo/nearest_sources.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "algo/host_ranks.hpp"
#include "algo/nearest_in_columns.hpp"
#include "algo/smallest_parents.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/shared_memory.hpp"

namespace wayfront::algo {

namespace {

constexpr std::size_t kSerialBelow = 1 << 13;
constexpr Vertex kNoSource = std::numeric_limits<Vertex>::max();

/// The choice on one rank.
template <typename D, typename W>
void choose_in_memory(const DistributedGraph& graph, const NearestSearch<D>& search, SourceTrees trees)
{
    const std::size_t slots = search.distances.size();
    HostBuffer<std::uint32_t> numbers(slots, kNoLocal);
    for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) { numbers[slot] = static_cast<std::uint32_t>(i); });
    HostBuffer<std::uint32_t> above(slots);
    HostBuffer<std::uint64_t> labels(slots);
    const SharedColumns<D> columns{search.distances,    numbers.span(), graph.slot_of_local.span(),
                                   graph.local_count(), above.span(),   labels.span()};
    choose_nearest_in_columns<D, W>(graph, columns, search.negative_weights, OneRank{}, trees);
}

/// The choice in memory that the ranks of a host share. Returns false if they do not share memory, are no
/// grid of one column, or have a graph whose numbers exceed 32 bits. Collective over the grid's world.
template <typename D, typename W>
bool choose_on_host(const comm::ProcessGrid& grid, const DistributedGraph& graph, const NearestSearch<D>& search,
                    SourceTrees trees)
{
    const comm::Communicator& world = grid.world();
    if (grid.shape().columns != 1 || !VertexArray::is_narrow(graph.partition.vertex_count())) return false;
    const CsrBlock& block = graph.block;
    const std::size_t columns = block.cols();
    const std::size_t chunk = graph.partition.chunk_stride();
    const auto ranks = static_cast<std::size_t>(world.size());
    const std::size_t column_bytes = sizeof(std::uint64_t) + sizeof(D) + sizeof(std::uint32_t);
    const comm::SharedMemory memory =
        comm::SharedMemory::among(world, columns * column_bytes + ranks * chunk * sizeof(std::uint32_t));
    if (memory.empty()) return false;
    std::byte* const bytes = memory.bytes().data();
    const std::span labels(reinterpret_cast<std::uint64_t*>(bytes), columns);
    const std::span shared_distances(reinterpret_cast<D*>(labels.data() + columns), columns);
    const std::span above(reinterpret_cast<std::uint32_t*>(shared_distances.data() + columns), columns);
    const std::span slots(above.data() + columns, ranks * chunk);
    const std::size_t first = block.own_col(0).value;
    std::ranges::copy(search.distances, shared_distances.begin() + static_cast<std::ptrdiff_t>(first));
    std::ranges::copy(graph.slot_of_local,
                      slots.begin() + static_cast<std::ptrdiff_t>(chunk * static_cast<std::size_t>(graph.rank)));
    world.barrier();
    const std::span<const std::int32_t> vertices = graph.vertex_of_column.elements<std::int32_t>();
    const std::span numbers(reinterpret_cast<const std::uint32_t*>(vertices.data()), columns);
    choose_nearest_in_columns<D, W>(graph, SharedColumns<D>{shared_distances, numbers, slots, chunk, above, labels},
                                    search.negative_weights, HostRanks(world), trees);
    return true;
}

/// The choice for this rank's slots; kUnreached if a slot is not reached.
struct SlotChoices
{
    HostBuffer<Vertex> nearest;
    HostBuffer<Vertex> parents;
};

/// Passes sources on over the ranks of a grid.
template <typename D, typename W>
class Rounds
{
public:
    explicit Rounds(const TightEdges<D, W>& edges)
        : edges_(edges),
          block_(edges.block()),
          smallest_row_sources_(block_.rows(), kNoSource),
          chosen_{HostBuffer<Vertex>(block_.slot_stride, kNoSource), HostBuffer<Vertex>(block_.slot_stride, kUnreached)}
    {
    }

    SlotChoices run(std::span<const Vertex> sources)
    {
        const comm::ProcessGrid& grid = edges_.grid();
        std::vector<Lowered> changed;
        edges_.for_each_own_slot(sources, [&](std::uint32_t slot, Vertex source) {
            if (edges_.distance(slot) != D{0}) return;  // with negative weights
            chosen_.nearest[slot] = source;
            chosen_.parents[slot] = source;
            changed.push_back({source, slot});
        });
        while (grid.world().any(!changed.empty())) changed = take(offers_from(edges_.of_all(grid.column(), changed)));
        parallel_for(chosen_.nearest.size(), kSerialBelow, [this](std::size_t slot) {
            if (chosen_.nearest[slot] == kNoSource) chosen_.nearest[slot] = kUnreached;
        });
        return std::move(chosen_);
    }

private:
    /// A slot, or a column, with its new, smaller source.
    struct Lowered
    {
        Vertex source;
        std::uint32_t slot;
    };
    /// A smaller source for a row of the block, and the parent towards it.
    struct Offer
    {
        Vertex source;
        Vertex parent;
        std::uint32_t row;
    };

    /// Gives a row of the block a smaller source. Returns whether it is smaller than all that this
    /// block has found for the row.
    bool lower(std::uint32_t row, Vertex source)
    {
        const std::atomic_ref<Vertex> stored(smallest_row_sources_[row]);
        Vertex seen = stored.load(std::memory_order_relaxed);
        while (source < seen)
            if (stored.compare_exchange_weak(seen, source, std::memory_order_relaxed)) return true;
        return false;
    }

    /// The rows that get smaller sources along tight edges, some of them more than once.
    [[nodiscard]] std::vector<Offer> offers_from(const std::vector<Lowered>& columns)
    {
        std::vector<Offer> offers;
        std::mutex lock;
        parallel_ranges(columns.size(), kSerialBelow, [&](IndexRange range) {
            std::vector<Offer> of_thread;
            for (std::size_t i = range.first; i < range.last; ++i) {
                const auto [source, col] = columns[i];
                const Vertex parent = edges_.graph().vertex_of_column[col];
                edges_.for_each_to(
                    col,
                    [&, from = source](std::uint32_t row) {
                        return from <
                               std::atomic_ref<Vertex>(smallest_row_sources_[row]).load(std::memory_order_relaxed);
                    },
                    [&, from = source](std::uint32_t row) {
                        if (lower(row, from)) of_thread.push_back({from, parent, row});
                    });
            }
            const std::lock_guard guard(lock);
            offers.insert(offers.end(), of_thread.begin(), of_thread.end());
        });
        return offers;
    }

    /// Sends the offers to the owners of the rows, who take smaller ones. Returns
    /// the slots that got one.
    [[nodiscard]] std::vector<Lowered> take(const std::vector<Offer>& offers)
    {
        std::vector<Lowered> changed;
        for (const auto& [source, parent, slot] : edges_.to_owners(offers)) {
            if (!(source < chosen_.nearest[slot])) continue;
            chosen_.nearest[slot] = source;
            chosen_.parents[slot] = parent;
            changed.push_back({source, slot});
        }
        // If a slot got several sources, only the smallest one is sent.
        std::erase_if(changed, [this](const Lowered& one) { return one.source != chosen_.nearest[one.slot]; });
        return changed;
    }

    const TightEdges<D, W>& edges_;
    const CsrBlock& block_;
    HostBuffer<Vertex> smallest_row_sources_;  // the smallest source that this block has found for each row
    SlotChoices chosen_;
};

/// Writes the choice for this rank's vertices. Collective over the grid's world.
template <typename D, typename W>
void choose_in_rounds(const TightEdges<D, W>& edges, std::span<const Vertex> sources, SourceTrees trees)
{
    const SlotChoices chosen = Rounds<D, W>(edges).run(sources);
    // A source without edges is its own parent, and its own nearest source; it has no slot.
    for (std::size_t i = 0; i < trees.parents.size(); ++i) trees.nearest.set(i, trees.parents[i]);
    for_each_slot(edges.graph(), [&](std::size_t i, std::uint32_t slot) {
        if (trees.parents[i] == kUnreached) return;
        trees.nearest.set(i, chosen.nearest[slot]);
        trees.parents.set(i, chosen.parents[slot]);
    });
}

}  // namespace

template <typename D>
void choose_nearest(const comm::ProcessGrid& grid, const DistributedGraph& graph, const NearestSearch<D>& search,
                    SourceTrees trees, PhaseLog* log)
{
    const Phase phase(log, "nearest");
    VertexArray& parents = trees.parents;
    VertexArray& nearest = trees.nearest;
    if (nearest.size() != parents.size()) nearest = VertexArray(parents.size(), graph.partition.vertex_count());
    with_lengths<D>(graph, search.lengths, [&]<typename W>(W) {
        if (grid.world().size() == 1)
            choose_in_memory<D, W>(graph, search, trees);
        else if (!choose_on_host<D, W>(grid, graph, search, trees))
            choose_in_rounds<D, W>(TightEdges<D, W>(grid, graph, search.distances, log), search.sources, trees);
    });
    if (!search.smallest_parents) return;
    HostBuffer<Vertex> of_slots(search.distances.size(), kUnreached);
    for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) { of_slots[slot] = nearest[i]; });
    const HostBuffer<Vertex> smallest = smallest_parents(
        grid, graph, search.distances, {search.sources, of_slots.span(), search.lengths, search.negative_weights}, log);
    for_each_slot(graph, [&](std::size_t i, std::uint32_t slot) {
        if (parents[i] != kUnreached) parents.set(i, smallest[slot]);
    });
}

double nearest_bytes(const comm::ProcessGrid& grid, const DistributedGraph& graph, double distance_bytes,
                     bool smallest_parents)
{
    const CsrBlock& block = graph.block;
    const double slots = block.slot_stride;
    const double columns = block.cols();
    const double places = columns + block.rows();
    const double own = graph.local_count();
    const bool narrow = VertexArray::is_narrow(graph.partition.vertex_count());
    // Labels, the tree, the order in which the search has found the vertices, and lists of vertices that changed.
    constexpr double in_memory = 32;
    double bytes = in_memory * slots;
    if (grid.world().size() > 1) {
        constexpr double in_rounds = 16;
        constexpr double of_tree = sizeof(std::uint32_t);  // on each rank
        const double on_host = in_memory * slots + of_tree * columns + sizeof(std::uint32_t) * own;
        bytes = distance_bytes * places + sizeof(Vertex) * block.rows() + in_rounds * slots;
        if (grid.shape().columns == 1 && narrow) bytes = std::max(bytes, on_host);
    }
    if (smallest_parents) {
        constexpr double of_slot = 16;
        constexpr double of_place = 4 + 8;  // and the distance
        bytes = std::max(bytes, (distance_bytes + of_place) * places + (of_slot + sizeof(Vertex)) * slots);
    }
    return bytes + (narrow ? sizeof(std::int32_t) : sizeof(std::int64_t)) * own;
}

template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch<std::uint32_t>&,
                             SourceTrees, PhaseLog*);
template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch<std::int64_t>&,
                             SourceTrees, PhaseLog*);
template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch<float>&,
                             SourceTrees, PhaseLog*);
template void choose_nearest(const comm::ProcessGrid&, const DistributedGraph&, const NearestSearch<double>&,
                             SourceTrees, PhaseLog*);

}  // namespace wayfront::algo
