#include "graph/io/text_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>

#include "base/parallel.hpp"

namespace wayfront::io {

namespace {

constexpr std::size_t kSmallestBlockBytes = std::size_t{1} << 16;
constexpr std::size_t kLargestBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kBlocksAThread = 8;

/// The first start of a line at or after `place`. `range.begin` is the start of a line.
const char* line_start(TextRange range, std::size_t place)
{
    if (place == 0) return range.begin;
    if (place >= range.bytes()) return range.end;
    const void* newline = std::memchr(range.begin + place - 1, '\n', range.bytes() - place + 1);
    return newline == nullptr ? range.end : static_cast<const char*>(newline) + 1;
}

int thread_count(int threads)
{
    return threads > 0 ? threads : wayfront::thread_count();
}

}  // namespace

TextRange share_of_lines(TextRange body, int part, int parts)
{
    const auto place = [&](int p) {
        return static_cast<std::size_t>(static_cast<unsigned __int128>(body.bytes()) * static_cast<unsigned>(p) /
                                        static_cast<unsigned>(parts));
    };
    return {line_start(body, place(part)), line_start(body, place(part + 1))};
}

std::vector<TextRange> cut_into_blocks(TextRange range, int threads)
{
    const std::size_t wanted = range.bytes() / (kBlocksAThread * static_cast<std::size_t>(thread_count(threads)));
    const std::size_t block_bytes = std::clamp(wanted, kSmallestBlockBytes, kLargestBlockBytes);
    std::vector<TextRange> blocks;
    const char* begin = range.begin;
    for (std::size_t place = block_bytes; begin != range.end; place += block_bytes) {
        const char* end = line_start(range, place);
        if (end <= begin) continue;  // one line is longer than a block
        blocks.push_back({begin, end});
        begin = end;
    }
    return blocks;
}

void for_each_block(std::size_t count, int threads, const std::function<void(std::size_t)>& work)
{
    std::atomic<std::size_t> failed = count;  // the lowest number of a block that threw
    std::exception_ptr failure;
    std::mutex mutex;
    const int team = std::max(1, std::min(thread_count(threads), static_cast<int>(std::min<std::size_t>(count, 4096))));
    const auto work_unless_failed = [&](std::size_t b) {
        if (b > failed) return;
        try {
            work(b);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (b < failed) {
                failed = b;
                failure = std::current_exception();
            }
        }
    };
    parallel_items(count, work_unless_failed, 1, team);
    if (failure) std::rethrow_exception(failure);
}

namespace detail {

std::vector<std::size_t> place_blocks(std::span<const std::size_t> bounds)
{
    std::vector<std::size_t> places(bounds.size() + 1);
    for (std::size_t b = 0; b < bounds.size(); ++b) places[b + 1] = places[b] + bounds[b];
    return places;
}

std::size_t add_facts(GraphShare& share, std::span<const BlockFacts> facts)
{
    std::size_t used = 0;
    Vertex largest = -1;
    for (const BlockFacts& block : facts) {
        used += block.edges;
        largest = std::max(largest, block.largest);
        share.facts.mirror_balance += block.mirror_balance;
        share.facts.notes |= block.notes;
    }
    share.facts.seen_edges += static_cast<EdgeCount>(used);
    if (!share.facts.vertex_count_known) share.facts.vertex_count = largest + 1;
    return used;
}

void close_gaps(void* array, std::size_t element_bytes, std::span<const std::size_t> places,
                std::span<const BlockFacts> facts)
{
    auto* const bytes = static_cast<char*>(array);
    std::size_t used = 0;
    for (std::size_t b = 0; b < facts.size(); ++b) {
        if (used != places[b])
            std::memmove(bytes + used * element_bytes, bytes + places[b] * element_bytes,
                         facts[b].edges * element_bytes);
        used += facts[b].edges;
    }
}

}  // namespace detail

}  // namespace wayfront::io
