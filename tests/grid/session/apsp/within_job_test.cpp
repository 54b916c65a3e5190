// The pairs within a limit over ranks: the file does not depend on the ranks, the threads, or on how much a
// rank keeps between counting and writing.
#include "session/apsp/within_job.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "job/listener.hpp"
#include "oracle/dijkstra.hpp"
#include "session/whole_graph.hpp"
#include "support/shapes.hpp"
#include "support/sssp_testing.hpp"
#include "support/thread_guard.hpp"

namespace wayfront::session {
namespace {

constexpr std::int64_t kVertices = 150;
constexpr std::int64_t kLimit = 11;
constexpr std::size_t kPlenty = std::size_t{1} << 28;  // for all rows

class WithinJobTest : public GridTest
{
protected:
    WithinJobTest() : grid_(comm::Communicator::self(), {1, 1})
    {
        std::string folder = (std::filesystem::temp_directory_path() / "wayfront-within-XXXXXX").string();
        if (rank == 0 && ::mkdtemp(folder.data()) == nullptr) ADD_FAILURE() << folder;
        folder_ = world.broadcast(folder, 0);
    }
    ~WithinJobTest() override
    {
        world.barrier();
        if (rank == 0) std::filesystem::remove_all(folder_);
    }

    /// The content of the file, on all ranks. Collective.
    std::string written(const std::string& name, std::size_t kept_bytes, std::size_t batch_entries)
    {
        PreparedPairs pairs;
        pairs.input.list.vertex_count = kVertices;
        pairs.input.first_vertex = 1;
        pairs.sources = sources_;
        pairs.whole.graph =
            std::make_unique<DistributedGraph>(construct(grid_, ShareFeed<std::uint32_t>(graph_, 0, 1)));
        const WithinPlan plan{{.limit = algo::Cutoff(kLimit),
                               .type = algo::DistanceType::int32,
                               .most_distance = kLimit,
                               .batch_entries = batch_entries},
                              true,
                              kept_bytes};
        const auto searches = cpu::make_bounded_searches(*pairs.whole.graph, plan.searches);
        const std::string path = folder_ + '/' + name;
        SparseFile file(job_, path, shape_within(pairs, plan));
        write_within(job_, *searches, pairs, file, plan.kept_bytes);
        world.barrier();
        std::ifstream content(path, std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(content), std::istreambuf_iterator<char>()};
        world.barrier();
        return text;
    }

    const oracle::WeightedGraph<std::int64_t> graph_ =
        random_weighted_graph<std::uint32_t>(kVertices, 600, true, 0, 9, 2);
    std::vector<Vertex> sources_{5, 0, 149, 5};
    const comm::ProcessGrid grid_;
    const job::Job job_{world, 2, std::make_shared<job::NoteForwarder>()};
    std::string folder_;
};

TEST_F(WithinJobTest, TheFileIsThatOfTheOracle)
{
    for (Vertex v = 0; v < kVertices; ++v) sources_.push_back(v);
    std::string lines = "source,target,distance\n";
    std::string entries;
    std::size_t count = 0;
    for (std::size_t row = 0; row < sources_.size(); ++row) {
        const std::vector<std::int64_t> distances = oracle::dijkstra(graph_, sources_[row]);
        for (std::int64_t v = 0; v < kVertices; ++v) {
            const std::int64_t distance = distances[static_cast<std::size_t>(v)];
            if (distance > kLimit) continue;
            const std::string end = std::to_string(v + 1);
            lines += std::to_string(sources_[row] + 1) + ',' + end + ',' + std::to_string(distance) + '\n';
            entries += std::to_string(row + 1) + ' ' + end + ' ' + std::to_string(distance) + '\n';
            ++count;
        }
    }
    const std::string header = "%%MatrixMarket matrix coordinate integer general\n" + std::to_string(sources_.size()) +
                               " 150 " + std::to_string(count) + '\n';
    const ThreadGuard threads(2);
    const std::string arrays = written("whole.npz", kPlenty, std::size_t{1} << 20);
    EXPECT_TRUE(arrays.starts_with("PK"));
    for (const std::size_t kept_bytes : {std::size_t{0}, std::size_t{2000}, kPlenty})
        for (const std::size_t batch_entries : {std::size_t{1}, std::size_t{300}}) {
            SCOPED_TRACE(testing::Message() << kept_bytes << " " << batch_entries);
            EXPECT_TRUE(written("d.csv", kept_bytes, batch_entries) == lines);
            EXPECT_TRUE(written("d.mtx", kept_bytes, batch_entries) == header + entries);
            EXPECT_TRUE(written("d.npz", kept_bytes, batch_entries) == arrays);
        }
}

TEST_F(WithinJobTest, FewSourcesAndNone)
{
    sources_ = {3};
    EXPECT_TRUE(written("d.csv", 0, 1).starts_with("source,target,distance\n4,"));
    sources_ = {};
    EXPECT_EQ(written("d.csv", 0, 1), "source,target,distance\n");
    EXPECT_EQ(written("d.mtx", 0, 1), "%%MatrixMarket matrix coordinate integer general\n0 150 0\n");
    EXPECT_TRUE(written("d.npz", 0, 1).starts_with("PK"));
}

}  // namespace
}  // namespace wayfront::session
