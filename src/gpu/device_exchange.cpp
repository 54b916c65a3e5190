#include "gpu/device_exchange.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "gpu/peers.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

/// The calls of DeviceExchange, with several ranks. send_bytes and receive_bytes agree among the ranks.
class DeviceExchange::Way
{
public:
    virtual ~Way() = default;
    virtual void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) = 0;
    /// Pieces of one size on all ranks.
    virtual void all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes, const Stream& stream)
    {
        all_to_all_v(send, equal_bytes, receive, equal_bytes, stream);
    }
    virtual void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                              std::span<const std::int64_t> receive_bytes, const Stream& stream) = 0;
};

namespace {

constexpr std::size_t kAlignment = 256;  // of the chunks of a round

/// As large a part of `bytes` as each of `parts` can have.
std::size_t aligned_part(std::size_t bytes, std::size_t parts)
{
    return std::max(bytes / parts / kAlignment, std::size_t{1}) * kAlignment;
}

void copy(const std::byte* from, std::byte* to, std::size_t bytes, const Stream& stream)
{
    copy_async(std::span<const std::byte>(from, bytes), std::span<std::byte>(to, bytes), stream);
}

/// A round: the rank puts bytes into outgoing(), show() or deal() makes all ranks' bytes known, and the rank takes them out of incoming().
class Transport
{
public:
    virtual ~Transport() = default;

    /// The most bytes that a rank can show all others in a round, or deal to each of them.
    [[nodiscard]] virtual std::size_t most_shown() const = 0;
    [[nodiscard]] virtual std::size_t most_dealt() const = 0;

    [[nodiscard]] virtual std::byte* outgoing() = 0;
    /// Outgoing are `bytes`, for all. Pre: they stand there. Collective.
    virtual void show(std::size_t bytes) = 0;
    /// Outgoing are P times `bytes`, for one rank after the other. Pre: they stand there. Collective.
    virtual void deal(std::size_t bytes) = 0;
    /// What `peer` showed, or dealt to this rank; until the next round's show() or deal().
    [[nodiscard]] virtual const std::byte* incoming(std::size_t peer) const = 0;
    /// All copies out of incoming() are done.
    virtual void finish_round() = 0;
};

/// Windows in device memory. They have two halves, used in turn: who passes the barrier of a round has copied what the round before showed, so that
/// its half may be written again after that.
class PeerTransport final : public Transport
{
public:
    explicit PeerTransport(const comm::Communicator& ranks) : ranks_(ranks), window_(2 * half_bytes(ranks)), opened_(ranks, window_.data()) {}

    [[nodiscard]] std::size_t most_shown() const override { return window_.bytes() / 2; }
    [[nodiscard]] std::size_t most_dealt() const override { return aligned_part(window_.bytes() / 2, static_cast<std::size_t>(ranks_.size())); }
    [[nodiscard]] std::byte* outgoing() override { return window_.data() + half_offset(); }
    void show(std::size_t /*bytes*/) override
    {
        ranks_.barrier();
        offset_ = 0;
    }
    void deal(std::size_t bytes) override
    {
        ranks_.barrier();
        offset_ = bytes * static_cast<std::size_t>(ranks_.rank());
    }
    [[nodiscard]] const std::byte* incoming(std::size_t peer) const override { return opened_.base(peer) + half_offset() + offset_; }
    void finish_round() override { half_ ^= 1U; }

private:
    /// A multiple of the pages that are shared, with room for an aligned chunk for each rank.
    static std::size_t half_bytes(const comm::Communicator& ranks)
    {
        constexpr std::size_t usual = std::size_t{32} << 20;
        return std::max(usual, (static_cast<std::size_t>(ranks.size()) * kAlignment + usual - 1) / usual * usual);
    }
    [[nodiscard]] std::size_t half_offset() const { return half_ * (window_.bytes() / 2); }

    const comm::Communicator& ranks_;
    DeviceBuffer<std::byte> window_;
    OpenedPeers opened_;
    std::size_t half_ = 0;
    std::size_t offset_ = 0;  // of what is for this rank, in every half
};

/// Pinned host memory and MPI.
class StagedTransport final : public Transport
{
public:
    explicit StagedTransport(const comm::Communicator& ranks)
        : ranks_(ranks), most_(aligned_part(kStageBytes, count())), sent_(most_ * count()), received_(most_ * count())
    {
    }

    [[nodiscard]] std::size_t most_shown() const override { return most_; }
    [[nodiscard]] std::size_t most_dealt() const override { return most_; }
    [[nodiscard]] std::byte* outgoing() override { return sent_.data(); }
    void show(std::size_t bytes) override
    {
        chunk_ = bytes;
        ranks_.all_gather(std::span<const std::byte>(sent_.span()).first(bytes), received_.span().first(bytes * count()));
    }
    void deal(std::size_t bytes) override
    {
        chunk_ = bytes;
        const std::vector<std::int64_t> counts(count(), static_cast<std::int64_t>(bytes));
        ranks_.all_to_all_v(std::span<const std::byte>(sent_.span()).first(bytes * count()), std::span<const std::int64_t>(counts),
                            received_.span().first(bytes * count()), std::span<const std::int64_t>(counts));
    }
    [[nodiscard]] const std::byte* incoming(std::size_t peer) const override { return received_.data() + peer * chunk_; }
    void finish_round() override {}

private:
    static constexpr std::size_t kStageBytes = std::size_t{64} << 20;  // each way

    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(ranks_.size()); }

    const comm::Communicator& ranks_;
    std::size_t most_;
    PinnedBuffer<std::byte> sent_;
    PinnedBuffer<std::byte> received_;
    std::size_t chunk_ = 0;
};

/// In rounds of a transport.
class InRounds final : public DeviceExchange::Way
{
public:
    InRounds(const comm::Communicator& ranks, std::unique_ptr<Transport> transport) : ranks_(ranks), transport_(std::move(transport)) {}

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override
    {
        for (std::size_t done = 0; done < piece_bytes;) {
            const std::size_t chunk = std::min(transport_->most_shown(), piece_bytes - done);
            copy(pieces + rank() * piece_bytes + done, transport_->outgoing(), chunk, stream);
            stream.synchronize();
            transport_->show(chunk);
            for (std::size_t i = 1; i < count(); ++i) {
                const std::size_t peer = (rank() + i) % count();  // not all ranks from the same one
                copy(transport_->incoming(peer), pieces + peer * piece_bytes + done, chunk, stream);
            }
            stream.synchronize();
            transport_->finish_round();
            done += chunk;
        }
    }

    void all_to_all(const std::byte* send, std::byte* receive, std::span<const std::int64_t> equal_bytes, const Stream& stream) override
    {
        deal_pieces(send, equal_bytes, receive, equal_bytes, static_cast<std::size_t>(equal_bytes.front()), stream);
    }

    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        const auto most = static_cast<std::size_t>(ranks_.all_reduce(std::ranges::max(send_bytes), comm::Reduction::max));
        deal_pieces(send, send_bytes, receive, receive_bytes, most, stream);
    }

private:
    /// `most`: bytes of the largest piece of any rank.
    void deal_pieces(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive, std::span<const std::int64_t> receive_bytes,
                     std::size_t most, const Stream& stream)
    {
        const std::vector<std::size_t> send_begins = begins(send_bytes);
        const std::vector<std::size_t> receive_begins = begins(receive_bytes);
        copy(send + send_begins[rank()], receive + receive_begins[rank()], static_cast<std::size_t>(send_bytes[rank()]), stream);
        for (std::size_t done = 0; done < most;) {
            const std::size_t chunk = std::min(transport_->most_dealt(), most - done);
            const auto part = [&](std::int64_t bytes) {
                return std::min(static_cast<std::size_t>(bytes) - std::min(static_cast<std::size_t>(bytes), done), chunk);
            };
            for (std::size_t to = 0; to < count(); ++to)
                if (part(send_bytes[to]) > 0) copy(send + send_begins[to] + done, transport_->outgoing() + to * chunk, part(send_bytes[to]), stream);
            stream.synchronize();
            transport_->deal(chunk);
            for (std::size_t i = 1; i < count(); ++i) {
                const std::size_t from = (rank() + i) % count();
                if (part(receive_bytes[from]) > 0)
                    copy(transport_->incoming(from), receive + receive_begins[from] + done, part(receive_bytes[from]), stream);
            }
            stream.synchronize();
            transport_->finish_round();
            done += chunk;
        }
    }

    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(ranks_.size()); }
    static std::vector<std::size_t> begins(std::span<const std::int64_t> bytes)
    {
        std::vector<std::size_t> begins(bytes.size());
        std::exclusive_scan(bytes.begin(), bytes.end(), begins.begin(), std::size_t{0});
        return begins;
    }

    const comm::Communicator& ranks_;
    std::unique_ptr<Transport> transport_;
};

class OverNccl final : public DeviceExchange::Way
{
public:
    explicit OverNccl(std::shared_ptr<NcclRanks> nccl) : nccl_(std::move(nccl)) {}

    void all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream) override { nccl_->all_gather(pieces, piece_bytes, stream); }
    void all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                      std::span<const std::int64_t> receive_bytes, const Stream& stream) override
    {
        nccl_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    }

private:
    std::shared_ptr<NcclRanks> nccl_;
};

/// Device memory in the hands of MPI, which knows nothing of streams.
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

std::unique_ptr<DeviceExchange::Way> make_way(const comm::Communicator& ranks, ExchangeWay way, std::shared_ptr<NcclRanks> nccl)
{
    if (ranks.size() == 1) return nullptr;
    switch (way) {
        case ExchangeWay::peers:
            return std::make_unique<InRounds>(ranks, std::make_unique<PeerTransport>(ranks));
        case ExchangeWay::nccl:
            return std::make_unique<OverNccl>(std::move(nccl));
        case ExchangeWay::device_mpi:
            return std::make_unique<OverMpi>(ranks);
        case ExchangeWay::staged:
            break;
    }
    return std::make_unique<InRounds>(ranks, std::make_unique<StagedTransport>(ranks));
}

}  // namespace

ExchangeWay way_over_mpi(const comm::Communicator& ranks)
{
    return ranks.all(comm::cuda_aware()) ? ExchangeWay::device_mpi : ExchangeWay::staged;
}

DeviceExchange::DeviceExchange(const comm::Communicator& ranks, ExchangeWay way, std::shared_ptr<NcclRanks> nccl)
    : ranks_(ranks), way_(way), calls_(make_way(ranks, way, std::move(nccl)))
{
}

DeviceExchange::~DeviceExchange() = default;

void DeviceExchange::all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream)
{
    if (calls_) calls_->all_gather(pieces, piece_bytes, stream);
}

void DeviceExchange::all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes, const Stream& stream)
{
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks_.size()), static_cast<std::int64_t>(piece_bytes));
    if (calls_)
        calls_->all_to_all(send, receive, bytes, stream);
    else
        copy(send, receive, piece_bytes, stream);
}

void DeviceExchange::all_to_all_v(const std::byte* send, std::span<const std::int64_t> send_bytes, std::byte* receive,
                                  std::span<const std::int64_t> receive_bytes, const Stream& stream)
{
    if (calls_)
        calls_->all_to_all_v(send, send_bytes, receive, receive_bytes, stream);
    else
        copy(send, receive, static_cast<std::size_t>(send_bytes[0]), stream);
}

ConstructionRanks DeviceExchange::construction_ranks()
{
    const comm::Communicator* const ranks = &ranks_;
    return {.ranks = ranks_.size(),
            .rank = ranks_.rank(),
            .sum = [ranks](std::span<std::int64_t> values) { ranks->all_reduce(values, comm::Reduction::sum); },
            .max = [ranks](std::int64_t value) { return ranks->all_reduce(value, comm::Reduction::max); },
            .all_gather =
                [this](std::span<std::uint32_t> all, const Stream& stream) {
                    all_gather(std::as_writable_bytes(all).data(), all.size_bytes() / static_cast<std::size_t>(ranks_.size()), stream);
                }};
}

Collectives DeviceExchange::collectives()
{
    const comm::Communicator* const ranks = &ranks_;
    return {.all_gather = [this](std::byte* pieces, std::size_t piece_bytes, const Stream& stream) { all_gather(pieces, piece_bytes, stream); },
            .all_to_all = [this](const std::byte* send, std::byte* receive, std::size_t piece_bytes,
                                 const Stream& stream) { all_to_all(send, receive, piece_bytes, stream); },
            .sum = [ranks](std::span<std::int64_t> values) { ranks->all_reduce(values, comm::Reduction::sum); },
            .max = [ranks](std::span<std::int64_t> values) { ranks->all_reduce(values, comm::Reduction::max); }};
}

}  // namespace wayfront::gpu
