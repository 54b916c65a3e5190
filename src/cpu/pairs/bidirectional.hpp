// A shortest path between two vertices, by a search from both ends.
//
// The searches take turns, each in windows of distances as in delta-stepping, and the search with fewer
// vertices in its queue is next. All distances below the begin of a search's window are final, and
// the arcs of these vertices are relaxed. A path that was not found then has a vertex whose distances
// from both ends are not below the begins of the windows, and its next vertex is just as far from the
// target: the path is as long as both begins and the lightest arc together, or longer. The search ends
// as soon as the path that was found is not longer than that. The rule is that of T. A. J. Nicholson:
// Finding the shortest route between two points in a network. The Computer Journal 9(3), 1966,
// pp. 275-280, doi:10.1093/comjnl/9.3.275, for windows instead of single distances, and with the
// lightest arc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algo/sssp/sssp_result.hpp"
#include "base/types.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/local_buckets.hpp"

namespace wayfront::cpu {

/// Searches of one graph, one after the other. W and D are whole numbers.
template <typename W, typename D>
class Bidirectional
{
public:
    static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

    /// `out` has all out-arcs of each vertex, `in` all in-arcs; they outlive the object. `delta` is the
    /// width of a window.
    Bidirectional(const ArcLists<W>& out, const ArcLists<W>& in, double delta)
        : per_delta_(1 / delta),
          lightest_(out.arcs() > 0 ? static_cast<std::uint64_t>(out.min_weight) : 0),
          forward_(out),
          backward_(in)
    {
    }

    /// Searches, and returns the distance from `source` to `target`; kNone if there is no path shorter
    /// than `bound`, or if its length does not fit D (is_final()).
    std::uint64_t run(std::uint32_t source, std::uint32_t target, std::uint64_t bound = kNone)
    {
        lost_sums_ = false;
        relaxed_arcs_ = 0;
        best_ = bound;
        meeting_ = kNoLocal;
        forward_.begin(source);
        backward_.begin(target);
        if (source == target) meet(source, 0);
        for (;;) {
            const std::uint64_t first = forward_.buckets.first();
            const std::uint64_t last = backward_.buckets.first();
            if (first == kNoBucket || last == kNoBucket) break;
            const std::uint64_t low = least_in(first);
            const std::uint64_t high = least_in(last);
            shortest_left_ = low + high + lightest_;
            if (best_ <= shortest_left_) break;
            if (forward_.buckets.size() <= backward_.buckets.size())
                search_bucket(forward_, backward_, first, high);
            else
                search_bucket(backward_, forward_, last, low);
        }
        return meeting_ == kNoLocal ? kNone : best_;
    }

    /// Whether the result of the last search is final: no path with a length that does not fit D could
    /// be shorter.
    [[nodiscard]] bool is_final() const
    {
        return !lost_sums_ || best_ < static_cast<std::uint64_t>(algo::unreached<D>());
    }

    /// How many arcs the last search relaxed.
    [[nodiscard]] std::uint64_t relaxed_arcs() const { return relaxed_arcs_; }

    /// The path that the last search found. Pre: there is one.
    [[nodiscard]] std::vector<Vertex> path() const
    {
        std::vector<Vertex> vertices;
        for (std::uint32_t v = meeting_;; v = forward_.labels.parent(v)) {
            vertices.push_back(v);
            if (forward_.labels.parent(v) == v) break;
        }
        std::ranges::reverse(vertices);
        for (std::uint32_t v = meeting_; backward_.labels.parent(v) != v;) {
            v = backward_.labels.parent(v);
            vertices.push_back(v);
        }
        return vertices;
    }

private:
    struct Side
    {
        explicit Side(const ArcLists<W>& arcs) : lists(arcs), labels(arcs.vertices())
        {
            labels.clear(algo::unreached<D>());
        }

        /// Forgets the last search.
        void begin(std::uint32_t source)
        {
            for (std::uint64_t bucket = buckets.first(); bucket != kNoBucket; bucket = buckets.first()) {
                buckets.advance(bucket, [bucket](D) { return bucket; });
                for (Chunk<D>* chunk = buckets.take_current(); chunk != nullptr;) {
                    Chunk<D>* next = chunk->next;
                    buckets.give_back(chunk);
                    chunk = next;
                }
            }
            for (const std::uint32_t vertex : labelled) labels.set(vertex, algo::unreached<D>(), kNoLocal);
            labelled.assign(1, source);
            labels.set(source, D{0}, source);
            buckets.advance(0, [](D) { return std::uint64_t{0}; });
            buckets.push(0, {source, D{0}});
        }

        const ArcLists<W>& lists;
        Labels<D> labels;
        LocalBuckets<D> buckets;
        std::vector<std::uint32_t> labelled;  // vertices with labels
    };

    template <typename Distance>
    [[nodiscard]] std::uint64_t bucket_of(Distance distance) const
    {
        constexpr double last_bucket = 0x1p62;
        return static_cast<std::uint64_t>(std::min(static_cast<double>(distance) * per_delta_, last_bucket));
    }
    /// No distance in this bucket or a later one is smaller. The quotient is rounded down by more than
    /// what the product of bucket_of() may have been rounded up; then whole numbers in earlier buckets
    /// are left out.
    [[nodiscard]] std::uint64_t least_in(std::uint64_t bucket) const
    {
        const double rounded_down = static_cast<double>(bucket) / per_delta_ * (1 - 0x1p-40) - 1;
        std::uint64_t least = rounded_down > 0 ? static_cast<std::uint64_t>(rounded_down) : 0;
        for (int i = 0; i < 2 && bucket_of(least) < bucket; ++i) ++least;
        return least;
    }

    void meet(std::uint32_t vertex, std::uint64_t length)
    {
        if (length >= best_) return;
        best_ = length;
        meeting_ = vertex;
    }

    /// Searches one bucket until it is empty, or until the shortest path is known. All distances of the
    /// other side below `others_least` are final.
    void search_bucket(Side& side, const Side& other, std::uint64_t bucket, std::uint64_t others_least)
    {
        side.buckets.advance(bucket, [this](D distance) { return bucket_of(distance); });
        for (Chunk<D>* list = side.buckets.take_current(); list != nullptr; list = side.buckets.take_current()) {
            for (Chunk<D>* chunk = list; chunk != nullptr;) {
                Chunk<D>* next = chunk->next;
                for (std::uint32_t i = 0; i < chunk->size; ++i) {
                    const auto [vertex, distance] = chunk->vertices[i];
                    if (best_ > shortest_left_ && distance == side.labels.distance(vertex))
                        relax(side, other, vertex, others_least);
                }
                side.buckets.give_back(chunk);
                chunk = next;
            }
        }
    }

    void relax(Side& side, const Side& other, std::uint32_t vertex, std::uint64_t others_least)
    {
        const D distance = side.labels.distance(vertex);
        const std::span<const Arc<W>> arcs = side.lists.out.list(vertex);
        relaxed_arcs_ += arcs.size();
        for (const Arc<W>& arc : arcs) {
            const D length = path_length(distance, arc.weight);
            const D before = side.labels.distance(arc.vertex);
            if (!(length < before)) {
                lost_sums_ = lost_sums_ || length == algo::unreached<D>();
                continue;
            }
            if (before == algo::unreached<D>()) side.labelled.push_back(arc.vertex);
            side.labels.set(arc.vertex, length, vertex);
            const D others = other.labels.distance(arc.vertex);
            if (others != algo::unreached<D>())
                meet(arc.vertex, static_cast<std::uint64_t>(length) + static_cast<std::uint64_t>(others));
            // Otherwise a path through the vertex is not shorter, or the other side has its label.
            if (static_cast<std::uint64_t>(length) + others_least < best_)
                side.buckets.push(bucket_of(length), {arc.vertex, length});
        }
    }

    double per_delta_;
    std::uint64_t lightest_;  // the weight of the lightest arc
    Side forward_;
    Side backward_;
    bool lost_sums_ = false;
    std::uint64_t relaxed_arcs_ = 0;
    std::uint64_t shortest_left_ = 0;  // no path that was not found is shorter
    std::uint64_t best_ = kNone;       // the length of the shortest path that was found, or the bound
    std::uint32_t meeting_ = kNoLocal;
};

}  // namespace wayfront::cpu
