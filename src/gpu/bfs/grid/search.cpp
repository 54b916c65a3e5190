#include "gpu/bfs/grid/search.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "algo/bfs/level_loop.hpp"
#include "base/profiler_range.hpp"
#include "gpu/bfs/device_results.hpp"
#include "gpu/bfs/grid/kernels.hpp"
#include "gpu/bfs/results.hpp"
#include "gpu/graph/device_block.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu::bfs {

namespace {

/// The arrays of a search, besides its results and counters.
struct GridMemoryPlan : MemoryPlan
{
    GridMemoryPlan(const BlockNumbers& block, bool with_levels)
        : visited(array<std::uint32_t>("visited rows", words(block.row_chunks, block))),
          known(array<std::uint32_t>("known rows", words(block.row_chunks, block))),
          // The bitmap ends with a tile of zeros.
          columns(array<std::uint32_t>("frontier", words(block.col_chunks, block) + kTileWords)),
          own_frontier(array<std::uint32_t>("own frontier", words(1, block))),
          row_pieces(array<std::uint32_t>("frontier of the grid row", words(block.row_chunks, block))),
          column_pieces(array<std::uint32_t>("frontier of the grid column", words(block.col_chunks, block))),
          parents(array<std::uint32_t>("parents of rows", block.row_chunks, block.slot_stride)),
          owner_parents(array<std::uint32_t>("parents", block.slot_stride)),
          slot_levels(array<std::int32_t>("levels", with_levels ? block.slot_stride : 0)),
          queue(array<WorkItem>("work items", queue_capacity(block.col_chunks * block.slot_stride, block.edges))),
          sent(array<std::uint32_t>("pieces to send", block.row_chunks, block.slot_stride)),
          received(array<std::uint32_t>("received pieces", block.row_chunks, block.slot_stride))
    {
    }

    PlannedArray<std::uint32_t> visited, known, columns, own_frontier, row_pieces, column_pieces, parents,
        owner_parents;
    PlannedArray<std::int32_t> slot_levels;
    PlannedArray<WorkItem> queue;
    // Pieces of bitmaps during levels, and pieces of parents after the last level.
    PlannedArray<std::uint32_t> sent, received;

private:
    static std::size_t words(std::uint32_t chunks, const BlockNumbers& block)
    {
        return std::size_t{chunks} * (block.slot_stride / 32);
    }
};

BlockNumbers numbers_of(const DeviceBlock& block)
{
    const DeviceGraphView& view = block.graph.view;
    return {view.slot_stride, block.rows.ranks, view.ranks, view.out.edges, view.local_count};
}

std::byte* bytes_at(std::span<std::uint32_t> words)
{
    return reinterpret_cast<std::byte*>(words.data());
}

}  // namespace

class GridSearch::State final : private algo::LevelSteps
{
public:
    State(const comm::ProcessGrid& grid, const DeviceBlock& block, GridExchange exchange,
          const DeviceSearchOptions& options);

    void run(Vertex key, Clock::time_point began);

    [[nodiscard]] const DeviceResults& results() const { return results_; }
    [[nodiscard]] std::uint64_t reached() const { return std::max<std::uint64_t>(1, progress_.reached); }
    [[nodiscard]] std::vector<DeviceLevel> level_records() const;
    [[nodiscard]] std::size_t state_bytes() const { return arrays_.bytes() + results_.bytes(); }

private:
    algo::FrontierCounts count(std::int32_t level, bool with_edges) override;
    void expand(std::int32_t level, algo::Direction direction) override;
    void search(std::int32_t level, const algo::LevelRecord& record, bool with_edges) override;
    void fold(std::int32_t level) override;

    void start(SearchKey key);
    /// Makes the frontier at `level` from the received pieces, and starts to copy its counts.
    void commit(std::int32_t level);
    void write_results(SearchKey key);

    [[nodiscard]] std::span<std::uint32_t> of(const PlannedArray<std::uint32_t>& array) { return arrays_[array]; }
    [[nodiscard]] std::size_t piece_bytes() const { return view_.slot_words() * sizeof(std::uint32_t); }

    const comm::ProcessGrid& grid_;
    GridExchange exchange_;
    DeviceResults results_;
    const Stream& stream_ = results_.stream;
    GridMemoryPlan plan_;
    DeviceArrays arrays_;
    DeviceBuffer<CountWords<LevelCounts>> counters_;
    DeviceBuffer<std::uint64_t> queue_items_;
    PinnedBuffer<CountWords<LevelCounts>> host_counts_;
    Event counted_;  // recorded after the counts are copied to the host
    GridView view_;
    GridLaunch size_;

    // State of the current search:
    algo::LevelProgress progress_;
    std::vector<Clock::time_point> level_begins_;  // beginning of each level, and end of the last level
};

GridSearch::State::State(const comm::ProcessGrid& grid, const DeviceBlock& block, GridExchange exchange,
                         const DeviceSearchOptions& options)
    : grid_(grid),
      exchange_(exchange),
      results_(DeviceResultsPlan(block.graph.view.local_count, options.levels)),
      plan_(numbers_of(block), options.levels),
      arrays_(plan_),
      counters_(1),
      queue_items_(1),
      host_counts_(1)
{
    view_.graph = block.graph.view;
    view_.rows = block.rows;
    view_.own.visited = of(plan_.visited).data();
    view_.own.frontier[0] = of(plan_.columns).data();
    view_.own.parents = of(plan_.parents).data();
    view_.own_frontier = of(plan_.own_frontier).data();
    view_.known = of(plan_.known).data();
    view_.queue = arrays_[plan_.queue].data();
    view_.counts = counters_.data();
    view_.queue_items = queue_items_.data();
    view_.out_degrees = block.out_degrees.data();
    view_.owner.parents = of(plan_.owner_parents).data();
    view_.owner.levels = options.levels ? arrays_[plan_.slot_levels].data() : nullptr;
    view_.result = results_.parents.data();
    view_.result_levels = results_.levels.data();
    view_.rule.options = options;
    view_.rule.connected = static_cast<std::uint64_t>(block.graph.connected_vertices);
    size_ = grid_launch(view_, options.most_hubs);
    fill_bytes_async(of(plan_.columns), 0, stream_);  // the tile of zeros at the end is never overwritten
    stream_.synchronize();
}

void GridSearch::State::run(Vertex key, Clock::time_point began)
{
    const SearchKey own_key =
        SearchKey::of(key, static_cast<std::uint32_t>(grid_.world().size()), static_cast<std::uint32_t>(grid_.rank()));
    level_begins_.assign(1, began);
    start(own_key);
    run_levels(*this, {view_.rule.options.direction, view_.rule.options.max_level}, progress_);
    write_results(own_key);
    stream_.synchronize();
}

void GridSearch::State::start(SearchKey key)
{
    fill_bytes_async(of(plan_.visited), 0, stream_);
    fill_bytes_async(of(plan_.known), 0, stream_);
    fill_bytes_async(of(plan_.parents), 0xFF, stream_);
    if (view_.owner.levels != nullptr) fill_bytes_async(arrays_[plan_.slot_levels], 0xFF, stream_);
    const std::span<std::uint32_t> received = of(plan_.received);
    fill_bytes_async(received.first(view_.slot_words() * std::size_t{view_.rows.ranks}), 0, stream_);
    if (key.local != SearchKey::kElsewhere) launch_key(view_, key.local, received.data(), stream_);
    commit(0);
}

void GridSearch::State::commit(std::int32_t level)
{
    fill_bytes_async(counters_.span(), 0, stream_);
    const std::size_t words = view_.slot_words();
    const FrontierPieces pieces{.row = of(plan_.row_pieces).data() + view_.rows.rank * words,
                                .column = of(plan_.column_pieces).data() + view_.graph.rank * words};
    launch_commit(view_, of(plan_.received).data(), level, pieces, stream_);
    copy_async(std::span<const CountWords<LevelCounts>>(counters_.span()), host_counts_.span(), stream_);
    counted_.record(stream_);
    // The frontier is sent while the ranks sum its counts.
    exchange_.row.all_gather(bytes_at(of(plan_.row_pieces)), piece_bytes(), stream_);
    exchange_.column.all_gather(bytes_at(of(plan_.column_pieces)), piece_bytes(), stream_);
    launch_store_frontier(view_, of(plan_.row_pieces).data(), of(plan_.column_pieces).data(), stream_);
}

algo::FrontierCounts GridSearch::State::count(std::int32_t level, bool /*with_edges*/)
{
    counted_.synchronize();
    const LevelCounts own = host_counts_.span().front().counts();
    std::array<std::uint64_t, 2> sums = {own.vertices, own.out_edges};
    grid_.world().all_reduce(std::span<std::uint64_t>(sums), comm::Reduction::sum);
    if (level > 1) level_begins_.push_back(Clock::now());
    return {sums[0], sums[1]};
}

void GridSearch::State::expand(std::int32_t /*level*/, algo::Direction /*direction*/)
{
    // commit() has already sent the frontier.
}

void GridSearch::State::search(std::int32_t /*level*/, const algo::LevelRecord& record, bool /*with_edges*/)
{
    if (record.direction == algo::Direction::bottom_up) {
        const ProfilerRange range("bottom-up level");
        launch_grid_bottom_up(view_, view_.rule.bottom_up_variant(false, progress_.reached), size_, stream_);
        return;
    }
    const ProfilerRange range("top-down level");
    const auto ranks = static_cast<std::uint64_t>(grid_.world().size());
    const ItemSizes sizes = view_.rule.item_sizes(record.frontier.out_edges / ranks);
    fill_bytes_async(queue_items_.span(), 0, stream_);
    launch_column_items(view_, sizes, size_, stream_);
    launch_follow_columns(view_, sizes, size_, stream_);
}

void GridSearch::State::fold(std::int32_t level)
{
    launch_pack_found(view_, of(plan_.sent).data(), stream_);
    exchange_.row.all_to_all(bytes_at(of(plan_.sent)), bytes_at(of(plan_.received)), piece_bytes(), stream_);
    commit(level);
}

void GridSearch::State::write_results(SearchKey key)
{
    launch_pack_parents(view_, of(plan_.sent).data(), stream_);
    exchange_.row.all_to_all(bytes_at(of(plan_.sent)), bytes_at(of(plan_.received)),
                             std::size_t{view_.graph.slot_stride} * sizeof(std::uint32_t), stream_);
    launch_choose_parents(view_, of(plan_.received).data(), stream_);
    SearchView owner = view_;
    owner.own = view_.owner;
    owner.keep_levels = view_.owner.levels != nullptr;
    launch_write_results(owner, key, stream_);
}

std::vector<DeviceLevel> GridSearch::State::level_records() const
{
    std::vector<DeviceLevel> records;
    for (std::size_t i = 0; i < progress_.records.size(); ++i) {
        const algo::LevelRecord& record = progress_.records[i];
        records.push_back({static_cast<std::int32_t>(i) + 1, record.direction == algo::Direction::bottom_up,
                           record.frontier.vertices, record.frontier.out_edges,
                           level_begins_.at(i + 1) - level_begins_.at(i)});
    }
    return records;
}

GridSearch::GridSearch(const comm::ProcessGrid& grid, const DeviceBlock& block, GridExchange exchange,
                       const DeviceSearchOptions& options)
    : state_(std::make_unique<State>(grid, block, exchange, options))
{
}

GridSearch::~GridSearch() = default;

void GridSearch::search(Vertex key)
{
    state_->run(key, began());
}

const DeviceResults& GridSearch::results() const
{
    return state_->results();
}

std::vector<DeviceLevel> GridSearch::level_records() const
{
    return state_->level_records();
}

std::uint64_t GridSearch::reached() const
{
    return state_->reached();
}

std::size_t GridSearch::state_bytes() const
{
    return state_->state_bytes();
}

std::size_t GridSearch::state_bytes_for(const BlockNumbers& block, bool levels)
{
    return bytes_of(GridMemoryPlan(block, levels), DeviceResultsPlan(block.local_count, levels));
}

}  // namespace wayfront::gpu::bfs
