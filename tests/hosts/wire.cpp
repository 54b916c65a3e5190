// A switch between hosts of hosts.py whose links are slow and lossy, for kernels without tc's
// netem.
//
// usage: wayfront_wire DELAY_MICROSECONDS MEGABITS_PER_SECOND LOSS PROCESS...
//
// Makes a network device eth0 in the network namespace of each PROCESS, prints "ready", and carries
// Ethernet frames between the devices until a signal ends it. Device i has the address
// 02:00:00:00:00:i. A frame waits until its device has sent the previous frames at the given rate
// (0: no limit), arrives after the delay, and is lost with probability LOSS. The kernel hands over
// TCP segments of up to 64 KiB as one frame each.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFrameBytes = (std::size_t{64} << 10) + 256;
// A virtio_net_hdr before each frame.
constexpr std::size_t kHeaderBytes = 10;
// If more bytes wait to be sent, the device loses frames.
constexpr auto kLongestBacklog = std::chrono::milliseconds(50);

struct Frame
{
    Clock::time_point due;
    std::size_t to;
    std::vector<char> bytes;
    bool operator>(const Frame& other) const { return due > other.due; }
};

struct Device
{
    int file = -1;
    Clock::time_point free_at;  // when the previous frames have been sent
};

int require(int result, const char* call)
{
    if (result < 0) throw std::system_error(errno, std::generic_category(), call);
    return result;
}

int make_device(const char* process, std::size_t number)
{
    const int space = require(::open((std::string("/proc/") + process + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC),
                              "open a network namespace");
    require(::setns(space, CLONE_NEWNET), "setns");
    ::close(space);
    const int file = require(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "open /dev/net/tun");
    ifreq request{};
    std::strncpy(request.ifr_name, "eth0", IFNAMSIZ - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
    require(::ioctl(file, TUNSETIFF, &request), "make eth0");
    require(::ioctl(file, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4), "TUNSETOFFLOAD");
    request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    request.ifr_hwaddr.sa_data[0] = 2;
    request.ifr_hwaddr.sa_data[5] = static_cast<char>(number);
    require(::ioctl(file, SIOCSIFHWADDR, &request), "set the address of eth0");
    return file;
}

class Wire
{
public:
    Wire(std::chrono::nanoseconds delay, double bytes_a_second, double loss, std::vector<Device> devices)
        : delay_(delay), bytes_a_second_(bytes_a_second), lost_(loss), devices_(std::move(devices))
    {
    }

    [[noreturn]] void carry()
    {
        std::vector<pollfd> waiting;
        waiting.reserve(devices_.size());
        for (const Device& device : devices_) waiting.push_back({device.file, POLLIN, 0});
        for (;;) {
            timespec left{};
            if (!under_way_.empty()) {
                const auto until = std::max(under_way_.top().due - Clock::now(), Clock::duration::zero());
                left = {static_cast<time_t>(until / std::chrono::seconds(1)),
                        static_cast<long>((until % std::chrono::seconds(1)).count())};
            }
            ::ppoll(waiting.data(), waiting.size(), under_way_.empty() ? nullptr : &left, nullptr);
            for (std::size_t i = 0; i < devices_.size(); ++i)
                if ((waiting[i].revents & POLLIN) != 0) take_from(i);
            deliver();
        }
    }

private:
    void take_from(std::size_t from)
    {
        for (;;) {
            const ssize_t bytes = ::read(devices_[from].file, buffer_.data(), buffer_.size());
            if (bytes <= static_cast<ssize_t>(kHeaderBytes)) return;
            const Clock::time_point now = Clock::now();
            Device& device = devices_[from];
            device.free_at = std::max(device.free_at, now);
            if (device.free_at - now > kLongestBacklog) continue;
            if (bytes_a_second_ > 0)
                device.free_at += std::chrono::nanoseconds(
                    static_cast<std::int64_t>(1e9 * static_cast<double>(bytes) / bytes_a_second_));
            if (lost_(random_)) continue;
            const char* const address = buffer_.data() + kHeaderBytes;
            const bool to_all = (address[0] & 1) != 0;
            for (std::size_t to = 0; to < devices_.size(); ++to)
                if (to != from && (to_all || static_cast<std::size_t>(address[5]) == to))
                    under_way_.push({device.free_at + delay_, to, {buffer_.data(), buffer_.data() + bytes}});
        }
    }

    void deliver()
    {
        while (!under_way_.empty() && under_way_.top().due <= Clock::now()) {
            const Frame& frame = under_way_.top();
            // If the device is down, it does not take the frame, which is then lost.
            [[maybe_unused]] const ssize_t written =
                ::write(devices_[frame.to].file, frame.bytes.data(), frame.bytes.size());
            under_way_.pop();
        }
    }

    std::chrono::nanoseconds delay_;
    double bytes_a_second_;
    std::bernoulli_distribution lost_;
    std::mt19937_64 random_{1};
    std::vector<Device> devices_;
    std::priority_queue<Frame, std::vector<Frame>, std::greater<>> under_way_;
    std::array<char, kMostFrameBytes> buffer_{};
};

}  // namespace

int main(int argc, char** argv)
{
    try {
        if (argc < 6)
            throw std::invalid_argument("usage: wayfront_wire DELAY_MICROSECONDS MEGABITS_PER_SECOND LOSS PROCESS...");
        const int own_space =
            require(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "open the own network namespace");
        std::vector<Device> devices;
        for (int i = 4; i < argc; ++i) devices.push_back({make_device(argv[i], devices.size()), {}});
        require(::setns(own_space, CLONE_NEWNET), "setns");
        // Frames must not wait until the ranks leave a core to this process.
        const sched_param priority{.sched_priority = 1};
        ::sched_setscheduler(0, SCHED_FIFO, &priority);
        ::prctl(PR_SET_TIMERSLACK, 1);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        Wire wire(std::chrono::microseconds(std::atol(argv[1])), 1e6 / 8 * std::atof(argv[2]), std::atof(argv[3]),
                  std::move(devices));
        std::puts("ready");
        std::fflush(stdout);
        wire.carry();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "wayfront_wire: %s\n", error.what());
        return 1;
    }
}
