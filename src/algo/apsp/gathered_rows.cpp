#include "algo/apsp/gathered_rows.hpp"

#include "algo/apsp/tile_loop.hpp"

namespace wayfront::algo {

namespace {

/// Whether each rank requests only rows that are whole rows of its own tiles. Equal on all ranks.
bool have_wanted_rows(const MatrixRanks& ranks, const BlockCyclic& tiles)
{
    if (ranks.are_alone()) return true;
    if (tiles.shape.columns > 1) return false;
    for (std::size_t rank = 0; rank < ranks.wanted.size(); ++rank)
        for (const Vertex vertex : ranks.wanted[rank])
            if (tiles.owner_row(static_cast<std::size_t>(vertex) / tiles.tile) != static_cast<int>(rank)) return false;
    return true;
}

}  // namespace

GatheredRows::GatheredRows(const MatrixRanks& ranks, TileEngine& engine, std::size_t vertices,
                           std::size_t element_bytes, std::size_t parent_bytes)
    : ranks_(ranks),
      engine_(engine),
      local_(have_wanted_rows(ranks, engine.tiles())),
      element_bytes_(element_bytes),
      parent_bytes_(parent_bytes)
{
    if (local_) return;
    const std::vector<Vertex>& own = ranks_.wanted[static_cast<std::size_t>(ranks_.grid->rank())];
    const std::size_t elements = own.size() * engine_.tiles().side();
    rows_ = HostBuffer<std::byte>(elements * element_bytes_);
    parents_ = HostBuffer<std::byte>(elements * parent_bytes_);
    place_of_vertex_.resize(vertices);
    for (std::size_t i = 0; i < own.size(); ++i) place_of_vertex_[static_cast<std::size_t>(own[i])] = i;
}

void GatheredRows::gather()
{
    if (local_) return;
    gather_rows(*ranks_.grid, engine_, ranks_.wanted, {rows_.span(), parents_.span(), element_bytes_, parent_bytes_});
}

Panel GatheredRows::row(std::size_t vertex)
{
    if (local_) return engine_.row(vertex);
    const std::size_t side = engine_.tiles().side();
    const std::size_t first = place_of_vertex_[vertex] * side;
    return {rows_.span().subspan(first * element_bytes_, side * element_bytes_),
            parents_.span().subspan(first * parent_bytes_, side * parent_bytes_)};
}

}  // namespace wayfront::algo
