// How a run fails: with one message and one exit code for all ranks.
//
// Inside a rank, failures are exceptions. There are three ways to handle an exception that one rank
// throws while the others continue:
//   * run_agreed() runs a function that sends no messages on every rank. If it throws on any rank,
//     all ranks learn of the first failure and throw the same AgreedError. The program then ends in
//     order.
//   * Other layers mark an exception that all ranks throw together as Agreed.
//   * All other exceptions end in end_all_ranks(), which main calls: the rank prints its message
//     and ends the job. The other ranks may be in any exchange at that time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/agreed.hpp"
#include "base/error.hpp"
#include "comm/communicator.hpp"

namespace wayfront::app {

/// A failure that all ranks know of and throw together. Rank 0 prints its message.
class AgreedError : public Error, public Agreed
{
public:
    using Error::Error;
};

struct Failure
{
    ExitCode code = ExitCode::wrong_result;
    std::string message;
    bool agreed = false;  // all ranks throw it together
};

/// Describes the current exception in the program's terms: a failed allocation is reported as
/// missing resources, an unexpected exception as an internal error.
Failure describe_current_exception();

/// Prints "wayfront: error: MESSAGE" to standard error.
void print_error(const std::string& message);

/// Prints that memory has run out, and ends this process with exit code 3; leaves no unfinished
/// file. For code from which no exception may leave. Allocates nothing. If there are other ranks,
/// the launcher ends them.
[[noreturn]] void end_without_memory() noexcept;

/// For std::set_terminate(): ends like end_without_memory() if the cause is a failed allocation.
/// Libraries allocate memory in functions that may not throw.
[[noreturn]] void terminate_in_order() noexcept;

/// If any rank has a failure, throws an AgreedError with the failure of the first such rank on all
/// ranks. The message names that rank unless all ranks failed with the same message. Collective.
void agree(const comm::Communicator& world, const std::optional<Failure>& failure);

/// Runs f() on each rank and returns its value. If f() throws on any rank, all ranks throw an
/// AgreedError. f sends no messages, and an attempt is a failure (comm::Silence). Collective.
template <typename F>
auto run_agreed(const comm::Communicator& world, F&& f)
{
    using Value = std::invoke_result_t<F>;
    std::optional<Failure> failure;
    if constexpr (std::is_void_v<Value>) {
        try {
            const comm::Silence silence(world);
            std::forward<F>(f)();
        } catch (...) {
            failure = describe_current_exception();
        }
        agree(world, failure);
    } else {
        std::optional<Value> value;
        try {
            const comm::Silence silence(world);
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
std::string run_on_first(const comm::Communicator& world, const std::function<std::string()>& f);

/// The name of this host.
std::string host_name();

/// The name of this rank for messages: "rank 3", or "rank 3 on HOSTNAME" in a job of several hosts.
/// Collective.
std::string name_of_rank(const comm::Communicator& world);

/// Throws an AgreedError with exit code 2 if `text` is not the same on all ranks. The message is
/// "WHAT: TEXT of rank 0 (rank 0), other TEXT (rank 3 on HOSTNAME)". Collective.
void require_alike(const comm::Communicator& world, const std::string& what, const std::string& text);

/// The last resort of one of several ranks: prints a failure that the other ranks do not know of,
/// and ends the job. `name` is this rank's name_of_rank().
[[noreturn]] void end_all_ranks(const comm::Communicator& world, const std::string& name, const Failure& failure);

}  // namespace wayfront::app
