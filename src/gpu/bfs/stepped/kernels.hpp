// The launches of a stepped search. Its levels are those of gpu/bfs/bottom_up.cuh and claim.cuh,
// except that a rank sends requests to the owners of the vertices of other ranks that a top-down
// level finds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/host_device.hpp"
#include "gpu/bfs/search_plan.hpp"
#include "gpu/bfs/view.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::bfs {

/// The requests of one round, in device memory. The target of a request is a column. After the requests are
/// sorted by owner, it is a slot.
struct RequestList
{
    VisitRequest* requests = nullptr;
    unsigned long long* count = nullptr;
};

/// The requests for each rank, or from each rank, in pieces of the same size: the target of a piece's
/// first request is the number of those that follow.
struct RequestPieces
{
    VisitRequest* requests = nullptr;
    std::uint64_t size = 0;  // number of entries of a piece

    [[nodiscard]] WAYFRONT_HD VisitRequest* of_rank(std::uint32_t rank) const { return requests + rank * size; }
    /// The number of bytes of a piece that are in use; a UsedBytes function.
    [[nodiscard]] static std::size_t used_bytes(const std::byte* piece, std::size_t piece_bytes)
    {
        const std::size_t count = reinterpret_cast<const VisitRequest*>(piece)->target;
        return std::min(piece_bytes, (1 + count) * sizeof(VisitRequest));
    }
};

/// The launches of a search. The view belongs to the search, which may change it between launches.
class SteppedKernels
{
public:
    /// Sets the view's shared memory (set_shared_memory()). View and stream outlive the object. Throws ResourceError.
    SteppedKernels(SteppedView& view, std::uint32_t most_hubs, const Stream& stream);

    /// Makes the own vertex `local`, number `vertex` of the input, the frontier: it is stored in
    /// own_frontier, and its counts in counts. Does nothing if the vertex has no edges.
    void start(std::uint32_t local, std::uint32_t vertex) const;

    /// Runs one bottom-up level from the bitmap `from` of all columns. The vertices that this rank's
    /// rows find are stored in its own part of the bitmap `to` and added to counts.
    void bottom_up(int from, int to, std::int32_t level, BottomUpVariant variant) const;

    /// Stores this rank's part of a frontier that a top-down level found in its own part of the bitmap
    /// `to`.
    void publish(FrontierLocation at, int to) const;

    /// Moves this rank's part of such a frontier to own_frontier, and adds its vertices and out-edges
    /// to counts.
    void survey() const;
    /// Makes the work items of own_frontier, unless the out-edges in counts are more than `most_edges`.
    void queue_own_frontier(std::uint64_t most_edges) const;

    /// Makes the work items of this rank's part of a frontier, stores them in the queue, and adds them
    /// and their edges to counts. `columns`: the bitmap of all columns that holds the frontier, for
    /// FrontierLocation::columns. `tail`: the hubs are left out.
    void make_items(FrontierLocation at, const std::uint32_t* columns, bool tail, ItemSizes sizes) const;

    /// Follows items of the queue. Own vertices are visited and added to counts; for a vertex of another
    /// rank a request is appended. `seen`: a bitmap of all columns; if the bit of another rank's vertex is
    /// set, the vertex is visited or has been requested.
    void follow_items(const ItemRange& items, std::uint32_t* seen, std::int32_t level, RequestList found) const;

    /// Adds the number of requests for each rank to counts[rank].
    void count_requests(RequestList found, unsigned long long* counts) const;
    /// Copies `count` requests to `placed`: those for rank r begin at next[r], which is advanced to their
    /// end.
    void place_requests(const VisitRequest* requests, std::uint64_t count, unsigned long long* next,
                        VisitRequest* placed) const;
    /// Visits the vertices that other ranks request, and adds the new ones to counts.
    void answer_requests(const VisitRequest* requests, std::uint64_t count, std::int32_t level) const;

    /// Copies a small number of requests to pieces, which have room for all of them.
    void fill_pieces(RequestList found, RequestPieces pieces) const;
    /// Visits the vertices that the pieces of other ranks request.
    void answer_pieces(RequestPieces pieces, std::int32_t level) const;

    /// pack() copies this rank's part of a bitmap of all columns to `own_part`, without gaps. unpack()
    /// copies the parts of the other ranks, which are stored one after the other in the same form, into
    /// the bitmap.
    void pack(const std::uint32_t* columns, std::uint32_t* own_part) const;
    void unpack(const std::uint32_t* parts, std::uint32_t* columns) const;
    /// The same with lists of slots, which have `size` places each, ~0 in those that are left. `count`:
    /// memory of one number.
    void pack_list(const std::uint32_t* columns, std::span<std::uint32_t> own_list, unsigned long long* count) const;
    void unpack_lists(const std::uint32_t* lists, std::uint64_t size, std::uint32_t* columns) const;

    /// Marks the vertices that were not reached, after the last level.
    void finish() const;

private:
    /// Launches a kernel of the view that fills the GPU.
    template <typename Kernel, typename... Arguments>
    void launch_sized(Kernel kernel, Arguments... arguments) const;

    const SteppedView& view_;
    const Stream& stream_;
    int blocks_ = 0;                // of kSearchThreads threads, which fill the GPU
    std::size_t shared_bytes_ = 0;  // of such a block
};

}  // namespace wayfront::gpu::bfs
