#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/system/cuda/execution_policy.h>

#include "gpu/graph/list_sort.hpp"
#include "gpu/runtime/scratch.hpp"

namespace wayfront::gpu {

namespace {

/// Returns the beginning of a list, counted from a range's first column.
struct ListBegin
{
    const std::uint64_t* offsets;
    std::uint64_t first_column;

    [[nodiscard]] __host__ __device__ std::int32_t operator()(std::uint64_t list) const
    {
        return static_cast<std::int32_t>(offsets[list] - first_column);
    }
};

/// Returns the end of a list. For a long list, it returns the list's begin, so that the segmented
/// sort skips the list.
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

/// The columns of a long list.
struct ColumnRange
{
    std::uint64_t first;
    std::uint64_t last;  // one past the end
};

struct ColumnsOfList
{
    const std::uint64_t* offsets;

    [[nodiscard]] __host__ __device__ ColumnRange operator()(std::uint64_t list) const
    {
        return {offsets[list], offsets[list + 1]};
    }
};

struct IsLong
{
    std::uint64_t long_list;

    [[nodiscard]] __host__ __device__ bool operator()(const ColumnRange& list) const
    {
        return list.last - list.first >= long_list;
    }
};

std::vector<ColumnRange> long_lists(const DeviceBuffer<std::uint64_t>& offsets, std::uint64_t columns,
                                    std::uint64_t long_list, const Stream& stream)
{
    DeviceBuffer<ColumnRange> found(columns / long_list);
    const auto lists =
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), ColumnsOfList{offsets.data()});
    ThrustMemory memory;
    const ColumnRange* const end = with_cuda_errors([&] {
        return thrust::copy_if(thrust::cuda::par(memory).on(stream.get()), lists, lists + (offsets.size() - 1),
                               found.data(), IsLong{long_list});
    });
    std::vector<ColumnRange> host(static_cast<std::size_t>(end - found.data()));
    copy_async(std::span<const ColumnRange>(found.span().first(host.size())), std::span(host), stream);
    stream.synchronize();
    return host;
}

struct Multiple
{
    std::uint64_t of;

    [[nodiscard]] __host__ __device__ std::uint64_t operator()(std::uint64_t i) const { return i * of; }
};

/// Returns cuts: cuts[i] is the first list that begins at column i * range_columns or after it.
std::vector<std::uint64_t> cuts_of(const DeviceBuffer<std::uint64_t>& offsets, std::uint64_t columns,
                                   std::uint64_t range_columns, const Stream& stream)
{
    const std::uint64_t ranges = (columns + range_columns - 1) / range_columns;
    DeviceBuffer<std::uint64_t> device_cuts(ranges + 1);
    const auto begins =
        thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), Multiple{range_columns});
    ThrustMemory memory;
    with_cuda_errors([&] {
        return thrust::lower_bound(thrust::cuda::par(memory).on(stream.get()), offsets.data(),
                                   offsets.data() + (offsets.size() - 1), begins, begins + (ranges + 1),
                                   device_cuts.data());
    });
    std::vector<std::uint64_t> cuts(ranges + 1);
    copy_async(std::span<const std::uint64_t>(device_cuts.span()), std::span(cuts), stream);
    stream.synchronize();
    return cuts;
}

}  // namespace

DeviceBuffer<std::uint32_t> sort_lists(DeviceBuffer<std::uint32_t> columns, const DeviceBuffer<std::uint64_t>& offsets,
                                       const Stream& stream, ListSortLimits limits)
{
    DeviceBuffer<std::uint32_t> other(columns.size());
    DeviceBuffer<std::byte> scratch;
    // The index of the buffer, of the two, that contains the sorted lists. It is the same after
    // each segmented sort.
    std::optional<int> first_sorted;

    // The last short list of a range may end after the range, by less than the length of a long
    // list.
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
        if (first_sorted.value_or(keys.selector) != keys.selector)
            throw std::logic_error("a segmented sort left its lists in the other buffer");
        first_sorted = keys.selector;
    }
    const int sorted = first_sorted.value_or(0);

    for (const ColumnRange& list : long_lists(offsets, columns.size(), limits.long_list, stream)) {
        const std::size_t length = list.last - list.first;
        cub::DoubleBuffer<std::uint32_t> keys(columns.data() + list.first, other.data() + list.first);
        run_with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, static_cast<std::int64_t>(length), 0, 32,
                                                  stream.get());
        });
        if (keys.selector != sorted)
            copy_async(std::span<const std::uint32_t>(keys.Current(), length), std::span(keys.Alternate(), length),
                       stream);
    }
    stream.synchronize();
    return sorted == 0 ? std::move(columns) : std::move(other);
}

}  // namespace wayfront::gpu
