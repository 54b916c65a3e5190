// The steps of an on-GPU search: chooses the next step from the counts of the previous step.
//
// The resident search (one kernel) and the stepped one (launches by the host) go through the same
// steps; both ask the plan here, so that the rules exist only once. Pure host/device code; needs no
// nvcc.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/bfs/direction_rule.hpp"

namespace wayfront::gpu::bfs {

/// A step is the work of all GPUs between two barriers or exchanges of messages.
enum class Step {
    clear,
    start,
    survey,   // the frontier's out-edges are counted
    prepare,  // the frontier becomes the bitmap of all columns, or work items, or both
    follow,   // a top-down level, or the top-down part of a split bottom-up level
    answer,   // other GPUs' asks are answered
    bottom_up,
    small_levels,  // levels of few edges, until the frontier has grown or is empty
    end,
};

// The most out-edges of a level on one block, and so the most vertices of the next frontier.
inline constexpr std::uint32_t kSingleBlockEdges = 8192;

/// The properties of the two forms of the search that the plan depends on.
struct SearchForm
{
    // A survey also writes the bitmap of all columns, which is otherwise a later step of its own.
    bool survey_publishes;
    bool has_many_edges;  // levels of many edges mark vertices first and count them afterwards
    bool answers;         // such levels end with Step::answer
    // Whether there is Step::small_levels, and the most out-edges of such a level.
    bool has_small_levels;
    std::uint64_t small_level_edges;

    [[nodiscard]] WAYFRONT_HD static constexpr SearchForm resident(bool single_gpu)
    {
        return {true, true, !single_gpu, single_gpu, kSingleBlockEdges};
    }
    /// `room`: the most out-edges of a level whose messages have a size that all ranks know.
    [[nodiscard]] WAYFRONT_HD static constexpr SearchForm stepped(std::uint64_t room)
    {
        return {false, false, false, true, room};
    }
};

/// Where this rank's part of a frontier is stored.
enum class FrontierAt {
    own_frontier,   // FrontierWords::take() has stored it in own_frontier
    newly_visited,  // the difference between `visited` and `expanded`, after a top-down level
    columns,        // this rank's part of the bitmap of all columns, after a bottom-up level
};

// The most out-edges of a frontier whose work items one block makes.
inline constexpr std::uint32_t kQueuedEdges = 1 << 18;

/// Progress of a search. In the resident search every thread holds the same values.
struct SearchPlan
{
    LevelCounts counts;  // of the frontier
    std::uint64_t reached = 0;
    std::int32_t level = 1;
    bool last_bottom_up = false;
    std::uint32_t in_vain = 0;  // the number of switches to bottom-up in vain (algo/bfs/direction.hpp)
    // The number of the bitmap of all columns that holds the frontier after a bottom-up level.
    int frontier = 0;
    // Whether the frontier is stored in own_frontier and counts as expanded.
    bool taken = false;
    bool edges_known = false;  // whether counts.out_edges and tail_edges are known
    // Whether the frontier that a top-down level found is also stored in bitmap `frontier`.
    bool published = false;
    bool queued = false;  // whether the frontier, or its tail, is stored as work items
    int queue = 0;
    std::uint64_t queue_items = 0;
    ItemSizes item_sizes = ItemSizes::one;

    // Of the level that is being prepared or run.
    bool chosen = false;     // whether its direction is known
    bool bottom_up = false;  // its direction
    BottomUpWay rows = BottomUpWay::all;
    bool tail = false;        // whether the tail is yet to be followed top-down
    bool many_edges = false;  // whether the level marks first and counts afterwards
    // Whether Step::prepare writes the frontier into the bitmap of all columns.
    bool publishes = false;
    bool makes_items = false;  // whether Step::prepare makes work items

    /// The step after `done`, which counted `total` over all GPUs and made `new_items` work items
    /// on this one. Calls record(counts, bottom_up) when a level's direction is chosen. Not for
    /// Step::small_levels: see left_small_levels().
    template <typename Record>
    WAYFRONT_HD Step after(Step done, const LevelCounts& total, std::uint64_t new_items, const DirectionRule& rule,
                           SearchForm form, Record&& record)
    {
        switch (done) {
            case Step::clear:
                return Step::start;
            case Step::start:
                take_queue(ItemSizes::one, new_items);
                return with_frontier(total, rule, form, record);
            case Step::survey:
                published = published || form.survey_publishes;
                taken = true;
                edges_known = true;
                return with_frontier(total, rule, form, record);
            case Step::prepare:
                return prepared(total, new_items, rule, form, record);
            case Step::follow:
                return form.answers && many_edges ? Step::answer : followed(total, rule, form, record);
            case Step::answer:
                return followed(total, rule, form, record);
            case Step::bottom_up:
                frontier ^= 1;
                if (!last_bottom_up && algo::DirectionBounds::is_in_vain(counts.vertices, total.vertices)) ++in_vain;
                level_done();
                return with_frontier(total, rule, form, record);
            case Step::small_levels:
            case Step::end:
                break;
        }
        return Step::end;
    }

    /// The step after Step::small_levels, which left a frontier of `total` for level `next_level`.
    /// The frontiers of the levels in between had `passed` vertices. It made `new_items` work items
    /// in the other queue if queues() is true.
    template <typename Record>
    WAYFRONT_HD Step left_small_levels(const LevelCounts& total, std::int32_t next_level, std::uint64_t passed,
                                       std::uint64_t new_items, const DirectionRule& rule, SearchForm form,
                                       Record&& record)
    {
        level_done();
        level = next_level;
        reached += passed;
        queue ^= 1;
        taken = true;
        edges_known = true;
        if (queues(total)) take_queue(ItemSizes::one, new_items);
        return with_frontier(total, rule, form, record);
    }

    /// Whether Step::small_levels leaves a frontier as work items, too.
    [[nodiscard]] WAYFRONT_HD static bool queues(const LevelCounts& left) { return left.out_edges <= kQueuedEdges; }

    [[nodiscard]] WAYFRONT_HD FrontierAt frontier_at() const
    {
        return last_bottom_up ? FrontierAt::columns : taken ? FrontierAt::own_frontier : FrontierAt::newly_visited;
    }

private:
    /// The step for a new frontier, or for one whose out-edges have been counted. They are counted
    /// if the direction depends on them.
    template <typename Record>
    WAYFRONT_HD Step with_frontier(const LevelCounts& frontier_counts, const DirectionRule& rule, SearchForm form,
                                   Record& record)
    {
        counts = frontier_counts;
        if (counts.vertices == 0) return Step::end;
        if (level > rule.options.max_level) {
            reached += counts.vertices;
            return Step::end;
        }
        if (edges_known || !rule.asks_edges(last_bottom_up, counts.vertices, in_vain))
            return choose(rule, form, record);
        if (!DirectionRule::few(counts.vertices)) return Step::survey;
        publishes = false;
        makes_items = true;
        item_sizes = ItemSizes::one;
        return Step::prepare;
    }

    /// Chooses the direction. If few of a frontier's out-edges are those of its tail, the tail is
    /// followed top-down before a bottom-up level, and the rows look for hubs only: the bits that
    /// they look up are in shared memory, and lists end early.
    template <typename Record>
    WAYFRONT_HD Step choose(const DirectionRule& rule, SearchForm form, Record& record)
    {
        const bool first_bottom_up = !last_bottom_up;
        chosen = true;
        reached += counts.vertices;
        bottom_up = rule.bottom_up(last_bottom_up, counts, reached, in_vain);
        record(counts, bottom_up);
        tail = bottom_up && first_bottom_up && edges_known && rule.splits(counts);
        rows = rule.bottom_up_way(tail, reached);
        publishes = bottom_up && first_bottom_up && !published;
        makes_items = tail || (!bottom_up && !queued);
        if (makes_items) item_sizes = rule.item_sizes(!tail && edges_known ? counts.out_edges / rule.ranks : 0);
        return publishes || makes_items ? Step::prepare : next_of_level(rule, form);
    }

    template <typename Record>
    WAYFRONT_HD Step prepared(const LevelCounts& total, std::uint64_t new_items, const DirectionRule& rule,
                              SearchForm form, Record& record)
    {
        published = published || publishes;
        taken = true;
        // If the direction is not chosen yet, the frontier of a level of many edges was published
        // to be counted.
        if (!makes_items) return chosen ? next_of_level(rule, form) : with_frontier(total, rule, form, record);
        take_queue(item_sizes, new_items);
        if (!tail) counts = total;
        return chosen ? next_of_level(rule, form) : choose(rule, form, record);
    }

    /// The step that runs the level, or its next part, after all preparations.
    WAYFRONT_HD Step next_of_level(const DirectionRule& rule, SearchForm form)
    {
        if (bottom_up && !tail) return Step::bottom_up;
        if (form.has_small_levels && !bottom_up && counts.out_edges <= form.small_level_edges)
            return Step::small_levels;
        const std::uint64_t edges = tail ? counts.tail_edges : counts.out_edges;
        many_edges = form.has_many_edges && edges >= rule.ranks * rule.options.many_edges;
        return Step::follow;
    }

    template <typename Record>
    WAYFRONT_HD Step followed(const LevelCounts& total, const DirectionRule& rule, SearchForm form, Record& record)
    {
        if (tail) {
            tail = false;
            return next_of_level(rule, form);
        }
        level_done();
        if (!many_edges) return with_frontier(total, rule, form, record);
        // A level finds at most as many vertices as it follows edges. A survey counts them, too.
        if (rule.asks_edges(false, counts.out_edges, in_vain)) return Step::survey;
        publishes = true;
        makes_items = false;
        return Step::prepare;
    }

    WAYFRONT_HD void level_done()
    {
        last_bottom_up = bottom_up;
        queued = false;
        taken = false;
        edges_known = false;
        published = false;
        chosen = false;
        ++level;
    }

    /// The work items that were just made are those of the frontier.
    WAYFRONT_HD void take_queue(ItemSizes sizes, std::uint64_t new_items)
    {
        item_sizes = sizes;
        queue_items = new_items;
        queued = true;
        taken = true;
        edges_known = true;
    }
};

}  // namespace wayfront::gpu::bfs
