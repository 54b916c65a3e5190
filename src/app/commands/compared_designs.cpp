#include "app/commands/compared_designs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace wayfront::app {

namespace {

// Powers of two of the hubs, and of those that have a list of their arcs on each rank.
constexpr int kLeastHubs = 16;
constexpr int kLeastCountedHubs = 6;  // for a graph that is loaded
constexpr int kLeastListedHubs = 20;
constexpr int kMostListedHubs = 28;

constexpr int kMostOfAllGrids = 1 << 10;  // ranks; of more, columns are powers of two

double bytes_of(const KnownGraph& known, const ClusterPlan& plan, const model::SearchDesign& design)
{
    if (design.scheme == model::Scheme::hubs) return model::hub_search_bytes(known.hub_size(design), design);
    const model::PhaseMemory searches = model::memory_of(plan.graph, design.shape, plan.machine.processor).back();
    return plan.machine.processor.gpu ? searches.device_bytes : searches.host_bytes;
}

/// Adds the fastest of those that fit the memory of a GPU; if none does, of all.
void keep_best(const KnownGraph& known, const std::vector<model::SearchDesign>& candidates, ClusterPlan& plan)
{
    if (candidates.empty()) return;
    const model::Processor& processor = plan.machine.processor;
    std::vector<TriedDesign> tried;
    tried.reserve(candidates.size());
    for (const model::SearchDesign& candidate : candidates)
        tried.push_back({candidate, model::mean_of(known.clock(candidate, plan.machine)).seconds,
                         bytes_of(known, plan, candidate)});
    const auto best = std::ranges::min_element(tried, {}, [&](const TriedDesign& each) {
        return std::pair(processor.gpu && each.rank_bytes > processor.memory_bytes, each.seconds);
    });
    const model::SearchDesign design = best->design;
    plan.designs.push_back({design, model::range_of(known.clock, design, plan.machine), best->rank_bytes,
                            model::construction_seconds(plan.graph, design, plan.machine),
                            model::typical(known.clock(design, plan.machine)), std::move(tried)});
}

/// Every fourth power of two as the number of hubs, and of those with lists; for shortest paths, and in graphs that are
/// counted, all have lists.
std::vector<model::SearchDesign> hub_designs(const KnownGraph& known, const ClusterPlan& plan)
{
    std::vector<model::SearchDesign> designs;
    if (!known.hub_size) return designs;
    const int ranks = plan.design.shape.size();
    const int first = known.classes ? kLeastHubs : kLeastCountedHubs;
    for (int power = first; std::exp2(power) < known.planned.connected; power += 2) {
        const bool may_lack_lists = known.classes && !plan.paths;
        const int least = may_lack_lists ? std::min(power, kLeastListedHubs) : power;
        for (int listed = least; listed <= power && (listed == least || listed <= kMostListedHubs); listed += 2)
            designs.push_back({model::Scheme::hubs, {ranks, 1}, std::exp2(power), std::exp2(listed)});
    }
    return designs;
}

}  // namespace

void compare_designs(const KnownGraph& known, ClusterPlan& plan)
{
    const int ranks = plan.design.shape.size();
    std::vector<model::SearchDesign> grids;
    std::vector<model::SearchDesign> rotations;
    for (int columns = 2; columns <= ranks; ++columns) {
        const bool is_power = std::has_single_bit(static_cast<unsigned>(columns));
        if (ranks % columns != 0 || (ranks > kMostOfAllGrids && !is_power && columns != plan.design.shape.columns))
            continue;
        grids.push_back({model::Scheme::grid, {ranks / columns, columns}});
        if (!plan.paths) rotations.push_back({model::Scheme::rotation, {ranks / columns, columns}});
    }
    keep_best(known, {{model::Scheme::grid, {ranks, 1}, 0, 0, plan.design.by_stores}}, plan);
    if (ranks == 1) return;
    for (const auto& candidates : {grids, rotations, hub_designs(known, plan)}) keep_best(known, candidates, plan);
    std::ranges::stable_sort(plan.designs, {}, [](const ComparedDesign& design) { return design.time.mean.seconds; });
}

}  // namespace wayfront::app
