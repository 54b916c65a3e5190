#include "gpu/exchange/transports.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "comm/shared_memory.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/runtime/buffer.hpp"

namespace wayfront::gpu {

namespace {

constexpr std::size_t kAlignment = 256;                     // alignment of a round's chunks, in bytes
constexpr std::size_t kStageBytes = std::size_t{64} << 20;  // size of the staging memory in each direction

/// The largest aligned size of each of `parts` parts of `bytes` bytes.
std::size_t aligned_part(std::size_t bytes, std::size_t parts)
{
    return std::max(bytes / parts / kAlignment, std::size_t{1}) * kAlignment;
}

/// Memory of each rank from which all ranks can copy.
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

/// Windows in pinned memory that the ranks of a host share.
class HostWindows final : public Windows
{
public:
    /// Returns null on all ranks if the ranks cannot share memory or cannot pin it. Collective.
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

/// A window has two halves, which are used in turn. A rank that passes the barrier of a round has
/// copied the bytes of the previous round, so that the half with these bytes may be overwritten.
class WindowTransport final : public Transport
{
public:
    /// Pre: each window has bytes_for(ranks) bytes.
    WindowTransport(const comm::Communicator& ranks, std::unique_ptr<Windows> windows)
        : ranks_(ranks), windows_(std::move(windows)), half_bytes_(bytes_for(ranks) / 2)
    {
    }

    /// The size of a window: a multiple of kSharedPageBytes with room for an aligned chunk for each
    /// rank.
    [[nodiscard]] static std::size_t bytes_for(const comm::Communicator& ranks)
    {
        constexpr std::size_t usual = std::size_t{32} << 20;
        const std::size_t half =
            std::max(usual, (static_cast<std::size_t>(ranks.size()) * kAlignment + usual - 1) / usual * usual);
        return 2 * half;
    }

    [[nodiscard]] std::size_t most_gathered_bytes() const override { return half_bytes_; }
    [[nodiscard]] std::size_t most_piece_bytes() const override
    {
        return aligned_part(half_bytes_, static_cast<std::size_t>(ranks_.size()));
    }
    [[nodiscard]] std::byte* send_buffer() override { return half_of(rank()); }
    void all_gather(std::size_t /*bytes*/) override { ranks_.barrier(); }
    [[nodiscard]] const std::byte* gathered(std::size_t peer) const override { return half_of(peer); }

    // Each peer has the same room in a half, so that a peer finds its bytes without knowing the
    // sizes of the others.
    void set_piece_sizes(std::size_t most, std::span<const std::int64_t> /*send*/,
                         std::span<const std::int64_t> /*receive*/) override
    {
        piece_bytes_ = most;
    }
    [[nodiscard]] std::byte* send_buffer(std::size_t peer) override { return send_buffer() + peer * piece_bytes_; }
    void all_to_all() override { ranks_.barrier(); }
    [[nodiscard]] const std::byte* received(std::size_t peer) const override
    {
        return gathered(peer) + rank() * piece_bytes_;
    }
    void finish_round() override { half_ ^= 1U; }

private:
    [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(ranks_.rank()); }
    [[nodiscard]] std::byte* half_of(std::size_t rank) const { return windows_->of(rank) + half_ * half_bytes_; }

    const comm::Communicator& ranks_;
    std::unique_ptr<Windows> windows_;
    std::size_t half_bytes_;
    std::size_t half_ = 0;
    std::size_t piece_bytes_ = 0;  // bytes for each rank in a half
};

/// Transfers through pinned host memory and MPI.
class StagedTransport final : public Transport
{
public:
    explicit StagedTransport(const comm::Communicator& ranks)
        : ranks_(ranks), most_(aligned_part(kStageBytes, count())), sent_(most_ * count()), received_(most_ * count())
    {
    }

    [[nodiscard]] std::size_t most_gathered_bytes() const override { return most_; }
    [[nodiscard]] std::size_t most_piece_bytes() const override { return most_; }
    [[nodiscard]] std::byte* send_buffer() override { return sent_.data(); }
    void all_gather(std::size_t bytes) override
    {
        gathered_bytes_ = bytes;
        ranks_.all_gather(std::span<const std::byte>(sent_.span()).first(bytes),
                          received_.span().first(bytes * count()));
    }
    [[nodiscard]] const std::byte* gathered(std::size_t peer) const override
    {
        return received_.data() + peer * gathered_bytes_;
    }

    void set_piece_sizes(std::size_t /*most*/, std::span<const std::int64_t> send_bytes,
                         std::span<const std::int64_t> receive_bytes) override
    {
        send_.assign(send_bytes);
        receive_.assign(receive_bytes);
    }
    [[nodiscard]] std::byte* send_buffer(std::size_t peer) override { return sent_.data() + send_.begins[peer]; }
    void all_to_all() override
    {
        ranks_.all_to_all_v(std::span<const std::byte>(sent_.span()).first(send_.all()),
                            std::span<const std::int64_t>(send_.bytes), received_.span().first(receive_.all()),
                            std::span<const std::int64_t>(receive_.bytes));
    }
    [[nodiscard]] const std::byte* received(std::size_t peer) const override
    {
        return received_.data() + receive_.begins[peer];
    }
    void finish_round() override {}

private:
    /// Pieces to all ranks, or from all ranks, one after the other.
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
    std::size_t gathered_bytes_ = 0;
    Pieces send_;
    Pieces receive_;
};

}  // namespace

std::vector<std::size_t> begins_of(std::span<const std::int64_t> bytes)
{
    std::vector<std::size_t> begins(bytes.size());
    std::exclusive_scan(bytes.begin(), bytes.end(), begins.begin(), std::size_t{0});
    return begins;
}

std::unique_ptr<Transport> over_device_windows(const comm::Communicator& ranks)
{
    return std::make_unique<WindowTransport>(ranks,
                                             std::make_unique<DeviceWindows>(ranks, WindowTransport::bytes_for(ranks)));
}

std::unique_ptr<Transport> over_host_windows(const comm::Communicator& ranks)
{
    std::unique_ptr<Windows> windows = HostWindows::among(ranks, WindowTransport::bytes_for(ranks));
    return windows != nullptr ? std::make_unique<WindowTransport>(ranks, std::move(windows)) : nullptr;
}

std::unique_ptr<Transport> staged_over_mpi(const comm::Communicator& ranks)
{
    return std::make_unique<StagedTransport>(ranks);
}

}  // namespace wayfront::gpu
