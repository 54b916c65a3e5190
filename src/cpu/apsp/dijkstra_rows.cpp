#include "cpu/apsp/dijkstra_rows.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algo/apsp/converted_row.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/arc_lists.hpp"
#include "cpu/sssp/dijkstra.hpp"
#include "cpu/sssp/labels.hpp"
#include "cpu/sssp/search_result.hpp"

namespace wayfront::cpu {

namespace {

/// W: weights, D: distances of the searches, Out: distances of the rows.
template <typename W, typename D, typename Out>
class DijkstraRows final : public algo::RowProducer
{
public:
    DijkstraRows(const DistributedGraph& graph, const DijkstraRowsOptions& options)
        : lists_(make_arc_lists<W>(graph)),
          batch_bytes_(options.batch_bytes),
          columns_(lists_.vertices()),
          with_parents_(options.parents)
    {
        for (int thread = 0; thread < thread_count(); ++thread) searches_.emplace_back(lists_.vertices());
    }

    [[nodiscard]] std::string description() const override
    {
        return "Dijkstra's algorithm per source on " + std::to_string(searches_.size()) +
               (searches_.size() == 1 ? " thread" : " threads");
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t batch_rows() const override
    {
        // A search takes as long if few columns are wanted, and jobs stop between batches.
        return std::max<std::size_t>(static_cast<std::size_t>(thread_count()),
                                     batch_bytes_ / std::max<std::size_t>(1, lists_.vertices() * sizeof(Out)));
    }

    bool make_columns(std::span<const Vertex> targets) override
    {
        targets_.emplace(lists_, targets);
        columns_ = targets.size();
        return true;
    }

    void launch(std::span<const Vertex> sources) override { sources_ = sources; }

    [[nodiscard]] algo::RowBatch collect() override
    {
        const std::size_t elements = sources_.size() * columns_;
        if (rows_.size() < elements) rows_ = HostBuffer<Out>(elements);
        if (with_parents_ && parents_.size() < elements) parents_ = HostBuffer<std::int32_t>(elements);
        std::mutex lock;
        double farthest_misfit = 0;
        for_each_search([&](std::size_t row, const Labels<D>& labels) {
            const auto distance = [&](std::size_t column) { return label(labels, row, column).distance; };
            const double misfit =
                algo::convert_row(unreached<D>(), distance, rows_.span().subspan(row * columns_, columns_), kWhole);
            if (with_parents_)
                for (std::size_t i = 0; i < columns_; ++i) parents_[row * columns_ + i] = label(labels, row, i).parent;
            if (misfit == 0) return;
            const std::lock_guard guard(lock);
            farthest_misfit = algo::farther(farthest_misfit, misfit);
        });
        if (farthest_misfit != 0) algo::fail_to_fit(farthest_misfit, type(), kWhole);
        algo::RowBatch batch;
        batch.sources = sources_;
        batch.columns = columns_;
        batch.distances = std::span<const Out>(rows_.data(), elements);
        if (with_parents_) batch.parents = {parents_.data(), elements};
        return batch;
    }

    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        launch(sources);
        std::vector<algo::DistanceHistogram> histograms(searches_.size(), algo::DistanceHistogram(kWhole));
        for_each_search([&](std::size_t row, const Labels<D>& labels) {
            Search& own = searches_[static_cast<std::size_t>(omp_get_thread_num())];
            if (own.row.empty()) own.row = HostBuffer<D>(lists_.vertices());
            for (std::uint32_t vertex = 0; vertex < lists_.vertices(); ++vertex)
                own.row[vertex] = labels.distance(vertex);
            summary.set_row(first + row, algo::facts_of_row(std::as_const(own.row).span(), sources_[row],
                                                            histograms[static_cast<std::size_t>(omp_get_thread_num())],
                                                            summary.detail()));
        });
        for (const algo::DistanceHistogram& histogram : histograms) summary.histogram().merge(histogram);
    }
    [[nodiscard]] bool summarises_fully() const override { return true; }

private:
    static constexpr bool kWhole = std::is_integral_v<D>;

    /// The memory of a thread.
    struct Search
    {
        explicit Search(std::uint32_t vertices) : labels(vertices) {}

        Labels<D> labels;
        Dijkstra<W, D> dijkstra;
        HostBuffer<D> row;  // for summaries
    };

    /// A distance, and the parent as in a RowBatch.
    struct Label
    {
        D distance;
        std::int32_t parent;
    };

    /// The vertices of the columns, if those are not all.
    struct Targets
    {
        Targets(const ArcLists<W>& lists, std::span<const Vertex> targets) : vertices(targets)
        {
            std::vector<bool> is_needed(lists.vertices());
            for (const Vertex target : targets) {
                const auto leaf = std::ranges::lower_bound(lists.leaves, static_cast<std::uint32_t>(target));
                const bool is_leaf = leaf != lists.leaves.end() && *leaf == target;
                leaves.push_back(is_leaf ? static_cast<std::size_t>(leaf - lists.leaves.begin()) : kNoLeaf);
                if (!is_leaf)
                    is_needed[static_cast<std::size_t>(target)] = true;
                else
                    for (const Arc<W>& arc : lists.to_leaves.list(leaves.back())) is_needed[arc.vertex] = true;
            }
            needed = std::move(is_needed);
            needed_count = static_cast<std::size_t>(std::ranges::count(needed, true));
        }

        static constexpr std::size_t kNoLeaf = ~std::size_t{0};

        std::span<const Vertex> vertices;
        std::vector<std::size_t> leaves;  // by target: its position among the leaves, or kNoLeaf
        // The vertices whose distances determine those of the targets.
        std::vector<bool> needed;
        std::size_t needed_count = 0;
    };

    /// Searches from each source, on all threads, and calls f(position among the sources, labels).
    template <typename F>
    void for_each_search(F&& f)
    {
        const auto search = [&](std::size_t row) {
            Search& own = searches_[static_cast<std::size_t>(omp_get_thread_num())];
            const auto source = static_cast<std::uint32_t>(sources_[row]);
            own.labels.clear(unreached<D>());
            if (targets_) {
                std::size_t left = targets_->needed_count;
                own.dijkstra.run(lists_, std::span(&source, 1), own.labels,
                                 [&](std::uint32_t vertex) { return targets_->needed[vertex] && --left == 0; });
            } else {
                own.dijkstra.run(lists_, std::span(&source, 1), own.labels);
                label_leaves(lists_, own.labels);
            }
            f(row, own.labels);
        };
        parallel_items(sources_.size(), search, 1, static_cast<int>(searches_.size()));
    }

    /// The label of a column's vertex. Those of leaves that are targets are found here.
    [[nodiscard]] Label label(const Labels<D>& labels, std::size_t row, std::size_t column) const
    {
        const auto vertex = static_cast<std::uint32_t>(targets_ ? targets_->vertices[column] : Vertex(column));
        Label best{labels.distance(vertex), parent_of(labels.parent(vertex))};
        if (!targets_ || targets_->leaves[column] == Targets::kNoLeaf || vertex == sources_[row]) return best;
        for (const Arc<W>& arc : lists_.to_leaves.list(targets_->leaves[column])) {
            const D length = path_length(labels.distance(arc.vertex), arc.weight);
            if (length < best.distance) best = {length, static_cast<std::int32_t>(arc.vertex)};
        }
        return best;
    }

    [[nodiscard]] static std::int32_t parent_of(std::uint32_t vertex)
    {
        return vertex == kNoLocal ? algo::kNoParent : static_cast<std::int32_t>(vertex);
    }

    ArcLists<W> lists_;
    std::size_t batch_bytes_;
    std::size_t columns_;
    bool with_parents_;
    std::optional<Targets> targets_;
    std::vector<Search> searches_;  // by thread
    std::span<const Vertex> sources_;
    HostBuffer<Out> rows_;
    HostBuffer<std::int32_t> parents_;
};

}  // namespace

std::unique_ptr<algo::RowProducer> make_dijkstra_rows(const DistributedGraph& graph, const DijkstraRowsOptions& options)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<algo::RowProducer> {
        if (weights == WeightType::float64) return std::make_unique<DijkstraRows<double, double, Out>>(graph, options);
        if (weights == WeightType::float32) return std::make_unique<DijkstraRows<float, float, Out>>(graph, options);
        if (weights == WeightType::int64)
            return std::make_unique<DijkstraRows<std::int64_t, std::int64_t, Out>>(graph, options);
        if (options.most_distance < static_cast<double>(unreached<std::uint32_t>()))
            return std::make_unique<DijkstraRows<std::uint32_t, std::uint32_t, Out>>(graph, options);
        return std::make_unique<DijkstraRows<std::uint32_t, std::int64_t, Out>>(graph, options);
    });
}

double dijkstra_rows_bytes(double vertices, double arcs, int threads)
{
    constexpr double bytes_an_arc = 8 + 4;
    constexpr double bytes_a_label = 16;
    constexpr double bytes_of_queue_and_row = 16;
    return arcs * bytes_an_arc + vertices * (8 + threads * (bytes_a_label + bytes_of_queue_and_row));
}

}  // namespace wayfront::cpu
