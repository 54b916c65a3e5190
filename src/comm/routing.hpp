// Sending items to the ranks that they name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/communicator.hpp"

namespace wayfront::graph500 {

inline constexpr std::size_t kSerialBelowItems = 4096;

/// The positions of a chunk of items in a send buffer that is ordered by destination. Items for the
/// same rank keep their order.
class Routing
{
public:
    /// Item i goes to rank destination(i), or to no rank if that is negative. All threads call
    /// `destination`, twice per item.
    template <typename F>
    Routing(std::size_t items, int ranks, F&& destination) : position_(items), counts_(static_cast<std::size_t>(ranks), 0)
    {
        const auto parts = static_cast<std::size_t>(items < kSerialBelowItems ? 1 : thread_count());
        const int threads = static_cast<int>(parts);
        std::vector<std::vector<std::size_t>> next(parts, std::vector<std::size_t>(static_cast<std::size_t>(ranks), 0));
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (std::size_t part = 0; part < parts; ++part) {
            const IndexRange range = part_of(items, part, parts);
            for (std::size_t i = range.first; i < range.last; ++i) {
                const int rank = destination(i);
                if (rank >= 0) ++next[part][static_cast<std::size_t>(rank)];
            }
        }
        for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
            const std::size_t before = total_;
            for (std::size_t part = 0; part < parts; ++part) {
                const std::size_t count = next[part][rank];
                next[part][rank] = total_;
                total_ += count;
            }
            counts_[rank] = static_cast<std::int64_t>(total_ - before);
        }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
        for (std::size_t part = 0; part < parts; ++part) {
            const IndexRange range = part_of(items, part, parts);
            for (std::size_t i = range.first; i < range.last; ++i) {
                const int rank = destination(i);
                position_[i] = rank >= 0 ? next[part][static_cast<std::size_t>(rank)]++ : kNowhere;
            }
        }
    }

    /// The number of items for each rank.
    [[nodiscard]] const std::vector<std::int64_t>& counts() const
    {
        return counts_;
    }
    /// The position of item i in the send buffer, which is also the position of its answer in the
    /// result of reply(). Pre: item i goes to a rank.
    [[nodiscard]] std::size_t position(std::size_t i) const
    {
        return position_[i];
    }

    /// Sends make(i) for each item i that goes to a rank. Returns the received items in the order
    /// of ranks; from[k] is set to the number of items from rank k. Collective.
    template <typename T, typename F>
    [[nodiscard]] HostBuffer<T> send(const comm::Communicator& communicator, std::vector<std::int64_t>& from, F&& make) const
    {
        HostBuffer<T> outgoing(total_);
        parallel_ranges(position_.size(), kSerialBelowItems, [&](IndexRange range) {
            for (std::size_t i = range.first; i < range.last; ++i) {
                if (position_[i] != kNowhere) outgoing[position_[i]] = make(i);
            }
        });
        from = communicator.all_to_all(counts_);
        HostBuffer<T> incoming(static_cast<std::size_t>(std::accumulate(from.begin(), from.end(), std::int64_t{0})));
        communicator.all_to_all_v(static_cast<const HostBuffer<T>&>(outgoing).span(), counts_, incoming.span(), from);
        return incoming;
    }

    /// Sends answers[i] back to the sender of received item i. Returns the answers to this rank's
    /// items. Collective.
    template <typename T>
    [[nodiscard]] HostBuffer<T> reply(const comm::Communicator& communicator, const std::vector<std::int64_t>& from,
                                      const HostBuffer<T>& answers) const
    {
        HostBuffer<T> received(total_);
        communicator.all_to_all_v(answers.span(), from, received.span(), counts_);
        return received;
    }

private:
    static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

    HostBuffer<std::size_t> position_;
    std::vector<std::int64_t> counts_;
    std::size_t total_ = 0;
};

}  // namespace wayfront::graph500
