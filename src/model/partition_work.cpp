#include "model/partition_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/message_count.hpp"
#include "comm/frontier_exchange.hpp"

namespace wayfront::model {

namespace {

/// The mean number of arcs of a part of a list that are inspected until the first hit, given that the
/// parts before it had none: of `arcs` in the mean, `hits` of which are hits.
double inspected(double arcs, double hits)
{
    constexpr double no_hits = 1e-12;
    return hits > no_hits ? arcs * -std::expm1(-hits) / hits : arcs;
}

/// The list of an open row of a class, or of a share of its arcs.
struct ListSearch
{
    double arcs = 0;              // arcs inspected until the first hit
    double all_arcs = 0;          // all arcs of the list
    double hits = 0;              // mean number of arcs to the frontier in the list
    std::vector<double> arcs_to;  // the inspected arcs, by class of their ends

    [[nodiscard]] double any_hit() const { return -std::expm1(-hits); }
    [[nodiscard]] double any_arc() const { return -std::expm1(-all_arcs); }
};

/// `share` has the share of the arcs to each class that the list has. It is in the order of classes.
ListSearch search_list(const OpenArcs& arcs, const std::vector<double>& share)
{
    ListSearch list;
    for (std::size_t j = 0; j < share.size(); ++j) {
        const double hits = arcs.to_frontier[j] * share[j];
        // Lists have no duplicates.
        list.arcs_to.push_back(std::exp(-list.hits) * inspected(arcs.distinct[j] * share[j], hits));
        list.arcs += list.arcs_to.back();
        list.hits += hits;
        list.all_arcs += arcs.all[j] * share[j];
    }
    return list;
}

std::vector<double> complement(std::vector<double> shares)
{
    for (double& share : shares) share = 1 - share;
    return shares;
}

/// The pairs of a block and a row that the block finds although the row was reached before, since another block
/// found it then: only vertices of this frontier and of the one before have arcs to this frontier.
double pairs_of_visited(const VertexClasses& classes, const FieldLevel& level, double columns)
{
    double pairs = 0;
    for (std::size_t k = 0; k < classes.count(); ++k) {
        double arcs = 0;
        for (std::size_t j = 0; j < classes.count(); ++j)
            arcs += classes.degrees[k] * classes.ends[k][j] * level.frontier[j];
        const double visited = classes.sizes[k] * (level.frontier[k] + level.previous[k]);
        pairs += visited * (columns - 1) * -std::expm1(-arcs / columns);
    }
    return pairs;
}

}  // namespace

GridWork grid_work(const VertexClasses& classes, const FieldLevel& level, int columns)
{
    const double blocks = columns;
    const std::vector<double> share(classes.count(), 1 / blocks);
    GridWork work;
    work.arcs_to.assign(classes.count(), 0);
    for (std::size_t k = 0; k < classes.count(); ++k) {
        const double rows = classes.sizes[k] * level.open[k];
        if (rows <= 0) continue;
        const ListSearch list = search_list(OpenArcs(classes, level, k), share);
        for (std::size_t j = 0; j < classes.count(); ++j) work.arcs_to[j] += rows * blocks * list.arcs_to[j];
        work.lists += rows * blocks * list.any_arc();
        work.arcs += rows * blocks * list.arcs;
        work.pairs += rows * blocks * list.any_hit();
        work.parent_queries += rows * (-std::expm1(-list.hits * blocks) - list.any_hit());
    }
    if (level.direction == algo::Direction::bottom_up) return work;
    work.lists = level.vertices;
    work.arcs = level.distinct_out_arcs;
    work.arcs_to.assign(classes.count(), 0);
    if (columns > 1) work.pairs += pairs_of_visited(classes, level, blocks);
    return work;
}

RankWork mean_rank_work(const GridWork& work, const FieldLevel& level, comm::GridShape shape, std::uint64_t slot_stride)
{
    const auto number = [](double x) { return static_cast<std::uint64_t>(std::llround(x)); };
    const std::uint64_t rows = static_cast<std::uint64_t>(shape.rows);
    const std::uint64_t columns = static_cast<std::uint64_t>(shape.columns);
    const std::uint64_t ranks = rows * columns;
    const std::uint64_t chunk_bytes = slot_stride / 8;
    RankWork rank;
    rank.arcs = number(work.arcs / static_cast<double>(ranks));
    rank.found = number(work.pairs / static_cast<double>(ranks));
    if (ranks > 1) rank.counts = {1, (ranks - 1) * sizeof(algo::FrontierCounts)};
    if (rows > 1) {
        const std::uint64_t gathered = number(level.vertices / static_cast<double>(columns));
        const bool list = comm::travels_as_list(comm::ExchangeFormat::automatic, gathered, rows, slot_stride);
        rank.expand = {1, list ? sizeof(std::uint32_t) * gathered * (rows - 1) / rows : (rows - 1) * chunk_bytes};
    }
    if (columns == 1) return rank;
    if (level.direction == algo::Direction::bottom_up) rank.refresh = {1, (columns - 1) * chunk_bytes};
    const std::uint64_t folded = number(work.pairs / static_cast<double>(rows));
    const MessageCount sum{1, sizeof(std::int64_t)};
    if (comm::travels_as_list(comm::ExchangeFormat::automatic, folded, columns * columns, slot_stride))
        rank.fold = sum + MessageCount{1, (columns - 1) * sizeof(std::int64_t)} +
                    MessageCount{1, sizeof(std::uint32_t) * folded / columns * (columns - 1) / columns};
    else
        rank.fold = sum + MessageCount{1, (columns - 1) * chunk_bytes};
    return rank;
}

void use_rotation_messages(RankWork& rank, double found, int columns, std::uint64_t slot_stride)
{
    const auto turns = static_cast<std::uint64_t>(columns);
    rank.refresh = {};
    rank.turns = {turns, turns * slot_stride / 8};
    // Ranks first exchange the sizes of their messages.
    rank.fold = {2, static_cast<std::uint64_t>(std::llround(2 * sizeof(std::uint32_t) * found))};
}

MessageCount hub_messages(std::uint64_t found, std::uint64_t own, std::uint64_t hubs, std::uint64_t ranks)
{
    const bool list = algo::hubs_travel_as_list(found, hubs, ranks);
    return {1, list ? sizeof(std::uint32_t) * (found - own) : (ranks - 1) * algo::hub_stride(hubs, ranks) / 8};
}

MessageCount push_messages(std::uint64_t pushes)
{
    return {2, static_cast<std::uint64_t>(algo::kPushBytes * static_cast<double>(pushes))};
}

MessageCount query_messages(std::uint64_t queries, std::uint64_t answers)
{
    return {3, static_cast<std::uint64_t>((algo::kQueryBytes - algo::kAnswerBytes) * static_cast<double>(queries) +
                                          algo::kAnswerBytes * static_cast<double>(answers))};
}

RankWork mean_rank_work(const HubWork& work, const algo::HubLevelChoice& choice, double hubs, int ranks)
{
    const auto mean = [ranks](double sum) { return static_cast<std::uint64_t>(std::llround(sum / ranks)); };
    const double pushes = work.pushes + (choice.unlisted ? work.unlisted_pushes : 0);
    const std::uint64_t arcs = mean(choice.pushes ? pushes : work.queries);
    RankWork rank;
    rank.counts = {1, sizeof(algo::HubLevelSums)};
    rank.hubs = hub_messages(static_cast<std::uint64_t>(std::llround(work.found_hubs)), mean(work.found_hubs),
                             static_cast<std::uint64_t>(hubs), static_cast<std::uint64_t>(ranks));
    // A rank sends nothing to itself.
    const std::uint64_t sent = arcs - arcs / static_cast<std::uint64_t>(ranks);
    rank.exchange = choice.pushes ? push_messages(sent) : query_messages(sent, sent);
    rank.pushed = arcs;
    return rank;
}

double rotation_arcs(const VertexClasses& classes, const FieldLevel& level, int columns)
{
    const double blocks = columns;
    const std::vector<double> share(classes.count(), 1 / blocks);
    double arcs = 0;
    for (std::size_t k = 0; k < classes.count(); ++k) {
        const double rows = classes.sizes[k] * level.open[k];
        if (rows <= 0) continue;
        const ListSearch list = search_list(OpenArcs(classes, level, k), share);
        // Block i of a row is searched if the i blocks before this one had no hit.
        const double searched = list.any_hit() > 1e-12 ? -std::expm1(-list.hits * blocks) / list.any_hit() : blocks;
        arcs += rows * list.arcs * searched;
    }
    return arcs;
}

HubWork hub_work(const VertexClasses& classes, const FieldLevel& level, double hubs, double listed_hubs)
{
    const std::vector<double> hub = hub_shares(classes, hubs);
    const std::vector<double> listed = hub_shares(classes, std::min(hubs, listed_hubs));
    const std::vector<double> other = complement(hub);
    HubWork work;
    work.hub_arcs_to.assign(classes.count(), 0);
    std::vector<double> missed(classes.count());  // the chance that the hubs do not find an open row
    for (std::size_t k = 0; k < classes.count(); ++k) {
        const OpenArcs arcs(classes, level, k);
        const ListSearch first = search_list(arcs, hub);
        const ListSearch rest = search_list(arcs, other);
        const double rows = classes.sizes[k] * level.open[k];
        missed[k] = std::exp(-first.hits);
        work.rows += rows * -std::expm1(-first.all_arcs - rest.all_arcs);
        work.hub_arcs += rows * first.arcs;
        for (std::size_t j = 0; j < classes.count(); ++j) work.hub_arcs_to[j] += rows * first.arcs_to[j];
        work.found += rows * first.any_hit();
        work.found_hubs += rows * hub[k] * -std::expm1(-first.hits - rest.hits);
        const double open = rows * missed[k];
        const double leaves = rows * rest.all_arcs * std::exp(-first.all_arcs - rest.all_arcs);
        work.open_rows += std::max(0.0, open * rest.any_arc() - leaves);
        work.open_arcs += std::max(0.0, open * rest.all_arcs - leaves);
        work.queries += std::max(0.0, open * rest.arcs - leaves);
    }
    for (std::size_t k = 0; k < classes.count(); ++k) {
        const double vertices = classes.sizes[k] * level.frontier[k];
        if (vertices <= 0) continue;
        double distinct = 0;
        double to_others = 0;
        double to_hubs = 0;
        double back = 0;  // arcs to the frontier before, at least one of which led here
        double back_to_others = 0;
        for (std::size_t j = 0; j < classes.count(); ++j) {
            const double arcs = classes.degrees[k] * classes.ends[k][j];
            distinct += arcs * classes.distinct_ends[k][j];
            to_others += arcs * other[j] * (level.open[j] + level.frontier[j]);
            to_hubs += arcs * hub[j] * level.open[j] * missed[j];
            back += arcs * level.previous[j];
            back_to_others += arcs * other[j] * level.previous[j];
        }
        // The arc back to the parent is not pushed.
        if (back > 1e-9) to_others += back_to_others * (1 / -std::expm1(-back) - 1 / back);
        work.pushes += vertices * other[k] * (to_others + to_hubs);
        work.unlisted_pushes += vertices * (hub[k] - listed[k]) * (to_others + to_hubs);
        work.listed_arcs += vertices * listed[k] * distinct;
    }
    return work;
}

}  // namespace wayfront::model
