// Bottom-up levels in stretches, whose searches and messages overlap, on every grid, compared with
// a serial search. The engine is a CPU engine that reports stretches as done at arbitrary times.
#include <map>
#include <string_view>

#include "base/bitmap.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "support/bfs_testing.hpp"
#include "support/random_numbers.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::algo {
namespace {

/// An engine that reports each stretch of a level as not done several times. If the frontier was
/// uploaded to the engine, it uses that copy.
class StretchedEngine final : public EdgeEngine, public StretchEngine
{
public:
    StretchedEngine(const CsrBlock& block, std::uint32_t slots, std::uint64_t seed)
        : block_(block),
          slots_(slots),
          engine_(block, {0, 0}),
          random_(seed),
          frontier_(block.cols()),
          uploaded_(word_count(block.cols()) + 1, 0),
          found_(block.rows())
    {
    }

    [[nodiscard]] std::size_t launches() const { return launches_; }

    std::string_view name() const override { return "stretched"; }
    bool takes_either_form() const override { return true; }
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override
    {
        engine_.launch_top_down(whole(frontier), discoveries);
    }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override
    {
        engine_.launch_bottom_up(whole(frontier), discoveries);
    }
    void collect() override { engine_.collect(); }
    StretchEngine* stretches() override { return this; }

    std::uint32_t stretch_slots() const override { return slots_; }
    void launch(const FrontierView& frontier, Discoveries& discoveries) override
    {
        ++launches_;
        taken_ = 0;
        asked_ = discoveries.found;
        // This memory must not be read before the stretch is taken.
        std::fill_n(asked_, word_count(block_.rows()), 0xDEADDEADDEADDEAD);
        discoveries.list = found_.list.data();
        discoveries.found = found_.bitmap.data();
        engine_.launch_bottom_up(whole(frontier), discoveries);
        engine_.collect();
        found_.count = discoveries.count;
        found_.has_list = discoveries.as_list;
        found_.has_bitmap = !discoveries.as_list;
        found_.need_bitmap();
        polls_ = random_.below(6);
    }
    bool poll_stretch(std::size_t stretch) override
    {
        EXPECT_EQ(stretch, taken_);
        if (polls_-- > 0) return false;
        polls_ = random_.below(6);
        ++taken_;
        copy_stretch(found_.bitmap.data(), asked_, block_.row_chunks, stretch);
        return true;
    }
    void upload_frontier(const std::uint64_t* frontier_bitmap, std::size_t stretch) override
    {
        EXPECT_LT(stretch, taken_);
        copy_stretch(frontier_bitmap, uploaded_.data(), block_.col_chunks, stretch);
    }

private:
    void copy_stretch(const std::uint64_t* from, std::uint64_t* to, std::size_t chunks, std::size_t stretch) const
    {
        const std::size_t first = stretch * slots_ / kWordBits;
        const std::size_t last = std::min((stretch + 1) * slots_, std::size_t{block_.slot_stride}) / kWordBits;
        for (std::size_t chunk = 0; chunk < chunks; ++chunk)
            for (std::size_t w = chunk * block_.slot_stride / kWordBits, i = first; i < last; ++i)
                to[w + i] = from[w + i];
    }

    /// Returns the frontier in both forms.
    FrontierView whole(const FrontierView& frontier)
    {
        FrontierView believed = frontier;
        if (frontier.uploaded) believed.bitmap = uploaded_.data();
        take_in_both_forms(believed, frontier_);
        return {frontier_.members(), frontier_.bitmap.data(), frontier_.count};
    }

    const CsrBlock& block_;
    std::uint32_t slots_;
    cpu::CpuEngine engine_;
    RandomNumbers random_;
    comm::SlotSet frontier_;
    HostBuffer<std::uint64_t> uploaded_;
    comm::SlotSet found_;
    std::uint64_t* asked_ = nullptr;
    std::size_t taken_ = 0;
    std::uint32_t polls_ = 0;
    std::size_t launches_ = 0;
};

class StretchedSearchTest : public BfsTest
{
protected:
    [[nodiscard]] EngineMaker stretched_engine(std::uint32_t slots) const
    {
        return [slots, seed = static_cast<std::uint64_t>(rank)](const CsrBlock& block) {
            return std::make_unique<StretchedEngine>(block, slots, seed);
        };
    }

    static TestGraph large_graph(bool directed)
    {
        TestGraph test{directed ? "LargeDirected" : "Large", random_graph(70001, 300000, directed, 51), {70000, 12}};
        for (std::int64_t v = 0; v < 60000; v += 2) test.graph.edges.emplace_back(5, v);  // a hub
        return test;
    }
};

TEST_F(StretchedSearchTest, SmallGraphsInAllWays)
{
    const ThreadGuard guard(1);
    std::size_t turn = 0;
    for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
        check_graph(grid, test, serial, directions_and_formats(crowded ? 1 : kFormats.size(), turn++),
                    stretched_engine(64));
    });
}

TEST_F(StretchedSearchTest, StretchesOfAllSizes)
{
    const ThreadGuard guard(2);
    for (const bool directed : {false, true}) {
        const TestGraph test = large_graph(directed);
        Oracle serial(test.graph);
        std::vector<BfsOptions> choices = directions_only();
        choices.front().smallest_parents = true;
        for (BfsOptions& options : choices) options.levels = true;
        for (const comm::GridShape shape : shapes_of(ranks))
            for (const std::uint32_t slots : {960U, 8192U})
                check_graph(comm::ProcessGrid(world, shape), test, serial, choices, stretched_engine(slots));
    }
}

TEST_F(StretchedSearchTest, SearchesThatEndAtAGivenLevel)
{
    const ThreadGuard guard(1);
    const TestGraph test = large_graph(false);
    Oracle serial(test.graph);
    const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph graph = construct(grid, ListFeed(share));
        StretchedEngine engine(graph.block, 1024, static_cast<std::uint64_t>(rank));
        for (std::int32_t max_level = 1; max_level < 4; ++max_level) {
            BfsOptions options;
            options.direction.choice = DirectionChoice::bottom_up;
            options.levels = true;
            options.max_level = max_level;
            BfsSearch search(grid, graph, engine, options);
            std::vector<std::int64_t> expected = serial.search(12).levels;
            std::ranges::replace_if(
                expected, [=](std::int64_t level) { return level > max_level; }, -1);
            for (int repeat = 0; repeat < 2; ++repeat)
                EXPECT_EQ(gather(search.run(12).levels, test.graph.vertices), expected)
                    << to_text(shape) << ", to level " << max_level;
        }
    }
}

TEST_F(StretchedSearchTest, LevelsThatMayTravelAsBitmaps)
{
    const ThreadGuard guard(1);
    const TestGraph test = large_graph(false);
    const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
    const comm::ProcessGrid grid(world, shapes_of(ranks).back());
    const DistributedGraph graph = construct(grid, ListFeed(share));
    const auto launches = [&](comm::ExchangeFormat format, DirectionChoice direction, std::uint32_t slots,
                              bool stretches = true) {
        StretchedEngine engine(graph.block, slots, static_cast<std::uint64_t>(rank));
        BfsOptions options;
        options.exchange = format;
        options.direction.choice = direction;
        options.stretches = stretches;
        BfsSearch search(grid, graph, engine, options);
        const std::size_t levels = search.run(12).records.size();
        EXPECT_GT(levels, 3U);
        return std::pair(engine.launches(), levels);
    };
    const auto [all, levels] = launches(comm::ExchangeFormat::bitmap, DirectionChoice::bottom_up, 1024);
    EXPECT_EQ(all, levels);
    const std::size_t some = launches(comm::ExchangeFormat::automatic, DirectionChoice::bottom_up, 1024).first;
    EXPECT_GT(some, 1U);
    EXPECT_LT(some, levels);  // the last levels find few vertices
    EXPECT_EQ(launches(comm::ExchangeFormat::list, DirectionChoice::bottom_up, 1024).first, 0U);
    EXPECT_EQ(launches(comm::ExchangeFormat::bitmap, DirectionChoice::top_down, 1024).first, 0U);
    EXPECT_EQ(launches(comm::ExchangeFormat::bitmap, DirectionChoice::bottom_up, graph.block.slot_stride).first,
              0U);  // a level of one stretch is searched whole
    EXPECT_EQ(launches(comm::ExchangeFormat::bitmap, DirectionChoice::bottom_up, 1024, false).first, 0U);
}

TEST_F(StretchedSearchTest, MessagesAreUnderWayDuringTheSearch)
{
    const ThreadGuard guard(1);
    const TestGraph test = large_graph(false);
    const EdgeList share = share_of(test.graph, Deal::in_turn, rank, ranks);
    for (const comm::GridShape shape : shapes_of(ranks)) {
        SCOPED_TRACE(to_text(shape));
        const comm::ProcessGrid grid(world, shape);
        const DistributedGraph graph = construct(grid, ListFeed(share));
        StretchedEngine engine(graph.block, 1024, static_cast<std::uint64_t>(rank));
        PhaseLog log;
        BfsOptions options;
        options.exchange = comm::ExchangeFormat::bitmap;
        options.direction.choice = DirectionChoice::bottom_up;
        options.log = &log;
        BfsSearch search(grid, graph, engine, options);
        const auto levels = static_cast<int>(search.run(12).records.size());
        std::map<int, Span> searches;
        // By name and level.
        std::map<std::pair<std::string_view, int>, std::vector<Span>> stretches;
        for (const Span& span : log.spans()) {
            if (span.name == "search") searches[span.level] = span;
            if (span.stretch != Span::kNoStretch) stretches[{span.name, span.level}].push_back(span);
        }
        const std::size_t count = (graph.block.slot_stride + 1023) / 1024;
        for (int level = 1; level <= levels; ++level) {
            EXPECT_EQ(stretches.contains({"stretch fold", level}), shape.columns > 1);
            EXPECT_EQ(stretches.contains({"stretch gather", level}), shape.rows > 1);
        }
        for (const auto& [name_and_level, spans] : stretches) {
            ASSERT_EQ(spans.size(), count);
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_EQ(spans[i].stretch, static_cast<int>(i));
                EXPECT_LE(spans[i].begin, spans[i].end);
                if (i > 0) {
                    EXPECT_GE(spans[i].begin, spans[i - 1].end);
                }
            }
            const Span& whole = searches.at(name_and_level.second);
            EXPECT_GE(spans.front().begin, whole.begin);
            // Without folds a gather starts as soon as a stretch is taken.
            if (name_and_level.first == "stretch fold" || shape.columns == 1) {
                ASSERT_GE(count, 4U);
                EXPECT_LT(spans.front().begin, whole.end);
            }
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
