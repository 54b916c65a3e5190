// The summary of all pairs, as text and as JSON.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "session/apsp/prepared_pairs.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"

namespace wayfront::app {

/// The graph and the sources that a summary describes.
struct SummarySubject
{
    const session::LoadedGraph& input;
    std::span<const Vertex> sources;
    bool all_sources;      // whether every vertex is a source
    bool whole_distances;  // whether distances are whole numbers
    // The graph from which the sources were drawn at random; no value: they were not.
    std::optional<algo::SampledGraph> sampled = std::nullopt;
};

/// Some fifteen lines.
[[nodiscard]] std::string summary_in_words(const SummarySubject& subject, const algo::Summary& summary);

/// {"sources": COUNT, "reachable_pairs": ..., ..., "histogram": {...}, "vertices": [...],
/// "eccentricities": [...], "closeness": [...]}, these lists by source. If all vertices are sources,
/// there are also "center", "periphery", "wiener_index" and "global_efficiency"; if they were drawn
/// at random, "estimates"; and of a summary in full detail, "reached", "sums" and "harmonic_closeness".
[[nodiscard]] session::Json summary_facts(const SummarySubject& subject, const algo::Summary& summary);

}  // namespace wayfront::app
