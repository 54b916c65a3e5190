// Delta-stepping on the threads of a rank.
//
// Follows U. Meyer, P. Sanders: Delta-stepping: a parallelizable shortest path algorithm. Journal
// of Algorithms 49(1), 2003, pp. 114-152, doi:10.1016/S0196-6774(03)00076-2. It differs:
//   - Each thread has buckets of its own. Vertices that a thread adds to the current bucket are
//     searched at once, without waiting for others ("bucket fusion": Y. Zhang et al.: Optimizing
//     ordered graph algorithms with GraphIt. CGO 2020, doi:10.1145/3368826.3377909).
//   - A thread that has nothing left in the current bucket takes chunks from others, so that each
//     thread mostly stays in its part of the graph (M. D'Antonio et al.: Wasp: Efficient
//     asynchronous single-source shortest path on multicore systems via work stealing. SC 2025,
//     doi:10.1145/3712285.3759872). Unlike there, all threads search the same bucket, since a few
//     atomic operations per bucket cost less than arcs that are relaxed too early.
//   - As long as only one thread has vertices, and few of them, this thread goes from bucket to bucket
//     alone.
//   - Light and heavy arcs are treated in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "algo/sssp/sssp_result.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/ties.hpp"

namespace wayfront::cpu {

/// Searches of one graph, one after the other, with weights W and distances D.
template <typename W, typename D>
class DeltaStepping
{
public:
    /// `delta` is the width of a bucket. If only one thread has vertices, it searches alone as long
    /// as they have at most about `alone_arcs` arcs. The lists outlive the object. Pre: delta > 0,
    /// threads > 0, and no weight is negative.
    DeltaStepping(const ArcLists<W>& lists, double delta, std::size_t threads, std::size_t alone_arcs);
    DeltaStepping(const DeltaStepping&) = delete;
    DeltaStepping& operator=(const DeltaStepping&) = delete;
    ~DeltaStepping();

    /// Computes the labels of all vertices that are not leaves: the distances from the nearest of the
    /// sources, which are distinct. Pre: the labels are cleared. Throws std::bad_alloc.
    /// Labels with sources get numbers of elements of `sources`. Writes to `ties`, unless that is null,
    /// whether all were settled; otherwise those that were kept, and if there are many, not all of them.
    algo::SsspCounters run(std::span<const std::uint32_t> sources, Labels<D>& labels, Ties<D>* ties = nullptr);

private:
    class Team;

    const ArcLists<W>& lists_;
    double delta_;
    std::size_t threads_;
    std::size_t alone_arcs_;
    std::unique_ptr<Team> team_;  // the threads' buckets, which keep their memory between searches
};

/// The default width of buckets for a number of threads.
template <typename W>
[[nodiscard]] double default_delta(const ArcLists<W>& lists, std::size_t threads);

}  // namespace wayfront::cpu
