// The RowMethods of the batched search.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gpu/apsp/rows/graph_size.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "gpu/apsp/rows/row_method.hpp"
#include "gpu/papers/batched/batched_search.hpp"

namespace wayfront::gpu::apsp {

namespace {

template <BatchedMode mode>
BatchedOptions batched_options(const RowEngineOptions& options)
{
    return {mode, mode == BatchedMode::iterated ? 1 : options.batch_sources, options.type};
}

class BatchedRows final : public RowMaker
{
public:
    BatchedRows(const DistributedGraph& graph, const BatchedOptions& options)
        : options_(options), search_(graph, options_)
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

std::string obstacle_to_batches(const DistributedGraph& graph, const RowEngineOptions& /*options*/)
{
    return weight_type(graph.block.out_weights()) == WeightType::int64 ? "weights have 64 bits" : "";
}

template <BatchedMode mode>
std::size_t bytes_of_batches(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const GraphSize size(graph);
    return BatchedSearch::most_bytes(size.vertices, size.arcs, batched_options<mode>(options).sources);
}

template <BatchedMode mode>
std::unique_ptr<RowMaker> make_batches(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return std::make_unique<BatchedRows>(graph, batched_options<mode>(options));
}

template <BatchedMode mode>
constexpr RowMethod kMethod{
    .obstacle = obstacle_to_batches, .bytes = bytes_of_batches<mode>, .make = make_batches<mode>};

}  // namespace

constinit const RowMethod RowMethod::batched = kMethod<BatchedMode::shared>;
constinit const RowMethod RowMethod::batched_unshared = kMethod<BatchedMode::unshared>;
constinit const RowMethod RowMethod::iterated = kMethod<BatchedMode::iterated>;

}  // namespace wayfront::gpu::apsp
