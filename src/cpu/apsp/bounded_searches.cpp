#include "cpu/apsp/bounded_searches.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

#include "algo/apsp/converted_row.hpp"
#include "algo/sssp/distance.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/delta_stepping.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/labels.hpp"

namespace wayfront::cpu {

namespace {

/// A search that finds more than a vertex of so many finds many.
constexpr std::size_t kVerticesPerFound = 8;

[[nodiscard]] std::size_t threads_for(int threads, const BoundedSearchOptions& options)
{
    return std::clamp<std::size_t>(options.sources, 1, static_cast<std::size_t>(threads));
}

/// Finds the vertices at distances below `bound`, without weights, in the order of their distances.
template <typename D>
void search_levels(const ArcLists<std::uint32_t>& lists, std::uint32_t source, D bound, Labels<D>& labels,
                   std::vector<std::uint32_t>& found)
{
    labels.set(source, D{0}, source);
    found.push_back(source);
    for (std::size_t next = 0; next < found.size(); ++next) {
        const std::uint32_t vertex = found[next];
        const auto distance = static_cast<D>(labels.distance(vertex) + 1);
        if (!(distance < bound)) return;
        for (const Arc<std::uint32_t>& arc : lists.out.list(vertex))
            if (labels.template improve<false>(arc.vertex, distance, vertex)) found.push_back(arc.vertex);
    }
}

/// W: weights, D: distances of the searches, Out: distances of the rows.
template <typename W, typename D, typename Out>
class Searches final : public BoundedSearches
{
public:
    Searches(const DistributedGraph& graph, const BoundedSearchOptions& options)
        : weighted_(weight_type(graph.block.in_weights) != WeightType::none),
          bound_(algo::bound_of_cutoff<D>(options.limit)),
          batch_entries_(options.batch_entries),
          lists_(make_whole_lists<W>(graph, ListOwner::sources))
    {
        for (std::size_t thread = 0; thread < threads_for(thread_count(), options); ++thread)
            threads_.emplace_back(lists_.vertices(), bound_);
    }

    [[nodiscard]] std::string description() const override
    {
        return std::string(weighted_ ? "Dijkstra's algorithm, or delta-stepping where it finds many vertices,"
                                     : "breadth-first search") +
               " from each source up to the limit on " + std::to_string(threads_.size()) +
               (threads_.size() == 1 ? " thread" : " threads");
    }

    [[nodiscard]] algo::SparseRows rows(std::span<const Vertex> sources) override
    {
        std::atomic<std::size_t> next = 0;
        std::atomic<std::size_t> entries = 0;
        parallel_parts(threads_.size(), [&](std::size_t thread) {
            Thread& own = threads_[thread];
            own.begin();
            // Sources are taken in their order, so that those that are done are the first ones.
            while (entries < batch_entries_) {
                const std::size_t row = next++;
                if (row >= sources.size()) return;
                const std::size_t before = own.targets.size();
                own.rows.push_back({row, before});
                search(static_cast<std::uint32_t>(sources[row]), own);
                entries += own.targets.size() - before;
            }
        });
        double misfit = 0;
        for (const Thread& own : threads_) misfit = algo::farther(misfit, own.misfit);
        if (misfit != 0) algo::fail_to_fit(misfit, algo::distance_type_of<Out>, kWhole);
        return joined(std::min(next.load(), sources.size()));
    }

private:
    static constexpr bool kWhole = std::is_integral_v<D>;

    /// A row, and where its entries begin among those of its thread.
    struct Row
    {
        std::size_t number;
        std::size_t begin;
    };

    /// The memory of a thread, and what it has found in the batch.
    struct Thread
    {
        Thread(std::uint32_t vertices, D bound) : labels(vertices) { labels.clear(bound); }
        void begin()
        {
            rows.clear();
            targets.clear();
            distances.clear();
            misfit = 0;
        }

        Labels<D> labels;  // the bound, between searches
        Dijkstra<W, D> dijkstra;
        std::unique_ptr<DeltaStepping<W, D>> delta_stepping;  // made before its first search
        bool finds_many = false;  // whether the last search with weights found many vertices
        std::vector<std::uint32_t> found;
        std::vector<Row> rows;
        std::vector<std::uint32_t> targets;
        std::vector<Out> distances;
        double misfit = 0;  // the farthest distance that Out does not hold
    };

    void search(std::uint32_t source, Thread& own)
    {
        if (own.finds_many) return search_for_many(source, own);
        own.found.clear();
        if constexpr (std::is_same_v<W, std::uint32_t>) {
            if (weighted_)
                search_weights(source, own);
            else
                search_levels(lists_, source, bound_, own.labels, own.found);
        } else {
            search_weights(source, own);
        }
        write_found(own);
        for (const std::uint32_t vertex : own.found) own.labels.set(vertex, bound_, kNoLocal);
    }

    /// Collects the found vertices. The search ends when the queue is empty, so every vertex with a label is collected.
    void search_weights(std::uint32_t source, Thread& own)
    {
        own.dijkstra.run(lists_, std::span(&source, 1), own.labels, [&own](std::uint32_t vertex) {
            own.found.push_back(vertex);
            return false;
        });
        own.finds_many = are_many(own.found.size());
    }

    /// The same if the last source reached many vertices: delta-stepping is faster then, and a pass over all labels
    /// tells what it has found.
    void search_for_many(std::uint32_t source, Thread& own)
    {
        const std::size_t before = own.targets.size();
        if (own.delta_stepping == nullptr)
            own.delta_stepping = std::make_unique<DeltaStepping<W, D>>(lists_, default_delta(lists_, 1), 1, 0);
        own.delta_stepping->run(std::span(&source, 1), own.labels);
        write_labels(own);
        own.labels.clear(bound_);
        own.finds_many = are_many(own.targets.size() - before);
    }

    [[nodiscard]] bool are_many(std::size_t found) const { return found * kVerticesPerFound > lists_.vertices(); }

    void write_found(Thread& own) const
    {
        // Sorting takes longer than a look at all labels if a large part of the vertices is found.
        const std::size_t comparisons = own.found.size() * std::bit_width(own.found.size());
        if (comparisons >= own.labels.size()) return write_labels(own);
        std::ranges::sort(own.found);
        for (const std::uint32_t vertex : own.found) write(vertex, own.labels.distance(vertex), own);
    }

    void write_labels(Thread& own) const
    {
        own.labels.visit_settled({0, own.labels.size()}, [&](std::size_t vertex, D distance, std::uint32_t parent) {
            if (parent != kNoLocal) write(static_cast<std::uint32_t>(vertex), distance, own);
        });
    }

    static void write(std::uint32_t vertex, D distance, Thread& own)
    {
        const auto value = static_cast<double>(distance);
        if (value > algo::most_distance_of(algo::distance_type_of<Out>, kWhole))
            own.misfit = algo::farther(own.misfit, value);
        own.targets.push_back(vertex);
        own.distances.push_back(static_cast<Out>(distance));
    }

    /// The rows of the first `count` sources, in their order.
    [[nodiscard]] algo::SparseRows joined(std::size_t count) const
    {
        algo::SparseRows rows;
        rows.begins.assign(count + 1, 0);
        const auto for_each_row = [this](auto&& f) {
            for (const Thread& own : threads_)
                for (std::size_t i = 0; i < own.rows.size(); ++i)
                    f(own, own.rows[i], i + 1 < own.rows.size() ? own.rows[i + 1].begin : own.targets.size());
        };
        for_each_row(
            [&](const Thread&, const Row& row, std::size_t end) { rows.begins[row.number + 1] = end - row.begin; });
        std::partial_sum(rows.begins.begin(), rows.begins.end(), rows.begins.begin());
        rows.targets.resize(rows.begins.back());
        std::vector<Out>& distances = rows.distances.emplace<std::vector<Out>>(rows.begins.back());
        for_each_row([&](const Thread& own, const Row& row, std::size_t end) {
            const auto first = static_cast<std::ptrdiff_t>(row.begin);
            const auto to = static_cast<std::ptrdiff_t>(rows.begins[row.number]);
            std::copy_n(own.targets.begin() + first, end - row.begin, rows.targets.begin() + to);
            std::copy_n(own.distances.begin() + first, end - row.begin, distances.begin() + to);
        });
        return rows;
    }

    bool weighted_;
    D bound_;  // distances below it are found
    std::size_t batch_entries_;
    ArcLists<W> lists_;
    std::vector<Thread> threads_;
};

template <typename W, typename D>
std::unique_ptr<BoundedSearches> make_searches(const DistributedGraph& graph, const BoundedSearchOptions& options)
{
    return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<BoundedSearches> {
        return std::make_unique<Searches<W, D, Out>>(graph, options);
    });
}

}  // namespace

std::unique_ptr<BoundedSearches> make_bounded_searches(const DistributedGraph& graph,
                                                       const BoundedSearchOptions& options)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    if (weights == WeightType::float64) return make_searches<double, double>(graph, options);
    if (weights == WeightType::float32) return make_searches<float, float>(graph, options);
    if (weights == WeightType::int64) return make_searches<std::int64_t, std::int64_t>(graph, options);
    if (options.most_distance < static_cast<double>(unreached<std::uint32_t>()))
        return make_searches<std::uint32_t, std::uint32_t>(graph, options);
    return make_searches<std::uint32_t, std::int64_t>(graph, options);
}

double bounded_searches_bytes(double vertices, double arcs, int threads, const BoundedSearchOptions& options)
{
    const auto searching = static_cast<double>(threads_for(threads, options));
    constexpr double bytes_an_arc = 16;
    constexpr double bytes_a_vertex = 8;
    constexpr double bytes_of_search = 16 + 16 + 16 + 4;  // label, entries of queue and buckets, found vertex
    constexpr double bytes_an_entry = 2 * (4 + 8);        // in the list of a thread and in the batch
    return arcs * bytes_an_arc + vertices * (bytes_a_vertex + searching * bytes_of_search) +
           bytes_an_entry * (static_cast<double>(options.batch_entries) + searching * vertices);
}

}  // namespace wayfront::cpu
