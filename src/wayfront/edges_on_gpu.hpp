// Edges in arrays of the caller in GPU memory, of which a copy on the host is made as soon as something reads
// them there.
#pragma once

#include <memory>
#include <mutex>
#include <span>

#include "base/host_buffer.hpp"
#include "graph/array_edges.hpp"
#include "graph/device_edges.hpp"
#include "graph/edge_feed.hpp"
#include "wayfront/device_arrays.hpp"

namespace wayfront {

/// Whether the array is in the memory of the GPU that searches if this process is the only rank. True also for an array
/// without elements, and if there is no GPU: then EdgesOnGpu throws.
[[nodiscard]] bool on_search_gpu(const DeviceSpan& array);

class EdgesOnGpu
{
public:
    /// Reads the arrays once. Throws InputError if their lengths differ, if they are not in the memory of
    /// the GPU that this process uses, or do not have the right types, if a source or a target is no
    /// vertex, and if a weight is not finite.
    EdgesOnGpu(Vertex vertex_count, const DeviceEdgeArrays& arrays, bool directed, bool reversed, bool weighted);
    EdgesOnGpu(const EdgesOnGpu&) = delete;  // feeds refer to it
    EdgesOnGpu& operator=(const EdgesOnGpu&) = delete;

    [[nodiscard]] const DeviceEdges& edges() const { return edges_; }
    /// The type of weights in which their sums are computed; none if there are none.
    [[nodiscard]] WeightType weight_type(bool double_precision) const;
    /// The edges on the host. Throws ResourceError.
    [[nodiscard]] const ArrayEdges& on_host() const;

private:
    DeviceEdges edges_;
    bool fits_uint32_ = true;  // whole weights
    // The copies, and a view of them.
    mutable std::mutex copying_;
    mutable HostBuffer<std::byte> sources_, targets_, weights_;
    mutable std::unique_ptr<ArrayEdges> on_host_;
};

/// The edges of an EdgesOnGpu, which outlives the feed.
class GpuFeed final : public EdgeFeed
{
public:
    /// `type`: as for ListFeed.
    GpuFeed(const EdgesOnGpu& edges, WeightType type) : edges_(edges), type_(type) {}

    [[nodiscard]] Vertex vertex_count() const override { return edges_.edges().vertex_count; }
    [[nodiscard]] bool directed() const override { return edges_.edges().directed; }
    [[nodiscard]] EdgeCount size() const override { return edges_.edges().count; }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> scratch) const override
    {
        edges_.on_host().read(first, scratch.first(count));
        return scratch.first(count);
    }
    [[nodiscard]] WeightType weight_type() const override { return type_; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override
    {
        write_weights(edges_.on_host().weights, type_, first, out);
    }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override
    {
        write_weights(edges_.on_host().weights, type_, first, out);
    }
    [[nodiscard]] const DeviceEdges* device_edges() const override { return &edges_.edges(); }

private:
    const EdgesOnGpu& edges_;
    WeightType type_;
};

}  // namespace wayfront
