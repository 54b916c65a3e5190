// The steps of an on-GPU search. The plan chooses the next step from the counts of the previous
// step.
//
// The resident search (one kernel) and the stepped search (launches by the host) have the same
// steps, and both use this plan, so that the rules exist only once. Pure host/device code; needs no
// nvcc.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/bfs/direction_rule.hpp"

namespace wayfront::gpu::bfs {

/// A step: the work of all GPUs between two barriers or exchanges of messages.
enum class Step {
    clear,
    start,
    survey,   // counts the frontier's out-edges
    prepare,  // writes the frontier into the bitmap of all columns, or makes its work items, or both
    follow,   // a top-down level, or the top-down part of a split bottom-up level
    answer,   // answers the requests of other GPUs
    bottom_up,
    small_levels,  // levels of few edges, until the frontier is large or empty
    end,
};

// Largest number of out-edges of a level of a single block, and so of vertices of the next
// frontier.
inline constexpr std::uint32_t kSingleBlockEdges = 8192;

/// The properties of a kind of search on which the plan depends.
struct SearchForm
{
    // Whether a survey also writes the bitmap of all columns. Otherwise a later step writes it.
    bool survey_publishes;
    bool has_many_edges;  // whether levels of many edges mark vertices first and count them afterwards
    bool answers;         // whether such levels end with Step::answer
    // Whether there is Step::small_levels, and the largest number of out-edges of a small level.
    bool has_small_levels;
    std::uint64_t small_level_edges;

    [[nodiscard]] WAYFRONT_HD static constexpr SearchForm resident(bool single_gpu)
    {
        return {true, true, !single_gpu, single_gpu, kSingleBlockEdges};
    }
    /// `room`: largest number of out-edges of a level whose messages have a size that all ranks
    /// know.
    [[nodiscard]] WAYFRONT_HD static constexpr SearchForm stepped(std::uint64_t room)
    {
        return {false, false, false, true, room};
    }
};

/// The inputs of the plan of a search, apart from counts.
struct PlanRules
{
    const DirectionRule& direction;
    SearchForm form;
};

/// The state after Step::small_levels. The remaining frontier is in own_frontier. If it has few
/// out-edges (SearchPlan::queues()), its work items are made, too.
struct SmallLevelsOutcome
{
    LevelCounts counts;      // counts of the remaining frontier
    std::int32_t level = 0;  // number of the next level
    // Number of vertices of all frontiers except the first and the remaining one.
    std::uint64_t reached = 0;
};

/// The place of this rank's part of a frontier.
enum class FrontierLocation {
    own_frontier,   // own_frontier, in which FrontierWords::take() has stored it
    newly_visited,  // the difference between `visited` and `expanded`, after a top-down level
    columns,        // this rank's part of the bitmap of all columns, after a bottom-up level
};

// Largest number of out-edges of a frontier whose work items a single block makes.
inline constexpr std::uint32_t kQueuedEdges = 1 << 18;

/// The progress of a search. In the resident search, it is the same in all threads.
struct SearchPlan
{
    LevelCounts counts;  // counts of the frontier
    std::uint64_t reached = 0;
    std::int32_t level = 1;
    bool last_bottom_up = false;
    std::uint32_t failed_switches = 0;  // failed switches to bottom-up (algo/bfs/direction.hpp)
    // Number of the bitmap of all columns that contains the frontier after a bottom-up level.
    int frontier = 0;
    // Whether the frontier is in own_frontier and in `expanded`.
    bool is_expanded = false;
    bool edges_known = false;  // whether counts.out_edges and counts.tail_edges are known
    // Whether the frontier that a top-down level found is also in bitmap number `frontier`.
    bool published = false;
    bool queued = false;  // whether there are work items of the frontier, or of its tail
    int queue = 0;
    std::uint64_t queue_items = 0;
    ItemSizes item_sizes = ItemSizes::one;

    // Properties of the level that is being prepared or run:
    bool chosen = false;     // whether the direction is chosen
    bool bottom_up = false;  // the direction
    BottomUpVariant variant = BottomUpVariant::all;
    bool tail = false;        // whether the tail has to be followed top-down first
    bool many_edges = false;  // whether the level marks vertices first and counts them afterwards
    // Whether Step::prepare writes the frontier into the bitmap of all columns.
    bool publishes = false;
    bool makes_items = false;  // whether Step::prepare makes work items

    /// The step after `done`, which counted `total` over all GPUs and made `new_items` work items
    /// on this GPU. Calls record(counts, bottom_up) when it chooses a level's direction. After
    /// Step::small_levels, left_small_levels() must be called instead.
    template <typename Record>
    WAYFRONT_HD Step after(Step done, const LevelCounts& total, std::uint64_t new_items, const PlanRules& rules,
                           Record&& record)
    {
        switch (done) {
            case Step::clear:
                return Step::start;
            case Step::start:
                use_queue(ItemSizes::one, new_items);
                return with_frontier(total, rules, record);
            case Step::survey:
                published = published || rules.form.survey_publishes;
                is_expanded = true;
                edges_known = true;
                return with_frontier(total, rules, record);
            case Step::prepare:
                return prepared(total, new_items, rules, record);
            case Step::follow:
                return rules.form.answers && many_edges ? Step::answer : followed(total, rules, record);
            case Step::answer:
                return followed(total, rules, record);
            case Step::bottom_up:
                frontier ^= 1;
                if (!last_bottom_up && algo::DirectionBounds::is_failed_switch(counts.vertices, total.vertices))
                    ++failed_switches;
                level_done();
                return with_frontier(total, rules, record);
            case Step::small_levels:
            case Step::end:
                break;
        }
        return Step::end;
    }

    /// The step after Step::small_levels. `new_items`: work items in the other queue, if queues()
    /// is true.
    template <typename Record>
    WAYFRONT_HD Step left_small_levels(const SmallLevelsOutcome& outcome, std::uint64_t new_items,
                                       const PlanRules& rules, Record&& record)
    {
        level_done();
        level = outcome.level;
        reached += outcome.reached;
        queue ^= 1;
        is_expanded = true;
        edges_known = true;
        if (queues(outcome.counts)) use_queue(ItemSizes::one, new_items);
        return with_frontier(outcome.counts, rules, record);
    }

    /// Whether Step::small_levels also makes work items of the remaining frontier.
    [[nodiscard]] WAYFRONT_HD static bool queues(const LevelCounts& left) { return left.out_edges <= kQueuedEdges; }

    [[nodiscard]] WAYFRONT_HD FrontierLocation frontier_location() const
    {
        return last_bottom_up ? FrontierLocation::columns
               : is_expanded  ? FrontierLocation::own_frontier
                              : FrontierLocation::newly_visited;
    }

private:
    /// The step for a new frontier, or for a frontier whose out-edges have been counted. The
    /// out-edges are counted first if the direction depends on them.
    template <typename Record>
    WAYFRONT_HD Step with_frontier(const LevelCounts& frontier_counts, const PlanRules& rules, Record& record)
    {
        counts = frontier_counts;
        if (counts.vertices == 0) return Step::end;
        if (level > rules.direction.options.max_level) {
            reached += counts.vertices;
            return Step::end;
        }
        if (edges_known || !rules.direction.needs_edges(last_bottom_up, counts.vertices, failed_switches))
            return choose(rules, record);
        if (!DirectionRule::has_few_vertices(counts.vertices)) return Step::survey;
        publishes = false;
        makes_items = true;
        item_sizes = ItemSizes::one;
        return Step::prepare;
    }

    /// Chooses the direction. If few of a frontier's out-edges belong to its tail, the tail is
    /// followed top-down before a bottom-up level, and the rows look for hubs only: the bits that
    /// they read are in shared memory, and lists end early.
    template <typename Record>
    WAYFRONT_HD Step choose(const PlanRules& rules, Record& record)
    {
        const DirectionRule& rule = rules.direction;
        const bool first_bottom_up = !last_bottom_up;
        chosen = true;
        reached += counts.vertices;
        bottom_up = rule.bottom_up(last_bottom_up, counts, reached, failed_switches);
        record(counts, bottom_up);
        tail = bottom_up && first_bottom_up && edges_known && rule.splits(counts);
        variant = rule.bottom_up_variant(tail, reached);
        publishes = bottom_up && first_bottom_up && !published;
        makes_items = tail || (!bottom_up && !queued);
        if (makes_items) item_sizes = rule.item_sizes(!tail && edges_known ? counts.out_edges / rule.ranks : 0);
        return publishes || makes_items ? Step::prepare : next_of_level(rules);
    }

    template <typename Record>
    WAYFRONT_HD Step prepared(const LevelCounts& total, std::uint64_t new_items, const PlanRules& rules, Record& record)
    {
        published = published || publishes;
        is_expanded = true;
        // If no direction is chosen yet, the frontier of a level of many edges was published to be
        // counted.
        if (!makes_items) return chosen ? next_of_level(rules) : with_frontier(total, rules, record);
        use_queue(item_sizes, new_items);
        if (!tail) counts = total;
        return chosen ? next_of_level(rules) : choose(rules, record);
    }

    /// The step that runs the level, or the next part of a split level, after all preparations.
    WAYFRONT_HD Step next_of_level(const PlanRules& rules)
    {
        const DirectionRule& rule = rules.direction;
        const SearchForm& form = rules.form;
        if (bottom_up && !tail) return Step::bottom_up;
        if (form.has_small_levels && !bottom_up && counts.out_edges <= form.small_level_edges)
            return Step::small_levels;
        const std::uint64_t edges = tail ? counts.tail_edges : counts.out_edges;
        many_edges = form.has_many_edges && edges >= rule.ranks * rule.options.many_edges;
        return Step::follow;
    }

    template <typename Record>
    WAYFRONT_HD Step followed(const LevelCounts& total, const PlanRules& rules, Record& record)
    {
        if (tail) {
            tail = false;
            return next_of_level(rules);
        }
        level_done();
        if (!many_edges) return with_frontier(total, rules, record);
        // The out-edges that a level follows are an upper limit of the vertices that it finds. A
        // survey counts the vertices, too.
        if (rules.direction.needs_edges(false, counts.out_edges, failed_switches)) return Step::survey;
        publishes = true;
        makes_items = false;
        return Step::prepare;
    }

    WAYFRONT_HD void level_done()
    {
        last_bottom_up = bottom_up;
        queued = false;
        is_expanded = false;
        edges_known = false;
        published = false;
        chosen = false;
        ++level;
    }

    /// The new work items are those of the frontier.
    WAYFRONT_HD void use_queue(ItemSizes sizes, std::uint64_t new_items)
    {
        item_sizes = sizes;
        queue_items = new_items;
        queued = true;
        is_expanded = true;
        edges_known = true;
    }
};

}  // namespace wayfront::gpu::bfs
