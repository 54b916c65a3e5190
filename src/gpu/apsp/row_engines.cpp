#include "gpu/apsp/row_engines.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "gpu/apsp/elimination/elimination_search.hpp"
#include "gpu/apsp/hops/hop_rows.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/matrix_arcs.hpp"
#include "gpu/apsp/matrix/task_floyd_warshall.hpp"
#include "gpu/apsp/rows/combined_rows.hpp"
#include "gpu/apsp/rows/device_rows.hpp"
#include "gpu/apsp/rows/push_pull_rows.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "gpu/papers/batched/batched_search.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

BatchedOptions batched_options(const RowEngineOptions& options)
{
    BatchedOptions batched{BatchedMode::shared, options.batch_sources, options.type};
    if (options.method == RowMethod::batched_unshared) batched.mode = BatchedMode::unshared;
    if (options.method == RowMethod::iterated) batched = {BatchedMode::iterated, 1, options.type};
    return batched;
}

RowSearchOptions search_options(const RowEngineOptions& options)
{
    return {.type = options.type, .shared_bytes = options.shared_bytes};
}

class SearchedRows final : public RowMaker
{
public:
    SearchedRows(const DistributedGraph& graph, const RowEngineOptions& options) : rows_(graph, search_options(options))
    {
    }

    [[nodiscard]] std::string description() const override
    {
        return std::string("a search per source on the GPU, by a thread block each") +
               (rows_.has_distances_in_shared_memory() ? "" : " with its distances in device memory");
    }
    [[nodiscard]] std::size_t vertices() const override { return rows_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return rows_.stride(); }
    [[nodiscard]] std::size_t sources_of_pass() const override { return rows_.searches_at_once(); }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        rows_.search(sources.on_device, sources.count(), buffer.data(), stream);
        return {buffer.data(),     stride(),        static_cast<std::uint32_t>(vertices()),
                sources.on_device, sources.count(), false};
    }

private:
    DeviceRows rows_;
};

/// The sources of a call. Each source takes memory for its ways up, and the bins of a block must
/// not overflow. With spare memory there are more, so that fewer launches wait for their last warps.
std::size_t elimination_sources(const RowEngineOptions& options)
{
    const algo::Elimination& tree = *options.elimination;
    constexpr std::size_t most = 65536;
    constexpr std::size_t way_bytes = std::size_t{256} << 20;
    constexpr std::size_t most_with_spare_memory = 262144;
    constexpr std::size_t distances = std::size_t{1} << 37;
    const std::size_t by_ways = way_bytes / sizeof(std::uint32_t) / std::max<std::size_t>(1, tree.height);
    const std::size_t by_distances = distances / std::max<std::size_t>(1, tree.size());
    const std::size_t wanted =
        options.sources > 0 ? std::min(options.sources, tree.positions.size()) : tree.positions.size();
    const auto at_most = [&](std::size_t limit) {
        const std::size_t rounded = (wanted + 31) / 32 * 32;
        return std::max<std::size_t>(32, std::min({limit, by_distances, rounded}) / 32 * 32);
    };
    const std::size_t few = at_most(std::min(most, by_ways));
    const std::size_t many = at_most(most_with_spare_memory);
    const bool fits =
        EliminationSearch::most_bytes(tree, many) <= EliminationSearch::most_bytes(tree, few) + options.spare_bytes / 2;
    return fits ? many : few;
}

class EliminationRows final : public RowMaker
{
public:
    explicit EliminationRows(const RowEngineOptions& options)
        : most_sources_(elimination_sources(options)),
          search_(*options.elimination, most_sources_),
          type_(options.type),
          // Often the bound is at most twice the largest distance.
          exponent_(algo::DistanceHistogram::whole_exponent(static_cast<std::uint64_t>(options.most_distance) / 2))
    {
    }

    [[nodiscard]] std::string description() const override
    {
        return "elimination of vertices, and a pass over them for each source on the GPU";
    }
    [[nodiscard]] std::size_t vertices() const override { return search_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] std::size_t summary_sources() const override { return most_sources_; }
    [[nodiscard]] std::size_t sources_of_pass() const override { return 32; }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        const std::size_t count = sources.count();
        for (std::size_t first = 0; first < count; first += most_sources_)
            search_.search(sources.on_device + first, std::min(count - first, most_sources_), type_,
                           buffer.data() + first * stride_ * bytes_of(type_), stride_, stream);
        return {buffer.data(),     stride_,         static_cast<std::uint32_t>(vertices()),
                sources.on_device, sources.count(), false};
    }
    bool summarise(const std::uint32_t* sources, std::uint32_t count, std::size_t first, algo::Summary& summary,
                   const Stream& stream) override
    {
        // If the guess of the width is wrong, only a part of a large batch is counted again.
        constexpr std::uint32_t large = 8192;
        constexpr std::uint32_t parts = 8;
        const std::uint32_t begin = most_ == 0 && count > large ? count / parts / 32 * 32 : 0;
        if (begin > 0) add_counts(sources, begin, first, summary, stream);
        add_counts(sources + begin, count - begin, first + begin, summary, stream);
        return true;
    }

private:
    void add_counts(const std::uint32_t* sources, std::uint32_t count, std::size_t first, algo::Summary& summary,
                    const Stream& stream)
    {
        const EliminationSearch::Found found = search_.count(sources, count, exponent_, most_, stream);
        exponent_ = found.exponent;
        most_ = found.most;
        std::vector<std::uint64_t> bins(found.bins.begin(), found.bins.end());
        for (std::size_t i = 0; i < found.facts.size(); ++i) {
            const EliminationFacts& facts = found.facts[i];
            // Its own distance is counted if the source has edges: it reaches itself.
            const std::uint64_t itself = facts.reached > 0 ? 1 : 0;
            bins[0] -= itself;
            summary.set_row(first + i,
                            {facts.reached - itself, static_cast<double>(facts.most), static_cast<double>(facts.sum)});
        }
        while (!bins.empty() && bins.back() == 0) bins.pop_back();
        algo::DistanceHistogram histogram;
        histogram.restore(exponent_, std::move(bins), {});
        histogram.cover(most_);
        summary.histogram().merge(histogram);
    }

    std::size_t most_sources_;
    EliminationSearch search_;
    algo::DistanceType type_;
    std::size_t stride_ = row_stride(search_.vertices(), type_);
    int exponent_;            // of the width of bins
    std::uint32_t most_ = 0;  // the largest distance so far
};

class BatchedRows final : public RowMaker
{
public:
    BatchedRows(const DistributedGraph& graph, const RowEngineOptions& options)
        : options_(batched_options(options)), search_(graph, options_)
    {
    }

    [[nodiscard]] std::string description() const override
    {
        if (options_.mode == BatchedMode::iterated) return "Bellman-Ford on the GPU, one source after the other";
        return "Bellman-Ford on the GPU from " + std::to_string(options_.sources) + " sources at once" +
               (options_.mode == BatchedMode::shared ? "" : ", without shared memory");
    }
    [[nodiscard]] std::size_t vertices() const override { return search_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        search_.search(sources.on_device, sources.count(), buffer.data(), stride_, stream);
        return {buffer.data(),     stride_,         static_cast<std::uint32_t>(vertices()),
                sources.on_device, sources.count(), false};
    }

private:
    BatchedOptions options_;
    BatchedSearch search_;
    std::size_t stride_ = row_stride(search_.vertices(), options_.type);
};

class CombinedMatrix final : public RowMaker
{
public:
    CombinedMatrix(const DistributedGraph& graph, const RowEngineOptions& options)
        : rows_(graph, search_options(options)),
          matrix_(
              RowMatrixPlan(rows_.searches().vertices(), rows_.searches().stride() * rows_.searches().element_bytes())
                  .rows)
    {
    }

    [[nodiscard]] std::string description() const override
    {
        if (!filled_) return "searches on the GPU, and combined rows";
        return "a search on the GPU for " + std::to_string(vertices() - combined_) + " rows, and " +
               std::to_string(combined_) + " combined from others";
    }
    [[nodiscard]] std::size_t vertices() const override { return rows_.searches().vertices(); }
    [[nodiscard]] std::size_t stride() const override { return rows_.searches().stride(); }
    [[nodiscard]] bool uses_buffer() const override { return false; }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> /*buffer*/,
                                const Stream& stream) override
    {
        if (!std::exchange(filled_, true)) combined_ = rows_.fill(matrix_.data(), stream).combined.size();
        return {matrix_.data(),    stride(),        static_cast<std::uint32_t>(vertices()),
                sources.on_device, sources.count(), true};
    }

private:
    CombinedRows rows_;
    DeviceBuffer<std::byte> matrix_;
    bool filled_ = false;
    std::size_t combined_ = 0;
};

MinPlusSums sums_of(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return fastest_sums(sums_for(options.type, has_negative_weight(graph), options.most_distance),
                        graph.slot_of_local.size());
}

bool is_floyd_warshall(RowMethod method)
{
    return method == RowMethod::floyd_warshall || method == RowMethod::floyd_warshall_steps ||
           method == RowMethod::floyd_warshall_tasks;
}

FloydWarshallForm form_of(RowMethod method)
{
    if (method == RowMethod::floyd_warshall_steps) return FloydWarshallForm::steps_of_32;
    if (method == RowMethod::floyd_warshall_tasks) return FloydWarshallForm::tasks_of_32;
    return FloydWarshallForm::automatic;
}

class FloydWarshallMatrix final : public RowMaker
{
public:
    FloydWarshallMatrix(const DistributedGraph& graph, const RowEngineOptions& options)
        : graph_(graph),
          vertices_(graph.slot_of_local.size()),
          type_(options.type),
          form_(form_of(options.method)),
          matrix_(static_cast<std::uint32_t>(vertices_), sums_of(graph, options))
    {
    }

    [[nodiscard]] std::string description() const override
    {
        std::string words = "blocked Floyd-Warshall on the GPU";
        if (form_ == FloydWarshallForm::steps_of_32) words += " in tiles of 32, three kernels a step";
        if (form_ == FloydWarshallForm::tasks_of_32) words += " in tiles of 32, one kernel";
        return words;
    }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        if (!std::exchange(done_, true)) {
            const HostBuffer<MatrixArc> arcs = matrix_arcs(graph_);
            DeviceBuffer<MatrixArc> on_device(MatrixArcsPlan(arcs.size()).arcs);
            copy_async(arcs.span(), on_device.span(), stream);
            matrix_.load(on_device.data(), arcs.size(), stream);
            matrix_.run(stream, form_);
            stream.synchronize();
        }
        matrix_.copy_rows(sources.on_device, sources.count(), type_, buffer.data(), stride_, stream);
        return {buffer.data(),     stride_,         static_cast<std::uint32_t>(vertices_),
                sources.on_device, sources.count(), false};
    }

private:
    const DistributedGraph& graph_;
    std::size_t vertices_;
    algo::DistanceType type_;
    std::size_t stride_ = row_stride(vertices_, type_);
    FloydWarshallForm form_;
    DeviceFloydWarshall matrix_;
    bool done_ = false;
};

std::unique_ptr<RowMaker> make_maker(const DistributedGraph& graph, const RowEngineOptions& options)
{
    switch (options.method) {
        case RowMethod::elimination:
            return std::make_unique<EliminationRows>(options);
        case RowMethod::combined:
            return std::make_unique<CombinedMatrix>(graph, options);
        case RowMethod::floyd_warshall:
        case RowMethod::floyd_warshall_steps:
        case RowMethod::floyd_warshall_tasks:
            return std::make_unique<FloydWarshallMatrix>(graph, options);
        case RowMethod::push_pull:
            return make_push_pull_rows(graph, options.type);
        case RowMethod::bit_parallel:
            return make_hop_rows(graph, options.spare_bytes, options.ranks);
        case RowMethod::batched:
        case RowMethod::batched_unshared:
        case RowMethod::iterated:
            return std::make_unique<BatchedRows>(graph, options);
        case RowMethod::block:
            break;
    }
    return std::make_unique<SearchedRows>(graph, options);
}

/// The sources that are summarised at a time if no rows are wanted; 0 if the method needs rows for
/// that.
std::size_t summary_sources(const RowEngineOptions& options, std::size_t vertices)
{
    if (options.rows) return 0;
    if (options.method == RowMethod::elimination) return elimination_sources(options);
    return options.method == RowMethod::bit_parallel ? hop_summary_sources(vertices) : 0;
}

/// The type of the rows that the engine makes.
algo::DistanceType row_type(const RowEngineOptions& options)
{
    return options.method == RowMethod::bit_parallel ? algo::DistanceType::uint16 : options.type;
}

/// Why distances do not fit the type of the rows; empty if they do.
std::string type_obstacle(WeightType weights, const RowEngineOptions& options)
{
    const algo::DistanceType type = row_type(options);
    const std::string name(name_of(type));
    const bool has_doubles = is_floyd_warshall(options.method) && type == algo::DistanceType::float64;
    if (weights == WeightType::float64) {
        if (has_doubles) return "";
        return is_floyd_warshall(options.method) ? "there may be distances that do not fit " + name
                                                 : "weights are float64, which only floyd-warshall adds on a GPU";
    }
    if (weights == WeightType::float32)
        return has_doubles || type == algo::DistanceType::float32 ? "" : "weights are floats, but distances " + name;
    if (!is_whole(type) && !has_doubles)
        return "whole distances are " + name + ", but on a GPU uint16 or int32, or float64 with floyd-warshall";
    // Levels are counted.
    const bool any_number = options.method == RowMethod::bit_parallel && !options.rows;
    if (any_number || options.most_distance <= algo::most_whole_distance(type)) return "";
    return "there may be distances of up to " + std::to_string(static_cast<long long>(options.most_distance)) +
           ", which do not fit " + name;
}

}  // namespace

std::string row_engine_obstacle(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const WeightType weights = weight_type(graph.block.out_weights());
    if (std::string obstacle = type_obstacle(weights, options); !obstacle.empty()) return obstacle;
    switch (options.method) {
        case RowMethod::elimination:
            if (weights == WeightType::float32)
                return "weights are floats, whose sums would be rounded in another order";
            return options.elimination == nullptr ? "too many arcs would have to be added" : "";
        case RowMethod::combined:
            if (weights == WeightType::float32)
                return "weights are floats, whose sums would be rounded in another order";
            [[fallthrough]];
        case RowMethod::block:
            return row_search_obstacle(graph, options.most_distance);
        case RowMethod::push_pull:
            return push_pull_rows_obstacle(graph, options.most_distance);
        case RowMethod::floyd_warshall_steps:
        case RowMethod::floyd_warshall_tasks:
            if (const MinPlusSums sums = sums_for(options.type, has_negative_weight(graph), options.most_distance);
                !has_words_of_32_bits(sums))
                return std::string("the paper's tiles hold distances of 32 bits") +
                       (sums == MinPlusSums::shorts ? "; --dtype int32" : "");
            if (!fits_tasks(static_cast<std::uint32_t>(graph.slot_of_local.size()), 1))
                return "the graph has too many vertices";
            return "";
        case RowMethod::floyd_warshall:
            return "";
        case RowMethod::bit_parallel:
            return weights == WeightType::none ? "" : "the graph has weights";
        case RowMethod::batched:
        case RowMethod::batched_unshared:
        case RowMethod::iterated:
            break;
    }
    return weights == WeightType::int64 ? "weights have 64 bits" : "";
}

bool row_searches_fit_shared_memory(const DistributedGraph& graph)
{
    return DeviceRows::fit_shared_memory(static_cast<std::size_t>(graph.connected_vertices));
}

std::size_t row_engine_bytes(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const std::size_t vertices = graph.slot_of_local.size();
    const std::size_t arcs = graph.block.out_edges().view().begin(static_cast<std::uint32_t>(graph.connected_vertices));
    const std::size_t row_bytes = row_stride_bytes(vertices, row_type(options));
    const std::size_t buffers = least_producer_bytes(row_bytes, summary_sources(options, vertices));
    switch (options.method) {
        case RowMethod::elimination:
            return EliminationSearch::most_bytes(*options.elimination, elimination_sources(options)) + buffers;
        case RowMethod::combined:
            return CombinedRows::most_bytes(vertices, arcs, search_options(options)) +
                   RowMatrixPlan(vertices, row_bytes).bytes() + least_producer_bytes(0);
        case RowMethod::floyd_warshall:
        case RowMethod::floyd_warshall_steps:
        case RowMethod::floyd_warshall_tasks: {
            return DeviceFloydWarshall::most_bytes(vertices, sums_of(graph, options), form_of(options.method)) +
                   MatrixArcsPlan(arcs).bytes() + buffers;
        }
        case RowMethod::bit_parallel:
            return hop_rows_bytes(vertices, arcs, options.rows, options.most_distance) + buffers;
        case RowMethod::batched:
        case RowMethod::batched_unshared:
        case RowMethod::iterated:
            return BatchedSearch::most_bytes(vertices, arcs, batched_options(options).sources) + buffers;
        case RowMethod::push_pull:
            return push_pull_rows_bytes(graph) + buffers;
        case RowMethod::block:
            break;
    }
    return DeviceRows::most_bytes(vertices, arcs, search_options(options)) + buffers;
}

std::unique_ptr<algo::RowProducer> make_row_engine(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return make_device_row_producer(make_maker(graph, options), row_type(options), options.rows, options.sources,
                                    options.row_buffer_bytes);
}

}  // namespace wayfront::gpu::apsp
