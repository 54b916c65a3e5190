#include "app/failure.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "comm/session.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront::app {

namespace {

constexpr std::size_t kMostHostName = 256;

}  // namespace

std::string host_name()
{
    std::array<char, kMostHostName> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "an unknown host";
    return name.data();
}

Failure describe_current_exception()
{
    try {
        throw;
    } catch (const Error& error) {
        return {error.code(), error.what(), dynamic_cast<const Agreed*>(&error) != nullptr};
    } catch (const std::bad_alloc&) {
        return {ExitCode::resources, "out of memory; use more ranks or a smaller graph"};
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again)
            return {ExitCode::resources, "a thread cannot be created: the number of processes or the memory is limited"};
        return {ExitCode::wrong_result, std::string("internal error (please report): ") + error.what()};
    } catch (const std::exception& error) {
        return {ExitCode::wrong_result, std::string("internal error (please report): ") + error.what()};
    } catch (...) {
        return {ExitCode::wrong_result, "internal error (please report): an exception of unknown type"};
    }
}

void print_error(const std::string& message)
{
    const std::string line = "wayfront: error: " + message + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fflush(stderr);
}

void end_without_memory() noexcept
{
    std::array<char, 80> line{};
    const std::optional<int> rank = comm::launcher_rank();
    const int length = rank ? std::snprintf(line.data(), line.size(), "wayfront: error: out of memory (rank %d)\n", *rank)
                            : std::snprintf(line.data(), line.size(), "wayfront: error: out of memory\n");
    static_cast<void>(!::write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length)));
    remove_unfinished_files();
    ::_exit(static_cast<int>(ExitCode::resources));
}

void terminate_in_order() noexcept
{
    if (const std::exception_ptr cause = std::current_exception()) {
        try {
            std::rethrow_exception(cause);
        } catch (const std::bad_alloc&) {
            end_without_memory();
        } catch (...) {
            print_error(describe_current_exception().message);  // a defect of the program
        }
    }
    std::abort();
}

void agree(const comm::Communicator& world, const std::optional<Failure>& failure)
{
    const std::vector<std::int32_t> codes = world.all_gather(failure ? static_cast<std::int32_t>(failure->code) : 0);
    const auto first = std::ranges::find_if(codes, [](std::int32_t code) { return code != 0; });
    if (first == codes.end()) return;
    const auto rank = static_cast<int>(first - codes.begin());
    const std::string message = world.broadcast(failure ? failure->message : std::string(), rank);
    const std::string name = world.broadcast(name_of_rank(world), rank);
    const bool alike = world.all(failure && failure->message == message);
    throw AgreedError(static_cast<ExitCode>(*first), alike ? message : message + " (" + name + ")");
}

std::string run_on_first(const comm::Communicator& world, const std::function<std::string()>& f)
{
    std::string text;
    std::int32_t code = 0;
    if (world.rank() == 0) {
        try {
            const comm::Silence silence(world);
            text = f();
        } catch (...) {
            Failure failure = describe_current_exception();
            code = static_cast<std::int32_t>(failure.code);
            text = std::move(failure.message);
        }
    }
    world.broadcast(std::span<std::int32_t>(&code, 1), 0);
    text = world.broadcast(text, 0);
    if (code != 0) throw AgreedError(static_cast<ExitCode>(code), text);
    return text;
}

std::string name_of_rank(const comm::Communicator& world)
{
    const std::string rank = "rank " + std::to_string(world.rank());
    const std::string host = host_name();
    const bool one_host = world.all(host == world.broadcast(host, 0));
    return one_host ? rank : rank + " on " + host;
}

void require_alike(const comm::Communicator& world, const std::string& what, const std::string& text)
{
    const std::string wanted = world.broadcast(text, 0);
    const std::vector<std::int32_t> differs = world.all_gather<std::int32_t>(text == wanted ? 0 : 1);
    const auto first = std::ranges::find(differs, 1);
    if (first == differs.end()) return;
    const auto rank = static_cast<int>(first - differs.begin());
    const std::string found = world.broadcast(text, rank);
    const std::string own_name = name_of_rank(world);
    const std::string name_of_first = world.broadcast(own_name, 0);
    const std::string name_of_other = world.broadcast(own_name, rank);
    throw AgreedError(ExitCode::bad_input, what + ": " + wanted + " (" + name_of_first + "), " + found + " (" + name_of_other + ")");
}

void end_all_ranks(const comm::Communicator& world, const std::string& name, const Failure& failure)
{
    // If all ranks fail in the same way, only the first one that ends the job should print a
    // message; each rank therefore waits a different time.
    constexpr auto turn = std::chrono::milliseconds(150);
    constexpr int most_turns = 10;
    std::this_thread::sleep_for(turn * std::min(world.rank(), most_turns));
    print_error(failure.message + " (" + name + ")");
    comm::Session::abort(static_cast<int>(failure.code));
}

}  // namespace wayfront::app
