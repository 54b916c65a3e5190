#include "model/virtual_bfs.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "algo/bfs/slot_exchange.hpp"
#include "base/bitmap.hpp"
#include "base/error.hpp"
#include "graph/partition.hpp"
#include "graph/vertex_array.hpp"
#include "model/virtual_blocks.hpp"

namespace wayfront::model {

namespace {

constexpr std::uint64_t kIndexBytes = sizeof(std::uint32_t);  // of a slot in a list
constexpr std::uint64_t kCountBytes = sizeof(std::uint64_t);

/// For each slot, the columns of the grid whose blocks have something in common.
class ColumnSets
{
public:
    ColumnSets(std::size_t slots, std::uint32_t columns) : words_(word_count(columns)), bits_(slots * words_, 0) {}

    [[nodiscard]] bool test(std::uint32_t slot, std::uint32_t column) const
    {
        return test_bit(&bits_[slot * words_], column);
    }
    void set(std::uint32_t slot, std::uint32_t column) { set_bit(&bits_[slot * words_], column); }
    void fill(std::uint32_t slot) { std::fill_n(&bits_[slot * words_], words_, ~std::uint64_t{0}); }
    void clear(std::uint32_t slot) { std::fill_n(&bits_[slot * words_], words_, 0); }
    [[nodiscard]] bool empty(std::uint32_t slot) const
    {
        return std::all_of(&bits_[slot * words_], &bits_[slot * words_] + words_, [](auto word) { return word == 0; });
    }
    /// Calls f(column), in ascending order.
    template <typename F>
    void visit(std::uint32_t slot, F&& f) const
    {
        for_each_bit(&bits_[slot * words_], 0, words_, f);
    }

private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

class VirtualRanks final : public algo::LevelSteps
{
public:
    VirtualRanks(const DistributedGraph& whole, comm::GridShape shape, const VirtualBfsOptions& options)
        : whole_(whole),
          partition_(whole.partition.vertex_count(), shape.rows, shape.columns),
          options_(options),
          owners_(whole, partition_),
          columns_(static_cast<std::uint32_t>(shape.columns)),
          rows_(static_cast<std::uint32_t>(shape.rows)),
          ranks_(columns_ * rows_),
          visited_(whole.block.slot_stride, 0),
          in_frontier_(whole.block.slot_stride, 0),
          finder_(whole.block.slot_stride, 0),
          seen_(whole.block.slot_stride, columns_),
          found_(whole.block.slot_stride, columns_),
          own_(ranks_, 0)
    {
    }

    SearchWork run(Vertex key);

    algo::FrontierCounts count(std::int32_t level, bool with_edges) override;
    void expand(std::int32_t level, algo::Direction direction) override;
    void search(std::int32_t level, const algo::LevelRecord& record, bool with_edges) override;
    void fold(std::int32_t level) override;

private:
    void start(Vertex key);
    void top_down();
    void bottom_up();
    void add_found(std::uint32_t slot, std::uint32_t column);
    void take_found();
    [[nodiscard]] std::uint32_t finder_of(std::uint32_t slot) const;
    [[nodiscard]] std::vector<MessageCount> questions() const;

    [[nodiscard]] std::uint32_t row_of(std::uint32_t slot) const { return owners_.rank[slot] / columns_; }
    [[nodiscard]] std::uint32_t column_of(std::uint32_t slot) const { return owners_.rank[slot] % columns_; }
    [[nodiscard]] RankWork& at(std::uint32_t row, std::uint32_t column)
    {
        return levels_.back().ranks[row * columns_ + column];
    }
    [[nodiscard]] std::uint64_t chunk_bytes() const { return owners_.slot_stride / 8; }

    const DistributedGraph& whole_;
    Partition partition_;
    VirtualBfsOptions options_;
    SlotOwners owners_;
    std::uint32_t columns_;
    std::uint32_t rows_;
    std::uint32_t ranks_;
    std::vector<std::uint8_t> visited_;  // by slot
    std::vector<std::uint8_t> in_frontier_;
    std::vector<std::uint32_t> finder_;  // the column whose block found the slot
    std::vector<std::uint32_t> frontier_;
    std::vector<std::uint32_t> touched_;  // slots that are found in this level
    ColumnSets seen_;                     // the blocks that do not look for the slot any more
    ColumnSets found_;                    // the blocks that find the slot in this level
    std::vector<std::uint64_t> own_;      // vertices of the frontier, by owner
    std::vector<LevelWork> levels_;
};

SearchWork VirtualRanks::run(Vertex key)
{
    start(key);
    const auto vertices = static_cast<double>(whole_.connected_vertices);
    const double edges = static_cast<double>(whole_.directed_edges) / (whole_.directed ? 1 : 2);
    algo::LevelProgress progress;
    algo::run_levels(*this, {options_.direction.bounds(vertices, edges), options_.max_level, nullptr}, progress);
    for (std::size_t level = 0; level < progress.records.size(); ++level)
        levels_[level].record = progress.records[level];
    return {std::move(levels_), questions(), std::max<std::uint64_t>(progress.reached, 1)};
}

void VirtualRanks::start(Vertex key)
{
    if (key < 0 || key >= partition_.vertex_count())
        throw InputError("vertex " + std::to_string(key) + " is not in the graph, which has " +
                         std::to_string(partition_.vertex_count()) + " vertices");
    const std::uint32_t slot = whole_.slot_of_local[static_cast<std::size_t>(key)];
    if (slot == whole_.block.slot_stride) return;  // no edges
    visited_[slot] = 1;
    finder_[slot] = column_of(slot);
    seen_.set(slot, column_of(slot));
    frontier_.push_back(slot);
    in_frontier_[slot] = 1;
    own_[owners_.rank[slot]] = 1;
}

algo::FrontierCounts VirtualRanks::count(std::int32_t /*level*/, bool with_edges)
{
    levels_.push_back({{}, std::vector<RankWork>(ranks_)});
    algo::FrontierCounts sum{frontier_.size(), 0};
    if (with_edges)
        for (const std::uint32_t slot : frontier_) sum.out_edges += whole_.block.out_degrees[slot];
    if (ranks_ == 1) return sum;
    for (RankWork& rank : levels_.back().ranks) rank.counts = {1, (ranks_ - 1) * sizeof(algo::FrontierCounts)};
    return sum;
}

void VirtualRanks::expand(std::int32_t /*level*/, algo::Direction direction)
{
    if (rows_ > 1) {
        for (std::uint32_t column = 0; column < columns_; ++column) {
            std::uint64_t all = 0;
            for (std::uint32_t row = 0; row < rows_; ++row) all += own_[row * columns_ + column];
            const bool list = comm::travels_as_list(options_.exchange, all, rows_, owners_.slot_stride);
            for (std::uint32_t row = 0; row < rows_; ++row)
                at(row, column).expand = {
                    1, list ? kIndexBytes * (all - own_[row * columns_ + column]) : (rows_ - 1) * chunk_bytes()};
        }
    }
    if (direction == algo::Direction::top_down || columns_ == 1) return;
    for (RankWork& rank : levels_.back().ranks) rank.refresh = {1, (columns_ - 1) * chunk_bytes()};
    for (std::uint32_t slot = 0; slot < visited_.size(); ++slot) {
        if (visited_[slot] != 0)
            seen_.fill(slot);
        else
            seen_.clear(slot);
    }
}

void VirtualRanks::search(std::int32_t /*level*/, const algo::LevelRecord& record, bool /*with_edges*/)
{
    if (record.direction == algo::Direction::top_down)
        top_down();
    else
        bottom_up();
}

void VirtualRanks::top_down()
{
    const CsrView out = whole_.block.out_edges().view();
    for (const std::uint32_t source : frontier_) {
        const std::uint32_t column = column_of(source);
        for (std::uint64_t i = out.begin(source); i < out.end(source); ++i) {
            const std::uint32_t target = out.neighbours[i];
            ++at(row_of(target), column).arcs;
            if (!seen_.test(target, column)) add_found(target, column);
        }
    }
}

void VirtualRanks::bottom_up()
{
    const CsrView in = whole_.block.in_edges.view();
    for (std::uint32_t slot = 0; slot < in.lists; ++slot) {
        if (visited_[slot] != 0) continue;
        std::uint32_t open = columns_;
        for (std::uint64_t i = in.begin(slot); i < in.end(slot) && open > 0; ++i) {
            const std::uint32_t source = in.neighbours[i];
            const std::uint32_t column = column_of(source);
            if (found_.test(slot, column)) continue;
            ++at(row_of(slot), column).arcs;
            if (in_frontier_[source] == 0) continue;
            add_found(slot, column);
            --open;
        }
    }
}

void VirtualRanks::add_found(std::uint32_t slot, std::uint32_t column)
{
    if (found_.empty(slot)) touched_.push_back(slot);
    seen_.set(slot, column);
    found_.set(slot, column);
    ++at(row_of(slot), column).found;
}

void VirtualRanks::fold(std::int32_t /*level*/)
{
    if (columns_ > 1) {
        // Rows that other blocks of the grid row found, by owner.
        std::vector<std::uint64_t> from_others(ranks_, 0);
        for (const std::uint32_t slot : touched_) {
            const std::uint32_t own = column_of(slot);
            found_.visit(slot, [&](std::size_t column) { from_others[owners_.rank[slot]] += column == own ? 0U : 1U; });
        }
        for (std::uint32_t row = 0; row < rows_; ++row) {
            std::uint64_t total = 0;
            for (std::uint32_t column = 0; column < columns_; ++column) total += at(row, column).found;
            const bool lists = comm::travels_as_list(options_.exchange, total, std::uint64_t{columns_} * columns_,
                                                     owners_.slot_stride);
            for (std::uint32_t column = 0; column < columns_; ++column) {
                const MessageCount sum{1, kCountBytes};
                const MessageCount sizes{1, (columns_ - 1) * kCountBytes};
                const MessageCount slots{1, kIndexBytes * from_others[row * columns_ + column]};
                const MessageCount bitmaps{1, (columns_ - 1) * chunk_bytes()};
                at(row, column).fold = lists ? sum + sizes + slots : sum + bitmaps;
            }
        }
    }
    take_found();
}

void VirtualRanks::take_found()
{
    for (const std::uint32_t slot : frontier_) in_frontier_[slot] = 0;
    frontier_.clear();
    std::ranges::fill(own_, 0);
    for (const std::uint32_t slot : touched_) {
        if (visited_[slot] == 0) {
            visited_[slot] = 1;
            in_frontier_[slot] = 1;
            ++own_[owners_.rank[slot]];
            frontier_.push_back(slot);
            finder_[slot] = finder_of(slot);
        }
        found_.clear(slot);
    }
    touched_.clear();
}

/// The column whose find the owner takes: its own if it found the slot, else the next one behind it
/// (SearchState::finder_in_turn).
std::uint32_t VirtualRanks::finder_of(std::uint32_t slot) const
{
    const std::uint32_t own = column_of(slot);
    std::uint32_t nearest = columns_;
    found_.visit(slot, [&](std::size_t column) {
        nearest = std::min(nearest, (static_cast<std::uint32_t>(column) + columns_ - own) % columns_);
    });
    return (own + nearest) % columns_;
}

std::vector<MessageCount> VirtualRanks::questions() const
{
    std::vector<MessageCount> output(ranks_);
    if (columns_ == 1) return output;
    const std::uint64_t id_bytes = VertexArray::is_narrow(partition_.vertex_count()) ? 4 : 8;
    // Between hosts, there is a barrier before the answers.
    for (MessageCount& rank : output) rank = {options_.rows_span_hosts ? 4U : 3U, (columns_ - 1) * kCountBytes};
    const algo::SlotForm form{owners_.slot_stride, options_.rows_span_hosts};
    std::vector<std::int64_t> asked(std::size_t{ranks_} * columns_, 0);  // by owner and finder
    for (std::uint32_t slot = 0; slot < visited_.size(); ++slot) {
        if (visited_[slot] == 0 || finder_[slot] == column_of(slot)) continue;
        ++asked[std::size_t{owners_.rank[slot]} * columns_ + finder_[slot]];
    }
    for (std::uint32_t owner = 0; owner < ranks_; ++owner)
        for (std::uint32_t finder = 0; finder < columns_; ++finder) {
            const std::int64_t count = asked[std::size_t{owner} * columns_ + finder];
            const auto words = static_cast<std::uint64_t>(form.words(count));
            output[owner].bytes += id_bytes * static_cast<std::uint64_t>(count);                  // the answers
            output[owner / columns_ * columns_ + finder].bytes += sizeof(std::uint32_t) * words;  // the questions
        }
    return output;
}

}  // namespace

SearchWork count_bfs(const DistributedGraph& whole, comm::GridShape shape, Vertex key, const VirtualBfsOptions& options)
{
    return VirtualRanks(whole, shape, options).run(key);
}

}  // namespace wayfront::model
