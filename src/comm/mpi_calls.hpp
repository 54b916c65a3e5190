// For the source files of this folder: the check of every MPI call, and the objects of MPI that the
// types of communicator.hpp own.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <source_location>
#include <utility>

#include <mpi.h>

#include "comm/communicator.hpp"

namespace wayfront::comm {

/// Every MPI call is checked here. Throws CommError.
void check(int status, std::source_location where = std::source_location::current());

/// A count of elements for MPI. Throws CommError if it has more than 31 bits.
[[nodiscard]] int to_int(std::size_t value);

struct Pending::Request
{
    MPI_Request request = MPI_REQUEST_NULL;
    int exceptions = std::uncaught_exceptions();  // in flight when the message was started

    Request() = default;
    Request(const Request&) = delete;  // owns the request
    Request& operator=(const Request&) = delete;
    ~Request()
    {
        if (request != MPI_REQUEST_NULL && std::uncaught_exceptions() <= exceptions)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
};

struct Communicator::Handle
{
    MPI_Comm comm = MPI_COMM_NULL;
    bool several = false;  // ranks
    std::shared_ptr<SilentThread> silence;

    /// `shared` is that of the communicator from which this one was split.
    explicit Handle(MPI_Comm owned, std::shared_ptr<SilentThread> shared = std::make_shared<SilentThread>())
        : comm(owned), silence(std::move(shared))
    {
    }
    Handle(const Handle&) = delete;  // owns the communicator
    Handle& operator=(const Handle&) = delete;
    ~Handle()
    {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized == 0) MPI_Comm_free(&comm);
    }

    /// The communicator, for a message. Throws if this thread is silent.
    [[nodiscard]] MPI_Comm in_use() const;
};

}  // namespace wayfront::comm
