// The interface behind which a block's edges are searched: on the CPU, on a GPU, or on both.
//
// An engine owns a block (or refers to one) and scratch memory; what a search knows belongs to the caller (algo/bfs/search_state.hpp). An engine may
// keep its own copies of `seen` and `parents` while a search runs, as one whose memory is not the host's does, and gives them back once, at its end.
// Calls are local to the rank, and one thread makes them in this order:
//
//     begin_search, then for each level launch_top_down or launch_bottom_up and collect, then end_search
//
// Between launch and collect the caller is free to do other work: a GPU searches meanwhile. An engine may also hand out bottom-up levels in stretches
// (StretchEngine), so that what one stretch finds travels while the next is searched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/phase.hpp"

namespace wayfront {

/// The vertices found in the previous level, among the columns of a block: as list, as bitmap, or as both.
struct FrontierView
{
    std::span<const std::uint32_t> list;    // ColLocal values, in any order; empty where only the bitmap stands
    const std::uint64_t* bitmap = nullptr;  // cols() bits and one more word, which is 0; null where only the list stands
    std::size_t count = 0;                  // vertices, either way
    bool brought = false;                   // StretchEngine::bring() has had all of the bitmap

    static constexpr std::uint64_t kUnknownEdges = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most_out_edges = kUnknownEdges;  // about as many edges of the block lead from these vertices, or fewer: what the work may be cut by
};

/// What one level finds, among the rows of a block. Host memory of the caller's.
struct Discoveries
{
    std::uint64_t* seen = nullptr;  // rows() bits, in and out: rows not to be found again; each row that is found is added, by end_search() at last
    bool seen_changed = false;      // in: the caller wrote `seen` since the level before
    std::uint32_t* parents = nullptr;  // rows() elements, out: the ColLocal of the frontier vertex that a row was found from; by end_search() at last
    std::uint32_t* list = nullptr;     // rows() elements, out: the rows that were found, in any order; where as_list
    std::uint64_t* found = nullptr;    // rows() bits, out: all words of the same set; where not as_list
    bool as_list = false;              // out: which of the two the engine wrote
    std::size_t count = 0;             // out: rows that were found
};

/// Bottom-up levels whose outcome comes stretch by stretch: stretch i are the slots [i n, (i + 1) n) of every chunk of the block's rows, for
/// n = stretch_slots(). In the place of launch_bottom_up and collect the caller makes these calls:
///
///     launch, for each stretch in turn take until it is true, then add_spans
///
/// and bring, at any time after launch, where the next level's frontier is known ahead. What was brought counts for the next level alone, where its
/// frontier says so (FrontierView::brought).
class StretchEngine
{
public:
    virtual ~StretchEngine() = default;

    /// A multiple of 64; the same on all ranks.
    [[nodiscard]] virtual std::uint32_t stretch_slots() const = 0;

    /// Starts a level. Frontier and discoveries stay in place until all of it is taken. Of the discoveries `found` alone is written, not the count.
    virtual void launch(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Whether the stretch is searched; then its words of `found` stand. Does not wait.
    [[nodiscard]] virtual bool take(std::size_t stretch) = 0;

    /// Of the next level's frontier the slots of this stretch stand, in every chunk of the columns. Reads them before it returns.
    virtual void bring(const std::uint64_t* frontier_bitmap, std::size_t stretch) = 0;

    /// What went on beside the host's thread, as spans of the stretches. All of the level is taken, and all of the next frontier brought.
    virtual void add_spans(const LevelLog& /*to*/) {}
};

/// Memory of a device.
struct DeviceBytes
{
    std::size_t graph = 0;  // for a block
    std::size_t state = 0;  // besides
};

class EdgeEngine
{
public:
    EdgeEngine() = default;
    EdgeEngine(const EdgeEngine&) = delete;  // refers to memory of a block and of a device
    EdgeEngine& operator=(const EdgeEngine&) = delete;
    virtual ~EdgeEngine() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Whether one form of a frontier is enough, and the engine makes the other where it needs it. Else top-down levels want the list and bottom-up
    /// levels the bitmap.
    [[nodiscard]] virtual bool takes_either_form() const { return false; }

    /// Whether the block may go while the engine stays.
    [[nodiscard]] virtual bool has_own_copy() const { return false; }

    /// What the engine takes of a device's memory; nothing where it works in the host's.
    [[nodiscard]] virtual DeviceBytes device_bytes() const { return {}; }

    /// A search begins, in which no row is seen but `seen_row` (kNoLocal: none at all).
    virtual void begin_search(std::uint32_t /*seen_row*/) {}

    /// Starts a level that follows the out-edges of the frontier and finds each unseen row at one of their ends once. Frontier and discoveries stay
    /// in place until collect().
    virtual void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Starts a level that looks from each unseen row along its in-edges for a vertex of the frontier, and stops at the first.
    virtual void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) = 0;

    /// Waits until the level that was started is done; the discoveries given to it stand then.
    virtual void collect() = 0;

    /// Bottom-up levels in stretches; null where the engine has none.
    [[nodiscard]] virtual StretchEngine* stretches() { return nullptr; }

    /// Brings `seen` and `parents` of the search up to date. Parents of rows that no level found stay as they are or become anything.
    virtual void end_search(const Discoveries& /*discoveries*/) {}

    /// Between searches, when nobody waits: the last one took so long, by a figure that all ranks have; may change how the next ones are done. True:
    /// the same search is wanted once more, to compare. The same on all ranks. Throws ResourceError.
    virtual bool tune(double /*seconds*/) { return false; }

    /// A level from its start to its end.
    void top_down(const FrontierView& frontier, Discoveries& discoveries)
    {
        launch_top_down(frontier, discoveries);
        collect();
    }
    void bottom_up(const FrontierView& frontier, Discoveries& discoveries)
    {
        launch_bottom_up(frontier, discoveries);
        collect();
    }
};

}  // namespace wayfront
