// The ranks of one host that work on memory that they share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"

namespace wayfront::algo {

/// One rank, which waits for no other.
struct OneRank
{
    [[nodiscard]] static bool any(bool value) { return value; }
    [[nodiscard]] static std::uint64_t sum(std::uint64_t value) { return value; }
    [[nodiscard]] static std::uint32_t smallest(std::uint32_t value) { return value; }
    static void wait() {}
    /// Replaces `numbers` by those of the other ranks, each once. Returns whether any rank had some.
    [[nodiscard]] static bool exchange(std::vector<std::uint32_t>& numbers)
    {
        numbers.clear();
        return false;
    }
};

/// All ranks of a communicator. All functions are collective over it, and a rank sees what the others
/// have written to shared memory before their calls.
class HostRanks
{
public:
    explicit HostRanks(const comm::Communicator& ranks) : ranks_(&ranks) {}

    [[nodiscard]] bool any(bool value) const { return ranks_->any(value); }
    [[nodiscard]] std::uint64_t sum(std::uint64_t value) const
    {
        return ranks_->all_reduce(value, comm::Reduction::sum);
    }
    [[nodiscard]] std::uint32_t smallest(std::uint32_t value) const
    {
        return ranks_->all_reduce(value, comm::Reduction::min);
    }
    void wait() const { ranks_->barrier(); }
    [[nodiscard]] bool exchange(std::vector<std::uint32_t>& numbers) const
    {
        std::ranges::sort(numbers);
        numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
        const std::vector<std::size_t> counts = ranks_->all_gather(numbers.size());
        std::size_t total = 0;
        std::size_t own_begin = 0;
        for (std::size_t rank = 0; rank < counts.size(); total += counts[rank++])
            if (rank == static_cast<std::size_t>(ranks_->rank())) own_begin = total;
        const std::size_t own_count = numbers.size();
        std::vector<std::uint32_t> all(total);
        if (total > 0)
            ranks_->all_gather_v(std::span<const std::uint32_t>(numbers), counts, std::span<std::uint32_t>(all));
        const auto own = all.begin() + static_cast<std::ptrdiff_t>(own_begin);
        all.erase(own, own + static_cast<std::ptrdiff_t>(own_count));
        numbers = std::move(all);
        return total > 0;
    }

private:
    const comm::Communicator* ranks_;
};

}  // namespace wayfront::algo
