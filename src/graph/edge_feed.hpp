// The edges that construction reads: a rank's share of an edge list in memory, or of a generated
// graph, which is made chunk by chunk while it is read. A feed may have weights, which are read
// apart from the edges.
#pragma once

#include <span>

#include "comm/communicator.hpp"
#include "graph/block_weights.hpp"
#include "graph/device_edges.hpp"
#include "graph/edge_list.hpp"
#include "graph/edge_source.hpp"

namespace wayfront {

/// A rank's share of the edges of a graph. It can be read several times, in chunks.
class EdgeFeed
{
public:
    virtual ~EdgeFeed() = default;

    [[nodiscard]] virtual Vertex vertex_count() const = 0;
    [[nodiscard]] virtual bool directed() const = 0;
    /// The number of edges of this rank's share.
    [[nodiscard]] virtual EdgeCount size() const = 0;
    /// Edges first to first + count - 1 of the share, valid until the next call. `scratch` has room
    /// for `count` edges.
    [[nodiscard]] virtual std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                            std::span<PackedEdge> scratch) const = 0;

    /// The type of the weights; equal on all ranks.
    [[nodiscard]] virtual WeightType weight_type() const = 0;
    /// Writes the weights of the edges first to first + out.size() - 1 as ordered words. Pre:
    /// weight_type() has words of this size.
    virtual void weights(EdgeCount first, std::span<std::uint32_t> out) const;
    virtual void weights(EdgeCount first, std::span<std::uint64_t> out) const;

    /// The edges in the memory of a GPU, if they are there; else null. chunk() and weights() then copy
    /// them to the host when they are first called.
    [[nodiscard]] virtual const DeviceEdges* device_edges() const { return nullptr; }
};

/// The type that holds the weights of all ranks. Collective.
[[nodiscard]] WeightType choose_weight_type(const comm::Communicator& world, const WeightSpans& weights);
[[nodiscard]] inline WeightType choose_weight_type(const comm::Communicator& world, const EdgeList& list)
{
    return choose_weight_type(world, spans_of(list.weights));
}

/// Writes ordered words of the weights from the one at position `first` on, as weights of a type
/// with words of this size.
void write_weights(const WeightSpans& weights, WeightType type, EdgeCount first, std::span<std::uint32_t> out);
void write_weights(const WeightSpans& weights, WeightType type, EdgeCount first, std::span<std::uint64_t> out);

/// A view of edges in memory; the list outlives the feed.
class ListFeed final : public EdgeFeed
{
public:
    /// `type` is none if the weights are not wanted, otherwise a type that can represent them, such
    /// as that of choose_weight_type().
    explicit ListFeed(const EdgeList& list, WeightType type = WeightType::none) : list_(list), type_(type) {}

    [[nodiscard]] Vertex vertex_count() const override { return list_.vertex_count; }
    [[nodiscard]] bool directed() const override { return list_.directed; }
    [[nodiscard]] EdgeCount size() const override { return static_cast<EdgeCount>(list_.edges.size()); }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> /*scratch*/) const override
    {
        return list_.edges.span().subspan(static_cast<std::size_t>(first), count);
    }
    [[nodiscard]] WeightType weight_type() const override { return type_; }
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override
    {
        write_weights(spans_of(list_.weights), type_, first, out);
    }
    void weights(EdgeCount first, std::span<std::uint64_t> out) const override
    {
        write_weights(spans_of(list_.weights), type_, first, out);
    }

private:
    const EdgeList& list_;
    WeightType type_;
};

/// Part `part` of `parts` of a generated graph; the source outlives the feed.
class SourceFeed final : public EdgeFeed
{
public:
    /// `weighted`: whether the source's own weights (float32) are wanted; it must have some then.
    SourceFeed(const EdgeSource& source, int part, int parts, bool weighted = false);

    [[nodiscard]] Vertex vertex_count() const override { return source_.vertex_count(); }
    [[nodiscard]] bool directed() const override { return source_.directed(); }
    [[nodiscard]] EdgeCount size() const override { return last_ - first_; }
    [[nodiscard]] std::span<const PackedEdge> chunk(EdgeCount first, std::size_t count,
                                                    std::span<PackedEdge> scratch) const override;
    [[nodiscard]] WeightType weight_type() const override { return weighted_ ? WeightType::float32 : WeightType::none; }
    using EdgeFeed::weights;
    void weights(EdgeCount first, std::span<std::uint32_t> out) const override;

private:
    const EdgeSource& source_;
    bool weighted_;
    EdgeCount first_ = 0;
    EdgeCount last_ = 0;
};

/// Makes the edges first to first + out.size() - 1 on all threads.
void generate_parallel(const EdgeSource& source, EdgeCount first, std::span<PackedEdge> out);

/// Makes part `part` of `parts` of a generated graph in memory, with the source's own weights if it
/// has any and `with_weights` is true.
EdgeList generate_share(const EdgeSource& source, int part, int parts, bool with_weights);

}  // namespace wayfront
