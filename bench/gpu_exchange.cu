// Measures messages between the GPUs of ranks, by their sizes: over NCCL, over MPI, and in the way that searches
// take over NCCL, which sends small messages between hosts over MPI.
//
//     mpirun -n 2 gpu_exchange [TRIALS]
//
// Prints one JSON object. Each trial, of 25, is an all-to-all between a kernel before and a wait of the host behind it;
// times are those of the slowest rank, medians over the trials, in microseconds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/phase.hpp"
#include "bench/program.hpp"
#include "comm/communicator.hpp"
#include "comm/session.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/runtime/buffer.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/stream.hpp"

namespace {

using namespace wayfront;

constexpr std::size_t kMostBytes = std::size_t{8} << 20;  // of a piece

/// The median time of an exchange, in microseconds. Collective.
template <typename F>
double median_time(const comm::Communicator& world, const gpu::Stream& stream, int trials, F&& exchange)
{
    std::vector<double> times;
    for (int trial = 0; trial < trials; ++trial) {
        world.barrier();
        const Clock::time_point begin = Clock::now();
        exchange();
        stream.synchronize();
        times.push_back(1e6 * world.all_reduce(seconds_between(begin, Clock::now()), comm::Reduction::max));
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
}

void run(int argc, char** argv)
{
    const int trials = argc > 1 ? std::stoi(argv[1]) : 25;
    const comm::Communicator world = comm::Communicator::world();
    const auto ranks = static_cast<std::size_t>(world.size());
    const std::string device = gpu::use_device(world.split_by_host().rank() % std::max(gpu::device_count(), 1));
    const gpu::NcclConnection nccl = gpu::connect_nccl(world);
    if (nccl.ranks == nullptr) throw ResourceError(nccl.obstacle);
    gpu::DeviceExchange over_mpi(world, gpu::method_over_mpi(world));
    gpu::DeviceExchange chosen(world, gpu::ExchangeMethod::nccl, nccl.ranks);
    const gpu::Stream stream;
    gpu::DeviceBuffer<std::byte> sent(ranks * kMostBytes);
    gpu::DeviceBuffer<std::byte> received(ranks * kMostBytes);

    nlohmann::ordered_json sizes;
    for (std::size_t bytes = 64; bytes <= kMostBytes; bytes *= 4) {
        const std::vector<std::int64_t> pieces(ranks, static_cast<std::int64_t>(bytes));
        const auto time = [&](auto&& exchange) {
            return median_time(world, stream, trials, [&] {
                gpu::fill_bytes_async(sent.span().first(bytes), 1, stream);
                exchange();
            });
        };
        sizes.push_back(
            {{"bytes", bytes},
             {"nccl_us", time([&] { nccl.ranks->all_to_all_v(sent.data(), pieces, received.data(), pieces, stream); })},
             {"mpi_us", time([&] { over_mpi.all_to_all(sent.data(), received.data(), bytes, stream); })},
             {"chosen_us", time([&] { chosen.all_to_all(sent.data(), received.data(), bytes, stream); })}});
    }
    const int of_host = world.split_by_host().size();
    if (world.rank() != 0) return;
    const nlohmann::ordered_json report{{"bench", "gpu_exchange"},         {"device", device}, {"ranks", world.size()},
                                        {"hosts", world.size() / of_host}, {"trials", trials}, {"all_to_all", sizes}};
    std::printf("%s\n", report.dump().c_str());
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc > 2) {
        std::fprintf(stderr, "usage: gpu_exchange [TRIALS]\n");
        return 2;
    }
    return bench::run_program("gpu_exchange", [&] {
        const comm::Session session(argc, argv);
        run(argc, argv);
    });
}
