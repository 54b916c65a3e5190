// The RowMethods whose rows are found by searches of thread blocks, from all sources or from some.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "gpu/apsp/rows/combined_rows.hpp"
#include "gpu/apsp/rows/device_rows.hpp"
#include "gpu/apsp/rows/graph_size.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "gpu/apsp/rows/row_method.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu::apsp {

namespace {

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

std::string obstacle_to_searches(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return row_search_obstacle(graph, options.most_distance);
}

std::size_t bytes_of_searches(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const GraphSize size(graph);
    return DeviceRows::most_bytes(size.vertices, size.arcs, search_options(options));
}

std::unique_ptr<RowMaker> make_searches(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return std::make_unique<SearchedRows>(graph, options);
}

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

std::string obstacle_to_combined(const DistributedGraph& graph, const RowEngineOptions& options)
{
    if (weight_type(graph.block.out_weights()) == WeightType::float32) return kOtherRoundings;
    return row_search_obstacle(graph, options.most_distance);
}

std::size_t bytes_of_combined(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const GraphSize size(graph);
    return CombinedRows::most_bytes(size.vertices, size.arcs, search_options(options)) +
           RowMatrixPlan(size.vertices, row_stride_bytes(size.vertices, options.type)).bytes();
}

std::unique_ptr<RowMaker> make_combined(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return std::make_unique<CombinedMatrix>(graph, options);
}

}  // namespace

constinit const RowMethod RowMethod::block{
    .obstacle = obstacle_to_searches, .bytes = bytes_of_searches, .make = make_searches};

constinit const RowMethod RowMethod::combined{
    .fills_matrix = true, .obstacle = obstacle_to_combined, .bytes = bytes_of_combined, .make = make_combined};

}  // namespace wayfront::gpu::apsp
