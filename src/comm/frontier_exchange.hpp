// Expand and fold: the two exchanges of a level of a 2D-partitioned search.
//
// Sets of slots travel as bitmaps or as lists of indices, whichever is fewer bytes; both sides know which from the counts, that all ranks of the
// group have. A chunk has `stride` slots, a multiple of 64.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/phase.hpp"
#include "comm/communicator.hpp"

namespace wayfront::comm {

enum class ExchangeFormat { automatic, bitmap, list };

/// "auto", "bitmap" or "list"; throws InputError.
ExchangeFormat parse_exchange_format(std::string_view text);
[[nodiscard]] std::string_view to_string(ExchangeFormat format);

/// Whether `vertices` slots of `chunks` chunks travel as a list.
[[nodiscard]] bool travels_as_list(ExchangeFormat format, std::uint64_t vertices, std::uint64_t chunks, std::uint64_t stride);

/// A set that stands as a list, as a bitmap, or as both; `count` is its size either way.
struct SlotSet
{
    HostBuffer<std::uint32_t> list;
    HostBuffer<std::uint64_t> bitmap;
    std::size_t count = 0;
    bool has_list = false;
    bool has_bitmap = false;

    SlotSet() = default;
    /// Room for all of `slots` slots, and one word that stays 0 behind the bitmap.
    explicit SlotSet(std::size_t slots);

    void clear();
    void need_list();    // fills the list from the bitmap where it is not there yet
    void need_bitmap();  // and the other way round
    [[nodiscard]] std::span<const std::uint32_t> members() const { return {list.data(), count}; }

private:
    std::size_t words_ = 0;
};

/// Gathers each rank's slots over the group: rank r's slot s becomes r * stride + s of `all`. `counts`: every rank's own.count. Fills the form that
/// travelled; the caller asks `all` for the form it needs. Collective over `group`. With one rank `own` and `all` change places. Messages have spans
/// in the log.
void expand(const Communicator& group, ExchangeFormat format, std::uint32_t stride, std::span<const std::size_t> counts, SlotSet& own, SlotSet& all,
            const LevelLog& log = {});

/// What one rank's fold brought to it: for each rank of the group the slots of this rank's chunk that it found.
struct Folded
{
    bool as_list = false;
    HostBuffer<std::uint64_t> bitmaps;  // where they travelled as bitmaps: bitmap_words words a rank
    std::size_t bitmap_words = 0;
    std::vector<std::uint32_t> lists;       // else: one list after the other
    std::vector<std::int64_t> list_counts;  // of each rank
};

/// Sends found rows to their owners: row c * stride + s is slot s of rank c of the group. Collective over `group`. Messages have spans in the log.
Folded fold(const Communicator& group, ExchangeFormat format, std::uint32_t stride, SlotSet& found, const LevelLog& log = {});

}  // namespace wayfront::comm
