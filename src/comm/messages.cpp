#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <mpi.h>

#include "base/message_count.hpp"
#include "comm/communicator.hpp"
#include "comm/mpi_calls.hpp"

namespace wayfront::comm {

namespace {

/// An MPI datatype of `bytes` contiguous bytes, so that counts are counts of elements.
class ByteBlock
{
public:
    explicit ByteBlock(std::size_t bytes)
    {
        check(MPI_Type_contiguous(to_int(bytes), MPI_BYTE, &type_));
        check(MPI_Type_commit(&type_));
    }
    /// The same, with `stride_bytes` from the start of one element to the start of the next.
    ByteBlock(std::size_t bytes, std::size_t stride_bytes)
    {
        const ByteBlock close(bytes);
        check(MPI_Type_create_resized(close.type_, 0, static_cast<MPI_Aint>(stride_bytes), &type_));
        check(MPI_Type_commit(&type_));
    }
    ByteBlock(const ByteBlock&) = delete;  // owns the datatype
    ByteBlock& operator=(const ByteBlock&) = delete;
    ~ByteBlock() { MPI_Type_free(&type_); }
    [[nodiscard]] MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The sum of the counts of all ranks but this one.
template <typename Count>
std::size_t of_others(std::span<const Count> counts, int rank)
{
    const auto sum = std::accumulate(counts.begin(), counts.end(), Count{0});
    return static_cast<std::size_t>(sum - counts[static_cast<std::size_t>(rank)]);
}

/// Splits one block of piece_bytes[k] bytes per peer k, stored one after the other, into messages
/// of at most `message_bytes`, and calls f(peer, offset, bytes) for each message.
template <typename F>
void for_each_message(std::span<const std::int64_t> piece_bytes, std::size_t message_bytes, F&& f)
{
    std::size_t begin = 0;
    for (std::size_t peer = 0; peer < piece_bytes.size(); ++peer) {
        const auto bytes = static_cast<std::size_t>(piece_bytes[peer]);
        for (std::size_t done = 0; done < bytes; done += message_bytes)
            f(static_cast<int>(peer), begin + done, std::min(message_bytes, bytes - done));
        begin += bytes;
    }
}

}  // namespace

Pending::Pending() noexcept = default;
Pending::Pending(std::unique_ptr<Request> request) noexcept : request_(std::move(request)) {}
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;
Pending::~Pending() = default;

bool Pending::done()
{
    if (request_ == nullptr) return true;
    int done = 0;
    check(MPI_Test(&request_->request, &done, MPI_STATUS_IGNORE));
    if (done != 0) request_.reset();
    return done != 0;
}

void Pending::wait()
{
    if (request_ == nullptr) return;
    check(MPI_Wait(&request_->request, MPI_STATUS_IGNORE));
    request_.reset();
}

std::string Communicator::broadcast(const std::string& text, int root) const
{
    auto length = static_cast<std::int64_t>(text.size());
    broadcast(std::span(&length, 1), root);
    std::string copy = text;
    copy.resize(static_cast<std::size_t>(length));
    broadcast(std::span(copy.data(), copy.size()), root);
    return copy;
}

void Communicator::broadcast_bytes(std::span<std::byte> bytes, int root) const
{
    if (size_ == 1) return;
    for (std::size_t first = 0; first < bytes.size(); first += kMaxMessageBytes) {
        const std::size_t count = std::min(kMaxMessageBytes, bytes.size() - first);
        message_counter.add(rank_ == root ? 0 : count);
        check(MPI_Bcast(bytes.data() + first, to_int(count), MPI_BYTE, root, handle_->in_use()));
    }
}

Pending Communicator::start_broadcast(std::span<std::byte> bytes, int root) const
{
    if (size_ == 1) return {};
    message_counter.add(rank_ == root ? 0 : bytes.size());
    auto request = std::make_unique<Pending::Request>();
    check(MPI_Ibcast(bytes.data(), to_int(bytes.size()), MPI_BYTE, root, handle_->in_use(), &request->request));
    return Pending(std::move(request));
}

void Communicator::all_gather_bytes(std::span<const std::byte> send, std::span<std::byte> received) const
{
    if (size_ == 1) {
        if (!send.empty() && send.data() != received.data()) std::memcpy(received.data(), send.data(), send.size());
        return;
    }
    if (send.size() < kMaxMessageBytes) {
        message_counter.add(static_cast<std::size_t>(size_ - 1) * send.size());
        check(MPI_Allgather(send.data(), to_int(send.size()), MPI_BYTE, received.data(), to_int(send.size()), MPI_BYTE,
                            handle_->in_use()));
        return;
    }
    const std::vector<std::size_t> counts(static_cast<std::size_t>(size_), send.size());
    all_gather_v_bytes(send, counts, 1, received);
}

void Communicator::all_gather_in_place(std::span<std::byte> parts) const
{
    if (size_ == 1) return;
    const std::size_t part_bytes = parts.size() / static_cast<std::size_t>(size_);
    if (part_bytes < kMaxMessageBytes) {
        message_counter.add(static_cast<std::size_t>(size_ - 1) * part_bytes);
        check(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, parts.data(), to_int(part_bytes), MPI_BYTE,
                            handle_->in_use()));
        return;
    }
    for (int root = 0; root < size_; ++root)
        broadcast_bytes(parts.subspan(static_cast<std::size_t>(root) * part_bytes, part_bytes), root);
}

void Communicator::all_gather_v_bytes(std::span<const std::byte> send, std::span<const std::size_t> counts,
                                      std::size_t element_bytes, std::span<std::byte> received) const
{
    if (size_ == 1) {
        if (!send.empty() && send.data() != received.data()) std::memcpy(received.data(), send.data(), send.size());
        return;
    }
    const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    if (total < static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        message_counter.add(of_others(counts, rank_) * element_bytes);
        const ByteBlock element(element_bytes);
        std::vector<int> elements(counts.size());
        std::vector<int> offsets(counts.size());
        int offset = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            elements[k] = to_int(counts[k]);
            offsets[k] = offset;
            offset += elements[k];
        }
        check(MPI_Allgatherv(send.data(), elements[static_cast<std::size_t>(rank_)], element.get(), received.data(),
                             elements.data(), offsets.data(), element.get(), handle_->in_use()));
        return;
    }
    std::size_t offset = 0;  // too large for MPI's counts: one broadcast per rank
    for (int root = 0; root < size_; ++root) {
        const std::size_t bytes = counts[static_cast<std::size_t>(root)] * element_bytes;
        const std::span<std::byte> part = received.subspan(offset, bytes);
        if (root == rank_ && bytes > 0 && part.data() != send.data()) std::memcpy(part.data(), send.data(), bytes);
        broadcast_bytes(part, root);
        offset += bytes;
    }
}

std::vector<std::int64_t> Communicator::all_to_all(std::span<const std::int64_t> send) const
{
    std::vector<std::int64_t> received(send.begin(), send.end());
    if (size_ == 1) return received;
    message_counter.add(send.size_bytes() - sizeof(std::int64_t));
    check(MPI_Alltoall(send.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T, handle_->in_use()));
    return received;
}

void Communicator::all_to_all_v_bytes(std::span<const std::byte> send, std::span<const std::int64_t> send_counts,
                                      std::span<std::byte> received, std::span<const std::int64_t> receive_counts,
                                      std::size_t element_bytes) const
{
    if (size_ == 1) {
        if (!send.empty() && send.data() != received.data()) std::memcpy(received.data(), send.data(), send.size());
        return;
    }
    message_counter.add(of_others(receive_counts, rank_) * element_bytes);
    const ByteBlock element(element_bytes);
    const auto ranks = static_cast<std::size_t>(size_);
    std::vector<int> send_elements(ranks);
    std::vector<int> send_offsets(ranks);
    std::vector<int> receive_elements(ranks);
    std::vector<int> receive_offsets(ranks);
    std::int64_t send_total = 0;
    std::int64_t receive_total = 0;
    for (std::size_t k = 0; k < ranks; ++k) {
        send_elements[k] = to_int(static_cast<std::size_t>(send_counts[k]));
        send_offsets[k] = to_int(static_cast<std::size_t>(send_total));
        receive_elements[k] = to_int(static_cast<std::size_t>(receive_counts[k]));
        receive_offsets[k] = to_int(static_cast<std::size_t>(receive_total));
        send_total += send_counts[k];
        receive_total += receive_counts[k];
    }
    check(MPI_Alltoallv(send.data(), send_elements.data(), send_offsets.data(), element.get(), received.data(),
                        receive_elements.data(), receive_offsets.data(), element.get(), handle_->in_use()));
}

void Communicator::exchange_pieces(std::span<const std::byte> send, std::span<const std::int64_t> send_bytes,
                                   std::span<std::byte> received, std::span<const std::int64_t> receive_bytes,
                                   std::size_t message_bytes) const
{
    if (handle_ == nullptr) {
        if (!send.empty()) std::memcpy(received.data(), send.data(), send.size());
        return;
    }
    if (size_ > 1) message_counter.add(of_others(receive_bytes, rank_));
    constexpr int tag = 1 << 14;  // no other message has this tag
    std::vector<MPI_Request> requests;
    for_each_message(receive_bytes, message_bytes, [&](int from, std::size_t offset, std::size_t bytes) {
        check(MPI_Irecv(received.data() + offset, to_int(bytes), MPI_BYTE, from, tag, handle_->in_use(),
                        &requests.emplace_back()));
    });
    for_each_message(send_bytes, message_bytes, [&](int to, std::size_t offset, std::size_t bytes) {
        check(MPI_Isend(send.data() + offset, to_int(bytes), MPI_BYTE, to, tag, handle_->in_use(),
                        &requests.emplace_back()));
    });
    check(MPI_Waitall(to_int(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
}

void Communicator::exchange_parts_of_pieces(std::span<const std::byte> send, std::span<const std::int64_t> send_bytes,
                                            std::span<std::byte> received) const
{
    const auto ranks = static_cast<std::size_t>(size_);
    const auto own = static_cast<std::size_t>(rank_);
    const std::size_t piece = send.size() / ranks;
    std::memcpy(received.data() + own * piece, send.data() + own * piece, static_cast<std::size_t>(send_bytes[own]));
    if (size_ == 1) return;
    constexpr int tag = (1 << 14) + 1;  // no other message has this tag
    std::vector<MPI_Request> requests;
    const auto for_others = [&](auto&& f) {
        for (std::size_t i = 1; i < ranks; ++i) f((own + i) % ranks);
    };
    for_others([&](std::size_t from) {
        check(MPI_Irecv(received.data() + from * piece, to_int(piece), MPI_BYTE, static_cast<int>(from), tag,
                        handle_->in_use(), &requests.emplace_back()));
    });
    const std::size_t messages_to_receive = requests.size();
    for_others([&](std::size_t to) {
        check(MPI_Isend(send.data() + to * piece, to_int(static_cast<std::size_t>(send_bytes[to])), MPI_BYTE,
                        static_cast<int>(to), tag, handle_->in_use(), &requests.emplace_back()));
    });
    std::vector<MPI_Status> statuses(requests.size());
    check(MPI_Waitall(to_int(requests.size()), requests.data(), statuses.data()));
    std::size_t received_bytes = 0;
    for (std::size_t i = 0; i < messages_to_receive; ++i) {
        int bytes = 0;
        check(MPI_Get_count(&statuses[i], MPI_BYTE, &bytes));
        received_bytes += static_cast<std::size_t>(bytes);
    }
    message_counter.add(received_bytes);
}

/// `start` is MPI_Iallgather or MPI_Ialltoall.
template <typename Start>
Pending Communicator::start_pieces(Start start, const std::byte* send, std::byte* received, std::size_t bytes,
                                   std::size_t part_bytes) const
{
    if (size_ == 1) {
        if (bytes > 0) std::memcpy(received, send, bytes);
        return {};
    }
    message_counter.add(static_cast<std::size_t>(size_ - 1) * bytes);
    const ByteBlock piece(bytes, part_bytes);  // MPI keeps the datatype until the message is done
    auto request = std::make_unique<Pending::Request>();
    check(start(send, 1, piece.get(), received, 1, piece.get(), handle_->in_use(), &request->request));
    return Pending(std::move(request));
}

Pending Communicator::start_all_gather_bytes(const std::byte* send, std::byte* received, std::size_t bytes,
                                             std::size_t part_bytes) const
{
    return start_pieces(MPI_Iallgather, send, received, bytes, part_bytes);
}

Pending Communicator::start_all_to_all_bytes(const std::byte* send, std::byte* received, std::size_t bytes,
                                             std::size_t part_bytes) const
{
    return start_pieces(MPI_Ialltoall, send, received, bytes, part_bytes);
}

void Communicator::send_bytes(std::span<const std::byte> bytes, int to, int tag) const
{
    for (std::size_t first = 0; first == 0 || first < bytes.size(); first += kMaxMessageBytes) {
        const std::size_t count = std::min(kMaxMessageBytes, bytes.size() - first);
        message_counter.add(0);
        check(MPI_Send(bytes.data() + first, to_int(count), MPI_BYTE, to, tag, handle_->in_use()));
    }
}

void Communicator::receive_bytes(std::span<std::byte> bytes, int from, int tag) const
{
    for (std::size_t first = 0; first == 0 || first < bytes.size(); first += kMaxMessageBytes) {
        const std::size_t count = std::min(kMaxMessageBytes, bytes.size() - first);
        message_counter.add(count);
        check(MPI_Recv(bytes.data() + first, to_int(count), MPI_BYTE, from, tag, handle_->in_use(), MPI_STATUS_IGNORE));
    }
}

}  // namespace wayfront::comm
