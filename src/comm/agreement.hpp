// How ranks agree: on the failure of one of them, and on what all of them were given.
//
// Inside a rank, failures are exceptions. There are three ways to handle an exception that one rank
// throws while the others continue:
//   * run_agreed() runs a function that sends no messages on every rank. If it throws on any rank,
//     all ranks learn of the first failure and throw the same AgreedError. The program then ends in
//     order.
//   * Functions that know that all ranks fail together mark their exception as Agreed.
//   * All other exceptions end the job (job/failure.hpp): the other ranks may be in any exchange at
//     that time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/agreed.hpp"
#include "base/failure.hpp"
#include "comm/communicator.hpp"

namespace wayfront::comm {

/// If any rank has a failure, throws an AgreedError with the failure of the first such rank on all
/// ranks. The message names that rank unless all ranks failed with the same message. Collective.
void agree(const Communicator& world, const std::optional<Failure>& failure);

/// Runs f() on each rank and returns its value. If f() throws on any rank, all ranks throw an
/// AgreedError. f sends no messages, and an attempt is a failure (Silence). Collective.
template <typename F>
auto run_agreed(const Communicator& world, F&& f)
{
    using Value = std::invoke_result_t<F>;
    std::optional<Failure> failure;
    if constexpr (std::is_void_v<Value>) {
        try {
            const Silence silence(world);
            std::forward<F>(f)();
        } catch (...) {
            failure = describe_current_exception();
        }
        agree(world, failure);
    } else {
        std::optional<Value> value;
        try {
            const Silence silence(world);
            value.emplace(std::forward<F>(f)());
        } catch (...) {
            failure = describe_current_exception();
        }
        agree(world, failure);
        return std::move(*value);
    }
}

/// Runs f() on rank 0 only, and returns its text on every rank. If f() throws, all ranks throw an
/// AgreedError. f sends no messages. Collective.
std::string run_on_first(const Communicator& world, const std::function<std::string()>& f);

/// The name of this host.
std::string host_name();

/// The name of this rank for messages: "rank 3", or "rank 3 on HOSTNAME" in a job of several hosts.
/// Collective.
std::string name_of_rank(const Communicator& world);

/// Throws an AgreedError with exit code 2 if `text` is not the same on all ranks. The message is
/// "WHAT: TEXT of rank 0 (rank 0), other TEXT (rank 3 on HOSTNAME)". Collective.
void require_alike(const Communicator& world, const std::string& what, const std::string& text);

}  // namespace wayfront::comm
