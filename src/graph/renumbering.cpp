#include "graph/renumbering.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/bitmap.hpp"
#include "base/counting_sort.hpp"
#include "base/parallel.hpp"

namespace wayfront {

namespace {

constexpr std::size_t kClasses = 130;  // two for each of 64 octaves, and class 0
constexpr std::size_t kSerialBelow = 1 << 14;
// The largest count in one direction, so that the sum of in- and out-degree fits.
constexpr std::uint32_t kMaxDegree = std::numeric_limits<std::uint32_t>::max() / 2;

/// Sums over the group. Counts that could make a 32-bit sum overflow are cut; the order of such
/// hubs does not matter.
HostBuffer<std::uint32_t> summed(std::span<const std::uint32_t> counts, const comm::Communicator& group)
{
    const std::uint32_t most = kMaxDegree / static_cast<std::uint32_t>(group.size());
    HostBuffer<std::uint32_t> sums(counts.size());
    parallel_for(counts.size(), kSerialBelow, [&](std::size_t i) { sums[i] = std::min(counts[i], most); });
    group.all_reduce(sums.span(), comm::Reduction::sum);
    return sums;
}

/// Assigns the slots of one chunk by descending class, in the order of vertices inside a class;
/// `none` for class 0. Returns the number of slots.
std::uint32_t assign_slots(std::span<const std::uint32_t> degrees, bool by_degree, std::uint32_t none,
                           std::span<std::uint32_t> slots)
{
    CountingSort sort(kClasses - 1);
    const auto visit = [&](std::size_t i, auto&& f) {
        if (const std::uint32_t c = by_degree ? degree_class(degrees[i]) : std::min(degrees[i], 1U); c > 0)
            f(kClasses - 1 - c, i);
        else
            slots[i] = none;
    };
    sort.count(degrees.size(), kSerialBelow, visit);
    sort.place(visit, [slots](std::size_t slot, std::size_t i) { slots[i] = static_cast<std::uint32_t>(slot); });
    return static_cast<std::uint32_t>(sort.size());
}

}  // namespace

std::uint32_t degree_class(std::uint64_t degree)
{
    if (degree < 2) return static_cast<std::uint32_t>(degree);
    const auto octave = static_cast<std::uint32_t>(std::bit_width(degree)) - 1;
    const auto upper_half = static_cast<std::uint32_t>((degree >> (octave - 1)) & 1U);
    return 2 * octave + upper_half;
}

Renumbering renumber(const comm::ProcessGrid& grid, const Partition& partition,
                     std::span<const std::uint32_t> row_counts, std::span<const std::uint32_t> col_counts,
                     bool by_degree)
{
    const auto stride = static_cast<std::uint32_t>(partition.chunk_stride());
    const std::uint32_t own = partition.chunk_size(grid.rank());
    const auto own_row = static_cast<std::size_t>(grid.column_index()) * stride;
    const auto own_col = static_cast<std::size_t>(grid.row_index()) * stride;
    const HostBuffer<std::uint32_t> in_degrees = summed(row_counts, grid.row());
    const HostBuffer<std::uint32_t> out_degrees = summed(col_counts, grid.column());
    const bool directed = !col_counts.empty();

    HostBuffer<std::uint32_t> degrees(stride, 0);
    parallel_for(own, kSerialBelow, [&](std::size_t i) {
        degrees[i] = in_degrees[own_row + i] + (directed ? out_degrees[own_col + i] : 0);
    });

    // Vertices without edges are marked by kNoLocal, which is no slot, until all ranks agree on
    // slot_stride.
    HostBuffer<std::uint32_t> slots(stride);
    Renumbering numbers;
    numbers.connected = assign_slots(degrees.span(), by_degree, kNoLocal, slots.span());
    const auto most = static_cast<std::uint32_t>(
        grid.world().all_reduce(static_cast<std::int64_t>(numbers.connected), comm::Reduction::max));
    numbers.slot_stride = static_cast<std::uint32_t>(std::max(round_up_to_word(most), kWordBits));
    numbers.out_degrees = HostBuffer<std::uint32_t>(numbers.slot_stride, 0);
    parallel_for(stride, kSerialBelow, [&](std::size_t i) {
        if (slots[i] == kNoLocal)
            slots[i] = numbers.slot_stride;
        else
            numbers.out_degrees[slots[i]] = directed ? out_degrees[own_col + i] : in_degrees[own_row + i];
    });

    const auto row_chunks = static_cast<std::uint32_t>(grid.shape().columns);
    const auto col_chunks = static_cast<std::uint32_t>(grid.shape().rows);
    numbers.new_row = HostBuffer<std::uint32_t>(std::size_t{row_chunks} * stride);
    numbers.slots_of_cols = HostBuffer<std::uint32_t>(std::size_t{col_chunks} * stride);
    grid.row().all_gather(std::span<const std::uint32_t>(slots.span()), numbers.new_row.span());
    grid.column().all_gather(std::span<const std::uint32_t>(slots.span()), numbers.slots_of_cols.span());
    for (std::uint32_t chunk = 1; chunk < row_chunks; ++chunk)
        parallel_for(stride, kSerialBelow, [&](std::size_t i) {
            numbers.new_row[std::size_t{chunk} * stride + i] += chunk * numbers.slot_stride;
        });
    numbers.new_col_key = HostBuffer<std::uint32_t>(numbers.slots_of_cols.size());
    for (std::uint32_t chunk = 0; chunk < col_chunks; ++chunk)
        parallel_for(stride, kSerialBelow, [&](std::size_t i) {
            numbers.new_col_key[std::size_t{chunk} * stride + i] =
                numbers.slots_of_cols[std::size_t{chunk} * stride + i] * col_chunks + chunk;
        });
    return numbers;
}

HostBuffer<std::uint32_t> own_slots(const Renumbering& numbers, const Partition& partition,
                                    const comm::ProcessGrid& grid)
{
    const auto own_col =
        static_cast<std::size_t>(grid.row_index()) * static_cast<std::size_t>(partition.chunk_stride());
    HostBuffer<std::uint32_t> slots(partition.chunk_size(grid.rank()));
    std::ranges::copy_n(numbers.slots_of_cols.begin() + own_col, static_cast<std::ptrdiff_t>(slots.size()),
                        slots.begin());
    return slots;
}

VertexArray column_vertices(const Renumbering& numbers, const Partition& partition, const comm::ProcessGrid& grid)
{
    const auto stride = static_cast<std::size_t>(partition.chunk_stride());
    const std::size_t cols = static_cast<std::size_t>(grid.shape().rows) * numbers.slot_stride;
    VertexArray vertices(cols + 1, partition.vertex_count());
    vertices.visit([&](auto elements) {
        using Id = typename decltype(elements)::value_type;
        parallel_for(elements.size(), kSerialBelow,
                     [&](std::size_t column) { elements[column] = static_cast<Id>(kUnreached); });
        for (int chunk = 0; chunk < grid.shape().rows; ++chunk) {
            const int rank = partition.rank_at(chunk, grid.column_index());
            const std::size_t first_new = static_cast<std::size_t>(chunk) * numbers.slot_stride;
            parallel_for(partition.chunk_size(rank), kSerialBelow, [&](std::size_t i) {
                const std::uint32_t slot = numbers.slots_of_cols[static_cast<std::size_t>(chunk) * stride + i];
                if (slot != numbers.slot_stride)
                    elements[first_new + slot] = static_cast<Id>(partition.vertex(rank, static_cast<std::uint32_t>(i)));
            });
        }
    });
    return vertices;
}

}  // namespace wayfront
