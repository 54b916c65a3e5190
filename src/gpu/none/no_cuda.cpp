// The functions of src/gpu that other layers call, in a build without CUDA: there is no GPU.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "gpu/apsp/bulk/bulk_engine.hpp"
#include "gpu/apsp/matrix/matrix_arcs.hpp"
#include "gpu/apsp/matrix/tile_method.hpp"
#include "gpu/apsp/row_engines.hpp"
#include "gpu/construction/edge_construction.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "gpu/graph/caller_arrays.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/profiler.hpp"

namespace wayfront::gpu {

namespace {

[[noreturn]] void throw_no_cuda()
{
    throw ResourceError("this wayfront was built without CUDA");
}

}  // namespace

bool has_cuda()
{
    return false;
}

int device_count()
{
    return 0;
}

std::string device_failure()
{
    return "";
}

std::vector<DeviceId> device_ids()
{
    return {};
}

std::string use_device(int /*index*/)
{
    throw_no_cuda();
}

std::size_t free_memory()
{
    throw_no_cuda();
}

std::size_t shared_memory_per_block()
{
    throw_no_cuda();
}

std::size_t multiprocessors()
{
    throw_no_cuda();
}

void show_ranges_to_profilers() {}

std::string peer_obstacle(const comm::Communicator& /*ranks*/, GpuSharing /*sharing*/)
{
    throw_no_cuda();
}

std::string resident_obstacle(const comm::Communicator& /*ranks*/, GpuSharing /*sharing*/)
{
    throw_no_cuda();
}

NcclConnection connect_nccl(const comm::Communicator& /*ranks*/)
{
    throw_no_cuda();
}

DeviceMemory copied_to_gpu(std::span<const std::byte> /*from*/)
{
    throw_no_cuda();
}

DeviceMemory wide_parents(std::span<const std::int32_t> /*parents*/, Vertex /*first*/)
{
    throw_no_cuda();
}

DeviceMemory wide_distances(std::span<const std::uint32_t> /*words*/, bool /*floats*/)
{
    throw_no_cuda();
}

std::int32_t deepest_level(std::span<const std::int32_t> /*levels*/)
{
    throw_no_cuda();
}

void copy_to_host(const void* /*from*/, std::span<std::byte> /*to*/)
{
    throw_no_cuda();
}

void wait_for_stream(std::uintptr_t /*stream*/)
{
    throw_no_cuda();
}

int gpu_of(const void* /*memory*/)
{
    throw_no_cuda();
}

int used_gpu()
{
    throw_no_cuda();
}

namespace construction {

DeviceEdgeFacts check_device_edges(const DeviceEdges& /*edges*/)
{
    throw_no_cuda();
}

}  // namespace construction

namespace apsp {

bool has_negative_weight(const DistributedGraph& /*graph*/)
{
    throw_no_cuda();
}

MinPlusSums sums_for(algo::DistanceType /*type*/, bool /*negative_weights*/, double /*most_distance*/)
{
    throw_no_cuda();
}

// Each method has an obstacle, so that these empty values are never called.
const RowMethod RowMethod::elimination{};
const RowMethod RowMethod::block{};
const RowMethod RowMethod::push_pull{};
const RowMethod RowMethod::combined{};
const RowMethod RowMethod::floyd_warshall{};
const RowMethod RowMethod::floyd_warshall_steps{};
const RowMethod RowMethod::floyd_warshall_tasks{};
const RowMethod RowMethod::bit_parallel{};
const RowMethod RowMethod::batched{};
const RowMethod RowMethod::batched_unshared{};
const RowMethod RowMethod::iterated{};

bool row_searches_fit_shared_memory(const DistributedGraph& /*graph*/)
{
    throw_no_cuda();
}

std::string row_engine_obstacle(const DistributedGraph& /*graph*/, const RowEngineOptions& /*options*/)
{
    throw_no_cuda();
}

std::size_t row_engine_bytes(const DistributedGraph& /*graph*/, const RowEngineOptions& /*options*/)
{
    throw_no_cuda();
}

std::unique_ptr<algo::RowProducer> make_row_engine(const DistributedGraph& /*graph*/,
                                                   const RowEngineOptions& /*options*/)
{
    throw_no_cuda();
}

TileMethodBytes tile_method_bytes(std::size_t /*vertices*/, const TileMethodOptions& /*options*/,
                                  comm::GridShape /*shape*/, double /*rows_of_rank*/)
{
    throw_no_cuda();
}

std::unique_ptr<algo::MatrixMethod> make_tile_method(const DistributedGraph& /*graph*/,
                                                     const TileMethodOptions& /*options*/, algo::MatrixRanks /*ranks*/)
{
    throw_no_cuda();
}

std::unique_ptr<algo::BulkEngine> make_bulk_engine(std::size_t /*device_bytes*/)
{
    throw_no_cuda();
}

}  // namespace apsp
}  // namespace wayfront::gpu
