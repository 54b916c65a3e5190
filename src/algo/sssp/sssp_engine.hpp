// The interface between the search for shortest paths and an engine that relaxes the edges of a
// block.
//
// The loop (algo/sssp/sssp_loop.hpp) chooses the edges and exchanges distances between ranks; an
// engine relaxes the edges. A call covers one round. Each call has two halves: launch_...() starts
// it and collect() waits for it. All distances of a search have the type D.
//
//   push   along the out-edges of columns, to the rows that they improve
//   pull   along the in-edges of rows, from the columns that improve them
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>

#include "base/types.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// A rank's memory of one search. Engines improve rows and read columns; the loop reads rows and
/// writes columns. If the grid has one column, the rows are the own columns and share their memory.
/// The ranks of a host may share the columns, too: then a column that another rank owns may get a
/// smaller distance while an engine works.
template <typename D>
struct SsspMemory
{
    D* row_distances = nullptr;
    // The ColLocal that each row was reached from; undefined if this block has not reached the row.
    std::uint32_t* row_parents = nullptr;
    D* col_distances = nullptr;
    // A bit for each column, which its owner writes in pulls; null if ranks do not share columns.
    std::uint64_t* final_columns = nullptr;
};

/// The part of the columns' lists that is pushed.
enum class PushExtent {
    whole_lists,  // the whole lists of the changed columns
    window,       // the entries whose sums are below the bound; other columns continue their lists
};

template <typename D>
struct Push
{
    PushExtent extent = PushExtent::whole_lists;
    /// The columns whose distances have changed since they were pushed, each once. In a window
    /// their lists are pushed from the beginning.
    std::span<const std::uint32_t> changed;
    D bound{};  // rows are improved to distances below it
};

template <typename D>
struct Pull
{
    /// Rows with smaller distances are settled. Of the other rows, the first pull of a search looks
    /// at all, and a later pull at those that may still improve after the previous one.
    D settled_below{};
    /// The smallest distance of the columns that can improve a row. Not below settled_below after
    /// the first pull.
    D least{};
    D bound{};  // as in Push
    bool first = false;
    bool lists = true;  // whether the improved rows are wanted, and not only their number
};

template <typename D>
struct RoundOutcome
{
    std::span<const std::uint32_t> improved;  // rows, each once; valid until the next launch
    std::uint64_t improved_rows = 0;          // their number, even if they are not listed
    std::uint64_t arcs = 0;                   // arcs whose weight was read
    // Only for pushes in windows: the smallest sum that was not pushed. Not defined if the previous
    // push had the same bound.
    D next{};
    bool overflow = false;  // a sum did not fit D, or is infinite
};

template <typename D>
class SsspEngine
{
public:
    SsspEngine() = default;
    SsspEngine(const SsspEngine&) = delete;
    SsspEngine& operator=(const SsspEngine&) = delete;
    virtual ~SsspEngine() = default;

    /// Whether ranks may share the memory: the engine works in it, reads columns by atomic loads,
    /// and writes rows by atomic stores.
    [[nodiscard]] virtual bool works_in_memory() const { return false; }
    /// The memory contains the sources' distances and no others; if ranks share columns, those of
    /// other ranks may be read after the next collective function. It is used until the next search.
    virtual void begin_search(const SsspMemory<D>& memory) = 0;
    virtual void launch_push(const Push<D>& push) = 0;
    /// Pre: the lists are sorted by weight.
    virtual void launch_pull(const Pull<D>& pull) = 0;
    [[nodiscard]] virtual RoundOutcome<D> collect() = 0;
};

/// An engine for one type of distances. The alternatives have the order of `Distances`.
using AnySsspEngine =
    std::variant<std::unique_ptr<SsspEngine<std::uint32_t>>, std::unique_ptr<SsspEngine<std::int64_t>>,
                 std::unique_ptr<SsspEngine<float>>, std::unique_ptr<SsspEngine<double>>>;

/// Makes an engine for a block, which has weights, with whole-number distances of 32 bits if
/// `narrow` is true and the weights are uint32. Throws ResourceError.
using SsspEngineMaker = std::function<AnySsspEngine(const CsrBlock& block, bool narrow)>;

}  // namespace wayfront::algo
