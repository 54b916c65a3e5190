// The rows that a pull leaves open, because a later pull may still improve them.
//
// A row is final if no edge can improve it: each edge that may still make a distance below the
// row's leads from a final column. The least distance that an unsettled column can have is known:
// that of the first column beyond the settled ones, or the least settled distance and the column's
// lightest edge, if that is more.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <variant>

#include "algo/sssp/distance.hpp"
#include "base/bitmap.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/engine_round.hpp"
#include "cpu/sssp/list_heads.hpp"

namespace wayfront::cpu {

/// The arrays that the first pull of a search reads for each row. Five of six rows need no more.
template <typename D>
struct LightestEdges
{
    LightestEdges() = default;
    explicit LightestEdges(std::size_t rows) : neighbours(rows), weights(rows), second_weights(rows), detours(rows) {}

    HostBuffer<std::uint32_t> neighbours;
    HostBuffer<D> weights;         // the weights of the lightest edges, which lead from `neighbours`
    HostBuffer<D> second_weights;  // the weights of the next edges
    // The least weights of the neighbours' other edges, as far as they are known.
    HostBuffer<D> detours;
};

/// The open rows of a block, by what its head, its lightest edge and the final columns say.
template <typename D, typename W>
class OpenRows
{
public:
    OpenRows(const CsrBlock& block, std::span<const ListHead<D>> heads)
        : rows_(block.rows()),
          whole_rows_(block.row_chunks == 1),
          first_own_column_(block.own_col(0).value),
          words_(word_count(block.cols())),
          in_(block.in_edges.view()),
          weights_(std::get<HostBuffer<W>>(block.in_weights).data()),
          heads_(heads)
    {
        if (block.list_order != ListOrder::weights) return;
        // Pieces of rows must not share words of is_final_, which two threads would write.
        static_assert(kOwnedRows % kWordBits == 0);
        if (first_own_column_ % kWordBits != 0) throw std::logic_error("the own columns begin within a word of bits");
        lightest_ = LightestEdges<D>(rows_);
        parallel_for(rows_, kSerialBelow, [this](std::size_t row) {
            const ListHead<D>& head = heads_[row];
            lightest_.neighbours[row] = head.neighbours.front();
            lightest_.weights[row] = head.weights.front();
            lightest_.second_weights[row] = head.weights[1];
            lightest_.detours[row] = lightest_from_others(head.neighbours.front(), static_cast<std::uint32_t>(row));
        });
    }

    /// No row is final. Ranks that share columns each clear their own bits.
    void begin_search(const algo::SsspMemory<D>& memory)
    {
        if (lightest_.neighbours.empty()) return;
        if (memory.final_columns != nullptr) {
            is_final_ = memory.final_columns;
            std::fill_n(is_final_ + first_own_column_ / kWordBits, word_count(rows_), 0);
        } else {
            if (own_final_.empty()) own_final_ = HostBuffer<std::uint64_t>(words_);
            is_final_ = own_final_.data();
            std::ranges::fill(own_final_, 0);
        }
    }

    [[nodiscard]] const LightestEdges<D>& lightest() const { return lightest_; }

    /// Whether the row may improve further: an edge that is light enough leads from a column that
    /// is not final, or that has improved since the row read its distance. A row is open, too, if
    /// its head does not decide this.
    [[nodiscard]] bool is_open(std::uint32_t row, const algo::Pull<D>& pull, const algo::SsspMemory<D>& memory) const
    {
        const ListHead<D>& head = heads_[row];
        const D distance = memory.row_distances[row];
        for (std::size_t k = 0; k < kHeadEntries; ++k) {
            if (!(algo::capped_sum(pull.settled_below, head.weights[k]) < distance)) return false;
            const std::uint32_t column = head.neighbours[k];
            const bool final = is_final(column);
            const D neighbour_distance = relaxed(memory.col_distances[column]);
            if (algo::capped_sum(neighbour_distance, head.weights[k]) < distance) return true;
            if (final || neighbour_distance < pull.settled_below) continue;
            const D least = k == 0 ? std::max(pull.settled_below, algo::capped_sum(pull.least, lightest_.detours[row]))
                                   : pull.settled_below;
            if (algo::capped_sum(least, head.weights[k]) < distance) return true;
        }
        return true;
    }

    /// The same for a row that can improve by its lightest edge only.
    [[nodiscard]] bool is_open_by_lightest(std::uint32_t row, const algo::SsspMemory<D>& memory) const
    {
        const std::uint32_t column = lightest_.neighbours[row];
        const D distance = memory.row_distances[row];
        const bool final = is_final(column);
        return !final | (algo::capped_sum(relaxed(memory.col_distances[column]), lightest_.weights[row]) < distance);
    }

    /// Marks the rows of a piece as final, except the open ones, if the block has all in-edges of
    /// its rows. The piece begins with a whole word.
    void mark_final(IndexRange piece, const std::uint64_t* open)
    {
        if (!whole_rows_) return;
        for (std::size_t row = piece.first; row < piece.last; row += kWordBits) {
            const std::size_t rows = std::min<std::size_t>(kWordBits, piece.last - row);
            const std::uint64_t all = rows == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
            std::uint64_t& word = is_final_[(first_own_column_ + row) / kWordBits];
            std::atomic_ref(word).store(all & ~open[(row - piece.first) / kWordBits], std::memory_order_release);
        }
    }

private:
    /// The distance of a column is written before the column becomes final; callers read the
    /// distance after this call.
    [[nodiscard]] bool is_final(std::uint32_t column) const
    {
        const std::uint64_t word = std::atomic_ref(is_final_[column / kWordBits]).load(std::memory_order_acquire);
        return (word >> (column % kWordBits) & 1) != 0;
    }

    /// A lower bound of the weights of the edges that lead to the column from vertices other than
    /// `row`.
    [[nodiscard]] D lightest_from_others(std::uint32_t column, std::uint32_t row) const
    {
        const std::uint32_t own = column - first_own_column_;
        if (!whole_rows_ || own >= rows_) return D{0};  // edges of other ranks are not known
        const ListHead<D>& head = heads_[own];
        return head.weights[head.neighbours.front() == row + first_own_column_ ? 1 : 0];
    }

    std::uint32_t rows_;
    bool whole_rows_;  // whether the block has all in-edges of its rows
    std::uint32_t first_own_column_;
    std::size_t words_;  // the words of a bitmap of the columns
    CsrView in_;
    const W* weights_;
    // Only if the lists are sorted by weight.
    std::span<const ListHead<D>> heads_;
    LightestEdges<D> lightest_;
    // A bit for each column beyond the settled ones: for this rank's own columns, or for all columns
    // if ranks share them.
    std::uint64_t* is_final_ = nullptr;
    HostBuffer<std::uint64_t> own_final_;  // its memory, if ranks do not share columns
};

}  // namespace wayfront::cpu
