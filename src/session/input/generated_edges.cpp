#include "session/input/generated_edges.hpp"

#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "comm/agreement.hpp"
#include "graph/edge_feed.hpp"
#include "graph/generators/weights.hpp"

namespace wayfront::session {

GeneratedEdges::GeneratedEdges(const job::Job& job, const GraphOptions& options, const GraphTarget& target,
                               bool keep_weights)
    : job_(job), options_(options), target_(target)
{
    run_agreed(job.world(), [&] {
        source_ = make_edge_source(options.graph, options.seeds);
        if (options.directed && !source_->directed())
            throw InputError(fmt::format("--directed: {} is an undirected graph", options.graph));
        kind_ = kind_for_file(keep_weights);
    });
}

WeightKind GeneratedEdges::kind_for_file(bool keep_weights) const
{
    if (!options_.weights.empty()) {
        const WeightSpec spec = WeightSpec::parse(options_.weights, vertices());
        if (spec.wide()) return WeightKind::int64;
        return spec.integral() ? WeightKind::int32 : WeightKind::float32;
    }
    const FileFormat format = target_.format();
    const bool takes_weights = format == FileFormat::tuples || format == FileFormat::matrix_market ||
                               format == FileFormat::gapbs_wsg || target_.has_extension(".wel");
    float own = 0;
    const bool makes = edges() > 0 && source_->weights(0, std::span(&own, 1));
    return makes && takes_weights && keep_weights ? WeightKind::float32 : WeightKind::none;
}

EdgeList GeneratedEdges::share_of(EdgeCount first, EdgeCount count) const
{
    const IndexRange part = part_of(static_cast<std::size_t>(count), static_cast<std::size_t>(job_.world().rank()),
                                    static_cast<std::size_t>(job_.world().size()));
    const EdgeCount begin = first + static_cast<EdgeCount>(part.first);
    EdgeList share{vertices(), directed(), HostBuffer<PackedEdge>(part.size()), {}};
    generate_parallel(*source_, begin, share.edges.span());
    if (!options_.weights.empty()) {
        share.weights = WeightSpec::parse(options_.weights, vertices()).make(options_.seeds.seed, begin, part.size());
    } else if (kind_ == WeightKind::float32) {
        HostBuffer<float> weights(part.size());
        parallel_ranges(part.size(), 1, [&](IndexRange range) {
            source_->weights(begin + static_cast<EdgeCount>(range.first),
                             weights.span().subspan(range.first, range.size()));
        });
        share.weights = std::move(weights);
        if (target_.format() == FileFormat::gapbs_wsg)
            share.weights = whole_weights(std::get<HostBuffer<float>>(share.weights).span());
    }
    return share;
}

}  // namespace wayfront::session
