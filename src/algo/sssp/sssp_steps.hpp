// The steps of a search for shortest paths over the 2D partition, which the loop (sssp_loop.hpp) puts
// together. The distances and the sets of vertices are in host memory (host_steps.hpp), or in the
// memory of GPUs (gpu/sssp/grid/steps.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>

#include "algo/sssp/sssp_engine.hpp"
#include "algo/sssp/sssp_result.hpp"
#include "base/host_buffer.hpp"
#include "base/types.hpp"

namespace wayfront::algo {

/// The own slots that a round expands.
enum class Expanded {
    changed,  // those whose distances changed in the last round
    chosen,   // those of the last choose_...()
};

/// The numbers of slots that the ranks expand.
struct ExpandedCounts
{
    std::span<const std::size_t> column;  // the number of each rank of the grid column
    std::uint64_t all = 0;                // the sum over all ranks
};

/// A set of own slots.
template <typename D>
struct SlotFacts
{
    std::uint64_t slots = 0;
    D least = unreached<D>();  // the smallest of their distances
};

template <typename D>
struct Choice
{
    SlotFacts<D> chosen;
    D least_left = unreached<D>();  // the smallest distance of the slots that were not chosen
};

/// The bounds of the vertices that a pull visits; see Pull.
template <typename D>
struct PullBounds
{
    D settled_below{};
    D least{};
    D bound{};
    bool first = false;
    bool lists = true;
};

/// The counts of a round in this rank's block; see RoundOutcome.
template <typename D>
struct RoundWork
{
    std::uint64_t improved_rows = 0;
    std::uint64_t arcs = 0;
    D next = unreached<D>();
    bool overflow = false;
};

/// Each function is either local, so that a rank may call it alone, or collective over the grid's world.
template <typename D>
class SsspSteps
{
public:
    SsspSteps() = default;
    SsspSteps(const SsspSteps&) = delete;  // refers to the state of a search
    SsspSteps& operator=(const SsspSteps&) = delete;
    virtual ~SsspSteps() = default;

    /// Whether the ranks share one copy of the distances. Local.
    [[nodiscard]] virtual bool shares_memory() const { return false; }

    /// Forgets the last search. The sources, which are distinct, become the changed slots of their
    /// owners. Local.
    virtual void start(std::span<const Vertex> sources) = 0;

    // Steps on own slots.

    /// The slots whose distances changed in the last round. Local.
    [[nodiscard]] virtual SlotFacts<D> changed() = 0;
    /// The number of out-edges of the changed slots. Local.
    [[nodiscard]] virtual std::uint64_t out_edges_of_changed() = 0;
    /// push-pull: adds the changed slots to the settled ones. Returns the out-edges of those that
    /// were not settled. Local.
    virtual std::uint64_t settle_changed() = 0;
    /// delta-stepping: the changed slots wait until they are below the end of a window. Chooses those
    /// that are below `window`; they wait no more. Local.
    virtual Choice<D> choose_below(D window) = 0;
    /// push-pull: adds the out-edges of the settled slots to bins of distances, of equal width, of
    /// which the last ends at `window`. Local.
    virtual void add_settled_edges(D window, std::span<std::uint64_t> bins) = 0;
    /// Chooses the settled slots of the first `bins` of `all_bins` bins, and the source. Local.
    virtual Choice<D> choose_nearest(D window, std::size_t bins, std::size_t all_bins) = 0;

    // Rounds.

    /// Sends the distances of own slots to the blocks of the grid column. The next push takes them as
    /// changed. Collective.
    virtual void expand(Expanded slots, const ExpandedCounts& counts, int round) = 0;
    /// Sends all distances to the blocks of the grid column. Collective.
    virtual void expand_all(int round) = 0;
    /// Sends all distances to the blocks of the grid row, so that they improve only rows whose new
    /// distance is smaller than the owner's. Collective.
    virtual void refresh_rows(int round) = 0;
    /// Relaxes edges of the columns that were expanded last. Collective, since GPUs also send improved rows.
    [[nodiscard]] virtual RoundWork<D> push(PushExtent extent, D bound) = 0;
    /// Improves the rows within the bounds along their lists. Collective, since GPUs also send improved rows.
    [[nodiscard]] virtual RoundWork<D> pull(const PullBounds<D>& bounds) = 0;
    /// Sends improved rows to their owners, who keep the smallest distance: the changed slots. Collective.
    virtual void commit(int round) = 0;

    // The end of a search.

    /// Whether an edge leads from a reached vertex to one that is not reached. Pre: all changes have
    /// been expanded, and the rows were refreshed. Local: the answer is that of this rank's block.
    [[nodiscard]] virtual bool leaves_out_vertices() = 0;
    /// The parents of this rank's vertices by local number, and kUnreached for sources. Local.
    [[nodiscard]] virtual HostBuffer<Vertex> parents_without_source() = 0;
    /// The distances of own slots. Local.
    [[nodiscard]] virtual std::span<const D> slot_distances() = 0;
    /// Completes distances and parents by local number. Distances at or above `bound` count as not
    /// reached. Returns the number of this rank's vertices that were reached. `distances` and
    /// `parents` have the rank's number of elements; they are written now or by fetch(). Local.
    virtual std::uint64_t finish(D bound, std::span<D> distances, VertexArray& parents) = 0;
    /// Copies the distances and parents that finish() completed to the host, if they are in GPU memory. Local.
    virtual void fetch(std::span<D> distances, VertexArray& parents) = 0;
};

/// Steps for one type of distances. The alternatives have the order of `Distances`.
using AnySsspSteps = std::variant<std::unique_ptr<SsspSteps<std::uint32_t>>, std::unique_ptr<SsspSteps<std::int64_t>>,
                                  std::unique_ptr<SsspSteps<float>>, std::unique_ptr<SsspSteps<double>>>;

/// Makes steps for a method, with whole-number distances of 32 bits if `narrow` is true and the
/// weights are uint32. Collective. Throws ResourceError.
using SsspStepsMaker = std::function<AnySsspSteps(SsspMethod method, bool narrow)>;

}  // namespace wayfront::algo
