// Times of single searches, for the rates by which `auto` chooses the processors of bfs and sssp. A part of
// session/tuning.hpp.
#pragma once

#include <functional>
#include <string>

#include "job/job.hpp"
#include "plan/engine.hpp"
#include "plan/rates.hpp"

namespace wayfront::session {

struct SearchTimes
{
    double preparation_seconds = 0;  // from the loaded graph to the first search
    double search_seconds = 0;       // the least of searches from several sources
    /// The seconds of a search that these rates give.
    std::function<double(const plan::Rates&)> estimate;
};

/// Searches `graph` on these processors. Pre: the job has one rank. Throws an AgreedError.
[[nodiscard]] SearchTimes time_bfs(const job::Job& job, const std::string& graph, Engine engine);
/// The same for shortest paths by push-pull on a GPU.
[[nodiscard]] SearchTimes time_gpu_sssp(const job::Job& job, const std::string& graph, const std::string& weights);

}  // namespace wayfront::session
