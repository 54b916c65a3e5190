// The engine of the rounds over a grid (algo/sssp/sssp_loop.hpp) on the CPU's cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <tuple>

#include "algo/sssp/sssp_engine.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::cpu {

/// Rounds of fewer edges (pushes) or rows (pulls) run on the calling thread alone, since waking the
/// other threads would take longer than the work.
struct SsspTuning
{
    std::size_t parallel_from_arcs = 4000;
    std::size_t parallel_from_rows = 2048;
};

template <typename D>
struct BlockHeads;

/// Makes engines for one block, which share copies of its lists' beginnings. Threads may make engines at
/// the same time.
class SsspEngines
{
public:
    /// The block outlives the engines.
    explicit SsspEngines(const CsrBlock& block, SsspTuning tuning = {}) : block_(block), tuning_(tuning) {}

    /// `narrow`: whether distances of whole weights of 32 bits have 32 bits. Throws InputError if the block
    /// has no weights.
    [[nodiscard]] algo::AnySsspEngine make(bool narrow);

private:
    template <typename D>
    using Heads = std::shared_ptr<const BlockHeads<D>>;

    template <typename D, typename W>
    [[nodiscard]] algo::AnySsspEngine make_with();

    const CsrBlock& block_;
    SsspTuning tuning_;
    std::mutex making_;
    std::tuple<Heads<std::uint32_t>, Heads<std::int64_t>, Heads<float>, Heads<double>> heads_;
};

/// An engine for the block's weights. The block outlives the engine.
[[nodiscard]] inline algo::AnySsspEngine make_sssp_engine(const CsrBlock& block, bool narrow, SsspTuning tuning = {})
{
    return SsspEngines(block, tuning).make(narrow);
}

}  // namespace wayfront::cpu
