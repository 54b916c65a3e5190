#include "comm/frontier_exchange.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/bitmap.hpp"
#include "base/parallel.hpp"

namespace wayfront::comm {

namespace {
constexpr std::size_t kSerialBelowWords = 1 << 13;
constexpr std::size_t kSerialBelowSlots = 1 << 14;
}  // namespace

ExchangeFormat parse_exchange_format(std::string_view text)
{
    if (text == "auto") return ExchangeFormat::automatic;
    if (text == "bitmap") return ExchangeFormat::bitmap;
    if (text == "list") return ExchangeFormat::list;
    throw InputError("--exchange: expected auto, bitmap or list, found '" + std::string(text) + "'");
}

std::string_view to_string(ExchangeFormat format)
{
    switch (format) {
        case ExchangeFormat::bitmap:
            return "bitmap";
        case ExchangeFormat::list:
            return "list";
        case ExchangeFormat::automatic:
            break;
    }
    return "auto";
}

bool travels_as_list(ExchangeFormat format, std::uint64_t vertices, std::uint64_t chunks, std::uint64_t stride)
{
    if (format != ExchangeFormat::automatic) return format == ExchangeFormat::list;
    return vertices * sizeof(std::uint32_t) < chunks * stride / 8;
}

SlotSet::SlotSet(std::size_t slots) : list(slots), bitmap(word_count(slots) + 1), words_(word_count(slots))
{
    std::ranges::fill(bitmap, 0);
}

void SlotSet::clear()
{
    count = 0;
    has_list = true;
    has_bitmap = false;
}

void SlotSet::need_list()
{
    if (has_list) return;
    has_list = true;
    const auto copy_out = [this](IndexRange words, std::size_t position) {
        for_each_bit(bitmap.data(), words.first, words.last,
                     [&](std::size_t i) { list[position++] = static_cast<std::uint32_t>(i); });
    };
    const auto parts = static_cast<std::size_t>(words_ < kSerialBelowWords ? 1 : thread_count());
    if (parts == 1) {
        copy_out({0, words_}, 0);
        return;
    }
    std::vector<std::size_t> begins(parts + 1, 0);
    parallel_parts(parts, [&](std::size_t part) {
        const IndexRange words = part_of(words_, part, parts);
        for (std::size_t w = words.first; w < words.last; ++w)
            begins[part + 1] += static_cast<std::size_t>(std::popcount(bitmap[w]));
    });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    parallel_parts(parts, [&](std::size_t part) { copy_out(part_of(words_, part, parts), begins[part]); });
}

void SlotSet::need_bitmap()
{
    if (has_bitmap) return;
    has_bitmap = true;
    std::fill_n(bitmap.data(), words_, 0);
    for (const std::uint32_t i : members()) set_bit(bitmap.data(), i);
}

void Expand::run(ExchangeFormat format, std::span<const std::size_t> counts, SlotSet& own, SlotSet& all,
                 const LevelLog& log) const
{
    if (group_.size() == 1) {
        std::swap(own, all);
        return;
    }
    const auto ranks = static_cast<std::size_t>(group_.size());
    all.count = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    all.has_list = travels_as_list(format, all.count, ranks, stride_);
    all.has_bitmap = !all.has_list;
    if (all.has_list) {
        own.need_list();
        {
            const Phase phase(log, "all-gather");
            group_.all_gather_v(own.members(), counts, all.list.span());
        }
        std::size_t position = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const auto offset = static_cast<std::uint32_t>(rank * stride_);
            for (const std::size_t end = position + counts[rank]; position < end; ++position)
                all.list[position] += offset;
        }
        return;
    }
    own.need_bitmap();
    const std::size_t words = stride_ / kWordBits;
    const Phase phase(log, "all-gather");
    group_.all_gather(std::span<const std::uint64_t>(own.bitmap.data(), words),
                      std::span<std::uint64_t>(all.bitmap.data(), ranks * words));
}

Fold::Fold(const Communicator& group, std::uint32_t stride)
    : group_(group),
      stride_(stride),
      sort_(static_cast<std::size_t>(group.size())),
      words_per_rank_(static_cast<std::size_t>(group.size()), static_cast<std::int64_t>(stride / kWordBits)),
      bitmaps_(static_cast<std::size_t>(group.size()) * (stride / kWordBits)),
      sent_slots_(static_cast<std::size_t>(group.size()) * stride),
      slots_(sent_slots_.size())
{
}

void Fold::run(ExchangeFormat format, SlotSet& found, const LevelLog& log)
{
    const auto ranks = static_cast<std::size_t>(group_.size());
    const auto total = [&] {
        const Phase phase(log, "all-reduce");
        return static_cast<std::uint64_t>(group_.all_reduce(static_cast<std::int64_t>(found.count), Reduction::sum));
    }();
    as_lists_ = travels_as_list(format, total, ranks * ranks, stride_);
    if (as_lists_)
        send_lists(found, log);
    else
        send_bitmaps(found, log);
}

void Fold::send_lists(SlotSet& found, const LevelLog& log)
{
    found.need_list();
    const std::span<const std::uint32_t> rows = found.members();
    const auto visit = [this, rows](std::size_t i, auto&& f) { f(rows[i] / stride_, rows[i] % stride_); };
    sort_.count(rows.size(), kSerialBelowSlots, visit);
    sort_.place(visit, [to = sent_slots_.data()](std::size_t position, std::uint32_t slot) { to[position] = slot; });
    const Phase phase(log, "all-to-all");
    list_counts_ = group_.all_to_all(sort_.counts());
    slot_count_ = static_cast<std::size_t>(std::reduce(list_counts_.begin(), list_counts_.end()));
    group_.all_to_all_v(std::span<const std::uint32_t>(sent_slots_.data(), sort_.size()), sort_.counts(),
                        std::span<std::uint32_t>(slots_.data(), slot_count_),
                        std::span<const std::int64_t>(list_counts_));
}

void Fold::send_bitmaps(SlotSet& found, const LevelLog& log)
{
    found.need_bitmap();
    slot_count_ = 0;
    const Phase phase(log, "all-to-all");
    group_.all_to_all_v(std::span<const std::uint64_t>(found.bitmap.data(), bitmaps_.size()), words_per_rank_,
                        bitmaps_.span(), words_per_rank_);
}

Pending Fold::start_bitmaps(const SlotSet& found, IndexRange words)
{
    return group_.start_all_to_all(std::span<const std::uint64_t>(found.bitmap.data(), bitmaps_.size()),
                                   bitmaps_.span(), stride_ / kWordBits, words);
}

}  // namespace wayfront::comm
