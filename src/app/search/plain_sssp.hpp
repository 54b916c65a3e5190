// TEMPORARY: a plain Bellman-Ford over ranks, for development until the loop over ranks is there.
#pragma once
#include <memory>

#include "algo/sssp/sssp_search.hpp"
namespace wayfront::app {
std::unique_ptr<algo::SsspSearch> make_plain_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const algo::SsspOptions& options);
}
