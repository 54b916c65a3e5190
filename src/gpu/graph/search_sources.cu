#include <algorithm>

#include "gpu/graph/search_sources.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu {

namespace {

/// The arrays of several sources, which list_sources() fills. All bits and *with_edges are 0 at
/// first.
struct SourceArrays
{
    std::uint32_t* bits;
    std::uint32_t* slots;
    std::uint32_t* vertices;
    std::uint32_t* with_edges;
};

/// Sets the bits of the sources, and lists each source with edges once.
__global__ void list_sources(LocalSlotsView local_slots, const std::uint32_t* given, std::uint32_t count,
                             SourceArrays sources)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) {
        const std::uint32_t vertex = given[i];
        const std::uint32_t bit = 1U << (vertex % 32);
        if ((atomicOr(sources.bits + vertex / 32, bit) & bit) != 0) continue;
        const std::uint32_t slot = local_slots.slot_of(vertex);
        if (slot == LocalSlotsView::kNone) continue;
        const std::uint32_t place = atomicAdd(sources.with_edges, 1U);
        sources.slots[place] = slot;
        sources.vertices[place] = vertex;
    }
}

// Number of sources for which there is room from the beginning.
constexpr std::size_t kFirstRoom = 4096;

}  // namespace

SourceMemory::SourceMemory(const LocalSlotsView& local_slots)
    : local_slots_(local_slots), bits_(words(local_slots.count)), with_edges_(1)
{
    make_room(std::min<std::size_t>(kFirstRoom, local_slots.count));
}

void SourceMemory::make_room(std::size_t count)
{
    for (DeviceBuffer<std::uint32_t>* const buffer : {&given_, &slots_, &vertices_}) {
        if (buffer->size() >= count) continue;
        *buffer = {};  // frees the old memory first
        *buffer = DeviceBuffer<std::uint32_t>(count);
    }
}

SearchSources SourceMemory::set(std::span<const Vertex> sources, const Stream& stream)
{
    make_room(sources.size());
    numbers_.assign(sources.begin(), sources.end());
    copy_async(std::span<const std::uint32_t>(numbers_), given_.span().first(numbers_.size()), stream);
    fill_bytes_async(bits_.span(), 0, stream);
    fill_bytes_async(with_edges_.span(), 0, stream);
    launch(list_sources, numbers_.size(), stream, local_slots_, given_.data(),
           static_cast<std::uint32_t>(numbers_.size()),
           SourceArrays{bits_.data(), slots_.data(), vertices_.data(), with_edges_.data()});
    return {
        .bits = bits_.data(), .slots = slots_.data(), .vertices = vertices_.data(), .with_edges = with_edges_.data()};
}

std::uint32_t SourceMemory::without_edges(const Stream& stream) const
{
    return static_cast<std::uint32_t>(numbers_.size()) - fetch(with_edges_.data(), stream);
}

}  // namespace wayfront::gpu
