#include "gpu/apsp/row_engines.hpp"

#include <string>

#include "gpu/apsp/hops/hop_rows.hpp"
#include "gpu/apsp/rows/device_rows.hpp"
#include "gpu/apsp/rows/graph_size.hpp"
#include "gpu/apsp/rows/push_pull_rows.hpp"
#include "gpu/apsp/rows/row_maker.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// The type of the rows that the engine makes.
algo::DistanceType row_type(const RowEngineOptions& options)
{
    return options.method->counts_edges ? algo::DistanceType::uint16 : options.type;
}

/// The reason why distances do not fit the type of the rows; empty if they do.
std::string type_obstacle(WeightType weights, const RowEngineOptions& options)
{
    const algo::DistanceType type = row_type(options);
    const std::string name(name_of(type));
    const bool has_doubles = options.method->is_floyd_warshall && type == algo::DistanceType::float64;
    if (weights == WeightType::float64) {
        if (has_doubles) return "";
        return options.method->is_floyd_warshall ? "there may be distances that do not fit " + name
                                                 : "weights are float64, which only floyd-warshall adds on a GPU";
    }
    if (weights == WeightType::float32)
        return has_doubles || type == algo::DistanceType::float32 ? "" : "weights are floats, but distances " + name;
    if (!is_whole(type) && !has_doubles)
        return "whole distances are " + name + ", but on a GPU uint16 or int32, or float64 with floyd-warshall";
    // A method that only counts edges for a summary has no limit of distances.
    const bool any_number = options.method->counts_edges && !options.rows;
    if (any_number || options.most_distance <= algo::most_whole_distance(type)) return "";
    return "there may be distances of up to " + std::to_string(static_cast<long long>(options.most_distance)) +
           ", which do not fit " + name;
}

/// The bytes of the row buffers with one row each.
std::size_t buffer_bytes(const RowEngineOptions& options, std::size_t vertices)
{
    const RowMethod& method = *options.method;
    if (&method == &RowMethod::combined) return least_producer_bytes(0);
    const bool by_summaries = !options.rows && method.summary_sources != nullptr;
    return least_producer_bytes(row_stride_bytes(vertices, row_type(options)),
                                by_summaries ? method.summary_sources(options, vertices) : 0);
}

}  // namespace

constinit const RowMethod RowMethod::push_pull{
    .obstacle = [](const DistributedGraph& graph,
                   const RowEngineOptions& options) { return push_pull_rows_obstacle(graph, options.most_distance); },
    .bytes = [](const DistributedGraph& graph,
                const RowEngineOptions& /*options*/) { return push_pull_rows_bytes(graph); },
    .make = [](const DistributedGraph& graph,
               const RowEngineOptions& options) { return make_push_pull_rows(graph, options.type); }};

constinit const RowMethod RowMethod::bit_parallel{
    .counts_edges = true,
    .obstacle = [](const DistributedGraph& graph, const RowEngineOptions& /*options*/) -> std::string {
        return weight_type(graph.block.out_weights()) == WeightType::none ? "" : "the graph has weights";
    },
    .bytes =
        [](const DistributedGraph& graph, const RowEngineOptions& options) {
            const GraphSize size(graph);
            return hop_rows_bytes(size.vertices, size.arcs, options.rows, options.most_distance);
        },
    .make = [](const DistributedGraph& graph,
               const RowEngineOptions& options) { return make_hop_rows(graph, options.spare_bytes, options.ranks); },
    .summary_sources = [](const RowEngineOptions& /*options*/,
                          std::size_t vertices) { return hop_summary_sources(vertices); }};

std::string row_engine_obstacle(const DistributedGraph& graph, const RowEngineOptions& options)
{
    std::string obstacle = type_obstacle(weight_type(graph.block.out_weights()), options);
    return obstacle.empty() ? options.method->obstacle(graph, options) : obstacle;
}

bool row_searches_fit_shared_memory(const DistributedGraph& graph)
{
    return DeviceRows::fit_shared_memory(static_cast<std::size_t>(graph.connected_vertices));
}

std::size_t row_engine_bytes(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return options.method->bytes(graph, options) + buffer_bytes(options, graph.slot_of_local.size());
}

std::unique_ptr<algo::RowProducer> make_row_engine(const DistributedGraph& graph, const RowEngineOptions& options)
{
    return make_device_row_producer(options.method->make(graph, options), row_type(options), options.rows,
                                    options.sources, options.row_buffer_bytes);
}

}  // namespace wayfront::gpu::apsp
