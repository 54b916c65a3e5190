// The interface behind which a block's edges are searched: on the CPU, on a GPU, or on both.
//
// An engine owns a block (or refers to one) and no state of a search; scratch memory is its own affair. Calls are local to the rank, and the level
// loop (algo/bfs.cpp) makes them one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace wayfront {

/// The vertices found in the previous level, among the columns of a block.
struct FrontierView
{
    std::span<const std::uint32_t> list;    // ColLocal values, in any order; for top_down
    const std::uint64_t* bitmap = nullptr;  // cols() bits and one more word, which is 0; for bottom_up
};

/// What one level finds, among the rows of a block.
struct Discoveries
{
    std::uint64_t* seen = nullptr;     // rows() bits, in and out: rows not to be found again; each row that is found is added
    std::uint32_t* parents = nullptr;  // rows() elements, out: the ColLocal of the frontier vertex that a row was found from
    std::uint32_t* list = nullptr;     // top_down writes the rows that it found here, in any order, and their number to count
    std::uint64_t* found = nullptr;    // bottom_up writes all words of this bitmap, and the number of its bits to count
    std::size_t count = 0;
};

class EdgeEngine
{
public:
    virtual ~EdgeEngine() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Follows the out-edges of the frontier; finds each unseen row at one of their ends once.
    virtual void top_down(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Looks from each unseen row along its in-edges for a vertex of the frontier, and stops at the first.
    virtual void bottom_up(const FrontierView& frontier, Discoveries& discoveries) = 0;
};

}  // namespace wayfront
