// The search for shortest paths by pushes and pulls (kernel.hpp), with its device memory.
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

class PushPull
{
public:
    /// `world`, the lists and `stream` outlive the object. Collective. Throws ResourceError: on all ranks
    /// if the peers' memory cannot be opened, on this rank alone if its own memory does not suffice.
    PushPull(const comm::Communicator& world, const ArcListsView& lists, const SsspGraph& graph,
             const SsspTuning& tuning, const Stream& stream);

    /// Searches and writes the results. Collective. When it returns, the GPU may still be clearing
    /// memory for the next search.
    void run(SsspSource source);
    /// Starts a search behind the work in the stream, and adds to the counts of the summary.
    void launch(SsspSource source);

    /// Starts to clear the bounds after the work in the stream. The next search waits for it; other
    /// work in the stream does not. Without a call, the next search clears them. In the meantime other
    /// searches may use the memory of the bounds and of the parents.
    void clear_for_next();

    /// Clears the counts of the summary, but not its records: `steps` is the number of valid ones.
    void clear_counts() const;

    [[nodiscard]] const SsspView& view() const { return view_; }
    [[nodiscard]] const SearchChoices& choices() const { return choices_; }
    /// The vertices of all ranks that do not pull: each of their arcs is read when results are written.
    [[nodiscard]] std::uint64_t leaves() const { return leaves_; }
    [[nodiscard]] std::size_t bytes() const { return shared_.bytes() + memory_.bytes(); }

    static constexpr std::size_t kCountBytes = offsetof(SsspSummary, records);

private:
    [[nodiscard]] bool several() const { return view_.graph.columns.ranks > 1; }
    void connect_peers();
    void lay_out_lists();
    void set_limits(const SsspTuning& tuning);
    void store_what_stays();

    const comm::Communicator& world_;
    const Stream& stream_;
    Stream clearing_stream_;
    Event searched_, cleared_;
    WeightType type_;
    SearchChoices choices_;
    std::uint32_t first_leaf_;  // as in SsspView
    SsspPeerPlan peer_plan_;
    PeerMemory shared_;
    SsspPlan plan_;
    DeviceArrays memory_;
    SsspView view_;
    SsspLaunch launch_;
    std::uint64_t leaves_ = 0;
    // Whether pulls may leave out vertices whose whole distances do not fit.
    bool may_leave_out_ = false;
    // Whether nothing is known of any vertex when `cleared_` is done.
    bool is_cleared_ = false;
};

}  // namespace wayfront::gpu::sssp
