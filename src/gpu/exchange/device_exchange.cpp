#include "gpu/exchange/device_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/phase.hpp"
#include "comm/session.hpp"
#include "gpu/exchange/small_messages.hpp"
#include "gpu/exchange/transports.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// The implementation of DeviceExchange with several ranks. Pre: send_bytes and receive_bytes of
/// the ranks match.
class DeviceExchange::Implementation
{
public:
    virtual ~Implementation() = default;
    virtual void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) = 0;
    /// An all-to-all in which all pieces have the same size on all ranks. Returns the bytes that
    /// were sent to other ranks.
    virtual std::size_t all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes,
                                   const Stream& stream, UsedBytes /*used*/)
    {
        all_to_all_v(send, equal_bytes, receive, equal_bytes, stream);
        return static_cast<std::size_t>(equal_bytes.front()) * (equal_bytes.size() - 1);
    }
    virtual void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                              std::span<const std::int64_t> receive_bytes, const Stream& stream) = 0;
    [[nodiscard]] virtual MessagePieces message_memory(std::size_t /*piece_bytes*/, std::byte* send, std::byte* receive)
    {
        return {send, receive};
    }
};

namespace {

void copy(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream)
{
    if (bytes == 0) return;
    copy_async(std::span<const std::byte>(from, bytes), std::span<std::byte>(to, bytes), stream);
}

/// Exchanges in rounds of a Transport.
class RoundExchange final : public DeviceExchange::Implementation
{
public:
    RoundExchange(const comm::Communicator& ranks, std::unique_ptr<Transport> transport)
        : ranks_(ranks), transport_(std::move(transport))
    {
    }

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        for (std::size_t done = 0; done < piece_bytes;) {
            const std::size_t chunk = std::min(transport_->most_gathered_bytes(), piece_bytes - done);
            copy(pieces + rank() * piece_bytes + done, transport_->send_buffer(), chunk, stream);
            stream.synchronize();
            transport_->all_gather(chunk);
            for (std::size_t i = 1; i < count(); ++i) {
                // Each rank begins with another peer, so that not all ranks copy from the same rank
                // at the same time.
                const std::size_t peer = (rank() + i) % count();
                copy(transport_->gathered(peer), pieces + peer * piece_bytes + done, chunk, stream);
            }
            stream.synchronize();
            transport_->finish_round();
            done += chunk;
        }
    }

    std::size_t all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes,
                           const Stream& stream, UsedBytes /*used*/) override
    {
        const auto piece_bytes = static_cast<std::size_t>(equal_bytes.front());
        exchange_pieces({.begin = send, .bytes = equal_bytes}, {.begin = receive, .bytes = equal_bytes}, piece_bytes,
                        stream);
        return piece_bytes * (count() - 1);
    }

    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        const auto most =
            static_cast<std::size_t>(ranks_.all_reduce(std::ranges::max(send_bytes), comm::Reduction::max));
        exchange_pieces({.begin = send, .bytes = send_bytes}, {.begin = receive, .bytes = receive_bytes}, most, stream);
    }

private:
    /// The pieces to all ranks, or from all ranks, one after the other.
    template <typename Byte>
    struct RankPieces
    {
        Byte* begin;
        std::span<const std::int64_t> bytes;  // of each piece
    };

    /// `most`: bytes of the largest piece of any rank.
    void exchange_pieces(const RankPieces<const std::byte>& send, const RankPieces<std::byte>& receive,
                         std::size_t most, const Stream& stream)
    {
        const std::vector<std::size_t> send_begins = begins_of(send.bytes);
        const std::vector<std::size_t> receive_begins = begins_of(receive.bytes);
        copy(send.begin + send_begins[rank()], receive.begin + receive_begins[rank()],
             static_cast<std::size_t>(send.bytes[rank()]), stream);
        for (std::size_t done = 0; done < most;) {
            const std::size_t chunk = std::min(transport_->most_piece_bytes(), most - done);
            const std::vector<std::int64_t> sent = parts_of(send.bytes, done, chunk);
            const std::vector<std::int64_t> received = parts_of(receive.bytes, done, chunk);
            transport_->set_piece_sizes(chunk, sent, received);
            for (std::size_t to = 0; to < count(); ++to)
                copy(send.begin + send_begins[to] + done, transport_->send_buffer(to),
                     static_cast<std::size_t>(sent[to]), stream);
            stream.synchronize();
            transport_->all_to_all();
            for (std::size_t i = 1; i < count(); ++i) {
                const std::size_t from = (rank() + i) % count();
                copy(transport_->received(from), receive.begin + receive_begins[from] + done,
                     static_cast<std::size_t>(received[from]), stream);
            }
            stream.synchronize();
            transport_->finish_round();
            done += chunk;
        }
    }

    /// The bytes of each piece that are sent in the round that begins at byte `done` of the piece;
    /// 0 for the rank's own piece.
    [[nodiscard]] std::vector<std::int64_t> parts_of(std::span<const std::int64_t> pieces, std::size_t done,
                                                     std::size_t chunk) const
    {
        std::vector<std::int64_t> parts;
        for (const std::int64_t bytes : pieces)
            parts.push_back(
                std::clamp(bytes - static_cast<std::int64_t>(done), std::int64_t{0}, static_cast<std::int64_t>(chunk)));
        parts[rank()] = 0;
        return parts;
    }

    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(ranks_.size()); }

    const comm::Communicator& ranks_;
    std::unique_ptr<Transport> transport_;
};

class NcclExchange final : public DeviceExchange::Implementation
{
public:
    explicit NcclExchange(std::shared_ptr<NcclRanks> nccl) : nccl_(std::move(nccl)) {}

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        nccl_->all_gather(pieces, piece_bytes, stream);
    }
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        nccl_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    }

private:
    std::shared_ptr<NcclRanks> nccl_;
};

/// Exchanges over an MPI that accepts device memory but does not know streams.
class DeviceMpiExchange final : public DeviceExchange::Implementation
{
public:
    explicit DeviceMpiExchange(const comm::Communicator& ranks) : ranks_(ranks) {}

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        stream.synchronize();
        ranks_.all_gather_in_place({pieces, static_cast<std::size_t>(ranks_.size()) * piece_bytes});
    }
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        stream.synchronize();
        ranks_.exchange_pieces({send, sum(send_bytes)}, send_bytes, {receive, sum(receive_bytes)}, receive_bytes);
    }

private:
    static std::size_t sum(std::span<const std::int64_t> bytes)
    {
        return static_cast<std::size_t>(std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}));
    }

    const comm::Communicator& ranks_;
};

/// Sends small pieces over MPI, through host memory, and other pieces by another exchange.
class SmallMessageExchange final : public DeviceExchange::Implementation
{
public:
    // Largest size of a small piece, in bytes.
    static constexpr std::size_t kMostBytes = std::size_t{128} << 10;

    /// `most_bytes`: largest size of a piece that is sent through host memory.
    SmallMessageExchange(std::unique_ptr<DeviceExchange::Implementation> large, std::unique_ptr<SmallMessages> small,
                         std::size_t most_bytes)
        : large_(std::move(large)), small_(std::move(small)), most_bytes_(most_bytes)
    {
    }

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        if (piece_bytes <= most_bytes_)
            small_->all_gather(pieces, piece_bytes, stream);
        else
            large_->all_gather(pieces, piece_bytes, stream);
    }
    std::size_t all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes,
                           const Stream& stream, UsedBytes used) override
    {
        const auto piece_bytes = static_cast<std::size_t>(equal_bytes.front());
        return piece_bytes <= most_bytes_ ? small_->all_to_all(send, receive, piece_bytes, stream, used)
                                          : large_->all_to_all(send, receive, equal_bytes, stream, used);
    }
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        large_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    }
    [[nodiscard]] MessagePieces message_memory(std::size_t piece_bytes, std::byte* send, std::byte* receive) override
    {
        return piece_bytes <= most_bytes_ ? small_->message_memory(piece_bytes, send, receive)
                                          : MessagePieces{send, receive};
    }

private:
    std::unique_ptr<DeviceExchange::Implementation> large_;
    std::unique_ptr<SmallMessages> small_;
    std::size_t most_bytes_;
};

/// The shortest of five durations of an exchange on the slowest rank, in seconds. Collective.
template <typename Exchange>
double fastest_of_five(const comm::Communicator& ranks, const Stream& stream, Exchange&& exchange)
{
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        ranks.barrier();
        const Clock::time_point begin = Clock::now();
        exchange();
        stream.synchronize();
        least = std::min(least, ranks.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max));
    }
    return least;
}

/// The largest of a few piece sizes for which small messages are faster; 0 if they are never
/// faster. Collective.
std::size_t largest_small_piece(const comm::Communicator& ranks, DeviceExchange::Implementation& large,
                                SmallMessages& small, DeviceBuffer<std::byte>& send, DeviceBuffer<std::byte>& receive)
{
    const Stream stream;
    std::size_t most = 0;
    for (std::size_t bytes = std::size_t{2} << 10; bytes <= SmallMessageExchange::kMostBytes; bytes *= 4) {
        const std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.size()), static_cast<std::int64_t>(bytes));
        const double over_mpi = fastest_of_five(
            ranks, stream, [&] { small.all_to_all(send.data(), receive.data(), bytes, stream, all_bytes); });
        const double over_large = fastest_of_five(
            ranks, stream, [&] { large.all_to_all(send.data(), receive.data(), sizes, stream, all_bytes); });
        if (over_mpi >= over_large) break;
        most = bytes;
    }
    return most;
}

/// Makes the exchange over NCCL. If the ranks are on several hosts, small pieces are sent over MPI
/// if that is faster: a message of NCCL between hosts passes through host threads, which takes
/// longer than a message of MPI from host memory (bench/results/gpu-two-hosts-exchange.json).
std::unique_ptr<DeviceExchange::Implementation> over_nccl(const comm::Communicator& ranks,
                                                          std::shared_ptr<NcclRanks> nccl)
{
    std::unique_ptr<DeviceExchange::Implementation> exchange = std::make_unique<NcclExchange>(std::move(nccl));
    if (ranks.split_by_host().size() == ranks.size()) return exchange;
    std::unique_ptr<SmallMessages> small;
    const std::size_t bytes = SmallMessageExchange::kMostBytes * static_cast<std::size_t>(ranks.size());
    DeviceBuffer<std::byte> send, receive;
    try {
        small = std::make_unique<SmallMessages>(ranks, SmallMessageExchange::kMostBytes);
        send = DeviceBuffer<std::byte>(bytes);
        receive = DeviceBuffer<std::byte>(bytes);
    } catch (const ResourceError&) {
        small.reset();
    }
    if (!ranks.all(small != nullptr)) return exchange;
    const std::size_t most = largest_small_piece(ranks, *exchange, *small, send, receive);
    if (most == 0) return exchange;
    return std::make_unique<SmallMessageExchange>(std::move(exchange), std::move(small), most);
}

std::unique_ptr<DeviceExchange::Implementation> staged(const comm::Communicator& ranks)
{
    return std::make_unique<SmallMessageExchange>(
        std::make_unique<RoundExchange>(ranks, staged_over_mpi(ranks)),
        std::make_unique<SmallMessages>(ranks, SmallMessageExchange::kMostBytes), SmallMessageExchange::kMostBytes);
}

/// Makes the exchange; null for a single rank. `method` becomes `staged` if the ranks share no host
/// memory. Collective.
std::unique_ptr<DeviceExchange::Implementation> make_implementation(const comm::Communicator& ranks,
                                                                    ExchangeMethod& method,
                                                                    std::shared_ptr<NcclRanks> nccl)
{
    if (ranks.size() == 1) return nullptr;
    switch (method) {
        case ExchangeMethod::peers:
            return std::make_unique<RoundExchange>(ranks, over_device_windows(ranks));
        case ExchangeMethod::nccl:
            return over_nccl(ranks, std::move(nccl));
        case ExchangeMethod::device_mpi:
            return std::make_unique<DeviceMpiExchange>(ranks);
        case ExchangeMethod::host_memory:
            if (std::unique_ptr<Transport> windows = over_host_windows(ranks))
                return std::make_unique<RoundExchange>(ranks, std::move(windows));
            break;
        case ExchangeMethod::staged:
            break;
    }
    method = ExchangeMethod::staged;
    return staged(ranks);
}

}  // namespace

ExchangeMethod method_over_mpi(const comm::Communicator& ranks)
{
    return ranks.all(comm::cuda_aware()) ? ExchangeMethod::device_mpi : ExchangeMethod::host_memory;
}

void OneRank::all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream)
{
    copy(send, receive, piece_bytes, stream);
}

DeviceExchange::DeviceExchange(const comm::Communicator& ranks, ExchangeMethod method, std::shared_ptr<NcclRanks> nccl)
    : ranks_(ranks), method_(method), implementation_(make_implementation(ranks, method_, std::move(nccl)))
{
}

DeviceExchange::~DeviceExchange() = default;

MessagePieces DeviceExchange::message_memory(std::size_t piece_bytes, std::byte* send, std::byte* receive) const
{
    return implementation_ ? implementation_->message_memory(piece_bytes, send, receive) : MessagePieces{send, receive};
}

void DeviceExchange::all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream)
{
    if (implementation_) implementation_->all_gather(pieces, piece_bytes, stream);
    sent_bytes_ += piece_bytes * (static_cast<std::size_t>(ranks_.size()) - 1);
}

void DeviceExchange::all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes,
                                const Stream& stream, UsedBytes used)
{
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks_.size()),
                                          static_cast<std::int64_t>(piece_bytes));
    if (implementation_)
        sent_bytes_ += implementation_->all_to_all(send, receive, bytes, stream, used);
    else
        copy(send, receive, piece_bytes, stream);
}

void DeviceExchange::all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                                  std::span<const std::int64_t> receive_bytes, const Stream& stream)
{
    if (implementation_)
        implementation_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    else
        copy(send, receive, static_cast<std::size_t>(send_bytes[0]), stream);
    const std::int64_t own = send_bytes[static_cast<std::size_t>(ranks_.rank())];
    sent_bytes_ += static_cast<std::uint64_t>(std::accumulate(send_bytes.begin(), send_bytes.end(), -own));
}

}  // namespace wayfront::gpu
