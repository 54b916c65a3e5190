// The rounds of a search for shortest paths over the 2D partition, for any grid and engine.
//
// A round has four steps (sssp_steps.hpp). All ranks learn how many distances have changed. The
// changed distances are sent to the blocks of the grid column (expand); ranks that share distances
// send only which ones have changed. The blocks' edges are relaxed. Improved rows are sent along the
// grid row to their owners, who keep the smallest distance (commit). The method determines the edges
// that a round relaxes:
//
//   Bellman-Ford    All edges of the changed vertices, until nothing changes. If there are negative
//                   weights, the parents are searched for a cycle from time to time, and at the
//                   end: around a cycle of negative length, distances decrease until the type
//                   cannot hold them, or until rounded sums do not change any more.
//   delta-stepping  U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path
//                   algorithm", Journal of Algorithms 49, 2003, doi:10.1016/S0196-6774(03)00076-2.
//                   Rounds take the changed vertices below the end of a window until there are
//                   none; then the window moves to the smallest distance that is left. Edges are
//                   not divided into light and heavy ones.
//   push-pull       The lists are sorted by weight. In every round the end T of the window moves by
//                   delta, and vertices relax only edges whose sums are below T; a vertex remembers
//                   how far it came in its list, and starts again if its distance changes. When the
//                   vertices below T have most of the edges, T stays until nothing changes. Their
//                   distances are final. The nearest of them push their whole lists, if these are
//                   short, so that the pulls of other vertices need not take the smallest distances
//                   into account. Each vertex beyond T then pulls along its list, and stops at the
//                   first edge whose weight, added to the smallest of the other distances, is too
//                   much. After that, distances can only decrease along edges between vertices
//                   beyond T. The vertices that are not known to be final pull again while many of
//                   them change, along edges so light that the sum with the smallest changed
//                   distance is an improvement; at last the few changed vertices push. Few edges
//                   are read: most vertices need only the lightest edges to the vertices of the largest
//                   degrees.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algo/sssp/sssp_result.hpp"
#include "algo/sssp/sssp_steps.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::algo {

/// The plan of a search's rounds, after all choices.
struct SsspPlan
{
    SsspMethod method = SsspMethod::bellman_ford;
    double delta = 0;  // the width of windows in delta-stepping and push-pull
    Cutoff cutoff{};
    bool negative_weights = false;
    double weight_sum = 0;  // the sum of the weights of all arcs; no distance is larger
    bool smallest_parents = false;
    PhaseLog* log = nullptr;
};

/// The sums over all ranks that are computed between two rounds.
template <typename D>
struct SsspTotals
{
    std::uint64_t changed = 0;       // slots that are about to be expanded
    std::uint64_t settled_arcs = 0;  // only in push-pull: out-edges of the reached vertices
    std::uint64_t changed_arcs = 0;  // only in pulls: out-edges of the changed slots
    std::uint64_t pushed_arcs = 0;
    std::uint64_t pulled_arcs = 0;
    D least = unreached<D>();  // the smallest changed distance
    D next = unreached<D>();   // the smallest sum or distance that the window did not contain
    bool overflow = false;
};

template <typename D>
class SsspLoop
{
public:
    /// Grid, graph and steps outlive the loop.
    SsspLoop(const comm::ProcessGrid& grid, const DistributedGraph& graph, SsspSteps<D>& steps, const SsspPlan& plan);

    /// Searches from all sources at once, and writes reached, negative_cycle and counters of the result,
    /// and with `nearest` the nearest sources. Returns false, on all ranks, if a sum did not fit D; the
    /// result is undefined then. Collective over the grid's world.
    [[nodiscard]] bool run(std::span<const Vertex> sources, bool nearest, SsspResult& result);
    /// Writes distances and parents of the last search, if run() has not. Collective.
    void fetch(SsspResult& result);

private:
    void bellman_ford();
    void delta_stepping();
    void push_pull();
    [[nodiscard]] D push_nearest(D window);
    void pull(D settled_below, D least);

    /// Exchanges the totals; the next round expands `slots`.
    void exchange(const SlotFacts<D>& slots);
    void exchange_totals();
    void expand(Expanded slots);
    void push(Expanded slots, PushExtent extent, D bound);
    void finish_round(const RoundWork<D>& work);
    [[nodiscard]] bool has_lost_distances();
    [[nodiscard]] bool has_negative_cycle(SsspResult& result);
    void choose_parents(std::span<const Vertex> sources, bool nearest, SsspResult& result);

    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    SsspSteps<D>& steps_;
    SsspPlan plan_;
    D bound_;  // distances are below it

    int round_ = 0;
    SsspTotals<D> own_;
    SsspTotals<D> totals_;
    std::vector<std::size_t> column_counts_;  // the numbers of slots that the ranks of the grid column expand
    bool lost_sums_ = false;                  // a sum did not fit D
    bool pulled_ = false;
    bool fetched_ = true;  // whether the results of the last search are on the host
    SsspResult* result_ = nullptr;
};

extern template class SsspLoop<std::uint32_t>;
extern template class SsspLoop<std::int64_t>;
extern template class SsspLoop<float>;
extern template class SsspLoop<double>;

}  // namespace wayfront::algo
