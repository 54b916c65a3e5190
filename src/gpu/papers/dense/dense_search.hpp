// The Bellman-Ford algorithm on a dense matrix behind the interface of all searches for shortest
// paths. Free of CUDA's headers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "algo/sssp/sssp_search.hpp"
#include "gpu/papers/dense/search.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

class DenseSearch final : public algo::SsspSearch
{
public:
    using Maker = std::function<std::unique_ptr<algo::SsspSearch>()>;

    /// Makes a search. The first run() copies the graph's matrix to this rank's GPU. `make_wide`
    /// makes a search with 64-bit distances, which repeats a search if a whole sum does not fit 32
    /// bits. Pre: one rank, and the preconditions of DenseSssp; the graph outlives the search.
    DenseSearch(const DistributedGraph& graph, const algo::Cutoff& cutoff, Maker make_wide);

    void run(Vertex source) override;
    [[nodiscard]] bool starts_from_several() const override { return false; }
    [[nodiscard]] const algo::SsspResult& result() const override;
    [[nodiscard]] std::string description() const override { return device_.description(); }

    [[nodiscard]] const DenseSssp& device() const { return device_; }

private:
    void copy_result(Vertex source);

    const DistributedGraph& graph_;
    DenseSssp device_;
    algo::Cutoff cutoff_;
    Maker make_wide_;
    std::unique_ptr<algo::SsspSearch> wide_;
    bool used_wide_ = false;  // whether the last search ran with 64-bit distances
    algo::SsspResult result_;
};

}  // namespace wayfront::gpu::sssp
