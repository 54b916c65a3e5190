// Measures the construction of a Kronecker graph on one GPU, step by step.
//
//     gpu_construct SCALE [EDGE_FACTOR [RUNS [BATCH_EDGES]]]
//
// Prints JSON, one line a run. Steps are timed with the host's clock, each ending with its stream
// synchronised; `seconds` is the time from the call to the finished graph, with allocation,
// generation of the tuples in each pass, and first-neighbour arrays. The first run also loads the
// kernels. BATCH_EDGES forces batches; with 0, their size follows from the memory.
#include <cstdio>
#include <map>
#include <string>

#include "bench/program.hpp"
#include "gpu/kron/construction.hpp"
#include "gpu/kron/construction_memory.hpp"
#include "gpu/runtime/device.hpp"
#include "graph/generators/kron.hpp"

namespace {

using namespace wayfront;

void run_once(int run, int scale, EdgeCount edge_factor, std::uint64_t batch_edges, const std::string& device)
{
    const KronParameters parameters = kron_parameters(scale, 2, 3);
    const EdgeCount tuples = edge_factor << scale;
    const gpu::Stream stream;
    gpu::OneRank alone;
    PhaseLog log;
    gpu::kron::ConstructionRun construction{stream, {.batch_edges = batch_edges, .log = &log}};

    const Clock::time_point begin = Clock::now();
    const gpu::DeviceGraph graph = gpu::kron::construct_kron(parameters, tuples, alone, construction);
    const double seconds = seconds_between(begin, Clock::now());

    std::map<std::string, double> steps;
    double spanned = 0;
    for (const Span& span : log.spans()) {
        steps[std::string(span.name)] += span.seconds();
        spanned += span.seconds();
    }
    // Most of this time is the allocation of the work buffers.
    steps["between steps"] = seconds - spanned;
    std::printf(
        R"({"bench": "gpu_construct", "device": "%s", "run": %d, "scale": %d, "edgefactor": %lld, "seconds": %.6f, )",
        device.c_str(), run, scale, static_cast<long long>(edge_factor), seconds);
    std::printf(
        R"("batches": %d, "peak_bytes": %zu, "graph_bytes": %zu, "connected_vertices": %lld, "directed_edges": %lld, "steps": {)",
        construction.report.batches, construction.report.peak_bytes, graph.bytes(),
        static_cast<long long>(graph.connected_vertices), static_cast<long long>(graph.directed_edges));
    const char* separator = "";
    for (const auto& [name, step_seconds] : steps) {
        std::printf(R"(%s"%s": %.6f)", separator, name.c_str(), step_seconds);
        separator = ", ";
    }
    std::printf("}}\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 2 || argc > 5) {
        std::fprintf(stderr, "usage: gpu_construct SCALE [EDGE_FACTOR [RUNS [BATCH_EDGES]]]\n");
        return 2;
    }
    return bench::run_program("gpu_construct", [&] {
        const int scale = std::stoi(argv[1]);
        const EdgeCount edge_factor = argc > 2 ? std::stoll(argv[2]) : 16;
        const int runs = argc > 3 ? std::stoi(argv[3]) : 3;
        const std::uint64_t batch_edges = argc > 4 ? std::stoull(argv[4]) : 0;
        const std::string device = gpu::use_device(0);
        gpu::kron::require_construction_memory(scale, edge_factor << scale, 1, gpu::free_memory());
        for (int run = 1; run <= runs; ++run) run_once(run, scale, edge_factor, batch_edges, device);
    });
}
