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
        if (ties != nullptr) begin_ties(sources);
        members_[0].buckets.advance(0, [this](D distance) { return bucket_of(distance); });
        for (const std::uint32_t source : sources) {
            labels.set(source, D{0}, source);
            members_[0].buckets.push(0, {source, D{0}});
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
        if (ties != nullptr) give_ties();
        return counters;
    }

private:
    /// What becomes of ties.
    enum class OfTies { nothing, settled, kept };
    // A rounded sum may remain the same when the parent's distance decreases and its source changes.
    static constexpr bool kSettlesTies = std::is_integral_v<D>;

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

    void begin_ties(std::span<const std::uint32_t> sources)
    {
        ties_->settled = kSettlesTies && size() == 1;
        if (!ties_->settled) return;
        ties_->most_settled = lists_.vertices();
        if (ties_->sources.size() != lists_.vertices()) ties_->sources = HostBuffer<std::uint32_t>(lists_.vertices());
        std::ranges::fill(ties_->sources, kNoLocal);
        for (const std::uint32_t source : sources) ties_->sources[source] = source;
    }

    void give_ties()
    {
        ties_->kept.clear();
        if (kSettlesTies && size() == 1) return;
        ties_->complete = true;
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
        constexpr OfTies kOfTies = shared || !kSettlesTies ? OfTies::kept : OfTies::settled;
        if (ties_ == nullptr || (kOfTies == OfTies::settled && !ties_->settled))
            relax_chunk<shared, OfTies::nothing>(me, chunk, labels);
        else
            relax_chunk<shared, kOfTies>(me, chunk, labels);
        me.buckets.give_back(chunk);
    }

    /// Relaxes the arcs of the chunk's vertices.
    ///
    /// A processor cannot predict whether an entry is out of date, or whether an arc leads to a
    /// smaller distance. Both are therefore determined without branches first, for many arcs at a
    /// time. On road networks this is 1.5 times as fast on one thread, and 1.3 times on two.
    template <bool shared, OfTies ties>
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
        for (std::uint32_t i = 0; i < current; ++i) {
            if (i + kListAhead < current)
                __builtin_prefetch(lists_.out.arcs.data() + begins[queued[i + kListAhead].vertex]);
            const auto [vertex, distance] = queued[i];
            std::span<const Arc<W>> arcs = lists_.out.list(vertex);
            me.relaxed_arcs += arcs.size();
            while (!arcs.empty()) {
                if (found == kCandidates) improve_labels<shared, ties>(me, std::exchange(found, 0), labels);
                const std::size_t room = std::min<std::size_t>(arcs.size(), kCandidates - found);
                for (const Arc<W>& arc : arcs.first(room)) {
                    const D length = path_length(distance, arc.weight);
                    const D other = labels.distance(arc.vertex);
                    me.candidates[found] = {length, arc.vertex, vertex};
                    found += (ties == OfTies::nothing ? length < other : length <= other) ? 1 : 0;
                }
                arcs = arcs.subspan(room);
            }
        }
        improve_labels<shared, ties>(me, found, labels);
    }

    /// Writes the labels of the first `found` candidates that are still better, and queues their
    /// vertices.
    template <bool shared, OfTies ties>
    void improve_labels(Member& me, std::uint32_t found, Labels<D>& labels)
    {
        for (std::uint32_t i = 0; i < found; ++i) {
            const Candidate<D>& candidate = me.candidates[i];
            if constexpr (ties == OfTies::settled) {
                if (!improve_or_settle(candidate, labels)) continue;
            } else if (!labels.template improve<shared>(candidate.vertex, candidate.distance, candidate.parent)) {
                if (ties == OfTies::kept && candidate.distance == labels.distance(candidate.vertex))
                    keep_tie(me, candidate);
                continue;
            }
            me.buckets.push(bucket_of(candidate.distance), {candidate.vertex, candidate.distance});
        }
    }

    /// Writes the label and the source if the distance is smaller than the vertex's, or the same and the
    /// source is smaller. Returns whether one is. A vertex whose source has changed passes it on, since it
    /// is queued again.
    [[nodiscard]] bool improve_or_settle(const Candidate<D>& candidate, Labels<D>& labels)
    {
        const auto [distance, vertex, parent] = candidate;
        const std::uint32_t source = ties_->sources[parent];
        std::uint32_t& known = ties_->sources[vertex];
        const D other = labels.distance(vertex);
        // A vertex that is not reached has no source. Its distance is a bound, which is no tie.
        const bool smaller = distance == other && source < known && known != kNoLocal;
        if (!(distance < other)) {
            if (!smaller || !ties_->settled) return false;
            // Where many vertices are at one distance, as with weights of 0, sources may follow each other
            // through all of them. Then ties are left to the choice behind the search.
            if (ties_->most_settled == 0) {
                ties_->settled = false;
                return false;
            }
            --ties_->most_settled;
        }
        labels.set(vertex, distance, parent);
        known = source;
        return true;
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
    std::size_t alone_vertices_;  // with about alone_arcs arcs
    std::vector<Member> members_;
    std::size_t threads_;
    Ties<D>* ties_ = nullptr;  // of the search, if they are wanted
    alignas(kCacheLine) std::atomic<std::uint64_t> arrived_ = 0;
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
