// The launches of the engine's kernels. Each call puts its kernels into the stream and returns; no
// call allocates or waits.
//
// A push in a window is bring, start_lists, resume_lists (if the bound has moved), relax; a push of
// whole lists is bring, relax. If words have no parents, find_parents follows. A pull is bring,
// lower_rows (if other ranks improve rows), pull. gather_improved ends each of them.
#pragma once

#include <cstdint>

#include "algo/sssp/sssp_engine.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/host_driven/view.hpp"

namespace wayfront::gpu::sssp {

/// Where kernels run.
struct LaunchPlace
{
    const Stream& stream;
    int multiprocessors;
};

template <typename D, typename W>
struct RowKernels
{
    /// No row and no column is reached.
    static void reset(const WeightedBlockView<W>& block, const SsspStateView<D>& state, LaunchPlace place);
    /// Writes the distances of `count` changed columns, and those of the rows of own columns.
    static void bring(const WeightedBlockView<W>& block, const SsspStateView<D>& state, std::uint64_t count,
                      LaunchPlace place);
    /// Lowers rows to the given distances.
    static void lower_rows(const WeightedBlockView<W>& block, const SsspStateView<D>& state, const D* distances,
                           LaunchPlace place);
    /// Writes the improved rows behind the header, and clears their bits.
    static void gather_improved(const WeightedBlockView<W>& block, const SsspStateView<D>& state, LaunchPlace place);
    /// Loads the kernels, which the driver would otherwise do at their first launch.
    static void load();
};

template <typename D, typename W>
struct PushKernels
{
    /// Finds the entries of `count` changed columns that are in the window.
    static void start_lists(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                            std::uint64_t count, LaunchPlace place);
    /// The same for the columns whose lists go on, of which there are at most `most`.
    static void resume_lists(const WeightedBlockView<W>& block, const SsspStateView<D>& state, D bound,
                             std::uint64_t most, LaunchPlace place);
    /// Relaxes the edges of all lists of `count` changed columns, or of the active columns, of
    /// which there are at most `count`.
    static void relax(const WeightedBlockView<W>& block, const SsspStateView<D>& state, algo::PushExtent extent,
                      D bound, std::uint64_t count, LaunchPlace place);
    /// Writes the parents of the rows that relax() improved. Its arguments are those of relax().
    static void find_parents(const WeightedBlockView<W>& block, const SsspStateView<D>& state, algo::PushExtent extent,
                             D bound, std::uint64_t count, LaunchPlace place);
    static void load();
};

template <typename D, typename W>
struct PullKernels
{
    /// Pulls for all rows, or for the `count` open rows.
    static void pull(const WeightedBlockView<W>& block, const SsspStateView<D>& state, const algo::Pull<D>& pull,
                     std::uint64_t count, LaunchPlace place);
    static void load();
};

}  // namespace wayfront::gpu::sssp
