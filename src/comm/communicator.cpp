#include "comm/communicator.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include <mpi.h>

#include "base/message_count.hpp"
#include "comm/mpi_calls.hpp"
#include "comm/session.hpp"

namespace wayfront::comm {

namespace {

MPI_Op mpi_op(Reduction op)
{
    switch (op) {
        case Reduction::min:
            return MPI_MIN;
        case Reduction::max:
            return MPI_MAX;
        case Reduction::bit_or:
            return MPI_BOR;
        case Reduction::sum:
            break;
    }
    return MPI_SUM;
}

template <typename T>
void reduce_in_place(std::span<T> values, Reduction op, MPI_Datatype type, MPI_Comm comm)
{
    if (values.empty()) return;
    message_counter.add(values.size_bytes());
    constexpr std::size_t piece = kMaxMessageBytes / sizeof(T);
    for (std::size_t first = 0; first < values.size(); first += piece) {
        const std::size_t count = std::min(piece, values.size() - first);
        check(MPI_Allreduce(MPI_IN_PLACE, values.data() + first, to_int(count), type, mpi_op(op), comm));
    }
}

/// Whether MPI failed where no exception could be thrown.
std::atomic<bool> has_failed = false;

}  // namespace

void Communicator::mark_failed() noexcept
{
    has_failed = true;
}

void check(int status, std::source_location where)
{
    if (status == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int initialised = 0;
    int length = 0;
    // If MPI could not be initialised, it does not describe errors, either.
    if (MPI_Initialized(&initialised) == MPI_SUCCESS && initialised != 0)
        MPI_Error_string(status, text.data(), &length);
    const std::string description = length > 0 ? text.data() : "error code " + std::to_string(status);
    throw CommError("MPI failed: " + description + " (in " + where.function_name() + ", line " +
                    std::to_string(where.line()) + ")");
}

int to_int(std::size_t value)
{
    if (value > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw CommError("a message of over 2^31 elements; use more ranks");
    return static_cast<int>(value);
}

MPI_Comm Communicator::Handle::in_use() const
{
    if (has_failed.load(std::memory_order_relaxed))
        throw CommError("MPI failed earlier, while memory of other ranks was given back");
    if (several && silence->load(std::memory_order_relaxed) == std::this_thread::get_id())
        throw std::logic_error("a message within a function that must not send any");
    return comm;
}

Silence::Silence(const Communicator& ranks)
    : thread_(ranks.handle_ == nullptr ? nullptr : ranks.handle_->silence),
      previous_thread_(thread_ == nullptr ? std::thread::id() : thread_->exchange(std::this_thread::get_id()))
{
}

Silence::~Silence()
{
    if (thread_ != nullptr) thread_->store(previous_thread_);
}

bool Communicator::is_silent() const noexcept
{
    return handle_ != nullptr && handle_->silence->load() == std::this_thread::get_id();
}

Communicator::Communicator(std::unique_ptr<Handle> handle) : handle_(std::move(handle))
{
    check(MPI_Comm_set_errhandler(handle_->comm, MPI_ERRORS_RETURN));
    check(MPI_Comm_rank(handle_->comm, &rank_));
    check(MPI_Comm_size(handle_->comm, &size_));
    handle_->several = size_ > 1;
}

Communicator::Communicator() noexcept = default;
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

Communicator Communicator::world()
{
    if (!mpi_is_active()) return alone();
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    return Communicator(std::make_unique<Handle>(comm));
}

Communicator Communicator::self()
{
    if (!mpi_is_active()) return alone();
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    return Communicator(std::make_unique<Handle>(comm));
}

Communicator Communicator::alone()
{
    return {};
}

Communicator Communicator::from_fortran(int handle)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm const given = MPI_Comm_f2c(handle);
    if (given == MPI_Comm{} || given == MPI_COMM_NULL)
        throw InputError("communicator: " + std::to_string(handle) + " is no handle of a communicator");
    int has_remote_group = 0;
    check(MPI_Comm_test_inter(given, &has_remote_group));
    if (has_remote_group != 0) throw InputError("communicator: an intercommunicator was given");
    check(MPI_Comm_dup(given, &comm));
    return Communicator(std::make_unique<Handle>(comm));
}

Communicator Communicator::split(int colour, int key) const
{
    if (handle_ == nullptr) return alone();
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_split(handle_->in_use(), colour, key, &comm));
    return Communicator(std::make_unique<Handle>(comm, handle_->silence));
}

Communicator Communicator::split_by_host() const
{
    if (handle_ == nullptr) return alone();
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_split_type(handle_->in_use(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &comm));
    return Communicator(std::make_unique<Handle>(comm, handle_->silence));
}

void Communicator::barrier() const
{
    if (size_ == 1) return;
    message_counter.add(0);
    check(MPI_Barrier(handle_->in_use()));
}

void Communicator::all_reduce(std::span<std::int64_t> values, Reduction op) const
{
    if (size_ > 1) reduce_in_place(values, op, MPI_INT64_T, handle_->in_use());
}

void Communicator::all_reduce(std::span<std::uint64_t> values, Reduction op) const
{
    if (size_ > 1) reduce_in_place(values, op, MPI_UINT64_T, handle_->in_use());
}

void Communicator::all_reduce(std::span<double> values, Reduction op) const
{
    if (size_ > 1) reduce_in_place(values, op, MPI_DOUBLE, handle_->in_use());
}

void Communicator::all_reduce(std::span<std::uint32_t> values, Reduction op) const
{
    if (size_ > 1) reduce_in_place(values, op, MPI_UINT32_T, handle_->in_use());
}

void Communicator::reduce(std::span<std::int64_t> values, Reduction op, int root) const
{
    if (size_ == 1) return;
    message_counter.add(rank_ == root ? values.size_bytes() : 0);
    constexpr std::size_t piece = kMaxMessageBytes / sizeof(std::int64_t);
    for (std::size_t first = 0; first < values.size(); first += piece) {
        std::int64_t* const data = values.data() + first;
        const int count = to_int(std::min(piece, values.size() - first));
        check(MPI_Reduce(rank_ == root ? MPI_IN_PLACE : data, rank_ == root ? data : nullptr, count, MPI_INT64_T,
                         mpi_op(op), root, handle_->in_use()));
    }
}

std::int64_t Communicator::exclusive_sum(std::int64_t value) const
{
    std::int64_t before = 0;
    if (size_ == 1) return 0;
    message_counter.add(rank_ == 0 ? 0 : sizeof(value));
    check(MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, handle_->in_use()));
    return rank_ == 0 ? 0 : before;
}

}  // namespace wayfront::comm
