#include "session/prepared_graph.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/agreed.hpp"
#include "base/error.hpp"
#include "comm/communicator.hpp"
#include "job/job.hpp"
#include "job/listener.hpp"

namespace wayfront::session {
namespace {

TEST(ConstructOnGpu, LeavesTheGraphToTheHostIfMemoryDoesNotSuffice)
{
    std::vector<std::string> notes;
    const comm::Communicator world = comm::Communicator::alone();
    const job::Job job(world, 1,
                       std::make_shared<job::NoteForwarder>([&](std::string_view note) { notes.emplace_back(note); }));
    EXPECT_TRUE(construct_on_gpu(job, [] {}));
    EXPECT_TRUE(notes.empty());
    EXPECT_FALSE(construct_on_gpu(job, [] { throw ResourceError("out of GPU memory"); }));
    EXPECT_EQ(notes, std::vector<std::string>{"the host constructs the graph, not the GPU: out of GPU memory"});
    EXPECT_THROW((void)construct_on_gpu(job, [] { throw InputError("no such vertex"); }), AgreedError);
}

}  // namespace
}  // namespace wayfront::session
