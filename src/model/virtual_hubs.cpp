#include "model/virtual_hubs.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "algo/bfs/hub_rules.hpp"
#include "model/partition_work.hpp"
#include "model/virtual_levels.hpp"

namespace wayfront::model {

namespace {

class VirtualHubs final : public VirtualLevels
{
public:
    VirtualHubs(const DistributedGraph& whole, int ranks, const HubBfsOptions& options)
        : VirtualLevels(whole, {ranks, 1}),
          lists_(whole.block.in_edges.view()),
          hubs_(std::min(options.hubs, lists_.lists)),
          listed_(std::min(options.listed_hubs, hubs_)),
          parent_(slots(), kNoParent),
          found_by_hub_(slots(), 0)
    {
        for (std::uint32_t row = 0; row < lists_.lists; ++row) add_open(row, 1);
    }

    void expand(std::int32_t /*level*/, algo::Direction /*direction*/) override {}
    void search(std::int32_t level, const algo::LevelRecord& record, bool with_edges) override;

protected:
    void start(std::uint32_t slot) override { add_open(slot, -1); }
    void send_found(std::vector<std::uint32_t>& found) override { found = found_; }
    [[nodiscard]] std::vector<RankWork> result_queries() const override;

private:
    static constexpr std::uint32_t kNoParent = 0xffffffff;

    [[nodiscard]] bool is_hub(std::uint32_t slot) const { return slot < hubs_; }
    [[nodiscard]] std::uint32_t owner(std::uint32_t slot) const { return owners().rank[slot]; }
    [[nodiscard]] bool sends_queries(std::uint32_t row) const;
    [[nodiscard]] double open_arcs_of(std::uint32_t row) const;
    [[nodiscard]] std::uint64_t first_other(std::uint32_t row) const;
    void add_open(std::uint32_t row, double sign);
    void find();
    void find_parent(std::uint32_t row);
    void count_pushes();
    void visit_rows();
    void expand_lists();
    void push(bool unlisted_too);
    void send_queries();
    void gather_hubs();
    template <typename F>
    void for_each_push(std::uint32_t slot, F&& f) const;

    CsrView lists_;
    std::uint32_t hubs_;
    std::uint32_t listed_;
    std::vector<std::uint32_t> parent_;       // by slot
    std::vector<std::uint8_t> found_by_hub_;  // for visited rows and rows of this level: whether a hub found them
    std::vector<std::uint32_t> found_;        // slots found in this level
    double open_rows_ = 0;                    // open rows with arcs
    double open_arcs_ = 0;                    // the arcs of open rows that may send queries
    algo::HubLevelSums sums_;
};

void VirtualHubs::search(std::int32_t /*level*/, const algo::LevelRecord& record, bool /*with_edges*/)
{
    sums_ = {.direction = record.direction, .rows = open_rows_};
    find();
    sums_.open_arcs = open_arcs_;
    for (const std::uint32_t row : found_)
        if (!sends_queries(row)) sums_.open_arcs -= open_arcs_of(row);
    count_pushes();
    const algo::HubLevelChoice choice = algo::choose_hub_level(sums_);
    level().visits_rows = !choice.by_lists;
    if (choice.by_lists)
        expand_lists();
    else
        visit_rows();
    for (const std::uint32_t row : found_) add_open(row, -1);
    if (ranks() == 1) return;
    for (RankWork& rank : level().ranks) rank.counts = {1, sizeof(algo::HubLevelSums)};
    gather_hubs();
    if (choice.pushes)
        push(choice.unlisted);
    else
        send_queries();
}

/// Whether an open row may send queries. Leaves send theirs after the last level.
bool VirtualHubs::sends_queries(std::uint32_t row) const
{
    return found_by_hub_[row] == 0 && lists_.degree(row) > 1;
}

/// The number of arcs along which a row may send queries if no hub finds the row.
double VirtualHubs::open_arcs_of(std::uint32_t row) const
{
    return lists_.degree(row) > 1 ? static_cast<double>(lists_.end(row) - first_other(row)) : 0;
}

/// The position of the first neighbour that is not a hub. Lists are in the order of slots, which begin with the
/// hubs.
std::uint64_t VirtualHubs::first_other(std::uint32_t row) const
{
    const std::uint32_t* const list = lists_.neighbours + lists_.begin(row);
    const std::uint32_t* const end = lists_.neighbours + lists_.end(row);
    return lists_.begin(row) + static_cast<std::uint64_t>(std::lower_bound(list, end, hubs_) - list);
}

void VirtualHubs::add_open(std::uint32_t row, double sign)
{
    open_rows_ += lists_.degree(row) > 0 ? sign : 0;
    open_arcs_ += sign * open_arcs_of(row);
}

/// Finds the next frontier, and which of its vertices are found by hubs.
void VirtualHubs::find()
{
    found_.clear();
    for (const std::uint32_t slot : frontier())
        for (std::uint64_t i = lists_.begin(slot); i < lists_.end(slot); ++i) {
            const std::uint32_t row = lists_.neighbours[i];
            if (is_visited(row) || parent_[row] != kNoParent) continue;
            find_parent(row);
            found_.push_back(row);
        }
}

/// Makes the first frontier vertex in the row's list the parent of the row. Pre: there is one.
void VirtualHubs::find_parent(std::uint32_t row)
{
    std::uint64_t i = lists_.begin(row);
    while (!in_frontier(lists_.neighbours[i])) ++i;
    parent_[row] = lists_.neighbours[i];
    found_by_hub_[row] = is_hub(parent_[row]) ? 1 : 0;
}

/// Counts the work of the open rows, each of which looks for a hub of the frontier.
void VirtualHubs::visit_rows()
{
    for (std::uint32_t row = 0; row < lists_.lists; ++row) {
        if (is_visited(row) || lists_.degree(row) == 0) continue;
        RankWork& rank = level().ranks[owner(row)];
        ++rank.rows;
        rank.found += found_by_hub_[row];
        const std::uint64_t end = first_other(row);
        for (std::uint64_t i = lists_.begin(row); i < end; ++i) {
            ++rank.arcs;
            if (in_frontier(lists_.neighbours[i])) break;
        }
    }
}

/// Calls f(end) for each arc that a frontier vertex would push. A vertex does not push to its parent, to visited hubs,
/// or to hubs that another hub finds in this level.
template <typename F>
void VirtualHubs::for_each_push(std::uint32_t slot, F&& f) const
{
    for (std::uint64_t i = lists_.begin(slot); i < lists_.end(slot); ++i) {
        const std::uint32_t end = lists_.neighbours[i];
        if (end == parent_[slot]) continue;
        if (!is_hub(end) || (!is_visited(end) && found_by_hub_[end] == 0)) f(end);
    }
}

void VirtualHubs::count_pushes()
{
    for (const std::uint32_t slot : frontier()) {
        if (slot < listed_) continue;
        double& sum = is_hub(slot) ? sums_.unlisted_pushes : sums_.pushes;
        for_each_push(slot, [&sum](std::uint32_t) { sum += 1; });
    }
}

/// Counts the arcs of listed hubs, which are read instead of the arcs of open rows.
void VirtualHubs::expand_lists()
{
    for (const std::uint32_t slot : frontier()) {
        if (slot >= listed_) continue;
        for (std::uint64_t i = lists_.begin(slot); i < lists_.end(slot); ++i)
            ++level().ranks[owner(lists_.neighbours[i])].arcs;
    }
}

void VirtualHubs::push(bool unlisted_too)
{
    std::vector<std::uint64_t> received(ranks(), 0);
    for (const std::uint32_t slot : frontier()) {
        if (slot < listed_ || (is_hub(slot) && !unlisted_too)) continue;
        for_each_push(slot, [&](std::uint32_t end) {
            ++level().ranks[owner(end)].pushed;
            received[owner(end)] += owner(end) == owner(slot) ? 0U : 1U;
        });
    }
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) level().ranks[rank].exchange = push_messages(received[rank]);
}

void VirtualHubs::send_queries()
{
    std::vector<std::uint64_t> queries(ranks(), 0);
    std::vector<std::uint64_t> answers(ranks(), 0);
    for (std::uint32_t row = 0; row < lists_.lists; ++row) {
        if (is_visited(row) || !sends_queries(row)) continue;
        for (std::uint64_t i = first_other(row); i < lists_.end(row); ++i) {
            const std::uint32_t end = lists_.neighbours[i];
            ++level().ranks[owner(end)].pushed;
            const bool sent = owner(end) != owner(row);
            queries[owner(end)] += sent ? 1U : 0U;
            answers[owner(row)] += sent ? 1U : 0U;
            if (in_frontier(end)) break;
        }
    }
    for (std::uint32_t rank = 0; rank < ranks(); ++rank)
        level().ranks[rank].exchange = query_messages(queries[rank], answers[rank]);
}

/// Counts the messages by which all ranks gather the hubs of the next frontier.
void VirtualHubs::gather_hubs()
{
    std::vector<std::uint64_t> own(ranks(), 0);
    std::uint64_t all = 0;
    for (const std::uint32_t slot : found_) {
        if (!is_hub(slot)) continue;
        ++own[owner(slot)];
        ++all;
    }
    for (std::uint32_t rank = 0; rank < ranks(); ++rank)
        level().ranks[rank].hubs = hub_messages(all, own[rank], hubs_, ranks());
}

/// The owner of each leaf asks the owner of the leaf's neighbour whether the neighbour was reached. The answers
/// are bits, in an order that both owners know.
std::vector<RankWork> VirtualHubs::result_queries() const
{
    std::vector<RankWork> queries(ranks());
    if (ranks() == 1) return queries;
    std::vector<std::uint64_t> answers(std::size_t{ranks()}, 0);
    for (std::uint32_t row = 0; row < lists_.lists; ++row) {
        if (lists_.degree(row) != 1) continue;
        const std::uint32_t neighbour_owner = owner(lists_.neighbours[lists_.begin(row)]);
        ++queries[neighbour_owner].pushed;
        if (neighbour_owner != owner(row)) ++answers[owner(row)];
    }
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) queries[rank].exchange = {1, (answers[rank] + 7) / 8};
    return queries;
}

}  // namespace

SearchWork count_hub_bfs(const DistributedGraph& whole, int ranks, Vertex key, const HubBfsOptions& options)
{
    VirtualHubs search(whole, ranks, options);
    return search.run(key, options.direction, algo::kNoMaxLevel);
}

}  // namespace wayfront::model
