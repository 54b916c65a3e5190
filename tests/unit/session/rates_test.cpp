// The file of rates, and the fit of rates to times.
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/agreed.hpp"
#include "base/error.hpp"
#include "session/rates_file.hpp"
#include "session/tuning.hpp"
#include "support/io_testing.hpp"

namespace wayfront::session {
namespace {

using io_testing::message_of;
using io_testing::TemporaryFolder;

plan::Rates measured_rates(const std::string& machine = "this one")
{
    plan::Rates rates;
    rates.machine = machine;
    rates.date = "2026-11-27";
    return rates;
}

TEST(Rates, AFileHasWhatWasWritten)
{
    plan::Rates rates = measured_rates();
    rates.core.search_arc = 1.25e-9;
    const plan::Rates read = rates_from_text(rates_document(rates).dump(), "FILE");
    EXPECT_EQ(read.machine, "this one");
    EXPECT_EQ(read.date, "2026-11-27");
    EXPECT_EQ(read.core.search_arc, 1.25e-9);
    EXPECT_EQ(read.core.trace_vertex, plan::CoreRates{}.trace_vertex);
    EXPECT_EQ(rates_from_text(R"({"wayfront_rates": 2, "machine": "m", "date": "d", "core": {}})", "FILE").core.set_arc,
              plan::CoreRates{}.set_arc);
}

TEST(Rates, AFileHasThoseOfAGpuThatWasMeasured)
{
    plan::Rates rates = measured_rates();
    rates.gpu_machine = "a GPU";
    EXPECT_FALSE(rates_document(measured_rates()).contains("gpu"));
    rates.gpu.bit_element = 1.5e-12;
    const plan::Rates read = rates_from_text(rates_document(rates).dump(), "FILE");
    EXPECT_EQ(read.gpu_machine, "a GPU");
    EXPECT_EQ(read.gpu.bit_element, 1.5e-12);
    EXPECT_EQ(read.gpu.relaxation, plan::GpuRates{}.relaxation);
    const std::string core_alone = R"({"wayfront_rates": 2, "machine": "m", "date": "d", "core": {})";
    EXPECT_EQ(rates_from_text(core_alone + "}", "FILE").gpu_machine, plan::Rates().gpu_machine);
    const auto fault = [&](const std::string& rest) {
        return message_of<InputError>([&] { static_cast<void>(rates_from_text(core_alone + rest + "}", "FILE")); });
    };
    EXPECT_EQ(fault(R"(, "gpu": {})"), "FILE: expected a text as \"gpu_machine\"");
    EXPECT_EQ(fault(R"(, "gpu_machine": "g", "gpu": {"bit_element": -1})"),
              "FILE: expected seconds above 0 as \"bit_element\", found -1");
    EXPECT_EQ(fault(R"(, "gpu_machine": "g", "gpu": {"bits": 1})"),
              "FILE: has a rate of another name than those of wayfront tune");
}

TEST(Rates, FaultsOfAFileAreNamed)
{
    const auto fault = [](const std::string& text) {
        return message_of<InputError>([&] { static_cast<void>(rates_from_text(text, "FILE")); });
    };
    const auto with_core = [&](const std::string& core) {
        return fault(R"({"wayfront_rates": 2, "machine": "m", "date": "d", "core": )" + core + "}");
    };
    for (const char* const text : {"", "{", "[]", "{}", "3"})
        EXPECT_EQ(fault(text), "FILE: expected a file that wayfront tune has written");
    EXPECT_EQ(fault(R"({"wayfront_rates": 1})"), "FILE: is for another version of wayfront; run wayfront tune again");
    EXPECT_EQ(fault(R"({"wayfront_rates": 2, "machine": 7})"), "FILE: expected a text as \"machine\"");
    EXPECT_EQ(with_core("3"), "FILE: expected an object as \"core\"");
    EXPECT_EQ(with_core(R"({"search_arc": 0})"), "FILE: expected seconds above 0 as \"search_arc\", found 0");
    EXPECT_EQ(with_core(R"({"search_arc": "fast"})"),
              "FILE: expected seconds above 0 as \"search_arc\", found \"fast\"");
    EXPECT_EQ(with_core(R"({"serch_arc": 1})"), "FILE: has a rate of another name than those of wayfront tune");
}

TEST(Rates, TheFitReturnsThoseOfAnEstimateWithAConstant)
{
    const std::vector<double> rates{2e-9, 5e-8};
    const auto estimate_of = [](double arcs, double vertices) {
        return [=](std::span<const double> of) { return 1e-3 + arcs * of[0] + vertices * of[1]; };
    };
    std::vector<TimedJob> jobs;
    for (const auto& [arcs, vertices, rate] : {std::tuple{1e6, 1e3, 0}, std::tuple{1e4, 1e5, 1}}) {
        const auto estimate = estimate_of(arcs, vertices);
        const EstimateParts parts = parts_of_estimate(rates.size(), estimate);
        EXPECT_DOUBLE_EQ(parts.without_rates, 1e-3);
        jobs.push_back({estimate(rates) - parts.without_rates, parts.coefficients, static_cast<std::size_t>(rate)});
    }
    const std::vector<double> fitted = fitted_rates({1e-9, 1e-9}, jobs);
    EXPECT_NEAR(fitted[0], rates[0], 1e-13);
    EXPECT_NEAR(fitted[1], rates[1], 1e-12);
}

TEST(Rates, AMissingFileThatIsNamedIsAnError)
{
    const TemporaryFolder folder;
    const comm::Communicator alone = comm::Communicator::alone();
    EXPECT_EQ(message_of<AgreedError>([&] { static_cast<void>(find_rates(alone, folder.file("missing.json"))); }),
              "--rates: " + folder.file("missing.json") + ": No such file or directory");
    const std::string file = folder.write("rates.json", rates_document(measured_rates("named")).dump());
    EXPECT_EQ(find_rates(alone, file).rates.machine, "named");
    EXPECT_EQ(find_rates(alone, file).note, "");
}

TEST(Rates, AreFittedToTimes)
{
    // Two rates of 2 and 5 explain these times; the third has no job.
    const std::vector<TimedJob> jobs{{.seconds = 10 * 2 + 5, .coefficients = {10, 1, 0}, .rate = 0},
                                     {.seconds = 2 + 20 * 5, .coefficients = {1, 20, 0}, .rate = 1}};
    const std::vector<double> rates = fitted_rates({1, 1, 7}, jobs);
    EXPECT_NEAR(rates[0], 2, 1e-12);
    EXPECT_NEAR(rates[1], 5, 1e-12);
    EXPECT_EQ(rates[2], 7);
}

TEST(Rates, StayWithoutAPartInTheirJobs)
{
    const std::vector<TimedJob> jobs{{.seconds = 8, .coefficients = {0, 4}, .rate = 0},
                                     {.seconds = 8, .coefficients = {0, 4}, .rate = 1}};
    EXPECT_EQ(fitted_rates({3, 1}, jobs), (std::vector<double>{3, 2}));
}

TEST(Rates, StayAboveZeroIfTheOthersExplainAllTime)
{
    const std::vector<TimedJob> jobs{{.seconds = 1, .coefficients = {1, 4}, .rate = 0}};
    EXPECT_DOUBLE_EQ(fitted_rates({1, 1}, jobs)[0], 0.05);
}

}  // namespace
}  // namespace wayfront::session
