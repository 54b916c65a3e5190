#include "session/random_vertices.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "comm/agreement.hpp"

namespace wayfront::session {

namespace {

struct Draw
{
    std::uint64_t word;
    Vertex vertex;

    [[nodiscard]] bool operator<(const Draw& other) const
    {
        return std::tie(word, vertex) < std::tie(other.word, other.vertex);
    }
};

}  // namespace

std::vector<Vertex> draw_vertices(const comm::Communicator& ranks, const DistributedGraph& graph,
                                  const RandomVertices& wanted)
{
    const std::size_t count = wanted.count;
    run_agreed(ranks, [&] {
        if (count > static_cast<std::size_t>(graph.connected_vertices))
            throw InputError(fmt::format("{} random:{}: only {} vertices of the graph have edges", wanted.option, count,
                                         graph.connected_vertices));
    });
    // Each rank chooses the candidates among its own vertices, and all ranks compare the candidates.
    const std::uint64_t key = random_key(wanted.seed, wanted.purpose);
    const auto keep_least = [count](std::vector<Draw>& draws) {
        std::sort(draws.begin(), draws.end());
        draws.resize(std::min(draws.size(), count));
    };
    std::vector<Draw> own;
    for (std::uint32_t local = 0; local < graph.local_count(); ++local) {
        if (graph.slot_of_local[local] == graph.block.slot_stride) continue;
        const Vertex v = graph.partition.vertex(graph.rank, local);
        own.push_back({random_word(key, static_cast<std::uint64_t>(v)), v});
    }
    keep_least(own);
    const std::vector<std::size_t> sizes = ranks.all_gather(own.size());
    std::vector<Draw> all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    ranks.all_gather_v(std::span<const Draw>(own), sizes, std::span<Draw>(all));
    keep_least(all);
    std::vector<Vertex> vertices;
    std::ranges::transform(all, std::back_inserter(vertices), &Draw::vertex);
    return vertices;
}

}  // namespace wayfront::session
