#include "algo/bfs/bfs_search.hpp"

#include "algo/bfs/smallest_parents.hpp"
#include "algo/nearest_sources.hpp"
#include "base/bitmap.hpp"
#include "base/parallel_sum.hpp"

namespace wayfront::algo {

namespace {

/// The out-edges, in the whole graph, of a rank's part of the frontier.
std::uint64_t count_out_edges(const comm::SlotSet& own, const CsrBlock& block)
{
    constexpr std::size_t serial_below = 1 << 14;
    if (own.has_list) {
        const std::span<const std::uint32_t> list = own.members();
        return parallel_sum(list.size(), serial_below, [&](IndexRange range) {
            std::uint64_t edges = 0;
            for (std::size_t i = range.first; i < range.last; ++i) edges += block.out_degrees[list[i]];
            return edges;
        });
    }
    return parallel_sum(word_count(block.slot_stride), serial_below / kWordBits, [&](IndexRange words) {
        std::uint64_t edges = 0;
        for_each_bit(own.bitmap.data(), words.first, words.last,
                     [&](std::size_t slot) { edges += block.out_degrees[slot]; });
        return edges;
    });
}

}  // namespace

BfsSearch::BfsSearch(const comm::ProcessGrid& grid, const DistributedGraph& graph, EdgeEngine& engine,
                     const BfsOptions& options)
    : grid_(grid),
      graph_(graph),
      engine_(engine),
      options_(options),
      state_(grid, graph, options.levels || options.smallest_parents, options.log),
      own_(graph.block.slot_stride),
      pipeline_(grid, graph.block, options.stretches ? engine.stretches() : nullptr, state_, options.log),
      frontier_(graph.block.cols()),
      expand_(grid.column(), graph.block.slot_stride),
      column_counts_(static_cast<std::size_t>(grid.column().size()))
{
    result_.parents = VertexArray(graph.local_count(), graph.partition.vertex_count());
    if (options.levels || options.smallest_parents) result_.levels = HostBuffer<std::int32_t>(graph.local_count());
}

const BfsResult& BfsSearch::run(Vertex key)
{
    run_from(std::span(&key, 1), KeysWanted::any);
    const Phase phase(options_.log, "output");
    finish();
    if (result_.reached == 0) result_.reached = 1;  // the key has no edges
    if (options_.smallest_parents)
        result_.parents = smallest_parents(grid_, graph_, result_.levels.span(), options_.log);
    return result_;
}

const BfsResult& BfsSearch::run_nearest(std::span<const Vertex> keys)
{
    run_from(keys, options_.smallest_parents ? KeysWanted::any : KeysWanted::nearest);
    const Phase phase(options_.log, "output");
    const bool is_chosen = state_.leads_to_nearest();
    if (is_chosen)
        state_.finish_nearest(result_.parents, result_.levels, result_.nearest);
    else
        finish();
    if (const std::uint64_t lone = grid_.world().all_reduce(state_.keys_without_edges(), comm::Reduction::sum)) {
        result_.reached += lone;
        if (result_.records.empty()) result_.records.emplace_back();
        result_.records.front().frontier.vertices += lone;
    }
    if (is_chosen) return result_;
    const HostBuffer<std::uint32_t> levels = levels_by_slot(graph_, result_.levels.span());
    const NearestSearch<std::uint32_t> search{keys, levels.span(), EdgeLengths::ones, /*negative_weights=*/false,
                                              options_.smallest_parents};
    choose_nearest(grid_, graph_, search, {result_.parents, result_.nearest}, options_.log);
    return result_;
}

void BfsSearch::run_from(std::span<const Vertex> keys, KeysWanted wanted)
{
    for (const Vertex key : keys) graph_.partition.require(key);
    PhaseLog* const log = options_.log;
    result_.key = keys.front();
    engine_.begin_search(wanted == KeysWanted::nearest ? state_.start_nearest(keys, own_) : state_.start(keys, own_));
    gathered_ahead_ = false;
    run_levels(*this, {options_.direction.bounds(counts_of(graph_)), options_.max_level, log}, result_);
}

void BfsSearch::finish()
{
    engine_.end_search(state_.discoveries());
    state_.finish(result_.parents, result_.levels);
}

bool BfsSearch::frontier_reaches_unvisited()
{
    // Engines with a copy of `seen` may not have written it yet: then too many vertices count as unvisited.
    if (grid_.world().size() > 1 || !own_.has_list || discoveries_.seen == nullptr) return true;
    constexpr std::size_t vertices = 8;  // sampled vertices
    constexpr std::size_t edges = 4;     // sampled edges of each vertex
    constexpr std::size_t enough = 2;    // a single edge may be the only one between two dense parts
    const auto middle_of = [](std::uint64_t count, std::size_t part, std::size_t parts) {
        return count * (2 * part + 1) / (2 * parts);
    };
    const CsrView lists = graph_.block.out_edges().view();
    std::size_t unvisited = 0;
    for (std::size_t i = 0; i < vertices; ++i) {
        const std::uint32_t slot = own_.list[middle_of(own_.count, i, vertices)];
        const std::uint64_t degree = lists.degree(slot);
        for (std::size_t k = 0; k < edges && degree > 0; ++k) {
            const std::uint32_t end = lists.neighbours[lists.begin(slot) + middle_of(degree, k, edges)];
            unvisited += test_bit(discoveries_.seen, end) ? 0 : 1;
        }
        if (unvisited >= enough) return true;
    }
    return false;
}

void BfsSearch::expand(std::int32_t level, Direction direction)
{
    if (gathered_ahead_)
        pipeline_.take_frontier(column_counts_, frontier_);
    else
        expand_.run(options_.exchange, column_counts_, own_, frontier_, {options_.log, level});
    if (direction == Direction::bottom_up) state_.refresh_seen(level);
}

void BfsSearch::search(std::int32_t level, const LevelRecord& record, bool with_edges)
{
    discoveries_ = state_.discoveries();
    in_stretches_ = goes_in_stretches(record.direction);
    FrontierView frontier =
        view_frontier(record.direction, with_edges ? record.frontier.out_edges : FrontierView::kUnknownEdges);
    frontier.uploaded = gathered_ahead_;
    if (in_stretches_) {
        pipeline_.search(frontier, discoveries_, level, own_);
        return;
    }
    if (record.direction == Direction::bottom_up)
        engine_.launch_bottom_up(frontier, discoveries_);
    else
        engine_.launch_top_down(frontier, discoveries_);
    engine_.collect();
}

void BfsSearch::fold(std::int32_t level)
{
    if (in_stretches_)
        pipeline_.finish();
    else
        state_.commit(discoveries_, options_.exchange, level, own_);
    gathered_ahead_ = in_stretches_;
}

bool BfsSearch::goes_in_stretches(Direction direction) const
{
    // A stretch is sent before its number of vertices is known, and as a bitmap. Levels in
    // stretches are therefore not used if all vertices that are left would be sent as a list.
    const auto left = static_cast<std::uint64_t>(graph_.connected_vertices) - result_.reached;
    const auto ranks = static_cast<std::uint64_t>(grid_.world().size());
    return direction == Direction::bottom_up && pipeline_.has_stretches() &&
           !comm::travels_as_list(options_.exchange, left, ranks, graph_.block.slot_stride);
}

FrontierView BfsSearch::view_frontier(Direction direction, std::uint64_t most_out_edges)
{
    const bool top_down = direction == Direction::top_down;
    const bool needs_form = !engine_.takes_either_form();
    if (needs_form && top_down) frontier_.need_list();
    if (needs_form && !top_down) frontier_.need_bitmap();
    FrontierView frontier;
    if (frontier_.has_list) frontier.list = frontier_.members();
    if (frontier_.has_bitmap) frontier.bitmap = frontier_.bitmap.data();
    frontier.count = frontier_.count;
    frontier.most_out_edges = most_out_edges;
    return frontier;
}

FrontierCounts BfsSearch::count(std::int32_t level, bool with_edges)
{
    const Phase phase(options_.log, "counts", level);
    const FrontierCounts own{own_.count, with_edges ? count_out_edges(own_, graph_.block) : 0};
    if (grid_.world().size() == 1) {
        column_counts_.front() = own.vertices;
        return own;
    }
    const std::vector<FrontierCounts> all = [&] {
        const Phase gathering(options_.log, "all-gather", level);
        return grid_.world().all_gather(own);
    }();
    FrontierCounts sum;
    for (const FrontierCounts& counts : all) {
        sum.vertices += counts.vertices;
        sum.out_edges += counts.out_edges;
    }
    for (std::size_t r = 0; r < column_counts_.size(); ++r)
        column_counts_[r] =
            all[r * static_cast<std::size_t>(grid_.shape().columns) + static_cast<std::size_t>(grid_.column_index())]
                .vertices;
    return sum;
}

}  // namespace wayfront::algo
