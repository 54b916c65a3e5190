#include "app/search/plain_sssp.hpp"

#include <algorithm>

namespace wayfront::app {
namespace {
template <typename W>
class Plain final : public algo::SsspSearch
{
    using D = std::conditional_t<std::is_integral_v<W>, std::int64_t, W>;

public:
    Plain(const comm::ProcessGrid& grid, const DistributedGraph& graph, const algo::SsspOptions& options)
        : grid_(grid), graph_(graph), options_(options)
    {
    }
    void run(Vertex source) override
    {
        const auto n = static_cast<std::size_t>(graph_.partition.vertex_count());
        const comm::Communicator& world = grid_.world();
        std::vector<D> dist(n, unreached<D>());
        std::vector<Vertex> parent(n, kUnreached);
        dist[static_cast<std::size_t>(source)] = 0;
        parent[static_cast<std::size_t>(source)] = source;
        const Csr& csr = graph_.block.out_edges();
        const auto& weights = std::get<HostBuffer<W>>(graph_.block.out_weights());
        std::vector<Vertex> row_vertex(graph_.block.rows(), -1);
        for (Vertex v = 0; v < graph_.partition.vertex_count(); ++v) {
            std::uint32_t slot = 0;
            const int owner = graph_.partition.owner(v);
            if (owner == world.rank()) slot = graph_.slot_of_local[graph_.partition.local(v)];
            world.broadcast(std::span(&slot, 1), owner);
            if (slot == graph_.block.slot_stride) continue;
            if (graph_.partition.grid_row(owner) == graph_.partition.grid_row(world.rank()))
                row_vertex[static_cast<std::size_t>(graph_.partition.grid_column(owner)) * graph_.block.slot_stride + slot] = v;
        }
        result_ = {};
        result_.method = algo::SsspMethod::bellman_ford;
        for (std::size_t round = 0;; ++round) {
            std::vector<D> next = dist;
            std::vector<Vertex> from(n, kUnreached);
            for (std::uint32_t c = 0; c < csr.view().lists; ++c) {
                const Vertex u = graph_.vertex_of_column[c];
                if (u < 0 || dist[static_cast<std::size_t>(u)] == unreached<D>()) continue;
                for (auto e = csr.view().begin(c); e < csr.view().end(c); ++e) {
                    const auto v = static_cast<std::size_t>(row_vertex[csr.neighbours()[e]]);
                    const D d = static_cast<D>(dist[static_cast<std::size_t>(u)] + static_cast<D>(weights[e]));
                    if (static_cast<double>(d) > options_.cutoff) continue;
                    if (d < next[v]) next[v] = d, from[v] = u;
                }
            }
            bool changed = false;
            const std::vector<D> own = next;
            std::vector<D> all(n * static_cast<std::size_t>(world.size()));
            std::vector<Vertex> all_from(all.size());
            world.all_gather(std::span<const D>(own), std::span<D>(all));
            world.all_gather(std::span<const Vertex>(from), std::span<Vertex>(all_from));
            for (std::size_t v = 0; v < n; ++v) {
                for (std::size_t r = 0; r < static_cast<std::size_t>(world.size()); ++r) {
                    if (all[r * n + v] < dist[v]) dist[v] = all[r * n + v], parent[v] = all_from[r * n + v], changed = true;
                }
            }
            result_.counters.rounds = round + 1;
            if (!changed) break;
            if (round > n + 1) {
                auto v = static_cast<Vertex>(0);
                for (std::size_t i = 0; i < n; ++i)
                    if (parent[i] >= 0) {
                        v = static_cast<Vertex>(i);
                        std::vector<bool> seen(n);
                        while (!seen[static_cast<std::size_t>(v)]) {
                            seen[static_cast<std::size_t>(v)] = true;
                            v = parent[static_cast<std::size_t>(v)];
                        }
                        if (v != source || parent[static_cast<std::size_t>(v)] != v) break;
                    }
                const Vertex end = v;
                do {
                    result_.negative_cycle.push_back(v);
                    v = parent[static_cast<std::size_t>(v)];
                } while (v != end);
                std::ranges::reverse(result_.negative_cycle);
                break;
            }
        }
        HostBuffer<D> own(graph_.local_count());
        result_.parents = VertexArray(graph_.local_count(), graph_.partition.vertex_count());
        for (std::uint32_t local = 0; local < graph_.local_count(); ++local) {
            const auto v = static_cast<std::size_t>(graph_.partition.vertex(world.rank(), local));
            own[local] = dist[v];
            result_.parents.set(local, parent[v]);
        }
        result_.distances = std::move(own);
        result_.reached = static_cast<std::uint64_t>(std::ranges::count_if(parent, [](Vertex v) { return v >= 0; }));
    }
    const algo::SsspResult& result() const override { return result_; }
    std::string description() const override { return "plain Bellman-Ford"; }

private:
    const comm::ProcessGrid& grid_;
    const DistributedGraph& graph_;
    algo::SsspOptions options_;
    algo::SsspResult result_;
};
}  // namespace
std::unique_ptr<algo::SsspSearch> make_plain_sssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const algo::SsspOptions& options)
{
    return with_weight_type(weight_type(graph.block.in_weights), [&](auto type) -> std::unique_ptr<algo::SsspSearch> {
        if constexpr (std::is_same_v<decltype(type), Unweighted>)
            return nullptr;
        else
            return std::make_unique<Plain<decltype(type)>>(grid, graph, options);
    });
}
}  // namespace wayfront::app
