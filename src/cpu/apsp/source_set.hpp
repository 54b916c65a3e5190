// Sets of the sources of a batch, and counters of how many sets contain each source.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace wayfront::cpu {

/// A set of up to 64 * words sources. The loops are short enough to become vector instructions.
template <std::size_t words>
struct alignas(words * sizeof(std::uint64_t)) SourceSet
{
    static constexpr std::size_t kSources = 64 * words;

    std::array<std::uint64_t, words> bits;

    friend SourceSet operator|(const SourceSet& a, const SourceSet& b)
    {
        SourceSet result;
        for (std::size_t i = 0; i < words; ++i) result.bits[i] = a.bits[i] | b.bits[i];
        return result;
    }
    friend SourceSet operator&(const SourceSet& a, const SourceSet& b)
    {
        SourceSet result;
        for (std::size_t i = 0; i < words; ++i) result.bits[i] = a.bits[i] & b.bits[i];
        return result;
    }
    friend SourceSet operator^(const SourceSet& a, const SourceSet& b)
    {
        SourceSet result;
        for (std::size_t i = 0; i < words; ++i) result.bits[i] = a.bits[i] ^ b.bits[i];
        return result;
    }
    /// The sources of this set that are not in `other`.
    [[nodiscard]] SourceSet without(const SourceSet& other) const
    {
        SourceSet result;
        for (std::size_t i = 0; i < words; ++i) result.bits[i] = bits[i] & ~other.bits[i];
        return result;
    }
    [[nodiscard]] bool empty() const
    {
        std::uint64_t any = 0;
        for (std::size_t i = 0; i < words; ++i) any |= bits[i];
        return any == 0;
    }
    friend bool operator==(const SourceSet& a, const SourceSet& b) { return (a ^ b).empty(); }

    void insert(std::size_t source) { bits[source / 64] |= std::uint64_t{1} << (source % 64); }

    /// Calls f(source) for each source of the set, ascending.
    template <typename F>
    void for_each(F&& f) const
    {
        for (std::size_t i = 0; i < words; ++i)
            for (std::uint64_t rest = bits[i]; rest != 0; rest &= rest - 1)
                f(i * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
};

/// Counts for each source in how many of the added sets it is. The counters are vertical: plane p
/// has bit p of the counts of all sources, so that adding a set is a carry that ripples through the
/// planes, a few instructions for all sources together. Eight sets are added at a time: full adders
/// reduce them to one carry into the fourth plane.
template <std::size_t words>
class SourceCounts
{
public:
    using Set = SourceSet<words>;

    void add(const Set& set)
    {
        waiting_[waiting_count_++] = set;
        if (waiting_count_ == waiting_.size()) add_waiting();
    }

    /// Adds the counts to `totals`, one for each source, and sets them to 0.
    void drain(std::span<std::uint64_t> totals)
    {
        while (waiting_count_ > 0) ripple(waiting_[--waiting_count_], 0);
        flush();
        for (std::size_t source = 0; source < totals.size(); ++source) totals[source] += totals_[source];
        totals_.fill(0);
    }

private:
    static constexpr std::size_t kPlanes = 16;
    static constexpr std::uint32_t kMostAdded = (std::uint32_t{1} << kPlanes) - 1;

    void ripple(Set carry, std::size_t plane)
    {
        added_ += std::uint32_t{1} << plane;
        for (; !carry.empty(); ++plane) {
            const Set both = planes_[plane] & carry;
            planes_[plane] = planes_[plane] ^ carry;
            carry = both;
        }
        if (added_ > kMostAdded - 8) flush();
    }

    /// Returns the carries of a + b + c, and writes the sums to a.
    static Set full_add(Set& a, const Set& b, const Set& c)
    {
        const Set half = a ^ b;
        const Set carry = (a & b) | (half & c);
        a = half ^ c;
        return carry;
    }

    void add_waiting()
    {
        waiting_count_ = 0;
        const Set twos_a = full_add(planes_[0], waiting_[0], waiting_[1]);
        const Set twos_b = full_add(planes_[0], waiting_[2], waiting_[3]);
        const Set twos_c = full_add(planes_[0], waiting_[4], waiting_[5]);
        const Set twos_d = full_add(planes_[0], waiting_[6], waiting_[7]);
        const Set fours_a = full_add(planes_[1], twos_a, twos_b);
        const Set fours_b = full_add(planes_[1], twos_c, twos_d);
        const Set eights = full_add(planes_[2], fours_a, fours_b);
        ripple(eights, 3);
    }

    void flush()
    {
        for (std::size_t plane = 0; plane < kPlanes; ++plane) {
            planes_[plane].for_each([&](std::size_t source) { totals_[source] += std::uint64_t{1} << plane; });
            planes_[plane] = {};
        }
        added_ = 0;
    }

    std::array<Set, 8> waiting_{};
    std::array<Set, kPlanes> planes_{};
    std::array<std::uint64_t, Set::kSources> totals_{};
    std::size_t waiting_count_ = 0;
    std::uint32_t added_ = 0;  // an upper bound of the counts in the planes
};

}  // namespace wayfront::cpu
