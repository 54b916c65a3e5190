#include "cpu/sssp/one_rank_search.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algo/sssp/distance.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/delta_stepping.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/nearest_sources.hpp"
#include "cpu/sssp/search_result.hpp"
#include "cpu/sssp/smallest_parents.hpp"

namespace wayfront::cpu {

namespace {

using algo::SsspMethod;

/// The methods with distances of type D.
template <typename W, typename D>
class Searches
{
public:
    Searches(const ArcLists<W>& lists, double delta, std::size_t threads, std::size_t alone_arcs)
        : lists_(lists), labels_(lists.vertices()), delta_stepping_(lists, delta, threads, alone_arcs)
    {
    }

    /// Returns false if a distance does not fit D; the result is not complete then. `nearest`: whether
    /// the nearest source of each vertex is wanted.
    [[nodiscard]] bool run(std::span<const std::uint32_t> sources, bool nearest, const algo::SsspOptions& options,
                           Vertex vertex_count, algo::SsspResult& result)
    {
        const bool in_order = options.method == SsspMethod::dijkstra;
        const D bound = algo::bound_of_cutoff<D>(options.cutoff);
        {
            const Phase phase(options.log, "initialise");
            ties_.complete = false;
            ties_.settled = nearest && !in_order && labels_.clear_with_sources(bound, sources.size());
            if (!ties_.settled) labels_.clear(bound);
        }
        {
            const Phase phase(options.log, "search");
            result.counters = in_order ? dijkstra_.run(lists_, sources, labels_)
                                       : delta_stepping_.run(sources, labels_, nearest ? &ties_ : nullptr);
        }
        const Phase phase(options.log, "result");
        result.counters.pulled_arcs = label_leaves(lists_, labels_);
        if (nearest) {
            const Phase choosing(options.log, "nearest");
            if (!nearest_) nearest_.emplace(lists_, labels_, ties_);
            nearest_->choose(sources);
        }
        if (options.smallest_parents) SmallestParents(lists_, labels_, nearest ? &*nearest_ : nullptr).choose();
        if (nearest) write_nearest(*nearest_, vertex_count, result);
        return write_result(lists_, labels_, bound, vertex_count, result);
    }

private:
    const ArcLists<W>& lists_;
    Labels<D> labels_;
    Dijkstra<W, D> dijkstra_;
    DeltaStepping<W, D> delta_stepping_;
    // Only of searches from several sources, and kept for the next one.
    Ties<D> ties_;
    std::optional<NearestSources<W, D>> nearest_;
};

template <typename W>
class OneRankSearch final : public algo::SsspSearch
{
public:
    OneRankSearch(Vertex vertex_count, ArcLists<W> lists, const algo::SsspOptions& options, const OneRankTuning& tuning)
        : vertex_count_(vertex_count),
          options_(options),
          is_chosen_(options.method == SsspMethod::automatic),
          alone_arcs_(tuning.alone_arcs),
          lists_(std::move(lists))
    {
        if (lists_.min_weight < W{0})
            throw InputError("an edge has weight " + std::to_string(lists_.min_weight) +
                             ", but Dijkstra's algorithm and delta-stepping need weights that are not negative; "
                             "Bellman-Ford does not");
        const std::uint64_t busy_threads = lists_.arcs() < tuning.parallel_from_arcs
                                               ? 1
                                               : lists_.arcs() / std::max<std::uint64_t>(tuning.arcs_per_thread, 1);
        threads_ = std::clamp<std::uint64_t>(busy_threads, 1, static_cast<std::uint64_t>(thread_count()));
        if (is_chosen_)
            options_.method = lists_.arcs() < tuning.delta_stepping_from_arcs && !options.delta
                                  ? SsspMethod::dijkstra
                                  : SsspMethod::delta_stepping;
        result_.method = options_.method;
        if (options_.method != SsspMethod::dijkstra)
            delta_ = options.delta ? *options.delta : default_delta(lists_, threads_);
    }

    void run(Vertex source) override
    {
        const auto local = static_cast<std::uint32_t>(source);
        run_from(std::span(&local, 1), false);
    }
    void run_nearest(std::span<const Vertex> sources) override
    {
        std::vector<std::uint32_t> locals(sources.begin(), sources.end());
        std::ranges::sort(locals);  // the smaller of two has the smaller number in labels
        run_from(locals, true);
    }

    [[nodiscard]] const algo::SsspResult& result() const override { return result_; }

    [[nodiscard]] std::string description() const override
    {
        if (options_.method == SsspMethod::dijkstra)
            return std::string("Dijkstra's algorithm") + (is_chosen_ ? ", since the graph is small" : "");
        return "delta-stepping with buckets of width " + number(delta_) + " on " + std::to_string(threads_) +
               (threads_ == 1 ? " thread" : " threads");
    }

private:
    void run_from(std::span<const std::uint32_t> sources, bool nearest)
    {
        if constexpr (kStartsNarrow) {
            if (!wide_) {
                if (!narrow_) narrow_.emplace(lists_, delta_, threads_, alone_arcs_);
                if (narrow_->run(sources, nearest, options_, vertex_count_, result_)) return;
                narrow_.reset();
            }
        }
        if (!wide_) wide_.emplace(lists_, delta_, threads_, alone_arcs_);
        if (!wide_->run(sources, nearest, options_, vertex_count_, result_))
            algo::throw_distance_does_not_fit(kWeightType);
    }

    // Whole numbers have 32 bits until a distance does not fit.
    static constexpr bool kStartsNarrow = std::is_same_v<W, std::uint32_t>;
    using Wide = std::conditional_t<std::is_integral_v<W>, std::int64_t, W>;
    static constexpr WeightType kWeightType = std::is_integral_v<W> ? WeightType::int64
                                              : sizeof(W) == 4      ? WeightType::float32
                                                                    : WeightType::float64;

    /// With up to six digits, and without zeros at the end.
    [[nodiscard]] static std::string number(double value)
    {
        std::array<char, 32> text{};
        const auto end =
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6).ptr;
        return {text.data(), end};
    }

    Vertex vertex_count_;
    algo::SsspOptions options_;
    bool is_chosen_;  // whether the method was chosen here
    std::size_t alone_arcs_;
    ArcLists<W> lists_;
    double delta_ = 1;
    std::size_t threads_ = 1;  // the threads of delta-stepping
    std::optional<Searches<W, std::conditional_t<kStartsNarrow, std::uint32_t, Wide>>> narrow_;
    std::optional<Searches<W, Wide>> wide_;
    algo::SsspResult result_;
};

/// A search of the lists that make_lists(W{}) makes.
template <typename Make>
std::unique_ptr<algo::SsspSearch> make_search(WeightType type, Vertex vertex_count, const algo::SsspOptions& options,
                                              const OneRankTuning& tuning, Make&& make_lists)
{
    return with_weight_type(type, [&]<typename T>(T) -> std::unique_ptr<algo::SsspSearch> {
        using W = std::conditional_t<std::is_same_v<T, Unweighted>, std::uint32_t, T>;
        return std::make_unique<OneRankSearch<W>>(vertex_count, make_lists(W{}), options, tuning);
    });
}

}  // namespace

std::unique_ptr<algo::SsspSearch> make_one_rank_search(const DistributedGraph& graph, const algo::SsspOptions& options,
                                                       const OneRankTuning& tuning)
{
    return make_search(weight_type(graph.block.in_weights), graph.partition.vertex_count(), options, tuning,
                       [&graph]<typename W>(W) { return make_arc_lists<W>(graph); });
}

std::unique_ptr<algo::SsspSearch> make_one_rank_search(const EdgeFeed& feed, const algo::SsspOptions& options,
                                                       const OneRankTuning& tuning)
{
    return make_search(feed.weight_type(), feed.vertex_count(), options, tuning,
                       [&feed]<typename W>(W) { return make_lists_of_feed<W>(feed); });
}

}  // namespace wayfront::cpu
