// The edges of some lists of a block, for threads that take pieces of them. Edges are numbered
// consecutively over all lists, and a piece may begin and end inside a list, so that one vertex with
// a million edges keeps all threads busy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "graph/csr.hpp"

namespace wayfront::cpu {

class EdgePieces
{
public:
    EdgePieces() = default;
    /// Room for up to `most_lists` lists.
    explicit EdgePieces(std::size_t most_lists) : offsets_(most_lists + 1) {}

    [[nodiscard]] bool has_room() const { return !offsets_.empty(); }

    /// Numbers the edges of these lists, which remain valid while pieces are read. Returns their number.
    std::uint64_t number(const CsrView& edges, std::span<const std::uint32_t> lists)
    {
        edges_ = edges;
        lists_ = lists;
        count_ = 0;
        for (std::size_t i = 0; i < lists.size(); ++i) {
            offsets_[i] = count_;
            count_ += edges.degree(lists[i]);
        }
        offsets_[lists.size()] = count_;
        return count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] const CsrView& edges() const { return edges_; }
    [[nodiscard]] std::span<const std::uint32_t> lists() const { return lists_; }

    /// Calls f(i, first, last) for each list of a piece: the list's place among the numbered ones, and the
    /// positions [first, last) of its edges in the block.
    template <typename F>
    void for_each_list(IndexRange piece, F&& f) const
    {
        const std::uint64_t* const offsets = offsets_.data();
        auto i =
            static_cast<std::size_t>(std::upper_bound(offsets, offsets + lists_.size(), piece.first) - offsets) - 1;
        for (std::uint64_t next = piece.first; next < piece.last; ++i) {
            const std::uint64_t end = std::min<std::uint64_t>(piece.last, offsets[i + 1]);
            const std::uint64_t begin = edges_.begin(lists_[i]) - offsets[i];
            f(i, begin + next, begin + end);
            next = end;
        }
    }

private:
    CsrView edges_;
    std::span<const std::uint32_t> lists_;
    std::uint64_t count_ = 0;
    HostBuffer<std::uint64_t> offsets_;  // for each list, the number of edges before it
};

}  // namespace wayfront::cpu
