// A rank's tiles of the matrix of Floyd-Warshall on its GPU, for the loop over all ranks
// (algo/apsp/tile_loop.hpp).
//
// The tiles form one matrix: in device memory, or, out of core, in pinned host memory. Out of core,
// strips of rows are copied to staging buffers, multiplied there and copied back, all three at the
// same time. In a step, each distance crosses the bus once in each direction. Larger tiles mean
// fewer steps and fewer copied bytes: from 2048 vertices on, a product of three tiles takes longer
// than the copies of four tiles. Several ranks have tiles of this side, so that all ranks get
// enough tiles. A single rank has tiles of 4096 vertices if the memory suffices. Panels are always
// in device memory. Ranks exchange them by one of the transports of panel_transport.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "algo/apsp/panel_exchange.hpp"
#include "algo/apsp/tile_engine.hpp"
#include "comm/process_grid.hpp"
#include "gpu/apsp/matrix/device_panels.hpp"
#include "gpu/apsp/matrix/floyd_warshall.hpp"
#include "gpu/apsp/matrix/panel_transport.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace wayfront::gpu::apsp {

/// Rows of words in host or device memory. `Word` is const if the rows are only read.
template <typename Word>
struct WordRows
{
    Word* begin = nullptr;
    std::size_t stride = 0;  // number of words from row to row
};

class DeviceTiles final : public algo::TileEngine
{
public:
    /// Largest size of a staging buffer in bytes; a buffer has at least one row of pieces.
    static constexpr std::size_t kStagingBytes = std::size_t{256} << 20;

    /// Makes a matrix whose vertices have no arcs. Pre: the side of a tile is a multiple of
    /// tile_unit(). Throws ResourceError.
    DeviceTiles(const algo::BlockCyclic& tiles, MinPlusSums sums, bool out_of_core, PanelTransport transport,
                std::size_t staging_bytes = kStagingBytes);
    /// Waits for all streams, also after an exception, since their copies access memory that is
    /// about to be freed.
    ~DeviceTiles() override;

    /// Adds the arcs that are in the rank's tiles. Rows and columns of arcs are those of the whole
    /// matrix. Pre: the arcs are distinct, and there are no loops.
    void add(std::span<const MatrixArc> arcs);

    /// Prepares the exchange of panels before the first step. `nccl`: the connection of the grid's
    /// ranks, for PanelTransport::nccl. The grid outlives the connection. Collective.
    void connect(const comm::ProcessGrid& grid, std::shared_ptr<NcclRanks> nccl);
    /// Waits for the last step, and ends the exchange. Collective.
    void disconnect();

    /// Starts to copy rows of the rank's matrix, by their numbers in this matrix, to rows of a type
    /// (copy_matrix_rows()). Pre: the matrix is in device memory, and disconnect() has been called.
    void copy_listed_rows(const ListedRows& listed, const TypedRows& rows, const Stream& stream) const;
    /// The number of a row of the whole matrix within the rank's matrix.
    [[nodiscard]] std::size_t own_row(std::size_t row) const
    {
        return tiles_.local_row(row / tiles_.tile) * tiles_.tile + row % tiles_.tile;
    }

    [[nodiscard]] const algo::BlockCyclic& tiles() const override { return tiles_; }
    [[nodiscard]] algo::PanelExchange* direct_panels() override { return direct_.get(); }
    void close(std::size_t pivot) override;
    [[nodiscard]] algo::Panel pivot_panel() override;
    void improve_row(std::size_t pivot) override;
    void improve_column(std::size_t pivot) override;
    [[nodiscard]] algo::Panel row_panel(std::size_t pivot) override;
    [[nodiscard]] algo::Panel column_panel(std::size_t pivot) override;
    void take_panels(std::size_t pivot) override;
    void improve_ahead(std::size_t pivot, std::size_t next) override;
    void start_rest(std::size_t pivot, std::size_t next) override;
    void improve_rest(std::size_t pivot, std::optional<std::size_t> next, const std::function<void()>& poll) override;
    [[nodiscard]] algo::Panel row(std::size_t row) override;
    [[nodiscard]] algo::TileBytes tile_bytes() const override
    {
        return {tiles_.tile * words_of_tile_ * sizeof(std::uint32_t), 0};
    }
    void save_tile(std::size_t row, std::size_t column, const algo::Panel& to) override;
    void restore_tile(std::size_t row, std::size_t column, const algo::Panel& from) override;

    struct Bytes
    {
        double device = 0;
        double host = 0;
    };
    /// The bytes that a rank allocates, without host_panel_bytes().
    [[nodiscard]] static Bytes bytes(const algo::BlockCyclic& tiles, MinPlusSums sums, bool out_of_core,
                                     std::size_t staging_bytes = kStagingBytes);

private:
    using Words = DeviceBuffer<std::uint32_t>;
    using HostWords = PinnedBuffer<std::uint32_t>;

    /// Copies of panels in host memory, if the panels pass through host memory.
    struct HostPanelCopies
    {
        HostWords row, column;
    };

    /// A strip of the matrix in device memory, if the matrix is in host memory. The events are
    /// those of the strip's last use.
    struct StagedStrip
    {
        Words words;
        Event loaded, improved, stored;
    };

    [[nodiscard]] bool out_of_core() const { return !on_host_.empty(); }
    [[nodiscard]] bool owns(std::size_t pivot) const { return tiles_.has_row(pivot) && tiles_.has_column(pivot); }
    [[nodiscard]] std::uint32_t* pivot_of(std::size_t pivot) { return panels_.of(PanelPart::pivot, pivot).data(); }
    [[nodiscard]] std::uint32_t* row_of(std::size_t pivot) { return panels_.of(PanelPart::row, pivot).data(); }
    [[nodiscard]] std::uint32_t* column_of(std::size_t pivot) { return panels_.of(PanelPart::column, pivot).data(); }
    [[nodiscard]] HostPanelCopies& host_panels_of(std::size_t pivot)
    {
        return host_panels_[pivot % PanelPlan::sets(tiles_)];
    }
    [[nodiscard]] std::uint32_t* tile_at(std::size_t row, std::size_t column);
    [[nodiscard]] std::uint32_t* row_at(std::size_t row)
    {
        return matrix_ + tiles_.local_row(row) * tiles_.tile * stride_;
    }
    [[nodiscard]] std::uint32_t* column_at(std::size_t column)
    {
        return matrix_ + tiles_.local_column(column) * words_of_tile_;
    }
    void receive_pivot(std::size_t pivot);
    void finish_panels(std::size_t pivot);
    [[nodiscard]] algo::Panel host_panel(PanelPart part, std::size_t pivot, bool made_here, HostWords& copy);
    /// Starts spread_columns() on this number of rows and of 32-bit words.
    void spread(WordRows<const std::uint32_t> from, std::size_t rows, std::size_t words, WordRows<std::uint32_t> to);
    void launch_rest(std::size_t pivot, std::optional<std::size_t> next);

    // Functions for matrices out of core (staged_tiles.cu).
    /// The number of words of a staging buffer: whole rows of pieces of the rank's matrix, or of a
    /// tile if a tile is narrower.
    [[nodiscard]] static std::size_t staged_words(const algo::BlockCyclic& tiles, std::size_t rows, std::size_t stride,
                                                  std::size_t staging_bytes);
    void improve_staged_row(std::size_t pivot);
    void improve_staged_column(std::size_t pivot);
    void launch_staged_rest(std::size_t pivot, std::optional<std::size_t> next);

    algo::BlockCyclic tiles_;
    MinPlusSums sums_;
    std::size_t words_of_tile_;              // number of words in a row of a tile
    std::size_t rows_, stride_;              // rows and stride of the rank's matrix; the stride in words
    std::size_t spread_rows_, spread_tile_;  // words of a spread column of the rank's matrix, and of a tile
    Words on_device_;
    FilledPinnedBuffer<std::uint64_t> on_host_;  // the matrix out of core, in pairs of words
    std::uint32_t* matrix_ = nullptr;            // on_device_ or on_host_
    DevicePanels panels_;
    std::array<HostPanelCopies, 2> host_panels_;
    Words pivot_columns_;  // columns of the closed pivot tile, spread
    Words closing_;        // memory of close_in_tiles()
    HostWords host_pivot_;
    std::optional<std::size_t> pivot_on_device_, pivot_on_host_, rest_started_;
    // The last pivot whose panels are complete in the order of the streams, including panels of
    // other ranks.
    std::optional<std::size_t> finished_panels_;
    HostWords row_cache_;
    std::optional<std::size_t> first_cached_row_;  // a row of the rank's matrix
    Stream panel_stream_{StreamPriority::high};
    Stream rest_stream_{StreamPriority::normal};
    // Out of core only:
    std::array<StagedStrip, 3> strips_;
    std::size_t next_strip_ = 0;
    Words panel_strip_;  // strip of the panel stream
    Stream load_stream_{StreamPriority::normal};
    Stream store_stream_{StreamPriority::normal};
    Event panels_made_, row_made_;
    PanelTransport transport_;
    int device_ = 0;
    std::mutex copying_;  // locked while a thread copies a tile
    // The exchange of ranks that send panels from GPU to GPU. It is the last member, because it
    // refers to panels_.
    std::unique_ptr<algo::PanelExchange> direct_;
};

}  // namespace wayfront::gpu::apsp
