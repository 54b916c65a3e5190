#include "app/cli/suggestion.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace wayfront::app {

namespace {

struct Synonym
{
    std::string_view word;
    std::string_view option;
};

/// Names that GAPBS, Gunrock, cuGraph, NetworkX and the Graph500 reference give to options of this
/// program.
constexpr std::array kSynonyms = {
    Synonym{"max-depth", "cutoff"}, Synonym{"depth-limit", "cutoff"},
    Synonym{"src", "source"},       Synonym{"root", "source"},
    Synonym{"start", "source"},     Synonym{"nbfs", "keys"},
    Synonym{"roots", "keys"},       Synonym{"roots", "sources"},
    Synonym{"ef", "edgefactor"},    Synonym{"edge-factor", "edgefactor"},
    Synonym{"nthreads", "threads"}, Synonym{"symmetrize", "undirected"},
    Synonym{"s", "scale"},          Synonym{"s", "source"},
    Synonym{"g", "scale"},          Synonym{"r", "source"},
};

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into
/// `b`.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> distance(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) distance[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) distance[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, substituted});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
        }
    }
    return distance[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates)
{
    std::string dashed(word);
    std::ranges::replace(dashed, '_', '-');
    for (const Synonym& synonym : kSynonyms)
        if (synonym.word == dashed && std::ranges::find(candidates, synonym.option) != candidates.end())
            return std::string(synonym.option);
    const std::size_t tolerated = std::max<std::size_t>(1, word.size() / 3);
    std::size_t least = tolerated + 1;
    std::string best;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance >= least) continue;
        least = distance;
        best = candidate;
    }
    if (!best.empty() || word.size() < 2) return best;
    const auto begun = [&](const std::string& candidate) { return candidate.starts_with(word); };
    for (const std::string& candidate : candidates)
        if (begun(candidate) && (best.empty() || candidate.size() < best.size())) best = candidate;
    // The shortest name is suggested if all others continue it, such as source and sources.
    const auto continues_best = [&](const std::string& candidate) {
        return !begun(candidate) || candidate.starts_with(best);
    };
    return std::ranges::all_of(candidates, continues_best) ? best : "";
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates, std::string_view prefix)
{
    const std::string best = nearest(word, candidates);
    return best.empty() ? "" : "; did you mean '" + std::string(prefix) + best + "'?";
}

}  // namespace wayfront::app
