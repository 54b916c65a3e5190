// Construction of a graph on one GPU from any edge list: in GPU memory, where it is read in place,
// or on the host, from which it is copied in parts. The results are equal, bit for bit, to those of
// the host's construction (graph/construction.hpp) and its copy on the GPU (gpu/graph/upload.hpp):
// self-loops are removed, the lightest of several duplicates is kept, and edges of an undirected
// graph lead in both directions. Free of CUDA's headers.
//
// The passes are those of Kronecker graphs, whose header (gpu/kron/construction.hpp) has the times
// of each step. A directed graph has two sets of lists, which are made one after the other. An edge
// list on the host is copied once if it fits the device memory beside the construction, otherwise
// in each pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/types.hpp"
#include "gpu/construction/options.hpp"
#include "graph/block_weights.hpp"
#include "graph/device_edges.hpp"
#include "graph/edge_feed.hpp"

namespace wayfront::gpu {
class ArcLists;
class Stream;
struct DeviceGraph;
}  // namespace wayfront::gpu

namespace wayfront::gpu::construction {

class TupleSource;

/// Largest number of edges of a graph that one GPU constructs: degrees are counted in 32 bits.
inline constexpr EdgeCount kMostEdges = EdgeCount{0xFFFFFFFF};
inline constexpr Vertex kMostVertices = Vertex{1} << 31;

struct EdgeSourceOptions
{
    // Number of edges that are copied from the host at a time; 0: chosen by the free memory.
    std::size_t part_edges = 0;
    // Type of the weights: uint32 or float32, or none if weights are not wanted. In a graph without
    // weights, each weight is the whole number 1.
    WeightType weights = WeightType::none;
};

/// Makes a source of the edges of a feed. The feed outlives the source. Its weights have the wanted
/// type and are not negative, or the feed has no weights. Throws InputError if the graph has more
/// than kMostVertices or kMostEdges, and ResourceError if the device memory does not suffice.
[[nodiscard]] std::unique_ptr<TupleSource> make_edge_source(const EdgeFeed& feed, const EdgeSourceOptions& options);
/// Makes a source of edges in device memory, which outlive the source. Pre: check_device_edges()
/// has passed, and weight_type_of() is the wanted type.
[[nodiscard]] std::unique_ptr<TupleSource> make_edge_source(const DeviceEdges& edges, const EdgeSourceOptions& options);

/// Makes a source of the edges of a feed, which are in device memory or on the host.
[[nodiscard]] std::unique_ptr<TupleSource> make_edges_of(const EdgeFeed& feed, const EdgeSourceOptions& options);

/// Properties of edges in device memory, found by check_device_edges().
struct DeviceEdgeFacts
{
    bool negative_weights = false;
    bool fits_uint32 = true;  // whether all whole weights are from 0 to 2^32 - 1
};

/// Reads and checks the edges. Throws InputError if a source or a target is not a vertex, or if a
/// weight is not finite. Waits for the stream.
[[nodiscard]] DeviceEdgeFacts check_device_edges(const DeviceEdges& edges, const Stream& stream);
/// Reads and checks the edges in a new stream.
[[nodiscard]] DeviceEdgeFacts check_device_edges(const DeviceEdges& edges);

/// Numbers of a graph that searches on the host need even if the lists are only on the GPU.
struct HostNumbers
{
    std::uint32_t slot_stride = 0;
    HostBuffer<std::uint32_t> slot_of_local;  // slot_stride for a vertex without edges
    HostBuffer<std::uint32_t> out_degrees;    // by slot, including duplicates
};

/// Constructs the graph without weights. `numbers` may be null. Throws ResourceError if the device
/// memory does not suffice.
[[nodiscard]] DeviceGraph construct_edges(const TupleSource& edges, ConstructionRun& run,
                                          HostNumbers* numbers = nullptr);

struct WeightedEdgesOptions
{
    WeightType weights = WeightType::none;  // type with which the source was made
    // A directed graph also gets lists of in-arcs if it has at least this number of arcs.
    EdgeCount in_arcs_from = 0;
};

/// Properties of a graph with weights.
struct WeightedEdgesFacts
{
    std::int64_t connected_vertices = 0;
    EdgeCount arcs = 0;  // number of arcs in the lists of out-arcs
    double weight_sum = 0;
};

/// Constructs the lists of arcs by ascending weight; arcs of equal weight by ascending column.
/// `numbers` may be null. Throws as construct_edges() does.
[[nodiscard]] ArcLists construct_weighted_edges(const TupleSource& edges, const WeightedEdgesOptions& options,
                                                ConstructionRun& run, WeightedEdgesFacts& facts,
                                                HostNumbers* numbers = nullptr);

/// The size of a graph as stated by its edge list.
struct EdgesSize
{
    Vertex vertices = 0;
    EdgeCount edges = 0;
    bool directed = false;
    bool weighted = false;
    bool from_host = false;  // whether the edges are copied from the host
};

/// Device memory in bytes that suffices to construct such a graph if no edge is a duplicate and
/// edges are sorted in batches.
[[nodiscard]] std::size_t edge_construction_bytes(const EdgesSize& size);

/// The number of edges that are copied at a time from an edge list on the host: all edges if
/// `free_bytes` of device memory suffice for them beside the construction, otherwise a part.
[[nodiscard]] std::size_t edges_of_part(EdgesSize size, std::size_t free_bytes);

}  // namespace wayfront::gpu::construction
