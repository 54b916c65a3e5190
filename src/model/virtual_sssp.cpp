#include "model/virtual_sssp.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "algo/sssp/grid_sssp.hpp"
#include "algo/sssp/host_steps.hpp"
#include "algo/sssp/sssp_loop.hpp"
#include "model/virtual_blocks.hpp"

namespace wayfront::model {

namespace {

using algo::Choice;
using algo::Expanded;
using algo::SlotFacts;

/// The steps of all ranks of a grid, one after the other.
template <typename D>
class VirtualSteps final : public algo::SsspSteps<D>
{
public:
    using SlotDistance = typename algo::SsspState<D>::SlotDistance;
    using Found = typename algo::SsspState<D>::Found;

    VirtualSteps(const comm::ProcessGrid& alone, const std::vector<DistributedGraph>& parts, algo::SsspMethod method,
                 std::vector<algo::AnySsspEngine> engines, SsspWork& work)
        : parts_(parts), stride_(parts.front().block.slot_stride), work_(work)
    {
        for (std::size_t i = 0; i < parts.size(); ++i)
            ranks_.push_back(std::make_unique<algo::HostSteps<D>>(
                alone, parts[i], std::get<std::unique_ptr<algo::SsspEngine<D>>>(std::move(engines[i])),
                algo::SsspOptions{.method = method, .shares_memory = false}));
    }

    void start(std::span<const Vertex> sources) override
    {
        work_.rounds.clear();
        work_.count_bytes = (columns() - 1) * sizeof(std::int64_t);
        begin_round();
        for (auto& rank : ranks_) rank->start(sources);
    }

    SlotFacts<D> changed() override
    {
        count_exchange();
        SlotFacts<D> all;
        for (auto& rank : ranks_) add(all, rank->changed());
        return all;
    }
    std::uint64_t out_edges_of_changed() override
    {
        return sum([](auto& rank) { return rank.out_edges_of_changed(); });
    }
    std::uint64_t settle_changed() override
    {
        return sum([](auto& rank) { return rank.settle_changed(); });
    }
    Choice<D> choose_below(D window) override
    {
        return choose([&](auto& rank) { return rank.choose_below(window); });
    }
    void add_settled_edges(D window, std::span<std::uint64_t> bins) override
    {
        for (auto& rank : ranks_) rank->add_settled_edges(window, bins);
        if (several())
            for_each_rank([&](RankWork& rank) { rank.counts = rank.counts + MessageCount{1, bins.size_bytes()}; });
    }
    Choice<D> choose_nearest(D window, std::size_t bins, std::size_t all_bins) override
    {
        return choose([&](auto& rank) { return rank.choose_nearest(window, bins, all_bins); });
    }

    void expand(Expanded slots, const algo::ExpandedCounts& counts, int round) override;
    void expand_all(int round) override;
    void refresh_rows(int round) override;
    algo::RoundWork<D> push(algo::PushExtent extent, D bound) override
    {
        return relax([&](auto& rank) { return rank.push(extent, bound); }, false);
    }
    algo::RoundWork<D> pull(const algo::PullBounds<D>& bounds) override
    {
        algo::PullBounds<D> own = bounds;
        // The loop decides for one rank. With several columns, the lists of open rows are needed.
        own.lists = own.lists || columns() > 1;
        const algo::RoundWork<D> work = relax([&](auto& rank) { return rank.pull(own); }, true);
        if (bounds.first) exchanges_after_commit_ = true;
        return work;
    }
    void commit(int round) override;

    bool leaves_out_vertices() override
    {
        return std::ranges::any_of(ranks_, [](auto& rank) { return rank->leaves_out_vertices(); });
    }
    HostBuffer<Vertex> parents_without_source() override;
    std::span<const D> slot_distances() override
    {
        throw std::logic_error("the slots of several ranks have no common order");
    }
    std::uint64_t finish(D bound, std::span<D> distances, VertexArray& parents) override;
    void fetch(std::span<D> /*distances*/, VertexArray& /*parents*/) override {}

private:
    [[nodiscard]] const Partition& partition() const { return parts_.front().partition; }
    [[nodiscard]] bool several() const { return ranks_.size() > 1; }
    [[nodiscard]] std::uint32_t columns() const { return parts_.front().block.row_chunks; }
    [[nodiscard]] std::uint32_t rows() const { return parts_.front().block.col_chunks; }
    [[nodiscard]] std::size_t at(std::uint32_t row, std::uint32_t column) const
    {
        return std::size_t{row} * columns() + column;
    }
    [[nodiscard]] RoundWork& round() { return work_.rounds.back(); }

    void begin_round() { work_.rounds.push_back({std::vector<RankWork>(ranks_.size())}); }
    template <typename F>
    void for_each_rank(F&& f)
    {
        for (RankWork& rank : round().ranks) f(rank);
    }
    /// Counts the all-reduce of the loop's totals, one for each request of facts of own slots.
    void count_exchange()
    {
        const MessageCount totals{1, (ranks_.size() - 1) * sizeof(algo::SsspTotals<D>)};
        if (several()) for_each_rank([&](RankWork& rank) { rank.counts = rank.counts + totals; });
    }
    static void add(SlotFacts<D>& all, const SlotFacts<D>& facts)
    {
        all.slots += facts.slots;
        all.least = std::min(all.least, facts.least);
    }
    template <typename F>
    std::uint64_t sum(F&& f)
    {
        std::uint64_t sum = 0;
        for (auto& rank : ranks_) sum += f(*rank);
        return sum;
    }
    template <typename F>
    Choice<D> choose(F&& f)
    {
        count_exchange();
        Choice<D> all;
        for (auto& rank : ranks_) {
            const Choice<D> own = f(*rank);
            add(all.chosen, own.chosen);
            all.least_left = std::min(all.least_left, own.least_left);
        }
        return all;
    }
    template <typename F>
    algo::RoundWork<D> relax(F&& f, bool pulls)
    {
        round().pulls = pulls;
        algo::RoundWork<D> all;
        for (std::size_t i = 0; i < ranks_.size(); ++i) {
            const algo::RoundWork<D> own = f(*ranks_[i]);
            round().ranks[i].arcs += own.arcs;
            all.improved_rows += own.improved_rows;
            all.arcs += own.arcs;
            all.next = std::min(all.next, own.next);
            all.overflow = all.overflow || own.overflow;
        }
        return all;
    }
    void fold_row(std::uint32_t row);

    const std::vector<DistributedGraph>& parts_;
    std::uint32_t stride_;
    SsspWork& work_;
    std::vector<std::unique_ptr<algo::HostSteps<D>>> ranks_;
    bool exchanges_after_commit_ = false;  // in the first pull, whose facts engines count
};

template <typename D>
void VirtualSteps<D>::expand(Expanded slots, const algo::ExpandedCounts& counts, int /*round*/)
{
    round().changed = counts.all;
    for (std::uint32_t column = 0; column < columns(); ++column) {
        std::vector<SlotDistance> all;
        std::vector<std::size_t> of_rank(rows(), 0);
        for (std::uint32_t row = 0; row < rows() && counts.all > 0; ++row) {
            const std::span<const SlotDistance> distances = ranks_[at(row, column)]->distances_of(slots);
            of_rank[row] = distances.size();
            all.insert(all.end(), distances.begin(), distances.end());
        }
        for (std::uint32_t row = 0; row < rows(); ++row) {
            ranks_[at(row, column)]->take_distances(slots, all, {of_rank, counts.all});
            if (rows() > 1 && counts.all > 0)
                round().ranks[at(row, column)].expand = {1, (all.size() - of_rank[row]) * sizeof(SlotDistance)};
        }
    }
}

template <typename D>
void VirtualSteps<D>::expand_all(int /*round*/)
{
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        const std::uint32_t column = parts_[i].block.own_row_chunk;
        D* const distances = ranks_[i]->state().memory().col_distances;
        for (std::uint32_t row = 0; row < rows(); ++row) {
            const std::span<const D> own = ranks_[at(row, column)]->slot_distances();
            if (own.data() != distances + std::size_t{row} * stride_)
                std::ranges::copy(own, distances + std::size_t{row} * stride_);
        }
        if (rows() > 1) round().ranks[i].expand = {1, std::size_t{rows() - 1} * stride_ * sizeof(D)};
    }
}

template <typename D>
void VirtualSteps<D>::refresh_rows(int /*round*/)
{
    if (columns() == 1) return;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        const std::uint32_t row = parts_[i].block.own_col_chunk;
        D* const distances = ranks_[i]->state().memory().row_distances;
        for (std::uint32_t column = 0; column < columns(); ++column)
            if (at(row, column) != i)
                std::ranges::copy(ranks_[at(row, column)]->slot_distances(), distances + std::size_t{column} * stride_);
        round().ranks[i].refresh = {1, std::size_t{columns() - 1} * stride_ * sizeof(D)};
    }
}

template <typename D>
void VirtualSteps<D>::commit(int round)
{
    if (columns() == 1)
        for (auto& rank : ranks_) rank->commit(round);
    else
        for (std::uint32_t row = 0; row < rows(); ++row) fold_row(row);
    begin_round();
    if (std::exchange(exchanges_after_commit_, false)) count_exchange();
}

/// Sends the distances that the ranks of a grid row found to the owners of the vertices.
template <typename D>
void VirtualSteps<D>::fold_row(std::uint32_t row)
{
    std::vector<std::vector<Found>> received(columns());
    for (std::uint32_t from = 0; from < columns(); ++from) {
        algo::HostSteps<D>& rank = *ranks_[at(row, from)];
        rank.state().sort_found(rank.improved());
        std::size_t first = 0;
        for (std::uint32_t to = 0; to < columns(); ++to) {
            const auto count = static_cast<std::size_t>(rank.state().found_counts()[to]);
            const std::span<const Found> found = rank.state().found().subspan(first, count);
            received[to].insert(received[to].end(), found.begin(), found.end());
            first += count;
        }
    }
    for (std::uint32_t column = 0; column < columns(); ++column) {
        ranks_[at(row, column)]->state().take_found(received[column]);
        round().ranks[at(row, column)].fold = {2, work_.count_bytes + received[column].size() * sizeof(Found)};
    }
}

template <typename D>
HostBuffer<Vertex> VirtualSteps<D>::parents_without_source()
{
    HostBuffer<Vertex> all(static_cast<std::size_t>(partition().vertex_count()));
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        const HostBuffer<Vertex> own = ranks_[i]->parents_without_source();
        for (std::uint32_t local = 0; local < own.size(); ++local)
            all[static_cast<std::size_t>(partition().vertex(static_cast<int>(i), local))] = own[local];
    }
    return all;
}

template <typename D>
std::uint64_t VirtualSteps<D>::finish(D bound, std::span<D> distances, VertexArray& parents)
{
    std::uint64_t reached = 0;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        HostBuffer<D> own(parts_[i].local_count());
        VertexArray own_parents(own.size(), partition().vertex_count());
        reached += ranks_[i]->finish(bound, own.span(), own_parents);
        for (std::uint32_t local = 0; local < own.size(); ++local) {
            const auto vertex = static_cast<std::size_t>(partition().vertex(static_cast<int>(i), local));
            distances[vertex] = own[local];
            parents.set(vertex, own_parents[local]);
        }
    }
    work_.reached = reached;
    return reached;
}

}  // namespace

std::uint64_t all_arcs(const SsspWork& work)
{
    std::uint64_t arcs = 0;
    for (const RoundWork& round : work.rounds)
        for (const RankWork& rank : round.ranks) arcs += rank.arcs;
    return arcs;
}

SsspWork scaled(SsspWork work, double factor, double arcs_factor)
{
    const auto grow = [](std::uint64_t& number, double times) {
        number = static_cast<std::uint64_t>(static_cast<double>(number) * times);
    };
    grow(work.reached, factor);
    for (RoundWork& round : work.rounds) {
        grow(round.changed, factor);
        for (RankWork& rank : round.ranks) {
            for (MessageCount* const count : {&rank.expand, &rank.refresh}) grow(count->bytes, factor);
            std::uint64_t entries = rank.fold.steps > 0 ? rank.fold.bytes - work.count_bytes : 0;
            rank.fold.bytes -= entries;
            grow(entries, factor);
            rank.fold.bytes += entries;
            grow(rank.arcs, arcs_factor);
        }
    }
    return work;
}

VirtualSssp::VirtualSssp(const comm::ProcessGrid& alone, const DistributedGraph& whole, comm::GridShape shape,
                         const algo::SsspOptions& options, const algo::SsspEngineMaker& make_engine)
    : parts_(divide(whole, shape))
{
    algo::SsspOptions own = options;
    own.log = nullptr;
    own.smallest_parents = false;  // chosen after the search
    const auto make_steps = [this, &alone, make_engine](algo::SsspMethod method, bool narrow) -> algo::AnySsspSteps {
        std::vector<algo::AnySsspEngine> engines;
        engines.reserve(parts_.size());
        for (const DistributedGraph& part : parts_) engines.push_back(make_engine(part.block, narrow));
        return std::visit(
            [&]<typename D>(const std::unique_ptr<algo::SsspEngine<D>>&) -> algo::AnySsspSteps {
                return std::make_unique<VirtualSteps<D>>(alone, parts_, method, std::move(engines), work_);
            },
            engines.front());
    };
    search_ = algo::make_grid_sssp(alone, whole, own, algo::SsspStepsMaker(make_steps));
}

VirtualSssp::~VirtualSssp() = default;

const SsspWork& VirtualSssp::run(Vertex source)
{
    search_->run(source);
    return work_;
}

}  // namespace wayfront::model
