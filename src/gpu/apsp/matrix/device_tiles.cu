#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "gpu/apsp/matrix/device_tiles.cuh"
#include "gpu/apsp/matrix/device_tiles.hpp"
#include "gpu/apsp/matrix/min_plus.cuh"
#include "gpu/apsp/matrix/stored_distance.hpp"

namespace wayfront::gpu::apsp {

namespace {

constexpr std::size_t kCachedRows = 64;
constexpr std::size_t kArcsAtOnce = std::size_t{1} << 18;

/// An arc as an element of the rank's matrix.
template <typename Element>
struct PlacedArc
{
    std::uint64_t element;  // index of the distance in the rank's matrix
    Element distance;       // the distance in its stored form
};

template <typename Element>
__global__ void place(Element* elements, const PlacedArc<Element>* arcs, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) elements[arcs[i].element] = arcs[i].distance;
}

/// 64 bits of infinite distances: one distance of 64 bits, two of 32 bits, or four of 16 bits.
std::uint64_t infinite_bits(MinPlusSums sums)
{
    std::uint64_t bits = 0;
    with_sums(sums, [&](auto tag) {
        using Sums = decltype(tag);
        if constexpr (kHostWords<Sums> == 2)
            bits = std::bit_cast<std::uint64_t>(Sums::kInfinity);
        else
            bits = std::uint64_t{Sums::kInfinity} << 32 | Sums::kInfinity;
    });
    return bits;
}

__global__ void fill(std::uint64_t* elements, std::uint64_t value, std::uint64_t count)
{
    for (std::uint64_t i = first_index(); i < count; i += index_stride()) elements[i] = value;
}

algo::Panel panel_of(PinnedBuffer<std::uint32_t>& words)
{
    return {std::as_writable_bytes(words.span()), {}};
}

}  // namespace

void copy_rows(WordRows<std::uint32_t> to, WordRows<const std::uint32_t> from, std::size_t words, std::size_t rows,
               const Stream& stream)
{
    constexpr std::size_t of_word = sizeof(std::uint32_t);
    if (words == 0 || rows == 0) return;
    check(cudaMemcpy2DAsync(to.begin, to.stride * of_word, from.begin, from.stride * of_word, words * of_word, rows,
                            cudaMemcpyDefault, stream.get()));
}

void multiply(const ProductJob& job, std::size_t rows, std::size_t words, MinPlusSums sums, const Stream& stream)
{
    if (rows == 0 || words == 0) return;
    with_sums(sums, [&](auto tag) {
        using Sums = decltype(tag);
        constexpr std::size_t shared = PieceProduct<Sums>::kSharedBytes;
        auto* const kernel = multiply_pieces<Sums>;
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
        const dim3 pieces(static_cast<unsigned>(words / kPieceWords), static_cast<unsigned>(rows / kTileRows));
        kernel<<<pieces, kTileThreads, shared, stream.get()>>>(job);
        check_launch();
    });
}

PieceRange pieces(bool has, std::size_t local_tile, std::size_t of_tile)
{
    if (!has) return {};
    return {static_cast<std::uint32_t>(local_tile * of_tile), static_cast<std::uint32_t>((local_tile + 1) * of_tile)};
}

DeviceTiles::DeviceTiles(const algo::BlockCyclic& tiles, MinPlusSums sums, bool out_of_core, PanelTransport transport,
                         std::size_t staging_bytes)
    : tiles_(tiles),
      sums_(sums),
      words_of_tile_(words_of(sums, tiles.tile)),
      rows_(tiles.local_rows() * tiles.tile),
      stride_(tiles.local_columns() * words_of_tile_),
      spread_rows_(rows_ * words_of_spread(sums)),
      spread_tile_(tiles.tile * words_of_spread(sums)),
      panels_(tiles, sums),
      pivot_columns_(tiles.tile * spread_tile_),
      closing_(std::size_t{kTileRows} * spread_tile_),
      transport_(transport)
{
    check(cudaGetDevice(&device_));
    const std::size_t pairs = rows_ * stride_ / 2;  // number of pairs of 32-bit words
    if (out_of_core) {
        on_host_ = {pairs, infinite_bits(sums_)};
        const std::size_t words = staged_words(tiles_, rows_, stride_, staging_bytes);
        for (StagedStrip& strip : strips_) strip.words = Words(words);
        panel_strip_ = Words(words);
    } else {
        on_device_ = Words(rows_ * stride_);
    }
    matrix_ = out_of_core ? reinterpret_cast<std::uint32_t*>(on_host_.data()) : on_device_.data();
    if (transport_ == PanelTransport::hosts && tiles_.shape.size() > 1) {
        host_pivot_ = HostWords(tiles_.tile * words_of_tile_);
        for (HostPanelCopies& copies : host_panels_) {
            if (tiles_.shape.rows > 1) copies.row = HostWords(tiles_.tile * stride_);
            if (tiles_.shape.columns > 1) copies.column = HostWords(tiles_.tile * spread_rows_);
        }
    }
    if (!out_of_core) {
        row_cache_ = HostWords(std::min(kCachedRows, rows_) * stride_);
        launch(fill, pairs, panel_stream_, reinterpret_cast<std::uint64_t*>(matrix_), infinite_bits(sums_),
               std::uint64_t{pairs});
    }
    std::vector<MatrixArc> loops;
    for (std::size_t v = 0; v < tiles_.side(); ++v)
        loops.push_back({static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v), 0});
    add(loops);
}

DeviceTiles::~DeviceTiles()
{
    for (const Stream* stream : {&panel_stream_, &rest_stream_, &load_stream_, &store_stream_})
        // The call that waited for the work has reported its failure.
        if (cudaStreamSynchronize(stream->get()) != cudaSuccess) cudaGetLastError();
}

void DeviceTiles::connect(const comm::ProcessGrid& grid, std::shared_ptr<NcclRanks> nccl)
{
    if (tiles_.shape.size() == 1 || tiles_.tiles == 0) return;
    const PanelWork work{grid, tiles_, panels_, panel_stream_};
    if (transport_ == PanelTransport::peers) direct_ = exchange_over_peers(work);
    if (transport_ == PanelTransport::nccl) direct_ = exchange_over_nccl(work, std::move(nccl));
}

void DeviceTiles::disconnect()
{
    panel_stream_.synchronize();
    direct_.reset();
}

void DeviceTiles::copy_listed_rows(const ListedRows& listed, const TypedRows& rows, const Stream& stream) const
{
    copy_matrix_rows({matrix_, stride_, nullptr, 0}, sums_, listed, rows, stream);
}

void DeviceTiles::add(std::span<const MatrixArc> arcs)
{
    with_sums(sums_, [&](auto tag) {
        using Stored = StoredDistance<decltype(tag)::kKind>;
        using Element = typename Stored::Element;
        auto* const elements = reinterpret_cast<Element*>(matrix_);
        const std::size_t stride = stride_ * sizeof(std::uint32_t) / sizeof(Element);
        std::vector<PlacedArc<Element>> placed;
        const auto send = [&] {
            if (out_of_core()) {
                for (const PlacedArc<Element>& arc : placed) elements[arc.element] = arc.distance;
                placed.clear();
                return;
            }
            const DeviceBuffer<PlacedArc<Element>> on_device =
                upload(std::span<const PlacedArc<Element>>(placed), panel_stream_);
            launch(place<Element>, placed.size(), panel_stream_, elements, on_device.data(),
                   std::uint64_t{placed.size()});
            panel_stream_.synchronize();
            placed.clear();
        };
        for (const MatrixArc& arc : arcs) {
            const std::size_t tile_row = arc.row / tiles_.tile;
            const std::size_t tile_column = arc.column / tiles_.tile;
            if (!tiles_.has_row(tile_row) || !tiles_.has_column(tile_column)) continue;
            const std::size_t row = tiles_.local_row(tile_row) * tiles_.tile + arc.row % tiles_.tile;
            const std::size_t column = tiles_.local_column(tile_column) * tiles_.tile + arc.column % tiles_.tile;
            placed.push_back({row * stride + column, Stored::of_weight(arc.weight)});
            if (placed.size() == kArcsAtOnce) send();
        }
        send();
    });
}

std::uint32_t* DeviceTiles::tile_at(std::size_t row, std::size_t column)
{
    return row_at(row) + tiles_.local_column(column) * words_of_tile_;
}

void DeviceTiles::close(std::size_t pivot)
{
    std::uint32_t* const tile = tile_at(pivot, pivot);
    std::uint32_t* const closed = pivot_of(pivot);
    copy_rows({closed, words_of_tile_}, {tile, stride_}, words_of_tile_, tiles_.tile, panel_stream_);
    const auto side = static_cast<std::uint32_t>(tiles_.tile);
    close_in_tiles({closed, words_of_tile_, closing_.data(), side}, side, 1, sums_, panel_stream_);
    copy_rows({tile, stride_}, {closed, words_of_tile_}, words_of_tile_, tiles_.tile, panel_stream_);
    spread({closed, words_of_tile_}, tiles_.tile, words_of_tile_, {pivot_columns_.data(), spread_tile_});
    pivot_on_device_ = pivot;
    pivot_on_host_.reset();
}

algo::Panel DeviceTiles::pivot_panel()
{
    if (host_pivot_.empty()) return {};
    const bool closed_here = pivot_on_device_ && owns(*pivot_on_device_);
    if (closed_here && pivot_on_host_ != pivot_on_device_) {
        copy_async(std::span<const std::uint32_t>(panels_.of(PanelPart::pivot, *pivot_on_device_)), host_pivot_.span(),
                   panel_stream_);
        panel_stream_.synchronize();
        pivot_on_host_ = pivot_on_device_;
    }
    // The copy of the previous pivot tile to the device may still read host_pivot_.
    if (!closed_here) panel_stream_.synchronize();
    return panel_of(host_pivot_);
}

/// Prepares the pivot tile on this rank if another rank has closed it.
void DeviceTiles::receive_pivot(std::size_t pivot)
{
    if (pivot_on_device_ == pivot) return;
    if (transport_ == PanelTransport::hosts)
        copy_async(std::span<const std::uint32_t>(host_pivot_.span()), panels_.of(PanelPart::pivot, pivot),
                   panel_stream_);
    spread({pivot_of(pivot), words_of_tile_}, tiles_.tile, words_of_tile_, {pivot_columns_.data(), spread_tile_});
    pivot_on_device_ = pivot;
}

void DeviceTiles::improve_row(std::size_t pivot)
{
    receive_pivot(pivot);
    if (out_of_core()) {
        improve_staged_row(pivot);
        return;
    }
    std::uint32_t* const panel = row_of(pivot);
    std::uint32_t* const row = row_at(pivot);
    // The product reads the row as its right factor, which must not change, so the panel has a
    // copy.
    copy_rows({panel, stride_}, {row, stride_}, stride_, tiles_.tile, panel_stream_);
    ProductJob job{
        row, stride_, pivot_columns_.data(), spread_tile_, panel, stride_, static_cast<std::uint32_t>(tiles_.tile),
        {},  {}};
    job.kept_columns[0] = pieces(tiles_.has_column(pivot), tiles_.local_column(pivot), words_of_tile_ / kPieceWords);
    multiply(job, tiles_.tile, stride_, sums_, panel_stream_);
    copy_rows({panel, stride_}, {row, stride_}, stride_, tiles_.tile, panel_stream_);
}

void DeviceTiles::improve_column(std::size_t pivot)
{
    receive_pivot(pivot);
    if (out_of_core()) {
        improve_staged_column(pivot);
        return;
    }
    std::uint32_t* const panel = column_of(pivot);
    std::uint32_t* const column = column_at(pivot);
    spread({column, stride_}, rows_, words_of_tile_, {panel, spread_rows_});
    ProductJob job{
        column, stride_, panel, spread_rows_, pivot_of(pivot), words_of_tile_, static_cast<std::uint32_t>(tiles_.tile),
        {},     {}};
    job.kept_rows[0] = pieces(tiles_.has_row(pivot), tiles_.local_row(pivot), tiles_.tile / kTileRows);
    multiply(job, rows_, words_of_tile_, sums_, panel_stream_);
    spread({column, stride_}, rows_, words_of_tile_, {panel, spread_rows_});
}

/// The copy of a panel in host memory. It is complete if this rank has made the panel.
algo::Panel DeviceTiles::host_panel(PanelPart part, std::size_t pivot, bool made_here, HostWords& copy)
{
    if (copy.empty()) return {};
    if (made_here) {
        copy_async(std::span<const std::uint32_t>(panels_.of(part, pivot)), copy.span(), panel_stream_);
        panel_stream_.synchronize();
    }
    return panel_of(copy);
}

algo::Panel DeviceTiles::row_panel(std::size_t pivot)
{
    return host_panel(PanelPart::row, pivot, tiles_.has_row(pivot), host_panels_of(pivot).row);
}

algo::Panel DeviceTiles::column_panel(std::size_t pivot)
{
    return host_panel(PanelPart::column, pivot, tiles_.has_column(pivot), host_panels_of(pivot).column);
}

void DeviceTiles::take_panels(std::size_t pivot)
{
    HostPanelCopies& copies = host_panels_of(pivot);
    if (!tiles_.has_row(pivot))
        copy_async(std::span<const std::uint32_t>(copies.row.span()), panels_.of(PanelPart::row, pivot), panel_stream_);
    if (!tiles_.has_column(pivot))
        copy_async(std::span<const std::uint32_t>(copies.column.span()), panels_.of(PanelPart::column, pivot),
                   panel_stream_);
}

/// Records in the panel stream that the panels are complete. Pre: the copies of other ranks' panels
/// have been started.
void DeviceTiles::finish_panels(std::size_t pivot)
{
    if (finished_panels_ == pivot) return;
    finished_panels_ = pivot;
    panels_made_.record(panel_stream_);
}

void DeviceTiles::improve_ahead(std::size_t pivot, std::size_t next)
{
    finish_panels(pivot);
    const auto depth = static_cast<std::uint32_t>(tiles_.tile);
    const PieceRange pivot_rows = pieces(tiles_.has_row(pivot), tiles_.local_row(pivot), tiles_.tile / kTileRows);
    const PieceRange pivot_columns =
        pieces(tiles_.has_column(pivot), tiles_.local_column(pivot), words_of_tile_ / kPieceWords);
    if (tiles_.has_row(next)) {
        const std::uint32_t* const left = column_of(pivot) + tiles_.local_row(next) * spread_tile_;
        multiply({row_at(next), stride_, left, spread_rows_, row_of(pivot), stride_, depth, {}, {pivot_columns, {}}},
                 tiles_.tile, stride_, sums_, panel_stream_);
    }
    if (!tiles_.has_column(next)) return;
    const PieceRange next_rows = pieces(tiles_.has_row(next), tiles_.local_row(next), tiles_.tile / kTileRows);
    const std::uint32_t* const right = row_of(pivot) + tiles_.local_column(next) * words_of_tile_;
    multiply(
        {column_at(next), stride_, column_of(pivot), spread_rows_, right, stride_, depth, {pivot_rows, next_rows}, {}},
        rows_, words_of_tile_, sums_, panel_stream_);
}

void DeviceTiles::launch_rest(std::size_t pivot, std::optional<std::size_t> next)
{
    finish_panels(pivot);
    rest_started_ = pivot;
    // This is necessary even if there is nothing to improve: improve_rest() then waits for the
    // panels.
    panels_made_.block(rest_stream_);
    if (out_of_core()) {
        launch_staged_rest(pivot, next);
        return;
    }
    ProductJob job{matrix_,
                   stride_,
                   column_of(pivot),
                   spread_rows_,
                   row_of(pivot),
                   stride_,
                   static_cast<std::uint32_t>(tiles_.tile),
                   {},
                   {}};
    const auto keep = [&](int place, std::size_t tile) {
        job.kept_rows[place] = pieces(tiles_.has_row(tile), tiles_.local_row(tile), tiles_.tile / kTileRows);
        job.kept_columns[place] =
            pieces(tiles_.has_column(tile), tiles_.local_column(tile), words_of_tile_ / kPieceWords);
    };
    keep(0, pivot);
    if (next) keep(1, *next);
    multiply(job, rows_, stride_, sums_, rest_stream_);
}

void DeviceTiles::start_rest(std::size_t pivot, std::size_t next)
{
    launch_rest(pivot, next);
}

void DeviceTiles::improve_rest(std::size_t pivot, std::optional<std::size_t> next, const std::function<void()>& poll)
{
    if (rest_started_ != pivot) launch_rest(pivot, next);
    while (!rest_stream_.done() || !store_stream_.done()) poll();
    first_cached_row_.reset();
}

algo::Panel DeviceTiles::row(std::size_t row)
{
    const std::size_t own = own_row(row);
    if (out_of_core()) {
        panel_stream_.synchronize();
        return {std::as_writable_bytes(std::span(matrix_ + own * stride_, stride_)), {}};
    }
    if (!first_cached_row_ || own < *first_cached_row_ || own >= *first_cached_row_ + kCachedRows) {
        first_cached_row_ = own;
        const std::size_t count = std::min(kCachedRows, rows_ - own);
        panel_stream_.synchronize();
        copy_rows({row_cache_.data(), stride_}, {matrix_ + own * stride_, stride_}, stride_, count, panel_stream_);
        panel_stream_.synchronize();
    }
    return {std::as_writable_bytes(row_cache_.span().subspan((own - *first_cached_row_) * stride_, stride_)), {}};
}

void DeviceTiles::save_tile(std::size_t row, std::size_t column, const algo::Panel& to)
{
    const std::lock_guard guard(copying_);
    check(cudaSetDevice(device_));  // sets the device of this thread
    copy_rows({reinterpret_cast<std::uint32_t*>(to.distances.data()), words_of_tile_}, {tile_at(row, column), stride_},
              words_of_tile_, tiles_.tile, panel_stream_);
    panel_stream_.synchronize();
}

void DeviceTiles::restore_tile(std::size_t row, std::size_t column, const algo::Panel& from)
{
    const std::lock_guard guard(copying_);
    check(cudaSetDevice(device_));  // sets the device of this thread
    copy_rows({tile_at(row, column), stride_},
              {reinterpret_cast<const std::uint32_t*>(from.distances.data()), words_of_tile_}, words_of_tile_,
              tiles_.tile, panel_stream_);
    panel_stream_.synchronize();
    first_cached_row_.reset();
}

DeviceTiles::Bytes DeviceTiles::bytes(const algo::BlockCyclic& tiles, MinPlusSums sums, bool out_of_core,
                                      std::size_t staging_bytes)
{
    const std::size_t rows = tiles.local_rows() * tiles.tile;
    const std::size_t stride = words_of(sums, tiles.local_columns() * tiles.tile);
    const double matrix = static_cast<double>(rows) * static_cast<double>(stride);
    const double spread = static_cast<double>(tiles.tile) * static_cast<double>(words_of_spread(sums));
    Bytes bytes;
    bytes.device = (out_of_core ? 0 : matrix) + (static_cast<double>(tiles.tile) + kTileRows) * spread;
    if (out_of_core) {
        constexpr double strips = 4;
        bytes.device += strips * static_cast<double>(staged_words(tiles, rows, stride, staging_bytes));
    }
    bytes.host = out_of_core ? matrix : static_cast<double>(kCachedRows) * static_cast<double>(stride);
    bytes.device *= sizeof(std::uint32_t);
    bytes.device += static_cast<double>(PanelPlan(tiles, sums).bytes());
    bytes.host *= sizeof(std::uint32_t);
    return bytes;
}

void DeviceTiles::spread(WordRows<const std::uint32_t> from, std::size_t rows, std::size_t words,
                         WordRows<std::uint32_t> to)
{
    if (rows == 0 || words == 0) return;
    with_sums(sums_, [&](auto tag) {
        using Sums = decltype(tag);
        using Word = typename Sums::Word;
        constexpr std::size_t of_word = kHostWords<Sums>;
        const dim3 blocks(static_cast<unsigned>(words / of_word / kTransposeSide),
                          static_cast<unsigned>(rows / kTransposeSide));
        spread_columns<Sums><<<blocks, dim3(kTransposeSide, kTransposeRows), 0, panel_stream_.get()>>>(
            reinterpret_cast<const Word*>(from.begin), from.stride / of_word, reinterpret_cast<Word*>(to.begin),
            to.stride / of_word);
        check_launch();
    });
}

}  // namespace wayfront::gpu::apsp
