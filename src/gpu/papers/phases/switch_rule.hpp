// The rule by which the adaptive search changes between phases over all vertices and phases over
// the updated vertices. Plain functions for host and device.
//
// The rule follows the paper in phases/view.hpp: it uses the mean time of the current phase and the
// previous one, because phases over all vertices do not count the updated vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "base/host_device.hpp"

namespace wayfront::gpu::sssp {

enum class PhaseMode : std::uint32_t {
    conventional,  // all phases go over all vertices
    selection,     // all phases go over the updated vertices
    adaptive       // the time of a phase determines the kind of the next phase
};

/// Thresholds of the time of a phase, in nanoseconds.
struct PhaseThresholds
{
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    // If the mean time of the last two phases exceeds `up`, phases go over all vertices from then on.
    std::uint64_t up = kNever;
    // If the mean time of the last two phases is less than `down`, phases go over the updated vertices from then on.
    std::uint64_t down = 0;
};

/// A threshold in nanoseconds; kNever if it exceeds 1e19 ns.
[[nodiscard]] inline std::uint64_t nanoseconds_of(double seconds)
{
    const double nanoseconds = seconds * 1e9;
    return nanoseconds < 1e19 ? static_cast<std::uint64_t>(nanoseconds) : PhaseThresholds::kNever;
}

/// The equivalent mode without timed phases, if the thresholds never change the kind of a phase;
/// otherwise `mode`.
[[nodiscard]] constexpr PhaseMode effective_mode(PhaseMode mode, const PhaseThresholds& thresholds)
{
    if (mode != PhaseMode::adaptive) return mode;
    if (thresholds.up == PhaseThresholds::kNever) return PhaseMode::selection;
    if (thresholds.up == 0 && thresholds.down == 0) return PhaseMode::conventional;
    return mode;
}

class PhaseSwitch
{
public:
    WAYFRONT_HD PhaseSwitch(PhaseMode mode, PhaseThresholds thresholds)
        : thresholds_(thresholds), all_(mode == PhaseMode::conventional), fixed_(mode != PhaseMode::adaptive)
    {
    }

    /// Whether the next phase goes over all vertices.
    [[nodiscard]] WAYFRONT_HD bool all() const { return all_; }

    /// Adds the time of the phase that has ended.
    WAYFRONT_HD void add(std::uint64_t nanoseconds)
    {
        const std::uint64_t mean = measured_ ? (last_ + nanoseconds) / 2 : nanoseconds;
        last_ = nanoseconds;
        measured_ = true;
        if (fixed_) return;
        if (!all_ && mean > thresholds_.up)
            all_ = true;
        else if (all_ && mean < thresholds_.down)
            all_ = false;
    }

private:
    PhaseThresholds thresholds_;
    std::uint64_t last_ = 0;
    bool measured_ = false;
    bool all_;
    bool fixed_;
};

/// The measurement of a phase.
struct PhaseSample
{
    double vertices;  // number of vertices that relaxed their arcs
    double nanoseconds;
};

/// The time of a phase as a function of its number of vertices: fixed + each * vertices.
struct PhaseCost
{
    double fixed = 0;
    double each = 0;
};

/// The least-squares line through the samples, with a slope that is not negative.
[[nodiscard]] inline PhaseCost fit_cost(std::span<const PhaseSample> samples)
{
    if (samples.empty()) return {};
    double x = 0;
    double y = 0;
    for (const PhaseSample& sample : samples) {
        x += sample.vertices / static_cast<double>(samples.size());
        y += sample.nanoseconds / static_cast<double>(samples.size());
    }
    double xx = 0;
    double xy = 0;
    for (const PhaseSample& sample : samples) {
        xx += (sample.vertices - x) * (sample.vertices - x);
        xy += (sample.vertices - x) * (sample.nanoseconds - y);
    }
    const double each = xx > 0 ? std::max(xy / xx, 0.0) : 0;
    return {std::max(y - each * x, 0.0), each};
}

/// Ratio between the thresholds of the two directions, 330 us / 350 us in the paper, which prevents
/// phases from alternating.
inline constexpr double kWayBack = 330.0 / 350.0;

/// The thresholds at which phases of both kinds take the same time. A phase over all vertices has a
/// high fixed cost. A phase over the updated vertices has a higher cost per vertex, since it must
/// list the vertices.
[[nodiscard]] inline PhaseThresholds tuned_thresholds(const PhaseCost& over_all, const PhaseCost& over_updated)
{
    // Phases over all vertices are always faster.
    if (over_updated.fixed >= over_all.fixed && over_updated.each >= over_all.each) return {0, 0};
    // Phases over the updated vertices are always faster.
    if (over_updated.each <= over_all.each) return {};
    if (over_updated.fixed >= over_all.fixed) return {0, 0};
    const double vertices = (over_all.fixed - over_updated.fixed) / (over_updated.each - over_all.each);
    return {static_cast<std::uint64_t>(over_updated.fixed + over_updated.each * vertices),
            static_cast<std::uint64_t>(over_all.fixed + over_all.each * vertices * kWayBack)};
}

/// The times of trial searches from one source.
struct TrialTimes
{
    double over_all;      // time in conventional mode
    double over_updated;  // time in selection mode
    double adaptive;      // time in adaptive mode with tuned thresholds
};

/// The tuned thresholds if the adaptive trial was the fastest. Otherwise, thresholds that keep the
/// faster kind of phases.
[[nodiscard]] inline PhaseThresholds thresholds_of_trials(const PhaseThresholds& tuned, const TrialTimes& times)
{
    if (times.adaptive < std::min(times.over_all, times.over_updated)) return tuned;
    return times.over_all <= times.over_updated ? PhaseThresholds{0, 0} : PhaseThresholds{};
}

}  // namespace wayfront::gpu::sssp
