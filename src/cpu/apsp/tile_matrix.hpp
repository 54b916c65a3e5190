// The tiles of a rank, and the steps of blocked Floyd-Warshall on the cores
// (algo/apsp/tile_loop.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <optional>
#include <span>

#include <omp.h>

#include "algo/apsp/rows.hpp"
#include "algo/apsp/tile_engine.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/apsp/min_plus.hpp"

namespace wayfront::cpu {

/// The columns of a tile are a multiple of this number: a multiple of a strip, and of the vectors
/// of every type.
inline constexpr std::size_t kTileUnit = 32;

/// T: the type of the computation. The tiles of a rank lie as one matrix, row-major.
template <typename T, bool with_parents>
class TileMatrix final : public algo::TileEngine
{
public:
    using Parent = ParentOf<T>;

    /// A matrix of `vertices` rows without edges, filled up with vertices that nothing reaches.
    TileMatrix(std::size_t vertices, const algo::BlockCyclic& tiles)
        : tiles_(tiles),
          tile_(tiles.tile),
          rows_(tiles.local_rows()),
          columns_(tiles.local_columns()),
          stride_(stride_of(columns_ * tile_)),
          distances_(rows_ * tile_ * stride_, kFarTile<T>),
          parents_(with_parents ? distances_.size() : 0, Parent{algo::kNoParent}),
          pivot_(tile_ * tile_),
          pivot_parents_(with_parents ? pivot_.size() : 0),
          pivot_strips_(tile_ * tile_),
          pivot_strip_parents_(with_parents ? pivot_strips_.size() : 0)
    {
        for (Panels& panels : panels_) {
            panels.row = HostBuffer<T>(columns_ * tile_ * tile_);
            panels.row_parents = HostBuffer<Parent>(with_parents ? panels.row.size() : 0);
            panels.column = HostBuffer<T>(rows_ * tile_ * tile_);
        }
        for (std::size_t i = 0; i < vertices; ++i)
            if (has(i, i)) set(i, i, 0);
    }

    [[nodiscard]] const algo::BlockCyclic& tiles() const override { return tiles_; }

    /// Whether the rank has the entry at (row, column) of the whole matrix.
    [[nodiscard]] bool has(std::size_t row, std::size_t column) const
    {
        return tiles_.has_row(row / tile_) && tiles_.has_column(column / tile_);
    }
    /// Makes (row, column) an edge. Pre: has(row, column).
    void set(std::size_t row, std::size_t column, T weight)
    {
        const std::size_t own_row = local(row, tiles_.local_row(row / tile_));
        const std::size_t own_column = local(column, tiles_.local_column(column / tile_));
        *at(own_row, own_column) = weight;
        if constexpr (with_parents) *parent_at(own_row, own_column) = static_cast<Parent>(row);
    }

    void close(std::size_t pivot) override
    {
        const std::size_t row = tiles_.local_row(pivot) * tile_;
        const std::size_t column = tiles_.local_column(pivot) * tile_;
        close_tile(row, column);
        copy_tile(row, column, pivot_.data());
        if constexpr (with_parents)
            for (std::size_t i = 0; i < tile_; ++i)
                std::copy_n(parent_at(row + i, column), tile_, pivot_parents_.data() + i * tile_);
    }
    [[nodiscard]] algo::Panel pivot_panel() override { return panel(pivot_, pivot_parents_); }

    void improve_row(std::size_t pivot) override
    {
        const std::size_t row = tiles_.local_row(pivot) * tile_;
        Panels& panels = panels_of(pivot);
        parallel_items(columns_, [&](std::size_t column) {
            if (is_column_of(pivot, column)) return;
            pack_row_tile(row, column, panels);
            multiply(pivot_.data(), part(panels.row, column), part(panels.row_parents, column), row, column * tile_);
            pack_row_tile(row, column, panels);
        });
    }
    void improve_column(std::size_t pivot) override
    {
        const std::size_t column = tiles_.local_column(pivot) * tile_;
        pack(pivot_.data(), tile_, pivot_strips_.data());
        if constexpr (with_parents) pack(pivot_parents_.data(), tile_, pivot_strip_parents_.data());
        Panels& panels = panels_of(pivot);
        parallel_items(rows_, [&](std::size_t row) {
            if (is_row_of(pivot, row)) return;
            T* const tile = part(panels.column, row);
            copy_tile(row * tile_, column, tile);  // the tile before it changes
            multiply(tile, pivot_strips_.data(), pivot_strip_parents_.data(), row * tile_, column);
            copy_tile(row * tile_, column, tile);
        });
    }
    [[nodiscard]] algo::Panel row_panel(std::size_t pivot) override
    {
        return panel(panels_of(pivot).row, panels_of(pivot).row_parents);
    }
    /// The left factor of a product needs no parents.
    [[nodiscard]] algo::Panel column_panel(std::size_t pivot) override
    {
        return {std::as_writable_bytes(panels_of(pivot).column.span()), {}};
    }

    void improve_ahead(std::size_t pivot, std::size_t next) override
    {
        if (tiles_.has_row(next))
            parallel_items(columns_, [&](std::size_t column) { improve(pivot, tiles_.local_row(next), column); });
        if (!tiles_.has_column(next)) return;
        parallel_items(rows_, [&](std::size_t row) {
            if (!is_row_of(next, row)) improve(pivot, row, tiles_.local_column(next));
        });
    }
    void improve_rest(std::size_t pivot, std::optional<std::size_t> next, const std::function<void()>& poll) override
    {
        parallel_items(rows_, [&](std::size_t row) {
            if (next && is_row_of(*next, row)) return;
            for (std::size_t column = 0; column < columns_; ++column)
                if (!next || !is_column_of(*next, column)) improve(pivot, row, column);
            if (omp_get_thread_num() == 0) poll();
        });
    }

    [[nodiscard]] algo::Panel row(std::size_t row) override
    {
        const std::size_t own_row = local(row, tiles_.local_row(row / tile_));
        algo::Panel panel{std::as_writable_bytes(std::span(at(own_row, 0), columns_ * tile_)), {}};
        if constexpr (with_parents)
            panel.parents = std::as_writable_bytes(std::span(parent_at(own_row, 0), columns_ * tile_));
        return panel;
    }

    [[nodiscard]] algo::TileBytes tile_bytes() const override
    {
        return {tile_ * tile_ * sizeof(T), with_parents ? tile_ * tile_ * sizeof(Parent) : 0};
    }
    void save_tile(std::size_t row, std::size_t column, const algo::Panel& to) override
    {
        for_each_row_of_tile(
            row, column, [&](std::size_t i, const T* distances, [[maybe_unused]] const Parent* parents) {
                std::memcpy(to.distances.data() + i * tile_ * sizeof(T), distances, tile_ * sizeof(T));
                if constexpr (with_parents)
                    std::memcpy(to.parents.data() + i * tile_ * sizeof(Parent), parents, tile_ * sizeof(Parent));
            });
    }
    void restore_tile(std::size_t row, std::size_t column, const algo::Panel& from) override
    {
        for_each_row_of_tile(row, column, [&](std::size_t i, T* distances, [[maybe_unused]] Parent* parents) {
            std::memcpy(distances, from.distances.data() + i * tile_ * sizeof(T), tile_ * sizeof(T));
            if constexpr (with_parents)
                std::memcpy(parents, from.parents.data() + i * tile_ * sizeof(Parent), tile_ * sizeof(Parent));
        });
    }

    /// The bytes that a rank allocates.
    [[nodiscard]] static double bytes(const algo::BlockCyclic& tiles)
    {
        const auto tile = static_cast<double>(tiles.tile);
        const auto rows = static_cast<double>(tiles.local_rows()) * tile;
        const auto columns = static_cast<double>(tiles.local_columns()) * tile;
        const double with_copies = rows * static_cast<double>(stride_of(tiles.local_columns() * tiles.tile)) +
                                   2 * tile * (rows + columns + tile);
        return with_copies * sizeof(T) * (with_parents ? 2 : 1);
    }

private:
    struct Panels
    {
        HostBuffer<T> row;  // tiles by local column, in strips
        HostBuffer<Parent> row_parents;
        HostBuffer<T> column;  // tiles by local row, each row-major
    };

    static constexpr std::size_t kBlockRows = 4;         // rows of C that are in registers together
    static constexpr std::size_t kBlockRowsWide = 8;     // the same in vectors of 64 bytes
    static constexpr std::size_t kBlockRowsParents = 2;  // the same with parents
    static constexpr std::size_t kCacheLine = 64;

    /// Not a power of two, because all rows would then use the same lines of the caches.
    static std::size_t stride_of(std::size_t columns) { return columns + kCacheLine / sizeof(T); }

    /// The position, among the rank's rows or columns, of row or column `index` of the matrix.
    [[nodiscard]] std::size_t local(std::size_t index, std::size_t local_tile) const
    {
        return local_tile * tile_ + index % tile_;
    }
    [[nodiscard]] T* at(std::size_t row, std::size_t column) { return distances_.data() + row * stride_ + column; }
    [[nodiscard]] Parent* parent_at(std::size_t row, std::size_t column)
    {
        return parents_.data() + row * stride_ + column;
    }
    [[nodiscard]] Panels& panels_of(std::size_t pivot) { return panels_[pivot % panels_.size()]; }
    /// Calls f(i, distances, parents) for each row i of tile (row, column) of the matrix.
    template <typename F>
    void for_each_row_of_tile(std::size_t row, std::size_t column, F&& f)
    {
        const std::size_t first_row = tiles_.local_row(row) * tile_;
        const std::size_t first_column = tiles_.local_column(column) * tile_;
        for (std::size_t i = 0; i < tile_; ++i)
            f(i, at(first_row + i, first_column), with_parents ? parent_at(first_row + i, first_column) : nullptr);
    }
    /// Tile number `index` of a panel.
    template <typename E>
    [[nodiscard]] E* part(HostBuffer<E>& panel, std::size_t index) const
    {
        return panel.empty() ? nullptr : panel.data() + index * tile_ * tile_;
    }
    /// Whether a row, or a column, of the rank's tiles is that of a pivot.
    [[nodiscard]] bool is_row_of(std::size_t pivot, std::size_t row) const
    {
        return tiles_.has_row(pivot) && row == tiles_.local_row(pivot);
    }
    [[nodiscard]] bool is_column_of(std::size_t pivot, std::size_t column) const
    {
        return tiles_.has_column(pivot) && column == tiles_.local_column(pivot);
    }
    /// Improves a tile by the pivot's panels, unless it is part of them.
    void improve(std::size_t pivot, std::size_t row, std::size_t column)
    {
        if (is_row_of(pivot, row) || is_column_of(pivot, column)) return;
        Panels& panels = panels_of(pivot);
        multiply(part(panels.column, row), part(panels.row, column), part(panels.row_parents, column), row * tile_,
                 column * tile_);
    }
    static algo::Panel panel(HostBuffer<T>& distances, HostBuffer<Parent>& parents)
    {
        return {std::as_writable_bytes(distances.span()), std::as_writable_bytes(parents.span())};
    }

    /// The plain algorithm on the tile at (row, column).
    void close_tile(std::size_t row, std::size_t column)
    {
        for (std::size_t k = 0; k < tile_; ++k) {
            for (std::size_t i = 0; i < tile_; ++i) {
                const T to_pivot = *at(row + i, column + k);
                if (is_far(to_pivot) || i == k) continue;
                const Vector<T> lanes = in_all_lanes(to_pivot);
                for (std::size_t j = 0; j < tile_; j += kLanes<T>) {
                    T* const place = at(row + i, column + j);
                    const Vector<T> sum = lanes + load_vector(at(row + k, column + j));
                    const Vector<T> old = load_vector(place);
                    if constexpr (with_parents) {
                        const auto improves = sum < old;
                        Parent* const parent = parent_at(row + i, column + j);
                        store_vector(parent,
                                     improves ? load_vector(parent_at(row + k, column + j)) : load_vector(parent));
                    }
                    store_vector(place, smaller_of<T>(sum, old));
                }
            }
        }
    }

    void copy_tile(std::size_t row, std::size_t column, T* to)
    {
        for (std::size_t i = 0; i < tile_; ++i) std::copy_n(at(row + i, column), tile_, to + i * tile_);
    }

    /// Copies a tile, whose rows are `stride` apart, to strips.
    template <typename E>
    void pack(const E* from, std::size_t stride, E* strips) const
    {
        for (std::size_t first = 0; first < tile_; first += kStripColumns<T>)
            for (std::size_t k = 0; k < tile_; ++k)
                strips = std::copy_n(from + k * stride + first, kStripColumns<T>, strips);
    }
    void pack_row_tile(std::size_t row, std::size_t column, Panels& panels)
    {
        pack(at(row, column * tile_), stride_, part(panels.row, column));
        if constexpr (with_parents) pack(parent_at(row, column * tile_), stride_, part(panels.row_parents, column));
    }

    /// Improves the columns of some strips.
    template <std::size_t strips>
    void multiply_strips_at(const T* a, const T* strip, std::size_t row, std::size_t column)
    {
        for (std::size_t i = 0; i < tile_; i += kBlockRowsWide)
            multiply_strips_wide<T, kBlockRowsWide, strips>({a + i * tile_, tile_}, {strip, tile_},
                                                            {at(row + i, column), stride_});
    }

    /// Improves the tile at (row, column) by the product of `a`, a tile whose rows lie one after
    /// the other, and strips of another tile.
    void multiply(const T* a, const T* strips, [[maybe_unused]] const Parent* strip_parents, std::size_t row,
                  std::size_t column)
    {
        constexpr std::size_t columns = kStripColumns<T>;
        std::size_t first = 0;
        if constexpr (with_parents) {
            for (; first < tile_; first += columns)
                for (std::size_t i = 0; i < tile_; i += kBlockRowsParents)
                    multiply_strip_with_parents<T, kBlockRowsParents>(
                        {a + i * tile_, tile_}, {strips + first * tile_, tile_, strip_parents + first * tile_},
                        {at(row + i, column + first), stride_}, {parent_at(row + i, column + first), stride_});
        } else if (wide_) {
            for (; first + 2 * columns <= tile_; first += 2 * columns)
                multiply_strips_at<2>(a, strips + first * tile_, row, column + first);
            for (; first < tile_; first += columns)
                multiply_strips_at<1>(a, strips + first * tile_, row, column + first);
        } else {
            for (; first < tile_; first += columns)
                for (std::size_t i = 0; i < tile_; i += kBlockRows)
                    multiply_strip<T, kBlockRows>({a + i * tile_, tile_}, {strips + first * tile_, tile_},
                                                  {at(row + i, column + first), stride_});
        }
    }

    algo::BlockCyclic tiles_;
    std::size_t tile_;     // rows and columns of a tile
    std::size_t rows_;     // tiles in a column of the rank's tiles
    std::size_t columns_;  // tiles in a row
    std::size_t stride_;   // from a row to the next one, in elements
    bool wide_ = has_wide_vectors();
    HostBuffer<T> distances_;
    HostBuffer<Parent> parents_;
    HostBuffer<T> pivot_;  // the closed tile, row-major
    HostBuffer<Parent> pivot_parents_;
    HostBuffer<T> pivot_strips_;
    HostBuffer<Parent> pivot_strip_parents_;
    std::array<Panels, 2> panels_;  // the panels of a pivot, and of the next one
};

}  // namespace wayfront::cpu
