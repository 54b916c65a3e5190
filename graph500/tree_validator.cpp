#include "graph500/tree_validator.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "comm/routing.hpp"

namespace wayfront::graph500 {

std::string describe(const Violation& violation)
{
    return "validation failed, rule " + std::to_string(number_of(violation.rule)) + " (" + text_of(violation.rule) + "): " + violation.what;
}

std::size_t TreeValidator::chunk_for(std::size_t most_edges)
{
    constexpr std::size_t least = std::size_t{1} << 14;
    constexpr std::size_t pieces = 8;
    return std::clamp(most_edges / pieces, least, kDefaultChunk);
}

TreeValidator::TreeValidator(const comm::Communicator& communicator, const Partition& partition, const EdgeFeed& feed, std::size_t chunk)
    : communicator_(communicator),
      partition_(partition),
      feed_(feed),
      chunk_(chunk),
      levels_(partition.chunk_size(communicator.rank())),
      confirmed_(partition.chunk_size(communicator.rank())),
      scratch_{VertexArray(partition.chunk_size(communicator.rank()), partition.vertex_count()),
               HostBuffer<std::uint32_t>(partition.chunk_size(communicator.rank()))}
{
}

template <typename Id>
bool TreeValidator::build_tree(Vertex key, std::span<const Id> parents, ViolationRecord& violations, Validation& result)
{
    tree_levels(communicator_, partition_, key, parents, levels_.span(), scratch_, chunk_, violations);
    parallel_for(confirmed_.size(), comm::kSerialBelowItems, [this](std::size_t i) { confirmed_[i] = 0; });
    return agree(violations, result);
}

bool TreeValidator::agree(const ViolationRecord& violations, Validation& result) const
{
    result.violation = violations.agree(communicator_);
    result.outcome = result.violation ? Outcome::invalid : Outcome::valid;
    return result.valid();
}

template bool TreeValidator::build_tree(Vertex, std::span<const std::int32_t>, ViolationRecord&, Validation&);
template bool TreeValidator::build_tree(Vertex, std::span<const std::int64_t>, ViolationRecord&, Validation&);

}  // namespace wayfront::graph500
