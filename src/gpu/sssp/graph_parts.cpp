#include "gpu/sssp/graph_parts.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "graph/bisection.hpp"

namespace wayfront::gpu::sssp {

namespace {

/// The first element of each part if part p has counts(p) elements, and then the total number of
/// elements.
template <typename Counts>
std::vector<std::uint32_t> first_of_parts(std::uint32_t parts, Counts&& counts)
{
    std::vector<std::uint32_t> first(parts + std::size_t{1}, 0);
    for (std::uint32_t p = 0; p < parts; ++p) first[p + 1] = first[p] + static_cast<std::uint32_t>(counts(p));
    return first;
}

/// The slots of a graph in the order of parts. Returns no value if more than `most_cut_arcs` arcs
/// lead from one half of the graph to the other.
std::optional<std::vector<std::uint32_t>> divide(std::span<const ListPlace> lists, std::span<const Arc> arcs,
                                                 std::uint32_t count, std::uint64_t most_cut_arcs)
{
    std::vector<std::uint64_t> offsets(lists.size() + 1, 0);
    for (std::size_t slot = 0; slot < lists.size(); ++slot) offsets[slot + 1] = offsets[slot] + lists[slot].degree();
    std::vector<std::uint32_t> neighbours(offsets.back());
    parallel_for(lists.size(), 1, [&](std::size_t slot) {
        for (std::uint32_t k = 0; k < lists[slot].degree(); ++k)
            neighbours[offsets[slot] + k] = arcs[lists[slot].begin() + k].end;
    });
    return order_by_bisection(offsets, neighbours, count, most_cut_arcs);
}

/// Makes the data of the parts after the vertices have been assigned to parts.
class PartMaker
{
public:
    PartMaker(std::span<const ListPlace> lists, std::span<const Arc> arcs, std::uint32_t count,
              std::vector<std::uint32_t> slots)
        : lists_(lists), arcs_(arcs), count_(count), ghosts_(count), entry_of_vertex_(lists.size(), 0)
    {
        parts_.slots = std::move(slots);
        parts_.vertex_of_slot.resize(lists.size());
        for (std::uint32_t v = 0; v < parts_.slots.size(); ++v) parts_.vertex_of_slot[parts_.slots[v]] = v;
    }

    std::optional<HostGraphParts> make(std::uint64_t most_cut_arcs)
    {
        std::atomic<std::uint64_t> cut = 0;
        parallel_items(count_, [&](std::size_t p) { cut += find_ghosts(static_cast<std::uint32_t>(p)); });
        if (cut > most_cut_arcs) return std::nullopt;
        make_inboxes();
        make_places();
        parts_.heads.resize(lists_.size() * kHeadArcs);
        parallel_items(count_, [&](std::size_t p) { place_arcs(static_cast<std::uint32_t>(p)); });
        return std::move(parts_);
    }

private:
    [[nodiscard]] std::uint32_t begin(std::uint32_t p) const
    {
        return static_cast<std::uint32_t>(begin_of_part(lists_.size(), count_, p));
    }
    [[nodiscard]] ListPlace list_of(std::uint32_t v) const { return lists_[parts_.slots[v]]; }
    /// The vertex to which arc k of a vertex's list leads.
    [[nodiscard]] std::uint32_t end_of(ListPlace list, std::uint32_t k) const
    {
        return parts_.vertex_of_slot[arcs_[list.begin() + k].end];
    }

    /// Finds the ghosts of a part. Returns the number of the part's arcs that lead to other parts.
    std::uint64_t find_ghosts(std::uint32_t p)
    {
        std::vector<std::uint32_t>& ghosts = ghosts_[p];
        for (std::uint32_t v = begin(p); v < begin(p + 1); ++v)
            for (std::uint32_t k = 0; k < list_of(v).degree(); ++k)
                if (const std::uint32_t end = end_of(list_of(v), k); end < begin(p) || end >= begin(p + 1))
                    ghosts.push_back(end);
        const std::uint64_t cut = ghosts.size();
        std::sort(ghosts.begin(), ghosts.end());
        ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
        return cut;
    }

    /// Gives each boundary vertex an entry in the inboxes, by ascending number of the vertex, so
    /// that the entries of a part are consecutive.
    void make_inboxes()
    {
        for (const auto& ghosts : ghosts_)
            for (const std::uint32_t v : ghosts) entry_of_vertex_[v] = 1;
        std::uint32_t p = 0;
        for (std::uint32_t v = 0; v < entry_of_vertex_.size(); ++v) {
            while (v >= begin(p + 1)) ++p;
            if (entry_of_vertex_[v] == 0) continue;
            entry_of_vertex_[v] = static_cast<std::uint32_t>(parts_.local_of_boundary.size());
            parts_.local_of_boundary.push_back(v - begin(p));
            boundary_.push_back(v);
        }
    }

    void make_places()
    {
        const auto before = [&](std::uint32_t v) {
            return static_cast<std::uint32_t>(std::lower_bound(boundary_.begin(), boundary_.end(), v) -
                                              boundary_.begin());
        };
        std::uint32_t first_ghost = 0;
        for (std::uint32_t p = 0; p < count_; ++p) {
            const GraphPart part{.vertices = begin(p + 1) - begin(p),
                                 .ghosts = static_cast<std::uint32_t>(ghosts_[p].size()),
                                 .boundary = before(begin(p + 1)) - before(begin(p)),
                                 .first_vertex = begin(p),
                                 .first_ghost = first_ghost,
                                 .first_boundary = before(begin(p))};
            first_ghost += part.ghosts;
            for (const std::uint32_t v : ghosts_[p]) parts_.entry_of_ghost.push_back(entry_of_vertex_[v]);
            LargestPart& largest = parts_.largest;
            largest.vertices = std::max(largest.vertices, part.vertices);
            largest.locals = std::max(largest.locals, part.vertices + part.ghosts);
            largest.ghosts = std::max(largest.ghosts, part.ghosts);
            largest.boundary = std::max(largest.boundary, part.boundary);
            parts_.parts.push_back(part);
        }
        parts_.tails.resize(lists_.size());
        std::uint32_t tails = 0;
        for (std::uint32_t v = 0; v < lists_.size(); ++v) {
            const std::uint32_t degree = list_of(v).degree();
            parts_.tails[v] = {tails, degree > kHeadArcs ? degree - kHeadArcs : 0};
            tails += parts_.tails[v].count;
        }
        parts_.tail_arcs.resize(tails);
    }

    void place_arcs(std::uint32_t p)
    {
        const GraphPart& part = parts_.parts[p];
        const auto local_of = [&](std::uint32_t v) {
            if (v - part.first_vertex < part.vertices) return v - part.first_vertex;
            const auto ghost = std::lower_bound(ghosts_[p].begin(), ghosts_[p].end(), v) - ghosts_[p].begin();
            return part.vertices + static_cast<std::uint32_t>(ghost);
        };
        for (std::uint32_t v = begin(p); v < begin(p + 1); ++v) {
            const ListPlace list = list_of(v);
            Arc* const head = parts_.heads.data() + std::size_t{v} * kHeadArcs;
            for (std::uint32_t k = 0; k < kHeadArcs; ++k) head[k] = {GraphPartsView::kNoEnd, 0};
            for (std::uint32_t k = 0; k < list.degree(); ++k) {
                const Arc arc{local_of(end_of(list, k)), arcs_[list.begin() + k].weight};
                if (k < kHeadArcs)
                    head[k] = arc;
                else
                    parts_.tail_arcs[parts_.tails[v].begin + k - kHeadArcs] = arc;
            }
            if (list.degree() > kHeadArcs) head[kHeadArcs - 1].end |= GraphPartsView::kHasTail;
        }
    }

    std::span<const ListPlace> lists_;
    std::span<const Arc> arcs_;
    std::uint32_t count_;
    HostGraphParts parts_;
    // For each part: the vertices that are its ghosts, by ascending number.
    std::vector<std::vector<std::uint32_t>> ghosts_;
    std::vector<std::uint32_t> entry_of_vertex_;  // by vertex: entry in the inboxes, for boundary vertices
    std::vector<std::uint32_t> boundary_;         // by entry: boundary vertex
};

struct GraphPartsPlan : MemoryPlan
{
    GraphPartsPlan(std::size_t count, std::size_t vertices, std::size_t tail_arcs_count, std::size_t ghosts,
                   std::size_t boundary)
        : parts(array<GraphPart>("parts", count)),
          heads(array<Arc>("lightest arcs in parts", vertices, kHeadArcs)),
          tails(array<ArcTail>("places of other arcs", vertices)),
          slots(array<std::uint32_t>("slots of vertices in parts", vertices)),
          tail_arcs(array<Arc>("other arcs in parts", tail_arcs_count)),
          vertex_of_slot(array<std::uint32_t>("vertices in parts", vertices)),
          entry_of_ghost(array<std::uint32_t>("entries of ghosts", ghosts)),
          local_of_boundary(array<std::uint32_t>("boundary vertices", boundary))
    {
    }
    PlannedArray<GraphPart> parts;
    PlannedArray<Arc> heads;
    PlannedArray<ArcTail> tails;
    PlannedArray<std::uint32_t> slots;
    PlannedArray<Arc> tail_arcs;
    PlannedArray<std::uint32_t> vertex_of_slot, entry_of_ghost, local_of_boundary;
};

}  // namespace

std::optional<HostGraphParts> divide_graph(std::span<const ListPlace> lists, std::span<const Arc> arcs,
                                           std::uint32_t count, std::uint64_t most_cut_arcs)
{
    std::optional<std::vector<std::uint32_t>> slots = divide(lists, arcs, count, most_cut_arcs);
    if (!slots) return std::nullopt;
    return PartMaker(lists, arcs, count, std::move(*slots)).make(most_cut_arcs);
}

GraphParts::GraphParts(const HostGraphParts& host, const Stream& stream) : boundary_(host.local_of_boundary.size())
{
    const GraphPartsPlan plan(host.parts.size(), host.slots.size(), host.tail_arcs.size(), host.entry_of_ghost.size(),
                              boundary_);
    memory_ = DeviceArrays(plan);
    const auto put = [&]<typename T>(const PlannedArray<T>& array, const std::vector<T>& values) {
        copy_async(std::span<const T>(values), memory_[array], stream);
        return memory_[array].data();
    };
    view_ = {.count = static_cast<std::uint32_t>(host.parts.size()),
             .parts = put(plan.parts, host.parts),
             .heads = put(plan.heads, host.heads),
             .tails = put(plan.tails, host.tails),
             .slots = put(plan.slots, host.slots),
             .tail_arcs = put(plan.tail_arcs, host.tail_arcs),
             .vertex_of_slot = put(plan.vertex_of_slot, host.vertex_of_slot),
             .entry_of_ghost = put(plan.entry_of_ghost, host.entry_of_ghost),
             .local_of_boundary = put(plan.local_of_boundary, host.local_of_boundary)};
    stream.synchronize();
}

}  // namespace wayfront::gpu::sssp
