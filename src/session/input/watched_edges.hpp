// Edges that report how many of them were read, so that loading and construction show progress.
#pragma once

#include <cstdint>
#include <span>

#include "base/progress_listener.hpp"
#include "graph/edge_feed.hpp"
#include "graph/edge_source.hpp"

namespace wayfront::session {

/// Makes the edges of `source`, and reports how many it has made. Both arguments outlive the
/// object.
class WatchedSource final : public EdgeSource
{
public:
    WatchedSource(const EdgeSource& source, ProgressListener& progress) : source_(source), progress_(progress) {}

    [[nodiscard]] Vertex vertex_count() const override { return source_.vertex_count(); }
    [[nodiscard]] EdgeCount edge_count() const override { return source_.edge_count(); }
    [[nodiscard]] bool directed() const override { return source_.directed(); }
    void edges(EdgeCount first, std::span<PackedEdge> out) const override;
    bool weights(EdgeCount first, std::span<float> out) const override { return source_.weights(first, out); }

private:
    const EdgeSource& source_;
    ProgressListener& progress_;
};

/// The edges of `feed`. Reports every pass over them as a step, and the edges of a chunk when the
/// next chunk is requested. Both arguments outlive the object.
class WatchedFeed final : public EdgeFeed
{
public:
    WatchedFeed(const EdgeFeed& feed, ProgressListener& progress) : feed_(feed), progress_(progress) {}

    [[nodiscard]] Vertex vertex_count() const override { return feed_.vertex_count(); }
    [[nodiscard]] bool directed() const override { return feed_.directed(); }
    [[nodiscard]] EdgeCount size() const override { return feed_.size(); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> scratch) const override;
    [[nodiscard]] WeightType weight_type() const override { return feed_.weight_type(); }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override { feed_.weights(first, out); }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override { feed_.weights(first, out); }
    [[nodiscard]] const DeviceEdges* device_edges() const override { return feed_.device_edges(); }

private:
    const EdgeFeed& feed_;
    ProgressListener& progress_;
    mutable int pass_ = 0;
    mutable EdgeCount reported_ = 0;  // edges of this pass
};

}  // namespace wayfront::session
