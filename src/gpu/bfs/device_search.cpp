#include "gpu/bfs/device_search.hpp"

#include <stdexcept>

#include "gpu/bfs/device_results.hpp"
#include "gpu/bfs/resident/search.hpp"
#include "gpu/bfs/stepped/search.hpp"
#include "gpu/bfs/view.hpp"

namespace wayfront::gpu::bfs {

namespace {

[[noreturn]] void throw_one_key()
{
    throw std::logic_error("searches that start from one key are run from several");
}

}  // namespace

void DeviceSearch::prepare_nearest()
{
    throw_one_key();
}

void DeviceSearch::search_nearest(std::span<const Vertex> /*keys*/)
{
    throw_one_key();
}

void DeviceSearch::copy_nearest(std::span<std::int32_t> /*nearest*/) const
{
    throw_one_key();
}

const std::int32_t* DeviceSearch::device_parents() const
{
    return results().parents.data();
}

const std::int32_t* DeviceSearch::device_levels() const
{
    return results().levels.data();
}

void DeviceSearch::copy_parents(std::span<std::int32_t> parents) const
{
    copy_async(results().parents.span(), parents, results().stream);
    results().stream.synchronize();
}

void DeviceSearch::copy_levels(std::span<std::int32_t> levels) const
{
    copy_async(results().levels.span(), levels, results().stream);
    results().stream.synchronize();
}

std::size_t search_state_bytes(SearchKind kind, const RankNumbers& rank, int ranks, bool levels)
{
    if (kind == SearchKind::stepped) return SteppedSearch::state_bytes_for(rank, ranks, levels);
    return ResidentSearch::state_bytes_for(rank, ranks, levels);
}

}  // namespace wayfront::gpu::bfs
