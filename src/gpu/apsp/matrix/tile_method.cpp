#include "gpu/apsp/matrix/tile_method.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algo/apsp/tile_loop.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "gpu/apsp/matrix/device_tiles.hpp"
#include "gpu/apsp/matrix/matrix_arcs.hpp"
#include "gpu/apsp/matrix/stored_distance.hpp"
#include "gpu/apsp/matrix/tile_rows.hpp"

namespace wayfront::gpu::apsp {

namespace {

constexpr std::size_t kTile = 512;
constexpr std::size_t kTileOutOfCore = 2048;
constexpr std::size_t kStripeBytes = std::size_t{32} << 20;

algo::BlockCyclic tiles_of(std::size_t vertices, const TileMethodOptions& options, comm::GridShape shape, int rank)
{
    const std::size_t unit = tile_unit(options.sums);
    const auto rounded_up = [](std::size_t size, std::size_t multiple) {
        return (size + multiple - 1) / multiple * multiple;
    };
    const std::size_t wanted = options.tile != 0 ? options.tile : options.out_of_core ? kTileOutOfCore : kTile;
    const std::size_t tile = std::min(rounded_up(wanted, unit), rounded_up(std::max<std::size_t>(vertices, 1), unit));
    return {tile, (vertices + tile - 1) / tile, shape, rank / shape.columns, rank % shape.columns};
}

std::size_t staging_bytes(const TileMethodOptions& options)
{
    return options.staging_bytes != 0 ? options.staging_bytes : DeviceTiles::kStagingBytes;
}

std::size_t stripe_rows_of(std::size_t vertices, std::size_t element_bytes)
{
    return std::clamp<std::size_t>(kStripeBytes / std::max<std::size_t>(1, vertices * element_bytes), 1,
                                   std::max<std::size_t>(1, vertices));
}

/// Converts a row of the tiles to elements of type Out.
template <MinPlusSums sums, typename Out>
void convert(const std::byte* row, std::span<Out> out)
{
    using Stored = StoredDistance<sums>;
    const auto* const distances = reinterpret_cast<const typename Stored::Element*>(row);
    std::transform(distances, distances + out.size(), out.begin(),
                   [](typename Stored::Element distance) { return Stored::template as<Out>(distance); });
}

template <MinPlusSums sums, typename Out>
class TileMethod final : public algo::MatrixMethod
{
public:
    TileMethod(const DistributedGraph& graph, const TileMethodOptions& options, algo::MatrixRanks ranks)
        : vertices_(static_cast<std::size_t>(graph.partition.vertex_count())),
          options_(options),
          ranks_(std::move(ranks)),
          tiles_(tiles_of(vertices_, options, ranks_.grid->shape(), ranks_.grid->rank()), sums, options.out_of_core,
                 options.transport, staging_bytes(options)),
          gathered_(ranks_, tiles_, vertices_, sizeof(typename StoredDistance<sums>::Element), 0)
    {
        if (gathered_.are_local() && !options.out_of_core)
            device_rows_ = std::make_unique<TileRows>(tiles_, vertices_, type(), stripe_rows());
        else
            rows_ = HostBuffer<Out>(stripe_rows() * vertices_);
        tiles_.add(matrix_arcs(graph).span());
    }

    [[nodiscard]] std::string description() const override
    {
        const comm::GridShape shape = ranks_.grid->shape();
        std::string words = "blocked Floyd-Warshall on the GPU in tiles of " + std::to_string(tiles_.tiles().tile);
        if (options_.out_of_core) words += " out of core";
        if (!ranks_.are_alone())
            words += ", of each rank of a " + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
                     " grid, with panels " + std::string(in_words(options_.transport));
        return words;
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stripe_rows() const override { return stripe_rows_of(vertices_, sizeof(Out)); }

    void save_to(algo::MatrixCheckpoints& checkpoints) override { checkpoints_ = &checkpoints; }
    void run(ProgressListener* listener) override
    {
        tiles_.connect(*ranks_.grid, options_.nccl);
        algo::run_floyd_warshall(*ranks_.grid, tiles_, listener, checkpoints_);
        tiles_.disconnect();
        gathered_.gather();
    }
    [[nodiscard]] algo::RowBatch rows(std::size_t first, std::size_t count) override
    {
        algo::RowBatch batch;
        batch.columns = vertices_;
        if (device_rows_) {
            const std::span<const std::byte> copied = device_rows_->copy(first, count);
            batch.distances = std::span<const Out>(reinterpret_cast<const Out*>(copied.data()), count * vertices_);
            return batch;
        }
        parallel_for(count, 2, [&](std::size_t i) {
            convert<sums>(gathered_.row(first + i).distances.data(), rows_.span().subspan(i * vertices_, vertices_));
        });
        batch.distances = std::span<const Out>(rows_.data(), count * vertices_);
        return batch;
    }
    bool summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        if (device_rows_) device_rows_->summarise(first, sources, summary);
        return device_rows_ != nullptr;
    }

private:
    std::size_t vertices_;
    TileMethodOptions options_;
    algo::MatrixRanks ranks_;
    DeviceTiles tiles_;
    algo::MatrixCheckpoints* checkpoints_ = nullptr;
    algo::GatheredRows gathered_;
    // The rows of the last stripe. They are on the device if the rank has whole rows there,
    // otherwise in host memory.
    std::unique_ptr<TileRows> device_rows_;
    HostBuffer<Out> rows_;
};

}  // namespace

TileMethodBytes tile_method_bytes(std::size_t vertices, const TileMethodOptions& options, comm::GridShape shape,
                                  double rows_of_rank)
{
    const algo::BlockCyclic tiles = tiles_of(vertices, options, shape, 0);
    const DeviceTiles::Bytes of_tiles =
        DeviceTiles::bytes(tiles, options.sums, options.out_of_core, staging_bytes(options));
    TileMethodBytes bytes{of_tiles.device, of_tiles.host + static_cast<double>(kStripeBytes), 0, tiles.tile};
    if (options.transport == PanelTransport::hosts) bytes.host_panels = host_panel_bytes(tiles, options.sums);
    bytes.host += bytes.host_panels;
    if (shape.columns > 1)
        bytes.host += rows_of_rank * static_cast<double>(tiles.side()) * bytes_of_distance(options.sums);
    else if (!options.out_of_core)
        bytes.device += static_cast<double>(
            TileRows::bytes(vertices, options.type, stripe_rows_of(vertices, algo::bytes_of(options.type))));
    return bytes;
}

std::unique_ptr<algo::MatrixMethod> make_tile_method(const DistributedGraph& graph, const TileMethodOptions& options,
                                                     algo::MatrixRanks ranks)
{
    const auto make = [&]<MinPlusSums sums, typename Out>() -> std::unique_ptr<algo::MatrixMethod> {
        return std::make_unique<TileMethod<sums, Out>>(graph, options, std::move(ranks));
    };
    switch (options.sums) {
        case MinPlusSums::unsigned_floats:
            return make.operator()<MinPlusSums::unsigned_floats, float>();
        case MinPlusSums::floats:
            return make.operator()<MinPlusSums::floats, float>();
        case MinPlusSums::unsigned_wholes:
            if (options.type == algo::DistanceType::uint16)
                return make.operator()<MinPlusSums::unsigned_wholes, std::uint16_t>();
            return make.operator()<MinPlusSums::unsigned_wholes, std::int32_t>();
        case MinPlusSums::wholes:
            return make.operator()<MinPlusSums::wholes, std::int32_t>();
        case MinPlusSums::doubles:
            if (options.type == algo::DistanceType::int32) return make.operator()<MinPlusSums::doubles, std::int32_t>();
            return make.operator()<MinPlusSums::doubles, double>();
        case MinPlusSums::shorts:
            break;
    }
    return make.operator()<MinPlusSums::shorts, std::uint16_t>();
}

}  // namespace wayfront::gpu::apsp
