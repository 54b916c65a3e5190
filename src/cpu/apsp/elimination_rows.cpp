#include "cpu/apsp/elimination_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algo/apsp/converted_row.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"

namespace wayfront::cpu {

namespace {

using algo::Elimination;
using algo::EliminationArc;

constexpr std::uint32_t kFar = Elimination::kFar;
constexpr std::uint32_t kNone = Elimination::kNoPosition;
constexpr std::size_t kLanes = 16;
constexpr std::size_t kLanesOfVector = 8;

/// Vectors of the compiler: loops over lanes would often be compiled one lane at a time.
using LaneVector [[gnu::vector_size(kLanesOfVector * sizeof(std::uint32_t))]] = std::uint32_t;

/// A number for each source of a group: distances to one vertex.
struct alignas(kLanes * sizeof(std::uint32_t)) Lanes
{
    static constexpr std::size_t kVectors = kLanes / kLanesOfVector;

    LaneVector vectors[kVectors];

    static Lanes all(std::uint32_t value)
    {
        Lanes lanes{};
        for (LaneVector& vector : lanes.vectors) vector += value;
        return lanes;
    }
    [[nodiscard]] std::uint32_t of(std::size_t lane) const
    {
        return vectors[lane / kLanesOfVector][lane % kLanesOfVector];
    }
    void set(std::size_t lane, std::uint32_t value) { vectors[lane / kLanesOfVector][lane % kLanesOfVector] = value; }
};

/// Searches from up to kLanes sources at once. A thread's memory.
class GroupSearch
{
public:
    explicit GroupSearch(const Elimination& tree)
        : tree_(tree), path_(tree.height), ancestor_distances_(tree.height), is_source_ancestor_(tree.size(), 0)
    {
    }

    /// Calls visit(position, distances) for all positions in ascending order. `sources` are
    /// positions, or kNone for a source that reaches nothing.
    template <typename Visit>
    void run(std::span<const std::uint32_t> sources, Visit&& visit)
    {
        std::array<std::uint32_t, kLanes> positions;
        positions.fill(kNone);
        std::ranges::copy(sources, positions.begin());
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            if (positions[lane] != kNone) search_ancestors(positions[lane], lane);
        for (std::uint32_t p = 0; p < tree_.size(); ++p) {
            Lanes least = Lanes::all(kFar);
            if (std::exchange(is_source_ancestor_[p], 0) != 0) {
                // Only for sources in the subtree of p: the distances of other sources are those to
                // other vertices of this depth.
                const Lanes& distances = ancestor_distances_[tree_.depths[p]];
                const std::uint32_t size = tree_.ends[p] - p;
                for (std::size_t lane = 0; lane < kLanes; ++lane)
                    if (positions[lane] - p < size) least.set(lane, distances.of(lane));
            }
            for (std::uint32_t a = tree_.arcs_from_ancestors_begins[p]; a < tree_.arcs_from_ancestors_begins[p + 1];
                 ++a) {
                const Lanes& from = path_[tree_.arcs_from_ancestors[a].depth];
                for (std::size_t i = 0; i < Lanes::kVectors; ++i) {
                    const LaneVector sum = from.vectors[i] + tree_.arcs_from_ancestors[a].weight;
                    least.vectors[i] = sum < least.vectors[i] ? sum : least.vectors[i];
                }
            }
            path_[tree_.depths[p]] = least;
            visit(p, std::as_const(least));
        }
    }

private:
    /// Computes the distances from a source to its ancestors along paths of arcs that lead to ancestors.
    void search_ancestors(std::uint32_t source, std::size_t lane)
    {
        const std::uint32_t depth = tree_.depths[source];
        for (std::uint32_t d = 0; d < depth; ++d) ancestor_distances_[d].set(lane, kFar);
        ancestor_distances_[depth].set(lane, 0);
        for (std::uint32_t p = source; p != kNone; p = tree_.parents[p]) {
            is_source_ancestor_[p] = 1;
            const std::uint32_t distance = ancestor_distances_[tree_.depths[p]].of(lane);
            if (distance == kFar) continue;
            for (std::uint32_t a = tree_.arcs_to_ancestors_begins[p]; a < tree_.arcs_to_ancestors_begins[p + 1]; ++a) {
                Lanes& to = ancestor_distances_[tree_.arcs_to_ancestors[a].depth];
                to.set(lane, std::min(to.of(lane), distance + tree_.arcs_to_ancestors[a].weight));
            }
        }
    }

    const Elimination& tree_;
    HostBuffer<Lanes> path_;                        // by depth: the ancestors of the current position
    HostBuffer<Lanes> ancestor_distances_;          // from each source to its ancestors, by their depth
    std::vector<std::uint8_t> is_source_ancestor_;  // of each position: whether a source is in its subtree
};

/// Counts distances in bins whose width, a power of two, grows with them.
class LaneHistogram
{
public:
    LaneHistogram() : counts_(kLanes * kStride, 0) {}

    void add(const Lanes& distances)
    {
        Lanes bins;
        LaneVector outside{};
        for (std::size_t i = 0; i < Lanes::kVectors; ++i) {
            const auto found = LaneVector(distances.vectors[i] < kFar);
            bins.vectors[i] = ((distances.vectors[i] >> exponent_) & found) | (kUnreachedBin & ~found);
            outside |= LaneVector(distances.vectors[i] >= limit_) & found;
        }
        if (any(outside)) {
            add_one_by_one(distances);
            return;
        }
        for (std::size_t lane = 0; lane < kLanes; ++lane) ++counts_[lane * kStride + bins.of(lane)];
    }
    /// Moves all counts, without `sources` distances of 0, to a histogram.
    void drain(std::uint64_t sources, algo::DistanceHistogram& histogram)
    {
        std::vector<std::uint64_t> sums(kBins, 0);
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            for (std::size_t bin = 0; bin < kBins; ++bin) sums[bin] += std::exchange(counts_[lane * kStride + bin], 0);
        for (std::size_t lane = 0; lane < kLanes; ++lane) counts_[lane * kStride + kUnreachedBin] = 0;
        sums[0] -= sources;
        while (!sums.empty() && sums.back() == 0) sums.pop_back();
        algo::DistanceHistogram own;
        own.restore(exponent_, std::move(sums), {});
        histogram.merge(own);
    }

private:
    static constexpr std::size_t kBins = algo::DistanceHistogram::kBins;
    static constexpr std::uint32_t kUnreachedBin = kBins;  // the bin of vertices that are not reached
    // Distances of neighbouring sources are often in the same bin. Because of the padding, the
    // counters of a bin are not in the same set of the cache.
    static constexpr std::size_t kStride = kBins + 16;

    [[nodiscard]] static bool any(const LaneVector& mask)
    {
        const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(LaneVector) / sizeof(std::uint64_t)>>(mask);
        std::uint64_t all = 0;
        for (const std::uint64_t word : words) all |= word;
        return all != 0;
    }

    void add_one_by_one(const Lanes& distances)
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t distance = distances.of(lane);
            if (distance == kFar) continue;
            while (distance >= limit_) widen();
            ++counts_[lane * kStride + (distance >> exponent_)];
        }
    }

    void widen()
    {
        ++exponent_;
        limit_ *= 2;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            for (std::size_t bin = 0; bin < kBins; ++bin) {
                const std::uint32_t count = std::exchange(counts_[lane * kStride + bin], 0);
                counts_[lane * kStride + bin / 2] += count;
            }
    }

    int exponent_ = 0;
    std::uint32_t limit_ = kBins;  // the bins count only distances below this limit
    // Each lane has its own counters, so that an addition seldom waits for the previous one.
    std::vector<std::uint32_t> counts_;
};

/// Facts of a group of rows.
class LaneFacts
{
public:
    void add(const Lanes& distances)
    {
        for (std::size_t i = 0; i < Lanes::kVectors; ++i) {
            const auto found = distances.vectors[i] < kFar;  // all bits of a lane, or none
            const LaneVector distance = distances.vectors[i] & LaneVector(found);
            low_.vectors[i] += distance & kLowMask;
            high_.vectors[i] += distance >> kLowBits;
            most_.vectors[i] = distance > most_.vectors[i] ? distance : most_.vectors[i];
            reached_.vectors[i] -= LaneVector(found);
        }
        if (++added_ == kMostAdded) flush();
    }

    [[nodiscard]] std::uint32_t reached(std::size_t lane) const { return reached_.of(lane); }
    [[nodiscard]] std::uint32_t most(std::size_t lane) const { return most_.of(lane); }
    [[nodiscard]] std::uint64_t sum(std::size_t lane)
    {
        flush();
        return sums_[lane];
    }

private:
    // One sum of 64 bits takes twice the time of two sums of 32 bits, which hold this many halves
    // of distances.
    static constexpr int kLowBits = 16;
    static constexpr std::uint32_t kLowMask = (1U << kLowBits) - 1;
    static constexpr std::uint32_t kMostAdded = 1U << kLowBits;

    void flush()
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            sums_[lane] += low_.of(lane) + (std::uint64_t{high_.of(lane)} << kLowBits);
        low_ = high_ = {};
        added_ = 0;
    }

    Lanes low_{};
    Lanes high_{};
    Lanes reached_{};
    Lanes most_{};
    std::array<std::uint64_t, kLanes> sums_{};
    std::uint32_t added_ = 0;
};

/// Adds up the reciprocals of a group's distances other than 0, with the rounding errors kept apart
/// (as algo::CompensatedSum, without branches).
class LaneInverses
{
public:
    void add(const Lanes& distances)
    {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t distance = distances.of(lane);
            const bool counts = distance != 0 && distance < kFar;
            const double inverse = counts ? 1 / static_cast<double>(static_cast<std::int32_t>(distance)) : 0;
            const double sum = sums_[lane] + inverse;
            const double added = sum - sums_[lane];
            errors_[lane] += (sums_[lane] - (sum - added)) + (inverse - added);
            sums_[lane] = sum;
        }
    }
    [[nodiscard]] double sum(std::size_t lane) const { return sums_[lane] + errors_[lane]; }

private:
    static_assert(kFar <= std::numeric_limits<std::int32_t>::max());

    std::array<double, kLanes> sums_{};
    std::array<double, kLanes> errors_{};
};

template <typename Out>
class EliminationRows final : public algo::RowProducer
{
public:
    EliminationRows(std::shared_ptr<const Elimination> tree, const EliminationRowsOptions& options)
        : tree_(std::move(tree))
    {
        const std::size_t row_bytes = std::max<std::size_t>(1, columns() * sizeof(Out));
        // For summaries without rows, the batch is so large that threads wait for each other only a
        // small part of the time.
        constexpr std::size_t groups_of_thread = 32;
        const auto threads = static_cast<std::size_t>(thread_count());
        const std::size_t groups =
            options.rows ? std::max(threads, options.batch_bytes / row_bytes / kLanes) : threads * groups_of_thread;
        batch_rows_ = groups * kLanes;
        searches_.reserve(threads);
        histograms_.resize(threads);
        for (int thread = 0; thread < thread_count(); ++thread) searches_.emplace_back(*tree_);
    }

    [[nodiscard]] std::string description() const override
    {
        return "elimination of vertices, from " + std::to_string(kLanes) + " sources at once on " +
               std::to_string(searches_.size()) + (searches_.size() == 1 ? " thread" : " threads");
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t batch_rows() const override { return batch_rows_; }

    void launch(std::span<const Vertex> sources) override { sources_ = sources; }

    [[nodiscard]] algo::RowBatch collect() override
    {
        const std::size_t elements = sources_.size() * columns();
        if (rows_.size() < elements) rows_ = HostBuffer<Out>(elements);
        std::vector<std::uint32_t> most(searches_.size(), 0);
        for_each_group([&](GroupSearch& search, std::size_t first, std::span<const std::uint32_t> positions) {
            Out* const rows = rows_.data() + first * columns();
            std::uint32_t& too_large = most[static_cast<std::size_t>(omp_get_thread_num())];
            search.run(positions, [&](std::uint32_t p, const Lanes& distances) {
                Out* const column = rows + tree_->vertices[p];
                for (std::size_t lane = 0; lane < positions.size(); ++lane) {
                    const std::uint32_t distance = distances.of(lane);
                    column[lane * columns()] = distance < kFar ? static_cast<Out>(distance) : unreached<Out>();
                    if (distance<kFar&& static_cast<double>(distance)> kMost) too_large = std::max(too_large, distance);
                }
            });
            write_isolated(first, positions.size());
        });
        if (const std::uint32_t too_large = std::ranges::max(most); too_large > 0)
            algo::fail_to_fit(too_large, type(), true);
        algo::RowBatch batch;
        batch.sources = sources_;
        batch.columns = columns();
        batch.distances = std::span<const Out>(rows_.data(), elements);
        return batch;
    }

    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        launch(sources);
        std::vector<algo::DistanceHistogram> histograms(searches_.size());
        for_each_group([&](GroupSearch& search, std::size_t begin, std::span<const std::uint32_t> positions) {
            LaneFacts facts;
            LaneInverses inverses;
            LaneHistogram& histogram = histograms_[static_cast<std::size_t>(omp_get_thread_num())];
            search.run(positions, [&, full = summary.is_full()](std::uint32_t, const Lanes& distances) {
                facts.add(distances);
                histogram.add(distances);
                if (full) inverses.add(distances);
            });
            std::uint64_t with_edges = 0;
            for (std::size_t lane = 0; lane < positions.size(); ++lane) {
                const std::uint32_t itself = positions[lane] == kNone ? 0 : 1;
                with_edges += itself;
                const std::uint64_t sum = facts.sum(lane);
                algo::RowFacts row{std::uint64_t{facts.reached(lane)} - itself, static_cast<double>(facts.most(lane)),
                                   static_cast<double>(sum)};
                if (summary.is_full()) {
                    row.whole_sum = static_cast<std::int64_t>(sum);  // less than 2^31 times 2^31
                    row.inverse_sum = inverses.sum(lane);
                }
                summary.set_row(first + begin + lane, row);
            }
            histogram.drain(with_edges, histograms[static_cast<std::size_t>(omp_get_thread_num())]);
        });
        for (const algo::DistanceHistogram& histogram : histograms) summary.histogram().merge(histogram);
    }
    [[nodiscard]] bool summarises_fully() const override { return true; }

private:
    static constexpr double kMost = algo::most_whole_distance(algo::distance_type_of<Out>);

    [[nodiscard]] std::size_t columns() const { return tree_->positions.size(); }

    /// Calls f(search, number of the first source, positions of the sources) for all groups, on all
    /// threads.
    template <typename F>
    void for_each_group(F&& f)
    {
        const std::size_t groups = (sources_.size() + kLanes - 1) / kLanes;
        const auto search = [&](std::size_t group) {
            const std::size_t first = group * kLanes;
            const std::size_t count = std::min(kLanes, sources_.size() - first);
            std::array<std::uint32_t, kLanes> positions;
            for (std::size_t i = 0; i < count; ++i)
                positions[i] = tree_->positions[static_cast<std::size_t>(sources_[first + i])];
            f(searches_[static_cast<std::size_t>(omp_get_thread_num())], first,
              std::span(std::as_const(positions)).first(count));
        };
        parallel_items(groups, search, 1, static_cast<int>(searches_.size()));
    }

    /// The distances from and to vertices without edges.
    void write_isolated(std::size_t first, std::size_t count)
    {
        for (std::size_t v = 0; v < columns(); ++v)
            if (tree_->positions[v] == kNone)
                for (std::size_t row = first; row < first + count; ++row) rows_[row * columns() + v] = unreached<Out>();
        for (std::size_t row = first; row < first + count; ++row)
            rows_[row * columns() + static_cast<std::size_t>(sources_[row])] = 0;
    }

    std::shared_ptr<const Elimination> tree_;
    std::size_t batch_rows_ = 0;
    std::vector<GroupSearch> searches_;      // by thread
    std::vector<LaneHistogram> histograms_;  // likewise
    std::span<const Vertex> sources_;
    HostBuffer<Out> rows_;
};

}  // namespace

std::unique_ptr<algo::RowProducer> make_elimination_rows(std::shared_ptr<const algo::Elimination> tree,
                                                         const EliminationRowsOptions& options)
{
    return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<algo::RowProducer> {
        return std::make_unique<EliminationRows<Out>>(std::move(tree), options);
    });
}

double elimination_rows_bytes(double vertices, double height, int threads)
{
    return threads * (vertices + 2 * height * sizeof(Lanes));
}

}  // namespace wayfront::cpu
