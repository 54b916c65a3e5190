// The methods by which the ranks of a test can exchange data in device memory.
#pragma once

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "comm/session.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/exchange/peers.hpp"
#include "support/gpu_guard.hpp"

namespace wayfront::gpu {

/// A fixture for tests over any number of ranks. ctest runs the tests of fixtures named *OverRanks
/// with 1, 2, 3, 4 and 8 ranks; ranks share a GPU if there are fewer GPUs.
class OverRanks : public testing::Test
{
protected:
    void SetUp() override { require_gpu(world_.split_by_host().rank()); }

    /// The length of paths in tests, which have this number of levels or half of it. It is smaller
    /// if ranks share a GPU, because their kernels then run in turn, and levels are slow.
    [[nodiscard]] std::int64_t path_length() const { return ranks_share_gpus(world_) ? 40 : 300; }

    /// Calls f(exchange) for each method that is possible for these ranks.
    template <typename F>
    void each_method(F&& f)
    {
        each_possible_method([&](ExchangeMethod method, const std::shared_ptr<NcclRanks>& nccl) {
            DeviceExchange exchange(world_, method, nccl);
            f(exchange);
        });
    }

    /// An exchange for each method that is possible for these ranks.
    [[nodiscard]] std::vector<std::shared_ptr<DeviceExchange>> exchanges()
    {
        std::vector<std::shared_ptr<DeviceExchange>> made;
        each_possible_method([&](ExchangeMethod method, const std::shared_ptr<NcclRanks>& nccl) {
            made.push_back(std::make_shared<DeviceExchange>(world_, method, nccl));
        });
        return made;
    }

    /// Calls f(row exchange, column exchange) of a grid for each method that is possible for these
    /// ranks.
    template <typename F>
    void each_method_over(const comm::ProcessGrid& grid, F&& f)
    {
        each_possible_method([&](ExchangeMethod method, const std::shared_ptr<NcclRanks>& nccl) {
            const auto connected = [&](const comm::Communicator& ranks) {
                return nccl ? connect_nccl(ranks).ranks : nullptr;
            };
            DeviceExchange row(grid.row(), method, connected(grid.row()));
            DeviceExchange column(grid.column(), method, connected(grid.column()));
            f(row, column);
        });
    }

    comm::Communicator world_ = comm::Communicator::world();
    std::size_t ranks_ = static_cast<std::size_t>(world_.size());
    std::size_t rank_ = static_cast<std::size_t>(world_.rank());

private:
    /// Calls f(method, NCCL connection) for each method that is possible for these ranks.
    template <typename F>
    void each_possible_method(F&& f)
    {
        with("staged MPI", ExchangeMethod::staged, "", f);
        with("memory of the host", ExchangeMethod::host_memory, "", f);
        with("MPI from device memory", ExchangeMethod::device_mpi,
             world_.all(comm::cuda_aware()) ? "" : "this MPI takes no device memory", f);
        with("peers", ExchangeMethod::peers, peer_obstacle(world_, GpuSharing::allowed), f);
        const NcclConnection nccl = connect_nccl(world_);
        with("nccl", ExchangeMethod::nccl, nccl.obstacle, f, nccl.ranks);
    }

    template <typename F>
    void with(const std::string& name, ExchangeMethod method, const std::string& obstacle, F&& f,
              const std::shared_ptr<NcclRanks>& nccl = nullptr)
    {
        if (!obstacle.empty()) {
            EXPECT_EQ(obstacle.find("NCCL failed"), std::string::npos) << obstacle;
            if (world_.rank() == 0) std::cout << "not over " << name << ": " << obstacle << '\n';
            return;
        }
        SCOPED_TRACE(name);
        f(method, nccl);
    }
};

}  // namespace wayfront::gpu
