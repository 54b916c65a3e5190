#!/usr/bin/env python3
"""Times push-pull and delta-stepping on the CPU, in turn, on graphs of different degrees: raw figures for docs/sssp.md.

usage: bench/sssp_crossovers.py WAYFRONT > bench/results/sssp-crossovers.json
"""
import pathlib
import statistics

from sssp_arcs import ROADS, search, write_results

SOURCES = 48
ROUNDS = 3
FLOATS = ("--weights", "float")
WHOLE = ("--weights", "uniform:1..255")
GRAPHS = [("kron:8", ()), ("kron:10", ()), ("kron:12", ()), ("kron:14", ()), ("kron:16", ()), ("kron:16,ef=2", ()), ("kron:18,ef=3", ()),
          ("random:16384,65536", FLOATS), ("random:16384,131072", FLOATS), ("random:16384,262144", FLOATS), ("random:16384,524288", FLOATS),
          ("random:65536,1048576", FLOATS), ("random:65536,2097152", FLOATS), ("complete:100", FLOATS), ("complete:1000", FLOATS),
          ("grid:300x300", WHOLE), (ROADS, ())]


def end_degree(report):
    """The mean degree at the ends of edges, from the reason that the program gives for its choice."""
    words = report["search"]["algorithm"].rpartition("vertices of ")[2].split()
    return float(words[1] if words[0] == "only" else words[0]) if words[-1] == "average" else None


def times(wayfront):
    for graph, options in GRAPHS:
        automatic = search(wayfront, graph, options, 1, 1)
        for ranks, threads in ((1, 1), (1, 2), (2, 1)):
            medians = {"push-pull": [], "delta-stepping": []}
            for _ in range(ROUNDS):
                for algorithm, found in medians.items():
                    report = search(wayfront, graph, (*options, "--algorithm", algorithm), threads, SOURCES, ranks)
                    found.append(1e3 * statistics.median(one["seconds"] for one in report["searches"]))
            yield {"graph": pathlib.Path(graph).name, "vertices": report["graph"]["vertices"], "edges": report["graph"]["edges"],
                   "end_degree": end_degree(automatic), "ranks": ranks, "threads": threads, "median_ms": medians}


if __name__ == "__main__":
    write_results(__doc__, times, "Push-pull and delta-stepping on the CPU", sources=SOURCES, rounds=ROUNDS)
