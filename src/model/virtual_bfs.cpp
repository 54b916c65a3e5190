#include "model/virtual_bfs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "algo/bfs/slot_exchange.hpp"
#include "base/bitmap.hpp"
#include "base/message_count.hpp"
#include "graph/vertex_array.hpp"
#include "model/partition_work.hpp"
#include "model/virtual_levels.hpp"

namespace wayfront::model {

namespace {

constexpr std::uint64_t kIndexBytes = sizeof(std::uint32_t);  // of a slot in a list
constexpr std::uint64_t kCountBytes = sizeof(std::uint64_t);

/// For each slot, a set of columns of the grid: those whose blocks have seen or found the slot.
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

class VirtualGrid final : public VirtualLevels
{
public:
    VirtualGrid(const DistributedGraph& whole, comm::GridShape shape, const VirtualBfsOptions& options)
        : VirtualLevels(whole, shape),
          options_(options),
          columns_(static_cast<std::uint32_t>(shape.columns)),
          rows_(static_cast<std::uint32_t>(shape.rows)),
          finder_(slots(), 0),
          seen_(slots(), columns_),
          found_(slots(), columns_)
    {
    }

    void expand(std::int32_t level, algo::Direction direction) override;
    void search(std::int32_t level, const algo::LevelRecord& record, bool with_edges) override;

protected:
    void start(std::uint32_t slot) override;
    void send_found(std::vector<std::uint32_t>& found) override;
    [[nodiscard]] std::vector<RankWork> result_queries() const override;

private:
    void top_down();
    void bottom_up();
    void search_all_blocks(std::uint32_t slot);
    void search_blocks_in_rotation(std::uint32_t slot);
    void add_found(std::uint32_t slot, std::uint32_t column);
    void count_fold();
    void count_rotation();
    [[nodiscard]] std::uint32_t finder_of(std::uint32_t slot) const;

    [[nodiscard]] std::uint32_t row_of(std::uint32_t slot) const { return owners().rank[slot] / columns_; }
    [[nodiscard]] std::uint32_t column_of(std::uint32_t slot) const { return owners().rank[slot] % columns_; }
    [[nodiscard]] RankWork& at(std::uint32_t row, std::uint32_t column)
    {
        return level().ranks[row * columns_ + column];
    }
    [[nodiscard]] std::uint64_t chunk_bytes() const { return owners().slot_stride / 8; }

    VirtualBfsOptions options_;
    std::uint32_t columns_;
    std::uint32_t rows_;
    std::vector<std::uint32_t> finder_;   // the column whose block found the slot
    std::vector<std::uint32_t> touched_;  // slots that are found in this level
    ColumnSets seen_;                     // the blocks that no longer search for the slot
    ColumnSets found_;                    // the blocks that find the slot in this level
};

void VirtualGrid::start(std::uint32_t slot)
{
    finder_[slot] = column_of(slot);
    seen_.set(slot, column_of(slot));
}

void VirtualGrid::expand(std::int32_t /*level*/, algo::Direction direction)
{
    if (rows_ > 1) {
        for (std::uint32_t column = 0; column < columns_; ++column) {
            std::uint64_t all = 0;
            for (std::uint32_t row = 0; row < rows_; ++row) all += frontier_sizes()[row * columns_ + column];
            const bool list = comm::travels_as_list(options_.exchange, all, rows_, owners().slot_stride);
            for (std::uint32_t row = 0; row < rows_; ++row)
                at(row, column).expand = {1, list ? kIndexBytes * (all - frontier_sizes()[row * columns_ + column])
                                                  : (rows_ - 1) * chunk_bytes()};
        }
    }
    if (direction == algo::Direction::top_down || columns_ == 1) return;
    for (RankWork& rank : level().ranks) rank.refresh = {1, (columns_ - 1) * chunk_bytes()};
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
        if (is_visited(slot))
            seen_.fill(slot);
        else
            seen_.clear(slot);
    }
}

void VirtualGrid::search(std::int32_t /*level*/, const algo::LevelRecord& record, bool /*with_edges*/)
{
    level().visits_rows = record.direction == algo::Direction::bottom_up;
    if (level().visits_rows)
        bottom_up();
    else
        top_down();
}

void VirtualGrid::top_down()
{
    const CsrView out = whole().block.out_edges().view();
    for (const std::uint32_t source : frontier()) {
        const std::uint32_t column = column_of(source);
        for (std::uint64_t i = out.begin(source); i < out.end(source); ++i) {
            const std::uint32_t target = out.neighbours[i];
            ++at(row_of(target), column).arcs;
            if (!seen_.test(target, column)) add_found(target, column);
        }
    }
}

void VirtualGrid::bottom_up()
{
    const std::uint32_t lists = whole().block.in_edges.view().lists;
    for (std::uint32_t slot = 0; slot < lists; ++slot) {
        if (is_visited(slot)) continue;
        if (options_.rotate_blocks)
            search_blocks_in_rotation(slot);
        else
            search_all_blocks(slot);
    }
}

void VirtualGrid::search_all_blocks(std::uint32_t slot)
{
    const CsrView in = whole().block.in_edges.view();
    for (std::uint32_t column = 0; column < columns_; ++column) ++at(row_of(slot), column).rows;
    std::uint32_t open = columns_;
    for (std::uint64_t i = in.begin(slot); i < in.end(slot) && open > 0; ++i) {
        const std::uint32_t source = in.neighbours[i];
        const std::uint32_t column = column_of(source);
        if (found_.test(slot, column)) continue;
        ++at(row_of(slot), column).arcs;
        if (!in_frontier(source)) continue;
        add_found(slot, column);
        --open;
    }
}

/// The first block is the owner's; the next one of the grid row is searched if it did not find the slot.
void VirtualGrid::search_blocks_in_rotation(std::uint32_t slot)
{
    const CsrView in = whole().block.in_edges.view();
    for (std::uint32_t turn = 0; turn < columns_ && found_.empty(slot); ++turn) {
        const std::uint32_t column = (column_of(slot) + turn) % columns_;
        ++at(row_of(slot), column).rows;
        for (std::uint64_t i = in.begin(slot); i < in.end(slot) && !found_.test(slot, column); ++i) {
            const std::uint32_t source = in.neighbours[i];
            if (column_of(source) != column) continue;
            ++at(row_of(slot), column).arcs;
            if (in_frontier(source)) add_found(slot, column);
        }
    }
}

void VirtualGrid::add_found(std::uint32_t slot, std::uint32_t column)
{
    if (found_.empty(slot)) touched_.push_back(slot);
    seen_.set(slot, column);
    found_.set(slot, column);
    ++at(row_of(slot), column).found;
}

void VirtualGrid::send_found(std::vector<std::uint32_t>& found)
{
    if (options_.rotate_blocks && level().visits_rows)
        count_rotation();
    else if (columns_ > 1)
        count_fold();
    for (const std::uint32_t slot : touched_) {
        if (!is_visited(slot)) {
            found.push_back(slot);
            finder_[slot] = options_.rotate_blocks ? column_of(slot) : finder_of(slot);
        }
        found_.clear(slot);
    }
    touched_.clear();
}

void VirtualGrid::count_fold()
{
    // Rows that other blocks of the grid row found, by owner.
    std::vector<std::uint64_t> from_others(ranks(), 0);
    for (const std::uint32_t slot : touched_) {
        const std::uint32_t own = column_of(slot);
        found_.visit(slot, [&](std::size_t column) { from_others[owners().rank[slot]] += column == own ? 0U : 1U; });
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
        std::uint64_t total = 0;
        for (std::uint32_t column = 0; column < columns_; ++column) total += at(row, column).found;
        const bool lists =
            comm::travels_as_list(options_.exchange, total, std::uint64_t{columns_} * columns_, owners().slot_stride);
        for (std::uint32_t column = 0; column < columns_; ++column) {
            const MessageCount sum{1, kCountBytes};
            const MessageCount sizes{1, (columns_ - 1) * kCountBytes};
            const MessageCount slots{1, kIndexBytes * from_others[row * columns_ + column]};
            const MessageCount bitmaps{1, (columns_ - 1) * chunk_bytes()};
            at(row, column).fold = lists ? sum + sizes + slots : sum + bitmaps;
        }
    }
}

void VirtualGrid::count_rotation()
{
    std::vector<std::uint64_t> found_by_owner(ranks(), 0);
    for (const std::uint32_t slot : touched_) ++found_by_owner[owners().rank[slot]];
    for (std::uint32_t rank = 0; rank < ranks(); ++rank)
        use_rotation_messages(level().ranks[rank], static_cast<double>(found_by_owner[rank]),
                              static_cast<int>(columns_), owners().slot_stride);
}

/// The column whose parent the owner uses: the owner's column if its block found the slot, otherwise the next
/// column whose block did, in the order of SearchState::finder_column.
std::uint32_t VirtualGrid::finder_of(std::uint32_t slot) const
{
    const std::uint32_t own = column_of(slot);
    std::uint32_t nearest = columns_;
    found_.visit(slot, [&](std::size_t column) {
        nearest = std::min(nearest, (static_cast<std::uint32_t>(column) + columns_ - own) % columns_);
    });
    return (own + nearest) % columns_;
}

std::vector<RankWork> VirtualGrid::result_queries() const
{
    std::vector<RankWork> queries(ranks());
    if (columns_ == 1 || options_.rotate_blocks) return queries;
    const std::uint64_t id_bytes = VertexArray::is_narrow(vertex_count()) ? 4 : 8;
    // Between hosts, there is a barrier before the answers.
    for (RankWork& rank : queries) rank.fold = {options_.rows_span_hosts ? 4U : 3U, (columns_ - 1) * kCountBytes};
    const algo::SlotForm form{owners().slot_stride, options_.rows_span_hosts};
    std::vector<std::int64_t> query_counts(std::size_t{ranks()} * columns_, 0);  // by owner and finder
    for (std::uint32_t slot = 0; slot < slots(); ++slot) {
        if (!is_visited(slot) || finder_[slot] == column_of(slot)) continue;
        ++query_counts[std::size_t{owners().rank[slot]} * columns_ + finder_[slot]];
    }
    for (std::uint32_t owner = 0; owner < ranks(); ++owner)
        for (std::uint32_t finder = 0; finder < columns_; ++finder) {
            const std::int64_t count = query_counts[std::size_t{owner} * columns_ + finder];
            const auto words = static_cast<std::uint64_t>(form.words(count));
            queries[owner].fold.bytes += id_bytes * static_cast<std::uint64_t>(count);                  // the answers
            queries[owner / columns_ * columns_ + finder].fold.bytes += sizeof(std::uint32_t) * words;  // questions
        }
    return queries;
}

}  // namespace

SearchWork count_bfs(const DistributedGraph& whole, comm::GridShape shape, Vertex key, const VirtualBfsOptions& options)
{
    return VirtualGrid(whole, shape, options).run(key, options.direction, options.max_level);
}

}  // namespace wayfront::model
