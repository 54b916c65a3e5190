#include <algorithm>

#include "gpu/bfs/bottom_up.cuh"
#include "gpu/bfs/claim.cuh"
#include "gpu/bfs/frontier.cuh"
#include "gpu/bfs/grid/kernels.hpp"
#include "gpu/bfs/shared_memory.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/grid_total.cuh"
#include "gpu/runtime/launch.cuh"

namespace wayfront::gpu::bfs {

/// A bottom-up level only marks the found rows as visited; launch_pack_found() reads the marks.
__device__ inline void publish_rows(const GridView& /*view*/, int /*to*/, std::uint32_t /*first*/,
                                    std::uint32_t /*word*/)
{
}

namespace {

constexpr const char* kName = "the search over a grid";
constexpr int kFollowThreads = 256;
constexpr int kFollowBlocks = 8;  // number of blocks per multiprocessor
constexpr int kPieceThreads = 256;

/// The frontier of a block of the matrix, for for_each_frontier_word().
struct ColumnWords
{
    struct Loaded
    {
        std::uint32_t word = 0;
    };

    [[nodiscard]] __device__ static std::uint32_t count(const SearchView& view) { return view.graph.cols() / 32; }
    [[nodiscard]] __device__ static Loaded load(const SearchView& view, std::uint32_t w)
    {
        return {view.own.frontier[0][w]};
    }
    [[nodiscard]] __device__ static std::uint32_t mark_expanded(const SearchView& /*view*/, std::uint32_t /*w*/,
                                                                const Loaded& loaded)
    {
        return loaded.word;
    }
};

/// Claims for rows of the block of the matrix. `vertex`: the input's number of the parent.
struct RowClaims
{
    const GridView& view;
    std::uint32_t vertex;

    [[nodiscard]] __device__ std::uint32_t* word(std::uint32_t row) const { return &view.own.visited[row / 32]; }

    /// Several blocks of a grid row may claim the same row; the owner of the row chooses a parent.
    template <int Count>
    __device__ void confirm(const std::uint32_t (&)[Count], std::uint32_t (&)[Count]) const
    {
    }
    template <int Count>
    __device__ std::uint32_t store(const std::uint32_t (&rows)[Count], const bool (&first)[Count]) const
    {
#pragma unroll
        for (int e = 0; e < Count; ++e)
            if (first[e]) view.own.parents[rows[e]] = vertex;
        return 0;  // the owners count the found vertices
    }
};

/// Calls f(rank, i, place) for each element of pieces of `count` elements. There is one piece for
/// each rank of `numbers`, and element i of a rank's piece has the number `place` among the
/// elements of all pieces.
template <typename F>
__device__ void for_each_of_pieces(const ColumnNumbers& numbers, std::uint32_t count, F&& f)
{
    for (std::uint32_t rank = blockIdx.y; rank < numbers.ranks; rank += gridDim.y)
        for (std::uint64_t i = first_index(); i < count; i += index_stride())
            f(rank, static_cast<std::uint32_t>(i), std::uint64_t{rank} * count + i);
}

/// The number, in a bitmap of rows or columns, of word `w` of a rank's piece.
__device__ std::uint32_t word_of(const ColumnNumbers& numbers, std::uint32_t rank, std::uint32_t w)
{
    return numbers.column(rank, w * 32) / 32;
}

__global__ void set_key(const __grid_constant__ GridView view, std::uint32_t local, std::uint32_t* piece)
{
    const std::uint32_t slot = view.graph.local_slots.slot_of(local);
    if (slot != LocalSlotsView::kNone) piece[slot / 32] = 1U << (slot % 32);
}

__global__ void __launch_bounds__(kSearchThreads, 1)
    make_column_items(const __grid_constant__ GridView view, ItemSizes sizes)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    make_items(view, ColumnWords{}, 0, {.items = view.queue, .size = view.queue_items, .sizes = sizes}, shared);
}

__global__ void __launch_bounds__(kFollowThreads) follow_columns(const __grid_constant__ GridView view, ItemSizes sizes)
{
    const auto column_of = [](std::uint32_t column) { return column; };
    for_each_item(view.graph, view.queue, {.first = 0, .last = *view.queue_items, .sizes = sizes}, column_of,
                  [&](const std::uint32_t(&rows)[kItemEdges / 32], std::uint32_t vertex) {
                      RowClaims claims{view, vertex};
                      claim(view, claims, rows);
                  });
}

__global__ void __launch_bounds__(kSearchThreads, 1)
    grid_bottom_up(const __grid_constant__ GridView view, BottomUpVariant variant)
{
    extern __shared__ __align__(16) std::uint32_t shared[];
    bottom_up_level(view, {.from = 0, .to = 0, .level = 0}, variant, shared);
}

__global__ void pack_found(const __grid_constant__ GridView view, std::uint32_t* pieces)
{
    for_each_of_pieces(view.rows, view.slot_words(), [&](std::uint32_t rank, std::uint32_t w, std::uint64_t place) {
        const std::uint32_t row_word = word_of(view.rows, rank, w);
        pieces[place] = view.own.visited[row_word] & ~view.known[row_word];
    });
}

__global__ void commit_found(const __grid_constant__ GridView view, const std::uint32_t* received, std::int32_t level,
                             std::uint32_t* row_piece, std::uint32_t* column_piece)
{
    const std::uint32_t words = view.slot_words();
    LevelCounts counts;
    for (std::uint64_t w = first_index(); w < words; w += index_stride()) {
        std::uint32_t found = 0;
        for (std::uint32_t r = 0; r < view.rows.ranks; ++r) found |= received[std::uint64_t{r} * words + w];
        view.own_frontier[w] = found;
        row_piece[w] = found;
        column_piece[w] = found;
        counts.vertices += static_cast<std::uint64_t>(__popc(found));
        for (std::uint32_t rest = found; rest != 0; rest &= rest - 1) {
            const std::uint64_t slot = w * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(rest)) - 1);
            counts.out_edges += view.out_degrees[slot];
            if (view.owner.levels != nullptr) view.owner.levels[slot] = level;
        }
    }
    add_to_total(counts, *view.counts);
}

__global__ void store_frontier(const __grid_constant__ GridView view, const std::uint32_t* row_pieces,
                               const std::uint32_t* column_pieces)
{
    for_each_of_pieces(view.rows, view.slot_words(), [&](std::uint32_t rank, std::uint32_t w, std::uint64_t place) {
        const std::uint32_t row_word = word_of(view.rows, rank, w);
        const std::uint32_t known = view.known[row_word] | row_pieces[place];
        view.known[row_word] = known;
        view.own.visited[row_word] = known;
    });
    for_each_of_pieces(view.graph, view.slot_words(), [&](std::uint32_t rank, std::uint32_t w, std::uint64_t place) {
        view.own.frontier[0][word_of(view.graph, rank, w)] = column_pieces[place];
    });
}

__global__ void pack_parents(const __grid_constant__ GridView view, std::uint32_t* pieces)
{
    for_each_of_pieces(view.rows, view.graph.slot_stride,
                       [&](std::uint32_t rank, std::uint32_t slot, std::uint64_t place) {
                           pieces[place] = view.own.parents[view.rows.column(rank, slot)];
                       });
}

__global__ void choose_parents(const __grid_constant__ GridView view, const std::uint32_t* received)
{
    const std::uint32_t slots = view.graph.slot_stride;
    for (std::uint64_t slot = first_index(); slot < slots; slot += index_stride()) {
        std::uint32_t parent = ~0U;
        for (std::uint32_t r = 0; r < view.rows.ranks && parent == ~0U; ++r)
            parent = received[std::uint64_t{r} * slots + slot];
        view.owner.parents[slot] = parent;
    }
}

/// Launches a kernel over pieces of `count` elements for each of `ranks` ranks.
template <typename Kernel, typename... Arguments>
void launch_for_pieces(Kernel kernel, std::uint32_t count, std::uint32_t ranks, const Stream& stream,
                       Arguments... arguments)
{
    if (count == 0) return;
    constexpr std::uint32_t most_blocks_high = 65535;
    const dim3 blocks(blocks_for(count, kPieceThreads), std::min(ranks, most_blocks_high));
    kernel<<<blocks, kPieceThreads, 0, stream.get()>>>(arguments...);
    check_launch();
}

}  // namespace

GridLaunch grid_launch(GridView& view, std::uint32_t most_hubs)
{
    set_shared_memory(view, most_hubs);
    for (const auto* kernel :
         {reinterpret_cast<const void*>(make_column_items), reinterpret_cast<const void*>(grid_bottom_up)})
        allow_shared_memory(kernel, view.shared_bytes, kName);
    return {static_cast<int>(multiprocessors()), view.shared_bytes};
}

void launch_key(const GridView& view, std::uint32_t local, std::uint32_t* piece, const Stream& stream)
{
    set_key<<<1, 1, 0, stream.get()>>>(view, local, piece);
    check_launch();
}

void launch_column_items(const GridView& view, ItemSizes sizes, GridLaunch size, const Stream& stream)
{
    make_column_items<<<static_cast<unsigned>(size.blocks), kSearchThreads, size.shared_bytes, stream.get()>>>(view,
                                                                                                               sizes);
    check_launch();
}

void launch_follow_columns(const GridView& view, ItemSizes sizes, GridLaunch size, const Stream& stream)
{
    follow_columns<<<static_cast<unsigned>(size.blocks * kFollowBlocks), kFollowThreads, 0, stream.get()>>>(view,
                                                                                                            sizes);
    check_launch();
}

void launch_grid_bottom_up(const GridView& view, BottomUpVariant variant, GridLaunch size, const Stream& stream)
{
    grid_bottom_up<<<static_cast<unsigned>(size.blocks), kSearchThreads, size.shared_bytes, stream.get()>>>(view,
                                                                                                            variant);
    check_launch();
}

void launch_pack_found(const GridView& view, std::uint32_t* pieces, const Stream& stream)
{
    launch_for_pieces(pack_found, view.slot_words(), view.rows.ranks, stream, view, pieces);
}

void launch_commit(const GridView& view, const std::uint32_t* received, std::int32_t level,
                   const FrontierPieces& pieces, const Stream& stream)
{
    launch(commit_found, view.slot_words(), stream, view, received, level, pieces.row, pieces.column);
}

void launch_store_frontier(const GridView& view, const std::uint32_t* row_pieces, const std::uint32_t* column_pieces,
                           const Stream& stream)
{
    launch_for_pieces(store_frontier, view.slot_words(), std::max(view.rows.ranks, view.graph.ranks), stream, view,
                      row_pieces, column_pieces);
}

void launch_pack_parents(const GridView& view, std::uint32_t* pieces, const Stream& stream)
{
    launch_for_pieces(pack_parents, view.graph.slot_stride, view.rows.ranks, stream, view, pieces);
}

void launch_choose_parents(const GridView& view, const std::uint32_t* received, const Stream& stream)
{
    launch(choose_parents, view.graph.slot_stride, stream, view, received);
}

}  // namespace wayfront::gpu::bfs
