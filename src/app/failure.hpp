// How a run fails: one message and one exit code for all ranks.
//
// Inside a rank failures are exceptions. Two things can be done with one that stands on a single rank while the others go on:
//   * run_agreed() runs a piece of work that sends no messages on every rank, lets all ranks learn of the first that failed, and makes all of them
//     throw the same AgreedError. The program then ends in order.
//   * Everything else ends in end_all_ranks(), from main: the rank prints its message and takes the job down. The others may stand in any exchange.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "comm/communicator.hpp"

namespace wayfront::app {

/// A failure that all ranks know of and throw together. Rank 0 prints it.
class AgreedError : public Error
{
public:
    using Error::Error;
};

struct Failure
{
    ExitCode code = ExitCode::wrong_result;
    std::string message;
};

/// The exception in flight, in the program's terms: memory that lacks is a matter of resources, what nobody expected an internal error.
Failure describe_current_exception();

/// "wayfront: error: MESSAGE" on standard error.
void print_error(const std::string& message);

/// Throws an AgreedError on all ranks if any brings a failure: the first rank's. The message names that rank where the others did not fail alike.
/// Collective.
void agree(const comm::Communicator& world, const std::optional<Failure>& failure);

/// Runs f() on each rank and returns its value; where it throws on any rank, all throw an AgreedError. f sends no messages. Collective.
template <typename F>
auto run_agreed(const comm::Communicator& world, F&& f)
{
    using Value = std::invoke_result_t<F>;
    std::optional<Failure> failure;
    if constexpr (std::is_void_v<Value>) {
        try {
            std::forward<F>(f)();
        } catch (...) {
            failure = describe_current_exception();
        }
        agree(world, failure);
    } else {
        std::optional<Value> value;
        try {
            value.emplace(std::forward<F>(f)());
        } catch (...) {
            failure = describe_current_exception();
        }
        agree(world, failure);
        return std::move(*value);
    }
}

/// The text that f() returns on rank 0, on every rank; only rank 0 calls f. If f throws, all ranks
/// throw an AgreedError. f sends no messages. Collective.
std::string run_on_first(const comm::Communicator& world, const std::function<std::string()>& f);

/// "rank 3", or "rank 3 on HOSTNAME" in a job of several hosts: this rank, for messages. Collective.
std::string name_of_rank(const comm::Communicator& world);

/// The last resort among several ranks: prints a failure that the others do not know of, and ends the job. `name`: this rank's, as above.
[[noreturn]] void end_all_ranks(const comm::Communicator& world, const std::string& name, const Failure& failure);

}  // namespace wayfront::app
