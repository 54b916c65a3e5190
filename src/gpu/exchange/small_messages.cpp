#include "gpu/exchange/small_messages.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace wayfront::gpu {

namespace {

// Largest piece that kernels fill and read in pinned memory. Larger pieces are faster in device
// memory, including the copies.
constexpr std::size_t kMostInPlace = std::size_t{16} << 10;

}  // namespace

SmallMessages::SmallMessages(const comm::Communicator& ranks, std::size_t most_bytes)
    : ranks_(ranks),
      sent_(most_bytes * static_cast<std::size_t>(ranks.size())),
      received_(most_bytes * static_cast<std::size_t>(ranks.size()))
{
}

MessagePieces SmallMessages::message_memory(std::size_t piece_bytes, std::byte* send, std::byte* receive)
{
    if (piece_bytes > kMostInPlace) return {send, receive, received_.data()};
    return {sent_.data(), received_.data(), received_.data()};
}

void SmallMessages::all_gather(std::byte* pieces, std::size_t piece_bytes, const Stream& stream)
{
    const std::size_t bytes = piece_bytes * static_cast<std::size_t>(ranks_.size());
    const std::span<std::byte> all = received_.span().first(bytes);
    if (pieces != all.data()) {
        copied_.block(stream);
        const std::size_t own = piece_bytes * static_cast<std::size_t>(ranks_.rank());
        copy_async(std::span<const std::byte>(pieces + own, piece_bytes), all.subspan(own, piece_bytes), stream);
    }
    wait(stream);
    ranks_.all_gather_in_place(all);
    copy_received(pieces, bytes, stream);
}

std::size_t SmallMessages::all_to_all(const std::byte* send, std::byte* receive, std::size_t piece_bytes,
                                      const Stream& stream, UsedBytes used)
{
    const auto count = static_cast<std::size_t>(ranks_.size());
    const std::size_t bytes = piece_bytes * count;
    const std::span<std::byte> sent = sent_.span().first(bytes);
    if (send != sent.data()) copy_async(std::span<const std::byte>(send, bytes), sent, stream);
    wait(stream);
    std::vector<std::int64_t> sizes;
    for (std::size_t rank = 0; rank < count; ++rank)
        sizes.push_back(static_cast<std::int64_t>(used(sent.data() + rank * piece_bytes, piece_bytes)));
    ranks_.exchange_parts_of_pieces(sent, sizes, received_.span().first(bytes));
    copy_received(receive, bytes, stream);
    const std::int64_t own = sizes[static_cast<std::size_t>(ranks_.rank())];
    return static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), -own));
}

void SmallMessages::wait(const Stream& stream)
{
    stream.synchronize();
    copied_.synchronize();
}

void SmallMessages::copy_received(std::byte* to, std::size_t bytes, const Stream& stream)
{
    if (to == received_.data()) return;
    copy_async(std::span<const std::byte>(received_.span()).first(bytes), std::span(to, bytes), stream);
    copied_.record(stream);
}

}  // namespace wayfront::gpu
