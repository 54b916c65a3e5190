// The near-far search for shortest paths: each thread block searches a part of the graph.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/graph_parts.hpp"
#include "gpu/sssp/view.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

/// The words that blocks exchange besides distances. All are 0 before a search.
struct NearFarControl
{
    /// Number of idle blocks, plus 2^32 times the number of times that an idle block has received
    /// work.
    alignas(128) unsigned long long activity;
    alignas(128) std::uint32_t answers;   // number of answers to all questions
    alignas(128) std::uint32_t question;  // number of the last question
    std::uint32_t done;
};

/// The arrays of its part that a block stores in shared memory, besides the bitmap of listed
/// vertices and the rings. The other arrays are in device memory.
enum class SharedPart : std::uint8_t { heads_and_distances, distances, nothing };

/// The sizes and offsets of the arrays of a block. They have room for the largest part.
struct NearFarLayout
{
    NearFarLayout() = default;
    constexpr NearFarLayout(const LargestPart& largest, SharedPart shared_part)
        : shared(shared_part),
          vertices(largest.vertices),
          locals(largest.locals),
          boundary(largest.boundary),
          outgoing(std::bit_ceil(largest.ghosts + 1)),
          // A round reads up to `boundary` elements. A vertex may be appended again after these
          // elements when a worker has cleared its bit in queued(), while other workers have not
          // yet read their elements.
          incoming(std::bit_ceil(2 * largest.boundary + 1))
    {
    }

    SharedPart shared = SharedPart::nothing;
    std::uint32_t vertices = 0;
    std::uint32_t locals = 0;
    std::uint32_t boundary = 0;
    // Capacity of the ring of ghosts with new distances, a power of 2.
    std::uint32_t outgoing = 0;
    // Capacity of the ring of boundary vertices with new distances, a power of 2.
    std::uint32_t incoming = 0;

    [[nodiscard]] WAYFRONT_HD constexpr bool shares_distances() const { return shared != SharedPart::nothing; }
    /// Whether local numbers fit the lists: numbers in shared memory have 16 bits.
    [[nodiscard]] constexpr bool numbers_fit() const { return !shares_distances() || locals <= 0xFFFF; }

    // Offsets of the arrays in shared memory, in bytes.
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t distances() const
    {
        return shared == SharedPart::heads_and_distances ? std::size_t{vertices} * kHeadArcs * sizeof(Arc) : 0;
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t queued() const
    {
        return distances() + (shares_distances() ? std::size_t{locals} * sizeof(std::uint32_t) : 0);
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t lists() const
    {
        return queued() + (std::size_t{locals} + 31) / 32 * sizeof(std::uint32_t);
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t outgoing_ring() const
    {
        const std::size_t bytes_of_lists = shares_distances() ? std::size_t{2} * vertices * sizeof(std::uint16_t) : 0;
        return (lists() + bytes_of_lists + 3) / 4 * 4;
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t incoming_ring() const
    {
        return outgoing_ring() + std::size_t{outgoing} * sizeof(std::uint32_t);
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t seen() const
    {
        return incoming_ring() + std::size_t{incoming} * sizeof(std::uint32_t);
    }
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t bytes() const
    {
        return seen() + std::size_t{boundary} * sizeof(std::uint32_t);
    }

    /// Number of words of device memory of a block: for its distances and two lists. A multiple of
    /// a cache line.
    [[nodiscard]] WAYFRONT_HD constexpr std::size_t device_words() const
    {
        return shares_distances() ? 0 : (std::size_t{locals} + 2 * std::size_t{vertices} + 31) / 32 * 32;
    }
};

struct NearFarView
{
    ArcListsView graph;
    GraphPartsView parts;
    NearFarLayout layout;
    NearFarControl* control = nullptr;
    // By entry: the smallest distance that was sent to a boundary vertex. All bits are set before a
    // search.
    std::uint32_t* inboxes = nullptr;
    std::uint32_t* block_words = nullptr;  // NearFarLayout::device_words() words of each block
    // Arrays by slot:
    std::uint32_t* distances = nullptr;
    std::uint32_t* parents = nullptr;  // slots of the parents
    SsspSummary* summary = nullptr;
    // Results by local number: distances, and the input's numbers of parents.
    std::uint32_t* result_distances = nullptr;
    std::int32_t* result_parents = nullptr;
    std::uint32_t width = 0;  // width of a window, as a distance
    std::uint32_t end = 0;    // distances of this size and larger count as infinite
};

/// The number of parts that a device can search, one for each multiprocessor, and the bytes of
/// shared memory per block that all kernels can use.
struct NearFarDevice
{
    std::uint32_t parts = 0;
    std::size_t shared_bytes = 0;
};

/// Configures the shared memory of the kernels, and returns the limits of the device.
[[nodiscard]] NearFarDevice prepare_near_far(WeightType type);

/// Searches and writes the results. `boundary`: number of entries of all inboxes. `type`: uint32 or
/// float32. Pre: there are at most NearFarDevice::parts parts, and the layout fits
/// NearFarDevice::shared_bytes.
void launch_near_far(const NearFarView& view, std::size_t boundary, SsspSource source, WeightType type,
                     const Stream& stream);

}  // namespace wayfront::gpu::sssp
