// Values of the vertices of all ranks, gathered on every rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "comm/communicator.hpp"
#include "comm/routing.hpp"
#include "graph/partition.hpp"

namespace wayfront {

/// Writes the values of all vertices, in their order, to `all`. `own` are those of the rank's vertices,
/// by local number. Collective.
template <comm::Sendable T>
void gather_vertices(const comm::Communicator& communicator, const Partition& partition, std::span<const T> own,
                     std::span<T> all)
{
    constexpr std::size_t piece_vertices = std::size_t{1} << 16;  // of each rank
    const auto ranks = static_cast<std::size_t>(communicator.size());
    const auto stride = static_cast<std::size_t>(partition.chunk_stride());
    HostBuffer<T> received(std::min(piece_vertices, stride) * ranks);
    std::vector<std::size_t> counts(ranks);
    for (std::size_t first = 0; first < stride; first += piece_vertices) {
        std::size_t total = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const std::size_t size = partition.chunk_size(static_cast<int>(rank));
            counts[rank] = std::clamp(size, first, first + piece_vertices) - first;
            total += counts[rank];
        }
        const std::size_t mine = counts[static_cast<std::size_t>(communicator.rank())];
        communicator.all_gather_v(own.subspan(std::min(first, own.size()), mine), counts, received.span().first(total));
        // Only the last vertices of a rank can be missing, so that the vertices of a piece are
        // consecutive.
        const std::span<T> vertices = all.subspan(first * ranks, total);
        parallel_for(counts[0], comm::kSerialBelowItems, [&](std::size_t i) {
            std::size_t part = 0;
            for (std::size_t rank = 0; rank < ranks && i < counts[rank]; ++rank) {
                vertices[i * ranks + rank] = received[part + i];
                part += counts[rank];
            }
        });
    }
}

}  // namespace wayfront
