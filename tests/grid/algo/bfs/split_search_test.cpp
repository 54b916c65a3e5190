// Searches whose blocks are divided between two engines. Both are CPU engines, so that the split is
// tested without a GPU.
#include "algo/bfs/row_split.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "support/bfs_testing.hpp"
#include "support/sanitized.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::algo {
namespace {

/// A CPU engine that behaves like a GPU's: it keeps `seen` and `parents` to itself until the search
/// ends, has its own copy of the block, accepts a frontier in either form, and answers in the other
/// form.
class DistantEngine final : public EdgeEngine
{
public:
    explicit DistantEngine(const CsrBlock& block)
        : block_(take_rows(block, all_words(block.rows()).span())),
          engine_(block_),
          frontier_(block.cols()),
          seen_(word_count(block.rows())),
          parents_(block.rows()),
          found_(block.rows())
    {
    }

    std::string_view name() const override { return "distant"; }
    bool takes_either_form() const override { return true; }
    bool has_own_copy() const override { return true; }
    void begin_search(std::uint32_t seen_row) override
    {
        std::ranges::fill(seen_, 0);
        if (seen_row != kNoLocal) set_bit(seen_.data(), seen_row);
    }
    void launch_top_down(const FrontierView& frontier, Discoveries& discoveries) override
    {
        launch(true, frontier, discoveries);
    }
    void launch_bottom_up(const FrontierView& frontier, Discoveries& discoveries) override
    {
        launch(false, frontier, discoveries);
    }
    void collect() override
    {
        Discoveries own{.seen = seen_.data(),
                        .parents = parents_.data(),
                        .list = found_.list.data(),
                        .found = found_.bitmap.data()};
        const FrontierView frontier{frontier_.members(), frontier_.bitmap.data(), frontier_.count};
        top_down_ ? engine_.launch_top_down(frontier, own) : engine_.launch_bottom_up(frontier, own);
        engine_.collect();
        found_.count = own.count;
        found_.has_list = own.as_list;
        found_.has_bitmap = !own.as_list;
        asked_->count = own.count;
        asked_->as_list = !own.as_list;
        if (asked_->as_list) {
            found_.need_list();
            std::ranges::copy(found_.members(), asked_->list);
        } else {
            found_.need_bitmap();
            std::copy_n(found_.bitmap.data(), seen_.size(), asked_->found);
        }
    }
    void end_search(const Discoveries& discoveries) override
    {
        std::ranges::copy(seen_, discoveries.seen);
        std::ranges::copy(parents_, discoveries.parents);
    }

private:
    static HostBuffer<std::uint32_t> all_words(std::size_t rows)
    {
        HostBuffer<std::uint32_t> words(word_count(rows));
        for (std::uint32_t w = 0; w < words.size(); ++w) words[w] = w;
        return words;
    }

    void launch(bool top_down, const FrontierView& frontier, Discoveries& discoveries)
    {
        top_down_ = top_down;
        asked_ = &discoveries;
        if (discoveries.seen_changed) std::copy_n(discoveries.seen, seen_.size(), seen_.data());
        take_in_both_forms(frontier, frontier_);
    }

    CsrBlock block_;
    cpu::CpuEngine engine_;
    comm::SlotSet frontier_;
    HostBuffer<std::uint64_t> seen_;
    HostBuffer<std::uint32_t> parents_;
    comm::SlotSet found_;
    bool top_down_ = false;
    Discoveries* asked_ = nullptr;
};

std::unique_ptr<EdgeEngine> cpu_engine(const CsrBlock& block)
{
    return std::make_unique<cpu::CpuEngine>(block, cpu::CpuTuning{0, 0});
}

std::unique_ptr<EdgeEngine> distant_engine(const CsrBlock& block)
{
    return std::make_unique<DistantEngine>(block);
}

EngineMaker split_engine(const EngineMaker& first, const EngineMaker& second, std::optional<double> share)
{
    return [=](const CsrBlock& block) { return std::make_unique<SplitEngine>(block, first, second, share); };
}

class SplitSearchTest : public BfsTest
{
protected:
    void check_all(const EngineMaker& make_engine)
    {
        std::vector<BfsOptions> choices = crowded ? std::vector<BfsOptions>{restless()} : directions_only();
        choices.front().smallest_parents = true;
        for (BfsOptions& options : choices) options.levels = true;
        for_small_graphs([&](const comm::ProcessGrid& grid, const TestGraph& test, Oracle& serial) {
            check_graph(grid, test, serial, choices, make_engine);
        });
    }
};

TEST_F(SplitSearchTest, AnEngineWhoseMemoryIsNotTheHosts)
{
    const ThreadGuard guard(1);
    check_all(distant_engine);
}

TEST_F(SplitSearchTest, EveryShareOfTwoEngines)
{
    const ThreadGuard guard(1);
    const std::vector<double> shares = kSanitized ? std::vector{0.0, 0.5, 1.0} : std::vector{0.0, 0.1, 0.5, 0.9, 1.0};
    for (const double share : shares) {
        SCOPED_TRACE(share);
        check_all(split_engine(cpu_engine, cpu_engine, share));
    }
}

TEST_F(SplitSearchTest, HalvesThatAnswerInDifferentForms)
{
    const ThreadGuard guard(1);
    const std::vector<double> shares = kSanitized ? std::vector{0.1} : std::vector{0.1, 0.5};
    for (const double share : shares) {
        SCOPED_TRACE(share);
        check_all(split_engine(cpu_engine, distant_engine, share));
    }
    check_all(split_engine(distant_engine, distant_engine, 0.4));
}

TEST_F(SplitSearchTest, AShareThatIsMeasured)
{
    const ThreadGuard guard(2);
    check_all(split_engine(cpu_engine, distant_engine, std::nullopt));
}

TEST_F(SplitSearchTest, ALargerGraphOnTwoThreads)
{
    const ThreadGuard guard(2);
    std::vector<BfsOptions> choices = directions_only();
    for (const bool directed : {false, true}) {
        TestGraph test{directed ? "LargeDirected" : "Large", random_graph(70001, 300000, directed, 51), {70000, 12}};
        for (std::int64_t v = 0; v < 60000; v += 2) test.graph.edges.emplace_back(5, v);  // a hub
        Oracle serial(test.graph);
        for (const comm::GridShape shape : {shapes_of(ranks).front(), shapes_of(ranks).back()}) {
            const comm::ProcessGrid grid(world, shape);
            check_graph(grid, test, serial, choices, split_engine(cpu_engine, distant_engine, 0.3));
        }
    }
}

}  // namespace
}  // namespace wayfront::algo
