#include "session/sssp/sssp_trial.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/least_seconds.hpp"
#include "job/host_memory.hpp"
#include "session/sssp/host_sssp.hpp"

namespace wayfront::session {

namespace {

/// One of several sources may be in a small component.
constexpr int kNotedSearches = 4;
/// Times of equal searches differ by less.
constexpr double kFaster = 0.9;

/// The least seconds of up to three searches, of fewer if they take long.
double seconds_of_search(algo::SsspSearch& search, Vertex source)
{
    constexpr std::size_t most_searches = 3;
    constexpr double enough_seconds = 5e-3;
    return least_seconds(most_searches, enough_seconds, [&](std::size_t) { search.run(source); });
}

}  // namespace

void SsspTrial::note_search(Vertex source, std::uint64_t reached)
{
    ++noted_;
    if (reached <= reached_) return;
    reached_ = reached;
    source_ = source;
}

bool SsspTrial::is_due() const
{
    return noted_ >= kNotedSearches;
}

plan::SsspChoice SsspTrial::run(std::unique_ptr<algo::SsspSearch>& search) const
{
    std::vector<std::pair<algo::SsspMethod, double>> times{{choice_.method, seconds_of_search(*search, source_)}};
    auto fastest = times.front();
    for (const algo::SsspMethod rival : choice_.rivals) {
        std::unique_ptr<algo::SsspSearch> other = make_(rival);
        if (other == nullptr) continue;
        other->run(source_);  // touches its memory
        times.emplace_back(rival, seconds_of_search(*other, source_));
        if (times.back().second >= kFaster * fastest.second) continue;
        fastest = times.back();
        search = std::move(other);
    }
    if (times.size() == 1) return choice_;
    plan::SsspChoice choice{.method = fastest.first, .reason = "a trial found it the fastest"};
    const char* separator = ": ";
    for (const auto& [method, seconds] : times) {
        if (method == fastest.first) continue;
        choice.reason += fmt::format("{}{} took {:.3g} ms", separator, plan::traits_of(method).name, 1e3 * seconds);
        separator = ", ";
    }
    return choice;
}

std::optional<SsspTrial> make_trial(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                    const plan::SsspChoice& choice, const algo::SsspOptions& options)
{
    if (choice.rivals.empty() || grid.world().size() > 1 || options.expected_searches < SsspTrial::kLeastSearches)
        return std::nullopt;
    return SsspTrial(choice, [&grid, &graph, options](algo::SsspMethod method) {
        algo::SsspOptions of_rival = options;
        of_rival.method = method;
        const double bytes = host_sssp_bytes(grid, graph, method);
        const bool fits = bytes < job::available_bytes().value_or(std::numeric_limits<double>::infinity());
        return fits ? make_host_sssp(grid, graph, of_rival) : nullptr;
    });
}

}  // namespace wayfront::session
