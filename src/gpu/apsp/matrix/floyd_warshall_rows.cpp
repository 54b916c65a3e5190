// The RowMethods of Floyd-Warshall on one GPU.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/floyd_warshall_plan.hpp"
#include "gpu/apsp/matrix/matrix_arcs.hpp"
#include "gpu/apsp/matrix/task_floyd_warshall.hpp"
#include "gpu/apsp/rows/graph_size.hpp"
#include "gpu/apsp/rows/row_maker.hpp"
#include "gpu/apsp/rows/row_method.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

MinPlusSums sums_of(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return fastest_sums(sums_for(options.type, has_negative_weight(graph), options.most_distance),
                        graph.slot_of_local.size());
}

class FloydWarshallMatrix final : public RowMaker
{
public:
    FloydWarshallMatrix(const DistributedGraph& graph, const RowEngineOptions& options, FloydWarshallForm form)
        : graph_(graph),
          vertices_(graph.slot_of_local.size()),
          type_(options.type),
          form_(form),
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
        matrix_.copy_rows({sources.on_device, sources.count()}, type_, buffer.data(), stride_, stream);
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

std::string no_obstacle(const DistributedGraph& /*graph*/, const RowEngineOptions& /*options*/)
{
    return "";
}

std::string obstacle_to_tiles_of_32(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const MinPlusSums sums = sums_for(options.type, has_negative_weight(graph), options.most_distance);
    if (!has_words_of_32_bits(sums))
        return std::string("the paper's tiles hold distances of 32 bits") +
               (sums == MinPlusSums::shorts ? "; --dtype int32" : "");
    if (!fits_tasks(static_cast<std::uint32_t>(graph.slot_of_local.size()), 1))
        return "the graph has too many vertices";
    return "";
}

template <FloydWarshallForm form>
std::size_t bytes_of_matrix(const DistributedGraph& graph, const RowEngineOptions& options)
{
    const GraphSize size(graph);
    return DeviceFloydWarshall::most_bytes(size.vertices, sums_of(graph, options), form) +
           MatrixArcsPlan(size.arcs).bytes();
}

template <FloydWarshallForm form>
std::unique_ptr<RowMaker> make_matrix(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return std::make_unique<FloydWarshallMatrix>(graph, options, form);
}

}  // namespace

// Ranks can share the tiles of floyd_warshall (tile_method.hpp).
constinit const RowMethod RowMethod::floyd_warshall{.is_floyd_warshall = true,
                                                    .obstacle = no_obstacle,
                                                    .bytes = bytes_of_matrix<FloydWarshallForm::automatic>,
                                                    .make = make_matrix<FloydWarshallForm::automatic>};
constinit const RowMethod RowMethod::floyd_warshall_steps{.is_floyd_warshall = true,
                                                          .fills_matrix = true,
                                                          .obstacle = obstacle_to_tiles_of_32,
                                                          .bytes = bytes_of_matrix<FloydWarshallForm::steps_of_32>,
                                                          .make = make_matrix<FloydWarshallForm::steps_of_32>};
constinit const RowMethod RowMethod::floyd_warshall_tasks{.is_floyd_warshall = true,
                                                          .fills_matrix = true,
                                                          .obstacle = obstacle_to_tiles_of_32,
                                                          .bytes = bytes_of_matrix<FloydWarshallForm::tasks_of_32>,
                                                          .make = make_matrix<FloydWarshallForm::tasks_of_32>};

}  // namespace wayfront::gpu::apsp
