#include "gpu/apsp/row_engines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "gpu/apsp/bit_parallel.hpp"
#include "gpu/apsp/device_rows.hpp"
#include "gpu/apsp/floyd_warshall.hpp"
#include "gpu/apsp/row_summary.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

namespace {

constexpr std::size_t kBatchBytes = std::size_t{64} << 20;
constexpr std::size_t kMostBatchRows = 8192;

/// Makes rows in device memory.
class RowMaker
{
public:
    RowMaker() = default;
    RowMaker(const RowMaker&) = delete;
    RowMaker& operator=(const RowMaker&) = delete;
    virtual ~RowMaker() = default;

    [[nodiscard]] virtual std::string description() const = 0;
    [[nodiscard]] virtual std::size_t vertices() const = 0;
    /// Elements from row to row.
    [[nodiscard]] virtual std::size_t stride() const = 0;
    /// Starts to make the rows of `count` sources in device memory: in `buffer`, or in memory of its
    /// own.
    [[nodiscard]] virtual RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> buffer, const Stream& stream) = 0;
    /// Adds the rows of `count` sources, whose first has a position, to a summary without making them,
    /// and returns true; or returns false if it has no way to.
    virtual bool summarise(const std::uint32_t* /*sources*/, std::uint32_t /*count*/, std::size_t /*first*/, algo::Summary& /*summary*/,
                           const Stream& /*stream*/)
    {
        return false;
    }
    /// Whether it makes rows in the buffer.
    [[nodiscard]] virtual bool uses_buffer() const { return true; }
};

/// The rows of a maker as batches in pinned host memory. While a batch is copied to the host, the
/// next is made.
class DeviceRowProducer final : public algo::RowProducer
{
public:
    DeviceRowProducer(std::unique_ptr<RowMaker> maker, algo::DistanceType type, std::size_t memory_bytes)
        : maker_(std::move(maker)), type_(type), row_bytes_(maker_->stride() * bytes_of(type))
    {
        const std::size_t most_bytes = std::min(kBatchBytes, std::max<std::size_t>(memory_bytes / kBatches, row_bytes_));
        batch_rows_ = std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(1, row_bytes_), 1, kMostBatchRows);
        summariser_ = RowSummariser(batch_rows_);
        for (Batch& batch : batches_) {
            batch.host_sources = PinnedBuffer<std::uint32_t>(batch_rows_);
            batch.sources = DeviceBuffer<std::uint32_t>(batch_rows_);
            if (maker_->uses_buffer()) batch.rows = DeviceBuffer<std::byte>(batch_rows_ * row_bytes_);
        }
    }

    [[nodiscard]] std::string description() const override { return maker_->description(); }
    [[nodiscard]] algo::DistanceType type() const override { return type_; }
    [[nodiscard]] std::size_t batch_rows() const override { return batch_rows_; }

    void launch(std::span<const Vertex> sources) override
    {
        Batch& batch = batches_[next_];
        send(batch, sources);
        make(batch, sources);
        if (batch.copy.empty()) batch.copy = PinnedBuffer<std::byte>(batch_rows_ * maker_->vertices() * bytes_of(type_));
        batch.made.record(making_);
        batch.made.block(copying_);
        const std::size_t element = bytes_of(type_);
        const std::size_t width = maker_->vertices() * element;
        const auto copy = [&](std::size_t first, std::size_t count, std::size_t from) {
            check(cudaMemcpy2DAsync(batch.copy.data() + first * width, width, batch.view.rows + from * row_bytes_, row_bytes_, width, count,
                                    cudaMemcpyDeviceToHost, copying_.get()));
        };
        if (!batch.view.in_place) {
            copy(0, sources.size(), 0);
        } else {
            // Rows of consecutive vertices together.
            for (std::size_t first = 0; first < sources.size();) {
                std::size_t last = first + 1;
                while (last < sources.size() && sources[last] == sources[last - 1] + 1) ++last;
                copy(first, last - first, static_cast<std::size_t>(sources[first]));
                first = last;
            }
        }
        batch.copied.record(copying_);
    }

    [[nodiscard]] algo::RowBatch collect() override
    {
        Batch& batch = batches_[next_];
        next_ = (next_ + 1) % kBatches;
        batch.copied.synchronize();
        algo::RowBatch rows;
        rows.sources = batch.vertices;
        rows.columns = maker_->vertices();
        algo::with_distance_type(type_, [&]<typename T>(T) {
            rows.distances = std::span(reinterpret_cast<const T*>(batch.copy.data()), batch.vertices.size() * rows.columns);
        });
        return rows;
    }

    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        Batch& batch = batches_[next_];
        send(batch, sources);
        if (maker_->summarise(batch.sources.data(), static_cast<std::uint32_t>(sources.size()), first, summary, making_)) return;
        make(batch, sources);
        summariser_.add(batch.view, type_, first, summary, making_);
    }

private:
    static constexpr std::size_t kBatches = 2;

    struct Batch
    {
        std::span<const Vertex> vertices;
        PinnedBuffer<std::uint32_t> host_sources;
        DeviceBuffer<std::uint32_t> sources;
        DeviceBuffer<std::byte> rows;
        PinnedBuffer<std::byte> copy;  // without the gaps between the rows
        RowsView view;
        Event made, copied;
    };

    void send(Batch& batch, std::span<const Vertex> sources)
    {
        batch.vertices = sources;
        std::ranges::transform(sources, batch.host_sources.data(), [](Vertex v) { return static_cast<std::uint32_t>(v); });
        copy_async(std::span<const std::uint32_t>(batch.host_sources.span().first(sources.size())), batch.sources.span(), making_);
    }
    void make(Batch& batch, std::span<const Vertex> sources)
    {
        batch.view = maker_->make(batch.sources.data(), static_cast<std::uint32_t>(sources.size()), batch.rows.span(), making_);
    }

    std::unique_ptr<RowMaker> maker_;
    algo::DistanceType type_;
    std::size_t row_bytes_;
    std::size_t batch_rows_ = 1;
    Stream making_, copying_;
    std::array<Batch, kBatches> batches_;
    std::size_t next_ = 0;  // the batch of the next collect() or summarise()
    RowSummariser summariser_{1};
};

class SearchedRows final : public RowMaker
{
public:
    SearchedRows(const DistributedGraph& graph, const RowEngineOptions& options) : rows_(graph, {.type = options.type}) {}

    [[nodiscard]] std::string description() const override { return "a search per source on the GPU, by a thread block each"; }
    [[nodiscard]] std::size_t vertices() const override { return rows_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return rows_.stride(); }
    [[nodiscard]] RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> buffer, const Stream& stream) override
    {
        rows_.search(sources, count, buffer.data(), stream);
        return {buffer.data(), stride(), static_cast<std::uint32_t>(vertices()), sources, count, false};
    }

private:
    DeviceRows rows_;
};

class BatchedRows final : public RowMaker
{
public:
    BatchedRows(const DistributedGraph& graph, const BatchedOptions& options) : options_(options), search_(graph, options)
    {
        const std::size_t of_16_bytes = 16 / bytes_of(options.type);
        stride_ = (search_.vertices() + of_16_bytes - 1) / of_16_bytes * of_16_bytes;
    }

    [[nodiscard]] std::string description() const override
    {
        if (options_.mode == BatchedMode::iterated) return "Bellman-Ford on the GPU, one source after the other";
        return "Bellman-Ford on the GPU from " + std::to_string(options_.sources) + " sources at once" +
               (options_.mode == BatchedMode::shared ? "" : ", without shared memory");
    }
    [[nodiscard]] std::size_t vertices() const override { return search_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> buffer, const Stream& stream) override
    {
        search_.search(sources, count, buffer.data(), stride_, stream);
        return {buffer.data(), stride_, static_cast<std::uint32_t>(vertices()), sources, count, false};
    }

private:
    BatchedOptions options_;
    std::size_t stride_ = 0;
    BatchedSearch search_;
};

class CombinedMatrix final : public RowMaker
{
public:
    CombinedMatrix(const DistributedGraph& graph, const RowEngineOptions& options)
        : graph_(graph), rows_(graph, {.type = options.type}), matrix_(rows_.vertices() * rows_.stride() * rows_.element_bytes())
    {
    }

    [[nodiscard]] std::string description() const override
    {
        if (!filled_) return "searches on the GPU, and combined rows";
        return "a search on the GPU for " + std::to_string(searched_) + " rows, and " + std::to_string(vertices() - searched_) +
               " combined from others";
    }
    [[nodiscard]] std::size_t vertices() const override { return rows_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return rows_.stride(); }
    [[nodiscard]] bool uses_buffer() const override { return false; }
    [[nodiscard]] RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> /*buffer*/, const Stream& stream) override
    {
        if (!std::exchange(filled_, true)) {
            const algo::RowCombination rows = algo::combine_rows(graph_.block.out_edges().view(), graph_.block.in_edges.view(),
                                                                 static_cast<std::uint32_t>(graph_.connected_vertices));
            searched_ = vertices() - rows.combined.size();
            rows_.fill(rows, matrix_.data(), stream);
        }
        return {matrix_.data(), stride(), static_cast<std::uint32_t>(vertices()), sources, count, true};
    }

private:
    const DistributedGraph& graph_;
    DeviceRows rows_;
    DeviceBuffer<std::byte> matrix_;
    bool filled_ = false;
    std::size_t searched_ = 0;
};

class HopRows final : public RowMaker
{
public:
    HopRows(const DistributedGraph& graph, const RowEngineOptions& /*options*/) : search_(graph) {}

    [[nodiscard]] std::string description() const override
    {
        return "breadth-first search on the GPU from " + std::to_string(BitParallelSearch::kSources) + " sources at once";
    }
    [[nodiscard]] std::size_t vertices() const override { return search_.vertices(); }
    [[nodiscard]] std::size_t stride() const override { return (search_.vertices() + 7) / 8 * 8; }
    [[nodiscard]] RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> buffer, const Stream& stream) override
    {
        auto* const rows = reinterpret_cast<std::uint16_t*>(buffer.data());
        for (std::uint32_t first = 0; first < count; first += BitParallelSearch::kSources)
            search_.search(sources + first, std::min(count - first, BitParallelSearch::kSources), rows + first * stride(), stride(), stream);
        return {buffer.data(), stride(), static_cast<std::uint32_t>(vertices()), sources, count, false};
    }
    bool summarise(const std::uint32_t* sources, std::uint32_t count, std::size_t first, algo::Summary& summary, const Stream& stream) override
    {
        const BitParallelSearch::Found found = search_.count(sources, count, stream);
        for (std::size_t i = 0; i < found.facts.size(); ++i) {
            const HopFacts& facts = found.facts[i];
            summary.set_row(first + i, {facts.reached, static_cast<double>(facts.eccentricity), static_cast<double>(facts.sum)});
        }
        for (std::size_t level = 0; level < found.levels.size(); ++level)
            summary.histogram().add(static_cast<double>(level + 1), found.levels[level]);
        return true;
    }

private:
    BitParallelSearch search_;
};

/// The arcs of a graph as elements of a matrix, in the input's numbering.
std::vector<MatrixArc> arcs_of(const DistributedGraph& graph)
{
    const CsrView out = graph.block.out_edges().view();
    const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
    std::vector<MatrixArc> arcs;
    arcs.reserve(out.begin(slots));
    const auto vertex_of = [&](std::uint32_t slot) { return static_cast<std::uint32_t>(graph.vertex_of_column[slot]); };
    std::visit(
        [&](const auto& weights) {
            using Weights = std::decay_t<decltype(weights)>;
            for (std::uint32_t slot = 0; slot < slots; ++slot)
                for (std::uint64_t e = out.begin(slot); e < out.end(slot); ++e) {
                    std::uint32_t weight = 1;
                    if constexpr (std::is_same_v<Weights, HostBuffer<float>>)
                        weight = std::bit_cast<std::uint32_t>(weights[e]);
                    else if constexpr (!std::is_same_v<Weights, std::monostate>)
                        // A weight above the type's range is on no shortest path.
                        weight = static_cast<std::uint32_t>(static_cast<std::int32_t>(std::clamp<double>(
                            static_cast<double>(weights[e]), std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max())));
                    arcs.push_back({vertex_of(slot), vertex_of(out.neighbours[e]), weight});
                }
        },
        graph.block.out_weights());
    return arcs;
}

bool has_negative(const BlockWeights& weights)
{
    return std::visit(
        [](const auto& each) {
            if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::monostate>)
                return false;
            else
                return std::ranges::any_of(each.span(), [](auto weight) { return weight < 0; });
        },
        weights);
}

MinPlusSums sums_of(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const auto sums = sums_for(options.type, has_negative(graph.block.out_weights()), options.most_distance);
    if (!sums)
        throw InputError("Floyd-Warshall on a GPU: distances of up to " + std::to_string(static_cast<long long>(options.most_distance)) +
                         " do not fit " + std::string(name_of(options.type)));
    return *sums;
}

class FloydWarshallMatrix final : public RowMaker
{
public:
    FloydWarshallMatrix(const DistributedGraph& graph, const RowEngineOptions& options)
        : graph_(graph), vertices_(graph.slot_of_local.size()), matrix_(static_cast<std::uint32_t>(vertices_), sums_of(graph, options))
    {
        const std::size_t of_16_bytes = 16 / bytes_of(options.type);
        stride_ = (vertices_ + of_16_bytes - 1) / of_16_bytes * of_16_bytes;
    }

    [[nodiscard]] std::string description() const override { return "blocked Floyd-Warshall on the GPU"; }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] RowsView make(const std::uint32_t* sources, std::uint32_t count, std::span<std::byte> buffer, const Stream& stream) override
    {
        if (!std::exchange(done_, true)) {
            const std::vector<MatrixArc> arcs = arcs_of(graph_);
            const DeviceBuffer<MatrixArc> on_device = upload(std::span<const MatrixArc>(arcs), stream);
            matrix_.load(on_device.data(), arcs.size(), stream);
            matrix_.run(stream);
            stream.synchronize();
        }
        matrix_.copy_rows(sources, count, buffer.data(), stride_, stream);
        return {buffer.data(), stride_, static_cast<std::uint32_t>(vertices_), sources, count, false};
    }

private:
    const DistributedGraph& graph_;
    std::size_t vertices_;
    std::size_t stride_ = 0;
    DeviceFloydWarshall matrix_;
    bool done_ = false;
};

template <typename Maker>
std::unique_ptr<algo::RowProducer> make_producer(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return std::make_unique<DeviceRowProducer>(std::make_unique<Maker>(graph, options), options.type, options.memory_bytes);
}

}  // namespace

std::unique_ptr<algo::RowProducer> make_row_searches(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return make_producer<SearchedRows>(graph, options);
}

std::unique_ptr<algo::RowProducer> make_batched_searches(const DistributedGraph& graph, const RowEngineOptions& options, BatchedMode mode,
                                                         std::uint32_t sources)
{
    return std::make_unique<DeviceRowProducer>(std::make_unique<BatchedRows>(graph, BatchedOptions{mode, sources, options.type}), options.type,
                                               options.memory_bytes);
}

std::unique_ptr<algo::RowProducer> make_hop_rows(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return make_producer<HopRows>(graph, options);
}

std::unique_ptr<algo::RowProducer> make_combined_matrix(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return make_producer<CombinedMatrix>(graph, options);
}

std::unique_ptr<algo::RowProducer> make_floyd_warshall_matrix(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return make_producer<FloydWarshallMatrix>(graph, options);
}

std::size_t combined_matrix_bytes(std::size_t vertices, algo::DistanceType type)
{
    return vertices * (vertices * bytes_of(type) + 16);
}

}  // namespace wayfront::gpu
