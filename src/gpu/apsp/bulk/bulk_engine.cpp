#include "gpu/apsp/bulk/bulk_engine.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/lone_threads.hpp"
#include "base/parallel.hpp"
#include "gpu/apsp/bulk/bulk_batches.hpp"
#include "gpu/apsp/matrix/matrix_arcs.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

constexpr std::size_t kMostRowBytes = std::size_t{256} << 20;
constexpr std::size_t kMostMatrices = 4096;

/// The rows of one matrix in host memory, with gaps between rows.
template <typename Out>
class HostMatrix final : public algo::MatrixMethod
{
public:
    HostMatrix(const Out* matrix, std::size_t vertices, std::size_t stride)
        : matrix_(matrix), vertices_(vertices), stride_(stride)
    {
    }

    [[nodiscard]] std::string description() const override { return "blocked Floyd-Warshall on the GPU"; }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stripe_rows() const override
    {
        return std::max<std::size_t>(1, std::min(kStripe / vertices_, vertices_));
    }
    void run(ProgressListener* /*listener*/) override {}
    [[nodiscard]] algo::RowBatch rows(std::size_t first, std::size_t count) override
    {
        algo::RowBatch batch;
        batch.columns = vertices_;
        if (stride_ == vertices_) {
            batch.distances = std::span<const Out>(matrix_ + first * stride_, count * vertices_);
            return batch;
        }
        dense_.resize(count * vertices_);
        for (std::size_t row = 0; row < count; ++row)
            std::copy_n(matrix_ + (first + row) * stride_, vertices_,
                        dense_.begin() + static_cast<std::ptrdiff_t>(row * vertices_));
        batch.distances = std::span<const Out>(dense_);
        return batch;
    }

private:
    static constexpr std::size_t kStripe = std::size_t{1} << 16;  // number of distances

    const Out* matrix_;
    std::size_t vertices_;
    std::size_t stride_;
    std::vector<Out> dense_;
};

class DeviceBulk final : public algo::BulkEngine
{
public:
    explicit DeviceBulk(std::size_t device_bytes) : limits_{device_bytes, kMostRowBytes, kMostMatrices} {}

    [[nodiscard]] std::string description() const override
    {
        return "a GPU, which closes the matrices of many graphs of up to " + std::to_string(kMostVerticesOfMany) +
               " vertices at once, and computes other graphs one after the other";
    }
    [[nodiscard]] std::size_t graphs_at_once() const override
    {
        constexpr std::size_t graphs = 512;
        constexpr std::size_t graphs_of_thread = 8;
        return std::max(graphs, graphs_of_thread * static_cast<std::size_t>(thread_count()));
    }
    [[nodiscard]] std::vector<std::exception_ptr> run(std::span<const algo::BulkTask> tasks) override
    {
        std::vector<std::exception_ptr> failures(tasks.size());
        std::vector<BulkMatrix> matrices;
        std::vector<std::size_t> tasks_of_matrices;
        std::vector<std::size_t> alone;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const BulkMatrix matrix = matrix_of(tasks[i]);
            if (matrix.vertices == 0 || bulk_device_bytes(matrix, matrix.vertices) > limits_.device_bytes) {
                alone.push_back(i);
                continue;
            }
            matrices.push_back(matrix);
            tasks_of_matrices.push_back(i);
        }
        for (BulkBatch& batch : divide_into_batches(matrices, limits_)) {
            for (std::size_t& matrix : batch.matrices) matrix = tasks_of_matrices[matrix];
            if (const std::exception_ptr failure =
                    algo::exception_of([&] { compute_together(batch, tasks, failures); });
                failure)
                for (const std::size_t task : batch.matrices) failures[task] = failure;
        }
        for (const std::size_t i : alone) failures[i] = algo::exception_of([&] { algo::compute_alone(tasks[i]); });
        return failures;
    }

private:
    /// The matrix of a task. It has no vertices if the task must be computed separately.
    static BulkMatrix matrix_of(const algo::BulkTask& task)
    {
        const DistributedGraph& graph = *task.graph;
        if (!task.matrix || graph.partition.vertex_count() > kMostVerticesOfMany) return {};
        const MinPlusSums sums = sums_for(task.type, has_negative_weight(graph), task.most_distance);
        const auto vertices = static_cast<std::uint32_t>(graph.partition.vertex_count());
        return {vertices, static_cast<std::size_t>(graph.directed_edges), task.type, sums_of_many(sums, vertices)};
    }

    /// Computes the matrices of a batch. Stores an exception that concerns one graph in `failures`,
    /// and throws an exception that concerns all graphs.
    void compute_together(const BulkBatch& batch, std::span<const algo::BulkTask> tasks,
                          std::vector<std::exception_ptr>& failures)
    {
        const std::size_t count = batch.matrices.size();
        const std::uint32_t size = padded_size(batch.vertices, batch.sums);
        std::vector<HostBuffer<MatrixArc>> arcs_of(count);
        for_each_single_threaded(count,
                                 [&](std::size_t i) { arcs_of[i] = matrix_arcs(*tasks[batch.matrices[i]].graph); });
        std::vector<MatrixArc> arcs;
        std::vector<std::uint32_t> rows;           // numbers of the rows of all matrices
        std::vector<std::size_t> first_row_of{0};  // index in `rows` of each graph's first row
        for (std::size_t i = 0; i < count; ++i) {
            const auto first = static_cast<std::uint32_t>(i * size);
            for (MatrixArc arc : arcs_of[i].span()) {
                arc.row += first;
                arcs.push_back(arc);
            }
            const auto vertices = static_cast<std::uint32_t>(tasks[batch.matrices[i]].graph->partition.vertex_count());
            for (std::uint32_t v = 0; v < vertices; ++v) rows.push_back(first + v);
            first_row_of.push_back(rows.size());
        }

        const BulkPlan plan(arcs.size(), rows.size(), batch.vertices, batch.type);
        if (host_rows_.size() < plan.distances.count) {
            host_rows_ = {};  // frees the old memory before larger memory is allocated
            host_rows_ = PinnedBuffer<std::byte>(plan.distances);
        }
        {
            const Stream stream;
            DeviceFloydWarshall closed(batch.vertices, batch.sums, static_cast<std::uint32_t>(count));
            DeviceArrays memory(plan);
            const std::span<std::byte> found = memory[plan.distances];
            copy_async(std::span<const MatrixArc>(arcs), memory[plan.arcs], stream);
            copy_async(std::span<const std::uint32_t>(rows), memory[plan.rows], stream);
            closed.load(memory[plan.arcs].data(), arcs.size(), stream);
            closed.run(stream);
            closed.copy_rows({memory[plan.rows].data(), rows.size()}, batch.type, found.data(), batch.vertices, stream);
            copy_async(std::span<const std::byte>(found), host_rows_.span(), stream);
            stream.synchronize();
        }
        algo::with_distance_type(batch.type, [&]<typename Out>(Out) {
            const auto* const all = reinterpret_cast<const Out*>(host_rows_.data());
            for_each_single_threaded(count, [&](std::size_t i) {
                const algo::BulkTask& task = tasks[batch.matrices[i]];
                failures[batch.matrices[i]] = algo::exception_of([&] {
                    auto matrix = std::make_unique<HostMatrix<Out>>(
                        all + first_row_of[i] * batch.vertices, first_row_of[i + 1] - first_row_of[i], batch.vertices);
                    std::unique_ptr<algo::RowProducer> producer = algo::make_matrix_rows(std::move(matrix), nullptr);
                    if (task.complete) producer = task.complete(std::move(producer));
                    algo::hand_out_rows(task, *producer);
                });
            });
        });
    }

    BulkLimits limits_;
    PinnedBuffer<std::byte> host_rows_;
};

}  // namespace

std::unique_ptr<algo::BulkEngine> make_bulk_engine(std::size_t device_bytes)
{
    return std::make_unique<DeviceBulk>(device_bytes);
}

}  // namespace wayfront::gpu::apsp
