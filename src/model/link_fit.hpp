// The numbers of a link, fitted to the times of steps over it.
#pragma once

#include <span>

#include "comm/step_times.hpp"
#include "model/cluster.hpp"

namespace wayfront::model {

/// Latency from the smallest messages, bandwidth from the largest ones, and as uncertainty the largest
/// factor between a measured time and that of the link, at least 1.1. Pre: there are steps of both
/// kinds, of two sizes or more.
Link fit_link(std::span<const comm::StepPoint> points);

/// The seconds of a step over a link, each of whose ends is one rank.
double step_seconds(const Link& link, const comm::StepPoint& point);

}  // namespace wayfront::model
