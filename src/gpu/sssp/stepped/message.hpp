// A step's message, and its result.
#pragma once

#include <algorithm>

#include "gpu/exchange/device_exchange.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/stepped/messages.hpp"

namespace wayfront::gpu::sssp {

/// The pieces that kernels fill and read; on_host: those that were received, for the host, if they pass through its
/// memory.
template <typename Item>
struct Message
{
    Pieces<Item> sent, received, on_host;

    [[nodiscard]] bool passes_host() const { return on_host.begin != nullptr; }
};

/// A message of pieces in the given device memory, or where the exchange has a better place for them. It must be the
/// next one.
template <typename Item>
[[nodiscard]] Message<Item> next_message(const DeviceExchange& exchange, const Pieces<Item>& sent,
                                         const Pieces<Item>& received)
{
    const MessagePieces placed = exchange.place(sent.piece_bytes(), sent.begin, received.begin);
    Message<Item> message{sent, received, received};
    message.sent.begin = placed.send;
    message.received.begin = placed.receive;
    message.on_host.begin = placed.on_host;
    return message;
}

[[nodiscard]] inline SsspCounts sum(const SsspCounts& a, const SsspCounts& b)
{
    return {std::min(a.nearest, b.nearest), a.found + b.found, a.work + b.work};
}

/// The headers of a message have the result of a step: the host reads it there if it can, and need not wait for the
/// GPU; else a kernel reads it.
class StepResults
{
public:
    /// The stream outlives the object.
    explicit StepResults(const Stream& stream) : stream_(stream), result_(1) {}

    /// Where a kernel is to write the result; null if none is to.
    template <typename Item>
    [[nodiscard]] StepResult* from_kernel(const Message<Item>& message)
    {
        return message.passes_host() ? nullptr : result_.data();
    }
    /// The result of the message, which has been exchanged.
    template <typename Item>
    [[nodiscard]] StepResult of(const Message<Item>& message)
    {
        if (!message.passes_host()) {
            stream_.synchronize();
            return result_.span().front();
        }
        StepResult all{SsspCounts::none(), 0, 0};
        for (std::uint32_t rank = 0; rank < message.on_host.ranks; ++rank) {
            const PieceHeader& header = message.on_host.header(rank);
            all = {sum(all.counts, header.counts), std::max(all.most_items, header.most_items),
                   std::max(all.most_changes, header.most_changes)};
        }
        return all;
    }

private:
    const Stream& stream_;
    PinnedBuffer<StepResult> result_;
};

}  // namespace wayfront::gpu::sssp
