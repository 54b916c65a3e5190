// The times of a machine by which methods are compared. `wayfront tune` measures them.
#pragma once

#include <string>

namespace wayfront::plan {

/// Seconds of one core.
struct CoreRates
{
    // Dijkstra's algorithm: per arc that is read, and per distance that a vertex gets in a small graph
    // (plan/search_times.hpp).
    double search_arc = 1.25e-9;
    double search_vertex = 30e-9;
    // A search by pushes and pulls in a graph with hubs: per arc, and per vertex.
    double push_pull_arc = 1e-10;
    double push_pull_vertex = 50e-9;
    double sort_arc = 50e-9;  // to sort the lists of arcs by weight, before these searches
    // Floyd-Warshall: per sum and minimum in types of 4 bytes, with vectors of 32 bytes, of 64 bytes,
    // and with parents. About 0.7 of the rates of products of tiles alone
    // (bench/results/apsp-floyd-warshall-strips.json).
    double relaxation = 1 / 20e9;
    double wide_relaxation = 1 / 32e9;
    double parents_relaxation = 1 / 10e9;
    double set_arc = 5e-9;  // bit-parallel search: per arc that is read for 512 sources
    // A pass over eliminated vertices: per source, and vertex or arc.
    double elimination_vertex = 6e-10;
    double elimination_arc = 1.5e-10;
    double row_vertex = 5e-9;  // to write a row
    // The search for parents in a row of distances: per arc, and per vertex.
    double trace_arc = 3e-9;
    double trace_vertex = 3e-8;
    // A breadth-first search, with its results: per edge, and per vertex if most levels are too small for
    // several threads (bench/results/engine-choice.json).
    double bfs_edge = 0.35e-9;
    double bfs_deep_vertex = 40e-9;

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

/// Seconds of one GPU. tune measures those of for_each().
struct GpuRates
{
    // A search by a thread block: per source, and vertex or arc.
    double block_element = 6e-12;
    // The same with distances in device memory: per vertex and per arc.
    double device_block_vertex = 2.4e-10;
    double device_block_arc = 7e-12;
    // Rows by pushes and pulls in a graph with hubs: per source, and per source and vertex or arc.
    double push_pull_source = 2e-5;
    double push_pull_vertex = 1e-10;
    double push_pull_arc = 2e-12;
    double elimination_element = 1.5e-12;
    double bit_element = 3.5e-13;  // if 1024 sources are searched at once
    double paper_element = 2e-10;  // of the batched methods of the paper
    // Floyd-Warshall in types of 4 bytes: per sum and minimum.
    double relaxation = 1 / 1.45e13;
    double step = 35e-6;      // at least, for 128 vertices
    double paper_slower = 3;  // times, in tiles of 32
    // Combined rows.
    double combined_byte = 1 / 2e12;
    double combined_arc = 7e-8;    // on the CPU, beside the searches
    double combined_level = 3e-6;  // at least
    // For one of many graphs: to allocate its memory, and to wait for its kernels.
    double alone = 2e-3;
    // Until a GPU computes, roughly: for its context, and to copy a small graph
    // (bench/results/engine-choice.json).
    double start = 0.35;
    // A search for shortest paths on GPUs alone: its launch and the reading of its counts, and per vertex. By push-pull
    // these are the medians of bench/results/gpu-sssp-scale*-1.json, within 2% (within 4% at scale 28), and those of
    // gpu-windows-of-small-graphs.json, within a third.
    double sssp_start = 3e-4;
    double sssp_vertex = 6e-11;
    // The steps of such a search if GPUs exchange messages: 45 of 45 us (gpu-sssp-messages-steps.json).
    double sssp_messages = 2e-3;
    // A breadth-first search: 0.57 ms in a random graph of 4 million vertices (gpu-directed-graphs.json), a tenth
    // per vertex in Kronecker graphs (gpu-scale*-1.json); and of levels that are too small for a GPU, 2.6 ms in a grid
    // of 500 x 500 vertices (engine-choice.json).
    double bfs_start = 1.2e-4;
    double bfs_vertex = 1e-10;
    double bfs_deep_vertex = 1e-8;

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
