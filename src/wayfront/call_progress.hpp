// Calls of the library whose progress is watched.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "comm/agreement.hpp"
#include "wayfront/call_listener.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

/// Returns work(), which runs on the threads of the job and whose progress `receive` gets, if it is not empty.
/// Exceptions become those that
/// wayfront.hpp documents. If `receive` throws, all ranks end the work together: this rank throws the
/// same exception, the others a ResultError. Collective.
template <typename Work>
auto run_with_progress(const Ranks& ranks, const OnProgress& receive, Work&& work)
{
    const ThreadsRestored threads(ranks.job.threads());
    struct Call
    {
        CallListener& listener;
        ~Call() { listener.end_call(); }
    };
    const auto calls =
        with_documented_errors(ranks.world, [&] { return std::make_shared<ProgressCalls>(receive, ranks.world); });
    if (receive) ranks.listener->begin_call(calls);
    const Call call{*ranks.listener};
    const auto end_on_all_ranks = [&] { comm::run_agreed(ranks.world, [&] { calls->end_now_if_thrown(); }); };
    try {
        return with_documented_errors(ranks.world, [&] {
            if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
                std::forward<Work>(work)();
                end_on_all_ranks();
            } else {
                auto result = std::forward<Work>(work)();
                end_on_all_ranks();
                return result;
            }
        });
    } catch (const RankFailure&) {
        throw;
    } catch (...) {
        if (calls->has_thrown()) calls->rethrow();
        throw;
    }
}

}  // namespace wayfront
