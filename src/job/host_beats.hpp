// Notices when another host of the job no longer answers.
//
// The first rank of each host is its leader. With every poll, which is once a second, each leader
// sends a datagram (UDP, IPv4) to rank 0, and rank 0 answers the datagrams of all leaders. So rank
// 0 knows how many polls ago it heard from each host, and each leader how many polls ago it heard
// from the host of rank 0. A host whose datagrams do not arrive at the start is not watched: a
// firewall may drop them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <netinet/in.h>

#include "comm/communicator.hpp"

namespace wayfront::job {

class HostBeats
{
public:
    /// Finds out which hosts can be watched; takes at most a second. `host`: the ranks of this
    /// rank's host, in the order of `world`. Collective over `world`.
    HostBeats(const comm::Communicator& world, const comm::Communicator& host);
    ~HostBeats();
    HostBeats(const HostBeats&) = delete;  // one socket, one owner
    HostBeats& operator=(const HostBeats&) = delete;

    /// Sends and receives. To be called once a second by one thread.
    void poll();

    /// Describes a host that was not heard from in the last `polls` polls; no value if there is
    /// none, and on ranks that are not leaders.
    [[nodiscard]] std::optional<std::string> silent_host(int polls) const;

    /// The number of leaders before this one that see the same host fall silent.
    [[nodiscard]] int witnesses_before() const { return own_ > 0 ? own_ - 1 : 0; }

private:
    struct Beat;
    struct Watched
    {
        std::string name;
        int silent_polls = 0;
        bool heard = false;  // at the start; if not, the host is not watched
    };

    [[nodiscard]] bool watches() const { return socket_ >= 0; }
    void try_to_hear();
    void send(const sockaddr_in& to) const;
    /// Receives the datagrams that have arrived. Rank 0 answers each of them with `answers`
    /// datagrams.
    void receive_all(int answers);

    int socket_ = -1;                        // -1: this rank watches no other host
    int own_ = 0;                            // the number of this host
    std::uint64_t job_ = 0;                  // distinguishes the job's datagrams from others
    std::vector<sockaddr_in> first_leader_;  // addresses of rank 0
    std::vector<Watched> hosts_;             // by number; rank 0 watches all, the others number 0
};

}  // namespace wayfront::job
