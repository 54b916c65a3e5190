// Top-down levels of many edges.
//
// A level of few edges counts the vertices that it finds by atomics that return the old bits
// (claim.cuh). In a level of many edges, a thread that reaches an unmarked vertex marks it and
// writes its parent. Several threads may do so for the same vertex, because any neighbour in the
// frontier is a correct parent. This takes fewer instructions and atomics per edge. After the
// level, the found vertices are counted word by word.
//
// Most edges lead to hubs. The hubs' bits are in the shared memory of each block, which reads the
// marks of other blocks from time to time. Each GPU requests a vertex of another GPU once: it
// appends a request to a list in the owner's memory, and the owner marks the vertex after a barrier
// (answer_requests()).
#pragma once

#include "gpu/bfs/claim.cuh"

namespace wayfront::gpu::bfs {

/// Writes a warp's requests to the memory of other GPUs. The warp reserves kRequestChunk places of a list
/// at a time.
class RequestWriter
{
public:
    /// The places of a list that the warp has reserved and not yet filled.
    struct Places
    {
        std::uint32_t next;
        std::uint32_t end;
    };

    /// `places`: one for each rank, in shared memory.
    __device__ RequestWriter(const ResidentView& view, Places* places) : view_(view), places_(places)
    {
        if (lane_id() < view.graph.ranks) places_[lane_id()] = {0, 0};
        __syncwarp();
    }

    /// Sends requests to the owners of the columns for which `requests` is set. If an owner's list is full,
    /// claims the column in the owner's memory instead. All lanes call.
    template <int Count>
    __device__ void request(const bool (&requests)[Count], const std::uint32_t (&columns)[Count], std::uint32_t vertex,
                            std::int32_t level)
    {
        const DeviceGraphView& graph = view_.graph;
        std::uint32_t owners[Count];
#pragma unroll
        for (int e = 0; e < Count; ++e) owners[e] = requests[e] ? graph.owner_of(columns[e]) : graph.ranks;
        for (std::uint32_t r = 0; r < graph.ranks; ++r) {
            std::uint32_t lanes[Count];
            std::uint32_t total = 0;
#pragma unroll
            for (int e = 0; e < Count; ++e) {
                lanes[e] = __ballot_sync(kAllLanes, owners[e] == r);
                total += static_cast<std::uint32_t>(__popc(lanes[e]));
            }
            if (total == 0) continue;
            std::uint32_t place = reserve(r, total);
            const bool full = place == view_.request_capacity;
#pragma unroll
            for (int e = 0; e < Count; ++e) {
                if (owners[e] == r && full) claim_at_owner(r, columns[e], vertex, level);
                if (owners[e] == r && !full)
                    write(r, place + lanes_below(lanes[e]), {graph.slot_of(columns[e]), vertex});
                place += static_cast<std::uint32_t>(__popc(lanes[e]));
            }
        }
    }

    /// Fills the remaining reserved places with empty requests. All lanes of the warp call, after the
    /// last request().
    __device__ void finish() const
    {
        for (std::uint32_t r = 0; r < view_.graph.ranks; ++r) fill(r, places_[r]);
    }

private:
    /// Reserves `count` places, at most kRequestChunk, in rank r's list. Returns the first place, or
    /// request_capacity if the list is full. All lanes of the warp call.
    __device__ std::uint32_t reserve(std::uint32_t r, std::uint32_t count)
    {
        const Places places = places_[r];
        // The list is full, and its counter must not grow further.
        if (places.next == view_.request_capacity) return view_.request_capacity;
        std::uint32_t first = places.next;
        std::uint32_t end = places.end;
        if (first + count > end) {
            fill(r, places);
            first = 0;
            if (lane_id() == 0) first = atomicAdd(&view_.peers[view_.graph.rank].request_counts[r], kRequestChunk);
            first = __shfl_sync(kAllLanes, first, 0);
            end = first + kRequestChunk;
            if (end > view_.request_capacity) {
                first = view_.request_capacity;
                end = first;
                count = 0;
            }
        }
        __syncwarp();
        if (lane_id() == 0) places_[r] = {first + count, end};
        __syncwarp();
        return first;
    }

    __device__ void fill(std::uint32_t r, Places places) const
    {
        for (std::uint32_t i = places.next + lane_id(); i < places.end; i += 32) write(r, i, {VisitRequest::kNone, 0});
    }

    __device__ void write(std::uint32_t r, std::uint32_t place, VisitRequest request) const
    {
        view_.peers[r].requests[std::size_t{view_.graph.rank} * view_.request_capacity + place] = request;
    }

    __device__ void claim_at_owner(std::uint32_t r, std::uint32_t column, std::uint32_t vertex,
                                   std::int32_t level) const
    {
        const PeerState& owner = view_.peers[r];
        const std::uint32_t slot = view_.graph.slot_of(column);
        const std::uint32_t bit = 1U << (slot % 32);
        if ((atomicOr_system(&owner.visited[slot / 32], bit) & bit) != 0) return;
        store_visit(view_, owner, slot, vertex, level);
    }

    const ResidentView& view_;
    Places* places_;
};

/// The shared memory of a block in a level of many edges. The hubs' bits follow this struct.
struct ManyEdgesMemory
{
    RequestWriter::Places places[kSearchWarps][kMaxPeers];
};

/// A level of many edges, as one thread sees it. `SingleGpu`: there is one GPU.
template <bool SingleGpu>
class ManyEdges
{
public:
    /// `seen`: this GPU's bitmap of all columns, which records the vertices of other GPUs that it
    /// has requested; not used if there is one GPU. All threads of the block call, after a barrier
    /// of the block that follows the last read of `memory`.
    __device__ ManyEdges(const ResidentView& view, std::uint32_t* seen, std::int32_t level, ManyEdgesMemory& memory)
        : view_(view),
          seen_(seen),
          level_(level),
          hubs_(reinterpret_cast<std::uint32_t*>(&memory + 1)),
          writer_(view, memory.places[threadIdx.x / 32])
    {
        for (std::uint32_t w = threadIdx.x; w < view.hub_words; w += blockDim.x) hubs_[w] = __ldcg(marks_of(w));
        __syncthreads();
    }

    /// Runs the level over these items of `queue`. All threads of the GPU call, once.
    __device__ void follow(const WorkItem* queue, ItemRange items)
    {
        for_each_item(
            view_.graph, queue, items, OwnColumns{view_.graph},
            [&](const std::uint32_t(&columns)[kItemEdges / 32], std::uint32_t vertex) { mark(columns, vertex); });
        finish();
    }

private:
    /// Marks neighbours of `vertex`: each lane has one column, or cols() for none, per entry of
    /// `columns`. All lanes call.
    template <int Count>
    __device__ void mark(const std::uint32_t (&columns)[Count], std::uint32_t vertex)
    {
        const DeviceGraphView& graph = view_.graph;
        std::uint32_t words[Count];
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            const std::uint32_t w = columns[e] != graph.cols() ? columns[e] / 32 : 0;
            words[e] = load_fresh_if(w >= view_.hub_words, marks_of(w), hubs_[w < view_.hub_words ? w : 0]);
        }
        wait_for_all(words, view_.zero);
        // The bits of the vertices that are unmarked, as far as this block knows.
        std::uint32_t bits[Count];
#pragma unroll
        for (int e = 0; e < Count; ++e)
            bits[e] = columns[e] != graph.cols() ? ~words[e] & (1U << (columns[e] % 32)) : 0;
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            words[e] = 0;
            if (bits[e] != 0 && columns[e] / 32 < view_.hub_words)
                words[e] = atomicOr(&hubs_[columns[e] / 32], bits[e]);
        }
        keep_new(bits, words, view_.zero);
        if constexpr (!SingleGpu) request_others(columns, bits, vertex);
        std::uint32_t slots[Count];
#pragma unroll
        for (int e = 0; e < Count; ++e) slots[e] = SingleGpu ? columns[e] : graph.slot_of(columns[e]);
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            // Other GPUs may set bits of the same word.
            if constexpr (SingleGpu)
                set_bits_if(bits[e] != 0, &view_.own.visited[slots[e] / 32], bits[e]);
            else
                set_shared_bits_if(bits[e] != 0, &view_.own.visited[slots[e] / 32], bits[e]);
        }
#pragma unroll
        for (int e = 0; e < Count; ++e) store_if(bits[e] != 0, &view_.own.parents[slots[e]], vertex);
        if (view_.keep_levels) {
#pragma unroll
            for (int e = 0; e < Count; ++e)
                if (bits[e] != 0) view_.own.levels[slots[e]] = level_;
        }
        if (++chunks_ == next_refresh_) refresh_hubs();
    }

    /// Sends the remaining requests. All lanes of the warp call, after the last mark().
    __device__ void finish() const
    {
        if constexpr (!SingleGpu) writer_.finish();
    }

    /// The address of the marks in word w of the columns: `visited` for own vertices, `seen` for
    /// vertices of other GPUs.
    [[nodiscard]] __device__ const std::uint32_t* marks_of(std::uint32_t w) const
    {
        if constexpr (SingleGpu) return view_.own.visited + w;
        return view_.graph.owner_of(w * 32) == view_.graph.rank ? view_.own.visited + view_.graph.slot_of(w * 32) / 32
                                                                : seen_ + w;
    }

    /// Clears the bits of other GPUs' vertices in `bits`, and requests the vertices that this GPU has not
    /// requested yet.
    template <int Count>
    __device__ void request_others(const std::uint32_t (&columns)[Count], std::uint32_t (&bits)[Count],
                                   std::uint32_t vertex)
    {
        std::uint32_t others[Count];
        std::uint32_t before[Count];
        bool has_requests = false;
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            others[e] = view_.graph.owner_of(columns[e]) != view_.graph.rank ? bits[e] : 0;
            bits[e] ^= others[e];
            before[e] = 0;
            if (others[e] != 0) before[e] = atomicOr(&seen_[columns[e] / 32], others[e]);
        }
        keep_new(others, before, view_.zero);
        bool requests[Count];
#pragma unroll
        for (int e = 0; e < Count; ++e) {
            requests[e] = others[e] != 0;
            has_requests = has_requests || requests[e];
        }
        if (__any_sync(kAllLanes, has_requests)) writer_.request(requests, columns, vertex, level_);
    }

    /// Updates the warp's part of the hubs' bits in shared memory. All lanes of the warp call,
    /// often at first and less often later.
    __device__ void refresh_hubs()
    {
        next_refresh_ *= 2;
        constexpr std::uint32_t in_flight = 8;
        const std::uint32_t warps = blockDim.x / 32;
        const std::uint32_t part = (view_.hub_words + warps - 1) / warps;
        const std::uint32_t first = threadIdx.x / 32 * part;
        const std::uint32_t last = first + part < view_.hub_words ? first + part : view_.hub_words;
        for (std::uint32_t base = first + lane_id(); base < last; base += 32 * in_flight) {
            std::uint32_t marks[in_flight];
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k)
                marks[k] = base + 32 * k < last ? __ldcg(marks_of(base + 32 * k)) : 0;
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k)
                if (marks[k] != 0) atomicOr(&hubs_[base + 32 * k], marks[k]);
        }
    }

    const ResidentView& view_;
    std::uint32_t* seen_;
    std::int32_t level_;
    std::uint32_t* hubs_;
    RequestWriter writer_;
    std::uint32_t chunks_ = 0;
    std::uint32_t next_refresh_ = 4;
};

/// Marks the own vertices that other GPUs have requested in this level.
__device__ inline void answer_requests(const ResidentView& view, std::int32_t level)
{
    constexpr std::uint32_t in_flight = 4;
    __shared__ std::uint32_t counts[kMaxPeers];
    const std::uint32_t ranks = view.graph.ranks;
    const std::uint32_t own_rank = view.graph.rank;
    if (threadIdx.x < ranks) {
        const std::uint32_t written =
            *static_cast<const volatile std::uint32_t*>(&view.peers[threadIdx.x].request_counts[own_rank]);
        counts[threadIdx.x] = written < view.request_capacity ? written : view.request_capacity;
    }
    __syncthreads();
    const ResidentPeer& own = view.peers[own_rank];
    for (std::uint32_t p = 1; p < ranks; ++p) {
        const std::uint32_t from = (own_rank + p) % ranks;
        // x: target of the request; y: the parent.
        const auto* const requests =
            reinterpret_cast<const uint2*>(own.requests + std::size_t{from} * view.request_capacity);
        const std::uint64_t count = counts[from];
        for (std::uint64_t first = first_index(); first < count; first += in_flight * index_stride()) {
            uint2 request[in_flight];
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) {
                const std::uint64_t i = first + k * index_stride();
                request[k] = i < count ? __ldcg(requests + i) : uint2{VisitRequest::kNone, 0};
            }
            std::uint32_t words[in_flight];
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k)
                words[k] = request[k].x != VisitRequest::kNone ? __ldcg(&own.visited[request[k].x / 32]) : ~0U;
            wait_for_all(words, view.zero);
#pragma unroll
            for (std::uint32_t k = 0; k < in_flight; ++k) {
                const std::uint32_t slot = request[k].x;
                const bool is_new = !is_set(words[k], slot);
                set_bits_if(is_new, &own.visited[slot / 32], 1U << (slot % 32));
                store_if(is_new, &own.parents[slot], request[k].y);
                if (is_new && view.keep_levels) own.levels[slot] = level;
            }
        }
    }
}

}  // namespace wayfront::gpu::bfs
