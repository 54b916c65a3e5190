#include "gpu/apsp/matrix/device_panels.hpp"

#include <utility>
#include <vector>

namespace wayfront::gpu::apsp {

namespace {

/// The ranks that make and receive the panels of a pivot.
class PanelPlaces
{
public:
    explicit PanelPlaces(const algo::BlockCyclic& tiles) : tiles_(tiles) {}

    [[nodiscard]] bool owns(std::size_t pivot) const { return tiles_.has_row(pivot) && tiles_.has_column(pivot); }
    [[nodiscard]] int owner(std::size_t pivot) const
    {
        return rank(tiles_.owner_row(pivot), tiles_.owner_column(pivot));
    }
    /// The rank that makes the panel that this rank needs.
    [[nodiscard]] int maker(PanelPart part, std::size_t pivot) const
    {
        if (part == PanelPart::pivot) return owner(pivot);
        return part == PanelPart::row ? rank(tiles_.owner_row(pivot), tiles_.grid_column)
                                      : rank(tiles_.grid_row, tiles_.owner_column(pivot));
    }
    [[nodiscard]] bool makes(PanelPart part, std::size_t pivot) const
    {
        return maker(part, pivot) == rank(tiles_.grid_row, tiles_.grid_column);
    }

    /// Calls f(rank) for each other rank of this rank's grid column or grid row.
    template <typename F>
    void for_each_in_column(F&& f) const
    {
        for (int row = 0; row < tiles_.shape.rows; ++row)
            if (row != tiles_.grid_row) f(rank(row, tiles_.grid_column));
    }
    template <typename F>
    void for_each_in_row(F&& f) const
    {
        for (int column = 0; column < tiles_.shape.columns; ++column)
            if (column != tiles_.grid_column) f(rank(tiles_.grid_row, column));
    }

private:
    [[nodiscard]] int rank(int row, int column) const { return row * tiles_.shape.columns + column; }

    const algo::BlockCyclic& tiles_;
};

class PeerPanels final : public algo::PanelExchange
{
public:
    explicit PeerPanels(const PanelWork& work)
        : work_(work), places_(work.tiles), opened_(work.grid.world(), work.panels.base())
    {
    }

    // When all ranks have reached this barrier, each rank has finished the step before the last
    // one, and with it the copies of that step's panels.
    void begin(std::size_t /*pivot*/) override { work_.grid.world().barrier(); }

    void exchange_pivot(std::size_t pivot) override
    {
        const algo::BlockCyclic& tiles = work_.tiles;
        if (places_.owns(pivot)) work_.stream.synchronize();
        std::byte complete{};
        if (tiles.has_row(pivot)) work_.grid.row().broadcast(std::span(&complete, 1), tiles.owner_column(pivot));
        if (tiles.has_column(pivot)) work_.grid.column().broadcast(std::span(&complete, 1), tiles.owner_row(pivot));
        copy(PanelPart::pivot, pivot);
    }

    void start(std::size_t pivot) override
    {
        const algo::BlockCyclic& tiles = work_.tiles;
        const bool sends_row = tiles.shape.rows > 1 && places_.makes(PanelPart::row, pivot);
        const bool sends_column = tiles.shape.columns > 1 && places_.makes(PanelPart::column, pivot);
        if (sends_row || sends_column) work_.stream.synchronize();
        announce(row_, work_.grid.column(), tiles.owner_row(pivot), pivot);
        announce(column_, work_.grid.row(), tiles.owner_column(pivot), pivot);
    }

    void poll() override
    {
        for (Announced* const panel : {&row_, &column_})
            if (panel->is_pending && panel->message.done()) copy_announced(*panel);
    }

    void wait() override
    {
        for (Announced* const panel : {&row_, &column_}) {
            if (!panel->is_pending) continue;
            panel->message.wait();
            copy_announced(*panel);
        }
    }

private:
    /// A one-byte message: a panel is complete in the memory of the rank that made it.
    struct Announced
    {
        explicit Announced(PanelPart of_part) : part(of_part) {}

        PanelPart part;
        bool is_pending = false;
        std::size_t pivot = 0;
        std::byte byte{};
        comm::Pending message;
    };

    static void announce(Announced& panel, const comm::Communicator& ranks, int root, std::size_t pivot)
    {
        panel.pivot = pivot;
        panel.message = ranks.start_broadcast(std::span(&panel.byte, 1), root);
        panel.is_pending = true;
    }
    void copy_announced(Announced& panel)
    {
        panel.is_pending = false;
        copy(panel.part, panel.pivot);
    }

    /// Copies a panel from the memory of the rank that has made it.
    void copy(PanelPart part, std::size_t pivot)
    {
        if (places_.makes(part, pivot)) return;
        std::byte* const peer = opened_.base(static_cast<std::size_t>(places_.maker(part, pivot)));
        copy_async(std::span<const std::uint32_t>(work_.panels.in(peer, part, pivot)), work_.panels.of(part, pivot),
                   work_.stream);
    }

    PanelWork work_;
    PanelPlaces places_;
    OpenedPeers opened_;
    Announced row_{PanelPart::row};
    Announced column_{PanelPart::column};
};

class NcclPanels final : public algo::PanelExchange
{
public:
    NcclPanels(const PanelWork& work, std::shared_ptr<NcclRanks> nccl)
        : work_(work), places_(work.tiles), nccl_(std::move(nccl))
    {
    }

    void exchange_pivot(std::size_t pivot) override
    {
        add(PanelPart::pivot, pivot, [&](auto&& send) {
            places_.for_each_in_column(send);
            places_.for_each_in_row(send);
        });
        send();
    }
    void start(std::size_t pivot) override
    {
        add(PanelPart::row, pivot, [&](auto&& send) { places_.for_each_in_column(send); });
        add(PanelPart::column, pivot, [&](auto&& send) { places_.for_each_in_row(send); });
        send();
    }
    void poll() override {}
    void wait() override {}

private:
    /// Adds the messages of a panel. The rank that makes the panel sends it to each rank for which
    /// `for_each_receiver` calls its function; another rank receives it from its maker.
    template <typename F>
    void add(PanelPart part, std::size_t pivot, F&& for_each_receiver)
    {
        const std::span<std::byte> panel = std::as_writable_bytes(work_.panels.of(part, pivot));
        if (places_.makes(part, pivot))
            for_each_receiver([&](int rank) {
                messages_.push_back({NcclMessage::Kind::sent, rank, panel.data(), panel.size()});
            });
        else
            messages_.push_back({NcclMessage::Kind::received, places_.maker(part, pivot), panel.data(), panel.size()});
    }
    void send()
    {
        if (!messages_.empty()) nccl_->exchange(messages_, work_.stream);
        messages_.clear();
    }

    PanelWork work_;
    PanelPlaces places_;
    std::shared_ptr<NcclRanks> nccl_;
    std::vector<NcclMessage> messages_;
};

}  // namespace

DevicePanels::DevicePanels(const algo::BlockCyclic& tiles, MinPlusSums sums)
    : sets_(PanelPlan::sets(tiles)), plan_(tiles, sums), words_(words_of_panels(tiles, sums)), memory_(plan_.bytes())
{
}

std::span<std::uint32_t> DevicePanels::in(std::byte* base, PanelPart part, std::size_t pivot) const
{
    const auto index = static_cast<std::size_t>(part);
    return {plan_.panels[pivot % sets_][index].in(base), words_[index]};
}

std::unique_ptr<algo::PanelExchange> exchange_over_peers(const PanelWork& work)
{
    return std::make_unique<PeerPanels>(work);
}

std::unique_ptr<algo::PanelExchange> exchange_over_nccl(const PanelWork& work, std::shared_ptr<NcclRanks> nccl)
{
    return std::make_unique<NcclPanels>(work, std::move(nccl));
}

}  // namespace wayfront::gpu::apsp
