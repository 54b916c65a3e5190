#include "cpu/apsp/floyd_warshall.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/apsp/converted_row.hpp"
#include "cpu/apsp/min_plus.hpp"

namespace wayfront::cpu {

namespace {

constexpr std::size_t kTile = 128;            // of up to 4-byte types; a tile of A fits a core's L2 cache
constexpr std::size_t kTileOfWide = 64;       // of 8-byte types
constexpr std::size_t kBlockRows = 4;         // of C that are in registers together
constexpr std::size_t kBlockRowsWide = 8;     // the same in vectors of 64 bytes
constexpr std::size_t kBlockRowsParents = 2;  // the same with parents
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kStripeBytes = std::size_t{4} << 20;

/// Multiples of a strip, and of the vectors of every type.
constexpr std::size_t kTileUnit = 32;

/// The sizes of a matrix of n vertices, whose tiles fill it.
struct Shape
{
    std::size_t tile;
    std::size_t tiles;   // on a side
    std::size_t stride;  // of the rows, in elements: not a power of two, since all rows would fall on the same lines of the caches

    Shape(std::size_t n, std::size_t wanted_tile, std::size_t element_bytes)
    {
        const std::size_t rounded = (std::max<std::size_t>(n, 1) + kTileUnit - 1) / kTileUnit * kTileUnit;
        if (wanted_tile == 0) wanted_tile = element_bytes > 4 ? kTileOfWide : kTile;
        tile = std::min(rounded, wanted_tile);
        tiles = (n + tile - 1) / tile;
        stride = tiles * tile + kCacheLine / element_bytes;
    }
    [[nodiscard]] std::size_t side() const { return tiles * tile; }
};

/// T: the type of the computation.
template <typename T, bool with_parents>
class Matrix
{
public:
    using Parent = ParentOf<T>;

    Matrix(std::size_t n, std::size_t wanted_tile)
        : shape_(n, wanted_tile, sizeof(T)),
          distances_(shape_.side() * shape_.stride, kFarTile<T>),
          parents_(with_parents ? shape_.side() * shape_.stride : 0, Parent{algo::kNoParent}),
          row_strips_(shape_.tile * shape_.side()),
          row_strip_parents_(with_parents ? row_strips_.size() : 0),
          pivot_strips_(shape_.tile * shape_.tile),
          pivot_strip_parents_(with_parents ? pivot_strips_.size() : 0)
    {
        for (std::size_t i = 0; i < n; ++i) {
            *at(i, i) = 0;
            if constexpr (with_parents) *parent_at(i, i) = static_cast<Parent>(i);
        }
        for (int thread = 0; thread < thread_count(); ++thread) column_copies_.emplace_back(shape_.tile * shape_.tile);
    }

    [[nodiscard]] const Shape& shape() const { return shape_; }
    [[nodiscard]] T* at(std::size_t row, std::size_t column) { return distances_.data() + row * shape_.stride + column; }
    [[nodiscard]] Parent* parent_at(std::size_t row, std::size_t column)
    {
        return with_parents ? parents_.data() + row * shape_.stride + column : nullptr;
    }

    /// Makes all distances through the vertices of tile `pivot` known.
    void step(std::size_t pivot)
    {
        const std::size_t tile = shape_.tile;
        close(pivot * tile);
        pack(pivot * tile, pivot * tile, pivot_strips_.data(), pivot_strip_parents_.data());
        // The pivot's row, from its own copy, and its column.
        parallel_tiles([&](std::size_t other) {
            if (other == pivot) return;
            T* const strips = row_strips(other);
            Parent* const strip_parents = row_strip_parents(other);
            pack(pivot * tile, other * tile, strips, strip_parents);
            multiply(at(pivot * tile, pivot * tile), shape_.stride, strips, strip_parents, pivot * tile, other * tile);
            pack(pivot * tile, other * tile, strips, strip_parents);
            HostBuffer<T>& copy = column_copies_[static_cast<std::size_t>(omp_get_thread_num())];
            for (std::size_t i = 0; i < tile; ++i) std::copy_n(at(other * tile + i, pivot * tile), tile, copy.data() + i * tile);
            multiply(copy.data(), tile, pivot_strips_.data(), pivot_strip_parents_.data(), other * tile, pivot * tile);
        });
        parallel_tiles([&](std::size_t row) {
            if (row == pivot) return;
            for (std::size_t column = 0; column < shape_.tiles; ++column)
                if (column != pivot)
                    multiply(at(row * tile, pivot * tile), shape_.stride, row_strips(column), row_strip_parents(column), row * tile, column * tile);
        });
    }

private:
    template <typename F>
    void parallel_tiles(F&& f) const
    {
        const std::size_t tiles = shape_.tiles;
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(column_copies_.size())) if (tiles > 1)
        for (std::size_t i = 0; i < tiles; ++i) f(i);
    }

    [[nodiscard]] T* row_strips(std::size_t tile)
    {
        return row_strips_.data() + tile * shape_.tile * shape_.tile;
    }
    [[nodiscard]] Parent* row_strip_parents(std::size_t tile)
    {
        return with_parents ? row_strip_parents_.data() + tile * shape_.tile * shape_.tile : nullptr;
    }

    /// The plain algorithm on the tile at (first, first).
    void close(std::size_t first)
    {
        for (std::size_t k = first; k < first + shape_.tile; ++k) {
            for (std::size_t i = first; i < first + shape_.tile; ++i) {
                const T to_pivot = *at(i, k);
                if (is_far(to_pivot) || i == k) continue;
                const Vector<T> lanes = in_all_lanes(to_pivot);
                for (std::size_t j = first; j < first + shape_.tile; j += kLanes<T>) {
                    const Vector<T> sum = sum_of<T>(lanes, load_vector(at(k, j)));
                    const Vector<T> old = load_vector(at(i, j));
                    if constexpr (with_parents) {
                        const auto improves = sum < old;
                        const Vector<Parent> parents = load_vector(parent_at(i, j));
                        store_vector(parent_at(i, j), improves ? load_vector(parent_at(k, j)) : parents);
                    }
                    store_vector(at(i, j), smaller_of<T>(sum, old));
                }
            }
        }
    }

    /// Copies the tile at (row, column) in strips.
    void pack(std::size_t row, std::size_t column, T* strips, Parent* strip_parents)
    {
        for (std::size_t first = 0; first < shape_.tile; first += kStripColumns<T>) {
            for (std::size_t k = 0; k < shape_.tile; ++k) {
                strips = std::copy_n(at(row + k, column + first), kStripColumns<T>, strips);
                if constexpr (with_parents) strip_parents = std::copy_n(parent_at(row + k, column + first), kStripColumns<T>, strip_parents);
            }
        }
    }

    /// Improves the tile at (row, column) by the product of `a`, a tile, and strips of another.
    void multiply(const T* a, std::size_t a_stride, const T* strips, [[maybe_unused]] const Parent* strip_parents, std::size_t row,
                  std::size_t column)
    {
        const std::size_t depth = shape_.tile;
        for (std::size_t first = 0; first < shape_.tile; first += kStripColumns<T>) {
            const std::size_t strip = first * depth;
            if constexpr (with_parents) {
                for (std::size_t i = 0; i < shape_.tile; i += kBlockRowsParents)
                    multiply_strip_with_parents<T, kBlockRowsParents>(a + i * a_stride, strips + strip, strip_parents + strip,
                                                                      at(row + i, column + first), parent_at(row + i, column + first), a_stride,
                                                                      shape_.stride, depth);
            } else if (wide_) {
                for (std::size_t i = 0; i < shape_.tile; i += kBlockRowsWide)
                    multiply_strip_wide<T, kBlockRowsWide>(a + i * a_stride, strips + strip, at(row + i, column + first), a_stride, shape_.stride,
                                                           depth);
            } else {
                for (std::size_t i = 0; i < shape_.tile; i += kBlockRows)
                    multiply_strip<T, kBlockRows>(a + i * a_stride, strips + strip, at(row + i, column + first), a_stride, shape_.stride, depth);
            }
        }
    }

    Shape shape_;
    bool wide_ = has_wide_vectors();
    HostBuffer<T> distances_;
    HostBuffer<Parent> parents_;
    HostBuffer<T> row_strips_;  // of all tiles of the pivot's row
    HostBuffer<Parent> row_strip_parents_;
    HostBuffer<T> pivot_strips_;
    HostBuffer<Parent> pivot_strip_parents_;
    std::vector<HostBuffer<T>> column_copies_;  // by thread: a tile of the pivot's column before it changes
};

/// Calls f(target, weight) for each out-edge of a vertex, without loops and duplicates.
template <typename F>
void for_each_edge_of(const DistributedGraph& graph, std::size_t vertex, F&& f)
{
    const CsrBlock& block = graph.block;
    const std::uint32_t slot = graph.slot_of_local[vertex];
    if (slot == block.slot_stride) return;
    const CsrView lists = block.out_edges().view();
    with_weight_type(weight_type(block.out_weights()), [&]<typename W>(W) {
        for (std::uint64_t edge = lists.begin(slot); edge < lists.end(slot); ++edge) {
            const auto target = static_cast<std::size_t>(graph.vertex_of_column[lists.neighbours[edge]]);
            if constexpr (std::is_same_v<W, Unweighted>)
                f(target, 1);
            else
                f(target, std::get<HostBuffer<W>>(block.out_weights())[edge]);
        }
    });
}

/// Whether the parents of a row lead to its source. In a cycle of length 0, through the pivot tile,
/// they may lead to each other.
bool lead_to(std::size_t source, std::span<const std::int32_t> parents)
{
    enum class State : std::uint8_t { unknown, on_the_way, known };
    std::vector<State> states(parents.size(), State::unknown);
    states[source] = State::known;
    std::vector<std::size_t> way;
    for (std::size_t first = 0; first < parents.size(); ++first) {
        if (parents[first] == algo::kNoParent) continue;
        way.clear();
        std::size_t vertex = first;
        for (; states[vertex] == State::unknown; vertex = static_cast<std::size_t>(parents[vertex])) {
            states[vertex] = State::on_the_way;
            way.push_back(vertex);
        }
        if (states[vertex] == State::on_the_way) return false;
        for (const std::size_t passed : way) states[passed] = State::known;
    }
    return true;
}

/// Chooses the parents of a row anew: breadth first from the source, along the edges that its
/// distances are made of.
template <typename T>
void trace_parents(const DistributedGraph& graph, std::size_t source, const T* row, std::span<std::int32_t> parents)
{
    double slack = 0;  // floats were rounded in another order
    if constexpr (std::is_floating_point_v<T>) {
        for (std::size_t vertex = 0; vertex < parents.size(); ++vertex)
            if (!is_far(row[vertex])) slack = std::max(slack, std::abs(static_cast<double>(row[vertex])));
        slack *= static_cast<double>(parents.size()) * static_cast<double>(std::numeric_limits<T>::epsilon());
    }
    std::ranges::fill(parents, algo::kNoParent);
    parents[source] = static_cast<std::int32_t>(source);
    std::vector<std::size_t> reached{source};
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const std::size_t vertex = reached[next];
        for_each_edge_of(graph, vertex, [&](std::size_t target, auto weight) {
            if (parents[target] != algo::kNoParent) return;
            const double sum = static_cast<double>(row[vertex]) + static_cast<double>(weight);
            if (std::abs(sum - static_cast<double>(row[target])) > slack) return;
            parents[target] = static_cast<std::int32_t>(vertex);
            reached.push_back(target);
        });
    }
}

/// T: the type of the computation, Out: the type of the rows.
template <typename T, bool with_parents, typename Out>
class FloydWarshall final : public algo::MatrixMethod
{
public:
    FloydWarshall(const DistributedGraph& graph, const FloydWarshallOptions& options)
        : graph_(graph), vertices_(static_cast<std::size_t>(graph.partition.vertex_count())), matrix_(vertices_, options.tile)
    {
        for (std::size_t source = 0; source < vertices_; ++source) {
            for_each_edge_of(graph, source, [&](std::size_t target, auto weight) {
                *matrix_.at(source, target) = static_cast<T>(weight);
                if constexpr (with_parents) *matrix_.parent_at(source, target) = static_cast<ParentOf<T>>(source);
            });
        }
        rows_ = HostBuffer<Out>(stripe_rows() * vertices_);
        if (with_parents) row_parents_ = HostBuffer<std::int32_t>(rows_.size());
    }

    [[nodiscard]] std::string description() const override
    {
        return "blocked Floyd-Warshall in tiles of " + std::to_string(matrix_.shape().tile) + " on " + std::to_string(thread_count()) +
               (thread_count() == 1 ? " thread" : " threads");
    }
    [[nodiscard]] algo::DistanceType type() const override { return algo::distance_type_of<Out>; }
    [[nodiscard]] std::size_t vertices() const override { return vertices_; }
    [[nodiscard]] std::size_t stripe_rows() const override
    {
        return std::clamp<std::size_t>(kStripeBytes / std::max<std::size_t>(1, vertices_ * sizeof(Out)), 1, std::max<std::size_t>(1, vertices_));
    }

    void run(ProgressListener* listener) override
    {
        if (listener != nullptr) listener->begin("steps", matrix_.shape().tiles);
        for (std::size_t pivot = 0; pivot < matrix_.shape().tiles; ++pivot) {
            matrix_.step(pivot);
            if (listener != nullptr) listener->advance(1);
        }
    }

    [[nodiscard]] algo::RowBatch rows(std::size_t first, std::size_t count) override
    {
        std::mutex lock;
        double too_large = 0;
        parallel_ranges(count, 2, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                const T* const from = matrix_.at(first + i, 0);
                const auto read = [from](std::size_t column) { return is_far(from[column]) ? kFarTile<T> : from[column]; };
                const double misfit = convert_row(kFarTile<T>, read, rows_.span().subspan(i * vertices_, vertices_));
                if constexpr (with_parents) {
                    const std::span<std::int32_t> parents = row_parents_.span().subspan(i * vertices_, vertices_);
                    std::transform(matrix_.parent_at(first + i, 0), matrix_.parent_at(first + i, vertices_), parents.begin(),
                                   [](ParentOf<T> parent) { return static_cast<std::int32_t>(parent); });
                    if (!lead_to(first + i, parents)) trace_parents(graph_, first + i, from, parents);
                }
                if (misfit == 0) continue;
                const std::lock_guard guard(lock);
                too_large = std::max(too_large, misfit);
            }
        });
        if (too_large > 0) fail_to_fit(too_large, type());
        algo::RowBatch batch;
        batch.columns = vertices_;
        batch.distances = std::span<const Out>(rows_.data(), count * vertices_);
        if (with_parents) batch.parents = {row_parents_.data(), count * vertices_};
        return batch;
    }

private:
    const DistributedGraph& graph_;
    std::size_t vertices_;
    Matrix<T, with_parents> matrix_;
    HostBuffer<Out> rows_;  // of the last stripe
    HostBuffer<std::int32_t> row_parents_;
};

/// The types in which the matrix is computed (min_plus.hpp).
enum class Computation { uint16, uint32, int32, float32, float64 };

Computation computation_for(WeightType weights, const FloydWarshallOptions& options)
{
    if (weights == WeightType::float32) return Computation::float32;
    if (weights == WeightType::float64) return Computation::float64;
    constexpr std::int32_t kFirstFar = kFarTile<std::int32_t> / 2;  // see is_far
    if (weights == WeightType::int64) return options.most_distance < kFirstFar ? Computation::int32 : Computation::float64;
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

std::unique_ptr<algo::MatrixMethod> make_floyd_warshall(const DistributedGraph& graph, const FloydWarshallOptions& options)
{
    const WeightType weights = weight_type(graph.block.in_weights);
    return with_computation(computation_for(weights, options), [&]<typename T>(T) {
        return algo::with_distance_type(options.type, [&]<typename Out>(Out) -> std::unique_ptr<algo::MatrixMethod> {
            if constexpr (sizeof(T) > 2)
                if (options.parents) return std::make_unique<FloydWarshall<T, true, Out>>(graph, options);
            return std::make_unique<FloydWarshall<T, false, Out>>(graph, options);
        });
    });
}

double floyd_warshall_bytes(double vertices, WeightType weights, const FloydWarshallOptions& options)
{
    const std::size_t element_bytes = with_computation(computation_for(weights, options), []<typename T>(T) { return sizeof(T); });
    const Shape shape(static_cast<std::size_t>(vertices), options.tile, element_bytes);
    const double elements = static_cast<double>(shape.side() + shape.tile) * static_cast<double>(shape.stride);
    return elements * static_cast<double>(element_bytes) * (options.parents ? 2 : 1) + 2 * static_cast<double>(kStripeBytes);
}

}  // namespace wayfront::cpu
