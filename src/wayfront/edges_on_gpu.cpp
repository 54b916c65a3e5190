#include "wayfront/edges_on_gpu.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/graph/caller_arrays.hpp"
#include "gpu/runtime/device.hpp"

namespace wayfront {

namespace {

DeviceIndices indices_of(const char* name, const DeviceSpan& array)
{
    if (array.type != ElementType::int32 && array.type != ElementType::int64)
        throw InputError(std::string(name) + ": expected whole numbers");
    return {array.data, array.type == ElementType::int64};
}

DeviceWeightType weight_type_of(ElementType type)
{
    switch (type) {
        case ElementType::int32:
            return DeviceWeightType::int32;
        case ElementType::int64:
            return DeviceWeightType::int64;
        case ElementType::float32:
            return DeviceWeightType::float32;
        case ElementType::float64:
            break;
    }
    return DeviceWeightType::float64;
}

/// The GPU with which a process searches that is the only rank.
constexpr int kGpu = 0;

/// Throws InputError unless the array is in the memory of that GPU.
void require_gpu(const char* name, const DeviceSpan& array)
{
    if (array.size == 0) return;
    const int found = gpu::gpu_of(array.data);
    if (found < 0) throw InputError(std::string(name) + ": the array is not in the memory of a GPU");
    if (found != kGpu)
        throw InputError(std::string(name) + ": the array is in the memory of GPU " + std::to_string(found) +
                         ", but wayfront searches on GPU " + std::to_string(kGpu) +
                         " (CUDA_VISIBLE_DEVICES chooses another one)");
}

template <typename T>
std::span<const T> elements(const HostBuffer<std::byte>& bytes, EdgeCount count)
{
    return {reinterpret_cast<const T*>(bytes.data()), static_cast<std::size_t>(count)};
}

HostBuffer<std::byte> copied(const void* from, std::size_t bytes)
{
    HostBuffer<std::byte> copy(bytes);
    if (bytes > 0) gpu::copy_to_host(from, copy.span());
    return copy;
}

NumberSpan numbers_of(const HostBuffer<std::byte>& bytes, bool wide, EdgeCount count)
{
    if (wide) return elements<std::int64_t>(bytes, count);
    return elements<std::int32_t>(bytes, count);
}

WeightSpans weights_of(const HostBuffer<std::byte>& bytes, DeviceWeightType type, EdgeCount count)
{
    switch (type) {
        case DeviceWeightType::int32:
            return elements<std::int32_t>(bytes, count);
        case DeviceWeightType::int64:
            return elements<std::int64_t>(bytes, count);
        case DeviceWeightType::float32:
            return elements<float>(bytes, count);
        case DeviceWeightType::float64:
            return elements<double>(bytes, count);
        case DeviceWeightType::none:
            break;
    }
    return {};
}

bool is_wide(DeviceWeightType type)
{
    return type == DeviceWeightType::int64 || type == DeviceWeightType::float64;
}

}  // namespace

bool on_search_gpu(const DeviceSpan& array)
{
    return array.size == 0 || gpu::device_count() == 0 || gpu::gpu_of(array.data) == kGpu;
}

EdgesOnGpu::EdgesOnGpu(Vertex vertex_count, const DeviceEdgeArrays& arrays, bool directed, bool reversed, bool weighted)
{
    edges_.vertex_count = vertex_count;
    edges_.directed = directed;
    edges_.count = static_cast<EdgeCount>(arrays.targets.size);
    edges_.sources = indices_of("sources", arrays.sources);
    edges_.targets = indices_of("targets", arrays.targets);
    if (arrays.sources.size != arrays.targets.size)
        throw InputError("there are " + std::to_string(arrays.sources.size) + " sources and " +
                         std::to_string(arrays.targets.size) + " targets");
    if (arrays.weights && arrays.weights->size != arrays.targets.size)
        throw InputError(std::to_string(arrays.weights->size) + " weights were given for " +
                         std::to_string(arrays.targets.size) + " edges");
    if (gpu::device_count() == 0) throw ResourceError("arrays in GPU memory: there is no GPU");
    require_gpu("sources", arrays.sources);
    require_gpu("targets", arrays.targets);
    gpu::use_device(kGpu);
    if (arrays.weights) {
        require_gpu("weights", *arrays.weights);
        edges_.weights = arrays.weights->data;
        edges_.weight_type = weight_type_of(arrays.weights->type);
    }
    for (const std::uintptr_t stream : arrays.streams) gpu::wait_for_stream(stream);
    const gpu::construction::DeviceEdgeFacts facts = gpu::construction::check_device_edges(edges_);
    edges_.negative_weights = facts.negative_weights;
    fits_uint32_ = facts.fits_uint32;
    if (reversed) std::swap(edges_.sources, edges_.targets);
    if (weighted) return;
    edges_.weights = nullptr;
    edges_.weight_type = DeviceWeightType::none;
    edges_.negative_weights = false;
}

WeightType EdgesOnGpu::weight_type(bool double_precision) const
{
    switch (edges_.weight_type) {
        case DeviceWeightType::int32:
        case DeviceWeightType::int64:
            return fits_uint32_ ? WeightType::uint32 : WeightType::int64;
        case DeviceWeightType::float32:
            return double_precision ? WeightType::float64 : WeightType::float32;
        case DeviceWeightType::float64:
            return WeightType::float64;
        case DeviceWeightType::none:
            break;
    }
    return WeightType::none;
}

const ArrayEdges& EdgesOnGpu::on_host() const
{
    const std::lock_guard<std::mutex> held(copying_);
    if (on_host_ != nullptr) return *on_host_;
    const auto count = static_cast<std::size_t>(edges_.count);
    const auto bytes_of = [count](bool wide) { return count * (wide ? sizeof(std::int64_t) : sizeof(std::int32_t)); };
    sources_ = copied(edges_.sources.data, bytes_of(edges_.sources.wide));
    targets_ = copied(edges_.targets.data, bytes_of(edges_.targets.wide));
    if (edges_.weight_type != DeviceWeightType::none)
        weights_ = copied(edges_.weights, bytes_of(is_wide(edges_.weight_type)));
    on_host_ =
        std::make_unique<ArrayEdges>(ArrayEdges{.vertex_count = edges_.vertex_count,
                                                .directed = edges_.directed,
                                                .sources = numbers_of(sources_, edges_.sources.wide, edges_.count),
                                                .targets = numbers_of(targets_, edges_.targets.wide, edges_.count),
                                                .weights = weights_of(weights_, edges_.weight_type, edges_.count)});
    return *on_host_;
}

void DeviceArray::copy_to(void* host) const
{
    if (size_ == 0) return;
    gpu::copy_to_host(data(), std::span(static_cast<std::byte*>(host), size_ * size_of(type_)));
}

}  // namespace wayfront
