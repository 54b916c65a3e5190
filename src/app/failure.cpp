#include "app/failure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <new>
#include <thread>
#include <vector>

namespace wayfront::app {

namespace {

std::string with_rank(const std::string& message, int rank)
{
    return message + " (rank " + std::to_string(rank) + ")";
}

}  // namespace

Failure describe_current_exception()
{
    try {
        throw;
    } catch (const Error& error) {
        return {error.code(), error.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::resources, "out of memory; use more ranks or a smaller graph"};
    } catch (const std::exception& error) {
        return {ExitCode::wrong_result, std::string("a defect of wayfront: ") + error.what()};
    } catch (...) {
        return {ExitCode::wrong_result, "a defect of wayfront: an exception of unknown type"};
    }
}

void print_error(const std::string& message)
{
    const std::string line = "wayfront: error: " + message + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

void agree(const comm::Communicator& world, const std::optional<Failure>& failure)
{
    const std::vector<std::int32_t> codes = world.all_gather(failure ? static_cast<std::int32_t>(failure->code) : 0);
    const auto first = std::ranges::find_if(codes, [](std::int32_t code) { return code != 0; });
    if (first == codes.end()) return;
    const auto rank = static_cast<int>(first - codes.begin());
    const std::string message = world.broadcast(failure ? failure->message : std::string(), rank);
    const bool alike = world.all(failure && failure->message == message);
    throw AgreedError(static_cast<ExitCode>(*first), alike ? message : with_rank(message, rank));
}

void end_all_ranks(const comm::Communicator& world, const Failure& failure)
{
    // Where all ranks fail alike, the first to end the job should be the only one that speaks: they take turns.
    constexpr auto turn = std::chrono::milliseconds(150);
    constexpr int most_turns = 10;
    std::this_thread::sleep_for(turn * std::min(world.rank(), most_turns));
    print_error(with_rank(failure.message, world.rank()));
    comm::Session::abort(static_cast<int>(failure.code));
}

}  // namespace wayfront::app
