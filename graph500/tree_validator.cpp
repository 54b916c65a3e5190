#include "graph500/tree_validator.hpp"

#include "base/parallel.hpp"
#include "comm/routing.hpp"

namespace wayfront::graph500 {

std::string describe(const Violation& violation)
{
    return "validation failed, rule " + std::to_string(number_of(violation.rule)) + " (" + text_of(violation.rule) +
           "): " + violation.what;
}

TreeValidator::TreeValidator(const comm::Communicator& world, const Partition& partition, const EdgeFeed& feed,
                             const ValidatorSizes& sizes)
    : world_(world),
      alone_(comm::Communicator::alone()),
      partition_(partition),
      whole_(sizes.gathers(world.size(), static_cast<double>(partition.vertex_count()))
                 ? std::optional(Partition(partition.vertex_count(), 1, 1))
                 : std::nullopt),
      feed_(feed),
      chunk_(sizes.chunk),
      levels_(held_vertices()),
      confirmed_((held_vertices() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t)),
      own_levels_(gathers() ? partition.chunk_size(world.rank()) : 0),
      scratch_{VertexArray(held_vertices(), partition.vertex_count()), HostBuffer<std::uint32_t>(held_vertices())}
{
}

template <typename Id>
bool TreeValidator::build_tree(const Roots<Id>& roots, std::span<const Id> parents, ViolationRecord& violations,
                               Validation& result)
{
    tree_levels<Id>({communicator(), partition(), roots, parents}, levels_.span(), scratch_, chunk_, violations);
    parallel_for(confirmed_.size(), comm::kSerialBelowItems, [this](std::size_t i) { confirmed_[i] = 0; });
    return agree(violations, result);
}

EdgeCount TreeValidator::combine(EdgeCount edges)
{
    if (!gathers()) return edges;
    // A mark is 0 or 1, so that words can be combined.
    const std::span<std::uint8_t> marks = confirmed_.span();
    world_.all_reduce(std::span(reinterpret_cast<std::uint64_t*>(marks.data()), marks.size() / sizeof(std::uint64_t)),
                      comm::Reduction::bit_or);
    return world_.all_reduce(edges, comm::Reduction::sum);
}

std::span<const std::uint32_t> TreeValidator::own_levels()
{
    if (!gathers()) return levels_.span();
    parallel_for(own_levels_.size(), comm::kSerialBelowItems, [this](std::size_t i) {
        own_levels_[i] =
            levels_[static_cast<std::size_t>(partition_.vertex(world_.rank(), static_cast<std::uint32_t>(i)))];
    });
    return own_levels_.span();
}

bool TreeValidator::agree(const ViolationRecord& violations, Validation& result) const
{
    result.violation = violations.agree(world_);
    result.outcome = result.violation ? Outcome::invalid : Outcome::valid;
    return result.valid();
}

template bool TreeValidator::build_tree(const Roots<std::int32_t>&, std::span<const std::int32_t>, ViolationRecord&,
                                        Validation&);
template bool TreeValidator::build_tree(const Roots<std::int64_t>&, std::span<const std::int64_t>, ViolationRecord&,
                                        Validation&);

}  // namespace wayfront::graph500
