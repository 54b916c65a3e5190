#include "model/path_work.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "algo/sssp/push_pull_rules.hpp"
#include "algo/sssp/sssp_loop.hpp"
#include "algo/sssp/sssp_state.hpp"
#include "base/bitmap.hpp"
#include "model/partition_work.hpp"

namespace wayfront::model {

namespace {

using Kind = FieldRound::Kind;
// The sizes of items of messages. Distances are floats.
constexpr double kDistanceBytes = sizeof(float);
constexpr double kSlotDistanceBytes = sizeof(algo::SsspState<float>::SlotDistance);
constexpr double kFoundBytes = sizeof(algo::SsspState<float>::Found);
constexpr double kCountBytes = sizeof(std::int64_t);
constexpr double kTotalsBytes = sizeof(algo::SsspTotals<float>);
// On one rank, rows that pull later in a round find smaller distances: in Kronecker graphs of scales 16 to 20, pulls
// read 0.59 to 0.49 of the arcs that they would read without.
constexpr double kReadOnOneRank = 0.5;

constexpr double kNegligible = 1e-6;

std::uint64_t rounded(double x)
{
    return static_cast<std::uint64_t>(std::llround(std::max(0.0, x)));
}

/// For each class, the mean number of arcs of a vertex, without duplicates, that lead to shares of all classes.
std::vector<double> distinct_arcs(const VertexClasses& classes, const std::vector<double>& to_share)
{
    std::vector<double> arcs(classes.count(), 0);
    for (std::size_t k = 0; k < classes.count(); ++k)
        for (std::size_t j = 0; j < classes.count(); ++j)
            arcs[k] += classes.degrees[k] * classes.ends[k][j] * classes.distinct_ends[k][j] * to_share[j];
    return arcs;
}

std::vector<double> all_of(const VertexClasses& classes)
{
    std::vector<double> all(classes.count(), 1);
    return all;
}

/// The lists of each class, of arcs that lead to a share of each class.
std::vector<ListWeights> lists_of(const VertexClasses& classes, const std::vector<double>& to_share)
{
    std::vector<ListWeights> lists;
    const std::vector<double> distinct = distinct_arcs(classes, to_share);
    for (std::size_t k = 0; k < classes.count(); ++k) {
        double all = 0;
        for (std::size_t j = 0; j < classes.count(); ++j) all += classes.degrees[k] * classes.ends[k][j] * to_share[j];
        lists.emplace_back(all, distinct[k]);
    }
    return lists;
}

/// The arcs that vertices read in a push, by their bin; their lists are divided over some blocks.
class PushedArcs
{
public:
    PushedArcs(const FieldPaths& search, const FieldRound& round, double blocks)
        : edges_(search.edges), round_(round), blocks_(blocks)
    {
    }

    /// The arcs that a push reads. Lists of changed vertices are read from their begin, the others from the arc at
    /// which the last window ended. In a window, each block also reads the first arc of a changed vertex once more, and
    /// the first arc that is too heavy.
    [[nodiscard]] double read(const ListWeights& list, std::size_t bin, double changed, double others) const
    {
        if (round_.kind != Kind::push_window) return changed * list.below(1);
        const double distance = (edges_[bin] + edges_[bin + 1]) / 2;
        const double more = list.below(round_.relaxed.end - distance) - list.below(round_.window - distance);
        return relaxed(list, bin, changed, others) + 2 * changed * blocks_with(list.below(1)) +
               others * blocks_with(more);
    }
    /// The relaxed ones of these arcs.
    [[nodiscard]] double relaxed(const ListWeights& list, std::size_t bin, double changed, double others) const
    {
        if (round_.kind != Kind::push_window) return changed * list.below(1);
        const double distance = (edges_[bin] + edges_[bin + 1]) / 2;
        const double all = list.below(round_.relaxed.end - distance);
        return changed * all + others * (all - list.below(round_.window - distance));
    }

private:
    /// The mean number of blocks that have any of the arcs of a list.
    [[nodiscard]] double blocks_with(double arcs) const { return blocks_ * -std::expm1(-arcs / blocks_); }

    const std::vector<double>& edges_;
    const FieldRound& round_;
    double blocks_;
};

/// Calls f(class, bin, changed, others) for the vertices that relax in a push.
template <typename F>
void for_each_pushing(const FieldRound& round, F&& f)
{
    for (std::size_t k = 0; k < round.changed.size(); ++k)
        for (std::size_t bin = 0; bin + 1 < round.changed[k].size(); ++bin) {
            const double changed = round.changed[k][bin];
            const double others =
                round.kind != Kind::push_window ? 0 : std::max(0.0, round.relaxed.vertices[k][bin] - changed);
            if (changed > kNegligible || others > kNegligible) f(k, bin, changed, others);
        }
}

/// Open vertices of a class, whose arcs are divided over some blocks.
struct OpenVertices
{
    double pairs = 0;       // pairs of a vertex and a block that improves it
    double arcs = 0;        // arcs lighter than the best known distance of a block less `least`
    double read = 0;        // arcs that a pull reads
    double candidates = 0;  // pairs of a vertex and a block that has any of these arcs
};

/// The arcs that a block reads of a row in a pull, with a mean of `lighter` arcs that may improve it: in the first pull
/// the first arc, four at once if there are more than one, and then one by one (cpu/sssp/list_pull.hpp).
double read_in_block(Kind kind, double lighter)
{
    if (kind != Kind::pull_first) return lighter;
    constexpr int at_once = 4;
    double share = std::exp(-lighter);  // the share of rows with `number` arcs
    double beyond = lighter - at_once;  // the mean number of arcs beyond the first four
    double several = 1;
    for (int number = 0; number < at_once; ++number) {
        if (number < 2) several -= share;
        beyond += (at_once - number) * share;
        share *= lighter / (number + 1);
    }
    return at_once * several + std::max(0.0, beyond);
}

/// How a round scans open vertices.
struct OpenVertexScan
{
    const std::vector<double>& sums;     // the numbers of sums that arrive, by bin
    double blocks = 1;                   // the number of blocks over which the arcs are divided
    const ListWeights* lists = nullptr;  // the weights of all arcs of the class; null: arcs are not counted
};

/// The open vertices of class j.
OpenVertices scan_open(const FieldPaths& search, const FieldRound& round, std::size_t j, const OpenVertexScan& scan)
{
    std::vector<double> of_block = scan.sums;
    for (double& sum : of_block) sum /= scan.blocks;
    OpenVertices result;
    const auto read = [&](double vertices, double lighter) {
        if (scan.lists == nullptr || vertices < kNegligible) return;
        result.arcs += vertices * lighter;
        result.read += scan.blocks * vertices * read_in_block(round.kind, lighter / scan.blocks);
        result.candidates += scan.blocks * vertices * -std::expm1(-lighter / scan.blocks);
    };
    const auto lighter_than = [&](double weight) { return scan.lists == nullptr ? 0 : scan.lists->below(weight); };
    const double unreached =
        for_each_improved_bin(round.open[j], of_block, [&](std::size_t bin, const ImprovedBin& found) {
            result.pairs += scan.blocks * found.improved;
            const double distance = (search.edges[bin] + search.edges[bin + 1]) / 2;
            read(found.improved + found.kept, lighter_than(distance - round.least));
        });
    read(unreached, lighter_than(1));
    return result;
}

double reached(const std::vector<double>& of_class)
{
    return std::accumulate(of_class.begin(), of_class.end() - 1, 0.0);
}

std::vector<double> complement(std::vector<double> shares)
{
    for (double& share : shares) share = 1 - share;
    return shares;
}

}  // namespace

ListWeights::ListWeights(double all, double distinct) : all_(all)
{
    // (1 - exp(-m)) / m is the share of distinct arcs.
    const double share = all > 0 ? distinct / all : 1;
    const auto share_of = [](double m) { return m > 0 ? -std::expm1(-m) / m : 1; };
    double least = 0;
    double most = 1;
    while (share_of(most) > share) most *= 2;
    constexpr int halvings = 40;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (least + most) / 2;
        (share_of(middle) > share ? least : most) = middle;
    }
    arcs_of_pair_ = most;
}

double ListWeights::below(double weight) const
{
    return all_ * -std::expm1(-arcs_of_pair_ * std::clamp(weight, 0.0, 1.0)) / arcs_of_pair_;
}

GridPaths::GridPaths(const VertexClasses& classes, const FieldPaths& search, comm::GridShape shape)
    : classes_(classes), search_(search), shape_(shape), lists_(lists_of(classes, all_of(classes)))
{
}

GridPathWork GridPaths::work(const FieldRound& round) const
{
    const ClassBins sums = new_sums(classes_, round, all_of(classes_));
    const auto blocks = static_cast<double>(shape_.columns);
    GridPathWork work;
    for (std::size_t j = 0; j < classes_.count(); ++j) {
        const OpenVertices open = scan_open(search_, round, j, {sums[j], blocks, round.pulls() ? &lists_[j] : nullptr});
        work.pairs += open.pairs;
        if (!round.pulls()) continue;
        work.arcs += open.read * (shape_.size() == 1 ? kReadOnOneRank : 1);
        work.candidates += open.candidates;
    }
    // The first pull reads the first arc of each list.
    if (round.kind == Kind::pull_first) work.arcs += blocks * classes_.connected();
    if (round.pulls()) return work;
    const PushedArcs pushed(search_, round, shape_.rows);
    for_each_pushing(round, [&](std::size_t k, std::size_t bin, double changed, double others) {
        work.arcs += pushed.read(lists_[k], bin, changed, others);
    });
    return work;
}

RankWork mean_path_work(const GridPathWork& work, const FieldRound& round, comm::GridShape shape,
                        std::uint64_t slot_stride)
{
    const double rows = shape.rows;
    const double columns = shape.columns;
    const double ranks = rows * columns;
    const double stride = static_cast<double>(slot_stride);
    RankWork rank;
    rank.arcs = rounded(work.arcs / ranks);
    if (ranks == 1) return rank;
    rank.counts = {1, rounded((ranks - 1) * kTotalsBytes)};
    const double changed = round.changed_vertices() / columns * (1 - 1 / rows);
    if (shape.rows > 1)
        rank.expand = {1,
                       rounded(round.all_sent ? (rows - 1) * stride * kDistanceBytes : kSlotDistanceBytes * changed)};
    if (shape.columns == 1) return rank;
    if (round.pulls()) rank.refresh = {1, rounded((columns - 1) * stride * kDistanceBytes)};
    rank.fold = {2, rounded((columns - 1) * kCountBytes + kFoundBytes * work.pairs / ranks * (1 - 1 / columns))};
    return rank;
}

RankWork mean_path_work(const DrawnRound& round, comm::GridShape shape)
{
    const double ranks = shape.size();
    const double columns = shape.columns;
    RankWork rank;
    rank.arcs = rounded(std::max(1.0, round.arcs / ranks));  // some rank has at least one
    if (shape.size() == 1) return rank;
    rank.counts = {1, rounded((ranks - 1) * kTotalsBytes)};
    if (shape.rows > 1 && round.changed > 0) rank.expand = {1, rounded(kSlotDistanceBytes * round.changed / columns)};
    if (shape.columns > 1) rank.fold = {2, rounded((columns - 1) * kCountBytes + kFoundBytes * round.arcs / ranks)};
    return rank;
}

HubPaths::HubPaths(const VertexClasses& classes, const FieldPaths& search, double hubs)
    : classes_(classes),
      search_(search),
      hub_(hub_shares(classes, hubs)),
      other_(complement(hub_)),
      to_all_(lists_of(classes, all_of(classes))),
      to_hubs_(lists_of(classes, hub_)),
      to_others_(lists_of(classes, other_))
{
}

HubPathWork HubPaths::work(const FieldRound& round) const
{
    HubPathWork work = round.pulls() ? pull(round) : push(round);
    for (std::size_t k = 0; k < classes_.count(); ++k) work.changed_hubs += hub_[k] * reached(round.changed[k]);
    return work;
}

HubPathWork HubPaths::push(const FieldRound& round) const
{
    HubPathWork work;
    // Owners have the lists of their vertices.
    const PushedArcs pushed(search_, round, 1);
    for_each_pushing(round, [&](std::size_t k, std::size_t bin, double changed, double others) {
        work.arcs += pushed.read(to_all_[k], bin, changed, others);
        if (other_[k] > 0) work.pushes += other_[k] * pushed.relaxed(to_others_[k], bin, changed, others);
    });
    // An arc from another vertex to a hub is pushed if it improves the hub.
    const ClassBins sums = new_sums(classes_, round, other_);
    for (std::size_t j = 0; j < classes_.count() && hub_[j] > 0; ++j)
        work.pushes += hub_[j] * scan_open(search_, round, j, {sums[j]}).pairs;
    return work;
}

HubPathWork HubPaths::pull(const FieldRound& round) const
{
    HubPathWork work;
    const ClassBins from_hubs = new_sums(classes_, round, hub_);
    for (std::size_t j = 0; j < classes_.count(); ++j) {
        const OpenVertices open = scan_open(search_, round, j, {from_hubs[j], 1, &to_hubs_[j]});
        work.arcs += open.read;
        // Rows then send queries along their arcs to other vertices.
        work.queries += scan_open(search_, round, j, {from_hubs[j], 1, &to_others_[j]}).arcs;
        // The alternative to queries: other vertices push their whole lists. These are the changed vertices, or all
        // reached vertices before the first pull.
        const ClassBins& pushing = round.kind == Kind::pull_first ? round.relaxed.whole : round.changed;
        work.pushes += other_[j] * to_others_[j].below(1) * reached(pushing[j]);
    }
    return work;
}

RankWork mean_path_work(const HubPathWork& work, const FieldRound& round, double hubs, int ranks)
{
    RankWork rank;
    const double share = 1.0 / ranks;
    rank.arcs = rounded(work.arcs * share);
    if (ranks == 1) return rank;
    rank.counts = {1, rounded(kTotalsBytes)};
    rank.hubs = {1, rounded(std::min(kSlotDistanceBytes * work.changed_hubs, kDistanceBytes * hubs) * (1 - share))};
    const bool asks = round.pulls() && algo::prefers_path_queries(work.pushes, work.queries);
    const double arcs = (asks ? work.queries : work.pushes) * share;
    rank.exchange = {asks ? 3U : 2U,
                     rounded(arcs * (asks ? algo::kPathQueryBytes : algo::kPathPushBytes) * (1 - share))};
    rank.pushed = rounded(arcs);
    return rank;
}

SsspWork mean_path_work(const VertexClasses& classes, const FieldPaths& search, const SearchDesign& design)
{
    const int ranks = design.shape.size();
    const std::uint64_t stride = round_up_to_word(static_cast<std::size_t>(std::ceil(classes.connected() / ranks)));
    const GridPaths grid(classes, search, design.shape);
    const HubPaths hubs(classes, search, design.hubs);
    double candidates = 0;  // those of the previous pull
    const auto of_rank = [&](const FieldRound& round) {
        if (design.scheme == Scheme::hubs) return mean_path_work(hubs.work(round), round, design.hubs, ranks);
        GridPathWork of_all = grid.work(round);
        if (round.kind == Kind::pull) of_all.arcs += std::max(0.0, candidates - of_all.candidates);
        candidates = of_all.candidates;
        return mean_path_work(of_all, round, design.shape, stride);
    };
    SsspWork work;
    work.reached = rounded(search.reached);
    for (const DrawnRound& round : search.drawn)
        work.rounds.push_back({{mean_path_work(round, design.shape)}, rounded(round.changed), false});
    double pulled = 0;  // arcs of the last pull but the first
    bool pushes = false;
    for (const FieldRound& round : search.rounds) {
        pushes = pushes || (round.kind == Kind::pull && algo::ends_pulls(round.changed_arcs(classes), pulled));
        FieldRound as_push;
        if (pushes) {
            as_push = round;
            as_push.kind = Kind::push_lists;
        }
        const RankWork rank = of_rank(pushes ? as_push : round);
        if (round.kind == Kind::pull) pulled = static_cast<double>(rank.arcs) * ranks;
        work.rounds.push_back({{rank}, rounded(round.changed_vertices()), round.pulls() && !pushes});
    }
    return work;
}

}  // namespace wayfront::model
