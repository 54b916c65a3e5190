#include "job/host_beats.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <random>
#include <span>

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "comm/agreement.hpp"

namespace wayfront::job {

namespace {

constexpr std::size_t kMostAddresses = 16;
constexpr int kTries = 100;
constexpr int kTryMilliseconds = 10;
constexpr int kAnswers = 3;  // to each datagram at the start, because datagrams may be lost

/// How a leader introduces its host to the others.
struct Introduction
{
    std::array<char, 64> name{};
    int first_rank = 0;
    int ranks = 0;
};

/// How rank 0 can be reached.
struct Addresses
{
    std::uint64_t job = 0;
    std::size_t count = 0;
    std::array<sockaddr_in, kMostAddresses> addresses{};
};

/// The addresses of this host that others may reach, with the port of `socket`.
Addresses own_addresses(int socket)
{
    Addresses own;
    sockaddr_in bound{};
    socklen_t bytes = sizeof(bound);
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &bytes) != 0) return own;
    ifaddrs* first = nullptr;
    if (::getifaddrs(&first) != 0) return own;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> freed_at_the_end(first, &::freeifaddrs);
    for (const ifaddrs* one = first; one != nullptr && own.count < kMostAddresses; one = one->ifa_next) {
        const bool usable = (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
        if (!usable || one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
        sockaddr_in& address = own.addresses[own.count++];
        std::memcpy(&address, one->ifa_addr, sizeof(address));
        address.sin_port = bound.sin_port;
    }
    std::random_device random;
    own.job = (std::uint64_t{random()} << 32) | random();
    return own;
}

int open_socket()
{
    const int opened = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (opened < 0) return -1;
    sockaddr_in any{};
    any.sin_family = AF_INET;
    if (::bind(opened, reinterpret_cast<const sockaddr*>(&any), sizeof(any)) == 0) return opened;
    ::close(opened);
    return -1;
}

std::string describe(const Introduction& host)
{
    const std::string name = host.name.data();
    return host.ranks == 1 ? fmt::format("host {} (rank {})", name, host.first_rank)
                           : fmt::format("host {} ({} ranks, from rank {})", name, host.ranks, host.first_rank);
}

}  // namespace

/// A datagram: the job, and the number of the host that sends the datagram.
struct HostBeats::Beat
{
    std::uint64_t job;
    std::int64_t host;
};

HostBeats::HostBeats(const comm::Communicator& world, const comm::Communicator& host)
{
    const bool leads = host.rank() == 0;
    const comm::Communicator leaders = world.split(leads ? 0 : 1, world.rank());
    if (!leads || leaders.size() == 1) return;
    own_ = leaders.rank();
    Introduction own{.first_rank = world.rank(), .ranks = host.size()};
    comm::host_name().copy(own.name.data(), own.name.size() - 1);
    for (const Introduction& one : leaders.all_gather(own)) hosts_.push_back({describe(one)});
    socket_ = open_socket();
    Addresses first = own_ == 0 ? own_addresses(socket_) : Addresses{};
    leaders.broadcast(std::span<Addresses>(&first, 1), 0);
    job_ = first.job;
    first_leader_.assign(first.addresses.begin(), first.addresses.begin() + static_cast<std::ptrdiff_t>(first.count));
    try_to_hear();
    // Rank 0 watches only hosts that heard its answer, and only these watch rank 0.
    const std::vector<std::int32_t> heard = leaders.all_gather<std::int32_t>(hosts_[0].heard ? 1 : 0);
    for (std::size_t i = 1; i < hosts_.size(); ++i) hosts_[i].heard = own_ == 0 && heard[i] != 0;
}

HostBeats::~HostBeats()
{
    if (socket_ >= 0) ::close(socket_);
}

void HostBeats::try_to_hear()
{
    if (!watches()) return;
    const auto done = [this] {
        return own_ > 0 ? hosts_[0].heard
                        : std::all_of(hosts_.begin() + 1, hosts_.end(), [](const Watched& host) { return host.heard; });
    };
    for (int i = 0; i < kTries && !done(); ++i) {
        if (own_ > 0)
            for (const sockaddr_in& address : first_leader_) send(address);
        pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
        ::poll(&waiting, 1, kTryMilliseconds);
        receive_all(kAnswers);
    }
}

void HostBeats::send(const sockaddr_in& to) const
{
    const Beat beat{job_, own_};
    // A datagram that cannot be sent counts as lost.
    ::sendto(socket_, &beat, sizeof(beat), 0, reinterpret_cast<const sockaddr*>(&to), sizeof(to));
}

void HostBeats::receive_all(int answers)
{
    for (;;) {
        Beat beat{};
        sockaddr_in from{};
        socklen_t from_bytes = sizeof(from);
        const ssize_t bytes =
            ::recvfrom(socket_, &beat, sizeof(beat), 0, reinterpret_cast<sockaddr*>(&from), &from_bytes);
        if (bytes < 0) return;
        const bool known = bytes == sizeof(beat) && beat.job == job_ && beat.host >= 0 &&
                           beat.host < static_cast<std::int64_t>(hosts_.size());
        if (!known || beat.host == own_) continue;
        Watched& host = hosts_[static_cast<std::size_t>(beat.host)];
        host.heard = true;
        host.silent_polls = 0;
        if (own_ == 0)
            for (int i = 0; i < answers; ++i) send(from);
        else
            first_leader_.assign(1, from);  // this is the address that works
    }
}

void HostBeats::poll()
{
    if (!watches()) return;
    for (Watched& host : hosts_) ++host.silent_polls;
    receive_all(1);
    if (own_ == 0) return;
    for (const sockaddr_in& address : first_leader_) send(address);
}

std::optional<std::string> HostBeats::silent_host(int polls) const
{
    if (!watches()) return std::nullopt;
    for (const Watched& host : hosts_)
        if (host.heard && host.silent_polls > polls) return host.name;
    return std::nullopt;
}

}  // namespace wayfront::job
