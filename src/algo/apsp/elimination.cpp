#include "algo/apsp/elimination.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace wayfront::algo {

namespace {

constexpr std::uint32_t kFar = Elimination::kFar;
constexpr std::uint32_t kNone = Elimination::kNoPosition;

// The work of steps, in links that take as long: measured with New York's roads, grids, a path and a star.
constexpr double kWorkOfArc = 6;      // making the links of an arc
constexpr double kWorkOfJoin = 20;    // changing the links of a neighbour, without the links that are read
constexpr double kWorkOfVertex = 50;  // numbering a vertex in the end

/// The work that is certain, without joins.
double certain_work(const DistributedGraph& graph)
{
    const double links = static_cast<double>(graph.directed_edges) * (graph.block.symmetric ? 1 : 2);
    return kWorkOfArc * links + kWorkOfVertex * static_cast<double>(graph.connected_vertices);
}

std::uint32_t sum_of(std::uint32_t a, std::uint32_t b)
{
    return std::min(a + b, kFar);
}

/// The arcs between a vertex and a neighbour.
struct Link
{
    std::uint32_t other;
    std::uint32_t out;  // weight of the arc to the neighbour; kFar without one
    std::uint32_t in;   // weight of the arc from the neighbour
};

/// The links of one vertex, by ascending neighbour.
using Links = std::vector<Link>;

void sort_links(Links& links)
{
    std::ranges::sort(links, {}, &Link::other);
    std::size_t count = 0;
    for (const Link& link : links) {
        if (count > 0 && links[count - 1].other == link.other) {
            links[count - 1].out = std::min(links[count - 1].out, link.out);
            links[count - 1].in = std::min(links[count - 1].in, link.in);
        } else {
            links[count++] = link;
        }
    }
    links.resize(count);
}

std::vector<Links> links_of(const DistributedGraph& graph)
{
    const auto vertices = static_cast<std::uint32_t>(graph.connected_vertices);
    const CsrView out = graph.block.out_edges().view();
    std::vector<Links> links(vertices);
    std::visit(
        [&](const auto& weights) {
            for (std::uint32_t v = 0; v < vertices; ++v) {
                for (std::uint64_t e = out.begin(v); e < out.end(v); ++e) {
                    const std::uint32_t u = out.neighbours[e];
                    std::uint32_t weight = 1;
                    if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
                        weight = static_cast<double>(weights[e]) < kFar ? static_cast<std::uint32_t>(weights[e]) : kFar;
                    if (u == v || weight == kFar) continue;
                    links[v].push_back({u, weight, graph.block.symmetric ? weight : kFar});
                    if (!graph.block.symmetric) links[u].push_back({v, kFar, weight});
                }
            }
        },
        graph.block.out_weights());
    for (Links& each : links) sort_links(each);
    return links;
}

/// Vertices by the cost of their elimination, which was determined when it was last set.
class CostQueue
{
public:
    explicit CostQueue(std::uint32_t vertices) : costs_(vertices, kNone) {}

    void set(std::uint32_t vertex, std::uint32_t cost)
    {
        cost = std::min(cost, kMostCost);
        if (costs_[vertex] == cost) return;
        costs_[vertex] = cost;
        if (cost >= buckets_.size()) buckets_.resize(cost + 1);
        buckets_[cost].push_back(vertex);
        lowest_ = std::min<std::size_t>(lowest_, cost);
    }
    /// Removes a vertex of the lowest cost. Pre: there is one.
    std::uint32_t pop()
    {
        for (;; ++lowest_) {
            std::vector<std::uint32_t>& bucket = buckets_[lowest_];
            while (!bucket.empty()) {
                const std::uint32_t vertex = bucket.back();
                bucket.pop_back();
                if (costs_[vertex] != lowest_) continue;  // the cost of the vertex was set again
                costs_[vertex] = kNone;
                return vertex;
            }
        }
    }

private:
    static constexpr std::uint32_t kMostCost = 1 << 20;

    std::vector<std::uint32_t> costs_;
    std::vector<std::vector<std::uint32_t>> buckets_;
    std::size_t lowest_ = 0;
};

class Eliminator
{
public:
    Eliminator(const DistributedGraph& graph, const EliminationLimits& limits)
        : links_(links_of(graph)),
          limits_(limits),
          vertices_(static_cast<std::uint32_t>(links_.size())),
          queue_(vertices_),
          heights_(vertices_, 0),
          work_(certain_work(graph))
    {
    }

    /// Eliminates all vertices. Each vertex keeps its links to vertices that are eliminated later.
    /// Returns false if a limit is exceeded.
    bool eliminate_all()
    {
        ranks_.assign(vertices_, kNone);
        order_.reserve(vertices_);
        for (std::uint32_t v = 0; v < vertices_; ++v) queue_.set(v, cost_of(v));
        constexpr double kMostArcs = 4e9;  // more arcs have places that do not fit 32 bits
        const double most_pairs = std::min(limits_.pairs_a_vertex * vertices_, kMostArcs);
        double pairs = 0;  // pairs of an eliminated vertex and a neighbour
        for (const Links& links : links_) left_ += static_cast<double>(links.size());
        while (order_.size() < vertices_) {
            const std::uint32_t vertex = queue_.pop();
            const auto degree = static_cast<double>(links_[vertex].size());
            pairs += degree;
            left_ -= degree;
            // Two lower bounds of the pairs that are still to be counted: elimination makes all
            // neighbours of the vertex neighbours of each other; and each pair that is left has two
            // links.
            const double bound = pairs + std::max(degree * (degree - 1) / 2, left_ / 2);
            // Links are copied once, and vectors reserve more memory than they use.
            constexpr double bytes_a_link = 2.5 * sizeof(Link);
            const bool too_large = (pairs + left_) * bytes_a_link > limits_.bytes;
            if (bound > most_pairs || too_large || work_ > limits_.work || heights_[vertex] >= limits_.height)
                return false;
            eliminate(vertex);
        }
        for (const Links& links : links_)
            for (const Link& link : links) work_ += 2 * static_cast<double>(links_[link.other].size());
        return work_ <= limits_.work;
    }

    /// Makes the weights of all links distances, and keeps the arcs that others do not replace.
    void reduce()
    {
        kept_.resize(vertices_);
        std::vector<std::uint32_t> places(vertices_, kNone);
        for (std::size_t i = vertices_; i-- > 0;) reduce(order_[i], places);
    }

    Elimination result(const DistributedGraph& graph)
    {
        Elimination tree;
        const std::vector<std::uint32_t> slots = number(tree);
        std::vector<std::uint32_t> depth_of_slot(vertices_);
        tree.positions.assign(graph.slot_of_local.size(), kNone);
        for (std::uint32_t p = 0; p < vertices_; ++p) {
            const auto vertex = static_cast<std::uint32_t>(graph.vertex_of_column[slots[p]]);
            tree.vertices.push_back(vertex);
            tree.positions[vertex] = p;
            depth_of_slot[slots[p]] = tree.depths[p];
        }
        const auto end_of = [](const std::vector<EliminationArc>& arcs) {
            return static_cast<std::uint32_t>(arcs.size());
        };
        for (const std::uint32_t slot : slots) {
            tree.arcs_to_ancestors_begins.push_back(end_of(tree.arcs_to_ancestors));
            tree.arcs_from_ancestors_begins.push_back(end_of(tree.arcs_from_ancestors));
            for (const Link& link : kept_[slot]) {
                if (link.out < kFar) tree.arcs_to_ancestors.push_back({depth_of_slot[link.other], link.out});
                if (link.in < kFar) tree.arcs_from_ancestors.push_back({depth_of_slot[link.other], link.in});
            }
        }
        tree.arcs_to_ancestors_begins.push_back(end_of(tree.arcs_to_ancestors));
        tree.arcs_from_ancestors_begins.push_back(end_of(tree.arcs_from_ancestors));
        return tree;
    }

private:
    /// The order of elimination. Vertices with few neighbours come first, since few links are
    /// added. Among them, vertices with a low tree below them come first, so that the tree does not
    /// become high: a path would otherwise be eliminated from its ends.
    [[nodiscard]] std::uint32_t cost_of(std::uint32_t vertex) const
    {
        return kDegreeCost * static_cast<std::uint32_t>(links_[vertex].size()) + heights_[vertex];
    }

    void eliminate(std::uint32_t vertex)
    {
        ranks_[vertex] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(vertex);
        const Links& through = links_[vertex];
        for (const Link& to : through) {
            join(links_[to.other], through, vertex, to);
            heights_[to.other] = std::max(heights_[to.other], heights_[vertex] + 1);
            queue_.set(to.other, cost_of(to.other));
        }
    }

    /// Adds the paths through `vertex`, whose links are `through`, to the links of its neighbour `self`,
    /// and removes the link to `vertex`.
    void join(Links& links, const Links& through, std::uint32_t vertex, const Link& self)
    {
        joined_.clear();
        auto old = links.begin();
        auto next = through.begin();
        const auto keep = [&](const Link& link) {
            if (link.other != vertex) joined_.push_back(link);
        };
        while (old != links.end() || next != through.end()) {
            if (next != through.end() && next->other == self.other) {
                ++next;
            } else if (next == through.end() || (old != links.end() && old->other < next->other)) {
                keep(*old++);
            } else {
                Link link{next->other, sum_of(self.in, next->out), sum_of(next->in, self.out)};
                if (old != links.end() && old->other == next->other) {
                    link.out = std::min(link.out, old->out);
                    link.in = std::min(link.in, old->in);
                    ++old;
                }
                joined_.push_back(link);
                ++next;
            }
        }
        work_ += kWorkOfJoin + static_cast<double>(joined_.size());
        left_ += static_cast<double>(joined_.size()) - static_cast<double>(links.size());
        links.assign(joined_.begin(), joined_.end());
    }

    /// Sets each link of the vertex to the distance between its ends in the graph. A shortest path from the vertex to
    /// a neighbour first takes a link to some neighbour, and then a shortest path from there. Pre:
    /// the links of all vertices that are eliminated later have the distances of the graph.
    void reduce(std::uint32_t vertex, std::vector<std::uint32_t>& places)
    {
        Links& links = links_[vertex];
        for (std::uint32_t i = 0; i < links.size(); ++i) places[links[i].other] = i;
        Links distances = links;
        const auto for_each_pair = [&](auto&& f) {
            for (std::uint32_t a = 0; a < links.size(); ++a)
                for (const Link& between : links_[links[a].other])
                    if (const std::uint32_t b = places[between.other]; b != kNone) f(a, b, between);
        };
        for_each_pair([&](std::uint32_t a, std::uint32_t b, const Link& between) {
            distances[b].out = std::min(distances[b].out, sum_of(links[a].out, between.out));
            distances[a].out = std::min(distances[a].out, sum_of(links[b].out, between.in));
            distances[b].in = std::min(distances[b].in, sum_of(between.in, links[a].in));
            distances[a].in = std::min(distances[a].in, sum_of(between.out, links[b].in));
        });
        // An arc is dropped if another arc, which has not been dropped, begins a path of the same
        // length or a shorter one.
        Links& kept = kept_[vertex];
        kept = distances;
        for_each_pair([&](std::uint32_t a, std::uint32_t b, const Link& between) {
            const auto drop = [](std::uint32_t& weight, std::uint32_t first, std::uint32_t rest) {
                if (first < kFar && sum_of(first, rest) <= weight) weight = kFar;
            };
            drop(kept[b].out, kept[a].out, between.out);
            drop(kept[a].out, kept[b].out, between.in);
            drop(kept[b].in, kept[a].in, between.in);
            drop(kept[a].in, kept[b].in, between.out);
        });
        for (const Link& link : links) places[link.other] = kNone;
        links = std::move(distances);
    }

    /// Numbers the vertices in preorder of the elimination tree, in which the parent of a vertex is
    /// its neighbour that is eliminated next. Returns the slots of the positions.
    [[nodiscard]] std::vector<std::uint32_t> number(Elimination& tree) const
    {
        std::vector<std::uint32_t> parents(vertices_, kNone);
        std::vector<std::uint32_t> sizes(vertices_, 1);  // the sizes of subtrees
        for (const std::uint32_t vertex : order_) {
            for (const Link& link : links_[vertex])
                if (parents[vertex] == kNone || ranks_[link.other] < ranks_[parents[vertex]])
                    parents[vertex] = link.other;
            if (parents[vertex] != kNone) sizes[parents[vertex]] += sizes[vertex];
        }
        tree.parents.resize(vertices_);
        tree.depths.resize(vertices_);
        tree.ends.resize(vertices_);
        std::vector<std::uint32_t> slots(vertices_);
        std::vector<std::uint32_t> positions(vertices_);
        std::vector<std::uint32_t> next(vertices_);  // the position of the next child
        std::uint32_t next_root = 0;
        for (std::size_t i = vertices_; i-- > 0;) {
            const std::uint32_t vertex = order_[i];
            const std::uint32_t parent = parents[vertex];
            const bool root = parent == kNone;
            std::uint32_t& place = root ? next_root : next[parent];
            const std::uint32_t position = place;
            place += sizes[vertex];
            next[vertex] = position + 1;
            slots[position] = vertex;
            positions[vertex] = position;
            tree.parents[position] = root ? kNone : positions[parent];
            tree.depths[position] = root ? 0 : tree.depths[positions[parent]] + 1;
            tree.ends[position] = position + sizes[vertex];
            tree.height = std::max(tree.height, tree.depths[position] + 1);
        }
        return slots;
    }

    static constexpr std::uint32_t kDegreeCost = 4;

    std::vector<Links> links_;
    std::vector<Links> kept_;
    EliminationLimits limits_;
    std::uint32_t vertices_;
    CostQueue queue_;
    std::vector<std::uint32_t> heights_;  // of the tree below each vertex
    std::vector<std::uint32_t> ranks_;    // in the order of elimination
    std::vector<std::uint32_t> order_;
    Links joined_;
    // The links of vertices that are not eliminated. Each link is in the lists of both vertices.
    double left_ = 0;
    double work_;
};

}  // namespace

std::size_t Elimination::bytes() const
{
    const std::size_t words = vertices.size() + positions.size() + parents.size() + depths.size() + ends.size() +
                              arcs_to_ancestors_begins.size() + arcs_from_ancestors_begins.size();
    return words * sizeof(std::uint32_t) +
           (arcs_to_ancestors.size() + arcs_from_ancestors.size()) * sizeof(EliminationArc);
}

double least_elimination_work(const DistributedGraph& graph)
{
    // Each vertex but a root has a neighbour that is eliminated later.
    return certain_work(graph) + kWorkOfJoin * static_cast<double>(graph.connected_vertices);
}

std::optional<Elimination> eliminate(const DistributedGraph& graph, const EliminationLimits& limits)
{
    if (least_elimination_work(graph) > limits.work) return std::nullopt;
    Eliminator eliminator(graph, limits);
    if (!eliminator.eliminate_all()) return std::nullopt;
    eliminator.reduce();
    return eliminator.result(graph);
}

}  // namespace wayfront::algo
