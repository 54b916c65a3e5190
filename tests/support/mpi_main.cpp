// The main program of the grid and GPU tests. All ranks run the same tests in the same order. The
// job fails if a test fails on any rank, and counts as skipped only if every test was skipped on
// every rank.
//
// Rank 0 prints like GoogleTest; the others only print their failures. A failure that ends a test
// early on one rank could leave the others waiting in a collective call, so it ends the job at
// once.
#include <cstdlib>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/session.hpp"

namespace {

constexpr int kExitSkipped = 77;  // SKIP_RETURN_CODE in tests/CMakeLists.txt

class RankListener : public testing::EmptyTestEventListener
{
public:
    RankListener(int rank, int ranks) : rank_(rank), ranks_(ranks) {}

    void OnTestStart(const testing::TestInfo& info) override
    {
        test_ = std::string(info.test_suite_name()) + "." + info.name();
    }

    void OnTestPartResult(const testing::TestPartResult& result) override
    {
        if (!result.failed()) return;
        std::ostringstream text;
        text << "rank " << rank_ << " of " << ranks_ << ", " << test_ << ": "
             << (result.file_name() != nullptr ? result.file_name() : "?") << ':' << result.line_number() << ": "
             << result.summary() << '\n';
        std::cerr << text.str() << std::flush;
        if (result.fatally_failed() && ranks_ > 1) wayfront::comm::Session::abort(EXIT_FAILURE);
    }

private:
    int rank_;
    int ranks_;
    std::string test_;
};

}  // namespace

int main(int argc, char** argv)
{
    const wayfront::comm::Session session(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    const wayfront::comm::Communicator world = wayfront::comm::Communicator::world();
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (world.rank() != 0) delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new RankListener(world.rank(), world.size()));  // GoogleTest owns it
    const bool failed = RUN_ALL_TESTS() != 0;
    if (world.any(failed)) return EXIT_FAILURE;
    const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
    const bool skipped = tests.skipped_test_count() > 0 && tests.skipped_test_count() == tests.test_to_run_count();
    return world.any(!skipped) ? EXIT_SUCCESS : kExitSkipped;
}
