#include "comm/step_times.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "base/phase.hpp"

namespace wayfront::comm {

namespace {

constexpr std::array<std::size_t, 9> kMessageBytes{8,        256,       4096,      16 << 10, 40 << 10,
                                                   64 << 10, 128 << 10, 512 << 10, 2 << 20};
constexpr std::size_t kMostReceived = 32 << 20;
constexpr int kRuns = 7;
constexpr double kRunSeconds = 0.01;  // the wanted time of a run of several steps, one after the other
constexpr int kMostSteps = 100;

double seconds_of(int steps, auto&& step)
{
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < steps; ++i) step();
    return seconds_between(begin, Clock::now()) / steps;
}

double median_seconds(const Communicator& group, auto&& step)
{
    step();
    const double once = group.all_reduce(seconds_of(1, step), Reduction::max);
    const int steps = std::clamp(static_cast<int>(kRunSeconds / std::max(once, 1e-9)), 1, kMostSteps);
    std::array<double, kRuns> runs{};
    for (double& run : runs) {
        group.barrier();
        run = seconds_of(steps, step);
    }
    group.all_reduce(std::span<double>(runs), Reduction::max);
    std::ranges::nth_element(runs, runs.begin() + kRuns / 2);
    return runs[kRuns / 2];
}

/// Appends the times of a group to `points`.
void measure_group(const Communicator& group, std::vector<StepPoint>& points)
{
    const auto ranks = static_cast<std::size_t>(group.size());
    for (const std::size_t bytes : kMessageBytes) {
        if (bytes * (ranks - 1) > kMostReceived) return;
        const std::vector<std::byte> own(bytes);
        const std::vector<std::byte> all(bytes * ranks);
        std::vector<std::byte> received(bytes * ranks);
        const std::vector<std::int64_t> counts(ranks, static_cast<std::int64_t>(bytes));
        const auto gather = [&] { group.all_gather(std::span<const std::byte>(own), std::span<std::byte>(received)); };
        const auto exchange = [&] {
            group.all_to_all_v(std::span<const std::byte>(all), counts, std::span<std::byte>(received), counts);
        };
        points.push_back({Step::all_gather, group.size(), bytes * (ranks - 1), median_seconds(group, gather)});
        points.push_back({Step::all_to_all, group.size(), bytes * (ranks - 1), median_seconds(group, exchange)});
    }
}

}  // namespace

std::vector<StepPoint> measure_steps(const Communicator& ranks)
{
    std::vector<StepPoint> points;
    for (int size = 2; size < 2 * ranks.size(); size *= 2) {
        const int of_group = std::min(size, ranks.size());
        const Communicator group = ranks.split(ranks.rank() < of_group ? 0 : 1, ranks.rank());
        if (ranks.rank() < of_group) measure_group(group, points);
        ranks.barrier();
    }
    // The first rank is in every group.
    auto count = static_cast<std::int64_t>(points.size());
    ranks.broadcast(std::span(&count, 1), 0);
    points.resize(static_cast<std::size_t>(count));
    ranks.broadcast(std::span(points), 0);
    return points;
}

}  // namespace wayfront::comm
