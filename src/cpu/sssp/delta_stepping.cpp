#include "cpu/sssp/delta_stepping.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <omp.h>

#include "algo/sssp/weight_sample.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/local_buckets.hpp"
#include "cpu/sssp/shared_chunks.hpp"
#include "cpu/sssp/spin.hpp"

namespace wayfront::cpu {

namespace {

// The number of entries between the current vertex and the vertex whose list is prefetched.
constexpr std::uint32_t kListAhead = 4;

// The default width of a bucket is kDeltaTimesDegree times the typical weight, divided by the
// geometric mean of two degrees: the mean over all vertices, and the mean over the ends of arcs.
// Wider buckets relax more arcs in vain, narrower ones mean more rounds. On two threads, roads,
// grids, random and Kronecker graphs come within 10% of their best time with this width. More
// threads take longer to agree, so that a round should have more work for them: the bucket gets one
// more width for every kThreadsPerDelta threads (an estimate, not measured).
constexpr double kDeltaTimesDegree = 4;
constexpr double kThreadsPerDelta = 4;
constexpr double kMostDeltas = 8;

constexpr std::uint32_t kCandidates = 256;

/// The most ties that a thread keeps, as a part of the vertices. With more of them, a pass over all
/// arcs takes less time and memory.
constexpr std::size_t kVerticesPerTie = 8;
/// Ties are settled until each arc has been relaxed so often on average: where many vertices are at one
/// distance, as with weights of 0, sources may follow each other through all of them.
constexpr std::uint64_t kMostRelaxations = 3;

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

}  // namespace

/// The threads of a search. They search in *rounds*. In a round either all of them search one
/// bucket, or one of them searches alone while the others wait.
template <typename W, typename D>
class DeltaStepping<W, D>::Team
{
public:
    Team(const ArcLists<W>& lists, double delta, std::size_t threads, std::size_t alone_arcs)
        : lists_(lists),
          per_delta_(std::min(1 / delta, kMostPerDelta)),
          alone_vertices_(static_cast<std::size_t>(static_cast<double>(alone_arcs) / lists.degree_at_arcs)),
          members_(threads),
          threads_(threads)
    {
    }

    [[nodiscard]] std::size_t size() const { return members_.size(); }

    /// If the function throws, the team cannot be used again.
    algo::SsspCounters run(std::span<const std::uint32_t> sources, Labels<D>& labels, Ties<D>* ties)
    {
        ties_ = ties;
        settles_ties_ = ties != nullptr && labels.have_sources();
        relaxed_arcs_ = 0;
        last_source_ = static_cast<std::uint32_t>(sources.size());
        members_[0].buckets.advance(0, [this](D distance) { return bucket_of(distance); });
        for (std::uint32_t i = 0; i < sources.size(); ++i) {
            labels.set(sources[i], D{0}, settles_ties_ ? labels.mark(i, sources[i]) : sources[i]);
            members_[0].buckets.push(0, {sources[i], D{0}});
        }
        if (size() == 1) {
            search_alone<false>(members_[0], labels);
        } else if (search_alone<true>(members_[0], labels); members_[0].buckets.size() > 0) {
            arrived_ = 0;
            const std::uint64_t first = members_[0].buckets.first();
            parallel_team(static_cast<int>(size()), [&](std::size_t thread) {
#pragma omp single
                // May be fewer than requested.
                threads_ = static_cast<std::size_t>(omp_get_num_threads());
                search_or_fail(thread, first, labels);
            });
        }
        algo::SsspCounters counters;
        for (Member& member : members_) {
            counters.rounds += std::exchange(member.rounds, 0);
            counters.relaxed_arcs += std::exchange(member.relaxed_arcs, 0);
        }
        if (ties != nullptr) collect_ties(labels.have_sources());
        return counters;
    }

private:
    /// The treatment of ties.
    enum class TieHandling { nothing, settled, kept };
    static constexpr double kMostPerDelta = 1e300;  // finite, so that the product with 0 is 0

    /// A thread's state at the end of a round, which the other threads read.
    struct alignas(kCacheLine) Published
    {
        std::uint64_t first_bucket = kNoBucket;
        std::size_t vertices = 0;
    };
    struct alignas(kCacheLine) Member
    {
        LocalBuckets<D> buckets;
        // The number of buckets. Thread 0 counts the buckets that all threads searched.
        std::uint64_t rounds = 0;
        std::uint64_t relaxed_arcs = 0;
        std::array<Candidate<D>, kCandidates> candidates;
        std::vector<Candidate<D>> ties;
        bool lost_ties = false;
        alignas(kCacheLine) SharedChunks<D> shared;
        // One state for even rounds and one for odd rounds, because a thread may be one round ahead
        // of a thread that still reads.
        std::array<Published, 2> published;
    };
    /// The conclusion from the published states of all threads.
    struct Agreement
    {
        std::uint64_t bucket = kNoBucket;  // the next one; kNoBucket if the search is done
        std::size_t alone = kNobody;       // the thread that searches alone
    };

    [[nodiscard]] std::uint64_t bucket_of(D distance) const
    {
        constexpr double last_bucket = 0x1p62;
        return static_cast<std::uint64_t>(std::min(static_cast<double>(distance) * per_delta_, last_bucket));
    }
    void advance(Member& member, std::uint64_t bucket)
    {
        member.buckets.advance(bucket, [this](D distance) { return bucket_of(distance); });
    }

    /// A thread's part of the search from bucket `first` on. If it throws, the other threads stop waiting for it.
    void search_or_fail(std::size_t thread, std::uint64_t first, Labels<D>& labels)
    {
        try {
            search(thread, first, labels);
        } catch (...) {
            failed_ = true;
            throw;
        }
    }

    void search(std::size_t thread, std::uint64_t first, Labels<D>& labels)
    {
        Member& me = members_[thread];
        Agreement agreed{first, kNobody};
        for (std::uint64_t round = 0; agreed.bucket != kNoBucket; ++round) {
            if (agreed.alone == thread) {
                search_alone<true>(me, labels);
            } else if (agreed.alone == kNobody) {
                if (thread == 0) ++me.rounds;
                advance(me, agreed.bucket);
                me.shared.add(me.buckets.take_current(), round);
                search_shared(me, round, labels);
            }
            if (!finish_round(thread, round, labels)) return;
            agreed = agreement(round);
        }
    }

    /// Searches bucket after bucket without the other threads. If there are other threads, the
    /// function returns when there is work for them.
    template <bool shared>
    void search_alone(Member& me, Labels<D>& labels)
    {
        std::uint64_t last = kNoBucket;
        for (;;) {
            const std::uint64_t bucket = me.buckets.first();
            if (bucket == kNoBucket || (shared && me.buckets.size() > alone_vertices_)) return;
            if (bucket != last) ++me.rounds;
            last = bucket;
            advance(me, bucket);
            for (Chunk<D>* chunk = me.buckets.take_current(); chunk != nullptr;) {
                Chunk<D>* next = chunk->next;
                search_chunk<shared>(me, chunk, labels);
                chunk = next;
            }
        }
    }

    /// Searches the thread's vertices of the round's bucket, including those that it finds
    /// meanwhile.
    void search_shared(Member& me, std::uint64_t round, Labels<D>& labels)
    {
        for (;;) {
            Chunk<D>* chunk = me.shared.take(round);
            if (chunk == nullptr) chunk = me.buckets.take_current();
            if (chunk == nullptr) return;
            search_chunk<true>(me, chunk, labels);
            me.shared.add(me.buckets.take_full_of_current(), round);
        }
    }

    /// Waits until all threads are done with the round, and helps them. Returns false if a thread
    /// has failed.
    [[nodiscard]] bool finish_round(std::size_t thread, std::uint64_t round, Labels<D>& labels)
    {
        Member& me = members_[thread];
        for (;;) {
            me.published[round % 2] = {me.buckets.first(), me.buckets.size()};
            arrived_.fetch_add(1, std::memory_order_acq_rel);
            Chunk<D>* chunks = take_or_wait(thread, round);
            if (chunks == nullptr) return !failed_;
            me.shared.add(chunks, round);
            search_shared(me, round, labels);
        }
    }

    /// Returns chunks of another thread, and counts this thread as not arrived. Returns null if all
    /// threads have arrived, or if a thread has failed.
    ///
    /// `arrived_` counts the arrivals of all rounds. A thread that has arrived has no chunks left.
    /// If the count is complete, there are therefore no chunks to take. If a thread searches for
    /// chunks in vain while other threads are already in the next round, these wait only for a
    /// moment.
    [[nodiscard]] Chunk<D>* take_or_wait(std::size_t thread, std::uint64_t round)
    {
        Spin spin;
        std::size_t other = thread;
        while (arrived_.load(std::memory_order_acquire) < threads_ * (round + 1) &&
               !failed_.load(std::memory_order_relaxed)) {
            other = other + 1 == threads_ ? 0 : other + 1;
            if (members_[other].shared.offers(round)) {
                arrived_.fetch_sub(1, std::memory_order_acq_rel);
                if (Chunk<D>* chunks = members_[other].shared.take_half(round)) return chunks;
                arrived_.fetch_add(1, std::memory_order_acq_rel);
            }
            spin.wait();
        }
        return nullptr;
    }

    [[nodiscard]] Agreement agreement(std::uint64_t round) const
    {
        Agreement agreed;
        std::size_t holders = 0;
        for (std::size_t thread = 0; thread < threads_; ++thread) {
            const Published& published = members_[thread].published[round % 2];
            if (published.first_bucket == kNoBucket) continue;
            agreed.bucket = std::min(agreed.bucket, published.first_bucket);
            agreed.alone = ++holders == 1 && published.vertices <= alone_vertices_ ? thread : kNobody;
        }
        return agreed;
    }

    void collect_ties(bool with_sources)
    {
        ties_->settled = settles_ties_;
        ties_->kept.clear();
        ties_->complete = !with_sources;
        for (Member& member : members_) {
            ties_->complete = ties_->complete && !std::exchange(member.lost_ties, false);
            ties_->kept.insert(ties_->kept.end(), member.ties.begin(), member.ties.end());
            member.ties.clear();
        }
    }

    /// Relaxes the arcs of the chunk's vertices, and gives the chunk back.
    template <bool shared>
    void search_chunk(Member& me, Chunk<D>* chunk, Labels<D>& labels)
    {
        if (ties_ == nullptr) {
            relax_chunk<shared, TieHandling::nothing>(me, chunk, labels);
        } else if (labels.have_sources()) {
            const std::uint64_t before = me.relaxed_arcs;
            if constexpr (Labels<D>::kMayHaveSources) relax_chunk<shared, TieHandling::settled>(me, chunk, labels);
            relaxed_arcs_.fetch_add(me.relaxed_arcs - before, std::memory_order_relaxed);
            if (relaxed_arcs_ > kMostRelaxations * lists_.arcs()) settles_ties_ = false;
        } else {
            relax_chunk<shared, TieHandling::kept>(me, chunk, labels);
        }
        me.buckets.give_back(chunk);
    }

    /// Relaxes the arcs of the chunk's vertices.
    ///
    /// A processor cannot predict whether an entry is out of date, or whether an arc leads to a
    /// smaller distance. Both are therefore determined without branches first, for many arcs at a
    /// time. On road networks this is 1.5 times as fast on one thread, and 1.3 times on two.
    template <bool shared, TieHandling ties>
    void relax_chunk(Member& me, Chunk<D>* chunk, Labels<D>& labels)
    {
        const std::uint64_t* begins = lists_.out.begins.data();
        auto& queued = chunk->vertices;
        std::uint32_t current = 0;  // entries that are not out of date
        for (std::uint32_t i = 0; i < chunk->size; ++i) {
            const QueuedVertex<D> entry = queued[i];
            __builtin_prefetch(begins + entry.vertex);
            queued[current] = entry;
            current += entry.distance == labels.distance(entry.vertex) ? 1 : 0;
        }
        std::uint32_t found = 0;
        const bool settles = settles_ties_.load(std::memory_order_relaxed);
        for (std::uint32_t i = 0; i < current; ++i) {
            if (i + kListAhead < current)
                __builtin_prefetch(lists_.out.arcs.data() + begins[queued[i + kListAhead].vertex]);
            const auto [vertex, distance] = queued[i];
            const std::uint32_t mark = ties != TieHandling::settled ? vertex : mark_of(vertex, settles, labels);
            std::span<const Arc<W>> arcs = lists_.out.list(vertex);
            me.relaxed_arcs += arcs.size();
            while (!arcs.empty()) {
                if (found == kCandidates) improve_labels<shared, ties>(me, std::exchange(found, 0), labels);
                const std::size_t room = std::min<std::size_t>(arcs.size(), kCandidates - found);
                for (const Arc<W>& arc : arcs.first(room)) {
                    const D length = path_length(distance, arc.weight);
                    const bool is_candidate =
                        ties == TieHandling::kept
                            ? length <= labels.distance(arc.vertex)
                            : labels.template improves<ties == TieHandling::settled>(arc.vertex, length, mark);
                    me.candidates[found] = {length, arc.vertex, mark};
                    found += is_candidate ? 1 : 0;
                }
                arcs = arcs.subspan(room);
            }
        }
        improve_labels<shared, ties>(me, found, labels);
    }

    /// Writes the labels of the first `found` candidates that are still better, and queues their
    /// vertices. With TieHandling::kept, also keeps the candidates whose vertices have the same distance.
    template <bool shared, TieHandling ties>
    void improve_labels(Member& me, std::uint32_t found, Labels<D>& labels)
    {
        for (std::uint32_t i = 0; i < found; ++i) {
            const auto& [distance, vertex, mark] = me.candidates[i];
            if (labels.template improve<shared, ties == TieHandling::settled>(vertex, distance, mark))
                me.buckets.push(bucket_of(distance), {vertex, distance});
            else if (ties == TieHandling::kept && distance == labels.distance(vertex))
                keep_tie(me, me.candidates[i]);
        }
    }

    /// The mark of a label whose parent is the vertex. If another thread has written a smaller distance of
    /// the vertex, with another source, the label is replaced when the vertex is searched once more. When
    /// ties are no longer settled, labels get a source that is greater than all others, so that they are
    /// smaller than labels of larger distances only.
    [[nodiscard]] std::uint32_t mark_of(std::uint32_t vertex, bool settles, const Labels<D>& labels) const
    {
        return settles ? labels.mark_of_child(vertex) : labels.mark(last_source_, vertex);
    }

    void keep_tie(Member& me, const Candidate<D>& tie)
    {
        if (me.ties.size() < lists_.vertices() / kVerticesPerTie)
            me.ties.push_back(tie);
        else
            me.lost_ties = true;
    }

    const ArcLists<W>& lists_;
    double per_delta_;
    std::size_t alone_vertices_;  // the mean number of vertices with alone_arcs arcs
    std::vector<Member> members_;
    std::size_t threads_;
    Ties<D>* ties_ = nullptr;  // the ties of the search; null if they are not recorded
    alignas(kCacheLine) std::atomic<std::uint64_t> arrived_ = 0;
    std::atomic<std::uint64_t> relaxed_arcs_ = 0;  // while ties are settled
    std::uint32_t last_source_ = 0;                // a source greater than those of all labels: the number of sources
    std::atomic<bool> settles_ties_ = false;
    std::atomic<bool> failed_ = false;
};

template <typename W, typename D>
DeltaStepping<W, D>::DeltaStepping(const ArcLists<W>& lists, double delta, std::size_t threads, std::size_t alone_arcs)
    : lists_(lists), delta_(delta), threads_(threads), alone_arcs_(alone_arcs)
{
}

template <typename W, typename D>
DeltaStepping<W, D>::~DeltaStepping() = default;

template <typename W, typename D>
algo::SsspCounters DeltaStepping<W, D>::run(std::span<const std::uint32_t> sources, Labels<D>& labels, Ties<D>* ties)
{
    std::unique_ptr<Team> team = std::move(team_);
    if (team == nullptr) team = std::make_unique<Team>(lists_, delta_, threads_, alone_arcs_);
    const algo::SsspCounters counters = team->run(sources, labels, ties);
    team_ = std::move(team);  // only if the search did not throw
    return counters;
}

namespace {

/// The mean weight of the arcs of shortest paths from a vertex to its nearest ones; no value if too few are reached.
template <typename W>
std::optional<double> mean_weight_of_paths(const ArcLists<W>& lists)
{
    constexpr std::size_t most_vertices = 4096;
    constexpr std::size_t enough_vertices = 64;
    constexpr std::uint32_t sources = 4;
    using D = std::conditional_t<std::is_integral_v<W>, std::int64_t, W>;
    Labels<D> labels(lists.vertices());
    Dijkstra<W, D> dijkstra;
    for (std::uint32_t i = 0; i < sources; ++i) {
        labels.clear(algo::unreached<D>());
        const auto source = static_cast<std::uint32_t>(std::uint64_t{lists.vertices()} * i / sources);
        std::size_t found = 0;
        double sum = 0;
        dijkstra.run(lists, std::span(&source, 1), labels, [&](std::uint32_t vertex) {
            sum += static_cast<double>(labels.distance(vertex) - labels.distance(labels.parent(vertex)));
            return ++found == most_vertices;
        });
        if (found >= enough_vertices) return sum / static_cast<double>(found - 1);
    }
    return std::nullopt;
}

/// The weight by which the width of buckets is chosen: the mean. Where some weights are far above the others, they
/// raise the mean, but shortest paths may avoid them: then twice the mean weight on paths, if that is less.
template <typename W>
double typical_weight(const ArcLists<W>& lists)
{
    constexpr std::size_t most_samples = 4096;
    std::vector<double> sample = algo::sample_weights(lists.out.arcs.size(), most_samples, 0,
                                                      [&lists](std::size_t i) { return lists.out.arcs[i].weight; });
    constexpr double half = 0.5;
    if (sample.empty() || 2 * algo::weight_at_share(sample, half) >= lists.mean_weight) return lists.mean_weight;
    const std::optional<double> of_paths = mean_weight_of_paths(lists);
    return of_paths && *of_paths > 0 ? std::min(lists.mean_weight, 2 * *of_paths) : lists.mean_weight;
}

}  // namespace

template <typename W>
double default_delta(const ArcLists<W>& lists, std::size_t threads)
{
    if (!(lists.mean_weight > 0)) return 1;
    const double mean_degree = static_cast<double>(lists.arcs()) / static_cast<double>(lists.vertices());
    const double delta = kDeltaTimesDegree * typical_weight(lists) / std::sqrt(mean_degree * lists.degree_at_arcs);
    return delta * std::clamp(static_cast<double>(threads) / kThreadsPerDelta, 1.0, kMostDeltas);
}

template class DeltaStepping<std::uint32_t, std::uint32_t>;
template class DeltaStepping<std::uint32_t, std::int64_t>;
template class DeltaStepping<std::int64_t, std::int64_t>;
template class DeltaStepping<float, float>;
template class DeltaStepping<double, double>;
template double default_delta(const ArcLists<std::uint32_t>&, std::size_t);
template double default_delta(const ArcLists<std::int64_t>&, std::size_t);
template double default_delta(const ArcLists<float>&, std::size_t);
template double default_delta(const ArcLists<double>&, std::size_t);

}  // namespace wayfront::cpu
