#include "cpu/apsp/floyd_warshall.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algo/apsp/converted_row.hpp"
#include "algo/apsp/tile_loop.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/apsp/tile_matrix.hpp"
#include "cpu/apsp/traced_parents.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::cpu {

namespace {

// For types of up to 4 bytes; a tile of A fits a core's L2 cache.
constexpr std::size_t kTile = 128;
constexpr std::size_t kTileOfWide = 64;  // for types of 8 bytes
constexpr std::size_t kStripeBytes = std::size_t{4} << 20;

/// The tiles of a rank, for a matrix of n vertices.
algo::BlockCyclic tiles_of(std::size_t n, std::size_t wanted_tile, std::size_t element_bytes, comm::GridShape shape,
                           int rank)
{
    const std::size_t rounded = (std::max<std::size_t>(n, 1) + kTileUnit - 1) / kTileUnit * kTileUnit;
    if (wanted_tile == 0) wanted_tile = element_bytes > 4 ? kTileOfWide : kTile;
    const std::size_t tile = std::min(rounded, wanted_tile);
    return {tile, (n + tile - 1) / tile, shape, rank / shape.columns, rank % shape.columns};
}

bool has_whole_weights(const DistributedGraph& graph)
{
    return !is_floating_point(weight_type(graph.block.in_weights));
}

/// Whether the parents of a row lead to its source. In a cycle of length 0, through the pivot tile,
/// they may lead to each other.
bool lead_to(std::size_t source, std::span<const std::int32_t> parents)
{
    enum class State : std::uint8_t { unknown, on_path, known };
    std::vector<State> states(parents.size(), State::unknown);
    states[source] = State::known;
    std::vector<std::size_t> path;
    for (std::size_t first = 0; first < parents.size(); ++first) {
        if (parents[first] == algo::kNoParent) continue;
        path.clear();
        std::size_t vertex = first;
        for (; states[vertex] == State::unknown; vertex = static_cast<std::size_t>(parents[vertex])) {
            states[vertex] = State::on_path;
            path.push_back(vertex);
        }
        if (states[vertex] == State::on_path) return false;
        for (const std::size_t passed : path) states[passed] = State::known;
    }
    return true;
}

/// Converts a row of the matrix to `to`, as algo::convert_row() does. T: the type of the computation,
/// Out: that of the rows.
template <typename T, typename Out>
double convert_row_to(std::span<const T> from, std::byte* to, bool whole)
{
    const auto read = [from](std::size_t column) { return is_far(from[column]) ? kFarTile<T> : from[column]; };
    return algo::convert_row(kFarTile<T>, read, std::span(reinterpret_cast<Out*>(to), from.size()), whole);
}

/// T: the type of the computation.
template <typename T, bool with_parents>
class FloydWarshall final : public algo::MatrixMethod
{
public:
    FloydWarshall(const DistributedGraph& graph, const FloydWarshallOptions& options, algo::MatrixRanks ranks)
        : graph_(graph),
          vertices_(static_cast<std::size_t>(graph.partition.vertex_count())),
          type_(options.type),
          whole_(has_whole_weights(graph)),
          negative_(with_parents && has_negative_weights(graph)),
          ranks_(std::move(ranks)),
          matrix_(vertices_, tiles_of(vertices_, options.tile, sizeof(T), ranks_.grid->shape(), ranks_.grid->rank())),
          gathered_(ranks_, matrix_, vertices_, sizeof(T), with_parents ? sizeof(ParentOf<T>) : 0)
    {
        for (std::size_t source = 0; source < vertices_; ++source) {
            for_each_edge_of(graph, source, [&](std::size_t target, auto weight) {
                // An arc that is heavier than any distance may not fit T, and is on no shortest
                // path.
                const bool fits =
                    std::is_floating_point_v<T> || static_cast<double>(weight) < static_cast<double>(kFarTile<T>);
                if (fits && matrix_.has(source, target)) matrix_.set(source, target, static_cast<T>(weight));
            });
        }
        algo::with_distance_type(type_, [&]<typename Out>(Out) { convert_ = convert_row_to<T, Out>; });
        rows_ = HostBuffer<std::byte>(stripe_rows() * row_bytes());
        if (with_parents) row_parents_ = HostBuffer<std::int32_t>(stripe_rows() * vertices_);
    }

    [[nodiscard]] std::string description() const override
    {
        const comm::GridShape shape = ranks_.grid->shape();
        std::string text = "blocked Floyd-Warshall in tiles of " + std::to_string(matrix_.tiles().tile) + " on " +
                           std::to_string(thread_count()) + (thread_count() == 1 ? " thread" : " threads");
        if (!ranks_.are_alone())
            text += " of each rank of a " + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) + " grid";
        return text;
    }
    [[nodiscard]] algo::DistanceType type() const override { return type_; }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stripe_rows() const override
    {
        return std::clamp<std::size_t>(kStripeBytes / std::max<std::size_t>(1, row_bytes()), 1,
                                       std::max<std::size_t>(1, vertices_));
    }

    void save_to(algo::MatrixCheckpoints& checkpoints) override { checkpoints_ = &checkpoints; }
    void run(ProgressListener* listener) override
    {
        algo::run_floyd_warshall(*ranks_.grid, matrix_, listener, checkpoints_);
        gathered_.gather();
    }

    [[nodiscard]] algo::RowBatch rows(std::size_t first, std::size_t count) override
    {
        std::mutex lock;
        double farthest_misfit = 0;
        parallel_ranges(count, 2, [&](IndexRange range) {
            ParentTracer tracer(graph_, Sums::otherwise, negative_);
            for (std::size_t i = range.first; i < range.last; ++i) {
                const Row row = row_of(first + i);
                const T* const from = row.distances;
                const double misfit = convert_(std::span(from, vertices_), rows_.data() + i * row_bytes(), whole_);
                if constexpr (with_parents) {
                    const std::span<std::int32_t> parents = row_parents_.span().subspan(i * vertices_, vertices_);
                    // Negative weights also "improve" the distances of vertices that are not
                    // reached (min_plus.hpp).
                    std::transform(row.parents, row.parents + vertices_, from, parents.begin(),
                                   [](ParentOf<T> parent, T distance) {
                                       return is_far(distance) ? algo::kNoParent : static_cast<std::int32_t>(parent);
                                   });
                    if (!lead_to(first + i, parents)) tracer.trace(first + i, from, parents);
                }
                if (misfit == 0) continue;
                const std::lock_guard guard(lock);
                farthest_misfit = algo::farther(farthest_misfit, misfit);
            }
        });
        if (farthest_misfit != 0) algo::fail_to_fit(farthest_misfit, type(), whole_);
        algo::RowBatch batch;
        batch.columns = vertices_;
        algo::with_distance_type(type_, [&]<typename Out>(Out) {
            batch.distances = std::span(reinterpret_cast<const Out*>(rows_.data()), count * vertices_);
        });
        if (with_parents) batch.parents = {row_parents_.data(), count * vertices_};
        return batch;
    }

private:
    struct Row
    {
        const T* distances;
        const ParentOf<T>* parents;
    };

    [[nodiscard]] std::size_t row_bytes() const { return vertices_ * algo::bytes_of(type_); }
    [[nodiscard]] Row row_of(std::size_t vertex)
    {
        const algo::Panel row = gathered_.row(vertex);
        return {reinterpret_cast<const T*>(row.distances.data()),
                reinterpret_cast<const ParentOf<T>*>(row.parents.data())};
    }

    const DistributedGraph& graph_;
    std::size_t vertices_;
    algo::DistanceType type_;  // of the rows
    bool whole_;               // whether distances are whole numbers
    bool negative_;
    algo::MatrixRanks ranks_;
    TileMatrix<T, with_parents> matrix_;
    algo::MatrixCheckpoints* checkpoints_ = nullptr;
    algo::GatheredRows gathered_;
    double (*convert_)(std::span<const T> from, std::byte* to, bool whole) = nullptr;
    HostBuffer<std::byte> rows_;  // of the last stripe
    HostBuffer<std::int32_t> row_parents_;
};

/// The types in which the matrix is computed (min_plus.hpp).
enum class Computation { uint16, uint32, int32, float32, float64 };

Computation computation_for(WeightType weights, const FloydWarshallOptions& options)
{
    if (weights == WeightType::float32) return Computation::float32;
    if (weights == WeightType::float64) return Computation::float64;
    constexpr std::int32_t kFirstFar = kFarTile<std::int32_t> / 2;  // see is_far
    if (weights == WeightType::int64)
        return options.most_distance < kFirstFar ? Computation::int32 : Computation::float64;
    if (!options.parents && options.most_distance < kFarTile<std::uint16_t>) return Computation::uint16;
    return options.most_distance < kFarTile<std::uint32_t> ? Computation::uint32 : Computation::float64;
}

/// Calls f(T{}) for the type of the computation.
template <typename F>
auto with_computation(Computation computation, F&& f)
{
    switch (computation) {
        case Computation::uint16:
            return f(std::uint16_t{});
        case Computation::uint32:
            return f(std::uint32_t{});
        case Computation::int32:
            return f(std::int32_t{});
        case Computation::float32:
            return f(float{});
        case Computation::float64:
            break;
    }
    return f(double{});
}

}  // namespace

std::unique_ptr<algo::MatrixMethod> make_floyd_warshall(const DistributedGraph& graph,
                                                        const FloydWarshallOptions& options, algo::MatrixRanks ranks)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    return with_computation(
        computation_for(weights, options), [&]<typename T>(T) -> std::unique_ptr<algo::MatrixMethod> {
            if constexpr (sizeof(T) > 2)
                if (options.parents) return std::make_unique<FloydWarshall<T, true>>(graph, options, std::move(ranks));
            return std::make_unique<FloydWarshall<T, false>>(graph, options, std::move(ranks));
        });
}

std::unique_ptr<algo::MatrixMethod> make_floyd_warshall(const DistributedGraph& graph,
                                                        const FloydWarshallOptions& options)
{
    return make_floyd_warshall(graph, options, algo::MatrixRanks::alone());
}

bool floyd_warshall_is_narrow(WeightType weights, const FloydWarshallOptions& options)
{
    return computation_for(weights, options) == Computation::uint16;
}

double floyd_warshall_sums(double vertices, WeightType weights, const FloydWarshallOptions& options)
{
    return with_computation(computation_for(weights, options), [&]<typename T>(T) {
        const algo::BlockCyclic tiles =
            tiles_of(static_cast<std::size_t>(vertices), options.tile, sizeof(T), {1, 1}, 0);
        return std::pow(static_cast<double>(tiles.side()), 3);
    });
}

double floyd_warshall_bytes(double vertices, WeightType weights, const FloydWarshallOptions& options,
                            comm::GridShape shape, double rows_of_rank)
{
    return with_computation(computation_for(weights, options), [&]<typename T>(T) {
        const algo::BlockCyclic tiles = tiles_of(static_cast<std::size_t>(vertices), options.tile, sizeof(T), shape, 0);
        const double of_tiles =
            options.parents ? TileMatrix<T, true>::bytes(tiles) : TileMatrix<T, false>::bytes(tiles);
        const double of_rows = rows_of_rank * static_cast<double>(tiles.side()) * sizeof(T) * (options.parents ? 2 : 1);
        const double of_stripe = std::min(static_cast<double>(kStripeBytes), vertices * vertices * sizeof(double));
        return of_tiles + (shape.size() > 1 ? of_rows : 0) + 2 * of_stripe;
    });
}

}  // namespace wayfront::cpu
