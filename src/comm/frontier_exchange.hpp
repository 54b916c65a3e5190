// Expand and fold: the two exchanges of a level of a 2D-partitioned search.
//
// Sets of slots are sent as bitmaps or as lists of indices, whichever is fewer bytes. All ranks of
// the group know the sizes of the sets, so that sender and receiver choose the same form. A chunk
// has `stride` slots, a multiple of 64.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/counting_sort.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "base/phase.hpp"
#include "comm/communicator.hpp"

namespace wayfront::comm {

enum class ExchangeFormat { automatic, bitmap, list };

/// "auto", "bitmap" or "list"; throws InputError.
ExchangeFormat parse_exchange_format(std::string_view text);
[[nodiscard]] std::string_view to_string(ExchangeFormat format);

/// Whether a set of `vertices` slots out of `chunks` chunks is sent as a list.
[[nodiscard]] bool travels_as_list(ExchangeFormat format, std::uint64_t vertices, std::uint64_t chunks,
                                   std::uint64_t stride);

/// A set that is stored as a list, as a bitmap, or as both. `count` is its size.
struct SlotSet
{
    HostBuffer<std::uint32_t> list;
    HostBuffer<std::uint64_t> bitmap;
    std::size_t count = 0;
    bool has_list = false;
    bool has_bitmap = false;

    SlotSet() = default;
    /// Room for any set of `slots` slots. The word behind the bitmap is always 0.
    explicit SlotSet(std::size_t slots);

    void clear();
    void need_list();    // fills the list from the bitmap if there is no list
    void need_bitmap();  // fills the bitmap from the list if there is no bitmap
    [[nodiscard]] std::span<const std::uint32_t> members() const { return {list.data(), count}; }

private:
    std::size_t words_ = 0;
};

/// Gathers the slots of all ranks: slot s of rank r of the group becomes r * stride + s.
class Expand
{
public:
    /// `group` outlives the object.
    Expand(const Communicator& group, std::uint32_t stride) : group_(group), stride_(stride) {}

    /// counts[r] is the own.count of rank r. `all` has the form that was sent; the caller calls
    /// need_list() or need_bitmap() for the other. With one rank, `own` and `all` are swapped. Messages
    /// have spans in the log. Collective over the group.
    void run(ExchangeFormat format, std::span<const std::size_t> counts, SlotSet& own, SlotSet& all,
             const LevelLog& log = {}) const;

private:
    const Communicator& group_;
    std::uint32_t stride_;
};

/// Sends found rows to their owners: row c * stride + s is slot s of rank c of the group. Its
/// memory serves one fold after the other.
class Fold
{
public:
    /// `group` outlives the object.
    Fold(const Communicator& group, std::uint32_t stride);

    /// Collective over the group. `found` gets the form that is sent. Messages have spans in the
    /// log.
    void run(ExchangeFormat format, SlotSet& found, const LevelLog& log = {});

    /// Sends some words of the bitmap of each rank's chunk of `found`, the same words on all ranks.
    /// Other words may be under way.
    [[nodiscard]] Pending start_bitmaps(const SlotSet& found, IndexRange words);

    /// Whether slots were sent as lists, and not as bitmaps, in the last run.
    [[nodiscard]] bool as_lists() const { return as_lists_; }
    /// The slots of this rank's chunk that each rank of the group found, one list after the other,
    /// and the size of each list. Empty if the slots were sent as bitmaps.
    [[nodiscard]] std::span<const std::uint32_t> slots() const { return {slots_.data(), slot_count_}; }
    [[nodiscard]] std::span<const std::int64_t> list_counts() const { return list_counts_; }
    /// If the slots were sent as bitmaps: stride / 64 words from each rank.
    [[nodiscard]] std::span<const std::uint64_t> bitmaps() const { return bitmaps_.span(); }

private:
    void send_lists(SlotSet& found, const LevelLog& log);
    void send_bitmaps(SlotSet& found, const LevelLog& log);

    const Communicator& group_;
    std::uint32_t stride_;
    bool as_lists_ = false;
    CountingSort sort_;  // by owner
    std::vector<std::int64_t> words_per_rank_;
    HostBuffer<std::uint64_t> bitmaps_;
    HostBuffer<std::uint32_t> sent_slots_;
    HostBuffer<std::uint32_t> slots_;
    std::size_t slot_count_ = 0;
    std::vector<std::int64_t> list_counts_;
};

}  // namespace wayfront::comm
