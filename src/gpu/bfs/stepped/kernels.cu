#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/claim.cuh"
#include "gpu/bfs/frontier.cuh"
#include "gpu/bfs/shared_memory.hpp"
#include "gpu/bfs/stepped/kernels.hpp"
#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

namespace {

constexpr int kFollowThreads = 256;
constexpr int kPlaceThreads = 256;
constexpr int kPieceThreads = 1024;
constexpr std::uint32_t kPlaceTile = kPlaceThreads * 16;  // requests that a block places at a time

__global__ void start_search(const __grid_constant__ SteppedView view, std::uint32_t local, std::uint32_t vertex)
{
    const std::uint32_t slot = view.graph.local_slots.slot_of(local);
    // If the key has no edges, launch_write_results() writes its result.
    if (slot == LocalSlotsView::kNone) return;
    LevelCounts counts;
    visit_key(view, slot, vertex, counts);
    view.counts->level = CountWords<LevelCounts>::of(counts);
}

__global__ void __launch_bounds__(kSearchThreads, 1) bottom_up_step(const __grid_constant__ SteppedView view, int from,
                                                                    int to, std::int32_t level, BottomUpVariant variant)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    const LevelCounts counts = bottom_up_level(view, {.from = from, .to = to, .level = level}, variant, shared);
    add_to_total(counts, view.counts->level);
}

__global__ void __launch_bounds__(kSearchThreads, 1)
    publish_step(const __grid_constant__ SteppedView view, FrontierLocation at, int to)
{
    publish_frontier(view, {at, nullptr}, to);
}

__global__ void __launch_bounds__(kSearchThreads, 1) survey_step(const __grid_constant__ SteppedView view)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    add_to_total(survey_frontier(view, {FrontierLocation::newly_visited, nullptr}, kNoBitmap, shared),
                 view.counts->level);
}

__global__ void __launch_bounds__(kSearchThreads, 1)
    queue_frontier_step(const __grid_constant__ SteppedView view, std::uint64_t most_edges)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    if (view.counts->level.counts().out_edges > most_edges) return;
    const FrontierWords frontier{FrontierLocation::own_frontier, nullptr};
    const ItemQueue queue{.items = view.queue, .size = &view.counts->queue_items, .sizes = ItemSizes::one};
    make_items(view, frontier, 0, queue, shared);
}

__global__ void __launch_bounds__(kSearchThreads, 1)
    make_items_step(const __grid_constant__ SteppedView view, FrontierLocation at, const std::uint32_t* columns,
                    std::uint32_t first_word, ItemSizes sizes)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    const FrontierWords frontier{at, columns};
    const ItemQueue queue{.items = view.queue, .size = &view.counts->queue_items, .sizes = sizes};
    add_to_total(make_items(view, frontier, first_word, queue, shared), view.counts->level);
}

/// Claims for neighbours of `vertex`, a number of the input. Own vertices are visited at once. A
/// vertex of another rank is requested only if its bit in `seen` is not set; the claim sets the
/// bit.
struct SteppedClaims
{
    const SteppedView& view;
    std::uint32_t* seen;  // bitmap of all columns
    std::uint32_t vertex;
    std::int32_t level;
    const RequestList& list;

    [[nodiscard]] __device__ bool is_own(std::uint32_t column) const
    {
        return view.graph.owner_of(column) == view.graph.rank;
    }
    [[nodiscard]] __device__ std::uint32_t* word(std::uint32_t column) const
    {
        return is_own(column) ? &view.own.visited[view.graph.slot_of(column) / 32] : &seen[column / 32];
    }

    /// The owners confirm the claims of their vertices when they receive the requests.
    template <int Count>
    __device__ void confirm(const std::uint32_t (&)[Count], std::uint32_t (&)[Count]) const
    {
    }

    /// Stores own vertices, and appends requests for other vertices. Only own vertices count as found.
    template <int Count>
    __device__ std::uint32_t store(const std::uint32_t (&columns)[Count], const bool (&first)[Count]) const
    {
        std::uint32_t found = 0;
        std::uint32_t requested = 0;
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            if (!first[e]) continue;
            if (is_own(columns[e])) {
                store_visit(view, view.own, view.graph.slot_of(columns[e]), vertex, level);
                ++found;
            } else {
                ++requested;
            }
        }
        std::uint32_t of_warp = 0;
        const std::uint32_t before = warp_prefix(requested, of_warp);
        if (of_warp == 0) return found;
        unsigned long long place = 0;
        if (lane_id() == 0) place = atomicAdd(list.count, static_cast<unsigned long long>(of_warp));
        place = __shfl_sync(kAllLanes, place, 0) + before;
#pragma unroll
        for (int e = 0; e < Count; ++e)
            if (first[e] && !is_own(columns[e])) list.requests[place++] = {columns[e], vertex};
        return found;
    }
};

__global__ void __launch_bounds__(kFollowThreads)
    follow_step(const __grid_constant__ SteppedView view, ItemRange items, std::uint32_t* seen, std::int32_t level,
                RequestList requests)
{
    LevelCounts counts;
    for_each_item(view.graph, view.queue, items, OwnColumns{view.graph},
                  [&](const std::uint32_t(&columns)[kItemEdges / 32], std::uint32_t vertex) {
                      SteppedClaims claims{view, seen, vertex, level, requests};
                      counts.vertices += claim(view, claims, columns);
                  });
    add_to_total(counts, view.counts->level);
}

__global__ void count_round(const __grid_constant__ DeviceGraphView graph, RequestList found,
                            unsigned long long* counts)
{
    extern __shared__ std::uint32_t of_rank[];  // number of the block's requests for each rank
    for (std::uint32_t r = threadIdx.x; r < graph.ranks; r += blockDim.x) of_rank[r] = 0;
    __syncthreads();
    for (std::uint64_t i = first_index(); i < *found.count; i += index_stride())
        atomicAdd(&of_rank[graph.owner_of(found.requests[i].target)], 1U);
    __syncthreads();
    for (std::uint32_t r = threadIdx.x; r < graph.ranks; r += blockDim.x)
        if (of_rank[r] != 0) atomicAdd(&counts[r], static_cast<unsigned long long>(of_rank[r]));
}

/// The shared memory of a block that places requests for this number of ranks, in bytes.
std::size_t place_bytes(std::uint32_t ranks)
{
    return ranks * (sizeof(unsigned long long) + sizeof(std::uint32_t));
}

__global__ void place_round(const __grid_constant__ DeviceGraphView graph, const VisitRequest* requests,
                            std::uint64_t count, unsigned long long* next, VisitRequest* placed)
{
    // The place of the block's requests for each rank.
    extern __shared__ unsigned long long place_of_rank[];
    auto* const of_rank = reinterpret_cast<std::uint32_t*>(place_of_rank + graph.ranks);
    const auto reset = [&] {
        __syncthreads();
        for (std::uint32_t r = threadIdx.x; r < graph.ranks; r += blockDim.x) of_rank[r] = 0;
        __syncthreads();
    };
    for (std::uint64_t first = std::uint64_t{blockIdx.x} * kPlaceTile; first < count;
         first += std::uint64_t{gridDim.x} * kPlaceTile) {
        const std::uint64_t last = first + kPlaceTile < count ? first + kPlaceTile : count;
        reset();
        for (std::uint64_t i = first + threadIdx.x; i < last; i += blockDim.x)
            atomicAdd(&of_rank[graph.owner_of(requests[i].target)], 1U);
        __syncthreads();
        for (std::uint32_t r = threadIdx.x; r < graph.ranks; r += blockDim.x)
            if (of_rank[r] != 0) place_of_rank[r] = atomicAdd(&next[r], static_cast<unsigned long long>(of_rank[r]));
        reset();
        for (std::uint64_t i = first + threadIdx.x; i < last; i += blockDim.x) {
            const VisitRequest request = requests[i];
            const std::uint32_t owner = graph.owner_of(request.target);
            placed[place_of_rank[owner] + atomicAdd(&of_rank[owner], 1U)] = {graph.slot_of(request.target),
                                                                             request.vertex};
        }
    }
}

/// Visits the vertex of a request. Returns whether it was unvisited.
__device__ bool answer(const SteppedView& view, VisitRequest request, std::int32_t level)
{
    const std::uint32_t bit = 1U << (request.target % 32);
    std::uint32_t* const word = &view.own.visited[request.target / 32];
    if ((*word & bit) != 0 || (atomicOr(word, bit) & bit) != 0) return false;
    store_visit(view, view.own, request.target, request.vertex, level);
    return true;
}

__global__ void answer_round(const __grid_constant__ SteppedView view, const VisitRequest* requests,
                             std::uint64_t count, std::int32_t level)
{
    LevelCounts counts;
    for (std::uint64_t i = first_index(); i < count; i += index_stride())
        counts.vertices += answer(view, requests[i], level) ? 1 : 0;
    add_to_total(counts, view.counts->level);
}

/// Runs on one block. The pieces may be in the host's memory, where atomic operations take long.
__global__ void fill_round_pieces(const __grid_constant__ DeviceGraphView graph, RequestList found,
                                  RequestPieces pieces)
{
    extern __shared__ std::uint32_t of_rank[];  // number of requests for each rank
    for (std::uint32_t r = threadIdx.x; r < graph.ranks; r += blockDim.x) of_rank[r] = 0;
    __syncthreads();
    for (std::uint64_t i = threadIdx.x; i < *found.count; i += blockDim.x) {
        const VisitRequest request = found.requests[i];
        const std::uint32_t owner = graph.owner_of(request.target);
        pieces.of_rank(owner)[1 + atomicAdd(&of_rank[owner], 1U)] = {graph.slot_of(request.target), request.vertex};
    }
    __syncthreads();
    for (std::uint32_t r = threadIdx.x; r < graph.ranks; r += blockDim.x) *pieces.of_rank(r) = {of_rank[r], 0};
}

/// A block answers a piece.
__global__ void answer_round_pieces(const __grid_constant__ SteppedView view, RequestPieces pieces, std::int32_t level)
{
    if (blockIdx.x == view.graph.rank) return;
    const VisitRequest* const piece = pieces.of_rank(blockIdx.x);
    const std::uint32_t count = piece->target;
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) answer(view, piece[1 + i], level);
}

__global__ void pack_part(const __grid_constant__ DeviceGraphView graph, const std::uint32_t* columns,
                          std::uint32_t* own_part)
{
    for (std::uint64_t w = first_index(); w < graph.slot_stride / 32; w += index_stride())
        own_part[w] = columns[graph.column(graph.rank, static_cast<std::uint32_t>(w) * 32) / 32];
}

__global__ void unpack_parts(const __grid_constant__ DeviceGraphView graph, const std::uint32_t* parts,
                             std::uint32_t* columns)
{
    const std::uint32_t words = graph.slot_stride / 32;
    for (std::uint64_t i = first_index(); i < std::uint64_t{graph.ranks} * words; i += index_stride()) {
        const auto rank = static_cast<std::uint32_t>(i / words);
        if (rank != graph.rank) columns[graph.column(rank, static_cast<std::uint32_t>(i % words) * 32) / 32] = parts[i];
    }
}

__global__ void list_part(const __grid_constant__ DeviceGraphView graph, const std::uint32_t* columns,
                          std::uint32_t* list, unsigned long long* count)
{
    static_assert(kTileSlots % (32 * 32) == 0, "whole warps have a word for each lane, or none");
    for (std::uint64_t w = first_index(); w < graph.slot_stride / 32; w += index_stride()) {
        const auto first = static_cast<std::uint32_t>(w) * 32;
        const std::uint32_t word = columns[graph.column(graph.rank, first) / 32];
        std::uint32_t of_warp = 0;
        const std::uint32_t before = warp_prefix(static_cast<std::uint32_t>(__popc(word)), of_warp);
        if (of_warp == 0) continue;
        unsigned long long place = 0;
        if (lane_id() == 0) place = atomicAdd(count, static_cast<unsigned long long>(of_warp));
        place = __shfl_sync(kAllLanes, place, 0) + before;
        for (std::uint32_t rest = word; rest != 0; rest &= rest - 1)
            list[place++] = first + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
    }
}

/// Clears the parts of the other ranks in a bitmap of all columns.
__global__ void clear_parts(const __grid_constant__ DeviceGraphView graph, std::uint32_t* columns)
{
    for (std::uint64_t w = first_index(); w < graph.cols() / 32; w += index_stride())
        if (graph.owner_of(static_cast<std::uint32_t>(w * 32)) != graph.rank) columns[w] = 0;
}

__global__ void mark_listed_slots(const __grid_constant__ DeviceGraphView graph, const std::uint32_t* lists,
                                  std::uint64_t size, std::uint32_t* columns)
{
    for (std::uint64_t i = first_index(); i < graph.ranks * size; i += index_stride()) {
        const auto rank = static_cast<std::uint32_t>(i / size);
        if (rank == graph.rank || lists[i] == ~0U) continue;
        const std::uint32_t column = graph.column(rank, lists[i]);
        atomicOr(&columns[column / 32], 1U << (column % 32));
    }
}

__global__ void finish_search(const __grid_constant__ SteppedView view)
{
    mark_unreached(view);
}

}  // namespace

SteppedKernels::SteppedKernels(SteppedView& view, std::uint32_t most_hubs, const Stream& stream)
    : view_(view), stream_(stream)
{
    set_shared_memory(view, most_hubs);
    shared_bytes_ = view.shared_bytes;
    for (const auto* kernel :
         {reinterpret_cast<const void*>(bottom_up_step), reinterpret_cast<const void*>(survey_step),
          reinterpret_cast<const void*>(queue_frontier_step), reinterpret_cast<const void*>(make_items_step)})
        allow_shared_memory(kernel, shared_bytes_, "the stepped search");
    allow_shared_memory(reinterpret_cast<const void*>(place_round), place_bytes(view.graph.ranks),
                        "the stepped search");
    int device = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&blocks_, cudaDevAttrMultiProcessorCount, device));
}

template <typename Kernel, typename... Arguments>
void SteppedKernels::launch_sized(Kernel kernel, Arguments... arguments) const
{
    kernel<<<static_cast<unsigned>(blocks_), kSearchThreads, shared_bytes_, stream_.get()>>>(view_, arguments...);
    check_launch();
}

void SteppedKernels::start(std::uint32_t local, std::uint32_t vertex) const
{
    start_search<<<1, 1, 0, stream_.get()>>>(view_, local, vertex);
    check_launch();
}

void SteppedKernels::bottom_up(int from, int to, std::int32_t level, BottomUpVariant variant) const
{
    launch_sized(bottom_up_step, from, to, level, variant);
}

void SteppedKernels::publish(FrontierLocation at, int to) const
{
    publish_step<<<static_cast<unsigned>(blocks_), kSearchThreads, 0, stream_.get()>>>(view_, at, to);
    check_launch();
}

void SteppedKernels::survey() const
{
    launch_sized(survey_step);
}

void SteppedKernels::queue_own_frontier(std::uint64_t most_edges) const
{
    launch_sized(queue_frontier_step, most_edges);
}

void SteppedKernels::make_items(FrontierLocation at, const std::uint32_t* columns, bool tail, ItemSizes sizes) const
{
    launch_sized(make_items_step, at, columns, tail ? view_.tail_slot / 32 : 0U, sizes);
}

void SteppedKernels::follow_items(const ItemRange& items, std::uint32_t* seen, std::int32_t level,
                                  RequestList found) const
{
    if (items.first >= items.last) return;
    follow_step<<<blocks_for(items.last - items.first, kFollowThreads / 32), kFollowThreads, 0, stream_.get()>>>(
        view_, items, seen, level, found);
    check_launch();
}

void SteppedKernels::count_requests(RequestList found, unsigned long long* counts) const
{
    // The launch has a fixed size, since only the device knows the number of requests.
    constexpr unsigned blocks = 2 * kMultiprocessors;
    count_round<<<blocks, kPlaceThreads, view_.graph.ranks * sizeof(std::uint32_t), stream_.get()>>>(view_.graph, found,
                                                                                                     counts);
    check_launch();
}

void SteppedKernels::place_requests(const VisitRequest* requests, std::uint64_t count, unsigned long long* next,
                                    VisitRequest* placed) const
{
    if (count == 0) return;
    place_round<<<blocks_for(count, kPlaceTile), kPlaceThreads, place_bytes(view_.graph.ranks), stream_.get()>>>(
        view_.graph, requests, count, next, placed);
    check_launch();
}

void SteppedKernels::answer_requests(const VisitRequest* requests, std::uint64_t count, std::int32_t level) const
{
    launch(answer_round, count, stream_, view_, requests, count, level);
}

void SteppedKernels::fill_pieces(RequestList found, RequestPieces pieces) const
{
    fill_round_pieces<<<1, kPieceThreads, view_.graph.ranks * sizeof(std::uint32_t), stream_.get()>>>(view_.graph,
                                                                                                      found, pieces);
    check_launch();
}

void SteppedKernels::answer_pieces(RequestPieces pieces, std::int32_t level) const
{
    answer_round_pieces<<<view_.graph.ranks, kPieceThreads, 0, stream_.get()>>>(view_, pieces, level);
    check_launch();
}

void SteppedKernels::pack(const std::uint32_t* columns, std::uint32_t* own_part) const
{
    launch(pack_part, view_.graph.slot_stride / 32, stream_, view_.graph, columns, own_part);
}

void SteppedKernels::unpack(const std::uint32_t* parts, std::uint32_t* columns) const
{
    launch(unpack_parts, std::uint64_t{view_.graph.ranks} * (view_.graph.slot_stride / 32), stream_, view_.graph, parts,
           columns);
}

void SteppedKernels::pack_list(const std::uint32_t* columns, std::span<std::uint32_t> own_list,
                               unsigned long long* count) const
{
    fill_bytes_async(own_list, 0xFF, stream_);
    fill_bytes_async(std::span(count, 1), 0, stream_);
    launch(list_part, view_.graph.slot_stride / 32, stream_, view_.graph, columns, own_list.data(), count);
}

void SteppedKernels::unpack_lists(const std::uint32_t* lists, std::uint64_t size, std::uint32_t* columns) const
{
    launch(clear_parts, view_.graph.cols() / 32, stream_, view_.graph, columns);
    launch(mark_listed_slots, view_.graph.ranks * size, stream_, view_.graph, lists, size, columns);
}

void SteppedKernels::finish() const
{
    launch(finish_search, view_.graph.slot_stride / 32, stream_, view_);
}

}  // namespace wayfront::gpu::bfs
