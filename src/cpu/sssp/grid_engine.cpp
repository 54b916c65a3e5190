#include "cpu/sssp/grid_engine.hpp"

#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/host_buffer.hpp"
#include "base/parallel.hpp"
#include "cpu/sssp/engine_round.hpp"
#include "cpu/sssp/list_heads.hpp"
#include "cpu/sssp/list_pull.hpp"
#include "cpu/sssp/list_push.hpp"

namespace wayfront::cpu {

/// The heads of the lists that are sorted by weight.
template <typename D>
struct BlockHeads
{
    HostBuffer<ListHead<D>> in;
    HostBuffer<ListHead<D>> out_stored;  // only if they differ from `in`
    bool symmetric = false;

    [[nodiscard]] std::span<const ListHead<D>> out() const { return symmetric ? in.span() : out_stored.span(); }
};

namespace {

template <typename D, typename W>
HostBuffer<ListHead<D>> heads_of(const CsrBlock& block, const Csr& lists, const BlockWeights& weights)
{
    if (block.list_order != ListOrder::weights) return {};
    return make_list_heads<D>(lists.view(), std::get<HostBuffer<W>>(weights).data());
}

template <typename D, typename W>
std::shared_ptr<const BlockHeads<D>> make_block_heads(const CsrBlock& block)
{
    auto heads = std::make_shared<BlockHeads<D>>();
    heads->symmetric = block.symmetric;
    heads->in = heads_of<D, W>(block, block.in_edges, block.in_weights);
    if (!block.symmetric) heads->out_stored = heads_of<D, W>(block, block.out_edges(), block.out_weights());
    return heads;
}

template <typename D, typename W>
class GridEngine final : public algo::SsspEngine<D>
{
public:
    GridEngine(const CsrBlock& block, SsspTuning tuning, std::shared_ptr<const BlockHeads<D>> heads)
        : round_(block.rows()),
          heads_(std::move(heads)),
          push_(block, heads_->out(), tuning.parallel_from_arcs),
          pull_(block, heads_->in.span(), tuning.parallel_from_rows)
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
    EngineRound<D> round_;
    std::shared_ptr<const BlockHeads<D>> heads_;
    ListPush<D, W> push_;
    ListPull<D, W> pull_;
    std::variant<algo::Push<D>, algo::Pull<D>> launched_;
};

}  // namespace

template <typename D, typename W>
algo::AnySsspEngine SsspEngines::make_with()
{
    Heads<D> heads;
    {
        const std::lock_guard guard(making_);
        Heads<D>& kept = std::get<Heads<D>>(heads_);
        if (kept == nullptr) kept = make_block_heads<D, W>(block_);
        heads = kept;
    }
    return std::unique_ptr<algo::SsspEngine<D>>(std::make_unique<GridEngine<D, W>>(block_, tuning_, std::move(heads)));
}

algo::AnySsspEngine SsspEngines::make(bool narrow)
{
    switch (weight_type(block_.in_weights)) {
        case WeightType::uint32:
            return narrow ? make_with<std::uint32_t, std::uint32_t>() : make_with<std::int64_t, std::uint32_t>();
        case WeightType::int64:
            return make_with<std::int64_t, std::int64_t>();
        case WeightType::float32:
            return make_with<float, float>();
        case WeightType::float64:
            return make_with<double, double>();
        case WeightType::none:
            break;
    }
    throw InputError("shortest paths need a graph with weights");
}

}  // namespace wayfront::cpu
