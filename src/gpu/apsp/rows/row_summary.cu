#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <cub/block/block_reduce.cuh>

#include "gpu/apsp/rows/row_summary.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::apsp {

namespace {

constexpr int kThreads = 256;
constexpr std::uint32_t kBins = algo::DistanceHistogram::kBins;

template <typename T>
__device__ bool reached(T distance)
{
    return distance != unreached<T>();
}

/// Calls f(distance) for the thread's part of the block's row: the distances of reached vertices
/// other than the source.
template <typename T, typename F>
__device__ void for_each_distance(const RowsView& view, F&& f)
{
    const std::uint32_t source = view.sources[blockIdx.x];
    const T* const row = reinterpret_cast<const T*>(view.rows) + (view.in_place ? source : blockIdx.x) * view.stride;
    for (std::uint32_t v = threadIdx.x; v < view.vertices; v += kThreads) {
        const T distance = __ldcs(row + v);
        if (v != source && reached(distance)) f(distance);
    }
}

struct Smaller
{
    __device__ double operator()(double a, double b) const { return a < b ? a : b; }
};
struct Larger
{
    __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};

/// Computes the figures of a row in each block. Sums of whole numbers below 2^53 are exact in any
/// order.
template <typename T>
__global__ void __launch_bounds__(kThreads) find_facts(RowsView view, DeviceRowFacts* facts)
{
    using Reduce = cub::BlockReduce<double, kThreads>;
    using Count = cub::BlockReduce<unsigned long long, kThreads>;
    __shared__ union {
        typename Reduce::TempStorage values;
        typename Count::TempStorage counts;
    } shared;
    double sum = 0;
    double most = -INFINITY;
    double least = INFINITY;
    unsigned long long count = 0;
    for_each_distance<T>(view, [&](T distance) {
        const auto value = static_cast<double>(distance);
        sum += value;
        most = value > most ? value : most;
        least = value < least ? value : least;
        ++count;
    });
    sum = Reduce(shared.values).Sum(sum);
    __syncthreads();
    most = Reduce(shared.values).Reduce(most, Larger{});
    __syncthreads();
    least = Reduce(shared.values).Reduce(least, Smaller{});
    __syncthreads();
    count = Count(shared.counts).Sum(count);
    if (threadIdx.x == 0) facts[blockIdx.x] = {sum, most, least, count};
}

/// If the sum of a row exceeds the range of float64, replaces it by the sum of the distances times
/// `scale`. One block for each row.
__global__ void __launch_bounds__(kThreads) scale_sums(RowsView view, double scale, DeviceRowFacts* facts)
{
    using Reduce = cub::BlockReduce<double, kThreads>;
    __shared__ typename Reduce::TempStorage shared;
    if (isfinite(facts[blockIdx.x].sum)) return;
    double sum = 0;
    for_each_distance<double>(view, [&](double distance) { sum += distance * scale; });
    // The reduction has a barrier, before which all threads have read the row's sum.
    sum = Reduce(shared).Sum(sum);
    if (threadIdx.x == 0) facts[blockIdx.x].sum = sum;
}

/// Adds the distances of a row to the bins, whose width is 1 / `scale`. One block for each row.
template <typename T>
__global__ void __launch_bounds__(kThreads) count_bins(RowsView view, double scale, unsigned long long* bins)
{
    __shared__ unsigned int own[2 * kBins];
    for (std::uint32_t bin = threadIdx.x; bin < 2 * kBins; bin += kThreads) own[bin] = 0;
    __syncthreads();
    for_each_distance<T>(view, [&](T distance) {
        const int bin = static_cast<int>(floor(static_cast<double>(distance) * scale));
        atomicAdd(own + (bin >= 0 ? bin : static_cast<int>(kBins) - 1 - bin), 1U);
    });
    __syncthreads();
    for (std::uint32_t bin = threadIdx.x; bin < 2 * kBins; bin += kThreads)
        if (own[bin] > 0) atomicAdd(bins + bin, static_cast<unsigned long long>(own[bin]));
}

}  // namespace

RowSummariser::RowSummariser(const RowSummaryPlan& plan)
    : facts_(plan.facts), host_facts_(plan.facts), bins_(plan.bins), host_bins_(plan.bins)
{
}

void RowSummariser::add(const RowsView& rows, algo::DistanceType type, std::size_t first, algo::Summary& summary,
                        const Stream& stream)
{
    const std::span<DeviceRowFacts> facts = host_facts_.span().first(rows.count);
    algo::with_distance_type(type, [&]<typename T>(T) {
        find_facts<T><<<rows.count, kThreads, 0, stream.get()>>>(rows, facts_.data());
        check_launch();
    });
    copy_async(std::span<const DeviceRowFacts>(facts_.span().first(rows.count)), facts, stream);
    stream.synchronize();
    std::vector<std::int64_t> exponents(facts.size(), 0);
    std::ranges::transform(facts, exponents.begin(),
                           [](const DeviceRowFacts& row) { return std::isfinite(row.sum) ? 0 : algo::kSumExponent; });
    if (type == algo::DistanceType::float64 &&
        std::ranges::any_of(exponents, [](std::int64_t exponent) { return exponent != 0; })) {
        scale_sums<<<rows.count, kThreads, 0, stream.get()>>>(rows, std::ldexp(1.0, -algo::kSumExponent),
                                                              facts_.data());
        check_launch();
        copy_async(std::span<const DeviceRowFacts>(facts_.span().first(rows.count)), facts, stream);
        stream.synchronize();
    }

    double magnitude = 0;
    bool any = false;
    for (std::size_t i = 0; i < facts.size(); ++i) {
        if (facts[i].reached == 0) {
            summary.set_row(first + i, {});
            continue;
        }
        summary.set_row(first + i, {facts[i].reached, facts[i].most, facts[i].sum, exponents[i]});
        magnitude = std::fmax(magnitude, std::fmax(std::abs(facts[i].most), std::abs(facts[i].least)));
        any = true;
    }
    if (!any) return;

    algo::DistanceHistogram histogram(summary.whole());
    histogram.cover(magnitude);
    const int exponent = histogram.exponent();
    fill_bytes_async(bins_.span(), 0, stream);
    algo::with_distance_type(type, [&]<typename T>(T) {
        const double scale = exponent == algo::DistanceHistogram::kNoExponent ? 0 : std::ldexp(1.0, -exponent);
        count_bins<T><<<rows.count, kThreads, 0, stream.get()>>>(rows, scale, bins_.data());
        check_launch();
    });
    copy_async(std::span<const unsigned long long>(bins_.span()), host_bins_.span(), stream);
    stream.synchronize();
    const std::span<const unsigned long long> bins = host_bins_.span();
    histogram.restore(exponent, {bins.begin(), bins.begin() + kBins}, {bins.begin() + kBins, bins.end()});
    summary.histogram().merge(histogram);
}

}  // namespace wayfront::gpu::apsp
