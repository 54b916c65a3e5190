// The search for shortest paths by pushes and pulls, with its device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "comm/communicator.hpp"
#include "gpu/exchange/peer_memory.hpp"
#include "gpu/graph/arc_lists.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/kernel.hpp"
#include "gpu/sssp/search.hpp"
#include "gpu/sssp/search_choices.hpp"
#include "gpu/sssp/search_memory.hpp"
#include "gpu/sssp/view.hpp"

namespace wayfront::gpu::sssp {

/// A rank's lists, the graph of which they are a part, and the options of its searches.
struct SsspInput
{
    const ArcListsView& lists;
    const SsspGraph& graph;
    const SsspTuning& tuning;
};

/// The common part of the searches of one graph, for all kinds of access to other GPUs' vertices.
class PushPull
{
public:
    PushPull(const PushPull&) = delete;  // kernels refer to the memory
    PushPull& operator=(const PushPull&) = delete;
    virtual ~PushPull() = default;

    /// Searches and writes the results. Collective. When it returns, the GPU may still be clearing
    /// memory for the next search.
    virtual void run(SsspSource source) = 0;
    /// Adds the steps of the last search to `facts`. `summary`: the summary of this search.
    virtual void add_steps(const SsspSummary& summary, SsspFacts& facts) const = 0;

    /// Starts to clear the bounds after the work in the stream. The next search waits for this;
    /// other work in the stream does not. If this was not called, the next search clears the
    /// bounds. Other searches may use the memory of the bounds and of the parents before this call.
    void clear_for_next_search();

    /// Clears the counts of the summary, but not its records, of which the first `steps` are valid.
    void clear_counts() const;

    [[nodiscard]] const SsspView& view() const { return view_; }
    [[nodiscard]] const SearchChoices& choices() const { return choices_; }
    /// The number of vertices, on all ranks, that do not pull. The search reads the arc of each of
    /// them when it writes results.
    [[nodiscard]] std::uint64_t leaves() const { return leaves_; }
    [[nodiscard]] virtual std::size_t bytes() const { return shared_.bytes() + memory_.bytes(); }

    static constexpr std::size_t kCountBytes = offsetof(SsspSummary, records);

protected:
    /// `peers`: the ranks whose kernels reach each other's memory, this one among them. `world`, `peers`,
    /// the lists and `stream` outlive the object. Collective over `world`. Throws ResourceError: on all
    /// peers if their memory cannot be opened, on this rank alone if its own memory does not suffice.
    PushPull(const comm::Communicator& world, const comm::Communicator& peers, const SsspInput& input,
             const Stream& stream, Reach reach);

    /// Stores the data that all searches share (LightestArcs and leaves) in this rank's memory and
    /// in that of its peers. Collective.
    void store_constant_data();
    /// The stream waits until the bounds are cleared.
    void wait_for_cleared_bounds();

    const comm::Communicator& world_;
    const Stream& stream_;
    WeightType type_;
    SearchChoices choices_;
    SsspView view_;
    SsspLaunch launch_;
    // Whether pulls may leave out vertices whose whole distances do not fit 32 bits.
    bool may_leave_out_ = false;

private:
    void connect_peers(const comm::Communicator& peers);
    void lay_out_lists();
    void set_limits(const SsspTuning& tuning);

    Stream clearing_stream_;
    Event searched_, cleared_;
    std::uint32_t first_leaf_;  // SsspView::first_leaf
    SsspPeerPlan peer_plan_;
    PeerMemory shared_;
    SsspPlan plan_;
    DeviceArrays memory_;
    std::uint64_t leaves_ = 0;
    // Whether the bounds are cleared once `cleared_` has been reached.
    bool is_cleared_ = false;
};

/// The resident search (kernel.hpp): one kernel on each GPU of `world` runs a whole search.
class ResidentPushPull final : public PushPull
{
public:
    ResidentPushPull(const comm::Communicator& world, const SsspInput& input, const Stream& stream);

    void run(SsspSource source) override;
    void add_steps(const SsspSummary& summary, SsspFacts& facts) const override;
    /// Starts a search after the work in the stream. It adds to the counts of the summary.
    void launch(SsspSource source);
};

}  // namespace wayfront::gpu::sssp
