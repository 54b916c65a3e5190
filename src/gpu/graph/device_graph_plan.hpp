// The arrays that a graph on a GPU (gpu/graph/device_graph.hpp) allocates, including temporary
// arrays of its construction. Free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/host_device.hpp"
#include "gpu/runtime/memory_plan.hpp"

namespace wayfront::gpu {

inline constexpr std::uint32_t kTileSlots = 1024;  // number of slots in a tile
// Number of neighbours of each row that near lists contain, which a thread reads together.
inline constexpr int kNearLists = 4;
inline constexpr std::uint32_t kListAlign = 4;  // alignment of lists, in columns

/// The place and length of a row's list in 8 bytes: bits 0-33 are its beginning in units of
/// kListAlign columns, bits 34-63 the degree.
struct ListPlace
{
    std::uint64_t packed = 0;

    static constexpr int kBeginBits = 34;
    static constexpr std::uint64_t kMostDegree = (std::uint64_t{1} << (64 - kBeginBits)) - 1;

    [[nodiscard]] WAYFRONT_HD static ListPlace make(std::uint64_t begin, std::uint64_t degree)
    {
        return {(begin / kListAlign) | (degree << kBeginBits)};
    }
    [[nodiscard]] WAYFRONT_HD std::uint64_t begin() const
    {
        return (packed & ((std::uint64_t{1} << kBeginBits) - 1)) * kListAlign;
    }
    [[nodiscard]] WAYFRONT_HD std::uint32_t degree() const { return static_cast<std::uint32_t>(packed >> kBeginBits); }
};

/// The arrays of LocalSlots for `count` vertices.
struct LocalSlotsPlan : MemoryPlan
{
    LocalSlotsPlan(std::size_t count, std::size_t connected_count)
        : connected(array<std::uint32_t>("vertices with edges", words(count))),
          connected_before(array<std::uint32_t>("vertices with edges before", words(count))),
          slots(array<std::uint32_t>("slots of vertices", connected_count))
    {
    }
    /// Includes an empty last word of the bitmap, which comes after all vertices.
    [[nodiscard]] static constexpr std::size_t words(std::size_t count) { return (count + 31) / 32 + 1; }

    PlannedArray<std::uint32_t> connected, connected_before, slots;
};

/// The input's number of each column, for all ranks.
struct ColumnsPlan : MemoryPlan
{
    ColumnsPlan(std::size_t ranks, std::size_t slots)
        : vertex_of_column(array<std::uint32_t>("vertices of columns", ranks, slots))
    {
    }

    PlannedArray<std::uint32_t> vertex_of_column;
};

/// The lists in the form in which they are searched.
struct PlacedListsPlan : MemoryPlan
{
    /// `columns`: number of columns in all lists, including padding to multiples of kListAlign.
    PlacedListsPlan(std::size_t slots, std::size_t columns, const std::array<std::uint32_t, kNearLists>& near_rows)
        : lists(array<ListPlace>("places of lists", slots)), neighbours(array<std::uint32_t>("neighbours", columns))
    {
        for (std::size_t k = 0; k < kNearLists; ++k) near[k] = array<std::uint32_t>("near neighbours", near_rows[k]);
    }
    /// The plan with the most memory for lists of `edges` edges.
    static PlacedListsPlan most(std::uint32_t slots, std::size_t edges)
    {
        return {slots, edges + std::size_t{kListAlign - 1} * slots, {slots, slots, slots, slots}};
    }

    PlannedArray<ListPlace> lists;
    PlannedArray<std::uint32_t> neighbours;
    std::array<PlannedArray<std::uint32_t>, kNearLists> near;
};

/// The input's numbers of the near in-neighbours.
struct NearVerticesPlan : MemoryPlan
{
    explicit NearVerticesPlan(const std::array<std::uint32_t, kNearLists>& near_rows)
    {
        for (std::size_t k = 0; k < kNearLists; ++k)
            near_vertices[k] = array<std::uint32_t>("vertices of near neighbours", near_rows[k]);
    }
    static NearVerticesPlan most(std::uint32_t slots) { return NearVerticesPlan({slots, slots, slots, slots}); }

    std::array<PlannedArray<std::uint32_t>, kNearLists> near_vertices;
};

/// The lists in the form in which construction and upload pass them to NeighbourLists.
struct PlainListsPlan : MemoryPlan
{
    PlainListsPlan(std::size_t slots, std::size_t edges)
        : offsets(array<std::uint64_t>("offsets", slots + 1)), columns(array<std::uint32_t>("columns", edges))
    {
    }

    PlannedArray<std::uint64_t> offsets;
    PlannedArray<std::uint32_t> columns;
};

/// The temporary arrays for placing the lists of `slots` slots, and for sorting them.
struct PlacingPlan : MemoryPlan
{
    explicit PlacingPlan(std::size_t slots) : begins(array<std::uint64_t>("begins of lists", slots + 1)) {}
    PlannedArray<std::uint64_t> begins;
};
struct ListSortPlan : MemoryPlan
{
    explicit ListSortPlan(std::size_t slots) { array<std::uint64_t>("scratch for sorting lists", slots); }
};

}  // namespace wayfront::gpu
