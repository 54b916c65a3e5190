// Tests of the predictions of device memory for searches and uploads: the arithmetic of
// predictions, which needs no GPU, and comparisons with the allocated memory, over any number of
// ranks.
#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/bfs/grid/search.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/bfs/stepped/search.hpp"
#include "gpu/bfs/upload_memory.hpp"
#include "support/exchange_methods.hpp"
#include "support/gpu/graph_on_gpus.hpp"
#include "support/graphs.hpp"
#include "support/shapes.hpp"

namespace wayfront::gpu::bfs {

namespace {

constexpr SearchKind kKinds[] = {SearchKind::resident, SearchKind::stepped};

std::string name_of(SearchKind kind)
{
    return kind == SearchKind::resident ? "resident" : "stepped";
}

}  // namespace

TEST(SearchStateBytes, AreThoseOfTheKind)
{
    EXPECT_EQ(search_state_bytes(SearchKind::resident, {4096, 5000, 70000}, 2, true),
              ResidentSearch::state_bytes_for({4096, 5000, 70000}, 2, true));
    EXPECT_EQ(search_state_bytes(SearchKind::stepped, {4096, 5000, 70000}, 2, true),
              SteppedSearch::state_bytes_for({4096, 5000, 70000}, 2, true));
}

TEST(SearchStateBytes, LevelsTakeFourBytesASlotAndAVertex)
{
    constexpr std::uint32_t slots = 1 << 21;  // their levels fill whole pages of shared memory
    constexpr std::size_t vertices = 3'000'001;
    for (const SearchKind kind : kKinds)
        for (const int ranks : {1, 2, 8})
            EXPECT_EQ(search_state_bytes(kind, {slots, vertices, 1 << 25}, ranks, true) -
                          search_state_bytes(kind, {slots, vertices, 1 << 25}, ranks, false),
                      4 * (slots + vertices))
                << name_of(kind) << ", " << ranks << " ranks";
}

TEST(SearchStateBytes, EdgesTakeAnItemOfEightBytesFor128OfThem)
{
    constexpr std::uint64_t edges = std::uint64_t{1} << 33;  // more than 32 bits
    const auto more = [](SearchKind kind) {
        return search_state_bytes(kind, {1 << 20, 1 << 20, 3 * edges}, 4, true) -
               search_state_bytes(kind, {1 << 20, 1 << 20, edges}, 4, true);
    };
    EXPECT_EQ(more(SearchKind::resident), 2 * std::size_t{8} * (2 * edges / 128));  // two queues
    EXPECT_EQ(more(SearchKind::stepped), std::size_t{8} * (2 * edges / 128));
}

TEST(SearchStateBytes, OthersBitmapsAndRequestsAddToThem)
{
    constexpr std::uint32_t slots = 1 << 20;
    for (const SearchKind kind : kKinds) {
        std::size_t fewer = 0;
        for (const int ranks : {1, 2, 4, 8}) {
            const std::size_t bytes = search_state_bytes(kind, {slots, slots, 1 << 24}, ranks, false);
            EXPECT_GE(bytes, fewer + slots / 8) << name_of(kind) << ", " << ranks << " ranks";
            fewer = bytes;
        }
    }
}

TEST(UploadMemory, AnEdgeIsInTwoListsTwice)
{
    // The lists exist twice while they are placed, with four bytes per entry.
    constexpr EdgeCount edges = EdgeCount{1} << 30;
    for (const SearchKind kind : kKinds)
        EXPECT_EQ(upload_memory(kind, {1 << 24, 3 * edges}, {1, 1}) - upload_memory(kind, {1 << 24, edges}, {1, 1}),
                  std::size_t{16} * 2 * edges)
            << name_of(kind);
}

TEST(UploadMemory, IsLessAVertexWithoutEdges)
{
    constexpr Vertex vertices = Vertex{1} << 28;
    for (const SearchKind kind : kKinds) {
        const std::size_t few_edges = upload_memory(kind, {vertices, 1000}, {1, 1}) - kDeviceReserveBytes;
        // Parents, levels and slots by local number take 12 bytes per vertex.
        EXPECT_GE(few_edges, 12 * static_cast<std::size_t>(vertices)) << name_of(kind);
        EXPECT_LE(few_edges, 13 * static_cast<std::size_t>(vertices)) << name_of(kind);
        EXPECT_GE(upload_memory(kind, {vertices, vertices}, {1, 1}), 5 * few_edges) << name_of(kind);
    }
}

TEST(UploadMemory, IsDealtToTheRanks)
{
    constexpr Vertex vertices = Vertex{1} << 28;
    for (const SearchKind kind : kKinds) {
        std::size_t before = upload_memory(kind, {vertices, 16 * vertices}, {1, 1});
        for (const int ranks : {2, 4, 8}) {
            const std::size_t bytes = upload_memory(kind, {vertices, 16 * vertices}, {ranks, 1});
            EXPECT_GT(2 * bytes, before) << name_of(kind) << ", " << ranks << " ranks";
            EXPECT_LT(10 * bytes, 7 * before) << name_of(kind) << ", " << ranks << " ranks";
            before = bytes;
        }
    }
}

TEST(UploadMemory, RefusesWhatDoesNotFit)
{
    for (const SearchKind kind : kKinds) {
        const std::size_t needed = upload_memory(kind, {1 << 20, 1 << 24}, {2, 1});
        EXPECT_NO_THROW(require_upload_memory(kind, {1 << 20, 1 << 24}, {2, 1}, needed));
        try {
            require_upload_memory(kind, {1 << 20, 1 << 24}, {2, 1}, needed - 1);
            FAIL() << "a byte too few was said to do";
        } catch (const ResourceError& error) {
            const std::string message = error.what();
            for (const char* const words :
                 {"not enough GPU memory", "1048576 vertices and 16777216 edges over 2 ranks needs ",
                  "iB on the GPU of each", "iB are free; use more ranks"})
                EXPECT_NE(message.find(words), std::string::npos) << message;
        }
    }
}

class DeviceMemoryOverRanks : public OverRanks
{
protected:
    /// Makes a search of each kind and compares its memory with the prediction. Pre: the ranks have
    /// equal parts of the graph.
    void expect_reported_bytes(const oracle::Graph& graph, const std::string& name)
    {
        const GraphOnGpus on_gpus(world_, graph);
        DeviceExchange exchange(world_, ExchangeMethod::staged);
        const bool resident = resident_obstacle(on_gpus.grid.world(), GpuSharing::allowed).empty();
        for (const bool levels : {true, false}) {
            SCOPED_TRACE(name + (levels ? ", with levels" : ""));
            const DeviceSearchOptions options{.levels = levels};
            if (resident)
                expect_reported_bytes(graph, on_gpus, SearchKind::resident,
                                      ResidentSearch(on_gpus.grid, on_gpus.device, options), levels);
            expect_reported_bytes(graph, on_gpus, SearchKind::stepped,
                                  SteppedSearch(on_gpus.grid, on_gpus.device, exchange, options), levels);
        }
    }

private:
    static void expect_reported_bytes(const oracle::Graph& graph, const GraphOnGpus& on_gpus, SearchKind kind,
                                      const DeviceSearch& search, bool levels)
    {
        SCOPED_TRACE(name_of(kind));
        const DeviceGraphView& view = on_gpus.device.view;
        const int ranks = static_cast<int>(view.ranks);
        const std::size_t told =
            search_state_bytes(kind, {view.slot_stride, view.local_count, view.out.edges}, ranks, levels);
        EXPECT_EQ(search.state_bytes(), told);

        const std::size_t taken = on_gpus.device.bytes() + search.state_bytes();
        const std::size_t upload =
            upload_memory(kind, {graph.vertices, static_cast<EdgeCount>(graph.edges.size()), graph.directed},
                          {ranks, 1}) -
            kDeviceReserveBytes;
        EXPECT_GE(upload, taken);
        EXPECT_LE(upload, 3 * taken);  // the lists exist twice while they are placed
    }
};

TEST_F(DeviceMemoryOverRanks, IsAsPredictedOnGrids)
{
    const oracle::Graph graph = generated_graph("kron:16");
    const UploadedSize size{graph.vertices, static_cast<EdgeCount>(graph.edges.size()), graph.directed};
    for (const comm::GridShape shape : shapes_of(world_.size())) {
        if (shape.columns == 1) continue;
        SCOPED_TRACE(to_text(shape));
        const BlocksOnGpus on_gpus(world_, shape, graph);
        DeviceExchange row(on_gpus.grid.row(), ExchangeMethod::staged);
        DeviceExchange column(on_gpus.grid.column(), ExchangeMethod::staged);
        const GridSearch search(on_gpus.grid, on_gpus.device, {row, column}, {.levels = true});
        const DeviceGraphView& view = on_gpus.device.graph.view;
        EXPECT_EQ(search.state_bytes(), GridSearch::state_bytes_for(
                                            {view.slot_stride, static_cast<std::uint32_t>(shape.columns),
                                             static_cast<std::uint32_t>(shape.rows), view.out.edges, view.local_count},
                                            true));
        const std::size_t taken = on_gpus.device.bytes() + search.state_bytes();
        const std::size_t upload = upload_memory(SearchKind::stepped, size, shape) - kDeviceReserveBytes;
        EXPECT_GE(upload, taken);
        EXPECT_LE(upload, 3 * taken);
    }
}

TEST_F(DeviceMemoryOverRanks, IsAsPredicted)
{
    expect_reported_bytes(generated_graph("kron:16"), "kron16");
    expect_reported_bytes(random_graph(100000, 80000, false, 5), "random, a fifth of it without edges");
    expect_reported_bytes(generated_graph("grid:200x200"), "grid");
    expect_reported_bytes(random_graph(100000, 1600000, true, 5), "directed");
}

}  // namespace wayfront::gpu::bfs
