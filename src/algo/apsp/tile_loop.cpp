#include "algo/apsp/tile_loop.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "algo/apsp/panel_exchange.hpp"
#include "comm/communicator.hpp"

namespace wayfront::algo {

namespace {

/// The most bytes that a rank sends or receives in a round of gather_rows().
constexpr std::size_t kRoundBytes = std::size_t{16} << 20;

/// The first part of a step: improves the pivot's row and column, and starts to exchange them.
void make_panels(TileEngine& engine, PanelExchange& panels, std::size_t pivot)
{
    const BlockCyclic& tiles = engine.tiles();
    const bool in_row = tiles.has_row(pivot);
    const bool in_column = tiles.has_column(pivot);
    panels.begin(pivot);
    if (in_row && in_column) engine.close(pivot);
    if (in_row || in_column) panels.exchange_pivot(pivot);
    if (in_row) engine.improve_row(pivot);
    if (in_column) engine.improve_column(pivot);
    panels.start(pivot);
}

/// Rows [first, last) of each rank's list, or fewer if the list is shorter.
struct Round
{
    std::size_t first;
    std::size_t last;

    [[nodiscard]] std::span<const Vertex> of(const std::vector<Vertex>& wanted) const
    {
        const std::size_t begin = std::min(first, wanted.size());
        return std::span(wanted).subspan(begin, std::min(last, wanted.size()) - begin);
    }
};

/// The distances, or the parents, of the rows of a round.
class RowExchange
{
public:
    RowExchange(const comm::ProcessGrid& grid, TileEngine& engine, std::span<const std::vector<Vertex>> wanted,
                std::size_t element_bytes, std::span<std::byte> Panel::*part)
        : grid_(grid),
          engine_(engine),
          tiles_(engine.tiles()),
          wanted_(wanted),
          element_bytes_(element_bytes),
          part_(part)
    {
    }

    void run(const Round& round, std::span<std::byte> rows)
    {
        std::vector<std::int64_t> send_bytes;
        send_.clear();
        for (const std::vector<Vertex>& of_rank : wanted_) {
            const std::size_t before = send_.size();
            for (const Vertex vertex : round.of(of_rank)) {
                if (!tiles_.has_row(tile_row(vertex))) continue;
                const Panel row = engine_.row(static_cast<std::size_t>(vertex));
                send_.insert(send_.end(), (row.*part_).begin(), (row.*part_).end());
            }
            send_bytes.push_back(static_cast<std::int64_t>(send_.size() - before));
        }
        const std::span<const Vertex> own = round.of(wanted_[static_cast<std::size_t>(grid_.rank())]);
        std::vector<std::int64_t> receive_bytes;
        std::int64_t all_bytes = 0;
        for_each_sender([&](int row, int column) {
            std::int64_t bytes = 0;
            for (const Vertex vertex : own)
                if (tiles_.owner_row(tile_row(vertex)) == row)
                    bytes += static_cast<std::int64_t>(tiles_.columns_of(column) * tile_bytes());
            receive_bytes.push_back(bytes);
            all_bytes += bytes;
        });
        received_.resize(static_cast<std::size_t>(all_bytes));
        grid_.world().exchange_pieces(send_, send_bytes, received_, receive_bytes);
        place(round, own, rows);
    }

private:
    [[nodiscard]] std::size_t tile_row(Vertex vertex) const { return static_cast<std::size_t>(vertex) / tiles_.tile; }
    // The bytes of one row of a tile.
    [[nodiscard]] std::size_t tile_bytes() const { return tiles_.tile * element_bytes_; }

    /// Calls f(row, column) for each position of the grid, in the order of ranks.
    template <typename F>
    void for_each_sender(F&& f) const
    {
        for (int row = 0; row < tiles_.shape.rows; ++row)
            for (int column = 0; column < tiles_.shape.columns; ++column) f(row, column);
    }

    /// Joins the received tiles, which are ordered by sender, to whole rows.
    void place(const Round& round, std::span<const Vertex> own, std::span<std::byte> rows) const
    {
        const std::byte* from = received_.data();
        for_each_sender([&](int row, int column) {
            for (std::size_t i = 0; i < own.size(); ++i) {
                if (tiles_.owner_row(tile_row(own[i])) != row) continue;
                std::byte* const to = rows.data() + (round.first + i) * tiles_.tiles * tile_bytes();
                for (auto tile = static_cast<std::size_t>(column); tile < tiles_.tiles;
                     tile += static_cast<std::size_t>(tiles_.shape.columns)) {
                    std::memcpy(to + tile * tile_bytes(), from, tile_bytes());
                    from += tile_bytes();
                }
            }
        });
    }

    const comm::ProcessGrid& grid_;
    TileEngine& engine_;
    const BlockCyclic& tiles_;
    std::span<const std::vector<Vertex>> wanted_;
    std::size_t element_bytes_;
    std::span<std::byte> Panel::*part_;
    std::vector<std::byte> send_;
    std::vector<std::byte> received_;
};

}  // namespace

void run_floyd_warshall(const comm::ProcessGrid& grid, TileEngine& engine, ProgressListener* listener,
                        MatrixCheckpoints* checkpoints)
{
    const std::size_t pivots = engine.tiles().tiles;
    const bool alone = grid.world().size() == 1;
    const std::size_t first = checkpoints == nullptr ? 0 : checkpoints->restore(engine);
    if (listener != nullptr) {
        listener->begin("steps", pivots);
        listener->advance(first);
    }
    HostPanels through_hosts(grid, engine);
    PanelExchange* const direct = engine.direct_panels();
    PanelExchange& panels = direct != nullptr ? *direct : through_hosts;
    bool has_panels = false;  // whether the step before has made the panels of the pivot
    for (std::size_t pivot = first; pivot < pivots; ++pivot) {
        if (!has_panels) make_panels(engine, panels, pivot);
        panels.wait();
        const bool saves = checkpoints != nullptr && checkpoints->due();
        std::optional<std::size_t> next;
        has_panels = !alone && !saves && pivot + 1 < pivots;
        if (has_panels) {
            next = pivot + 1;
            engine.improve_ahead(pivot, *next);
            engine.start_rest(pivot, *next);
            make_panels(engine, panels, *next);
        }
        engine.improve_rest(pivot, next, [&panels] { panels.poll(); });
        if (listener != nullptr) listener->advance(1);
        if (saves) checkpoints->save(engine, pivot + 1);
    }
}

void gather_rows(const comm::ProcessGrid& grid, TileEngine& engine, std::span<const std::vector<Vertex>> wanted,
                 const WholeRows& rows)
{
    const BlockCyclic& tiles = engine.tiles();
    std::size_t most = 0;
    for (const std::vector<Vertex>& of_rank : wanted) most = std::max(most, of_rank.size());
    const std::size_t row_bytes =
        std::max<std::size_t>(1, tiles.side() * std::max(rows.element_bytes, rows.parent_bytes));
    const std::size_t at_once = std::max<std::size_t>(1, kRoundBytes / row_bytes);
    RowExchange distances(grid, engine, wanted, rows.element_bytes, &Panel::distances);
    RowExchange parents(grid, engine, wanted, rows.parent_bytes, &Panel::parents);
    for (std::size_t first = 0; first < most; first += at_once) {
        const Round round{first, first + at_once};
        distances.run(round, rows.distances);
        if (rows.parent_bytes > 0) parents.run(round, rows.parents);
    }
}

}  // namespace wayfront::algo
