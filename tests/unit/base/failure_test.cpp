// How the program describes exceptions.
#include "base/failure.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

namespace wayfront {
namespace {

template <typename Exception>
Failure failure_of(const Exception& exception)
{
    try {
        throw exception;
    } catch (...) {
        return describe_current_exception();
    }
}

TEST(Failures, OfTheProgramsOwnKindsSpeakForThemselves)
{
    const Failure failure = failure_of(InputError("g.gr: the file is empty"));
    EXPECT_EQ(failure.message, "g.gr: the file is empty");
    EXPECT_EQ(failure.code, ExitCode::bad_input);
}

TEST(Failures, OfMemoryAreAMatterOfResources)
{
    EXPECT_EQ(failure_of(std::bad_alloc()).code, ExitCode::resources);
}

TEST(Failures, OfThreadsThatCannotBeCreatedAreAMatterOfResources)
{
    const Failure failure =
        failure_of(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)));
    EXPECT_EQ(failure.code, ExitCode::resources);
    EXPECT_EQ(failure.message, "a thread cannot be created: the number of processes or the memory is limited");
}

TEST(Failures, ThatNobodyExpectedAskForAReport)
{
    EXPECT_EQ(failure_of(std::logic_error("no such level")).message, "internal error (please report): no such level");
    EXPECT_EQ(failure_of(5).message, "internal error (please report): an exception of unknown type");
    EXPECT_EQ(failure_of(5).code, ExitCode::wrong_result);
}

}  // namespace
}  // namespace wayfront
