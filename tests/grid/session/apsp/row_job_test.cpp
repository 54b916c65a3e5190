// The rows of all pairs over ranks: output, summary, and resuming from a checkpoint.
#include "session/apsp/row_job.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algo/apsp/row_loop.hpp"
#include "base/agreed.hpp"
#include "cpu/apsp/arc_list_rows.hpp"
#include "cpu/apsp/bit_parallel.hpp"
#include "cpu/apsp/floyd_warshall.hpp"
#include "job/listener.hpp"
#include "job/stop_request.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::session {
namespace {

constexpr std::int64_t kVertices = 150;

class RowJobTest : public GridTest
{
protected:
    RowJobTest() : grid_(comm::Communicator::self(), {1, 1})
    {
        std::string folder = (std::filesystem::temp_directory_path() / "wayfront-rows-XXXXXX").string();
        if (rank == 0 && ::mkdtemp(folder.data()) == nullptr) ADD_FAILURE() << folder;
        folder_ = world.broadcast(folder, 0);
        sources_.resize(kVertices);
        std::iota(sources_.begin(), sources_.end(), Vertex{0});
    }
    ~RowJobTest() override
    {
        world.barrier();
        if (rank == 0) std::filesystem::remove_all(folder_);
    }

    struct Outcome
    {
        std::string file;
        std::string checkpoint;  // the checkpoint of all rows
        algo::Summary summary{kVertices, true};
    };

    /// Makes all rows that are not done in the checkpoint `begin`. The file has the rows that are
    /// done. Collective.
    Outcome run(algo::RowProducer& producer, const RowCheckpoint& begin = {}, const std::string& rows = {})
    {
        const std::string path = folder_ + "/d.npy";
        const std::string saved = folder_ + "/c";
        if (rank == 0 && !rows.empty()) std::ofstream(path + ".unfinished", std::ios::binary) << rows;
        world.barrier();
        Outcome outcome;
        job::Progress progress(job_, "rows");
        MatrixFile file(job_,
                        {.path = path,
                         .type = producer.type(),
                         .unfinished = rows.empty() ? Unfinished::kept : Unfinished::resumed},
                        {sources_, kVertices});
        RowJob job{.sources = sources_,
                   .producer = producer,
                   .summary = &outcome.summary,
                   .files = {&file},
                   .consumers = {},
                   .progress = progress,
                   .checkpoint = saved,
                   .checkpoint_seconds = 1000,
                   .begin = begin};
        run_rows(job_, job);
        file.commit(job_);
        world.barrier();
        outcome.file = content(path);
        outcome.checkpoint = content(saved);
        world.barrier();
        if (rank == 0) remove_checkpoints(saved);
        return outcome;
    }

    static std::string content(const std::string& path)
    {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    const ThreadGuard threads_{2};
    const job::Job job_{world, 2, std::make_shared<job::NoteForwarder>()};
    const comm::ProcessGrid grid_;
    std::string folder_;
    std::vector<Vertex> sources_;
};

void expect_same(const algo::Summary& a, const algo::Summary& b)
{
    for (std::size_t i = 0; i < a.rows().size(); ++i) {
        EXPECT_EQ(a.rows()[i].reached, b.rows()[i].reached) << i;
        EXPECT_EQ(a.rows()[i].eccentricity, b.rows()[i].eccentricity) << i;
        EXPECT_EQ(a.rows()[i].sum, b.rows()[i].sum) << i;
    }
    EXPECT_EQ(a.histogram().exponent(), b.histogram().exponent());
    EXPECT_TRUE(std::ranges::equal(a.histogram().counts(), b.histogram().counts()));
}

TEST_F(RowJobTest, AnyNumberOfRanksMakesTheSame)
{
    const auto graph = random_weighted_graph<std::uint32_t>(kVertices, 700, true, 0, 9, 2);
    const DistributedGraph constructed = construct(grid_, ShareFeed<std::uint32_t>(graph, 0, 1));
    const auto producer = cpu::make_dijkstra_rows(
        constructed, {.type = algo::DistanceType::uint16, .most_distance = 2000, .batch_bytes = 4096});
    const Outcome whole = run(*producer);
    algo::Summary expected(kVertices, true);
    for (std::int64_t source = 0; source < kVertices; ++source) {
        const std::vector<std::int64_t> row = oracle::dijkstra(graph, source);
        std::vector<std::uint16_t> distances(row.size());
        std::ranges::transform(row, distances.begin(), [](std::int64_t distance) {
            return distance == oracle::infinity<std::int64_t>() ? unreached<std::uint16_t>()
                                                                : static_cast<std::uint16_t>(distance);
        });
        const std::size_t at = whole.file.size() - 2 * kVertices * static_cast<std::size_t>(kVertices - source);
        EXPECT_EQ(std::memcmp(whole.file.data() + at, distances.data(), 2 * kVertices), 0) << source;
        expected.set_row(static_cast<std::size_t>(source),
                         algo::facts_of_row(std::span<const std::uint16_t>(distances), source, expected.histogram()));
    }
    expect_same(whole.summary, expected);

    // The file and the checkpoint of a job that was stopped have these rows only.
    std::optional<RowCheckpoint> stopped = decode(whole.checkpoint);
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->done_rows(), sources_.size());
    EXPECT_EQ(stopped->outputs.size(), 1U);
    const std::vector<algo::RowFacts> facts = stopped->facts;
    stopped->done = {{3, 20}, {70, 71}, {140, 150}};
    stopped->outputs.clear();
    stopped->facts.clear();
    algo::DistanceHistogram histogram;
    std::string rows = whole.file;
    std::fill(rows.end() - 2 * kVertices * kVertices, rows.end(), '\0');
    for (const IndexRange range : stopped->done) {
        const std::size_t begin = whole.file.size() - 2 * kVertices * (kVertices - range.first);
        std::copy_n(whole.file.begin() + static_cast<std::ptrdiff_t>(begin), 2 * kVertices * range.size(),
                    rows.begin() + static_cast<std::ptrdiff_t>(begin));
        for (std::size_t row = range.first; row < range.last; ++row) {
            stopped->facts.push_back(facts[row]);
            std::vector<std::uint16_t> distances(kVertices);
            std::memcpy(distances.data(), whole.file.data() + begin + 2 * kVertices * (row - range.first),
                        2 * kVertices);
            (void)algo::facts_of_row(std::span<const std::uint16_t>(distances), static_cast<Vertex>(row), histogram);
        }
    }
    stopped->exponent = histogram.exponent();
    stopped->counts.assign(histogram.counts().begin(), histogram.counts().end());
    const Outcome resumed = run(*producer, *stopped, rows);
    EXPECT_TRUE(resumed.file == whole.file);
    expect_same(resumed.summary, whole.summary);
}

TEST_F(RowJobTest, UnweightedGraph)
{
    auto graph = random_weighted_graph<std::uint32_t>(kVertices, 300, false, 1, 1, 4);
    const DistributedGraph constructed = construct(grid_, ShareFeed<std::uint32_t>(graph, 0, 1));
    const auto levels =
        cpu::make_bit_parallel_rows(constructed, {.type = algo::DistanceType::uint16, .sources_a_thread = 64});
    const auto searches =
        cpu::make_dijkstra_rows(constructed, {.type = algo::DistanceType::uint16, .most_distance = kVertices});
    const Outcome a = run(*levels);
    const Outcome b = run(*searches);
    EXPECT_TRUE(a.file == b.file);
    expect_same(a.summary, b.summary);
}

/// An engine that can summarise the rows of all ranks at once. Source v reaches v + 1 vertices at
/// distance 2.
class TogetherRows final : public algo::RowProducer
{
public:
    explicit TogetherRows(const comm::Communicator& world) : world_(world) {}

    [[nodiscard]] std::string description() const override { return "rows of all ranks at once"; }
    [[nodiscard]] algo::DistanceType type() const override { return algo::DistanceType::uint16; }
    [[nodiscard]] std::size_t batch_rows() const override { return 8; }
    void launch(std::span<const Vertex> /*sources*/) override { ADD_FAILURE() << "no rows are wanted"; }
    [[nodiscard]] algo::RowBatch collect() override { return {}; }
    void summarise(std::size_t first, std::span<const Vertex> sources, algo::Summary& summary) override
    {
        EXPECT_EQ(world_.size(), 1);
        for (std::size_t i = 0; i < sources.size(); ++i) add(first + i, sources[i], summary);
    }
    bool summarise_together(std::span<const Vertex> sources, std::span<const IndexRange> left,
                            algo::Summary& summary) override
    {
        ++calls;
        for (const IndexRange range : algo::part_of_ranges(left, static_cast<std::size_t>(world_.rank()),
                                                           static_cast<std::size_t>(world_.size())))
            for (std::size_t position = range.first; position < range.last; ++position)
                add(position, sources[position], summary);
        return true;
    }

    int calls = 0;

private:
    static void add(std::size_t position, Vertex source, algo::Summary& summary)
    {
        const auto reached = static_cast<std::uint64_t>(source) + 1;
        summary.set_row(position, {reached, 2, 2 * static_cast<double>(reached)});
        summary.histogram().add(2, reached);
    }

    const comm::Communicator& world_;
};

TEST_F(RowJobTest, RanksSummariseTogether)
{
    const auto summarise = [&](const RowCheckpoint& begin, algo::Summary& summary) {
        TogetherRows producer(world);
        job::Progress progress(job_, "rows");
        const std::string saved = folder_ + "/c";
        RowJob job{.sources = sources_,
                   .producer = producer,
                   .summary = &summary,
                   .files = {},
                   .consumers = {},
                   .progress = progress,
                   .checkpoint = saved,
                   .checkpoint_seconds = 1000,
                   .begin = begin};
        run_rows(job_, job);
        EXPECT_EQ(producer.calls, ranks > 1 && begin.done_rows() < sources_.size() ? 1 : 0);
        world.barrier();
        std::string checkpoint = content(saved);
        world.barrier();
        if (rank == 0) remove_checkpoints(saved);
        return checkpoint;
    };
    algo::Summary whole(kVertices, true);
    std::optional<RowCheckpoint> done = decode(summarise({}, whole));
    ASSERT_TRUE(done);
    EXPECT_EQ(done->done_rows(), sources_.size());
    for (std::size_t position = 0; position < sources_.size(); ++position)
        EXPECT_EQ(whole.rows()[position].reached, position + 1);
    EXPECT_EQ(whole.histogram().counts()[2], std::uint64_t{kVertices} * (kVertices + 1) / 2);

    // A job that was stopped after some rows.
    RowCheckpoint stopped = *done;
    stopped.done = {{0, 5}, {90, 100}};
    stopped.facts.clear();
    std::uint64_t pairs = 0;
    for (const IndexRange range : stopped.done)
        for (std::size_t position = range.first; position < range.last; ++position) {
            stopped.facts.push_back(whole.rows()[position]);
            pairs += position + 1;
        }
    stopped.counts = {0, 0, pairs};
    algo::Summary resumed(kVertices, true);
    done = decode(summarise(stopped, resumed));
    ASSERT_TRUE(done);
    EXPECT_EQ(done->done_rows(), sources_.size());
    expect_same(resumed, whole);
}

TEST_F(RowJobTest, MatrixIsSavedAtSigterm)
{
    const auto graph = random_weighted_graph<float>(kVertices, 700, true, 1, 9, 2);
    const DistributedGraph constructed = construct(grid_, ShareFeed<float>(graph, 0, 1));
    /// Computes all rows in 5 steps. Stops after a step if a stop is requested. Collective.
    const auto run_with = [&](const std::string& checkpoint, const RowCheckpoint& begin, algo::Summary& summary) {
        algo::MatrixRanks shares{std::make_unique<comm::ProcessGrid>(world, shapes_of(ranks).back()), {}};
        for (std::size_t other = 0; other < static_cast<std::size_t>(ranks); ++other) {
            const IndexRange part = part_of(kVertices, other, static_cast<std::size_t>(ranks));
            shares.wanted.emplace_back(sources_.begin() + static_cast<std::ptrdiff_t>(part.first),
                                       sources_.begin() + static_cast<std::ptrdiff_t>(part.last));
        }
        const auto producer = algo::make_matrix_rows(
            cpu::make_floyd_warshall(constructed, {.type = algo::DistanceType::float32, .tile = 32}, std::move(shares)),
            nullptr);
        job::Progress progress(job_, "rows");
        RowJob job{.sources = sources_,
                   .producer = *producer,
                   .summary = &summary,
                   .files = {},
                   .consumers = {},
                   .progress = progress,
                   .checkpoint = checkpoint,
                   .checkpoint_seconds = 1000,
                   .begin = begin};
        run_rows(job_, job);
        return job.steps_before;
    };
    algo::Summary whole(kVertices, false);
    EXPECT_EQ(run_with("", {}, whole), 0U);

    const auto code_if_stopped = [&](const std::string& checkpoint) {
        const job::StopRequest stop;
        std::raise(SIGTERM);
        algo::Summary none(kVertices, false);
        try {
            run_with(checkpoint, {}, none);
        } catch (const AgreedError& error) {
            return error.code();
        }
        return ExitCode::good;
    };
    EXPECT_EQ(code_if_stopped(folder_ + "/missing/c"), ExitCode::resources);
    EXPECT_EQ(code_if_stopped(folder_ + "/c"), ExitCode::stopped);
    world.barrier();
    const std::optional<RowCheckpoint> stopped = decode(content(folder_ + "/c"));
    ASSERT_TRUE(stopped);
    const job::StopRequest fresh;  // the previous request has no effect
    algo::Summary resumed(kVertices, false);
    EXPECT_EQ(run_with(folder_ + "/c", *stopped, resumed), 1U);
    expect_same(resumed, whole);
}

}  // namespace
}  // namespace wayfront::session
