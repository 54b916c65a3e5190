// The out-of-core part of DeviceTiles: the matrix is in host memory, and strips of it are copied to
// buffers on the device, multiplied there and copied back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "gpu/apsp/matrix/device_tiles.cuh"
#include "gpu/apsp/matrix/device_tiles.hpp"

namespace wayfront::gpu::apsp {

namespace {

/// Divides [0, size) into parts of at most `most` elements and calls f(first, count) for each,
/// except for the parts of `side` elements that begin at the places `left_out`.
template <typename F>
void for_each_part(std::size_t size, std::size_t side, std::initializer_list<std::optional<std::size_t>> left_out,
                   std::size_t most, F&& f)
{
    for (std::size_t first = 0; first < size;) {
        std::size_t end = size;
        bool is_left_out = false;
        for (const std::optional<std::size_t>& place : left_out) {
            if (!place) continue;
            is_left_out = is_left_out || *place == first;
            if (*place > first) end = std::min(end, *place);
        }
        if (is_left_out) {
            first += side;
            continue;
        }
        for (; first < end; first += std::min(most, end - first)) f(first, std::min(most, end - first));
    }
}

}  // namespace

std::size_t DeviceTiles::staged_words(const algo::BlockCyclic& tiles, std::size_t rows, std::size_t stride,
                                      std::size_t staging_bytes)
{
    const std::size_t row_of_pieces = std::max(kTileRows * stride, kPieceWords * tiles.tile);
    const std::size_t wanted = staging_bytes / sizeof(std::uint32_t) / row_of_pieces;
    return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, rows / kTileRows)) * row_of_pieces;
}

/// Copies the row to its panel. Then copies one part of its columns after the other from the panel
/// to the strip, improves the part and copies it back.
void DeviceTiles::improve_staged_row(std::size_t pivot)
{
    std::uint32_t* const whole_panel = row_of(pivot);
    std::uint32_t* const row = row_at(pivot);
    const auto depth = static_cast<std::uint32_t>(tiles_.tile);
    copy_rows({whole_panel, stride_}, {row, stride_}, stride_, tiles_.tile, panel_stream_);
    std::optional<std::size_t> own;
    if (tiles_.has_column(pivot)) own = tiles_.local_column(pivot) * words_of_tile_;
    const std::size_t most = panel_strip_.size() / tiles_.tile / kPieceWords * kPieceWords;
    for_each_part(stride_, words_of_tile_, {own}, most, [&](std::size_t first, std::size_t words) {
        std::uint32_t* const panel = whole_panel + first;
        copy_rows({panel_strip_.data(), words}, {panel, stride_}, words, tiles_.tile, panel_stream_);
        multiply({panel_strip_.data(), words, pivot_columns_.data(), spread_tile_, panel, stride_, depth, {}, {}},
                 tiles_.tile, words, sums_, panel_stream_);
        copy_rows({panel, stride_}, {panel_strip_.data(), words}, words, tiles_.tile, panel_stream_);
    });
    // The row is copied back while the column is copied to the device. With look-ahead, the column
    // of the next pivot reads the row.
    const Stream& back = tiles_.shape.size() == 1 ? store_stream_ : panel_stream_;
    row_made_.record(panel_stream_);
    row_made_.block(back);
    copy_rows({row, stride_}, {whole_panel, stride_}, stride_, tiles_.tile, back);
}

/// Copies one part of the column's rows after the other to the strip, improves the part and copies
/// it back.
void DeviceTiles::improve_staged_column(std::size_t pivot)
{
    std::uint32_t* const whole_panel = column_of(pivot);
    const auto depth = static_cast<std::uint32_t>(tiles_.tile);
    std::uint32_t* const strip = panel_strip_.data();
    const std::size_t most = panel_strip_.size() / words_of_tile_ / kTileRows * kTileRows;
    std::optional<std::size_t> own;
    if (tiles_.has_row(pivot)) own = tiles_.local_row(pivot) * tiles_.tile;
    for_each_part(rows_, tiles_.tile, {own}, most, [&](std::size_t first, std::size_t rows) {
        std::uint32_t* const column = column_at(pivot) + first * stride_;
        std::uint32_t* const panel = whole_panel + first * words_of_spread(sums_);
        copy_rows({strip, words_of_tile_}, {column, stride_}, words_of_tile_, rows, panel_stream_);
        spread({strip, words_of_tile_}, rows, words_of_tile_, {panel, spread_rows_});
        multiply({strip, words_of_tile_, panel, spread_rows_, pivot_of(pivot), words_of_tile_, depth, {}, {}}, rows,
                 words_of_tile_, sums_, panel_stream_);
        spread({strip, words_of_tile_}, rows, words_of_tile_, {panel, spread_rows_});
        copy_rows({column, stride_}, {strip, words_of_tile_}, words_of_tile_, rows, panel_stream_);
    });
    if (own)
        spread({pivot_of(pivot), words_of_tile_}, tiles_.tile, words_of_tile_,
               {whole_panel + *own * words_of_spread(sums_), spread_rows_});
}

/// Strips of rows use three buffers in turn: while one strip is improved, the next is loaded and
/// the previous one is stored. The tiles of the pivot and of the next pivot are left out, since the
/// panel stream improves them.
void DeviceTiles::launch_staged_rest(std::size_t pivot, std::optional<std::size_t> next)
{
    panels_made_.block(load_stream_);
    const auto place_of_row = [&](std::optional<std::size_t> tile) {
        return tile && tiles_.has_row(*tile) ? std::optional(tiles_.local_row(*tile) * tiles_.tile) : std::nullopt;
    };
    const auto place_of_column = [&](std::optional<std::size_t> tile) {
        return tile && tiles_.has_column(*tile) ? std::optional(tiles_.local_column(*tile) * words_of_tile_)
                                                : std::nullopt;
    };
    const std::size_t most = strips_[0].words.size() / stride_ / kTileRows * kTileRows;
    for_each_part(
        rows_, tiles_.tile, {place_of_row(pivot), place_of_row(next)}, most, [&](std::size_t first, std::size_t rows) {
            StagedStrip& strip = strips_[next_strip_++ % strips_.size()];
            std::uint32_t* const in_matrix = matrix_ + first * stride_;
            const auto for_each_column_part = [&](auto&& f) {
                for_each_part(stride_, words_of_tile_, {place_of_column(pivot), place_of_column(next)}, stride_, f);
            };
            strip.stored.block(load_stream_);
            for_each_column_part([&](std::size_t column, std::size_t words) {
                copy_rows({strip.words.data() + column, stride_}, {in_matrix + column, stride_}, words, rows,
                          load_stream_);
            });
            strip.loaded.record(load_stream_);
            strip.loaded.block(rest_stream_);
            ProductJob job{strip.words.data(),
                           stride_,
                           column_of(pivot) + first * words_of_spread(sums_),
                           spread_rows_,
                           row_of(pivot),
                           stride_,
                           static_cast<std::uint32_t>(tiles_.tile),
                           {},
                           {}};
            job.kept_columns[0] =
                pieces(tiles_.has_column(pivot), tiles_.local_column(pivot), words_of_tile_ / kPieceWords);
            if (next)
                job.kept_columns[1] =
                    pieces(tiles_.has_column(*next), tiles_.local_column(*next), words_of_tile_ / kPieceWords);
            multiply(job, rows, stride_, sums_, rest_stream_);
            strip.improved.record(rest_stream_);
            strip.improved.block(store_stream_);
            for_each_column_part([&](std::size_t column, std::size_t words) {
                copy_rows({in_matrix + column, stride_}, {strip.words.data() + column, stride_}, words, rows,
                          store_stream_);
            });
            strip.stored.record(store_stream_);
        });
}

}  // namespace wayfront::gpu::apsp
