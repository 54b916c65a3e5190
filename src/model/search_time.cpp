#include "model/search_time.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "algo/bfs/hub_rules.hpp"
#include "base/bitmap.hpp"
#include "graph/vertex_array.hpp"

namespace wayfront::model {

namespace {

constexpr double kIndexBytes = sizeof(std::uint32_t);
constexpr double kBitsPerByte = 8;

/// The processor's time for the arcs that a level inspects bottom-up.
class ArcTimes
{
public:
    /// `columns`: columns of the grid. Each processor keeps only its column's bits of vertices close, so that the grid
    /// keeps those of `columns` times as many vertices.
    ArcTimes(const VertexClasses& classes, const Processor& processor, double columns) : processor_(processor)
    {
        near_ = hub_shares(classes, processor.near_vertices * columns);
        cached_ = hub_shares(classes, processor.far_vertices * columns);
    }

    [[nodiscard]] double of(const std::vector<double>& arcs_to) const
    {
        double seconds = 0;
        for (std::size_t j = 0; j < arcs_to.size(); ++j)
            seconds += arcs_to[j] * (near_[j] * processor_.near_arc + (cached_[j] - near_[j]) * processor_.far_arc +
                                     (1 - cached_[j]) * processor_.memory_arc);
        return seconds;
    }

private:
    const Processor& processor_;
    std::vector<double> near_;
    std::vector<double> cached_;
};

class SearchTimer
{
public:
    SearchTimer(const VertexClasses& classes, const SearchDesign& design, const Machine& machine)
        : classes_(classes),
          design_(design),
          processor_(machine.processor),
          clock_(design, machine),
          ranks_(design.shape.size()),
          arcs_(classes, processor_, design.scheme == Scheme::hubs ? 1 : design.shape.columns),
          slot_stride_(round_up_to_word(static_cast<std::size_t>(std::ceil(classes.connected() / ranks_))))
    {
    }

    [[nodiscard]] LevelTime level(const FieldLevel& level) const;
    [[nodiscard]] LevelTime result(std::span<const LevelTime> levels) const;

private:
    void add_grid_level(const FieldLevel& level, LevelTime& time) const;
    void add_hub_level(const FieldLevel& level, LevelTime& time) const;

    const VertexClasses& classes_;
    const SearchDesign& design_;
    const Processor& processor_;
    LevelClock clock_;
    double ranks_;
    ArcTimes arcs_;
    std::uint64_t slot_stride_;
};

LevelTime SearchTimer::level(const FieldLevel& level) const
{
    LevelTime time = clock_.begin(algo::to_string(level.direction));
    time.vertices = level.vertices;
    time.found = level.found;
    if (design_.scheme == Scheme::hubs)
        add_hub_level(level, time);
    else
        add_grid_level(level, time);
    time.bytes = {time.received, time.received};
    return time;
}

void SearchTimer::add_grid_level(const FieldLevel& level, LevelTime& time) const
{
    const bool bottom_up = level.direction == algo::Direction::bottom_up;
    const bool rotates = design_.scheme == Scheme::rotation && bottom_up;
    GridWork work = grid_work(classes_, level, design_.shape.columns);
    if (rotates) {
        // A block is searched for rows that the blocks before it did not find.
        const double share = rotation_arcs(classes_, level, design_.shape.columns) / std::max(work.arcs, 1.0);
        for (double& arcs : work.arcs_to) arcs *= share;
        work.lists *= share;
        work.pairs = level.found;
    }
    if (bottom_up)
        time.work += (work.lists * processor_.row + arcs_.of(work.arcs_to) + work.pairs * processor_.found) / ranks_;
    else
        time.work += work.arcs * processor_.top_down_arc / ranks_;

    time.arcs = {work.arcs / ranks_, work.arcs / ranks_};
    RankWork sent = mean_rank_work(work, level, design_.shape, slot_stride_);
    if (rotates)
        use_rotation_messages(sent, level.found / ranks_, design_.shape.columns, slot_stride_);
    else
        time.parent_queries = work.parent_queries;
    clock_.add_messages(time, sent);
}

void SearchTimer::add_hub_level(const FieldLevel& level, LevelTime& time) const
{
    const HubWork work = hub_work(classes_, level, design_.hubs, design_.listed_hubs);
    const algo::HubLevelChoice choice =
        algo::choose_hub_level({level.direction, work.rows, work.pushes, work.unlisted_pushes, work.open_arcs});
    const double arcs = (choice.by_lists ? work.listed_arcs : work.hub_arcs) / ranks_;
    time.arcs = {arcs, arcs};
    if (choice.by_lists)
        time.work += work.listed_arcs * processor_.top_down_arc / ranks_;
    else
        time.work += (work.rows * processor_.row + arcs_.of(work.hub_arcs_to) + work.found * processor_.found) / ranks_;
    if (ranks_ == 1) return;
    const RankWork sent = mean_rank_work(work, choice, design_.hubs, design_.shape.size());
    time.work += static_cast<double>(sent.pushed) * (processor_.top_down_arc + processor_.far_arc);
    clock_.add_messages(time, sent);
}

/// The work and the messages after the last level.
LevelTime SearchTimer::result(std::span<const LevelTime> levels) const
{
    LevelTime time;
    time.work = classes_.vertices() / ranks_ * processor_.result;
    const double id_bytes = VertexArray::is_narrow(std::llround(classes_.vertices())) ? 4 : 8;
    if (id_bytes > 4) time.work *= 2;
    if (design_.scheme == Scheme::hubs && ranks_ > 1) {
        // Each leaf asks whether the end of its arc was reached.
        const double leaves = classes_.leaves() / ranks_;
        clock_.add(time, {Collective::all_to_all, StepGroup::world, leaves / kBitsPerByte});
        time.work += leaves * processor_.far_arc;
        return time;
    }
    if (design_.shape.columns == 1 || design_.by_stores || design_.scheme == Scheme::rotation) return time;
    double parent_queries = 0;
    for (const LevelTime& level : levels) parent_queries += level.parent_queries / ranks_;
    // Counts; questions, as lists, or between hosts as bitmaps; there also a barrier; answers.
    const bool spans_hosts = clock_.groups().row.hosts > 1;
    const double bitmaps = (design_.shape.columns - 1) * static_cast<double>(slot_stride_) / kBitsPerByte;
    const double lists = parent_queries * kIndexBytes;
    for (const double bytes : {0.0, spans_hosts ? std::min(lists, bitmaps) : lists})
        clock_.add(time, {Collective::all_to_all, StepGroup::row, bytes});
    if (spans_hosts) clock_.add(time, {Collective::all_to_all, StepGroup::row, 0});
    clock_.add(time, {Collective::all_to_all, StepGroup::row, parent_queries * id_bytes});
    time.work += parent_queries * processor_.far_arc;
    return time;
}

}  // namespace

std::string_view to_string(Scheme scheme)
{
    switch (scheme) {
        case Scheme::rotation:
            return "rotation";
        case Scheme::hubs:
            return "1.5D";
        case Scheme::grid:
            break;
    }
    return "2D";
}

double SearchTime::sum() const
{
    return work() + messages().sum() + result;
}

double SearchTime::work() const
{
    double sum = 0;
    for (const LevelTime& level : levels) sum += level.work;
    return sum;
}

StepTime SearchTime::messages() const
{
    StepTime sum;
    for (const LevelTime& level : levels) sum += level.messages;
    return sum;
}

LevelClock::LevelClock(const SearchDesign& design, const Machine& machine)
    : design_(design), machine_(machine), groups_(design.shape, machine.network.ranks_per_host)
{
}

LevelTime LevelClock::begin(std::string_view kind) const
{
    LevelTime time;
    time.kind = kind;
    time.work = machine_.processor.level;
    if (design_.shape.size() > 1 && !design_.by_stores) time.messages.latency = machine_.processor.exchange_level;
    return time;
}

void LevelClock::add(LevelTime& time, const Step& step) const
{
    time.messages += step_time(machine_.network, groups_, step);
    time.received += step.bytes;
    time.received_between += bytes_between(groups_, step);
    time.steps.push_back(step);
}

/// Adds the steps of `count`, of which one has all bytes.
void LevelClock::add_counted(LevelTime& time, const MessageCount& count, Step step) const
{
    for (std::uint64_t number = 1; number <= count.steps; ++number) {
        step.bytes = number < count.steps ? 0 : static_cast<double>(count.bytes);
        add(time, step);
    }
}

void LevelClock::add_messages(LevelTime& time, const RankWork& rank) const
{
    if (design_.by_stores) {
        // Counts are part of the barriers of a level.
        add(time, {Collective::store, StepGroup::column, static_cast<double>(rank.expand.bytes)});
        return;
    }
    add_counted(time, rank.counts, {Collective::all_gather, StepGroup::world});
    add_counted(time, rank.expand, {Collective::all_gather, StepGroup::column});
    add_counted(time, rank.refresh, {Collective::all_gather, StepGroup::row});
    add_counted(time, rank.turns, {Collective::shift, StepGroup::row});
    add_counted(time, rank.fold, {Collective::all_to_all, StepGroup::row});
    add_counted(time, rank.hubs, {Collective::all_gather, StepGroup::world});
    add_counted(time, rank.exchange, {Collective::all_to_all, StepGroup::world});
}

SearchTime time_search(const VertexClasses& classes, const std::vector<FieldLevel>& search, const SearchDesign& design,
                       const Machine& machine)
{
    const SearchTimer timer(classes, design, machine);
    SearchTime time;
    for (const FieldLevel& level : search) time.levels.push_back(timer.level(level));
    LevelTime result = timer.result(time.levels);
    time.result = result.sum();
    time.result_steps = std::move(result.steps);
    return time;
}

MeanTime mean_of(std::span<const SearchTime> searches)
{
    MeanTime mean;
    const double share = 1 / static_cast<double>(searches.size());
    for (const SearchTime& search : searches) {
        mean.seconds += search.sum() * share;
        mean.work += search.work() * share;
        mean.result += search.result * share;
        const StepTime messages = search.messages();
        mean.messages += {messages.latency * share, messages.inside * share, messages.between * share};
        mean.levels += static_cast<double>(search.levels.size()) * share;
        for (const LevelTime& level : search.levels) {
            mean.received += level.received * share;
            mean.steps += static_cast<double>(level.steps.size()) * share;
        }
    }
    return mean;
}

std::vector<std::vector<FieldLevel>> sample_searches(const VertexClasses& classes, const algo::DirectionPolicy& policy,
                                                     int count, std::uint64_t seed)
{
    constexpr int most_tries = 100;  // for each search
    constexpr double large = 0.1;    // of the vertices with arcs
    std::mt19937_64 random(seed);
    std::vector<std::vector<FieldLevel>> searches;
    for (int tries = 0; static_cast<int>(searches.size()) < count; ++tries) {
        std::vector<FieldLevel> search = field_search(classes, policy, random);
        double reached = 0;
        for (const FieldLevel& level : search) reached += level.vertices;
        if (reached > large * classes.connected() || tries >= most_tries * count) searches.push_back(std::move(search));
    }
    return searches;
}

}  // namespace wayfront::model
