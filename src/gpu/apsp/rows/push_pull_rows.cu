#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/apsp/rows/device_element.cuh"
#include "gpu/apsp/rows/push_pull_rows.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/search_lanes.hpp"
#include "graph/lists_by_weight.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Number of concurrent searches. On an H200, 512 rows of kron:20 take 181 ms with 1, 67 ms with 4,
/// 82 ms with 8 and 112 ms with 16 (bench/results/gpu-push-pull-rows.json).
constexpr std::size_t kLanes = 4;

/// Writes the distances of a search to a row.
template <typename Distances, typename Out>
__global__ void write_row(const std::uint32_t* distances, std::uint32_t vertices, Out* row)
{
    for (std::uint64_t v = first_index(); v < vertices; v += index_stride())
        __stcs(row + v, element_of<Out, Distances>(__ldcs(distances + v)));
}

class PushPullRows final : public RowMaker
{
public:
    PushPullRows(const DistributedGraph& graph, algo::DistanceType type)
        : vertices_(graph.slot_of_local.size()),
          type_(type),
          lanes_(with_lists_by_weight(graph), kLanes),
          ended_(lanes_.lanes())
    {
    }

    [[nodiscard]] std::string description() const override
    {
        return "push-pull from " + std::to_string(lanes_.lanes()) + " sources at once on the GPU";
    }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stride() const override { return stride_; }
    [[nodiscard]] std::size_t sources_of_pass() const override { return lanes_.lanes(); }

    [[nodiscard]] RowsView make(const RowSources& sources, std::span<std::byte> buffer, const Stream& stream) override
    {
        begun_.record(stream);
        for (std::size_t lane = 0; lane < lanes_.lanes(); ++lane) begun_.block(lanes_.stream(lane));
        for (std::size_t i = 0; i < sources.on_host.size(); ++i) {
            const std::size_t lane = i % lanes_.lanes();
            lanes_.launch(lane, sources.on_host[i]);
            write(lane, buffer.data() + i * stride_ * bytes_of(type_));
        }
        for (std::size_t lane = 0; lane < lanes_.lanes(); ++lane) {
            ended_[lane].record(lanes_.stream(lane));
            ended_[lane].block(stream);
        }
        return {buffer.data(),     stride_,         static_cast<std::uint32_t>(vertices_),
                sources.on_device, sources.count(), false};
    }

private:
    void write(std::size_t lane, std::byte* row) const
    {
        const auto count = static_cast<std::uint32_t>(vertices_);
        const auto write_as = [&]<typename Distances, typename Out>(Distances, Out) {
            launch(write_row<Distances, Out>, count, lanes_.stream(lane), lanes_.distances(lane), count,
                   reinterpret_cast<Out*>(row));
        };
        if (type_ == algo::DistanceType::float32)
            write_as(FloatDistances{}, float{});
        else if (type_ == algo::DistanceType::uint16)
            write_as(WholeDistances{}, std::uint16_t{});
        else
            write_as(WholeDistances{}, std::int32_t{});
    }

    std::size_t vertices_;
    algo::DistanceType type_;
    std::size_t stride_ = row_stride(vertices_, type_);
    sssp::SearchLanes lanes_;
    Event begun_;
    std::vector<Event> ended_;  // the end of each lane's last search
};

}  // namespace

std::string push_pull_rows_obstacle(const DistributedGraph& graph, double most_distance)
{
    const WeightType weights = weight_type(graph.block.out_weights());
    if (weights == WeightType::none) return "the graph has no weights";
    if (weights == WeightType::int64 || weights == WeightType::float64) return "the weights have 64 bits";
    constexpr double most = WholeDistances::kEnd - 1.0;
    if (weights != WeightType::float32 && most_distance > most) return "distances may not fit 31 bits";
    return "";
}

std::unique_ptr<RowMaker> make_push_pull_rows(const DistributedGraph& graph, algo::DistanceType type)
{
    return std::make_unique<PushPullRows>(graph, type);
}

std::size_t push_pull_rows_bytes(const DistributedGraph& graph)
{
    const auto arcs = static_cast<std::size_t>(graph.block.out_edges().edges());
    return sssp::SearchLanes::most_bytes(graph.slot_of_local.size(), graph.block.slot_stride, arcs, graph.directed,
                                         kLanes);
}

}  // namespace wayfront::gpu::apsp
