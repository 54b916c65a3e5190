// The counts of a level's launches, on this rank and over all ranks.
#pragma once

#include <cstdint>

#include "base/phase.hpp"
#include "comm/communicator.hpp"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// The counters that kernels add to, and their last values on the host. Communicator, stream and log outlive the
/// object; the log gets a span for each message.
class LevelTotals
{
public:
    LevelTotals(const comm::Communicator& world, const Stream& stream, PhaseLog* log)
        : world_(world), stream_(stream), log_(log)
    {
    }

    [[nodiscard]] StepCounts* on_device() { return counters_.data(); }
    /// Sets the counters to 0.
    void clear();

    /// The counts of the launches since the counters were 0, over all ranks. Collective.
    LevelCounts level_counts(std::int32_t level);
    /// The same in steps: start_copy() starts to copy the counters to the host, and sets them to 0;
    /// finish_copy() waits for the copy; copied_counts() waits, too, and adds up over the ranks.
    /// Only copied_counts() is collective.
    void start_copy();
    void finish_copy();
    LevelCounts copied_counts(std::int32_t level);
    /// The sums of own() over all ranks. Collective.
    LevelCounts sum_over_ranks(std::int32_t level);

    /// The counts on this rank: those that were copied last, or set since.
    [[nodiscard]] const StepCounts& own() const { return own_; }
    void set_own(const LevelCounts& counts) { own_.level = CountWords<LevelCounts>::of(counts); }
    /// The most vertices that a rank had in the last sums.
    [[nodiscard]] std::uint64_t most_vertices() const { return most_vertices_; }

private:
    const comm::Communicator& world_;
    const Stream& stream_;
    PhaseLog* log_;
    DeviceBuffer<StepCounts> counters_{1};
    PinnedBuffer<StepCounts> on_host_{1};
    Event copied_;
    StepCounts own_{};
    std::uint64_t most_vertices_ = 0;
};

}  // namespace wayfront::gpu::bfs
