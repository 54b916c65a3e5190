// The interface of the engines, which search a block's edges: on the CPU, on a GPU, or on both.
//
// An engine owns or refers to a block, and owns scratch memory. The state of a search belongs to
// the caller (algo/bfs/search_state.hpp). While a search runs, an engine with memory of its own may
// keep copies of `seen` and `parents`; end_search() copies them back once. All functions are local
// to the rank. One thread calls them in this order:
//
//     begin_search, then for each level launch_top_down or launch_bottom_up and collect,
//     then end_search
//
// Between launch and collect the caller may do other work, while a GPU searches. An engine may also
// search bottom-up levels in stretches (StretchEngine), so that the rows found in one stretch are
// sent while the next stretch is searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/device_bytes.hpp"
#include "base/phase.hpp"

namespace wayfront {

/// The vertices that the previous level found, among the columns of a block: as a list, as a
/// bitmap, or as both.
struct FrontierView
{
    // ColLocal values in any order; empty if there is only a bitmap.
    std::span<const std::uint32_t> list;
    // `cols()` bits, and one more word, which is 0; null if there is only a list.
    const std::uint64_t* bitmap = nullptr;
    std::size_t count = 0;  // the number of vertices, in either form
    bool uploaded = false;  // the whole bitmap was passed to StretchEngine::upload_frontier()

    static constexpr std::uint64_t kUnknownEdges = std::numeric_limits<std::uint64_t>::max();
    // An upper estimate of the block's edges that lead from these vertices. Engines may choose the
    // size of their work by it.
    std::uint64_t most_out_edges = kUnknownEdges;
};

/// The discoveries of one level among the rows of a block. The memory is the caller's, on the host.
struct Discoveries
{
    // In and out, rows() bits: the rows that need not be found again. The engine adds the rows that
    // it finds, in end_search() at the latest.
    std::uint64_t* seen = nullptr;
    bool seen_changed = false;  // in: the caller has written `seen` since the previous level
    // Out, rows() elements: the ColLocal of the frontier vertex from which a row was found, set in
    // end_search() at the latest.
    std::uint32_t* parents = nullptr;
    std::uint32_t* list = nullptr;  // out, rows() elements: the found rows in any order, if as_list
    // Out, rows() bits: all words of the set of found rows, if not as_list.
    std::uint64_t* found = nullptr;
    bool as_list = false;  // out: whether the engine wrote `list` or `found`
    // In: memory for rows() elements if rows in order save the caller time, otherwise null. With this memory, a
    // top-down level may set in_order. Then the parent of a row is the first vertex of the frontier's list with an
    // edge to the row, `list` is in the order of these parents, and `finders` instead of `parents` is written: the
    // positions of the parents in the frontier's list.
    std::uint32_t* finders = nullptr;
    bool in_order = false;  // out
    std::size_t count = 0;  // out: the number of found rows
};

/// An engine that searches bottom-up levels in stretches. Stretch i is the slots [i n, (i + 1) n)
/// of every chunk of the block's rows, for n = stretch_slots(). Instead of launch_bottom_up and
/// collect the caller calls:
///
///     launch, then poll_stretch for each stretch in turn until it returns true, then add_spans
///
/// If the caller has stretches of the next level's frontier early, it may call upload_frontier for them at any
/// time after launch. Only the next level uses these stretches, if FrontierView::uploaded is true.
class StretchEngine
{
public:
    virtual ~StretchEngine() = default;

    /// A multiple of 64; the same on all ranks.
    [[nodiscard]] virtual std::uint32_t stretch_slots() const = 0;

    /// Starts a level. The frontier and the discoveries stay in place until all stretches have been
    /// taken. The engine writes only `found` of the discoveries, and not `count`.
    virtual void launch(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Whether the stretch has been searched: if so, its words of `found` are valid. Does not wait.
    [[nodiscard]] virtual bool poll_stretch(std::size_t stretch) = 0;

    /// Copies the slots of this stretch, in every chunk of the columns, of the next level's
    /// frontier. The caller may overwrite them when the function returns.
    virtual void upload_frontier(const std::uint64_t* frontier_bitmap, std::size_t stretch) = 0;

    /// Adds the engine's work in the background to the log, as spans of the stretches. Pre: the
    /// whole level has been polled, and the whole next frontier has been uploaded.
    virtual void add_spans(const LevelLog& /*to*/) {}
};

class EdgeEngine
{
public:
    EdgeEngine() = default;
    EdgeEngine(const EdgeEngine&) = delete;  // refers to a block and to device memory
    EdgeEngine& operator=(const EdgeEngine&) = delete;
    virtual ~EdgeEngine() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Whether the engine makes the missing form of a frontier itself. Otherwise top-down levels
    /// need the list and bottom-up levels need the bitmap.
    [[nodiscard]] virtual bool takes_either_form() const { return false; }

    /// Whether the block may be destroyed before the engine.
    [[nodiscard]] virtual bool has_own_copy() const { return false; }

    /// The device memory that the engine uses; 0 if it works in host memory.
    [[nodiscard]] virtual DeviceBytes device_bytes() const { return {}; }

    /// Begins a search. `seen_row` is the only row that has been seen; kNoLocal if there is none.
    virtual void begin_search(std::uint32_t /*seen_row*/) {}

    /// Starts a level that follows the out-edges of the frontier to rows that have not been seen,
    /// and finds each of these rows once. The frontier and the discoveries stay in place until
    /// collect().
    virtual void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Starts a level that follows the in-edges of each row that has not been seen, up to the first
    /// vertex of the frontier.
    virtual void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Waits until the level is done. Its discoveries are valid then.
    virtual void collect() = 0;

    /// The engine's bottom-up levels in stretches; null if it has none.
    [[nodiscard]] virtual StretchEngine* stretches() { return nullptr; }

    /// Writes `seen` and `parents` of the search. The parents of rows that no level found are
    /// unspecified.
    virtual void end_search(const Discoveries& /*discoveries*/) {}

    /// Is called between searches and is not timed. `seconds` is the time of the last search, equal
    /// on all ranks. The engine may change how it searches. Returns true, on all ranks, to repeat the
    /// same search for a comparison. Throws ResourceError.
    virtual bool tune(double /*seconds*/) { return false; }
};

}  // namespace wayfront
