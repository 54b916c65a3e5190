// A step's message, and its result.
#pragma once

#include <algorithm>

#include "gpu/exchange/device_exchange.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/stepped/messages.hpp"

namespace wayfront::gpu::sssp {

/// The pieces that kernels fill and read. `on_host`: the received pieces in host memory, if the
/// exchange passes through host memory.
template <typename Item>
struct Message
{
    Pieces<Item> sent, received, on_host;

    [[nodiscard]] bool passes_host() const { return on_host.begin != nullptr; }
};

/// The next message of the exchange. Its pieces are in the given device memory, or in a place that
/// the exchange prefers. No other message may come between.
template <typename Item>
[[nodiscard]] Message<Item> next_message(const DeviceExchange& exchange, const Pieces<Item>& sent,
                                         const Pieces<Item>& received)
{
    const MessagePieces placed = exchange.message_memory(sent.piece_bytes(), sent.begin, received.begin);
    Message<Item> message{sent, received, received};
    message.sent.begin = placed.send;
    message.received.begin = placed.receive;
    message.on_host.begin = placed.on_host;
    return message;
}

[[nodiscard]] inline SsspCounts sum(const SsspCounts& a, const SsspCounts& b)
{
    return {std::min(a.minimum, b.minimum), a.first_sum + b.first_sum, a.second_sum + b.second_sum};
}

/// The results of steps. The headers of a message contain the result. If they pass through host
/// memory, the host reads them there and need not wait for the GPU; otherwise a kernel reads them.
class StepResults
{
public:
    /// The stream outlives the object.
    explicit StepResults(const Stream& stream) : stream_(stream), result_(1) {}

    /// The memory to which a kernel writes the result; null if the host reads it from the headers.
    template <typename Item>
    [[nodiscard]] StepResult* from_kernel(const Message<Item>& message)
    {
        return message.passes_host() ? nullptr : result_.data();
    }
    /// The result of a message that has been exchanged.
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
