// The times of a machine by which methods are compared. `wayfront tune` measures them.
#pragma once

#include <string>

namespace wayfront::plan {

/// The rates of one core, in seconds for the unit beside each rate. A rate's name is also its key in a rates file.
struct CoreRates
{
    // Dijkstra's algorithm (plan/search_times.hpp).
    double search_arc = 1.25e-9;   // per arc that is read
    double search_vertex = 30e-9;  // per distance that a vertex gets in a small graph
    // A search by pushes and pulls in a graph with hubs. Its lists of arcs are sorted by weight before.
    double push_pull_arc = 1e-10;     // per arc
    double push_pull_vertex = 50e-9;  // per vertex
    double sort_arc = 50e-9;          // per arc that is sorted
    // Floyd-Warshall in types of 4 bytes. About 0.7 of the rates of products of tiles alone
    // (bench/results/apsp-floyd-warshall-strips.json).
    double relaxation = 1 / 20e9;          // per sum and minimum, with vectors of 32 bytes
    double wide_relaxation = 1 / 32e9;     // per sum and minimum, with vectors of 64 bytes
    double parents_relaxation = 1 / 10e9;  // per sum and minimum, with parents
    double set_arc = 5e-9;                 // bit-parallel search: per arc that is read for 512 sources
    // A pass over eliminated vertices.
    double elimination_vertex = 6e-10;  // per source and vertex
    double elimination_arc = 1.5e-10;   // per source and arc
    double row_vertex = 5e-9;           // writing rows: per source and vertex
    // The search for parents in a row of distances.
    double trace_arc = 3e-9;     // per row and arc
    double trace_vertex = 3e-8;  // per row and vertex
    // A breadth-first search, with its results (bench/results/engine-choice.json).
    double bfs_edge = 0.35e-9;       // per edge
    double bfs_deep_vertex = 40e-9;  // per vertex, if most levels are too small for several threads

    /// Calls f(name, rate) for the rates that tune measures.
    template <typename Self, typename F>
    static void for_each(Self&& rates, F&& f)
    {
        f("search_arc", rates.search_arc);
        f("search_vertex", rates.search_vertex);
        f("push_pull_arc", rates.push_pull_arc);
        f("push_pull_vertex", rates.push_pull_vertex);
        f("sort_arc", rates.sort_arc);
        f("relaxation", rates.relaxation);
        f("wide_relaxation", rates.wide_relaxation);
        f("parents_relaxation", rates.parents_relaxation);
        f("set_arc", rates.set_arc);
        f("elimination_vertex", rates.elimination_vertex);
        f("elimination_arc", rates.elimination_arc);
        f("row_vertex", rates.row_vertex);
        f("trace_arc", rates.trace_arc);
        f("trace_vertex", rates.trace_vertex);
        f("bfs_edge", rates.bfs_edge);
        f("bfs_deep_vertex", rates.bfs_deep_vertex);
    }
};

/// The rates of one GPU, in seconds for the unit beside each rate. tune measures those of for_each().
struct GpuRates
{
    // A search by a thread block, in shared memory and in device memory.
    double block_element = 6e-12;          // per source, and vertex or arc
    double device_block_vertex = 2.4e-10;  // per source and vertex
    double device_block_arc = 7e-12;       // per source and arc
    // Rows by pushes and pulls in a graph with hubs.
    double push_pull_source = 2e-5;        // per source
    double push_pull_vertex = 1e-10;       // per source and vertex
    double push_pull_arc = 2e-12;          // per source and arc
    double elimination_element = 1.5e-12;  // per source, and vertex or arc
    double bit_element = 3.5e-13;          // per source, and vertex or arc, if 1024 sources are searched at once
    double paper_element = 2e-10;          // per source, and vertex or arc, by the batched methods of the paper
    // Floyd-Warshall in types of 4 bytes.
    double relaxation = 1 / 1.45e13;  // per sum and minimum
    double step = 35e-6;              // at least, per step of 128 vertices
    double paper_slower = 3;          // no seconds: how many times as long tiles of 32 take
    // Combined rows.
    double combined_byte = 1 / 2e12;  // per byte of a row, for each arc along which it is combined
    double combined_arc = 7e-8;       // per arc, on the CPU, beside the searches
    double combined_level = 3e-6;     // at least, per level
    double alone =
        2e-3;  // per graph of many that is computed alone: to allocate its memory, and to wait for its kernels
    // Until a GPU computes, roughly: for its context, and to copy a small graph
    // (bench/results/engine-choice.json).
    double start = 0.35;  // per job
    // A search for shortest paths on GPUs alone. By push-pull these are the medians of
    // bench/results/gpu-sssp-scale*-1.json, within 2% (within 4% at scale 28), and those of
    // gpu-windows-of-small-graphs.json, within a third.
    double sssp_start = 3e-4;    // per search: its launch, and the reading of its counts
    double sssp_vertex = 6e-11;  // per vertex
    // The steps of such a search if GPUs exchange messages: 45 of 45 us (gpu-sssp-messages-steps.json).
    double sssp_messages = 2e-3;  // per search
    // A breadth-first search: 0.57 ms in a random graph of 4 million vertices (gpu-directed-graphs.json), a tenth
    // per vertex in Kronecker graphs (gpu-scale*-1.json); and of levels that are too small for a GPU, 2.6 ms in a grid
    // of 500 x 500 vertices (engine-choice.json).
    double bfs_start = 1.2e-4;      // per search
    double bfs_vertex = 1e-10;      // per vertex
    double bfs_deep_vertex = 1e-8;  // per vertex, if most levels are too small for a GPU

    /// Calls f(name, rate) for the rates of the methods that auto chooses from, without those of steps
    /// that are too short to be measured in a job.
    template <typename Self, typename F>
    static void for_each(Self&& rates, F&& f)
    {
        f("block_element", rates.block_element);
        f("device_block_vertex", rates.device_block_vertex);
        f("device_block_arc", rates.device_block_arc);
        f("elimination_element", rates.elimination_element);
        f("bit_element", rates.bit_element);
        f("relaxation", rates.relaxation);
        f("start", rates.start);
        f("sssp_start", rates.sssp_start);
        f("sssp_vertex", rates.sssp_vertex);
        f("bfs_start", rates.bfs_start);
        f("bfs_vertex", rates.bfs_vertex);
        f("bfs_deep_vertex", rates.bfs_deep_vertex);
    }
};

/// The defaults are those of a core of a server of 2024, and of an H200: measured by
/// bench/papers_apsp.cu, or recorded in bench/results/gpu-rows-in-device-memory.json. Those of
/// parents were measured on another machine, and scaled by the rates that both have.
struct Rates
{
    // Not an aggregate: if a later initialiser of an aggregate that contains it throws, GCC 12 destroys the
    // strings of a nested aggregate twice.
    Rates() = default;

    std::string machine = "a core of a server of 2024";
    std::string gpu_machine = "an H200";
    std::string date = "built-in";  // "2026-11-27" if they were measured
    CoreRates core{};
    GpuRates gpu{};
};

}  // namespace wayfront::plan
