// The edges of a generated graph for a file, window by window, so that the graph may be larger than the memory.
#pragma once

#include <memory>

#include "graph/edge_list.hpp"
#include "graph/edge_source.hpp"
#include "job/job.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/graph_target.hpp"

namespace wayfront::session {

class GeneratedEdges
{
public:
    /// `options` name the spec and outlive the object, as the target does. The weights that the generator makes are
    /// left out if the file's format does not hold them, or without `keep_weights`. Throws an AgreedError. Collective.
    GeneratedEdges(const job::Job& job, const GraphOptions& options, const GraphTarget& target, bool keep_weights);

    [[nodiscard]] Vertex vertices() const { return source_->vertex_count(); }
    [[nodiscard]] EdgeCount edges() const { return source_->edge_count(); }
    [[nodiscard]] bool directed() const { return source_->directed(); }
    [[nodiscard]] WeightKind weight_kind() const { return kind_; }
    /// Generates this rank's part of the edges [first, first + count).
    [[nodiscard]] EdgeList share_of(EdgeCount first, EdgeCount count) const;

private:
    [[nodiscard]] WeightKind kind_for_file(bool keep_weights) const;

    const job::Job& job_;
    const GraphOptions& options_;
    const GraphTarget& target_;
    std::unique_ptr<EdgeSource> source_;
    WeightKind kind_ = WeightKind::none;
};

}  // namespace wayfront::session
