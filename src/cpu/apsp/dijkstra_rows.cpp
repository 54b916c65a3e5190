#include "cpu/apsp/dijkstra_rows.hpp"

#include <algorithm>
#include <mutex>
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
          batch_rows_(
              std::max<std::size_t>(static_cast<std::size_t>(thread_count()),
                                    options.batch_bytes / std::max<std::size_t>(1, lists_.vertices() * sizeof(Out)))),
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
    [[nodiscard]] std::size_t batch_rows() const override { return batch_rows_; }

    void launch(std::span<const Vertex> sources) override { sources_ = sources; }

    [[nodiscard]] algo::RowBatch collect() override
    {
        const std::size_t columns = lists_.vertices();
        const std::size_t elements = sources_.size() * columns;
        if (rows_.size() < elements) rows_ = HostBuffer<Out>(elements);
        if (with_parents_ && parents_.size() < elements) parents_ = HostBuffer<std::int32_t>(elements);
        std::mutex lock;
        double farthest_misfit = 0;
        for_each_search([&](std::size_t row, const Labels<D>& labels) {
            const auto distance = [&labels](std::size_t vertex) {
                return labels.distance(static_cast<std::uint32_t>(vertex));
            };
            const double misfit =
                algo::convert_row(unreached<D>(), distance, rows_.span().subspan(row * columns, columns), kWhole);
            if (with_parents_) write_parents(labels, parents_.span().subspan(row * columns, columns));
            if (misfit == 0) return;
            const std::lock_guard guard(lock);
            farthest_misfit = algo::farther(farthest_misfit, misfit);
        });
        if (farthest_misfit != 0) algo::fail_to_fit(farthest_misfit, type(), kWhole);
        algo::RowBatch batch;
        batch.sources = sources_;
        batch.columns = columns;
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
            summary.set_row(first + row,
                            algo::facts_of_row(std::as_const(own.row).span(), sources_[row],
                                               histograms[static_cast<std::size_t>(omp_get_thread_num())]));
        });
        for (const algo::DistanceHistogram& histogram : histograms) summary.histogram().merge(histogram);
    }

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

    /// Searches from each source, on all threads, and calls f(position among the sources, labels).
    template <typename F>
    void for_each_search(F&& f)
    {
        const auto search = [&](std::size_t row) {
            Search& own = searches_[static_cast<std::size_t>(omp_get_thread_num())];
            const auto source = static_cast<std::uint32_t>(sources_[row]);
            own.labels.clear(unreached<D>());
            own.dijkstra.run(lists_, source, own.labels);
            label_leaves(lists_, source, own.labels);
            f(row, own.labels);
        };
        parallel_items(sources_.size(), search, 1, static_cast<int>(searches_.size()));
    }

    static void write_parents(const Labels<D>& labels, std::span<std::int32_t> out)
    {
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::uint32_t parent = labels.parent(static_cast<std::uint32_t>(i));
            out[i] = parent == kNoLocal ? algo::kNoParent : static_cast<std::int32_t>(parent);
        }
    }

    ArcLists<W> lists_;
    std::size_t batch_rows_;
    bool with_parents_;
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
