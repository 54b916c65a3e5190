#include "cpu/sssp/arc_lists.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace wayfront::cpu {

namespace {

constexpr std::size_t kSerialBelow = 4096;

/// One direction of a block's arcs, by slot.
template <typename W>
struct BlockArcs
{
    BlockArcs(const Csr& csr, const BlockWeights& block_weights) : lists(csr.view())
    {
        if (const auto* buffer = std::get_if<HostBuffer<W>>(&block_weights)) weights = buffer->data();
    }

    [[nodiscard]] W weight(std::uint64_t arc) const { return weights == nullptr ? W{1} : weights[arc]; }

    CsrView lists;
    const W* weights = nullptr;  // null if the graph is unweighted
};

/// Makes lists. List i has count(i) arcs, and write(i, arcs) writes them.
template <typename W, typename Count, typename Write>
ArcArray<W> make_lists(std::size_t lists, Count&& count, Write&& write)
{
    ArcArray<W> array;
    array.begins = HostBuffer<std::uint64_t>(lists + 1);
    parallel_for(lists, kSerialBelow, [&](std::size_t i) { array.begins[i] = count(i); });
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < lists; ++i) total += std::exchange(array.begins[i], total);
    array.begins[lists] = total;
    array.arcs = HostBuffer<Arc<W>>(total);
    parallel_for(lists, kSerialBelow, [&](std::size_t i) { write(i, array.arcs.data() + array.begins[i]); });
    return array;
}

/// For each slot: whether the vertex is a leaf, whose arcs are stored in separate lists.
std::vector<std::uint8_t> find_leaves(const CsrView& out, const CsrView& in, std::uint32_t slots)
{
    std::vector<std::uint8_t> is_leaf(slots);
    parallel_for(slots, kSerialBelow, [&](std::size_t i) {
        const auto slot = static_cast<std::uint32_t>(i);
        const std::uint64_t degree = out.degree(slot);
        is_leaf[slot] = degree == 0 || (degree == 1 && in.degree(slot) == 1 &&
                                        out.neighbours[out.begin(slot)] == in.neighbours[in.begin(slot)])
                            ? 1
                            : 0;
    });
    return is_leaf;
}

template <typename W>
void summarise(ArcLists<W>& lists)
{
    double sum = 0;
    bool first = true;
    for (const ArcArray<W>* array : {&lists.out, &lists.to_leaves}) {
        for (const Arc<W>& arc : array->arcs) {
            lists.min_weight = first ? arc.weight : std::min(lists.min_weight, arc.weight);
            lists.max_weight = first ? arc.weight : std::max(lists.max_weight, arc.weight);
            sum += static_cast<double>(arc.weight);
            first = false;
        }
    }
    if (first) return;
    lists.mean_weight = sum / static_cast<double>(lists.arcs());
    // An estimate that assumes as many in-arcs as out-arcs for every vertex.
    double squares = 0;
    for (std::uint32_t vertex = 0; vertex < lists.vertices(); ++vertex) {
        const auto degree = static_cast<double>(lists.out.list(vertex).size());
        squares += degree * degree;
    }
    lists.degree_at_arcs = std::max(squares / static_cast<double>(lists.arcs()), 1.0);
}

}  // namespace

template <typename W>
ArcLists<W> make_arc_lists(const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    const BlockArcs<W> out(block.out_edges(), block.out_weights());
    const BlockArcs<W> in(block.in_edges, block.in_weights);
    const std::uint32_t slots = block.slot_stride;
    const std::uint32_t vertices = graph.local_count();
    const auto vertex_of = [&graph](std::uint32_t slot) {
        return static_cast<std::uint32_t>(graph.vertex_of_column[slot]);
    };

    const std::vector<std::uint8_t> is_leaf = find_leaves(out.lists, in.lists, slots);
    ArcLists<W> lists;
    // Calls f(neighbour, weight) for each out-arc of the vertex that does not lead to a leaf.
    const auto for_each_out_arc = [&](std::size_t vertex, auto&& f) {
        const std::uint32_t slot = graph.slot_of_local[vertex];
        if (slot == slots) return;  // the vertex has no arcs
        for (std::uint64_t arc = out.lists.begin(slot); arc < out.lists.end(slot); ++arc)
            if (is_leaf[out.lists.neighbours[arc]] == 0) f(out.lists.neighbours[arc], out.weight(arc));
    };
    lists.out = make_lists<W>(
        vertices,
        [&](std::size_t vertex) {
            std::uint64_t count = 0;
            for_each_out_arc(vertex, [&count](std::uint32_t, W) { ++count; });
            return count;
        },
        [&](std::size_t vertex, Arc<W>* next) {
            for_each_out_arc(vertex, [&](std::uint32_t target, W weight) { *next++ = {vertex_of(target), weight}; });
        });

    std::vector<std::uint32_t> leaf_slots;
    for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
        const std::uint32_t slot = graph.slot_of_local[vertex];
        if (slot != slots && is_leaf[slot] != 0) leaf_slots.push_back(slot);
    }
    lists.leaves = HostBuffer<std::uint32_t>(leaf_slots.size());
    std::ranges::transform(leaf_slots, lists.leaves.begin(), vertex_of);
    lists.to_leaves = make_lists<W>(
        leaf_slots.size(), [&](std::size_t i) { return in.lists.degree(leaf_slots[i]); },
        [&](std::size_t i, Arc<W>* next) {
            for (std::uint64_t arc = in.lists.begin(leaf_slots[i]); arc < in.lists.end(leaf_slots[i]); ++arc)
                *next++ = {vertex_of(in.lists.neighbours[arc]), in.weight(arc)};
        });
    summarise(lists);
    return lists;
}

template <typename W>
ArcLists<W> make_whole_lists(const DistributedGraph& graph, ListOwner owner)
{
    const CsrBlock& block = graph.block;
    const bool to_targets = owner == ListOwner::targets;
    const BlockArcs<W> arcs(to_targets ? block.in_edges : block.out_edges(),
                            to_targets ? block.in_weights : block.out_weights());
    const auto slot_of = [&](std::size_t vertex) { return graph.slot_of_local[vertex]; };
    ArcLists<W> lists;
    lists.out = make_lists<W>(
        graph.local_count(),
        [&](std::size_t vertex) {
            return slot_of(vertex) == block.slot_stride ? 0 : arcs.lists.degree(slot_of(vertex));
        },
        [&](std::size_t vertex, Arc<W>* next) {
            if (slot_of(vertex) == block.slot_stride) return;
            for (std::uint64_t arc = arcs.lists.begin(slot_of(vertex)); arc < arcs.lists.end(slot_of(vertex)); ++arc)
                *next++ = {static_cast<std::uint32_t>(graph.vertex_of_column[arcs.lists.neighbours[arc]]),
                           arcs.weight(arc)};
        });
    lists.to_leaves.begins = HostBuffer<std::uint64_t>(1, 0);
    summarise(lists);
    return lists;
}

namespace {

/// Calls f(source, target, weight) for each arc of the feed; an undirected edge is two. Without `with_weights`, they
/// are not read, and the weight is 1.
template <typename W, typename F>
void for_each_arc(const EdgeFeed& feed, bool with_weights, F&& f)
{
    constexpr std::size_t chunk_edges = 1 << 16;  // in a cache
    const auto edges = static_cast<std::size_t>(feed.size());
    const bool weighted = with_weights && feed.weight_type() != WeightType::none;
    HostBuffer<PackedEdge> scratch(std::min(edges, chunk_edges));
    HostBuffer<OrderedWord<W>> words(weighted ? scratch.size() : 0);
    for (std::size_t first = 0; first < edges; first += chunk_edges) {
        const std::size_t count = std::min(chunk_edges, edges - first);
        const auto position = static_cast<EdgeCount>(first);
        if (weighted) feed.weights(position, words.span().first(count));
        const std::span<const PackedEdge> chunk = feed.chunk(position, count, scratch.span());
        for (std::size_t i = 0; i < count; ++i) {
            const auto source = static_cast<std::uint32_t>(chunk[i].source());
            const auto target = static_cast<std::uint32_t>(chunk[i].target());
            if (source == target) continue;
            const W weight = weighted ? from_ordered<W>(words[i]) : W{1};
            f(source, target, weight);
            if (!feed.directed()) f(target, source, weight);
        }
    }
}

}  // namespace

template <typename W>
ArcLists<W> make_lists_of_feed(const EdgeFeed& feed)
{
    const auto vertices = static_cast<std::size_t>(feed.vertex_count());
    ArcLists<W> lists;
    // While arcs are placed, element v + 1 is the position of the next arc of v.
    HostBuffer<std::uint64_t>& begins = lists.out.begins = HostBuffer<std::uint64_t>(vertices + 1, 0);
    for_each_arc<W>(feed, false, [&](std::uint32_t source, std::uint32_t, W) { ++begins[source + std::size_t{1}]; });
    std::uint64_t total = 0;
    for (std::size_t v = 1; v <= vertices; ++v) total += std::exchange(begins[v], total);
    lists.out.arcs = HostBuffer<Arc<W>>(total);
    for_each_arc<W>(feed, true, [&](std::uint32_t source, std::uint32_t target, W weight) {
        lists.out.arcs[begins[source + std::size_t{1}]++] = {target, weight};
    });
    lists.to_leaves.begins = HostBuffer<std::uint64_t>(1, 0);
    summarise(lists);
    return lists;
}

template ArcLists<std::uint32_t> make_lists_of_feed(const EdgeFeed&);
template ArcLists<std::int64_t> make_lists_of_feed(const EdgeFeed&);
template ArcLists<float> make_lists_of_feed(const EdgeFeed&);
template ArcLists<double> make_lists_of_feed(const EdgeFeed&);
template ArcLists<std::uint32_t> make_whole_lists(const DistributedGraph&, ListOwner);
template ArcLists<std::int64_t> make_whole_lists(const DistributedGraph&, ListOwner);
template ArcLists<float> make_whole_lists(const DistributedGraph&, ListOwner);
template ArcLists<double> make_whole_lists(const DistributedGraph&, ListOwner);
template ArcLists<std::uint32_t> make_arc_lists(const DistributedGraph&);
template ArcLists<std::int64_t> make_arc_lists(const DistributedGraph&);
template ArcLists<float> make_arc_lists(const DistributedGraph&);
template ArcLists<double> make_arc_lists(const DistributedGraph&);

}  // namespace wayfront::cpu
