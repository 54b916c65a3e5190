// Sends items to the ranks that they name, and sends the answers back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/communicator.hpp"

namespace wayfront::comm {

inline constexpr std::size_t kSerialBelowItems = 4096;

/// The positions of a chunk of items in a send buffer that is ordered by destination. Items for the
/// same rank keep their order.
class Routing
{
public:
    /// Item i goes to rank destination(i), or to no rank if that is negative. All threads call
    /// `destination`, twice per item.
    template <typename F>
    Routing(std::size_t items, int ranks, F&& destination) : position_(items), sort_(static_cast<std::size_t>(ranks))
    {
        const auto visit = [&](std::size_t i, auto&& f) {
            if (const int rank = destination(i); rank >= 0)
                f(static_cast<std::size_t>(rank), i);
            else
                position_[i] = kNowhere;
        };
        sort_.count(items, kSerialBelowItems, visit);
        sort_.place(visit, [this](std::size_t position, std::size_t i) { position_[i] = position; });
    }

    /// The number of items for each rank.
    [[nodiscard]] std::span<const std::int64_t> counts() const { return sort_.counts(); }
    /// The position of item i in the send buffer, which is also the position of its answer in the
    /// result of reply(). Pre: item i goes to a rank.
    [[nodiscard]] std::size_t position(std::size_t i) const { return position_[i]; }

    /// Sends make(i) for each item i that goes to a rank. Returns the received items in the order
    /// of ranks; from[k] is set to the number of items from rank k. Collective.
    template <typename T, typename F>
    [[nodiscard]] HostBuffer<T> send(const Communicator& communicator, std::vector<std::int64_t>& from, F&& make) const
    {
        HostBuffer<T> outgoing(sort_.size());
        parallel_for(position_.size(), kSerialBelowItems, [&](std::size_t i) {
            if (position_[i] != kNowhere) outgoing[position_[i]] = make(i);
        });
        from = communicator.all_to_all(counts());
        HostBuffer<T> incoming(static_cast<std::size_t>(std::accumulate(from.begin(), from.end(), std::int64_t{0})));
        communicator.all_to_all_v(std::span<const T>(outgoing.span()), counts(), incoming.span(), from);
        return incoming;
    }

    /// Sends answers[i] back to the sender of received item i. Returns the answers to this rank's
    /// items. Collective.
    template <typename T>
    [[nodiscard]] HostBuffer<T> reply(const Communicator& communicator, const std::vector<std::int64_t>& from,
                                      const HostBuffer<T>& answers) const
    {
        HostBuffer<T> received(sort_.size());
        communicator.all_to_all_v(answers.span(), from, received.span(), counts());
        return received;
    }

private:
    static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

    HostBuffer<std::size_t> position_;
    CountingSort sort_;
};

}  // namespace wayfront::comm
