#include "graph/own_out_edges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/agreement.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kSerialBelow = 1 << 16;

/// The parts of an all-to-all, in elements, by rank.
struct Parts
{
    std::vector<std::int64_t> sent, received;

    [[nodiscard]] std::size_t received_sum() const
    {
        return static_cast<std::size_t>(std::accumulate(received.begin(), received.end(), std::int64_t{0}));
    }
};

template <typename T>
HostBuffer<T> exchange(const comm::Communicator& world, std::span<const T> send, const Parts& parts)
{
    Parts bytes;
    HostBuffer<T> received = comm::run_agreed(world, [&] {
        bytes = parts;
        for (std::vector<std::int64_t>* const counts : {&bytes.sent, &bytes.received})
            for (std::int64_t& count : *counts) count *= static_cast<std::int64_t>(sizeof(T));
        return HostBuffer<T>(parts.received_sum());
    });
    world.exchange_pieces(std::as_bytes(send), bytes.sent, std::as_writable_bytes(received.span()), bytes.received);
    return received;
}

/// Calls f(rank, from, to, length) for each list that this rank received: it begins at element `from`
/// of all that was received, and at `to` in the lists of own slots. `lengths`: by rank and slot.
template <typename F>
void for_each_received(const CsrView& lists, std::span<const std::uint32_t> lengths, F&& f)
{
    const std::size_t slots = lists.lists;
    const std::size_t ranks = lengths.size() / slots;
    const auto parts = static_cast<std::size_t>(thread_count());
    parallel_items(parts, [&](std::size_t part) {
        const IndexRange own = part_of(slots, part, parts);
        std::vector<std::size_t> from(ranks);
        std::size_t received = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const auto of_rank = lengths.subspan(rank * slots, slots);
            const auto before = of_rank.first(own.first);
            from[rank] = std::accumulate(before.begin(), before.end(), received);
            received = std::accumulate(of_rank.begin(), of_rank.end(), received);
        }
        for (std::size_t slot = own.first; slot < own.last; ++slot) {
            std::size_t to = lists.begin(static_cast<std::uint32_t>(slot));
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const std::size_t length = lengths[rank * slots + slot];
                f(rank, from[rank], to, length);
                from[rank] += length;
                to += length;
            }
        }
    });
}

/// Sorts each list by ascending weight, and entries of equal weight by ascending number.
template <typename T>
void sort_by_weight(Csr& edges, std::span<T> weights)
{
    const CsrView lists = edges.view();
    const auto parts = static_cast<std::size_t>(thread_count());
    parallel_items(parts, [&](std::size_t part) {
        const IndexRange own = part_of(lists.lists, part, parts);
        std::vector<std::pair<OrderedWord<T>, std::uint32_t>> entries;
        for (std::size_t list = own.first; list < own.last; ++list) {
            const std::size_t begin = lists.begin(static_cast<std::uint32_t>(list));
            entries.resize(lists.degree(static_cast<std::uint32_t>(list)));
            for (std::size_t i = 0; i < entries.size(); ++i)
                entries[i] = {to_ordered(weights[begin + i]), edges.neighbours()[begin + i]};
            std::ranges::sort(entries);
            for (std::size_t i = 0; i < entries.size(); ++i) {
                weights[begin + i] = from_ordered<T>(entries[i].first);
                edges.neighbours()[begin + i] = entries[i].second;
            }
        }
    });
}

}  // namespace

OwnOutEdges::OwnOutEdges(const comm::Communicator& world, const DistributedGraph& graph)
{
    const CsrBlock& block = graph.block;
    if (graph.directed && block.col_chunks > 1) {
        gather(world, block);
        return;
    }
    shared_ = graph.directed ? &block.out_edges() : &block.in_edges;
    shared_weights_ = graph.directed ? &block.out_weights() : &block.in_weights;
}

void OwnOutEdges::gather(const comm::Communicator& world, const CsrBlock& block)
{
    const std::uint32_t slots = block.slot_stride;
    const std::size_t ranks = block.col_chunks;
    const CsrView by_column = block.out_edges().view();

    // The lists of a rank's columns are consecutive.
    Parts parts;
    const HostBuffer<std::uint32_t> own_lengths = comm::run_agreed(world, [&] {
        HostBuffer<std::uint32_t> of_columns(ranks * slots);
        parallel_for(of_columns.size(), kSerialBelow, [&](std::size_t column) {
            of_columns[column] = static_cast<std::uint32_t>(by_column.degree(static_cast<std::uint32_t>(column)));
        });
        parts.sent.assign(ranks, slots);
        parts.received.assign(ranks, slots);
        return of_columns;
    });
    const HostBuffer<std::uint32_t> lengths = exchange<std::uint32_t>(world, own_lengths.span(), parts);

    gathered_ = comm::run_agreed(world, [&] {
        HostBuffer<std::uint32_t> degrees(slots, 0);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const auto of_rank = lengths.span().subspan(rank * slots, slots);
            parts.received[rank] = std::accumulate(of_rank.begin(), of_rank.end(), std::int64_t{0});
            const auto first = static_cast<std::uint32_t>(rank * slots);
            parts.sent[rank] = static_cast<std::int64_t>(by_column.begin(first + slots) - by_column.begin(first));
            for (std::size_t slot = 0; slot < slots; ++slot) degrees[slot] += of_rank[slot];
        }
        return Csr(degrees.span());
    });
    HostBuffer<std::uint32_t> rows = exchange<std::uint32_t>(world, block.out_edges().neighbours(), parts);
    comm::run_agreed(world, [&] {
        for_each_received(gathered_.view(), lengths.span(),
                          [&](std::size_t rank, std::size_t from, std::size_t to, std::size_t length) {
                              const auto first = static_cast<std::uint32_t>(rank * slots);
                              std::ranges::transform(rows.span().subspan(from, length),
                                                     gathered_.neighbours().data() + to,
                                                     [first](std::uint32_t row) { return first + row; });
                          });
        rows = {};
    });
    gathered_weights_ = std::visit(
        [&]<typename Weights>(const Weights& weights) -> BlockWeights {
            if constexpr (std::is_same_v<Weights, std::monostate>) {
                return {};
            } else {
                const Weights received = exchange(world, weights.span(), parts);
                return comm::run_agreed(world, [&] {
                    Weights placed(received.size());
                    for_each_received(gathered_.view(), lengths.span(),
                                      [&](std::size_t /*rank*/, std::size_t from, std::size_t to, std::size_t length) {
                                          std::ranges::copy(received.span().subspan(from, length), placed.data() + to);
                                      });
                    if (block.list_order == ListOrder::weights) sort_by_weight(gathered_, placed.span());
                    return BlockWeights(std::move(placed));
                });
            }
        },
        block.out_weights());
}

}  // namespace wayfront
