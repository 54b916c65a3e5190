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
#include "comm/shared_memory.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// The implementation of DeviceExchange with several ranks. Pre: send_bytes and receive_bytes of
/// the ranks match.
class DeviceExchange::Way
{
public:
    virtual ~Way() = default;
    virtual void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) = 0;
    /// All pieces have the same size on all ranks.
    virtual void all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes,
                            const Stream& stream)
    {
        all_to_all_v(send, equal_bytes, receive, equal_bytes, stream);
    }
    virtual void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                              std::span<const std::int64_t> receive_bytes, const Stream& stream) = 0;
};

namespace {

constexpr std::size_t kAlignment = 256;                     // of a round's chunks
constexpr std::size_t kStageBytes = std::size_t{64} << 20;  // in each direction

/// The largest aligned number of bytes that each of `parts` parts of `bytes` can have.
std::size_t aligned_part(std::size_t bytes, std::size_t parts)
{
    return std::max(bytes / parts / kAlignment, std::size_t{1}) * kAlignment;
}

/// The beginnings of pieces that are stored one after the other.
std::vector<std::size_t> begins_of(std::span<const std::int64_t> bytes)
{
    std::vector<std::size_t> begins(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), begins.begin(), std::size_t{0});
    return begins;
}

void copy(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream)
{
    if (bytes == 0) return;
    copy_async(std::span<const std::byte>(from, bytes), std::span<std::byte>(to, bytes), stream);
}

/// Sends in rounds, of which there are two kinds. Show: the rank writes bytes to outgoing(), show()
/// sends them to all ranks, and the rank copies the bytes of the others from shown(). Deal:
/// lay_out() sets the numbers of bytes for each rank and from each rank, the rank writes to
/// outgoing(peer), deal() sends, and the received bytes are in dealt(peer).
class Transport
{
public:
    virtual ~Transport() = default;

    /// The most bytes that a rank can show to all others in a round, or deal to each of them.
    [[nodiscard]] virtual std::size_t most_shown() const = 0;
    [[nodiscard]] virtual std::size_t most_dealt() const = 0;

    [[nodiscard]] virtual std::byte* outgoing() = 0;
    /// Pre: `bytes` bytes have been written to outgoing(). Collective.
    virtual void show(std::size_t bytes) = 0;
    [[nodiscard]] virtual const std::byte* shown(std::size_t peer) const = 0;

    /// `most`: the same on all ranks, and at least as large as any of the numbers of bytes.
    virtual void lay_out(std::size_t most, std::span<const std::int64_t> send_bytes,
                         std::span<const std::int64_t> receive_bytes) = 0;
    [[nodiscard]] virtual std::byte* outgoing(std::size_t peer) = 0;
    /// Pre: the bytes for each peer have been written to outgoing(peer). Collective.
    virtual void deal() = 0;
    [[nodiscard]] virtual const std::byte* dealt(std::size_t peer) const = 0;

    /// Called when all copies from shown() or dealt() are done; the next round overwrites those
    /// bytes.
    virtual void finish_round() = 0;
};

/// Memory of each rank that all ranks can copy from.
class Windows
{
public:
    virtual ~Windows() = default;
    [[nodiscard]] virtual std::byte* of(std::size_t rank) const = 0;
};

class DeviceWindows final : public Windows
{
public:
    DeviceWindows(const comm::Communicator& ranks, std::size_t bytes) : window_(bytes), opened_(ranks, window_.data())
    {
    }
    [[nodiscard]] std::byte* of(std::size_t rank) const override { return opened_.base(rank); }

private:
    DeviceBuffer<std::byte> window_;
    OpenedPeers opened_;
};

/// In pinned memory that the ranks of a host share.
class HostWindows final : public Windows
{
public:
    /// Null on all ranks if these cannot share memory, or cannot pin it. Collective.
    static std::unique_ptr<HostWindows> among(const comm::Communicator& ranks, std::size_t bytes)
    {
        std::unique_ptr<HostWindows> windows(new HostWindows(ranks, bytes));
        return ranks.all(windows->pinned_) ? std::move(windows) : nullptr;
    }
    HostWindows(const HostWindows&) = delete;  // unpins the memory once
    HostWindows& operator=(const HostWindows&) = delete;
    ~HostWindows() override
    {
        if (pinned_) detail::unpin(memory_.bytes().data());
    }
    [[nodiscard]] std::byte* of(std::size_t rank) const override { return memory_.bytes().data() + rank * bytes_; }

private:
    HostWindows(const comm::Communicator& ranks, std::size_t bytes)
        : bytes_(bytes),
          memory_(comm::SharedMemory::among(ranks, bytes * static_cast<std::size_t>(ranks.size()))),
          pinned_(!memory_.empty() && detail::can_pin(memory_.bytes().data(), memory_.bytes().size()))
    {
    }

    std::size_t bytes_;
    comm::SharedMemory memory_;
    bool pinned_;
};

/// Windows have two halves, which are used in turn. A rank that passes the barrier of a round has
/// copied the bytes of the previous round, so that their half may then be overwritten.
class WindowTransport final : public Transport
{
public:
    /// The windows have bytes_for(ranks) bytes.
    WindowTransport(const comm::Communicator& ranks, std::unique_ptr<Windows> windows)
        : ranks_(ranks), windows_(std::move(windows)), half_bytes_(bytes_for(ranks) / 2)
    {
    }

    /// A multiple of the pages that are shared, with room for an aligned chunk for each rank.
    [[nodiscard]] static std::size_t bytes_for(const comm::Communicator& ranks)
    {
        constexpr std::size_t usual = std::size_t{32} << 20;
        const std::size_t half =
            std::max(usual, (static_cast<std::size_t>(ranks.size()) * kAlignment + usual - 1) / usual * usual);
        return 2 * half;
    }

    [[nodiscard]] std::size_t most_shown() const override { return half_bytes_; }
    [[nodiscard]] std::size_t most_dealt() const override
    {
        return aligned_part(half_bytes_, static_cast<std::size_t>(ranks_.size()));
    }
    [[nodiscard]] std::byte* outgoing() override { return half_of(rank()); }
    void show(std::size_t /*bytes*/) override { ranks_.barrier(); }
    [[nodiscard]] const std::byte* shown(std::size_t peer) const override { return half_of(peer); }

    // Each peer has the same room, so that a peer finds its bytes without the sizes of the others.
    void lay_out(std::size_t most, std::span<const std::int64_t> /*send*/,
                 std::span<const std::int64_t> /*receive*/) override
    {
        room_ = most;
    }
    [[nodiscard]] std::byte* outgoing(std::size_t peer) override { return outgoing() + peer * room_; }
    void deal() override { ranks_.barrier(); }
    [[nodiscard]] const std::byte* dealt(std::size_t peer) const override { return shown(peer) + rank() * room_; }
    void finish_round() override { half_ ^= 1U; }

private:
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
    [[nodiscard]] std::byte* half_of(std::size_t rank) const { return windows_->of(rank) + half_ * half_bytes_; }

    const comm::Communicator& ranks_;
    std::unique_ptr<Windows> windows_;
    std::size_t half_bytes_;
    std::size_t half_ = 0;
    std::size_t room_ = 0;  // bytes for each rank in a half
};

/// Transfers through pinned host memory and MPI.
class StagedTransport final : public Transport
{
public:
    /// `stage_bytes`: of each of the two directions.
    StagedTransport(const comm::Communicator& ranks, std::size_t stage_bytes)
        : ranks_(ranks), most_(aligned_part(stage_bytes, count())), sent_(most_ * count()), received_(most_ * count())
    {
    }

    [[nodiscard]] std::size_t most_shown() const override { return most_; }
    [[nodiscard]] std::size_t most_dealt() const override { return most_; }
    [[nodiscard]] std::byte* outgoing() override { return sent_.data(); }
    void show(std::size_t bytes) override
    {
        shown_bytes_ = bytes;
        ranks_.all_gather(std::span<const std::byte>(sent_.span()).first(bytes),
                          received_.span().first(bytes * count()));
    }
    [[nodiscard]] const std::byte* shown(std::size_t peer) const override
    {
        return received_.data() + peer * shown_bytes_;
    }

    void lay_out(std::size_t /*most*/, std::span<const std::int64_t> send_bytes,
                 std::span<const std::int64_t> receive_bytes) override
    {
        send_.assign(send_bytes);
        receive_.assign(receive_bytes);
    }
    [[nodiscard]] std::byte* outgoing(std::size_t peer) override { return sent_.data() + send_.begins[peer]; }
    void deal() override
    {
        ranks_.all_to_all_v(std::span<const std::byte>(sent_.span()).first(send_.all()),
                            std::span<const std::int64_t>(send_.bytes), received_.span().first(receive_.all()),
                            std::span<const std::int64_t>(receive_.bytes));
    }
    [[nodiscard]] const std::byte* dealt(std::size_t peer) const override
    {
        return received_.data() + receive_.begins[peer];
    }
    void finish_round() override {}

private:
    /// The pieces for each rank, or from each rank, one after the other.
    struct Pieces
    {
        std::vector<std::int64_t> bytes;
        std::vector<std::size_t> begins;

        void assign(std::span<const std::int64_t> new_bytes)
        {
            bytes.assign(new_bytes.begin(), new_bytes.end());
            begins = begins_of(bytes);
        }
        [[nodiscard]] std::size_t all() const { return begins.back() + static_cast<std::size_t>(bytes.back()); }
    };

    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(ranks_.size()); }

    const comm::Communicator& ranks_;
    std::size_t most_;
    PinnedBuffer<std::byte> sent_;
    PinnedBuffer<std::byte> received_;
    std::size_t shown_bytes_ = 0;
    Pieces send_;
    Pieces receive_;
};

/// Exchanges in rounds of a transport.
class InRounds final : public DeviceExchange::Way
{
public:
    /// `waits`: whether calls return when they are done. If not, the last copies of a call may still be under way.
    InRounds(const comm::Communicator& ranks, std::unique_ptr<Transport> transport, bool waits = true)
        : ranks_(ranks), transport_(std::move(transport)), waits_(waits)
    {
    }

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        for (std::size_t done = 0; done < piece_bytes;) {
            const std::size_t chunk = std::min(transport_->most_shown(), piece_bytes - done);
            copy(pieces + rank() * piece_bytes + done, transport_->outgoing(), chunk, stream);
            stream.synchronize();
            copied_.synchronize();
            transport_->show(chunk);
            for (std::size_t i = 1; i < count(); ++i) {
                // The order differs from rank to rank, so that not all ranks copy from the same
                // rank at once.
                const std::size_t peer = (rank() + i) % count();
                copy(transport_->shown(peer), pieces + peer * piece_bytes + done, chunk, stream);
            }
            end_copies(stream);
            transport_->finish_round();
            done += chunk;
        }
    }

    void all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes,
                    const Stream& stream) override
    {
        deal_pieces(send, equal_bytes, receive, equal_bytes, static_cast<std::size_t>(equal_bytes.front()), stream);
    }

    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        const auto most =
            static_cast<std::size_t>(ranks_.all_reduce(std::ranges::max(send_bytes), comm::Reduction::max));
        deal_pieces(send, send_bytes, receive, receive_bytes, most, stream);
    }

private:
    void end_copies(const Stream& stream)
    {
        copied_.record(stream);
        if (waits_) copied_.synchronize();
    }

    /// `most`: the bytes of the largest piece of any rank.
    void deal_pieces(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                     std::span<const std::int64_t> receive_bytes, std::size_t most, const Stream& stream)
    {
        const std::vector<std::size_t> send_begins = begins_of(send_bytes);
        const std::vector<std::size_t> receive_begins = begins_of(receive_bytes);
        copy(send + send_begins[rank()], receive + receive_begins[rank()], static_cast<std::size_t>(send_bytes[rank()]),
             stream);
        for (std::size_t done = 0; done < most;) {
            const std::size_t chunk = std::min(transport_->most_dealt(), most - done);
            const std::vector<std::int64_t> sent = parts_of(send_bytes, done, chunk);
            const std::vector<std::int64_t> received = parts_of(receive_bytes, done, chunk);
            transport_->lay_out(chunk, sent, received);
            for (std::size_t to = 0; to < count(); ++to)
                copy(send + send_begins[to] + done, transport_->outgoing(to), static_cast<std::size_t>(sent[to]),
                     stream);
            stream.synchronize();
            copied_.synchronize();
            transport_->deal();
            for (std::size_t i = 1; i < count(); ++i) {
                const std::size_t from = (rank() + i) % count();
                copy(transport_->dealt(from), receive + receive_begins[from] + done,
                     static_cast<std::size_t>(received[from]), stream);
            }
            end_copies(stream);
            transport_->finish_round();
            done += chunk;
        }
    }

    /// The bytes of each piece that are sent in a round that begins at byte `done` of the piece; 0
    /// for the rank's own piece.
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
    bool waits_;
    Event copied_;  // the last round's bytes, which the next round overwrites
};

/// NCCL, except for small pieces between hosts if MPI is faster with them: a message of NCCL passes through
/// threads of the host, which takes longer than a copy to the host, a message of MPI, and a copy back
/// (bench/results/gpu-two-hosts-exchange.json).
class OverNccl final : public DeviceExchange::Way
{
public:
    /// Collective.
    OverNccl(const comm::Communicator& ranks, std::shared_ptr<NcclRanks> nccl) : nccl_(std::move(nccl))
    {
        if (ranks.split_by_host().size() == ranks.size()) return;
        const std::unique_ptr<Trial> trial = prepare_trial(ranks);
        if (!ranks.all(trial != nullptr)) return;
        over_mpi_ = std::move(trial->over_mpi);
        most_over_mpi_ = measure_most_over_mpi(ranks, *trial);
        if (most_over_mpi_ == 0) over_mpi_.reset();
    }

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        if (piece_bytes <= most_over_mpi_)
            over_mpi_->all_gather(pieces, piece_bytes, stream);
        else
            nccl_->all_gather(pieces, piece_bytes, stream);
    }
    void all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes,
                    const Stream& stream) override
    {
        if (static_cast<std::size_t>(equal_bytes.front()) <= most_over_mpi_)
            over_mpi_->all_to_all(send, receive, equal_bytes, stream);
        else
            nccl_->all_to_all_v(send, equal_bytes, receive, equal_bytes, stream);
    }
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        nccl_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    }

private:
    // Of a piece: longer ones are not measured.
    static constexpr std::size_t kMostOverMpi = std::size_t{128} << 10;

    /// The way over MPI, and the memory of messages that are measured.
    struct Trial
    {
        std::unique_ptr<InRounds> over_mpi;
        DeviceBuffer<std::byte> send, receive;
        Stream stream;
    };

    /// Null if this rank's memory does not suffice.
    [[nodiscard]] static std::unique_ptr<Trial> prepare_trial(const comm::Communicator& ranks)
    {
        const std::size_t bytes = kMostOverMpi * static_cast<std::size_t>(ranks.size());
        try {
            constexpr bool waits = false;
            return std::make_unique<Trial>(
                Trial{std::make_unique<InRounds>(ranks, std::make_unique<StagedTransport>(ranks, bytes), waits),
                      DeviceBuffer<std::byte>(bytes), DeviceBuffer<std::byte>(bytes), Stream()});
        } catch (const ResourceError&) {
            return nullptr;
        }
    }

    /// The longest pieces, of a few sizes, that are exchanged faster over MPI; 0 if none are. Collective.
    [[nodiscard]] std::size_t measure_most_over_mpi(const comm::Communicator& ranks, Trial& trial)
    {
        const auto count = static_cast<std::size_t>(ranks.size());
        // In seconds, of the slowest rank.
        const auto fastest = [&](DeviceExchange::Way& way, std::size_t piece_bytes) {
            const std::vector<std::int64_t> bytes(count, static_cast<std::int64_t>(piece_bytes));
            double least = std::numeric_limits<double>::infinity();
            for (int i = 0; i < 5; ++i) {
                ranks.barrier();
                const Clock::time_point begin = Clock::now();
                way.all_to_all(trial.send.data(), trial.receive.data(), bytes, trial.stream);
                trial.stream.synchronize();
                least = std::min(least, ranks.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max));
            }
            return least;
        };
        std::size_t most = 0;
        for (std::size_t bytes = std::size_t{2} << 10; bytes <= kMostOverMpi; bytes *= 4) {
            if (fastest(*over_mpi_, bytes) >= fastest(*this, bytes)) break;
            most = bytes;
        }
        return most;
    }

    std::shared_ptr<NcclRanks> nccl_;
    std::unique_ptr<InRounds> over_mpi_;
    std::size_t most_over_mpi_ = 0;  // bytes of a piece
};

/// Exchanges over an MPI that accepts device memory, but does not know streams.
class OverMpi final : public DeviceExchange::Way
{
public:
    explicit OverMpi(const comm::Communicator& ranks) : ranks_(ranks) {}

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

/// Null if there is one rank. `way` becomes `staged` if the ranks share no memory of a host. Collective.
std::unique_ptr<DeviceExchange::Way> make_way(const comm::Communicator& ranks, ExchangeWay& way,
                                              std::shared_ptr<NcclRanks> nccl)
{
    if (ranks.size() == 1) return nullptr;
    const auto over = [&ranks](std::unique_ptr<Windows> windows) {
        return std::make_unique<InRounds>(ranks, std::make_unique<WindowTransport>(ranks, std::move(windows)));
    };
    const std::size_t window = WindowTransport::bytes_for(ranks);
    switch (way) {
        case ExchangeWay::peers:
            return over(std::make_unique<DeviceWindows>(ranks, window));
        case ExchangeWay::nccl:
            return std::make_unique<OverNccl>(ranks, std::move(nccl));
        case ExchangeWay::device_mpi:
            return std::make_unique<OverMpi>(ranks);
        case ExchangeWay::host_memory:
            if (std::unique_ptr<Windows> windows = HostWindows::among(ranks, window)) return over(std::move(windows));
            break;
        case ExchangeWay::staged:
            break;
    }
    way = ExchangeWay::staged;
    return std::make_unique<InRounds>(ranks, std::make_unique<StagedTransport>(ranks, kStageBytes));
}

}  // namespace

ExchangeWay way_over_mpi(const comm::Communicator& ranks)
{
    return ranks.all(comm::cuda_aware()) ? ExchangeWay::device_mpi : ExchangeWay::host_memory;
}

void OneRank::all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream)
{
    copy(send, receive, piece_bytes, stream);
}

DeviceExchange::DeviceExchange(const comm::Communicator& ranks, ExchangeWay way, std::shared_ptr<NcclRanks> nccl)
    : ranks_(ranks), way_(way), calls_(make_way(ranks, way_, std::move(nccl)))
{
}

DeviceExchange::~DeviceExchange() = default;

void DeviceExchange::all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream)
{
    if (calls_) calls_->all_gather(pieces, piece_bytes, stream);
    sent_bytes_ += piece_bytes * (static_cast<std::size_t>(ranks_.size()) - 1);
}

void DeviceExchange::all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes,
                                const Stream& stream)
{
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks_.size()),
                                          static_cast<std::int64_t>(piece_bytes));
    if (calls_)
        calls_->all_to_all(send, receive, bytes, stream);
    else
        copy(send, receive, piece_bytes, stream);
    sent_bytes_ += piece_bytes * (bytes.size() - 1);
}

void DeviceExchange::all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                                  std::span<const std::int64_t> receive_bytes, const Stream& stream)
{
    if (calls_)
        calls_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    else
        copy(send, receive, static_cast<std::size_t>(send_bytes[0]), stream);
    const std::int64_t own = send_bytes[static_cast<std::size_t>(ranks_.rank())];
    sent_bytes_ += static_cast<std::uint64_t>(std::accumulate(send_bytes.begin(), send_bytes.end(), -own));
}

}  // namespace wayfront::gpu
