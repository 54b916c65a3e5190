#include "plan/apsp/core_methods.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cpu/apsp/arc_list_rows.hpp"
#include "cpu/apsp/bit_parallel.hpp"
#include "cpu/apsp/combined_rows.hpp"
#include "cpu/apsp/elimination_rows.hpp"
#include "cpu/apsp/floyd_warshall.hpp"
#include "cpu/apsp/push_pull_rows.hpp"
#include "graph/large_diameter.hpp"
#include "plan/apsp/elimination.hpp"
#include "plan/apsp/obstacles.hpp"
#include "plan/apsp/push_pull.hpp"

namespace wayfront::plan {

namespace {

using algo::DistanceType;

constexpr double kBatchBytes = 1 << 22;

/// The part of an offer that all methods share.
ApspOffer common_offer(const ApspCase& asked)
{
    constexpr double bytes_of_source = 96;  // the source, and the facts of its row
    ApspOffer offer;
    offer.bytes = bytes_of_source * static_cast<double>(asked.work.sources);
    if (asked.distances.whole) return offer;
    const bool wide = asked.work.weights == WeightType::float64;
    offer.roundings.addition = wide ? algo::kUnitRoundoff<double> : algo::kUnitRoundoff<float>;
    if (wide && asked.distances.type == DistanceType::float32) offer.roundings.conversion = algo::kUnitRoundoff<float>;
    return offer;
}

/// The bytes of a row, with its parents.
double row_bytes(const ApspCase& asked)
{
    return asked.vertices() * (asked.element_bytes() + (asked.work.parents ? sizeof(std::int32_t) : 0));
}

std::string obstacle_of_searches(const ApspCase& asked)
{
    return negative_weights_obstacle(asked.work);
}

/// The bytes of a batch of rows, and of a row for each thread.
double batch_bytes(const ApspCase& asked)
{
    return asked.work.rows ? kBatchBytes + row_bytes(asked) * asked.machine.threads_of_rank : 0;
}

/// An offer of searches that take `seconds` each, and `bytes` of a rank. `make` is one of the functions that make rows
/// by searches.
template <typename Make>
ApspOffer offer_of_searches(const ApspCase& asked, double seconds, double bytes, Make&& make)
{
    ApspOffer offer = common_offer(asked);
    offer.seconds = static_cast<double>(asked.work.sources) * seconds / asked.machine.threads;
    offer.search_seconds = seconds;
    offer.bytes += bytes + batch_bytes(asked);
    offer.finds_parents = true;
    offer.make = [make = std::forward<Make>(make), distances = asked.distances](
                     const ApspWork& work, const DistributedGraph& graph, const RowMaking& /*making*/) {
        return make(graph, {.type = distances.type, .parents = work.parents, .most_distance = distances.most_distance});
    };
    return offer;
}

ApspOffer offer_dijkstra(const ApspCase& asked)
{
    const double bytes = cpu::dijkstra_rows_bytes(asked.vertices(), asked.arcs(), asked.machine.threads_of_rank);
    return offer_of_searches(asked, dijkstra_seconds(asked.rates.core, asked.shape), bytes, cpu::make_dijkstra_rows);
}

double delta_stepping_bytes(const ApspCase& asked)
{
    return cpu::delta_stepping_rows_bytes(asked.vertices(), asked.arcs(), asked.machine.threads_of_rank);
}

ApspOffer offer_delta_stepping(const ApspCase& asked)
{
    return offer_of_searches(asked, delta_stepping_seconds(asked.rates.core, asked.shape), delta_stepping_bytes(asked),
                             cpu::make_delta_stepping_rows);
}

std::string obstacle_of_push_pull(const ApspCase& asked)
{
    return push_pull_obstacle(asked.work);
}

ApspOffer offer_push_pull(const ApspCase& asked)
{
    const double bytes = cpu::push_pull_rows_bytes(asked.graph, asked.machine.threads_of_rank);
    ApspOffer offer =
        offer_of_searches(asked, push_pull_seconds(asked.rates.core, asked.shape), bytes, cpu::make_push_pull_rows);
    offer.seconds += list_sort_seconds(asked);
    return offer;
}

std::string obstacle_of_combined(const ApspCase& asked)
{
    for (std::string obstacle :
         {negative_weights_obstacle(asked.work), checkpoint_obstacle(asked.work), floats_obstacle(asked)})
        if (!obstacle.empty()) return obstacle;
    if (asked.ranks() > 1) return fmt::format("it runs on one rank, but {} were started", asked.ranks());
    return "";
}

ApspOffer offer_combined(const ApspCase& asked)
{
    // The whole matrix is computed. The share of searched rows grows with the degree.
    constexpr double combining = 0.3;  // the time of a combined row, in searches by Dijkstra's algorithm
    const double n = asked.vertices();
    const double of_rows = combining * dijkstra_seconds(asked.rates.core, asked.shape) * n;
    const double of_searches =
        asked.expected_combination().searched * delta_stepping_seconds(asked.rates.core, asked.shape);
    // The type of the matrix holds all distances, also those of rows that are not requested.
    const ApspDistances& distances = asked.distances;
    const bool suffices = distances.most_distance <= algo::most_whole_distance(distances.type);
    const DistanceType type = suffices ? distances.type : algo::smallest_whole_type(distances.most_distance, false);
    ApspOffer offer = common_offer(asked);
    offer.seconds = (of_rows + of_searches) / asked.machine.threads;
    offer.bytes += delta_stepping_bytes(asked) + batch_bytes(asked) +
                   n * n * static_cast<double>(algo::bytes_of(type)) + kBatchBytes;
    offer.keeps_matrix = offer.matrix_has_row_type = true;
    offer.make = [type, most = distances.most_distance](const ApspWork& /*work*/, const DistributedGraph& graph,
                                                        const RowMaking& making) {
        auto searches = cpu::make_delta_stepping_rows(graph, {.type = type, .most_distance = most});
        return algo::make_matrix_rows(cpu::make_combined_rows(graph, std::move(searches)), making.listener);
    };
    return offer;
}

std::string obstacle_of_bit_parallel(const ApspCase& asked)
{
    return asked.work.weights == WeightType::none
               ? ""
               : fmt::format("{} has weights; it is for graphs without weights", asked.work.name);
}

ApspOffer offer_bit_parallel(const ApspCase& asked)
{
    constexpr double sources_of_rate = 512;
    // The number of levels of a random graph. In random, Kronecker and complete graphs, an arc is
    // read half of its square times, to within a factor of three; in trees, less often.
    const double degree = std::max(2.0, asked.arcs() / std::max(1.0, asked.vertices()));
    const double levels = std::max(1.0, std::log(std::max(1.0, asked.vertices())) / std::log(degree));
    // In deep graphs, a vertex is at the same distance from only a few of the sources.
    const double depth = static_cast<double>(
        sampled_levels(asked.graph.block.out_edges().view(), static_cast<std::size_t>(2 * sources_of_rate)));
    const double reads = std::max(std::min(levels * levels / 2, std::max(1.0, 2 * depth)), depth / 2);
    ApspOffer offer = common_offer(asked);
    offer.seconds = asked.rates.core.set_arc * asked.arcs() * reads * static_cast<double>(asked.work.sources) /
                    sources_of_rate / asked.machine.threads;
    // The number of sources at once that memory allows, at most the number of sources.
    const double share = asked.machine.bytes.value_or(1e300) / 2;
    const double sources_of_thread = std::ceil(static_cast<double>(asked.work.sources) / asked.machine.threads);
    std::size_t together = 0;
    double searches = 0;
    for (const std::size_t sources : {std::size_t{512}, std::size_t{256}, std::size_t{64}}) {
        together = sources;
        searches = cpu::bit_parallel_bytes(asked.vertices(), sources) +
                   (asked.work.rows ? row_bytes(asked) * static_cast<double>(sources) : 0);
        searches *= asked.machine.threads_of_rank;
        const bool too_many = static_cast<double>(sources) >= 2 * std::max(64.0, sources_of_thread);
        if (searches < share && !too_many) break;
    }
    offer.bytes += searches;
    offer.make = [type = asked.distances.type, together](const ApspWork& /*work*/, const DistributedGraph& graph,
                                                         const RowMaking& /*making*/) {
        return cpu::make_bit_parallel_rows(graph, {.type = type, .sources_a_thread = together});
    };
    return offer;
}

std::string no_obstacle(const ApspCase& /*asked*/)
{
    return "";
}

ApspOffer offer_floyd_warshall(const ApspCase& asked)
{
    const cpu::FloydWarshallOptions options{.type = asked.distances.type,
                                            .parents = asked.work.parents,
                                            .most_distance = asked.distances.most_distance,
                                            .tile = 0};
    const double width = std::max(1.0, asked.element_bytes() / 4);
    constexpr double of_two_bytes =
        0.6;  // the share of the time of 4 bytes (bench/results/apsp-floyd-warshall-strips.json)
    const double narrow = cpu::floyd_warshall_is_narrow(asked.work.weights, options) ? of_two_bytes : 1;
    const CoreRates& rates = asked.rates.core;
    const double relaxation = width * (asked.work.parents           ? rates.parents_relaxation
                                       : asked.machine.wide_vectors ? rates.wide_relaxation * narrow
                                                                    : rates.relaxation * narrow);
    ApspOffer offer = common_offer(asked);
    offer.seconds =
        cpu::floyd_warshall_sums(asked.vertices(), asked.work.weights, options) * relaxation / asked.machine.threads;
    offer.roundings.in_any_order = !asked.distances.whole;
    // As nearly square as possible, so that panels are short.
    offer.matrix_grid = comm::default_grid_shape(asked.ranks(), 0);
    offer.bytes += cpu::floyd_warshall_bytes(asked.vertices(), asked.work.weights, options, *offer.matrix_grid,
                                             static_cast<double>(asked.sources_of_rank()));
    offer.keeps_matrix = true;
    offer.matrix_has_row_type = !asked.distances.whole;  // whole numbers are computed in a type of its own choice
    offer.finds_parents = true;
    offer.make = [options](const ApspWork& /*work*/, const DistributedGraph& graph, RowMaking making) {
        return algo::make_matrix_rows(cpu::make_floyd_warshall(graph, options, std::move(making.ranks)),
                                      making.listener);
    };
    return offer;
}

ApspOffer offer_elimination(const ApspCase& asked)
{
    constexpr double lanes = 16;
    const int threads = asked.machine.threads_of_rank;
    const algo::Elimination& tree = *asked.elimination;
    const double of_vertex = asked.rates.core.elimination_vertex + (asked.work.rows ? asked.rates.core.row_vertex : 0);
    const double of_source = of_vertex * static_cast<double>(tree.positions.size()) +
                             asked.rates.core.elimination_arc * static_cast<double>(tree.arcs_from_ancestors.size());
    const double groups = std::ceil(static_cast<double>(asked.work.sources) / lanes);
    ApspOffer offer = common_offer(asked);
    offer.seconds = std::ceil(groups / asked.machine.threads) * lanes * of_source;
    offer.bytes += static_cast<double>(tree.bytes()) +
                   cpu::elimination_rows_bytes(asked.vertices(), tree.height, threads) +
                   (asked.work.rows ? std::max(kBatchBytes, lanes * row_bytes(asked) * threads) : 0);
    offer.make = [type = asked.distances.type, elimination = asked.elimination](
                     const ApspWork& work, const DistributedGraph& /*graph*/, const RowMaking& /*making*/) {
        return cpu::make_elimination_rows(elimination, {.type = type, .rows = work.rows});
    };
    return offer;
}

constexpr std::array kMethods{
    ApspMethod{.name = "dijkstra",
               .help = "a search per source with a heap, for paths and rings with weights, and for few --targets that "
                       "are near",
               .obstacle = obstacle_of_searches,
               .offer = offer_dijkstra},
    ApspMethod{.name = "delta-stepping",
               .help = "a search per source in windows of distances, for roads, meshes and other sparse graphs with "
                       "weights",
               .obstacle = obstacle_of_searches,
               .offer = offer_delta_stepping},
    ApspMethod{.name = "push-pull",
               .help = "a search per source along the lightest arcs first, for social networks and other graphs with "
                       "hubs; weights",
               .obstacle = obstacle_of_push_pull,
               .offer = offer_push_pull},
    ApspMethod{.name = "elimination",
               .help = "vertices are eliminated once, then a pass over them gives the distances from a source; for "
                       "road networks; whole weights",
               .trial = try_elimination,
               .obstacle = no_obstacle,
               .offer = offer_elimination},
    ApspMethod{.name = "combined",
               .help = "a search for each of some rows, from which the other rows follow; one rank holds the whole "
                       "matrix; whole weights",
               .obstacle = obstacle_of_combined,
               .offer = offer_combined},
    ApspMethod{.name = "bit-parallel",
               .help = "hundreds of breadth-first searches at once, for graphs without weights",
               .obstacle = obstacle_of_bit_parallel,
               .offer = offer_bit_parallel},
    ApspMethod{.name = "floyd-warshall",
               .help = "the whole matrix, whose tiles the ranks share, for dense graphs and negative weights; on a "
                       "GPU, the only one with float64 distances",
               .obstacle = no_obstacle,
               .offer = offer_floyd_warshall},
};

}  // namespace

std::span<const ApspMethod> core_methods()
{
    return kMethods;
}

}  // namespace wayfront::plan
