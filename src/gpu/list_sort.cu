#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "gpu/launch.hpp"
#include "gpu/list_sort.hpp"
#include "gpu/scratch.hpp"

namespace wayfront::gpu {

namespace {

/// Where a list begins, counted from a range's first column.
struct ListBegin
{
    const std::uint64_t* offsets;
    std::uint64_t first_column;

    [[nodiscard]] __host__ __device__ std::int32_t operator()(std::uint64_t list) const
    {
        return static_cast<std::int32_t>(offsets[list] - first_column);
    }
};

/// Where it ends; a long one where it begins, so that the segmented sort passes over it.
struct ShortListEnd
{
    ListBegin begin;
    std::uint64_t long_list;

    [[nodiscard]] __host__ __device__ std::int32_t operator()(std::uint64_t list) const
    {
        const std::uint64_t length = begin.offsets[list + 1] - begin.offsets[list];
        return begin(list) + static_cast<std::int32_t>(length < long_list ? length : 0);
    }
};

/// A long list.
struct ColumnRange
{
    std::uint64_t first;
    std::uint64_t last;  // past it
};

/// Appends the long lists to `found`, in any order.
__global__ void find_long_lists(const std::uint64_t* offsets, std::uint64_t lists, std::uint64_t long_list, ColumnRange* found,
                                unsigned long long* count)
{
    for (std::uint64_t i = first_index(); i < lists; i += index_stride())
        if (offsets[i + 1] - offsets[i] >= long_list) found[atomicAdd(count, 1ULL)] = {offsets[i], offsets[i + 1]};
}

/// cuts[i] for i = 0 .. ranges: the first list that begins at column i * range_columns or after it.
__global__ void cut_lists(const std::uint64_t* offsets, std::uint64_t lists, std::uint64_t range_columns, std::uint64_t ranges, std::uint64_t* cuts)
{
    for (std::uint64_t i = first_index(); i <= ranges; i += index_stride()) {
        std::uint64_t low = 0;
        std::uint64_t high = lists;
        while (low < high) {
            const std::uint64_t middle = (low + high) / 2;
            if (offsets[middle] < i * range_columns)
                low = middle + 1;
            else
                high = middle;
        }
        cuts[i] = low;
    }
}

std::vector<ColumnRange> long_lists(const DeviceBuffer<std::uint64_t>& offsets, std::uint64_t columns, std::uint64_t long_list, const Stream& stream)
{
    DeviceBuffer<ColumnRange> found(columns / long_list);
    DeviceBuffer<unsigned long long> device_count(1);
    fill_bytes_async(device_count.span(), 0, stream);
    launch(find_long_lists, offsets.size() - 1, stream, offsets.data(), std::uint64_t{offsets.size() - 1}, long_list, found.data(),
           device_count.data());
    unsigned long long count = 0;
    copy_async(std::span<const unsigned long long>(device_count.span()), std::span(&count, 1), stream);
    stream.synchronize();
    std::vector<ColumnRange> lists(count);
    copy_async(std::span<const ColumnRange>(found.span().first(lists.size())), std::span(lists), stream);
    stream.synchronize();
    return lists;
}

std::vector<std::uint64_t> cuts_of(const DeviceBuffer<std::uint64_t>& offsets, std::uint64_t columns, std::uint64_t range_columns,
                                   const Stream& stream)
{
    const std::uint64_t ranges = (columns + range_columns - 1) / range_columns;
    DeviceBuffer<std::uint64_t> device_cuts(ranges + 1);
    launch(cut_lists, ranges + 1, stream, offsets.data(), std::uint64_t{offsets.size() - 1}, range_columns, ranges, device_cuts.data());
    std::vector<std::uint64_t> cuts(ranges + 1);
    copy_async(std::span<const std::uint64_t>(device_cuts.span()), std::span(cuts), stream);
    stream.synchronize();
    return cuts;
}

}  // namespace

DeviceBuffer<std::uint32_t> sort_lists(DeviceBuffer<std::uint32_t> columns, const DeviceBuffer<std::uint64_t>& offsets, const Stream& stream,
                                       ListSortLimits limits)
{
    DeviceBuffer<std::uint32_t> other(columns.size());
    DeviceBuffer<std::byte> scratch;
    std::optional<int> first_sorted;  // which of the two buffers has the sorted lists: the same after each segmented sort

    // The last short list of a range may end behind it, by less than a long one's columns.
    const std::uint64_t range_columns = limits.most_at_once - limits.long_list;
    const std::vector<std::uint64_t> cuts = cuts_of(offsets, columns.size(), range_columns, stream);
    for (std::size_t range = 0; range + 1 < cuts.size(); ++range) {
        if (cuts[range] == cuts[range + 1]) continue;
        const std::uint64_t first = range * range_columns;
        const ListBegin begin{offsets.data(), first};
        const thrust::counting_iterator<std::uint64_t> lists(cuts[range]);
        cub::DoubleBuffer<std::uint32_t> keys(columns.data() + first, other.data() + first);
        run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
            return cub::DeviceSegmentedSort::SortKeys(
                memory, bytes, keys, static_cast<std::int32_t>(std::min(columns.size() - first, limits.most_at_once)),
                static_cast<std::int32_t>(cuts[range + 1] - cuts[range]), thrust::make_transform_iterator(lists, begin),
                thrust::make_transform_iterator(lists, ShortListEnd{begin, limits.long_list}), stream.get());
        });
        if (first_sorted.value_or(keys.selector) != keys.selector) throw std::logic_error("a segmented sort left its lists in the other buffer");
        first_sorted = keys.selector;
    }
    const int sorted = first_sorted.value_or(0);

    for (const ColumnRange& list : long_lists(offsets, columns.size(), limits.long_list, stream)) {
        const std::size_t length = list.last - list.first;
        cub::DoubleBuffer<std::uint32_t> keys(columns.data() + list.first, other.data() + list.first);
        run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, static_cast<std::int64_t>(length), 0, 32, stream.get());
        });
        if (keys.selector != sorted) copy_async(std::span<const std::uint32_t>(keys.Current(), length), std::span(keys.Alternate(), length), stream);
    }
    stream.synchronize();
    return sorted == 0 ? std::move(columns) : std::move(other);
}

}  // namespace wayfront::gpu
