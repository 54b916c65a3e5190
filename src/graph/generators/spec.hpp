// Graph specs: the texts that name a generated graph, such as "kron:22" or
// "random:n=1000,m=4000,seed=7".
//
// A spec is NAME:ARGUMENTS. The arguments are separated by commas. Each is KEY=VALUE; before the
// first of these there may be bare values, for the keys in the generator's order:
// "random:1000,4000,7" is the graph above. generator_help() lists generators, keys, defaults and
// limits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "graph/edge_source.hpp"

namespace wayfront {

/// The largest number of edges of a generated graph: byte offsets into a list of this many edges,
/// with weights, fit 63 bits.
inline constexpr EdgeCount kMaxGeneratedEdges = EdgeCount{1} << 56;

/// The seeds of a graph whose spec has none.
struct Seeds
{
    std::uint64_t seed1 = 2;  // for kron; seed1 and seed2 are the benchmark's
    std::uint64_t seed2 = 3;
    std::uint64_t seed = 1;  // for all other random graphs
};

/// Returns the source of the graph that the spec names. Throws InputError, which names the spec,
/// the mistake, and what is accepted.
std::unique_ptr<EdgeSource> make_edge_source(std::string_view spec, Seeds seeds = {});

/// Whether the text is a spec rather than the name of a file: it begins with a word of letters and
/// a colon. The word need not be a known generator.
bool looks_like_spec(std::string_view text) noexcept;

struct GeneratorHelp
{
    std::string_view name;
    std::string_view usage;    // "kron:SCALE[,ef=16]..."
    std::string_view meaning;  // one line
};

/// All generators, in the order of the documentation.
std::span<const GeneratorHelp> generator_help() noexcept;

}  // namespace wayfront
