// The numbers of a link, fitted to the times of steps over it.
#pragma once

#include <span>

#include "comm/step_times.hpp"
#include "model/cluster.hpp"

namespace wayfront::model {

/// The ends of measured steps: ranks of one host, or one rank of each host.
enum class LinkEnds { ranks, hosts };

/// Latency from the smallest messages, bandwidth from the largest ones, and as uncertainty the largest
/// factor between a measured time and that of a plan, at least 1.1. Pre: there are steps of both kinds,
/// of two sizes or more.
Link fit_link(std::span<const comm::StepPoint> points, LinkEnds ends);

/// The seconds that plans take such a step for.
double planned_seconds(const Link& link, LinkEnds ends, const comm::StepPoint& point);

}  // namespace wayfront::model
