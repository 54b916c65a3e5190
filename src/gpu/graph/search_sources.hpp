// The sources of a search on GPUs: one vertex, or several vertices on one GPU.
//
// Kernels take SearchSources by value. It contains a single source, so that nothing is copied
// before a search. Several sources are in device memory, which SourceMemory owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/host_device.hpp"
#include "base/types.hpp"
#include "gpu/graph/local_slots.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/memory_plan.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu {

/// The sources of a search, as a rank sees them.
struct SearchSources
{
    static constexpr std::uint32_t kElsewhere = ~0U;

    // A single source:
    std::uint32_t local = kElsewhere;  // local number on its owner; kElsewhere on other ranks
    std::uint32_t vertex = 0;          // the input's number

    // Several sources, on one GPU, where a local number is the input's number:
    const std::uint32_t* bits = nullptr;  // bitmap by local number, with zeros up to kBehind after the last one
    // For the sources with edges:
    const std::uint32_t* slots = nullptr;
    const std::uint32_t* vertices = nullptr;    // in the order of `slots`
    const std::uint32_t* with_edges = nullptr;  // number of sources with edges

    /// The single source `key`. `rank` is one of `ranks` ranks in a grid of any shape.
    [[nodiscard]] static SearchSources of(Vertex key, std::uint32_t ranks, std::uint32_t rank)
    {
        const bool own = key % static_cast<Vertex>(ranks) == static_cast<Vertex>(rank);
        return {.local = own ? static_cast<std::uint32_t>(key / static_cast<Vertex>(ranks)) : kElsewhere,
                .vertex = static_cast<std::uint32_t>(key)};
    }

    [[nodiscard]] WAYFRONT_HD bool are_several() const { return bits != nullptr; }

    /// The number of sources for which slot() and number() are defined.
    [[nodiscard]] WAYFRONT_HD std::uint32_t count() const { return are_several() ? *with_edges : 1; }
    /// The slot of source i; kNone if the source has no edges or belongs to another rank.
    [[nodiscard]] WAYFRONT_HD std::uint32_t slot(const LocalSlotsView& local_slots, std::uint32_t i) const
    {
        if (are_several()) return slots[i];
        return local != kElsewhere ? local_slots.slot_of(local) : LocalSlotsView::kNone;
    }
    /// The input's number of source i.
    [[nodiscard]] WAYFRONT_HD std::uint32_t number(std::uint32_t i) const
    {
        return are_several() ? vertices[i] : vertex;
    }
    /// Whether a vertex of this rank is a source. The local number may exceed the last one by up to
    /// kBehind.
    [[nodiscard]] WAYFRONT_HD bool contains(std::uint64_t local_number) const
    {
        return are_several() ? has_bit(local_number) : local_number == local;
    }
    /// Whether the vertex with this number in the input is a source.
    [[nodiscard]] WAYFRONT_HD bool contains_number(std::uint32_t number) const
    {
        return are_several() ? has_bit(number) : number == vertex;
    }
    /// The input's number of a source of this rank.
    [[nodiscard]] WAYFRONT_HD std::uint32_t number_of_local(std::uint64_t local_number) const
    {
        return are_several() ? static_cast<std::uint32_t>(local_number) : vertex;
    }

    static constexpr std::size_t kBehind = 255;

private:
    [[nodiscard]] WAYFRONT_HD bool has_bit(std::uint64_t number) const
    {
        return (bits[number / 32] >> (number % 32) & 1U) != 0;
    }
};

/// The sources of searches from several sources, in the memory of a single GPU.
class SourceMemory
{
public:
    /// `local_slots`: the vertices of the graph. Their memory outlives the object.
    explicit SourceMemory(const LocalSlotsView& local_slots);

    /// Copies the sources, which are vertices of the graph, to the device, after the work in the
    /// stream. The result is valid until the next call.
    [[nodiscard]] SearchSources set(std::span<const Vertex> sources, const Stream& stream);
    /// The number of sources without edges. Waits for the stream.
    [[nodiscard]] std::uint32_t without_edges(const Stream& stream) const;

    [[nodiscard]] std::size_t bytes() const
    {
        return bits_.bytes() + with_edges_.bytes() + given_.bytes() + slots_.bytes() + vertices_.bytes();
    }
    /// Upper bound of bytes() for sources among `count` vertices.
    [[nodiscard]] static std::size_t most_bytes(std::size_t count)
    {
        return (words(count) + 1 + 3 * count) * sizeof(std::uint32_t);
    }

private:
    [[nodiscard]] static constexpr std::size_t words(std::size_t count)
    {
        return (count + SearchSources::kBehind) / 32 + 1;
    }
    void make_room(std::size_t count);

    LocalSlotsView local_slots_;
    std::vector<std::uint32_t> numbers_;  // the sources on the host, while they are copied
    DeviceBuffer<std::uint32_t> bits_, with_edges_, given_, slots_, vertices_;
};

}  // namespace wayfront::gpu
