// A trial of methods for shortest paths whose estimated times are close: searches from one source by each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "algo/sssp/sssp_result.hpp"
#include "algo/sssp/sssp_search.hpp"
#include "base/types.hpp"
#include "comm/process_grid.hpp"
#include "graph/distributed_graph.hpp"
#include "plan/sssp_method.hpp"

namespace wayfront::session {

/// The first searches are made by the method of the least estimated time. The trial then repeats the one that reached
/// the most vertices by the rivals of that method. The fastest method makes all searches that follow. Local to a rank,
/// which has the whole graph.
class SsspTrial
{
public:
    /// The smallest number of searches with a trial. In shorter jobs, it would take a large share of the time.
    static constexpr std::int64_t kLeastSearches = 16;

    /// Prepares searches by a method; null if the memory does not suffice.
    using Make = std::function<std::unique_ptr<algo::SsspSearch>(algo::SsspMethod)>;

    /// `choice` has at least one rival.
    SsspTrial(plan::SsspChoice choice, Make make) : choice_(std::move(choice)), make_(std::move(make)) {}

    /// Notes a search by the chosen method, and the number of vertices that it reached.
    void note_search(Vertex source, std::uint64_t reached);
    /// Whether enough searches were noted.
    [[nodiscard]] bool is_due() const;
    /// Replaces `search`, which has made the searches so far, if a rival is faster. Returns the method and the times of
    /// all, in words.
    [[nodiscard]] plan::SsspChoice run(std::unique_ptr<algo::SsspSearch>& search) const;

private:
    plan::SsspChoice choice_;
    Make make_;
    int noted_ = 0;
    Vertex source_ = 0;  // the source of the search that reached the most vertices
    std::uint64_t reached_ = 0;
};

/// The trial of a method for searches with these options on the cores of the only rank; none on several ranks, if the
/// method has no rivals, or if there are too few searches. Grid and graph outlive it.
[[nodiscard]] std::optional<SsspTrial> make_trial(const comm::ProcessGrid& grid, const DistributedGraph& graph,
                                                  const plan::SsspChoice& choice, const algo::SsspOptions& options);

}  // namespace wayfront::session
