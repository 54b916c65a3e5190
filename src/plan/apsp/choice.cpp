#include "plan/apsp/choice.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes_in_words.hpp"
#include "base/error.hpp"
#include "plan/apsp/search_trial.hpp"
#include "plan/seconds_in_words.hpp"

namespace wayfront::plan {

namespace {

/// How many times as fast a method has to be if it rounds sums of floats in another order than a
/// search from a source.
constexpr double kWorthOtherRoundings = 4;

/// Host memory. Panels go from GPU to GPU if that is possible.
double host_bytes(const ApspOffer& offer)
{
    return offer.bytes - offer.host_panel_bytes;
}

struct Candidate
{
    const ApspMethod* method = nullptr;
    ApspOffer offer;

    [[nodiscard]] double seconds_to_compare() const
    {
        return compared_seconds(offer.seconds, offer.roundings.in_any_order);
    }
};

/// Replaces the estimates of searches by measurements, for all candidates whose time is close to the least.
void measure_searches(const ApspCase& asked, std::span<Candidate> candidates)
{
    constexpr double close = 2;
    constexpr double long_work = 0.1;  // in shorter work, threads that wake up and other programs decide
    const double least = std::ranges::min(candidates, {}, &Candidate::seconds_to_compare).seconds_to_compare();
    const auto is_close = [&](const Candidate& each) { return each.seconds_to_compare() < close * least; };
    if (least < long_work || std::ranges::count_if(candidates, is_close) < 2 || !is_worth_search_trial(asked)) return;
    for (Candidate& candidate : candidates) {
        ApspOffer& offer = candidate.offer;
        if (offer.search_seconds == 0 || !is_close(candidate)) continue;
        const double seconds = measured_search_seconds(asked, offer);
        offer.seconds +=
            static_cast<double>(asked.work.sources) * (seconds - offer.search_seconds) / asked.machine.threads;
        offer.search_seconds = seconds;
    }
}

/// Why the candidate is the best one of those that fit the memory; `too_large` are the others.
std::string reason_of(const Candidate& best, const std::vector<Candidate>& candidates,
                      const std::vector<Candidate>& too_large)
{
    std::string others;
    const auto add = [&others](const std::string& words) { others += (others.empty() ? "" : ", ") + words; };
    for (const Candidate& other : candidates)
        if (other.method != best.method)
            add(fmt::format("{} would take {}{}", other.method->name, seconds_in_words(other.offer.seconds),
                            other.offer.roundings.in_any_order && !best.offer.roundings.in_any_order
                                ? " with other roundings"
                                : ""));
    for (const Candidate& other : too_large)
        add(fmt::format("{} would need {}", other.method->name, bytes_in_words(host_bytes(other.offer))));
    return others.empty() ? "no other algorithm can do this work" : "it is the fastest: " + others;
}

}  // namespace

double compared_seconds(double seconds, bool other_roundings)
{
    return seconds * (other_roundings ? kWorthOtherRoundings : 1);
}

bool fits(const ApspOffer& offer, const ApspMachine& machine)
{
    const bool on_host = offer.keeps_matrix && (offer.device_bytes == 0 || offer.out_of_core);
    if (!on_host) return host_bytes(offer) < machine.bytes.value_or(1e300);
    return 2 * host_bytes(offer) < machine.bytes.value_or(0);
}

ApspOffer offer_of(const ApspMethod& method, const ApspCase& asked)
{
    ApspOffer offer = method.offer(asked);
    if (asked.work.parents && !offer.finds_parents) {
        const double of_row =
            asked.rates.core.trace_arc * asked.arcs() + asked.rates.core.trace_vertex * asked.vertices();
        offer.seconds += static_cast<double>(asked.work.sources) * of_row / asked.machine.threads;
    }
    return offer;
}

ApspChoice named_method(ApspCase& asked, const NamedMethods& list)
{
    const std::string& name = asked.options.method;
    const auto method = std::ranges::find(list.methods, name, &ApspMethod::name);
    std::string obstacle = method == list.methods.end() ? std::string(list.absent) : "";
    if (obstacle.empty() && method->trial != nullptr) obstacle = method->trial(asked, std::nullopt);
    if (obstacle.empty()) obstacle = method->obstacle(asked);
    if (!obstacle.empty()) throw InputError(fmt::format("--algorithm {}{}: {}", name, list.processor, obstacle));
    ApspOffer offer = offer_of(*method, asked);
    if (!offer.device_obstacle.empty())
        throw ResourceError(fmt::format("--algorithm {}: {}", name, offer.device_obstacle));
    return {&*method, std::move(offer)};
}

ApspChoice best_method(ApspCase& asked, std::span<const ApspMethod> methods)
{
    std::vector<Candidate> candidates;  // methods that can do the work
    std::vector<Candidate> too_large;   // methods that need too much memory
    std::string obstacles;
    const auto least_seconds = [&] {
        std::optional<double> least;
        for (const Candidate& candidate : candidates)
            least = std::min(least.value_or(candidate.offer.seconds), candidate.offer.seconds);
        return least;
    };
    const auto consider = [&](const ApspMethod& method) {
        constexpr double no_other = 1e300;
        std::string obstacle = method.trial == nullptr ? "" : method.trial(asked, least_seconds().value_or(no_other));
        if (obstacle.empty()) obstacle = method.obstacle(asked);
        if (obstacle.empty()) {
            Candidate candidate{&method, offer_of(method, asked)};
            obstacle = candidate.offer.device_obstacle;
            if (obstacle.empty())
                (fits(candidate.offer, asked.machine) ? candidates : too_large).push_back(std::move(candidate));
        }
        if (!obstacle.empty())
            obstacles += fmt::format("{}{}: {}", obstacles.empty() ? "" : "; ", method.name, obstacle);
    };
    // Trials last: they may take a share of the time of the best other method.
    for (const bool with_trial : {false, true})
        for (const ApspMethod& method : methods)
            if (!method.of_paper && (method.trial != nullptr) == with_trial) consider(method);
    if (candidates.empty() && too_large.empty()) return {nullptr, {}, obstacles};
    if (candidates.empty()) {
        Candidate& least =
            *std::ranges::min_element(too_large, {}, [](const Candidate& each) { return host_bytes(each.offer); });
        return {least.method, std::move(least.offer),
                too_large.size() == 1 ? "no other algorithm can do this work" : "it needs the least memory"};
    }
    measure_searches(asked, candidates);
    Candidate& best = *std::ranges::min_element(candidates, {}, &Candidate::seconds_to_compare);
    std::string reason = asked.vertices() == 0 ? "the graph has no vertices" : reason_of(best, candidates, too_large);
    return {best.method, std::move(best.offer), std::move(reason)};
}

}  // namespace wayfront::plan
