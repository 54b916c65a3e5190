// Shortest paths on GPUs behind the interface of all searches for shortest paths. Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "algo/sssp/sssp_search.hpp"
#include "gpu/sssp/device_search.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/distributed_graph.hpp"

namespace wayfront::gpu::sssp {

class ResidentSssp final : public algo::SsspSearch
{
public:
    using Maker = std::function<std::unique_ptr<algo::SsspSearch>()>;
    /// A function that replaces the parents of a search's result. Collective.
    using ParentChoice = std::function<void(Vertex source, algo::SsspResult& result)>;

    /// Copies the graph to this rank's GPU. `make_wide` makes a search on the cores with 64-bit
    /// distances. This search repeats a search if a whole distance does not fit 32 bits. If the sum
    /// of all float weights is more than half of the largest float, a distance may be infinite: the
    /// cores then run all searches, without the GPU. Pre: the preconditions of DeviceSssp; the
    /// graph outlives the search. Collective. Throws ResourceError.
    ResidentSssp(const comm::ProcessGrid& grid, const DistributedGraph& graph, const SsspTuning& tuning,
                 Maker make_wide);
    /// Uses another search on the GPUs, which have a copy of `graph`. `choose_parents`, unless
    /// empty, is called after each search from one source.
    ResidentSssp(const DistributedGraph& graph, std::unique_ptr<DeviceSearch> device, algo::SsspMethod method,
                 Maker make_wide, ParentChoice choose_parents = {});

    void run(Vertex source) override;
    /// A search from several sources does not call `choose_parents`, so it is not possible if this
    /// function is set.
    [[nodiscard]] bool starts_from_several() const override
    {
        return !on_device() || (!choose_parents_ && device_->starts_from_several());
    }
    std::size_t prepare_nearest() override;
    void run_nearest(std::span<const Vertex> sources) override;
    /// The result, which is copied from the GPU at the first call after a search.
    [[nodiscard]] const algo::SsspResult& result() const override;
    [[nodiscard]] std::string description() const override;

    /// Whether the GPU searches. If not, the GPU's memory is free.
    [[nodiscard]] bool on_device() const { return device_ != nullptr; }
    /// The search on the GPU if it has the result of the last run(); otherwise null.
    [[nodiscard]] const DeviceSearch* device() const { return used_wide_ ? nullptr : device_.get(); }

private:
    template <typename Run>
    void run_on_device(Run&& run);
    [[nodiscard]] algo::SsspSearch& wide();
    void copy_result() const;

    std::unique_ptr<DeviceSearch> device_;  // null if the cores run all searches
    Maker make_wide_;
    ParentChoice choose_parents_;
    std::unique_ptr<algo::SsspSearch> wide_;
    bool used_wide_ = false;  // whether the last search ran on the cores
    bool nearest_ = false;    // whether the last search started from several sources
    mutable algo::SsspResult result_;
    mutable bool copied_ = false;
};

}  // namespace wayfront::gpu::sssp
