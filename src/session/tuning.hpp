// Measures the rates of this machine's cores and of its GPU: small jobs of all pairs run by each
// method, and the rates are fitted to their times.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "job/job.hpp"
#include "plan/rates.hpp"

namespace wayfront::session {

/// The time of a job, and the coefficients of its estimate, which is the sum of coefficient times
/// rate.
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
