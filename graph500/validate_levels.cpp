#include "graph500/validate_levels.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <type_traits>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/routing.hpp"

namespace wayfront::graph500 {

namespace {

std::string text(Vertex v)
{
    return std::to_string(v);
}

/// Pointer doubling for one rank's vertices.
template <typename Id>
class Doubling
{
public:
    Doubling(const ParentTrees<Id>& trees, std::span<std::uint32_t> levels, std::span<Id> ancestors,
             std::span<std::uint32_t> pending, ViolationRecord& violations)
        : communicator_(trees.communicator),
          partition_(trees.partition),
          roots_(trees.roots),
          parents_(trees.parents),
          distance_(levels),
          violations_(violations),
          ancestor_(ancestors),
          pending_(pending)
    {
    }

    /// Moves each reached vertex one step up. Vertices that have not arrived at their key are then
    /// pending. Finds all violations of rule 1 except cycles and parents that were not reached.
    void begin()
    {
        keep_pending(
            parents_.size(), [](std::size_t i) { return static_cast<std::uint32_t>(i); },
            [this](std::uint32_t v) { return first_step(v); });
    }

    /// One round: each pending vertex adds its ancestor's step to its own. Collective.
    void round(std::size_t chunk_queries)
    {
        if (communicator_.size() == 1) chunk_queries = std::min(chunk_queries, kStepsInCache);
        const auto own_chunks = static_cast<std::int64_t>((pending_count_ + chunk_queries - 1) / chunk_queries);
        const auto chunks = static_cast<std::size_t>(communicator_.all_reduce(own_chunks, comm::Reduction::max));
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            const std::size_t first = std::min(chunk * chunk_queries, pending_count_);
            const std::span<const std::uint32_t> asking =
                pending_.subspan(first, std::min(chunk_queries, pending_count_ - first));
            if (communicator_.size() == 1)
                step_here(asking);
            else
                step_everywhere(asking);
        }
        keep_pending(
            pending_count_, [this](std::size_t i) { return pending_[i]; },
            [this](std::uint32_t v) { return ancestor_[v] != roots_.of(v); });
    }

    [[nodiscard]] std::size_t pending_count() const { return pending_count_; }

    void report_cycles()
    {
        for (std::size_t i = 0; i < std::min<std::size_t>(pending_count_, 1); ++i) {
            const std::uint32_t v = pending_[i];
            violations_.offer(v, Rule::tree, [&] {
                return "the parents of vertex " + text(vertex(v)) + ", beginning with " + text(parents_[v]) +
                       ", lead into a cycle";
            });
        }
    }

private:
    static constexpr std::size_t kStepsInCache = std::size_t{1} << 16;

    struct Step
    {
        Id ancestor;
        std::uint32_t distance;
    };

    [[nodiscard]] Vertex vertex(std::uint32_t local) const { return partition_.vertex(communicator_.rank(), local); }

    /// Returns whether v is pending.
    bool first_step(std::uint32_t v)
    {
        const Id parent = parents_[v];
        const Vertex self = vertex(v);
        ancestor_[v] = parent;
        distance_[v] = 1;
        const Id key = roots_.of(v);
        if (roots_.are_several()) check_nearest(v, key);
        if (self == static_cast<Vertex>(key)) {
            distance_[v] = 0;
            if (parent != key)
                violations_.offer(v, Rule::tree, [&] {
                    return "the key " + text(self) + " has parent " + text(parent) + ", not itself";
                });
            ancestor_[v] = key;
            return false;
        }
        if (parent == static_cast<Id>(kUnreached)) {
            distance_[v] = kNoLevel;
            return false;
        }
        if (parent < 0 || static_cast<Vertex>(parent) >= partition_.vertex_count()) {
            violations_.offer(v, Rule::tree, [&] {
                return "vertex " + text(self) + " has parent " + text(parent) + ", outside 0 to " +
                       text(partition_.vertex_count() - 1);
            });
            return false;
        }
        if (static_cast<Vertex>(parent) == self) {
            violations_.offer(v, Rule::tree, [&] {
                return "vertex " + text(self) + " is its own parent, but not the key " + text(key);
            });
            return false;
        }
        return parent != key;
    }

    /// Checks that exactly the reached vertices have a nearest key.
    void check_nearest(std::uint32_t v, Id nearest)
    {
        const bool reached = parents_[v] != static_cast<Id>(kUnreached);
        if (reached ? roots_.is_key(nearest) : nearest == static_cast<Id>(kUnreached)) return;
        violations_.offer(v, Rule::tree, [&] {
            return "vertex " + text(vertex(v)) + (reached ? "" : ", which was not reached,") + " has the nearest key " +
                   text(nearest) + (reached ? ", which is no key" : "");
        });
    }

    /// The vertices among at(0) to at(count - 1) with stays() true remain pending, in order.
    /// Any thread may call stays().
    template <typename At, typename Stays>
    void keep_pending(std::size_t count, At&& at, Stays&& stays)
    {
        const auto parts = static_cast<std::size_t>(count < comm::kSerialBelowItems ? 1 : thread_count());
        std::vector<std::size_t> kept(parts, 0);
        parallel_parts(parts, [&](std::size_t part) {
            const IndexRange range = part_of(count, part, parts);
            std::size_t next = range.first;
            for (std::size_t i = range.first; i < range.last; ++i) {
                const std::uint32_t v = at(i);
                if (stays(v)) pending_[next++] = v;
            }
            kept[part] = next - range.first;
        });
        pending_count_ = kept[0];
        for (std::size_t part = 1; part < parts; ++part) {
            const auto* from = pending_.data() + part_of(count, part, parts).first;
            auto* const to = pending_.data() + pending_count_;
            if (to != from)
                std::copy(from, from + kept[part], to);  // std::copy forbids a range that begins where it is copied to
            pending_count_ += kept[part];
        }
    }

    /// Adds the step of v's ancestor to that of v. The ancestor's step may be from before or after
    /// this round: both lead upwards.
    void take(std::uint32_t v, Step step)
    {
        if (step.ancestor == static_cast<Id>(kUnreached)) {
            violations_.offer(v, Rule::tree, [&] {
                return "vertex " + text(vertex(v)) + " has parent " + text(parents_[v]) + ", and its ancestor " +
                       text(ancestor_[v]) + " was not reached";
            });
            return;
        }
        if (roots_.are_several() && step.distance == 0) {  // a key, but not that of v
            violations_.offer(v, Rule::tree, [&] {
                return "the parents of vertex " + text(vertex(v)) + " lead to the key " + text(step.ancestor) +
                       ", but its nearest key is " + text(roots_.of(v));
            });
            return;
        }
        ancestor_[v] = step.ancestor;
        distance_[v] += step.distance;
    }

    void step_here(std::span<const std::uint32_t> asking)
    {
        // Separates reading from writing, so that no step is read while it is written.
        HostBuffer<Step> steps(asking.size());
        parallel_ranges(asking.size(), comm::kSerialBelowItems, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                const auto ancestor = static_cast<std::size_t>(ancestor_[asking[i]]);
                steps[i] = {ancestor_[ancestor], distance_[ancestor]};
            }
        });
        parallel_ranges(asking.size(), comm::kSerialBelowItems, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) take(asking[i], steps[i]);
        });
    }

    void step_everywhere(std::span<const std::uint32_t> asking)
    {
        const comm::Routing routing(asking.size(), communicator_.size(), [&](std::size_t i) {
            return partition_.owner(static_cast<Vertex>(ancestor_[asking[i]]));
        });
        std::vector<std::int64_t> from;
        const HostBuffer<std::uint32_t> asked = routing.send<std::uint32_t>(communicator_, from, [&](std::size_t i) {
            return partition_.local(static_cast<Vertex>(ancestor_[asking[i]]));
        });
        HostBuffer<Step> answers(asked.size());
        parallel_ranges(asked.size(), comm::kSerialBelowItems, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i)
                answers[i] = {ancestor_[asked[i]], distance_[asked[i]]};
        });
        const HostBuffer<Step> steps = routing.reply(communicator_, from, answers);
        parallel_ranges(asking.size(), comm::kSerialBelowItems, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) take(asking[i], steps[routing.position(i)]);
        });
    }

    const comm::Communicator& communicator_;
    const Partition& partition_;
    const Roots<Id>& roots_;
    std::span<const Id> parents_;
    std::span<std::uint32_t> distance_;  // the distance to the ancestor; the level if the ancestor is a key
    ViolationRecord& violations_;
    std::span<Id> ancestor_;
    std::span<std::uint32_t> pending_;
    std::size_t pending_count_ = 0;
};

}  // namespace

template <typename Id>
void tree_levels(const ParentTrees<Id>& trees, std::span<std::uint32_t> levels, LevelScratch& scratch,
                 std::size_t chunk_queries, ViolationRecord& violations)
{
    const comm::Communicator& communicator = trees.communicator;
    // Parents and ancestors have the same type, since both depend on the number of vertices.
    const std::span<Id> ancestors = scratch.ancestors.visit([]<typename Own>(std::span<Own> own) -> std::span<Id> {
        if constexpr (std::is_same_v<Own, Id>) return own;
        return {};
    });
    Doubling<Id> doubling(trees, levels, ancestors, scratch.pending.span(), violations);
    doubling.begin();
    const auto most_rounds =
        static_cast<int>(std::bit_width(static_cast<std::uint64_t>(trees.partition.vertex_count()))) + 1;
    for (int round = 0;; ++round) {
        if (communicator.any(!violations.empty())) return;
        if (!communicator.any(doubling.pending_count() > 0)) return;
        if (round == most_rounds) break;
        doubling.round(chunk_queries);
    }
    doubling.report_cycles();
}

template void tree_levels(const ParentTrees<std::int32_t>&, std::span<std::uint32_t>, LevelScratch&, std::size_t,
                          ViolationRecord&);
template void tree_levels(const ParentTrees<std::int64_t>&, std::span<std::uint32_t>, LevelScratch&, std::size_t,
                          ViolationRecord&);

}  // namespace wayfront::graph500
