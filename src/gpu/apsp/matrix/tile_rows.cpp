#include "gpu/apsp/matrix/tile_rows.hpp"

#include <cstdint>

#include "gpu/apsp/matrix/device_tiles.hpp"
#include "gpu/apsp/rows/row_batch_plan.hpp"
#include "gpu/apsp/rows/row_summary.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Rows of a type, with their vertices and their numbers in the rank's matrix.
struct TileRowsPlan : MemoryPlan
{
    TileRowsPlan(std::size_t count, std::size_t row_bytes)
        : sources(array<std::uint32_t>("sources", count)),
          numbers(array<std::uint32_t>("numbers of rows", count)),
          rows(array<std::byte>("rows", count, row_bytes))
    {
    }

    PlannedArray<std::uint32_t> sources, numbers;
    PlannedArray<std::byte> rows;
};

}  // namespace

struct TileRows::State
{
    State(const DeviceTiles& of_tiles, std::size_t count, algo::DistanceType of_type, std::size_t most_rows)
        : State(of_tiles, count, of_type, most_rows, TileRowsPlan(most_rows, row_stride_bytes(count, of_type)))
    {
    }
    State(const DeviceTiles& of_tiles, std::size_t count, algo::DistanceType of_type, std::size_t most_rows,
          const TileRowsPlan& plan)
        : tiles(of_tiles),
          vertices(count),
          type(of_type),
          sources(plan.sources),
          numbers(plan.numbers),
          rows(plan.rows),
          host_sources(most_rows),
          host_numbers(most_rows),
          summariser(most_rows)
    {
    }

    /// Starts to make `count` rows on the device. `vertex_of(i)` is the vertex of row i. Pre: the
    /// stream is idle.
    template <typename F>
    void make(std::size_t count, F&& vertex_of)
    {
        for (std::size_t i = 0; i < count; ++i) {
            host_sources.data()[i] = static_cast<std::uint32_t>(vertex_of(i));
            host_numbers.data()[i] = static_cast<std::uint32_t>(tiles.own_row(vertex_of(i)));
        }
        copy_async(std::span<const std::uint32_t>(host_sources.span().first(count)), sources.span(), stream);
        copy_async(std::span<const std::uint32_t>(host_numbers.span().first(count)), numbers.span(), stream);
        tiles.copy_listed_rows({numbers.data(), count},
                               {.type = type,
                                .begin = rows.data(),
                                .stride = row_stride(vertices, type),
                                .length = static_cast<std::uint32_t>(vertices)},
                               stream);
    }

    const DeviceTiles& tiles;
    std::size_t vertices;
    algo::DistanceType type;
    DeviceBuffer<std::uint32_t> sources, numbers;
    DeviceBuffer<std::byte> rows;
    PinnedBuffer<std::uint32_t> host_sources, host_numbers;
    PinnedBuffer<std::byte> host_rows;  // rows without gaps between them; allocated at the first use
    RowSummariser summariser;
    Stream stream;
};

TileRows::TileRows(const DeviceTiles& tiles, std::size_t vertices, algo::DistanceType type, std::size_t most_rows)
    : state_(std::make_unique<State>(tiles, vertices, type, most_rows))
{
}

TileRows::~TileRows() = default;

std::size_t TileRows::bytes(std::size_t vertices, algo::DistanceType type, std::size_t most_rows)
{
    return bytes_of(TileRowsPlan(most_rows, row_stride_bytes(vertices, type)), RowSummaryPlan(most_rows));
}

void TileRows::summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary)
{
    State& state = *state_;
    state.make(sources.size(), [&](std::size_t i) { return static_cast<std::size_t>(sources[i]); });
    const RowsView view{
        state.rows.data(),    row_stride(state.vertices, state.type),     static_cast<std::uint32_t>(state.vertices),
        state.sources.data(), static_cast<std::uint32_t>(sources.size()), false};
    state.summariser.add(view, state.type, first, summary, state.stream);  // waits for the stream
}

std::span<const std::byte> TileRows::copy(std::size_t first, std::size_t count)
{
    State& state = *state_;
    const std::size_t width = state.vertices * bytes_of(state.type);
    if (state.host_rows.empty()) state.host_rows = PinnedBuffer<std::byte>(state.host_sources.size() * width);
    state.make(count, [&](std::size_t i) { return first + i; });
    check(cudaMemcpy2DAsync(state.host_rows.data(), width, state.rows.data(),
                            row_stride_bytes(state.vertices, state.type), width, count, cudaMemcpyDeviceToHost,
                            state.stream.get()));
    state.stream.synchronize();
    return state.host_rows.span().first(count * width);
}

}  // namespace wayfront::gpu::apsp
