#include <limits>

#include "gpu/kron/result_checker.cuh"

namespace wayfront::gpu::kron {

ResultChecker::ResultChecker(const KronParameters& parameters, EdgeCount tuples, DeviceCollectives& ranks,
                             const Stream& stream)
    : stream_(stream),
      ranks_(ranks),
      layout_(RankMajorLayout::of(Vertex{1} << parameters.scale, ranks.ranks())),
      rank_(static_cast<std::uint32_t>(ranks.rank())),
      tables_(stream),
      tuples_{tables_.generator(parameters), share_of(tuples, ranks.ranks(), ranks.rank())},
      plan_(layout_.indices(), ranks.ranks()),
      gathered_(plan_.gathered),
      levels_(plan_.levels),
      marks_(plan_.marks),
      received_marks_(plan_.received_marks)
{
}

TreeLevels ResultChecker::begin(Vertex key, const std::int32_t* own_parents)
{
    key_ = static_cast<std::uint32_t>(key);
    parents_ = gather(own_parents, gathered_);
    return tree_levels(tree(), levels_.data(), findings_, stream_);
}

Counter ResultChecker::least_of_all(Counter own)
{
    if (layout_.ranks == 1) return own;
    std::int64_t negative[] = {own == kNone ? std::numeric_limits<std::int64_t>::min()
                                            : -static_cast<std::int64_t>(own)};
    ranks_.max(negative);
    return negative[0] == std::numeric_limits<std::int64_t>::min() ? kNone : static_cast<Counter>(-negative[0]);
}

const std::uint32_t* ResultChecker::exchange_marks()
{
    if (layout_.ranks == 1) return marks_.data();
    ranks_.all_to_all(reinterpret_cast<const std::byte*>(marks_.data()),
                      reinterpret_cast<std::byte*>(received_marks_.data()), layout_.stride / 8, stream_);
    return received_marks_.data();
}

}  // namespace wayfront::gpu::kron
