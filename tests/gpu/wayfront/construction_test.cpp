// Tests of graphs that one GPU constructs for the library, and of graphs that the host constructs
// instead.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/bfs/upload_memory.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/sssp/search.hpp"
#include "support/gpu_guard.hpp"
#include "wayfront/wayfront.hpp"

namespace wayfront {
namespace {

class LibraryConstructionOnGpu : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

/// Directed edges that all lead to one vertex: construction must sort them together.
struct Star
{
    Vertex vertices;
    std::vector<std::int32_t> sources, targets;
    std::vector<float> weights;

    Star(Vertex size, std::size_t edges, bool weighted)
        : vertices(size), sources(edges), targets(edges, 0), weights(weighted ? edges : 0, 0.5F)
    {
        const auto leaves = static_cast<std::size_t>(size - 1);
        for (std::size_t i = 0; i < edges; ++i) sources[i] = static_cast<std::int32_t>(1 + i % leaves);
    }
    [[nodiscard]] Graph graph(std::vector<std::string>& notes) const
    {
        EdgeArrays arrays{.sources = sources, .targets = targets};
        if (!weights.empty()) arrays.weights = weights;
        LoadOptions options;
        options.on_note = [&notes](std::string_view note) { notes.emplace_back(note); };
        return Graph::view(vertices, arrays, options);
    }
};

/// Allocates all memory of the GPU except `bytes`.
gpu::DeviceBuffer<std::byte> all_but(std::size_t bytes)
{
    constexpr std::size_t slack = std::size_t{16} << 20;
    const std::size_t free_bytes = gpu::free_memory();
    return gpu::DeviceBuffer<std::byte>(free_bytes > bytes + slack ? free_bytes - bytes - slack : 0);
}

/// The memory that searches and the construction of a graph of this size require.
std::size_t asked_bytes(const Star& star)
{
    const auto edges = static_cast<EdgeCount>(star.targets.size());
    const bool weighted = !star.weights.empty();
    const std::size_t searches =
        weighted ? gpu::sssp::DeviceSssp::most_bytes(star.vertices, gpu::sssp::listed_arcs(star.vertices, edges, true),
                                                     {1, false})
                 : gpu::bfs::upload_memory(gpu::bfs::SearchKind::resident, {star.vertices, edges, true}, {1, 1});
    return std::max(searches, gpu::construction::edge_construction_bytes({star.vertices, edges, true, weighted, true}));
}

bool host_constructs(const std::vector<std::string>& notes)
{
    return std::ranges::any_of(notes, [](const std::string& note) {
        return note.starts_with("the host constructs the graph, not the GPU: ");
    });
}

TEST_F(LibraryConstructionOnGpu, TheHostConstructsIfALongListDoesNotFitTheGpu)
{
    std::vector<std::string> notes;
    {
        const Star star(1000, std::size_t{1} << 26, false);
        const auto taken = all_but(asked_bytes(star));
        Bfs search(star.graph(notes), {.engine = Engine::gpu});
        EXPECT_EQ(search.engine().engine, "gpu");
        EXPECT_EQ(search.run(7).levels[0], 1);
    }
    EXPECT_TRUE(host_constructs(notes));
    notes.clear();
    const Star star(1000, std::size_t{1} << 24, true);
    const auto taken = all_but(asked_bytes(star));
    const auto found = shortest_paths(star.graph(notes), 7, {.engine = Engine::gpu});
    EXPECT_EQ(found.distance(0), 0.5);
    EXPECT_FALSE(host_constructs(notes));  // duplicates of an edge are removed before lists are sorted
}

TEST_F(LibraryConstructionOnGpu, SearchesReadEdgesIfTheListsAreOnTheGpu)
{
    std::vector<std::string> notes;
    const Star star(1000, std::size_t{1} << 18, true);
    EXPECT_TRUE(Bfs(star.graph(notes), {.engine = Engine::gpu}).reads_edges());
    EXPECT_FALSE(Bfs(star.graph(notes), {.engine = Engine::cpu}).reads_edges());
    EXPECT_FALSE(ShortestPaths(star.graph(notes), {.engine = Engine::cpu}).reads_edges());
    EXPECT_FALSE(host_constructs(notes));
}

TEST_F(LibraryConstructionOnGpu, TheHostConstructsIfFloatDistancesMayBeInfinite)
{
    Star star(300'000, std::size_t{1} << 18, true);  // without duplicates
    star.weights.front() = std::numeric_limits<float>::max();
    std::vector<std::string> notes;
    ShortestPaths search(star.graph(notes), {.engine = Engine::gpu});
    EXPECT_EQ(search.engine().engine, "cpu");
    EXPECT_FALSE(search.reads_edges());
    EXPECT_EQ(search.run(7).distance(0), 0.5);
    EXPECT_FALSE(host_constructs(notes));  // the memory suffices
}

}  // namespace
}  // namespace wayfront
