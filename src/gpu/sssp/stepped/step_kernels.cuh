// The kernels of the steps (kernels.hpp). They take long to compile: each file steps_*.cu compiles
// them for one type of distances.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch.cuh"
#include "gpu/sssp/long_lists.cuh"
#include "gpu/sssp/pull_rules.hpp"
#include "gpu/sssp/settle.cuh"
#include "gpu/sssp/single_vertices.cuh"
#include "gpu/sssp/slot_results.cuh"
#include "gpu/sssp/stepped/kernels.hpp"
#include "gpu/sssp/stepped/pieces.cuh"
#include "gpu/sssp/steps.cuh"

namespace wayfront::gpu::sssp {

template <typename Distance>
class Step : public SsspSteps<Distance, Reach::messages>
{
    using Steps = SsspSteps<Distance, Reach::messages>;
    using Steps::stores_;
    using Steps::view_;

public:
    using typename Steps::Source;

    __device__ explicit Step(const SsspView& view) : Steps(view, stores()) {}

    [[nodiscard]] __device__ Source source(const SsspSource& source) const
    {
        const bool is_own = source.local != SsspSource::kElsewhere;
        return this->source_at(is_own ? view_.graph.local_slots.slot_of(source.local) : LocalSlotsView::kNone);
    }

    /// Restores the sizes of this block's lists from the last pass. A barrier of the block must
    /// follow.
    __device__ void restore_pull_sizes() const
    {
        if (threadIdx.x == 0) static_cast<PullSizes&>(stores_.pull) = view_.messages.pull_sizes[blockIdx.x];
    }
    __device__ void save_pull_sizes() const
    {
        __syncthreads();
        if (threadIdx.x == 0) view_.messages.pull_sizes[blockIdx.x] = stores_.pull;
    }
    [[nodiscard]] __device__ Segment<std::uint32_t> improved() const { return improved_vertices(view_, stores_.pull); }

    /// Requests the bounds of other GPUs' vertices that may improve vertices which the first pass
    /// of pulls has left open. `limits` are those of the first pass: other GPUs may not yet
    /// know anything of vertices that the first pass has reached.
    __device__ void request_ends(const PullLimits& limits, const RequestedBounds& requested)
    {
        constexpr std::uint32_t next_pass = 1;
        const ColumnNumbers& columns = view_.graph.columns;
        Pull<Distance, Reach::messages> last(view_, stores_.pull, limits, next_pass, this->pulled_);
        last.for_arcs_of_open([&](const Arc& arc) {
            const std::uint32_t owner = columns.owner_of(arc.end);
            const std::uint32_t slot = columns.slot_of(arc.end);
            if (owner == columns.rank || (slot < requested.busy_slots && is_known(view_, arc.end))) return;
            std::uint32_t* const word = requested.bits.items(owner) + slot / 32;
            const std::uint32_t bit = 1U << slot % 32;
            if ((*word & bit) == 0) atomicOr(word, bit);
        });
    }

    /// Adds the counts of the block to the totals of the step. All threads of the block call, once,
    /// at the end of a kernel.
    template <typename Counts>
    __device__ void finish(const Counts& counts) const
    {
        add_to_total(counts.counts(), *view_.messages.totals);
        this->add_arcs();
    }

private:
    [[nodiscard]] static __device__ SsspStores<Reach::messages>& stores()
    {
        extern __shared__ __align__(16) unsigned char memory[];
        return *reinterpret_cast<SsspStores<Reach::messages>*>(memory);
    }
};

template <typename Distance>
__global__ void start_step(const __grid_constant__ SsspView view, SsspSource from)
{
    const Step<Distance> step(view);
    const typename Step<Distance>::Source source = step.source(from);
    if (!source.is_own) return;
    step.place_source(source);
    view.own.sizes->frontier[0] = 1;
    const SourceCounts counts{.least = source.least, .arcs = source.list.degree(), .sources = 1};
    *view.messages.totals = CountWords<SsspCounts>::of(counts.counts());
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    push_step(const __grid_constant__ SsspView view, PushProgress progress, bool widens)
{
    __shared__ std::uint32_t size, waiting_count;
    Step<Distance> step(view);
    if (threadIdx.x == 0) {
        size = view.own.sizes->frontier[(progress.round - 1) % 3];
        waiting_count = widens ? view.own.sizes->waiting[(progress.window - 1) % 3] : 0;
    }
    __syncthreads();
    step.finish(step.push(progress, size, waiting_count, Team::grid(), nullptr));
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1) nearest_of_large_step(const __grid_constant__ SsspView view)
{
    const Step<Distance> step(view);
    step.finish(step.nearest_of_large());
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    settle_step(const __grid_constant__ SsspView view, SsspSource from, std::uint32_t near_end)
{
    const Step<Distance> step(view);
    const std::uint32_t reached = step.read_once(view.own.sizes->reached);
    step.finish(step.settle_reached(reached, near_end, step.source(from)));
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    relax_near_step(const __grid_constant__ SsspView view, SsspSource from, bool near)
{
    Step<Distance> step(view);
    OfferCounts counts;
    const std::uint32_t count = near ? step.read_once(view.own.sizes->near) : 0;
    counts.takers = step.relax_single(view.own.frontiers[0], count, Team::grid(), false, 0);
    const typename Step<Distance>::Source source = step.source(from);
    if (source.is_own)
        counts.takers += step.offer({source.slot, 0}, source.list,
                                    {.first = static_cast<std::uint32_t>(first_index()),
                                     .end = source.list.degree(),
                                     .stride = static_cast<std::uint32_t>(index_stride())},
                                    0);
    step.finish(counts);
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    take_offers_step(const __grid_constant__ SsspView view, std::uint32_t round)
{
    Step<Distance>(view).take_offers(round);
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    pull_all_step(const __grid_constant__ SsspView view, SlotRange slots, PullLimits limits)
{
    Step<Distance> step(view);
    if (slots.first > 0) {
        step.restore_pull_sizes();
        __syncthreads();
    }
    step.finish(step.pull_all(slots, limits));
    step.save_pull_sizes();
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    request_step(const __grid_constant__ SsspView view, PullLimits limits, RequestedBounds requested)
{
    Step<Distance> step(view);
    step.restore_pull_sizes();
    __syncthreads();
    step.request_ends(limits, requested);
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    pull_again_step(const __grid_constant__ SsspView view, std::uint32_t settled, std::uint32_t pass)
{
    Step<Distance> step(view);
    step.restore_pull_sizes();
    __syncthreads();
    step.finish(step.pull_again(settled, pass));
    step.save_pull_sizes();
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1) improved_arcs_step(const __grid_constant__ SsspView view)
{
    Step<Distance> step(view);
    step.restore_pull_sizes();
    __syncthreads();
    step.finish(step.arcs_of_improved());
}

template <typename Distance>
__global__ void __launch_bounds__(kSsspThreads, 1)
    push_improved_step(const __grid_constant__ SsspView view, std::uint32_t round)
{
    Step<Distance> step(view);
    const bool takes = round > kFirstRoundOfImproved;
    OfferCounts counts;
    if (takes) {
        const std::uint32_t count = step.read_once(taker_count(view.own, round));
        counts.takers = step.relax_single(takers(view.own, round), count, Team::grid(), true, round);
    } else {
        step.restore_pull_sizes();
        __syncthreads();
        const Segment<std::uint32_t> improved = step.improved();
        counts.takers = step.relax_single(improved.items(), improved.count(), Team::block(), false, round);
    }
    step.finish(counts);
}

/// The shared memory of the steps that do not read the distances of hubs.
inline constexpr std::size_t kStoresBytes = sizeof(SsspStores<Reach::messages>);
// 2048 bytes are left for static variables.
static_assert(kStoresBytes + 2048 <= std::size_t{99} << 10);
static_assert(sizeof(PullStores) + sizeof(SingleVertices) <= kStoresBytes);

template <typename Distance>
SsspLaunch StepKernels<Distance>::plan()
{
    constexpr const char* name = "the search for shortest paths";
    // 163 KiB, as in the resident search over peers, less the room for static variables.
    constexpr std::size_t wanted = std::size_t{163} << 10;
    constexpr std::size_t for_static = 2048;
    SsspLaunch size;
    size.shared_bytes = std::min(wanted, shared_memory_per_block()) - for_static;
    size.hubs = static_cast<std::uint32_t>((size.shared_bytes - sizeof(PullStores)) / sizeof(std::uint32_t));
    size.blocks = static_cast<unsigned>(multiprocessors());
    allow_shared_memory(reinterpret_cast<const void*>(pull_all_step<Distance>), size.shared_bytes, name);
    for (const auto* kernel :
         {reinterpret_cast<const void*>(push_step<Distance>), reinterpret_cast<const void*>(relax_near_step<Distance>),
          reinterpret_cast<const void*>(request_step<Distance>),
          reinterpret_cast<const void*>(pull_again_step<Distance>),
          reinterpret_cast<const void*>(improved_arcs_step<Distance>),
          reinterpret_cast<const void*>(push_improved_step<Distance>)})
        allow_shared_memory(kernel, kStoresBytes, name);
    return size;
}

template <typename Distance>
std::uint32_t StepKernels<Distance>::end_of_window(const SsspView& view, std::uint32_t nearest)
{
    return window_end<Distance>(nearest, view.width, view.end);
}

/// Launches a step on `blocks` blocks.
template <typename Kernel, typename... Arguments>
void launch_step(Kernel kernel, unsigned blocks, std::size_t shared_bytes, const Stream& stream,
                 const Arguments&... arguments)
{
    kernel<<<blocks, kSsspThreads, shared_bytes, stream.get()>>>(arguments...);
    check_launch();
}

template <typename Distance>
void StepKernels<Distance>::start(const SsspView& view, const SsspSource& source, const Stream& stream)
{
    start_step<Distance><<<1, 1, 0, stream.get()>>>(view, source);
    check_launch();
}

template <typename Distance>
void StepKernels<Distance>::push(const SsspView& view, const PushProgress& progress, bool widens,
                                 const SsspLaunch& size, const Stream& stream)
{
    // A launch of few blocks starts sooner, and has enough warps for a small frontier.
    constexpr unsigned of_block = 64;
    const unsigned wanted = widens ? size.blocks : progress.size / view.graph.columns.ranks / of_block + 1;
    launch_step(push_step<Distance>, std::min(size.blocks, wanted), kStoresBytes, stream, view, progress, widens);
}

template <typename Distance>
void StepKernels<Distance>::find_nearest_of_large(const SsspView& view, const SsspLaunch& size, const Stream& stream)
{
    launch_step(nearest_of_large_step<Distance>, size.blocks, 0, stream, view);
}

template <typename Distance>
void StepKernels<Distance>::settle(const SsspView& view, const SsspSource& source, std::uint32_t near_end,
                                   const SsspLaunch& size, const Stream& stream)
{
    launch_step(settle_step<Distance>, size.blocks, 0, stream, view, source, near_end);
}

template <typename Distance>
void StepKernels<Distance>::relax_near(const SsspView& view, const SsspSource& source, bool near,
                                       const SsspLaunch& size, const Stream& stream)
{
    launch_step(relax_near_step<Distance>, size.blocks, kStoresBytes, stream, view, source, near);
}

template <typename Distance>
void StepKernels<Distance>::take_offers(const SsspView& view, std::uint32_t round, const SsspLaunch& size,
                                        const Stream& stream)
{
    launch_step(take_offers_step<Distance>, size.blocks, 0, stream, view, round);
}

template <typename Distance>
void StepKernels<Distance>::pull_all(const SsspView& view, const SlotRange& slots, const PullLimits& limits,
                                     const SsspLaunch& size, const Stream& stream)
{
    launch_step(pull_all_step<Distance>, size.blocks, size.shared_bytes, stream, view, slots, limits);
}

template <typename Distance>
void StepKernels<Distance>::request_ends(const SsspView& view, const PullLimits& limits,
                                         const RequestedBounds& requested, const SsspLaunch& size, const Stream& stream)
{
    launch_step(request_step<Distance>, size.blocks, kStoresBytes, stream, view, limits, requested);
}

template <typename Distance>
void StepKernels<Distance>::pull_again(const SsspView& view, std::uint32_t settled, std::uint32_t pass,
                                       const SsspLaunch& size, const Stream& stream)
{
    launch_step(pull_again_step<Distance>, size.blocks, kStoresBytes, stream, view, settled, pass);
}

template <typename Distance>
void StepKernels<Distance>::count_arcs_of_improved(const SsspView& view, const SsspLaunch& size, const Stream& stream)
{
    launch_step(improved_arcs_step<Distance>, size.blocks, kStoresBytes, stream, view);
}

template <typename Distance>
void StepKernels<Distance>::push_improved(const SsspView& view, std::uint32_t round, const SsspLaunch& size,
                                          const Stream& stream)
{
    launch_step(push_improved_step<Distance>, size.blocks, kStoresBytes, stream, view, round);
}

template <typename Distance>
void StepKernels<Distance>::write_results(const SsspView& view, const SsspSource& source, const Stream& stream)
{
    launch_write_results<Distance, Reach::messages>(view, source, stream);
}

}  // namespace wayfront::gpu::sssp
