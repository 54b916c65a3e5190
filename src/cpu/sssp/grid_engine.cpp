#include "cpu/sssp/grid_engine.hpp"

#include <memory>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/engine_round.hpp"
#include "cpu/sssp/list_heads.hpp"
#include "cpu/sssp/list_pull.hpp"
#include "cpu/sssp/list_push.hpp"

namespace wayfront::cpu {

namespace {

template <typename D, typename W>
class GridEngine final : public algo::SsspEngine<D>
{
public:
    GridEngine(const CsrBlock& block, SsspTuning tuning)
        : round_(block.rows()),
          in_heads_(make_heads(block, block.in_edges, block.in_weights)),
          out_heads_(block.symmetric ? HostBuffer<ListHead<D>>()
                                     : make_heads(block, block.out_edges(), block.out_weights())),
          push_(block, block.symmetric ? in_heads_.span() : out_heads_.span(), tuning.parallel_from_arcs),
          pull_(block, in_heads_.span(), tuning.parallel_from_rows)
    {
    }

    [[nodiscard]] bool works_in_memory() const override { return true; }
    void begin_search(const algo::SsspMemory<D>& memory) override
    {
        const auto threads = static_cast<std::size_t>(thread_count());
        round_.begin_search(memory, threads);
        push_.begin_search(threads);
        pull_.begin_search(memory, threads);
    }
    void launch_push(const algo::Push<D>& push) override { launched_ = push; }
    void launch_pull(const algo::Pull<D>& pull) override { launched_ = pull; }
    /// Relaxes here and not in launch, because the cores that wait are also the cores that relax.
    [[nodiscard]] algo::RoundOutcome<D> collect() override
    {
        round_.begin();
        if (const auto* const push = std::get_if<algo::Push<D>>(&launched_))
            push_.run(*push, round_);
        else
            pull_.run(std::get<algo::Pull<D>>(launched_), round_);
        return round_.outcome();
    }

private:
    [[nodiscard]] static HostBuffer<ListHead<D>> make_heads(const CsrBlock& block, const Csr& lists,
                                                            const BlockWeights& weights)
    {
        if (block.list_order != ListOrder::weights) return {};
        return make_list_heads<D>(lists.view(), std::get<HostBuffer<W>>(weights).data());
    }

    EngineRound<D> round_;
    HostBuffer<ListHead<D>> in_heads_;   // only if the lists are sorted by weight
    HostBuffer<ListHead<D>> out_heads_;  // only if they differ from in_heads_
    ListPush<D, W> push_;
    ListPull<D, W> pull_;
    std::variant<algo::Push<D>, algo::Pull<D>> launched_;
};

template <typename D, typename W>
algo::AnySsspEngine make(const CsrBlock& block, SsspTuning tuning)
{
    return std::unique_ptr<algo::SsspEngine<D>>(std::make_unique<GridEngine<D, W>>(block, tuning));
}

}  // namespace

algo::AnySsspEngine make_sssp_engine(const CsrBlock& block, bool narrow, SsspTuning tuning)
{
    switch (weight_type(block.in_weights)) {
        case WeightType::uint32:
            return narrow ? make<std::uint32_t, std::uint32_t>(block, tuning)
                          : make<std::int64_t, std::uint32_t>(block, tuning);
        case WeightType::int64:
            return make<std::int64_t, std::int64_t>(block, tuning);
        case WeightType::float32:
            return make<float, float>(block, tuning);
        case WeightType::float64:
            return make<double, double>(block, tuning);
        case WeightType::none:
            break;
    }
    throw InputError("shortest paths need a graph with weights");
}

}  // namespace wayfront::cpu
