#include "gpu/kron/kron_component.hpp"
#include "gpu/kron/kron_recursive.cuh"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::kron {

namespace {

__global__ void __launch_bounds__(TuplePass::kThreads)
    count_ends(const __grid_constant__ KronTuples tuples, std::uint32_t ranks, std::uint32_t rank, std::uint32_t* ends)
{
    tuples.for_each_pair([&](std::uint64_t, RecursivePair pair, bool in_range) {
        if (!in_range) return;
        const auto count = [&](std::uint32_t recursive) {
            const std::uint32_t vertex = kron_detail::scramble(tuples.generator.parameters, recursive);
            if (vertex % ranks == rank) atomicAdd(&ends[vertex / ranks], 1U);
        };
        count(pair.source);
        count(pair.target);
    });
}

__global__ void sum_reached(const std::int32_t* __restrict__ parents, const std::uint32_t* __restrict__ ends,
                            std::uint64_t count, unsigned long long* sum)
{
    unsigned long long own = 0;
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) own += parents[i] >= 0 ? ends[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) own += __shfl_down_sync(kAllLanes, own, offset);
    if (lane_id() == 0 && own != 0) atomicAdd(sum, own);
}

}  // namespace

struct KronComponent::Counts
{
    const Stream& stream;
    DeviceBuffer<std::uint32_t> ends;  // number of ends, by local number
    DeviceBuffer<unsigned long long> sum;
};

KronComponent::KronComponent(const KronParameters& parameters, EdgeCount tuples, int ranks, int rank,
                             const Stream& stream)
{
    const TuplePass pass(parameters, tuples, stream);
    const auto p = static_cast<std::uint64_t>(ranks);
    const auto r = static_cast<std::uint64_t>(rank);
    const std::uint64_t own = pass.vertices() > r ? (pass.vertices() - r + p - 1) / p : 0;
    counts_ =
        std::make_unique<Counts>(Counts{stream, DeviceBuffer<std::uint32_t>(own), DeviceBuffer<unsigned long long>(1)});
    fill_bytes_async(counts_->ends.span(), 0, stream);
    pass.launch(count_ends, stream, static_cast<std::uint32_t>(ranks), static_cast<std::uint32_t>(rank),
                counts_->ends.data());
    stream.synchronize();
}

KronComponent::~KronComponent() = default;

std::int64_t KronComponent::reached_ends(const std::int32_t* own_parents)
{
    const Stream& stream = counts_->stream;
    fill_bytes_async(counts_->sum.span(), 0, stream);
    launch(sum_reached, counts_->ends.size(), stream, own_parents,
           static_cast<const std::uint32_t*>(counts_->ends.data()), std::uint64_t{counts_->ends.size()},
           counts_->sum.data());
    return static_cast<std::int64_t>(fetch(counts_->sum.data(), stream));
}

}  // namespace wayfront::gpu::kron
