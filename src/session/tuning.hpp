// Measures the rates of this machine's cores and of its GPU: small jobs of all pairs run by each
// method, and single searches by those that `auto` compares; the rates are fitted to their times.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "job/job.hpp"
#include "plan/rates.hpp"

namespace wayfront::session {

/// An estimate as a sum: of what no rate decides, and of rates times coefficients.
struct EstimateParts
{
    double without_rates = 0;
    std::vector<double> coefficients;
};

/// The parts of an estimate that follows from `count` rates.
[[nodiscard]] EstimateParts parts_of_estimate(std::size_t count,
                                              const std::function<double(std::span<const double>)>& estimate);

/// The time of a job without what no rate decides, and the coefficients of its estimate.
struct TimedJob
{
    double seconds = 0;
    std::vector<double> coefficients;
    std::size_t rate = 0;  // the position of the rate that the job determines above all
};

/// Fits rates to the times of jobs: each rate such that its job's estimate is right. A rate without a
/// job, or with no part in its job, keeps its value.
[[nodiscard]] std::vector<double> fitted_rates(std::vector<double> rates, std::span<const TimedJob> jobs);

/// Measures the rates on all threads of the job. Pre: the job has one rank. Throws an AgreedError.
[[nodiscard]] plan::CoreRates measure_core_rates(const job::Job& job);

/// Measures those of GpuRates::for_each() on the first GPU, and sets them and the GPU's name. Returns
/// false if no GPU is visible, or, with a note, if it fails; the rates are then as before. Pre: the job
/// has one rank.
[[nodiscard]] bool measure_gpu(const job::Job& job, plan::Rates& rates);

/// The name of this machine's processor, as far as it is known.
[[nodiscard]] std::string processor_name();

}  // namespace wayfront::session
