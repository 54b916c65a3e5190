// Graph specs: the texts that name a generated graph, such as "kron:22" or "random:n=1000,m=4000,seed=7".
//
// A spec is NAME:ARGUMENTS, the arguments separated by commas, each KEY=VALUE or, before the first of those, a bare value for the next key in the
// generator's order: "random:1000,4000,7" is the graph above. generator_help() lists generators, keys, defaults and limits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "graph/edge_source.hpp"

namespace wayfront {

/// The most edges that a generated graph may have: byte offsets into a list of so many, with weights, still fit 63 bits.
inline constexpr EdgeCount kMaxGeneratedEdges = EdgeCount{1} << 56;

/// Seeds for what a spec does not seed itself.
struct Seeds
{
    std::uint64_t seed1 = 2;  // of kron; the benchmark's
    std::uint64_t seed2 = 3;
    std::uint64_t seed = 1;  // of all other random graphs
};

/// The source of the graph that the spec names. Throws InputError, naming the spec, what is wrong with it, and what is accepted.
std::unique_ptr<EdgeSource> make_edge_source(std::string_view spec, Seeds seeds = {});

/// Whether the text is meant as a spec rather than as a file's name: a word of letters and a colon stand at its start. The word may be unknown.
bool looks_like_spec(std::string_view text) noexcept;

struct GeneratorHelp
{
    std::string_view name;
    std::string_view usage;    // "kron:SCALE[,ef=16]..."
    std::string_view meaning;  // a line
};

/// All generators, in the order of the documentation.
std::span<const GeneratorHelp> generator_help() noexcept;

}  // namespace wayfront
