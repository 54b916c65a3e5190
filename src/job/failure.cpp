#include "job/failure.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <thread>

#include <unistd.h>

#include "comm/session.hpp"
#include "graph/io/unfinished_files.hpp"

namespace wayfront::job {

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
    const int length =
        rank ? std::snprintf(line.data(), line.size(), "wayfront: error: out of memory (rank %d)\n", *rank)
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

}  // namespace wayfront::job
