// The summary of all pairs, as text and as JSON.
#pragma once

#include <span>
#include <string>

#include "algo/apsp/summary.hpp"
#include "session/input/graph_input.hpp"
#include "session/output/json.hpp"

namespace wayfront::app {

/// The graph and the sources that a summary describes.
struct SummarySubject
{
    const session::LoadedGraph& input;
    std::span<const Vertex> sources;
    bool all;    // whether every vertex is a source
    bool whole;  // whether distances are whole numbers
};

/// Some ten lines.
[[nodiscard]] std::string summary_in_words(const SummarySubject& subject, const algo::Summary& summary);

/// {"sources": COUNT, "reachable_pairs": ..., ..., "histogram": {...}, "vertices": [...],
/// "eccentricities": [...], "closeness": [...]}, the lists by source.
[[nodiscard]] session::Json summary_facts(const SummarySubject& subject, const algo::Summary& summary);

}  // namespace wayfront::app
