#include "algo/apsp/panel_exchange.hpp"

namespace wayfront::algo {

namespace {

void broadcast(const comm::Communicator& ranks, const Panel& panel, int root)
{
    ranks.broadcast(panel.distances, root);
    if (!panel.parents.empty()) ranks.broadcast(panel.parents, root);
}

}  // namespace

void HostPanels::exchange_pivot(std::size_t pivot)
{
    const BlockCyclic& tiles = engine_.tiles();
    if (tiles.has_row(pivot)) broadcast(grid_.row(), engine_.pivot_panel(), tiles.owner_column(pivot));
    if (tiles.has_column(pivot)) broadcast(grid_.column(), engine_.pivot_panel(), tiles.owner_row(pivot));
}

void HostPanels::start(std::size_t pivot)
{
    const BlockCyclic& tiles = engine_.tiles();
    start(grid_.column(), engine_.row_panel(pivot), tiles.owner_row(pivot));
    start(grid_.row(), engine_.column_panel(pivot), tiles.owner_column(pivot));
    pending_pivot_ = pivot;
}

void HostPanels::start(const comm::Communicator& ranks, const Panel& panel, int root)
{
    pending_.push_back(ranks.start_broadcast(panel.distances, root));
    if (!panel.parents.empty()) pending_.push_back(ranks.start_broadcast(panel.parents, root));
}

void HostPanels::poll()
{
    if (!pending_pivot_) return;
    bool done = true;
    for (comm::Pending& each : pending_) done = each.done() && done;
    if (done) finish();
}

void HostPanels::wait()
{
    if (!pending_pivot_) return;
    for (comm::Pending& each : pending_) each.wait();
    finish();
}

void HostPanels::finish()
{
    pending_.clear();
    engine_.take_panels(*pending_pivot_);
    pending_pivot_.reset();
}

}  // namespace wayfront::algo
