// The options that the methods for shortest paths allow, and the errors for others.
#include "plan/sssp_method.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace wayfront::plan {
namespace {

using algo::SsspMethod;

std::string obstacle(SsspMethod method, WeightType type, bool negative)
{
    return weights_obstacle(traits_of(method), "g.el", type, negative);
}

TEST(SsspWeights, OnlyADenseMatrixHasNegativeOnesOnAGpu)
{
    // Bellman-Ford allows them, but the hosts run it.
    for (const SsspMethod method : {SsspMethod::automatic, SsspMethod::bellman_ford, SsspMethod::push_pull,
                                    SsspMethod::near_far, SsspMethod::adaptive})
        EXPECT_EQ(obstacle(method, WeightType::float32, true), "g.el has negative weights") << traits_of(method).name;
    EXPECT_EQ(obstacle(SsspMethod::fixed_order, WeightType::float32, true), "");
    EXPECT_EQ(obstacle(SsspMethod::fixed_order, WeightType::int64, true), "");
}

TEST(SsspWeights, Have32BitsOnAGpu)
{
    for (const WeightType type : {WeightType::uint32, WeightType::float32})
        EXPECT_EQ(obstacle(SsspMethod::push_pull, type, false), "");
    for (const WeightType type : {WeightType::int64, WeightType::float64})
        EXPECT_EQ(obstacle(SsspMethod::push_pull, type, false), "the weights of g.el have 64 bits");
    EXPECT_EQ(obstacle(SsspMethod::fixed_order, WeightType::float64, false), "the weights of g.el have 64 bits");
}

SsspMethodOptions with(SsspMethod method)
{
    SsspMethodOptions options;
    options.method = method;
    return options;
}

std::string error_of(const SsspMethodOptions& options)
{
    try {
        options.check();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(SsspOptions, DeltaIsForWindows)
{
    for (const SsspMethod method :
         {SsspMethod::automatic, SsspMethod::delta_stepping, SsspMethod::push_pull, SsspMethod::near_far}) {
        SsspMethodOptions options = with(method);
        options.delta = 1;
        EXPECT_EQ(error_of(options), "");
    }
    for (const SsspMethod method :
         {SsspMethod::dijkstra, SsspMethod::bellman_ford, SsspMethod::selection, SsspMethod::fixed_order}) {
        SsspMethodOptions options = with(method);
        options.delta = 1;
        EXPECT_EQ(error_of(options), "--delta: --algorithm " + std::string(options.traits().name) + " has no windows");
    }
}

TEST(SsspOptions, PhaseTimesAreForTheAdaptiveMethod)
{
    SsspMethodOptions options = with(SsspMethod::selection);
    options.phase_times = algo::PhaseTimes{1, 1};
    EXPECT_EQ(error_of(options), "--phase-times is for --algorithm adaptive");
    options.method = SsspMethod::adaptive;
    EXPECT_EQ(error_of(options), "");
}

TEST(SsspOptions, SomeMethodsNeedAGpu)
{
    for (const SsspMethod method : {SsspMethod::near_far, SsspMethod::conventional, SsspMethod::fixed_order}) {
        SsspMethodOptions options = with(method);
        options.engine.engine = Engine::cpu;
        EXPECT_EQ(error_of(options),
                  "--engine cpu: --algorithm " + std::string(options.traits().name) + " runs on a GPU alone");
    }
}

TEST(SsspOptions, NamesAreThoseOfTheHelp)
{
    for (const char* name :
         {"auto", "dijkstra", "delta-stepping", "bellman-ford", "push-pull", "near-far", "fixed-order"})
        EXPECT_EQ(traits_of(sssp_method_named(name)).name, name);
    EXPECT_THROW((void)sssp_method_named("a-star"), InputError);
    const std::string help = SsspMethodOptions::notes();
    EXPECT_LT(help.find("near-far"), help.find("Algorithms of papers"));
    EXPECT_GT(help.find("conventional"), help.find("Algorithms of papers"));
}

}  // namespace
}  // namespace wayfront::plan
