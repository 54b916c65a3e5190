#include "plan/rates.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace wayfront::plan {
namespace {

int fails()
{
    throw std::runtime_error("an obstacle");
}

struct Choice
{
    Rates rates{};
    int engine = 0;
};

/// The strings of rates are destroyed once.
TEST(Rates, MayBeInAnAggregateWhoseLaterInitialiserThrows)
{
    EXPECT_THROW(static_cast<void>(Choice{.engine = fails()}), std::runtime_error);
}

}  // namespace
}  // namespace wayfront::plan
