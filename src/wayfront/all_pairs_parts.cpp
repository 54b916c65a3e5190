#include "wayfront/all_pairs_parts.hpp"

#include <optional>
#include <vector>

#include "algo/apsp/distance_type.hpp"
#include "comm/agreement.hpp"
#include "wayfront/graph_state.hpp"

namespace wayfront {

namespace {

std::optional<algo::DistanceType> asked_type(PairDistance type)
{
    switch (type) {
        case PairDistance::uint16:
            return algo::DistanceType::uint16;
        case PairDistance::int32:
            return algo::DistanceType::int32;
        case PairDistance::float32:
            return algo::DistanceType::float32;
        case PairDistance::float64:
            return algo::DistanceType::float64;
        case PairDistance::automatic:
            break;
    }
    return std::nullopt;
}

}  // namespace

plan::ApspMethodOptions method_of(const AllPairsOptions& options)
{
    require_enumerator("type", options.type, PairDistance::float64);
    require_enumerator("engine", options.engine, Engine::split);
    if (options.engine == Engine::split)
        throw InputError("engine: all pairs are computed on the CPU or on a GPU, not on both");
    plan::ApspMethodOptions method;
    method.method = plan::checked_method_name(options.algorithm);
    method.type = asked_type(options.type);
    method.engine.engine = options.engine;
    method.check();
    return method;
}

void name_vertices(const job::Job& job, const AllPairsOptions& options, session::PreparedPairs& pairs)
{
    const auto vertices_of = [&](const char* name, const std::vector<Vertex>& numbers) {
        return comm::run_agreed(job.world(), [&] {
            std::vector<Vertex> vertices;
            vertices.reserve(numbers.size());
            for (const Vertex vertex : numbers) vertices.push_back(pairs.input.list_number(name, vertex));
            return vertices;
        });
    };
    pairs.sources = vertices_of("sources", options.sources);
    if (!options.targets.empty()) pairs.targets = vertices_of("targets", options.targets);
}

AllPairsSummary summary_of(const session::PreparedPairs& pairs, const algo::Summary& computed)
{
    const algo::SummaryFigures figures = algo::figures_of(computed.rows());
    AllPairsSummary summary{
        figures.reachable_pairs, figures.average, figures.diameter, figures.radius, {}, {}, {}, {}, {}};
    for (const algo::RowFacts& facts : computed.rows()) {
        summary.reached.push_back(facts.reached);
        summary.eccentricities.push_back(facts.eccentricity);
        const std::optional<double> closeness = algo::closeness_of(facts, pairs.input.list.vertex_count);
        summary.closeness.push_back(closeness.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    const auto sources_of = [&](double eccentricity) {
        std::vector<Vertex> vertices;
        for (const std::size_t position : algo::rows_of_eccentricity(computed.rows(), eccentricity))
            vertices.push_back(pairs.input.input_number(pairs.sources[position]));
        return vertices;
    };
    summary.center = sources_of(figures.radius);
    summary.periphery = sources_of(figures.diameter);
    return summary;
}

}  // namespace wayfront
