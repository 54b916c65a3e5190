// The parts that searches on GPUs share if their ranks exchange data in device memory, and if the GPUs have
// constructed the graph.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.hpp"
#include "base/types.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "plan/engine_plan.hpp"

namespace wayfront::session {

/// The exchange between the GPUs of the ranks over the plan's transport. Collective.
[[nodiscard]] std::unique_ptr<gpu::DeviceExchange> make_exchange(const comm::Communicator& world,
                                                                 const plan::EnginePlan& plan, PhaseLog* log);

/// The exchange of a rank's GPU with those of its grid row and of its grid column, over the plan's
/// transport.
struct GridExchanges
{
    std::unique_ptr<gpu::DeviceExchange> row, column;
};
/// Collective.
[[nodiscard]] GridExchanges make_grid_exchanges(const comm::ProcessGrid& grid, const plan::EnginePlan& plan,
                                                PhaseLog* log);
/// The same over NCCL if the ranks can be connected, otherwise over MPI. Collective.
[[nodiscard]] GridExchanges make_grid_exchanges(const comm::ProcessGrid& grid, PhaseLog* log);

/// How GPUs exchange, in words; `form` is the form of the search.
[[nodiscard]] std::string exchange_in_words(gpu::ExchangeMethod method, std::string_view form);

/// The device memory that construction may take: 0, which stands for all free memory, or this
/// rank's share of a GPU that ranks share.
[[nodiscard]] std::size_t construction_bytes(const plan::EnginePlan& plan);

/// Returns for each vertex whether it has an edge other than a self-loop; false for numbers from
/// `count` on. Vertex v belongs to rank v mod P, and `has_edges` answers for an own vertex by its
/// local number v / P. Collective.
[[nodiscard]] std::vector<bool> dealt_vertices_with_edges(const comm::Communicator& world, Vertex count,
                                                          std::span<const Vertex> vertices,
                                                          const std::function<bool(std::uint32_t)>& has_edges);

}  // namespace wayfront::session
