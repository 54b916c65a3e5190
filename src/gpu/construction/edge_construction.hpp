// Construction of a graph on one GPU from any edge list: in the memory of the GPU, where it is read in
// place, or on the host, from which it is copied in parts. The results are those of the host's
// construction (graph/construction.hpp) and of its copy on the GPU (gpu/graph/upload.hpp), bit for bit:
// self-loops are dropped, of duplicates the lightest one is kept, and edges of an undirected graph
// lead in both directions. Free of CUDA's headers.
//
// The passes are those of Kronecker graphs, whose header (gpu/kron/construction.hpp) has the times of
// each step. A directed graph has two sets of lists, which are made one after the other. An edge list
// on the host is copied once if it fits the device memory beside the construction, and otherwise in each
// pass.
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

/// The most edges of a graph that one GPU constructs: degrees are counted in 32 bits.
inline constexpr EdgeCount kMostEdges = EdgeCount{0xFFFFFFFF};
inline constexpr Vertex kMostVertices = Vertex{1} << 31;

struct EdgeSourceOptions
{
    // The edges that are copied at once from the host; 0: chosen by the free memory.
    std::size_t part_edges = 0;
    // The type of weights; none if they are not wanted. uint32 and float32 are possible. In a graph
    // without weights, each is the whole number 1.
    WeightType weights = WeightType::none;
};

/// The edges of a feed. The feed outlives the source, and its weights are of the wanted type, or it
/// has none; none is negative. Throws InputError if the graph has more than kMostVertices or
/// kMostEdges, ResourceError if device memory does not suffice.
[[nodiscard]] std::unique_ptr<TupleSource> make_edge_source(const EdgeFeed& feed, const EdgeSourceOptions& options);
/// Edges in device memory, which outlive the source. Pre: check_device_edges() has passed, and
/// weight_type_of() is the wanted type.
[[nodiscard]] std::unique_ptr<TupleSource> make_edge_source(const DeviceEdges& edges, const EdgeSourceOptions& options);

/// The edges of a feed where they are: in device memory, or on the host.
[[nodiscard]] std::unique_ptr<TupleSource> make_edges_of(const EdgeFeed& feed, const EdgeSourceOptions& options);

/// What is known of edges in device memory that have been read.
struct DeviceEdgeFacts
{
    bool negative_weights = false;
    bool fits_uint32 = true;  // whether whole weights are from 0 to 2^32 - 1
};

/// Reads the edges. Throws InputError if a source or a target is no vertex, or if a weight is not
/// finite. Waits for the stream.
[[nodiscard]] DeviceEdgeFacts check_device_edges(const DeviceEdges& edges, const Stream& stream);
/// The same in a stream of its own.
[[nodiscard]] DeviceEdgeFacts check_device_edges(const DeviceEdges& edges);

/// Numbers that searches on the host need of a graph that has no lists there.
struct HostNumbers
{
    std::uint32_t slot_stride = 0;
    HostBuffer<std::uint32_t> slot_of_local;  // slot_stride for a vertex without edges
    HostBuffer<std::uint32_t> out_degrees;    // of each slot, duplicates counted
};

/// Constructs the graph without weights. `numbers`: null if they are not wanted. Throws ResourceError
/// if device memory does not suffice.
[[nodiscard]] DeviceGraph construct_edges(const TupleSource& edges, const Stream& stream,
                                          const ConstructionOptions& options = {}, HostNumbers* numbers = nullptr,
                                          ConstructionReport* report = nullptr);

/// The facts of a graph with weights besides its lists.
struct WeightedEdgesFacts
{
    std::int64_t connected_vertices = 0;
    EdgeCount arcs = 0;  // of the lists of out-arcs
    double weight_sum = 0;
};

/// Constructs the lists of arcs by ascending weight; arcs of equal weight by ascending column.
/// `weights` is the type that the source was made with. A directed graph has lists of in-arcs, too, if
/// it has at least `in_arcs_from` arcs. Throws as construct_edges() does.
[[nodiscard]] ArcLists construct_weighted_edges(const TupleSource& edges, WeightType weights, EdgeCount in_arcs_from,
                                                const Stream& stream, WeightedEdgesFacts& facts,
                                                const ConstructionOptions& options = {}, HostNumbers* numbers = nullptr,
                                                ConstructionReport* report = nullptr);

/// The size of a graph, as its edge list says.
struct EdgesSize
{
    Vertex vertices = 0;
    EdgeCount edges = 0;
    bool directed = false;
    bool weighted = false;
    bool from_host = false;  // whether the edges are copied from the host
};

/// The bytes of device memory with which such a graph can be constructed, as if no edge were a duplicate,
/// and edges were sorted in batches.
[[nodiscard]] std::size_t edge_construction_bytes(const EdgesSize& size);

/// The edges that are copied at once from an edge list on the host: all if `free_bytes` of device memory suffice for
/// them beside construction, else a part.
[[nodiscard]] std::size_t edges_of_part(EdgesSize size, std::size_t free_bytes);

}  // namespace wayfront::gpu::construction
