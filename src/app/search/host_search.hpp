// Searches of a graph that stands on the host: what they have in common, and those of the host loop (algo/bfs/bfs_search.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algo/bfs/split_engine.hpp"
#include "app/search/component_edges.hpp"
#include "app/search/prepared_search.hpp"

namespace wayfront::app {

/// Looks at results on the host, whatever searched.
class HostGraphSearch : public PreparedSearch
{
public:
    [[nodiscard]] std::vector<bool> have_edges(std::span<const Vertex> vertices) const override;
    void prepare_check(Check check) override;
    [[nodiscard]] graph500::BfsValidation check() override;

protected:
    HostGraphSearch(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed)
        : PreparedSearch(grid), graph_(graph), feed_(feed)
    {
    }
    [[nodiscard]] const DistributedGraph& graph() const { return graph_; }

private:
    const DistributedGraph& graph_;
    const EdgeFeed& feed_;
    std::optional<ComponentEdges> component_;
    std::optional<graph500::BfsValidator> validator_;
};

/// As prepare_search() has it, with the engine that is made for each rank's block; `device` names the GPU that it uses, if it does.
std::unique_ptr<PreparedSearch> make_host_loop_search(const comm::ProcessGrid& grid, const DistributedGraph& graph, const EdgeFeed& feed,
                                                      const EngineMaker& make_engine, const std::string& device, const algo::BfsOptions& options);

}  // namespace wayfront::app
