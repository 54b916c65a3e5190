#include "session/apsp/diameter.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "algo/bfs/bfs_search.hpp"
#include "algo/diameter_bounds.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "cpu/bfs/cpu_engine.hpp"
#include "cpu/sssp/one_rank_search.hpp"
#include "graph/csr.hpp"
#include "graph/distances.hpp"

namespace wayfront::session {

namespace {

/// Breadth-first searches.
class LevelSearches
{
public:
    explicit LevelSearches(const DistributedGraph& graph)
        : engine_(graph.block), search_(grid_, graph, engine_, with_levels())
    {
    }
    void search(Vertex source, algo::DiameterBounds& bounds)
    {
        bounds.take(source, std::span<const std::int32_t>(search_.run(source).levels.span()), std::int32_t{-1});
    }

private:
    static algo::BfsOptions with_levels()
    {
        algo::BfsOptions options;
        options.levels = true;
        return options;
    }

    comm::ProcessGrid grid_{comm::Communicator::alone(), comm::GridShape{1, 1}};
    cpu::CpuEngine engine_;
    algo::BfsSearch search_;
};

/// Searches for shortest paths along whole weights.
class LengthSearches
{
public:
    explicit LengthSearches(const DistributedGraph& graph) : search_(cpu::make_one_rank_search(graph, {})) {}
    void search(Vertex source, algo::DiameterBounds& bounds)
    {
        search_->run(source);
        std::visit(
            [&]<typename T>(const HostBuffer<T>& distances) {
                if constexpr (std::is_integral_v<T>)
                    bounds.take(source, std::span<const T>(distances.span()), unreached<T>());
            },
            search_->result().distances);
    }

private:
    std::unique_ptr<algo::SsspSearch> search_;
};

/// The components of a graph as far as no search has reached them.
class OtherComponents
{
public:
    explicit OtherComponents(CsrView lists) : lists_(lists), is_visited_(lists.lists, false) {}

    [[nodiscard]] bool is_visited(std::uint32_t slot) const { return is_visited_[slot]; }
    /// The number of vertices of the component, which are visited.
    [[nodiscard]] std::size_t visit(std::uint32_t first)
    {
        members_.assign(1, first);
        is_visited_[first] = true;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const std::uint32_t slot = members_[i];
            for (std::uint64_t entry = lists_.begin(slot); entry < lists_.end(slot); ++entry) {
                const std::uint32_t other = lists_.neighbours[entry];
                if (is_visited_[other]) continue;
                is_visited_[other] = true;
                members_.push_back(other);
            }
        }
        return members_.size();
    }

private:
    CsrView lists_;
    std::vector<bool> is_visited_;
    std::vector<std::uint32_t> members_;
};

double largest_weight(const BlockWeights& weights)
{
    return std::visit(
        []<typename All>(const All& all) {
            if constexpr (std::is_same_v<All, std::monostate>)
                return 1.0;
            else
                return all.size() == 0 ? 0.0 : static_cast<double>(*std::ranges::max_element(all));
        },
        weights);
}

template <typename Searches>
std::optional<std::int64_t> diameter_by(const DistributedGraph& graph, job::Progress& progress)
{
    // A search takes about as long as the rows of 32 vertices that are searched together. If the searches do not
    // suffice, they have added a sixteenth to the time of all rows.
    constexpr std::int64_t vertices_of_search = 512;
    constexpr std::int64_t always = 16;
    const auto slots = static_cast<std::uint32_t>(graph.connected_vertices);
    const std::int64_t most_searches = always + graph.connected_vertices / vertices_of_search;
    if (slots == 0) return 0;
    Searches searches(graph);
    algo::DiameterBounds bounds(graph.local_count());
    OtherComponents others(graph.block.out_edges().view());
    const double heaviest = largest_weight(graph.block.in_weights);
    progress.begin("search", 0);
    std::int64_t made = 0;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const Vertex first = graph.vertex_of_column[slot];
        if (bounds.is_reached(first) || others.is_visited(slot)) continue;
        // A component is skipped if its paths cannot be longer than the diameter that was found.
        const bool is_first = slot == 0;
        const double edges = is_first ? 0 : static_cast<double>(others.visit(slot) - 1);
        if (!is_first && edges * heaviest <= static_cast<double>(bounds.diameter())) continue;
        for (Vertex source = first; source != kUnreached; source = bounds.next()) {
            if (++made > most_searches) return std::nullopt;
            searches.search(source, bounds);
            if (bounds.diameter() > algo::DiameterBounds::kMostDistance) return std::nullopt;
            progress.advance(1);
        }
    }
    return bounds.diameter();
}

}  // namespace

std::optional<std::int64_t> diameter_by_searches(const DistributedGraph& graph, job::Progress& progress)
{
    const BlockWeights& weights = graph.block.in_weights;
    if (graph.directed || std::holds_alternative<HostBuffer<float>>(weights) ||
        std::holds_alternative<HostBuffer<double>>(weights))
        return std::nullopt;
    if (std::holds_alternative<std::monostate>(weights)) return diameter_by<LevelSearches>(graph, progress);
    return diameter_by<LengthSearches>(graph, progress);
}

}  // namespace wayfront::session
