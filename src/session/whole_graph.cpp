#include "session/whole_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/agreement.hpp"
#include "graph/construction.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/hash.hpp"
#include "job/host_memory.hpp"

namespace wayfront::session {

namespace {

template <typename T>
HostBuffer<T> gather(const comm::Communicator& world, const HostBuffer<T>& share, std::span<const std::size_t> sizes,
                     std::size_t total)
{
    HostBuffer<T> all(total);
    world.all_gather_v(share.span(), sizes, all.span());
    return all;
}

/// Edges in memory, with their weights as ordered words.
template <typename W>
class WordFeed final : public EdgeFeed
{
public:
    using Word = OrderedWord<W>;
    static constexpr bool kWeighted = !std::is_same_v<W, Unweighted>;

    /// A copy of a share.
    explicit WordFeed(const EdgeFeed& share) : WordFeed(share, static_cast<std::size_t>(share.size()))
    {
        const std::span<const PackedEdge> edges = share.chunk(0, edges_.size(), edges_.span());
        if (edges.data() != edges_.data()) std::ranges::copy(edges, edges_.data());
        if constexpr (kWeighted) share.weights(0, words_.span());
    }
    /// Room for the edges of all ranks. `like` has the facts of the graph.
    WordFeed(const EdgeFeed& like, std::size_t edges)
        : vertex_count_(like.vertex_count()), directed_(like.directed()), type_(like.weight_type()), edges_(edges)
    {
        if constexpr (kWeighted) words_ = HostBuffer<Word>(edges);
    }

    /// Collective.
    void gather(const comm::Communicator& world, const WordFeed& share, std::span<const std::size_t> sizes)
    {
        world.all_gather_v(share.edges_.span(), sizes, edges_.span());
        if constexpr (kWeighted) world.all_gather_v(share.words_.span(), sizes, words_.span());
    }

    [[nodiscard]] Vertex vertex_count() const override { return vertex_count_; }
    [[nodiscard]] bool directed() const override { return directed_; }
    [[nodiscard]] EdgeCount size() const override { return static_cast<EdgeCount>(edges_.size()); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> /*scratch*/) const override
    {
        return edges_.span().subspan(static_cast<std::size_t>(first), count);
    }
    [[nodiscard]] WeightType weight_type() const override { return type_; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override { copy_words(first, out); }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override { copy_words(first, out); }

private:
    template <typename T>
    void copy_words(EdgeCount first, std::span<T> out) const
    {
        if constexpr (std::is_same_v<T, Word>)
            std::copy_n(words_.data() + first, out.size(), out.data());
        else
            EdgeFeed::weights(first, out);
    }

    Vertex vertex_count_;
    bool directed_;
    WeightType type_;
    HostBuffer<PackedEdge> edges_;
    HostBuffer<Word> words_;
};

}  // namespace

EdgeList gather_edges(const job::Job& job, EdgeList share)
{
    const comm::Communicator& world = job.world();
    if (world.size() == 1) return share;
    const std::vector<std::size_t> sizes = world.all_gather(share.edges.size());
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    double edge_bytes = sizeof(PackedEdge);
    visit_weights(share.weights, [&](const auto& weights) { edge_bytes += sizeof(weights[0]); });
    require_memory(job, edge_bytes * static_cast<double>(total), "holding all edges on each rank");
    EdgeList list;
    list.vertex_count = share.vertex_count;
    list.directed = share.directed;
    list.edges = gather(world, share.edges, sizes, total);
    visit_weights(share.weights, [&](const auto& weights) { list.weights = gather(world, weights, sizes, total); });
    return list;
}

std::unique_ptr<EdgeFeed> gather_feed(const job::Job& job, const EdgeFeed& share)
{
    const comm::Communicator& world = job.world();
    const std::vector<std::size_t> sizes = world.all_gather(static_cast<std::size_t>(share.size()));
    const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    return with_weight_type(share.weight_type(), [&]<typename W>(W) -> std::unique_ptr<EdgeFeed> {
        constexpr double edge_bytes = sizeof(PackedEdge) + (WordFeed<W>::kWeighted ? sizeof(OrderedWord<W>) : 0);
        require_memory(job, edge_bytes * static_cast<double>(total), "holding all edges on each rank");
        std::unique_ptr<WordFeed<W>> own;
        std::unique_ptr<WordFeed<W>> all;
        run_agreed(world, [&] {
            own = std::make_unique<WordFeed<W>>(share);
            all = std::make_unique<WordFeed<W>>(share, total);
        });
        all->gather(world, *own, sizes);
        return all;
    });
}

std::uint64_t fingerprint_of_edges(const EdgeList& list)
{
    std::uint64_t sum = list.directed ? 1 : 0;
    const auto add_edges = [&](auto&& weight_bits) {
        for (std::size_t i = 0; i < list.edges.size(); ++i) {
            const std::uint64_t source =
                random_word(weight_bits(i), static_cast<std::uint64_t>(list.edges[i].source()));
            sum += random_word(source, static_cast<std::uint64_t>(list.edges[i].target()));
        }
    };
    if (!list.weighted()) add_edges([](std::size_t) { return std::uint64_t{0}; });
    visit_weights(list.weights, [&](const auto& weights) {
        add_edges([&weights](std::size_t i) {
            if constexpr (std::is_integral_v<std::decay_t<decltype(weights[i])>>)
                return static_cast<std::uint64_t>(weights[i]);
            else
                return std::bit_cast<std::uint64_t>(static_cast<double>(weights[i]));
        });
    });
    return sum;
}

WholeGraph construct_whole(const job::Job& job, const EdgeFeed& all)
{
    return run_agreed(job.world(), [&] {
        WholeGraph whole;
        whole.grid = std::make_unique<comm::ProcessGrid>(comm::Communicator::alone(), comm::GridShape{1, 1});
        Partition(all.vertex_count(), 1, 1);  // throws if the graph is too large
        whole.graph = std::make_unique<DistributedGraph>(construct(*whole.grid, all));
        return whole;
    });
}

}  // namespace wayfront::session
