// Measures the steps of searches for shortest paths on the GPUs of one or several ranks: in a Kronecker
// graph with float weights in [0, 1), as in Graph500's kernel 3.
//
//     sssp_steps SCALE [SEARCHES [TRACED [TRANSPORT [WIDTH [PULL_FROM [FEW [HUBS [BUSY_SLOTS]]]]]]]]
//
// Prints one JSON object. Times are means of SEARCHES random keys, 64 by default; each step of the
// first TRACED searches is written to standard error. One more search, in which NCCL connects the GPUs, comes first
// and does not count. TRANSPORT is p2p (the default), nccl or mpi. The
// last five numbers are those of SsspTuning; a dash keeps the default.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/phase.hpp"
#include "bench/program.hpp"
#include "comm/communicator.hpp"
#include "comm/process_grid.hpp"
#include "comm/session.hpp"
#include "gpu/exchange/device_exchange.hpp"
#include "gpu/exchange/nccl.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/sssp/search.hpp"
#include "graph/generators/kron.hpp"

namespace {

using namespace wayfront;

std::string argument(int argc, char** argv, int i, const char* missing)
{
    return argc > i ? argv[i] : missing;
}

template <typename T>
std::optional<T> number_unless_dash(const std::string& text)
{
    if (text == "-") return {};
    return static_cast<T>(std::stod(text));
}

/// The exchange of a transport. Collective.
std::shared_ptr<gpu::DeviceExchange> make_exchange(const comm::Communicator& world, const std::string& transport)
{
    if (transport != "nccl")
        return std::make_shared<gpu::DeviceExchange>(
            world, transport == "mpi" ? gpu::method_over_mpi(world) : gpu::ExchangeMethod::peers);
    gpu::NcclConnection nccl = gpu::connect_nccl(world);
    if (!nccl.obstacle.empty()) throw ResourceError(nccl.obstacle);
    return std::make_shared<gpu::DeviceExchange>(world, gpu::ExchangeMethod::nccl, std::move(nccl.ranks));
}

/// The time that the searches spent on steps of one kind.
struct StepTotals
{
    double seconds = 0;
    double steps = 0;
    double vertices = 0;
    double bytes = 0;  // sent by this GPU
};

void run(int argc, char** argv)
{
    const int scale = std::stoi(argv[1]);
    const int searches = std::stoi(argument(argc, argv, 2, "64"));
    const int traced = std::stoi(argument(argc, argv, 3, "0"));
    gpu::sssp::SsspTuning tuning;
    const std::string transport = argument(argc, argv, 4, "p2p");
    tuning.width = number_unless_dash<double>(argument(argc, argv, 5, "-"));
    tuning.pull_from = number_unless_dash<double>(argument(argc, argv, 6, "-"));
    tuning.single_block_vertices = number_unless_dash<std::uint32_t>(argument(argc, argv, 7, "-"));
    tuning.hubs = number_unless_dash<std::uint32_t>(argument(argc, argv, 8, "-"));
    tuning.busy_slots = number_unless_dash<std::uint32_t>(argument(argc, argv, 9, "-"));

    const comm::Communicator world = comm::Communicator::world();
    const comm::ProcessGrid grid(world, {world.size(), 1});
    const std::string device = gpu::use_device(world.split_by_host().rank() % std::max(gpu::device_count(), 1));
    const KronParameters parameters = kron_parameters(scale, 2, 3);
    const EdgeCount tuples = EdgeCount{16} << scale;
    const gpu::Stream stream;
    const std::shared_ptr<gpu::DeviceExchange> exchange = make_exchange(world, transport);
    gpu::kron::ConstructionRun construction{stream};
    gpu::kron::WeightedGraph graph = gpu::kron::construct_weighted_kron(parameters, tuples, *exchange, construction);
    const auto vertices = Vertex{1} << scale;
    const gpu::sssp::SsspGraph facts{
        .vertices = vertices, .connected_vertices = graph.connected_vertices, .weight_sum = graph.weight_sum};
    gpu::sssp::DeviceSssp search(grid, std::move(graph.lists), facts, tuning, transport == "p2p" ? nullptr : exchange);

    std::mt19937_64 random(1);
    std::map<std::string, StepTotals> totals;
    double seconds = 0, relaxed = 0, pulled = 0;
    for (int found = -1; found < searches;) {
        const auto key = static_cast<Vertex>(random() % static_cast<std::uint64_t>(vertices));
        const bool own = key % world.size() == world.rank();
        if (!world.any(own && search.has_edges(static_cast<std::uint32_t>(key / world.size())))) continue;
        // What the last search clears does not count, as in `graph500`, which validates meanwhile.
        gpu::check(cudaDeviceSynchronize());
        world.barrier();
        const Clock::time_point begin = Clock::now();
        search.run(key);
        world.barrier();
        const double of_search = seconds_between(begin, Clock::now());
        search.collect();
        const gpu::sssp::SsspFacts what = search.facts();
        // The source is not in the large component.
        if (what.reached < static_cast<std::uint64_t>(vertices) / 8) continue;
        if (++found == 0) continue;
        seconds += of_search;
        relaxed += static_cast<double>(what.relaxed_arcs);
        pulled += static_cast<double>(what.pulled_arcs);
        const bool prints = world.rank() == 0 && found <= traced;
        for (const gpu::sssp::SsspStepRecord& record : what.records) {
            StepTotals& total = totals[record.step];
            total.seconds += record.seconds;
            total.steps += 1;
            total.vertices += static_cast<double>(record.vertices);
            total.bytes += static_cast<double>(record.sent_bytes);
            if (prints)
                std::fprintf(stderr, "%2d %-10s %10llu %8.2f us %10llu bytes\n", found, record.step,
                             static_cast<unsigned long long>(record.vertices), 1e6 * record.seconds,
                             static_cast<unsigned long long>(record.sent_bytes));
        }
        if (prints) std::fprintf(stderr, "%2d all %.2f us\n", found, 1e6 * of_search);
    }
    if (world.rank() != 0) return;

    nlohmann::ordered_json report{{"bench", "sssp_steps"},  {"device", device}, {"gpus", world.size()},
                                  {"transport", transport}, {"scale", scale},   {"searches", searches}};
    double kernel = 0;
    nlohmann::ordered_json steps;
    for (const auto& [name, total] : totals) {
        kernel += total.seconds;
        steps[name] = {{"ms", 1e3 * total.seconds / searches},
                       {"steps", total.steps / searches},
                       {"vertices", total.vertices / searches},
                       {"sent_bytes", total.bytes / searches}};
    }
    report["width"] = search.width();
    report["search_ms"] = 1e3 * seconds / searches;
    report["kernel_ms"] = 1e3 * kernel / searches;
    report["relaxed_arcs"] = relaxed / searches;
    report["pulled_arcs"] = pulled / searches;
    report["steps"] = steps;
    std::printf("%s\n", report.dump().c_str());
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 2 || argc > 10) {
        std::fprintf(
            stderr,
            "usage: sssp_steps SCALE [SEARCHES [TRACED [TRANSPORT [WIDTH [PULL_FROM [FEW [HUBS [BUSY_SLOTS]]]]]]]]\n");
        return 2;
    }
    return bench::run_program("sssp_steps", [&] {
        const comm::Session session(argc, argv);
        run(argc, argv);
    });
}
