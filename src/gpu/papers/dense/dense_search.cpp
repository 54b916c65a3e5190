#include "gpu/papers/dense/dense_search.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "algo/sssp/distance.hpp"
#include "algo/sssp/negative_cycle.hpp"
#include "comm/communicator.hpp"
#include "graph/block_weights.hpp"

namespace wayfront::gpu::sssp {

namespace {

/// The distance that a word of the matrix's type represents.
template <typename D>
D distance_of(std::uint32_t word)
{
    if constexpr (std::is_floating_point_v<D>) {
        return std::bit_cast<float>(word);
    } else {
        const auto whole = static_cast<std::int32_t>(word);
        return whole == std::numeric_limits<std::int32_t>::max() ? algo::unreached<D>() : static_cast<D>(whole);
    }
}

}  // namespace

DenseSearch::DenseSearch(const DistributedGraph& graph, const algo::Cutoff& cutoff, Maker make_wide)
    : graph_(graph), device_(graph, {}), cutoff_(cutoff), make_wide_(std::move(make_wide))
{
    const std::uint32_t count = graph.local_count();
    const WeightType type = weight_type(graph.block.out_weights());
    if (type == WeightType::float32)
        result_.distances = HostBuffer<float>(count);
    else if (type == WeightType::uint32)
        result_.distances = HostBuffer<std::uint32_t>(count);
    else
        result_.distances = HostBuffer<std::int64_t>(count);
    result_.parents = VertexArray(count, graph.partition.vertex_count());
    result_.method = algo::SsspMethod::fixed_order;
}

void DenseSearch::run(Vertex source)
{
    device_.run(source);
    used_wide_ = device_.overflowed();
    if (used_wide_) {
        if (wide_ == nullptr) wide_ = make_wide_();
        wide_->run(source);
    } else {
        copy_result(source);
    }
}

const algo::SsspResult& DenseSearch::result() const
{
    return used_wide_ ? wide_->result() : result_;
}

void DenseSearch::copy_result(Vertex source)
{
    std::vector<std::uint32_t> words(graph_.local_count());
    std::vector<std::int32_t> predecessors(words.size());
    device_.copy_results(words, predecessors);
    const DenseFacts facts = device_.facts();
    result_.counters = {.rounds = facts.passes, .relaxed_arcs = facts.rows * words.size(), .pulled_arcs = 0};
    result_.reached = 0;
    result_.negative_cycle.clear();
    if (facts.negative_cycle) {
        const std::vector<Vertex> parents(predecessors.begin(), predecessors.end());
        result_.negative_cycle = algo::find_parent_cycle(comm::Communicator::self(), graph_.partition, parents);
        return;
    }
    std::visit(
        [&]<typename D>(HostBuffer<D>& distances) {
            const D bound = algo::bound_of_cutoff<D>(cutoff_);
            for (std::size_t i = 0; i < words.size(); ++i) {
                const D distance = distance_of<D>(words[i]);
                const bool reached = distance < bound;
                distances[i] = reached ? distance : algo::unreached<D>();
                result_.parents.set(i, reached ? Vertex{predecessors[i]} : kUnreached);
                result_.reached += reached ? 1 : 0;
            }
        },
        result_.distances);
    result_.parents.set(static_cast<std::size_t>(source), source);
}

}  // namespace wayfront::gpu::sssp
