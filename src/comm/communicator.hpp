// Communicators: groups of ranks, and the messages among them.
//
// A `Communicator` owns an MPI communicator; move-only. Every member function except rank(),
// size(), send() and receive() is collective over the group, is called by one thread of a rank at a
// time, and throws CommError if MPI reports a failure. Counts of elements are 64-bit. A message
// whose count exceeds MPI's 32-bit limit is sent in larger units or in pieces; all_to_all_v() and
// the functions start_...() throw instead. With one rank, collective functions copy or do nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace wayfront::comm {

/// A failure inside MPI. It is not recoverable, since the state of the other ranks is unknown.
class CommError : public ResourceError
{
public:
    using ResourceError::ResourceError;
};

/// MPI's counts are 32-bit: larger messages are sent in pieces of at most this many bytes.
inline constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 30;

enum class Reduction { sum, min, max, bit_or };  // bit_or: of whole numbers

template <typename T>
concept Sendable = std::is_trivially_copyable_v<T>;

/// A nonblocking message, which may be under way. The memory that the message reads and writes must
/// stay in place, and nothing else may use it, until the message is done. Move-only. The destructor
/// waits for the message, unless an exception unwinds the stack: then the state of the other ranks
/// is unknown, and the job ends. A default-constructed Pending is done.
class Pending
{
public:
    Pending() noexcept;
    Pending(Pending&&) noexcept;
    Pending& operator=(Pending&&) noexcept;
    Pending(const Pending&) = delete;  // one request, one owner
    Pending& operator=(const Pending&) = delete;
    ~Pending();

    /// Whether the message is done. Does not wait, but lets MPI make progress.
    [[nodiscard]] bool done();
    void wait();

private:
    friend class Communicator;
    struct Request;
    explicit Pending(std::unique_ptr<Request> request) noexcept;

    std::unique_ptr<Request> request_;  // null if no message is under way
};

/// The thread that must not send messages at present.
using SilentThread = std::atomic<std::thread::id>;

class Communicator
{
public:
    /// All ranks of the job; this process alone if MPI is not initialised.
    static Communicator world();
    /// This rank alone.
    static Communicator self();
    /// This process alone, without MPI: for a process that has not initialised MPI, and for work
    /// that sends no messages, which any thread may do then.
    static Communicator alone();
    /// A duplicate of the caller's communicator, which is given as MPI_Comm_c2f(comm). Throws
    /// InputError if that is no handle, or is of an intercommunicator. Collective over it.
    static Communicator from_fortran(int handle);

    /// Lets every further message of this process throw a CommError: for a destructor that met one,
    /// after which the other ranks may wait for this one.
    static void mark_failed() noexcept;

    Communicator(Communicator&&) noexcept;
    Communicator& operator=(Communicator&&) noexcept;
    Communicator(const Communicator&) = delete;  // one communicator, one owner
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator();

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }

    /// Whether this thread sends no messages at present (Silence).
    [[nodiscard]] bool is_silent() const noexcept;

    /// The ranks that pass the same colour, ordered by key.
    [[nodiscard]] Communicator split(int colour, int key) const;
    /// The ranks of this group that share this rank's host.
    [[nodiscard]] Communicator split_by_host() const;

    void barrier() const;

    /// Reduces element by element over all ranks, in place.
    void all_reduce(std::span<std::int64_t> values, Reduction op) const;
    void all_reduce(std::span<std::uint64_t> values, Reduction op) const;
    void all_reduce(std::span<double> values, Reduction op) const;
    void all_reduce(std::span<std::uint32_t> values, Reduction op) const;
    template <typename T>
    [[nodiscard]] T all_reduce(T value, Reduction op) const
    {
        all_reduce(std::span<T>(&value, 1), op);
        return value;
    }
    [[nodiscard]] bool all(bool value) const { return all_reduce<std::int64_t>(value ? 1 : 0, Reduction::min) != 0; }
    [[nodiscard]] bool any(bool value) const { return all_reduce<std::int64_t>(value ? 1 : 0, Reduction::max) != 0; }

    /// As all_reduce(), but only `root` gets the result; the values of the other ranks do not
    /// change.
    void reduce(std::span<std::int64_t> values, Reduction op, int root) const;

    /// The sum of `value` over the ranks before this one; 0 on rank 0.
    [[nodiscard]] std::int64_t exclusive_sum(std::int64_t value) const;

    template <Sendable T>
    void broadcast(std::span<T> values, int root) const
    {
        broadcast_bytes(std::as_writable_bytes(values), root);
    }
    [[nodiscard]] std::string broadcast(const std::string& text, int root) const;
    /// Starts a broadcast. Throws if it has 2^31 bytes or more.
    [[nodiscard]] Pending start_broadcast(std::span<std::byte> bytes, int root) const;

    /// `received` gets the `send.size()` elements of each rank, in the order of ranks. All ranks
    /// send the same number of elements.
    template <Sendable T>
    void all_gather(std::span<const T> send, std::span<T> received) const
    {
        all_gather_bytes(std::as_bytes(send), std::as_writable_bytes(received));
    }
    template <Sendable T>
    [[nodiscard]] std::vector<T> all_gather(const T& value) const
    {
        std::vector<T> values(static_cast<std::size_t>(size_));
        all_gather(std::span<const T>(&value, 1), std::span<T>(values));
        return values;
    }
    /// In place: `parts` has one part of equal size per rank, and the caller has filled its own.
    /// May be device memory if MPI is cuda_aware().
    void all_gather_in_place(std::span<std::byte> parts) const;
    /// Rank k sends counts[k] elements. `received` gets them in the order of ranks. `counts` is the
    /// same on all ranks.
    template <Sendable T>
    void all_gather_v(std::span<const T> send, std::span<const std::size_t> counts, std::span<T> received) const
    {
        all_gather_v_bytes(std::as_bytes(send), counts, sizeof(T), std::as_writable_bytes(received));
    }

    /// Starts an all-gather of the elements [piece.first, piece.last) of each rank's `own`. `parts`
    /// has one part of own.size() elements per rank; the message writes the same piece of each
    /// part. The piece is the same on all ranks. Throws if it has 2^31 bytes or more.
    template <Sendable T>
    [[nodiscard]] Pending start_all_gather(std::span<const T> own, std::span<T> parts, IndexRange piece) const
    {
        return start_all_gather_bytes(reinterpret_cast<const std::byte*>(own.data() + piece.first),
                                      reinterpret_cast<std::byte*>(parts.data() + piece.first),
                                      piece.size() * sizeof(T), own.size_bytes());
    }

    /// Element k of `send` goes to rank k; element k of the result was sent by rank k.
    [[nodiscard]] std::vector<std::int64_t> all_to_all(std::span<const std::int64_t> send) const;

    /// `send` has send_counts[k] elements for rank k, and `received` receive_counts[k] elements
    /// from rank k, in the order of ranks. Throws if a rank sends or receives 2^31 elements or
    /// more.
    template <Sendable T>
    void all_to_all_v(std::span<const T> send, std::span<const std::int64_t> send_counts, std::span<T> received,
                      std::span<const std::int64_t> receive_counts) const
    {
        all_to_all_v_bytes(std::as_bytes(send), send_counts, std::as_writable_bytes(received), receive_counts,
                           sizeof(T));
    }

    /// The same for any number of bytes, in messages of at most `message_bytes` between two ranks.
    /// May be device memory if MPI is cuda_aware().
    void exchange_pieces(std::span<const std::byte> send, std::span<const std::int64_t> send_bytes,
                         std::span<std::byte> received, std::span<const std::int64_t> receive_bytes,
                         std::size_t message_bytes = kMaxMessageBytes) const;

    /// `send` and `received` have a piece of equal size for each rank. send_bytes[k] bytes from the beginning of piece
    /// k go to rank k, which need not know the number; the rest of the received pieces does not change. Only for pieces
    /// of less than 2^31 bytes.
    void exchange_parts_of_pieces(std::span<const std::byte> send, std::span<const std::int64_t> send_bytes,
                                  std::span<std::byte> received) const;

    /// Starts an all-to-all of the elements [piece.first, piece.last) of each part. `send` and
    /// `received` have one part of part_size elements per rank; the message writes the same piece
    /// of each received part. The piece is the same on all ranks. Throws if it has 2^31 bytes or
    /// more.
    template <Sendable T>
    [[nodiscard]] Pending start_all_to_all(std::span<const T> send, std::span<T> received, std::size_t part_size,
                                           IndexRange piece) const
    {
        return start_all_to_all_bytes(reinterpret_cast<const std::byte*>(send.data() + piece.first),
                                      reinterpret_cast<std::byte*>(received.data() + piece.first),
                                      piece.size() * sizeof(T), part_size * sizeof(T));
    }

    /// Blocking messages between two ranks. Results are written in order with them.
    template <Sendable T>
    void send(std::span<const T> values, int to, int tag) const
    {
        send_bytes(std::as_bytes(values), to, tag);
    }
    template <Sendable T>
    void receive(std::span<T> values, int from, int tag) const
    {
        receive_bytes(std::as_writable_bytes(values), from, tag);
    }

private:
    friend class Silence;
    struct Handle;
    Communicator() noexcept;
    explicit Communicator(std::unique_ptr<Handle> handle);

    void broadcast_bytes(std::span<std::byte> bytes, int root) const;
    void all_gather_bytes(std::span<const std::byte> send, std::span<std::byte> received) const;
    void all_gather_v_bytes(std::span<const std::byte> send, std::span<const std::size_t> counts,
                            std::size_t element_bytes, std::span<std::byte> received) const;
    void all_to_all_v_bytes(std::span<const std::byte> send, std::span<const std::int64_t> send_counts,
                            std::span<std::byte> received, std::span<const std::int64_t> receive_counts,
                            std::size_t element_bytes) const;
    [[nodiscard]] Pending start_all_gather_bytes(const std::byte* send, std::byte* received, std::size_t bytes,
                                                 std::size_t part_bytes) const;
    [[nodiscard]] Pending start_all_to_all_bytes(const std::byte* send, std::byte* received, std::size_t bytes,
                                                 std::size_t part_bytes) const;
    template <typename Start>
    [[nodiscard]] Pending start_pieces(Start start, const std::byte* send, std::byte* received, std::size_t bytes,
                                       std::size_t part_bytes) const;
    void send_bytes(std::span<const std::byte> bytes, int to, int tag) const;
    void receive_bytes(std::span<std::byte> bytes, int from, int tag) const;

    std::unique_ptr<Handle> handle_;  // null without MPI
    int rank_ = 0;
    int size_ = 1;
};

/// During the lifetime of the object, its thread sends no messages over the communicator, nor over those that were
/// split from it: functions that would send messages to other ranks throw std::logic_error. This proves that a
/// function which may fail on one rank alone sends no messages.
class Silence
{
public:
    explicit Silence(const Communicator& ranks);
    Silence(const Silence&) = delete;  // ends once
    Silence& operator=(const Silence&) = delete;
    ~Silence();

private:
    std::shared_ptr<SilentThread> thread_;  // null without MPI
    std::thread::id previous_thread_;       // the value of *thread_ before this object
};

}  // namespace wayfront::comm
