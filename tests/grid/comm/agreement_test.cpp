// Functions that all ranks run before they agree on the outcome.
#include "comm/agreement.hpp"

#include <string>

#include <gtest/gtest.h>

#include "comm/process_grid.hpp"
#include "support/shapes.hpp"

namespace wayfront::comm {
namespace {

using AgreementTest = GridTest;

template <typename F>
std::string message_of(F&& f)
{
    try {
        f();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_F(AgreementTest, OfOneRankIsThatOfAll)
{
    const int failing = ranks - 1;
    const auto f = [&] {
        if (rank == failing) throw InputError("the last rank fails");
    };
    const std::string name = ranks > 1 ? " (rank " + std::to_string(failing) + ")" : "";
    EXPECT_EQ(message_of([&] { run_agreed(world, f); }), "the last rank fails" + name);
}

TEST_F(AgreementTest, MessagesOfAnAgreedFunctionAreItsFailure)
{
    if (ranks == 1) return;
    const std::string expected = "internal error (please report): a message within a function that must not send any";
    EXPECT_EQ(message_of([&] { run_agreed(world, [&] { world.barrier(); }); }), expected);
    EXPECT_EQ(message_of([&] { static_cast<void>(run_agreed(world, [&] {
                                   return ProcessGrid(world, {ranks, 1});
                               })); }),
              expected);
    EXPECT_EQ(
        message_of([&] { static_cast<void>(run_agreed(world, [&] { return run_agreed(world, [] { return 1; }); })); }),
        expected);
    EXPECT_EQ(message_of([&] {
                  static_cast<void>(run_on_first(world, [&] { return world.broadcast(std::string("text"), 0); }));
              }),
              expected);
}

}  // namespace
}  // namespace wayfront::comm
