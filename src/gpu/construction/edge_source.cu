#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/construction/edge_tuples.cuh"
#include "gpu/construction/tuple_kernels.cuh"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/staging.hpp"
#include "graph/edge_list.hpp"

namespace wayfront::gpu::construction {

namespace {

constexpr std::uint32_t kMinusZero = 0x80000000;  // the bits of -0.0F

void require_size(Vertex vertices, EdgeCount edges)
{
    if (vertices > kMostVertices)
        throw InputError("one GPU constructs graphs of at most 2^31 vertices, not " + std::to_string(vertices));
    if (edges > kMostEdges)
        throw InputError("one GPU constructs graphs of at most 2^32 - 1 edges, not " + std::to_string(edges));
}

/// Passes over edges in device memory of the caller.
class DevicePasses
{
public:
    using Tuples = EdgeTuples;
    static constexpr bool kDirected = true;

    DevicePasses(const DeviceEdges& edges, WeightType weights)
        : vertices_(static_cast<std::uint64_t>(edges.vertex_count)), directed_(edges.directed)
    {
        tuples_.sources = words_of(edges.sources);
        tuples_.targets = words_of(edges.targets);
        tuples_.count = static_cast<std::uint64_t>(edges.count);
        if (weights == WeightType::none || edges.weight_type == DeviceWeightType::none) return;
        tuples_.weights = words_of({edges.weights, edges.weight_type == DeviceWeightType::int64});
        if (weights == WeightType::float32) tuples_.minus_zero = kMinusZero;
    }

    [[nodiscard]] std::uint64_t vertices() const { return vertices_; }
    [[nodiscard]] bool directed() const { return directed_; }
    [[nodiscard]] static SameVertex ends() { return {}; }

    template <typename Kernel, typename... Arguments>
    void launch(Kernel kernel, const Stream& stream, Arguments... arguments) const
    {
        gpu::launch(kernel, tuples_.count, stream, tuples_, arguments...);
    }

private:
    static LowWords words_of(const DeviceIndices& numbers)
    {
        static_assert(std::endian::native == std::endian::little);
        return {static_cast<const std::uint32_t*>(numbers.data), numbers.wide ? 2U : 1U};
    }

    std::uint64_t vertices_;
    bool directed_;
    EdgeTuples tuples_;
};

/// Passes over edges on the host. Parts of the edges are copied to the device in each pass; if
/// there is only one part, it is copied once.
class HostPasses
{
public:
    using Tuples = EdgeTuples;
    static constexpr bool kDirected = true;

    HostPasses(const EdgeFeed& feed, const EdgeSourceOptions& options)
        : feed_(&feed),
          weights_(feed.weight_type() == WeightType::none ? WeightType::none : options.weights),
          count_(static_cast<std::size_t>(feed.size())),
          part_(std::min(options.part_edges != 0 ? options.part_edges : part_of_memory(options.weights), count_)),
          edges_(part_),
          words_(weights_ == WeightType::none ? 0 : part_),
          scratch_(std::min(part_, kReadAtOnce))
    {
    }

    [[nodiscard]] std::uint64_t vertices() const { return static_cast<std::uint64_t>(feed_->vertex_count()); }
    [[nodiscard]] bool directed() const { return feed_->directed(); }
    [[nodiscard]] static SameVertex ends() { return {}; }

    template <typename Kernel, typename... Arguments>
    void launch(Kernel kernel, const Stream& stream, Arguments... arguments) const
    {
        for (std::size_t first = 0; first < count_; first += part_) {
            const std::size_t size = std::min(part_, count_ - first);
            if (!std::exchange(copied_, part_ == count_)) copy(first, size, stream);
            gpu::launch(kernel, size, stream, tuples(size), arguments...);
        }
    }

private:
    static constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;  // number of edges that are read at a time

    [[nodiscard]] std::size_t part_of_memory(WeightType weights) const
    {
        return edges_of_part({.vertices = feed_->vertex_count(),
                              .edges = feed_->size(),
                              .directed = feed_->directed(),
                              .weighted = weights != WeightType::none,
                              .from_host = true},
                             free_memory());
    }

    /// Copies the edges first to first + size - 1. The stream's work on the previous part is
    /// complete before this part is written.
    void copy(std::size_t first, std::size_t size, const Stream& stream) const
    {
        for (std::size_t done = 0; done < size; done += kReadAtOnce) {
            const std::size_t read = std::min(kReadAtOnce, size - done);
            const auto place = static_cast<EdgeCount>(first + done);
            staging_.to_device(feed_->chunk(place, read, scratch_.span()), edges_.data() + done, stream);
            if (!words_.empty()) copy_weights(place, read, words_.data() + done, stream);
        }
    }
    void copy_weights(EdgeCount first, std::size_t count, std::uint32_t* to, const Stream& stream) const
    {
        staging_.to_device(count, to, stream, [&](std::size_t i, std::span<std::uint32_t> words) {
            feed_->weights(first + static_cast<EdgeCount>(i), words);
            if (weights_ != WeightType::float32) return;
            for (std::uint32_t& word : words) word = std::bit_cast<std::uint32_t>(from_ordered<float>(word));
        });
    }

    [[nodiscard]] EdgeTuples tuples(std::size_t size) const
    {
        static_assert(offsetof(PackedEdge, source_low) == 0 &&
                      offsetof(PackedEdge, target_low) == sizeof(std::uint32_t));
        constexpr std::uint32_t stride = sizeof(PackedEdge) / sizeof(std::uint32_t);
        const auto* const words = reinterpret_cast<const std::uint32_t*>(edges_.data());
        return {{words, stride}, {words + 1, stride}, {words_.data(), 1}, 0, size};
    }

    const EdgeFeed* feed_;
    WeightType weights_;
    std::size_t count_;
    std::size_t part_;  // number of edges that are copied at a time
    mutable DeviceBuffer<PackedEdge> edges_;
    mutable DeviceBuffer<std::uint32_t> words_;  // bits of weights; empty if each is 1
    mutable HostBuffer<PackedEdge> scratch_;
    mutable Staging staging_;
    mutable bool copied_ = false;  // whether all edges are in device memory
};

/// For each kind of fault, the number of the first edge with the fault, or kNone; and whether whole
/// weights are below 0 or above 2^32 - 1.
struct EdgeFaults
{
    static constexpr unsigned long long kNone = ~0ULL;

    unsigned long long end;     // edge whose source or target is not a vertex
    unsigned long long weight;  // edge whose weight is not finite
    std::uint32_t negative;
    std::uint32_t too_large;
};

template <typename Index>
__global__ void check_ends(const Index* ends, std::uint64_t count, std::int64_t vertices, EdgeFaults* faults)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        if (ends[i] < 0 || static_cast<std::int64_t>(ends[i]) >= vertices)
            atomicMin(&faults->end, static_cast<unsigned long long>(i));
}

template <typename Weight>
__global__ void check_weights(const Weight* weights, std::uint64_t count, EdgeFaults* faults)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const Weight weight = weights[i];
        if constexpr (std::is_floating_point_v<Weight>)
            if (!isfinite(weight)) atomicMin(&faults->weight, static_cast<unsigned long long>(i));
        if (weight < 0) faults->negative = 1;
        if constexpr (sizeof(Weight) == sizeof(std::int64_t) && std::is_integral_v<Weight>)
            if (weight > static_cast<std::int64_t>(0xFFFFFFFF)) faults->too_large = 1;
    }
}

template <typename Index>
void start_check(const DeviceIndices& ends, const DeviceEdges& edges, EdgeFaults* faults, const Stream& stream)
{
    launch(check_ends<Index>, static_cast<std::uint64_t>(edges.count), stream, static_cast<const Index*>(ends.data),
           static_cast<std::uint64_t>(edges.count), std::int64_t{edges.vertex_count}, faults);
}

template <typename Weight>
void start_check(const DeviceEdges& edges, EdgeFaults* faults, const Stream& stream)
{
    launch(check_weights<Weight>, static_cast<std::uint64_t>(edges.count), stream,
           static_cast<const Weight*>(edges.weights), static_cast<std::uint64_t>(edges.count), faults);
}

}  // namespace

std::unique_ptr<TupleSource> make_edge_source(const EdgeFeed& feed, const EdgeSourceOptions& options)
{
    require_size(feed.vertex_count(), feed.size());
    return std::make_unique<TuplesOf<HostPasses>>(HostPasses(feed, options));
}

std::unique_ptr<TupleSource> make_edge_source(const DeviceEdges& edges, const EdgeSourceOptions& options)
{
    require_size(edges.vertex_count, edges.count);
    return std::make_unique<TuplesOf<DevicePasses>>(DevicePasses(edges, options.weights));
}

std::unique_ptr<TupleSource> make_edges_of(const EdgeFeed& feed, const EdgeSourceOptions& options)
{
    const DeviceEdges* const on_device = feed.device_edges();
    return on_device != nullptr ? make_edge_source(*on_device, options) : make_edge_source(feed, options);
}

DeviceEdgeFacts check_device_edges(const DeviceEdges& edges, const Stream& stream)
{
    DeviceBuffer<EdgeFaults> device(1);
    EdgeFaults faults{EdgeFaults::kNone, EdgeFaults::kNone, 0, 0};
    copy_async(std::span<const EdgeFaults>(&faults, 1), device.span(), stream);
    for (const DeviceIndices& ends : {edges.sources, edges.targets}) {
        if (ends.wide)
            start_check<std::int64_t>(ends, edges, device.data(), stream);
        else
            start_check<std::int32_t>(ends, edges, device.data(), stream);
    }
    switch (edges.weight_type) {
        case DeviceWeightType::int32:
            start_check<std::int32_t>(edges, device.data(), stream);
            break;
        case DeviceWeightType::int64:
            start_check<std::int64_t>(edges, device.data(), stream);
            break;
        case DeviceWeightType::float32:
            start_check<float>(edges, device.data(), stream);
            break;
        case DeviceWeightType::float64:
            start_check<double>(edges, device.data(), stream);
            break;
        case DeviceWeightType::none:
            break;
    }
    faults = fetch(device.data(), stream);
    if (faults.end != EdgeFaults::kNone)
        throw InputError("edge " + std::to_string(faults.end) + " has an end that is none of the vertices 0 to " +
                         std::to_string(edges.vertex_count - 1));
    if (faults.weight != EdgeFaults::kNone)
        throw InputError("the weight of edge " + std::to_string(faults.weight) + " is not finite");
    return {faults.negative != 0, faults.negative == 0 && faults.too_large == 0};
}

DeviceEdgeFacts check_device_edges(const DeviceEdges& edges)
{
    return check_device_edges(edges, Stream());
}

}  // namespace wayfront::gpu::construction
