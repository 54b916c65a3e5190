// Tests of the GPU engine's two directions on blocks of the matrix that are made by hand, alone and
// together with the CPU's engine.
#include "gpu/bfs/host_driven/engine.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/bfs/split_engine.hpp"
#include "base/error.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "support/block_testing.hpp"
#include "support/gpu_guard.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::gpu::bfs {
namespace {

constexpr GpuTuning kManyStretches{128, 3, 64};  // the smallest possible stretches and eager copies

class GpuEngineTest : public testing::Test
{
protected:
    void SetUp() override { require_gpu(0); }
};

std::unique_ptr<EdgeEngine> cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block);
}

std::unique_ptr<EdgeEngine> gpu_engine(const CsrBlock& block)
{
    return std::make_unique<GpuEngine>(block);
}

/// Runs bottom-up levels in stretches, with a frontier that was copied before the level, as the
/// level loop does.
class InStretches final : public EdgeEngine
{
public:
    explicit InStretches(const CsrBlock& block) : block_(block), engine_(block, kManyStretches) {}

    std::string_view name() const override { return "gpu in stretches"; }
    void begin_search(std::uint32_t seen_row) override { engine_.begin_search(seen_row); }
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override
    {
        discoveries_ = nullptr;
        engine_.launch_top_down(uploaded(frontier), discoveries);
    }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override
    {
        discoveries_ = &discoveries;
        engine_.stretches()->launch(uploaded(frontier), discoveries);
    }
    void collect() override
    {
        if (discoveries_ == nullptr) {
            engine_.collect();
            return;
        }
        for (std::size_t i = 0; i < count(); ++i)
            while (!engine_.stretches()->poll_stretch(i)) {
            }
        discoveries_->count = 0;
        discoveries_->as_list = false;
        for_each_bit(discoveries_->found, 0, word_count(block_.rows()), [&](std::size_t) { ++discoveries_->count; });
    }
    void end_search(const Discoveries& discoveries) override { engine_.end_search(discoveries); }

private:
    [[nodiscard]] std::size_t count()
    {
        const std::size_t slots = engine_.stretches()->stretch_slots();
        return (block_.slot_stride + slots - 1) / slots;
    }
    FrontierView uploaded(FrontierView frontier)
    {
        if (frontier.bitmap == nullptr) return frontier;
        for (std::size_t i = 0; i < count(); ++i) engine_.stretches()->upload_frontier(frontier.bitmap, i);
        frontier.uploaded = true;
        return frontier;
    }

    const CsrBlock& block_;
    GpuEngine engine_;
    Discoveries* discoveries_ = nullptr;  // discoveries of a bottom-up level
};

/// Checks both directions. The engine is used several times.
void check_engine(EdgeEngine& engine, const CsrBlock& block, const BlockEdges& edges,
                  const std::vector<Indices>& frontiers, const std::vector<Indices>& seens)
{
    for (std::size_t frontier = 0; frontier < frontiers.size(); ++frontier)
        for (std::size_t seen = 0; seen < seens.size(); ++seen)
            for (const bool top_down : {true, false}) {
                SCOPED_TRACE(testing::Message()
                             << engine.name() << (top_down ? ", top-down" : ", bottom-up") << ", frontier " << frontier
                             << " of " << frontiers[frontier].size() << ", " << seens[seen].size() << " seen");
                check_level(engine, block, edges, frontiers[frontier], seens[seen], top_down, false);
            }
}

void check_block(const CsrBlock& block, const BlockEdges& edges, const std::vector<Indices>& frontiers,
                 const std::vector<Indices>& seens)
{
    GpuEngine engine(block);
    check_engine(engine, block, edges, frontiers, seens);
    GpuEngine many_stretches(block, kManyStretches);
    check_engine(many_stretches, block, edges, frontiers, seens);
    InStretches in_stretches(block);
    check_engine(in_stretches, block, edges, frontiers, seens);
    for (const double share : {0.1, 0.5}) {
        SplitEngine split(block, cpu_engine, gpu_engine, share);
        check_engine(split, block, edges, frontiers, seens);
    }
}

void check_shares(const CsrBlock& block, const BlockEdges& edges)
{
    std::vector<Indices> frontiers;
    std::vector<Indices> seens;
    for (const double share : {0.0, 0.01, 0.3, 1.0}) frontiers.push_back(random_indices(block.cols(), share, 100));
    for (const double share : {0.0, 0.2, 0.9, 1.0}) seens.push_back(random_indices(block.rows(), share, 101));
    check_block(block, edges, frontiers, seens);
}

TEST_F(GpuEngineTest, RandomBlocks)
{
    const BlockEdges square = random_edges(2000, 256, 256, 1);
    check_shares(make_block(256, 1, 1, square), square);
    const BlockEdges wide = random_edges(3000, 64, 1024, 2);
    check_shares(make_block(64, 1, 16, wide), wide);
    const BlockEdges tall = random_edges(3000, 1024, 64, 3);
    check_shares(make_block(64, 16, 1, tall), tall);
}

TEST_F(GpuEngineTest, BlocksWithoutEdgesOrWithoutRows)
{
    check_shares(make_block(128, 1, 2, {}), {});
    check_shares(make_block(0, 1, 1, {}), {});
    check_shares(make_block(64, 1, 1, {{63, 63}}), {{63, 63}});
}

TEST_F(GpuEngineTest, DegreesAroundEveryBorder)
{
    // Rows have 0 to 300 in-edges, and so do columns: there are narrow and wide lists, lists of one
    // piece and of several pieces, and rows for threads and for warps.
    BlockEdges edges;
    for (std::uint32_t row = 0; row < 320; ++row)
        for (std::uint32_t i = 0; i < row && i < 301; ++i) edges.emplace(row, (row * 7 + i) % 320);
    const CsrBlock block = make_block(320, 1, 1, edges);
    check_shares(block, edges);
    std::vector<Indices> single;
    for (const std::uint32_t column : {0U, 1U, 31U, 32U, 33U, 64U, 255U, 256U, 257U, 319U}) single.push_back({column});
    check_block(block, edges, single, {{}, random_indices(320, 0.5, 3)});
}

TEST_F(GpuEngineTest, AHubWithEveryRow)
{
    BlockEdges edges;
    for (std::uint32_t row = 0; row < 70000; ++row) edges.emplace(row, 77);
    for (std::uint32_t row = 0; row < 70000; row += 3) edges.emplace(row, row % 50);
    const CsrBlock block = make_block(70016, 1, 1, edges);
    check_block(block, edges, {{77}, {12}, {3, 77, 100, 70015}}, {{}, random_indices(70016, 0.5, 7)});
}

TEST_F(GpuEngineTest, ARowWithManyInEdgesOfWhichTheLastCounts)
{
    BlockEdges edges;
    for (std::uint32_t column = 0; column < 4096; ++column) edges.emplace(63, column);
    check_block(make_block(4096, 1, 1, edges), edges, {{4095}, {4094}, {33}, {32}, {1}, {0}, {}}, {{}, {63}});
}

TEST_F(GpuEngineTest, FoundRowsAsListAndAsBitmap)
{
    // One column finds few rows. All columns find more rows than are copied as a list.
    const BlockEdges edges = random_edges(150000, 64000, 64000, 4);
    const CsrBlock block = make_block(64000, 1, 1, edges);
    check_block(block, edges, {{5}, random_indices(64000, 0.05, 5), random_indices(64000, 1, 5)},
                {{}, random_indices(64000, 0.5, 6)});
}

TEST_F(GpuEngineTest, TheSameListsServeBothWaysIfTheBlockIsSymmetric)
{
    BlockEdges edges;
    for (const auto& [row, column] : random_edges(500, 128, 128, 10)) {
        edges.emplace(row, column);
        edges.emplace(column, row);
    }
    CsrBlock block = make_block(128, 1, 1, edges);
    block.out_edges_stored = {};
    block.symmetric = true;
    check_shares(block, edges);
}

TEST_F(GpuEngineTest, AFrontierInEitherForm)
{
    const BlockEdges edges = random_edges(2000, 512, 512, 11);
    const CsrBlock block = make_block(512, 1, 1, edges);
    GpuEngine engine(block);
    for (const double share : {0.01, 0.9})
        for (const bool with_list : {false, true})
            for (const bool with_bitmap : {false, true})
                for (const bool top_down : {false, true}) {
                    if (!with_list && !with_bitmap) continue;
                    SCOPED_TRACE(testing::Message() << share << ", list " << with_list << ", bitmap " << with_bitmap
                                                    << ", top-down " << top_down);
                    const Indices frontier = random_indices(512, share, 12);
                    const std::vector<std::uint32_t> frontier_list(frontier.begin(), frontier.end());
                    std::vector<std::uint64_t> frontier_bitmap(word_count(512) + 1, 0);
                    for (const std::uint32_t column : frontier) set_bit(frontier_bitmap.data(), column);
                    std::size_t reachable = 0;
                    Indices rows;
                    for (const auto& [row, column] : edges)
                        if (frontier.contains(column) && rows.insert(row).second) ++reachable;
                    std::vector<std::uint64_t> seen(word_count(512), 0);
                    std::vector<std::uint32_t> parents(512);
                    std::vector<std::uint32_t> list(512);
                    std::vector<std::uint64_t> found(word_count(512));
                    Discoveries discoveries{
                        .seen = seen.data(), .parents = parents.data(), .list = list.data(), .found = found.data()};
                    engine.begin_search(kNoLocal);
                    const FrontierView view{
                        with_list ? std::span<const std::uint32_t>(frontier_list) : std::span<const std::uint32_t>(),
                        with_bitmap ? frontier_bitmap.data() : nullptr, frontier.size()};
                    top_down ? engine.launch_top_down(view, discoveries) : engine.launch_bottom_up(view, discoveries);
                    engine.collect();
                    EXPECT_EQ(discoveries.count, reachable);
                }
}

TEST_F(GpuEngineTest, LevelsOfOneSearchFollowEachOther)
{
    // The graph is a path. The device keeps the rows that earlier levels found. The row of the key
    // is seen from the start.
    constexpr std::uint32_t length = 200;
    BlockEdges edges;
    for (std::uint32_t v = 0; v + 1 < length; ++v) {
        edges.emplace(v + 1, v);
        edges.emplace(v, v + 1);
    }
    const CsrBlock block = make_block(256, 1, 1, edges);
    GpuEngine engine(block, kManyStretches);
    for (int repeat = 0; repeat < 2; ++repeat) {
        std::vector<std::uint64_t> seen(word_count(256), 0);
        std::vector<std::uint32_t> parents(256, kNoLocal);
        std::vector<std::uint32_t> list(256);
        std::vector<std::uint64_t> found(word_count(256));
        Discoveries discoveries{
            .seen = seen.data(), .parents = parents.data(), .list = list.data(), .found = found.data()};
        engine.begin_search(0);
        for (std::uint32_t v = 0; v < length; ++v) {
            const std::vector<std::uint32_t> frontier{v};
            (v + static_cast<std::uint32_t>(repeat)) % 3 == 0
                ? engine.launch_bottom_up({frontier, nullptr, 1}, discoveries)
                : engine.launch_top_down({frontier, nullptr, 1}, discoveries);
            engine.collect();
            ASSERT_EQ(discoveries.count, v + 1 < length ? 1U : 0U) << "level " << v;
        }
        engine.end_search(discoveries);
        for (std::uint32_t v = 1; v < length; ++v) ASSERT_EQ(parents[v], v - 1);
        for (std::uint32_t v = 0; v < 256; ++v) ASSERT_EQ(test_bit(seen.data(), v), v < length);
    }
}

TEST_F(GpuEngineTest, SaysWhatItTakes)
{
    const CsrBlock block = make_block(64, 1, 1, {});
    const GpuEngine engine(block);
    EXPECT_EQ(engine.name(), "gpu");
    EXPECT_TRUE(engine.takes_either_form());
    EXPECT_TRUE(engine.has_own_copy());
    EXPECT_GT(engine.device_bytes().graph, 64 * sizeof(std::uint32_t));
    EXPECT_GT(engine.device_bytes().state, 64 * sizeof(std::uint32_t));
}

TEST_F(GpuEngineTest, TakesNoMoreThanItsPart)
{
    const CsrBlock block = make_block(64, 1, 1, {{1, 2}});
    const DeviceBytes bytes = GpuEngine::device_bytes_for(block);
    const std::size_t needed = bytes.graph + bytes.state;
    EXPECT_NO_THROW(GpuEngine(block, GpuTuning{}, needed));
    EXPECT_THROW(GpuEngine(block, GpuTuning{}, needed - 1), ResourceError);
}

}  // namespace
}  // namespace wayfront::gpu::bfs
