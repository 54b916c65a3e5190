// The graph that construction on GPUs must make of a Kronecker graph: from the same tuples, with
// sorts and sets on the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "graph/edge_list.hpp"
#include "graph/generators/kron.hpp"

namespace wayfront::oracle {

/// The class of a degree (1, 2, 3, 4-5, 6-7, 8-11, ...), by counting the bounds below it.
inline int class_of(std::uint64_t degree)
{
    int number = 0;
    for (std::uint64_t power = 1; power <= degree; power *= 2) {
        ++number;
        if (power > 1 && power + power / 2 <= degree) ++number;
    }
    return number;
}

/// The expected graph of all ranks.
struct ConstructedKron
{
    std::uint32_t ranks;
    std::uint32_t stride = 0;
    std::vector<std::vector<std::uint32_t>> slot_of_local;  // of each rank
    std::vector<std::vector<std::uint32_t>> local_of_slot;  // of each rank
    std::vector<std::uint32_t> vertex_of_column;
    std::vector<std::vector<std::vector<std::uint32_t>>> lists;  // of each rank's slots
    std::int64_t connected = 0;
    std::int64_t edges = 0;

    std::uint32_t column_of(std::uint32_t vertex) const
    {
        const std::uint32_t slot = slot_of_local[vertex % ranks][vertex / ranks];
        return (slot / 1024 * ranks + vertex % ranks) * 1024 + slot % 1024;
    }

    ConstructedKron(const KronSource& source, int rank_count) : ranks(static_cast<std::uint32_t>(rank_count))
    {
        const auto n = static_cast<std::uint32_t>(source.vertex_count());
        std::vector<std::vector<std::uint32_t>> neighbours(n);
        std::vector<PackedEdge> tuples(static_cast<std::size_t>(source.edge_count()));
        source.edges(0, tuples);
        for (const PackedEdge& tuple : tuples) {
            if (tuple.source() == tuple.target()) continue;
            neighbours[tuple.source_low].push_back(tuple.target_low);
            neighbours[tuple.target_low].push_back(tuple.source_low);
        }
        slot_of_local.resize(ranks);
        local_of_slot.resize(ranks);
        lists.resize(ranks);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            for (std::uint32_t v = rank; v < n; v += ranks)
                if (!neighbours[v].empty()) local_of_slot[rank].push_back(v / ranks);
            std::ranges::stable_sort(local_of_slot[rank], std::greater{}, [&](std::uint32_t local) {
                return class_of(neighbours[std::size_t{local} * ranks + rank].size());
            });
            stride = std::max(stride, (static_cast<std::uint32_t>(local_of_slot[rank].size()) + 1023) / 1024 * 1024);
            connected += static_cast<std::int64_t>(local_of_slot[rank].size());
        }
        stride = std::max(stride, 1024U);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            slot_of_local[rank].assign(n > rank ? (n - rank + ranks - 1) / ranks : 0, stride);
            for (std::uint32_t slot = 0; slot < local_of_slot[rank].size(); ++slot)
                slot_of_local[rank][local_of_slot[rank][slot]] = slot;
        }
        vertex_of_column.assign(std::size_t{ranks} * stride, ~0U);
        for (std::uint32_t v = 0; v < n; ++v) {
            if (neighbours[v].empty()) continue;
            vertex_of_column[column_of(v)] = v;
            for (std::uint32_t& u : neighbours[v]) u = column_of(u);
            std::ranges::sort(neighbours[v]);
            neighbours[v].erase(std::unique(neighbours[v].begin(), neighbours[v].end()), neighbours[v].end());
            edges += static_cast<std::int64_t>(neighbours[v].size());
        }
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            for (const std::uint32_t local : local_of_slot[rank])
                lists[rank].push_back(neighbours[std::size_t{local} * ranks + rank]);
    }

    std::int64_t edges_of(std::uint32_t rank) const
    {
        return std::accumulate(
            lists[rank].begin(), lists[rank].end(), std::int64_t{0},
            [](std::int64_t sum, const auto& list) { return sum + static_cast<std::int64_t>(list.size()); });
    }
};

}  // namespace wayfront::oracle
