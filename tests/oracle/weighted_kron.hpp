// The graph with weights that construction on GPUs must make of a Kronecker graph, from the same
// tuples, with sorts on the host. Vertices are numbered as without weights
// (oracle/constructed_kron.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/edge_list.hpp"
#include "graph/generators/kron.hpp"
#include "oracle/constructed_kron.hpp"

namespace wayfront::oracle {

/// The expected graph of all ranks.
struct WeightedKron
{
    // Column and bits of the weight.
    using Arcs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    ConstructedKron numbers;
    std::vector<std::vector<Arcs>> lists;  // of each rank's slots; the slots after them have no arcs
    double weight_sum = 0;                 // of all ranks; exact up to 2^53 units of 2^-31

    WeightedKron(const KronSource& source, int ranks) : numbers(source, ranks), lists(numbers.ranks)
    {
        std::vector<PackedEdge> tuples(static_cast<std::size_t>(source.edge_count()));
        std::vector<float> weights(tuples.size());
        source.edges(0, tuples);
        source.weights(0, weights);
        for (std::uint32_t rank = 0; rank < numbers.ranks; ++rank)
            lists[rank].resize(numbers.local_of_slot[rank].size());
        for (std::size_t i = 0; i < tuples.size(); ++i) {
            const std::uint32_t u = tuples[i].source_low;
            const std::uint32_t v = tuples[i].target_low;
            if (u == v) continue;
            const auto bits = std::bit_cast<std::uint32_t>(weights[i]);
            list_of(u).emplace_back(numbers.column_of(v), bits);
            list_of(v).emplace_back(numbers.column_of(u), bits);
        }
        for (std::vector<Arcs>& of_rank : lists)
            for (Arcs& arcs : of_rank) complete(arcs);
    }

    /// The number of slots of each rank.
    [[nodiscard]] std::uint32_t slots() const
    {
        return numbers.ranks > 1 ? numbers.stride
                                 : std::max(static_cast<std::uint32_t>(numbers.connected + 63) / 64 * 64, 64U);
    }

private:
    Arcs& list_of(std::uint32_t vertex)
    {
        const std::uint32_t rank = vertex % numbers.ranks;
        return lists[rank][numbers.slot_of_local[rank][vertex / numbers.ranks]];
    }

    /// Keeps the lightest arc to each column, and sorts by weight, then by column.
    void complete(Arcs& arcs)
    {
        std::ranges::sort(arcs);
        const auto same_column = [](const auto& a, const auto& b) { return a.first == b.first; };
        arcs.erase(std::unique(arcs.begin(), arcs.end(), same_column), arcs.end());
        std::ranges::sort(arcs, {}, [](const auto& arc) { return std::pair(arc.second, arc.first); });
        for (const auto& [column, bits] : arcs) weight_sum += std::bit_cast<float>(bits);
    }
};

}  // namespace wayfront::oracle
