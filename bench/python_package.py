#!/usr/bin/env python3
"""Measures the Python package: breadth-first searches beside those of the C++ library, and wayfront.csgraph beside SciPy; raw figures for
docs/python.md. To be run by a Python that has wayfront and SciPy.

usage: bench/python_package.py LIBRARY_BFS > bench/results/python-package.json
           LIBRARY_BFS: the program of bench/library_bfs.cpp (WAYFRONT_BENCHMARKS)

Everything runs on two threads, what is compared in turn.
"""
import gzip
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from sssp_arcs import ROADS, write_results

THREADS = 2
SEARCHES = 64
ROUNDS = 7
GRAPHS = ["kron:20", "ring:9"]  # the second shows what a call costs apart from its search


def milliseconds(call):
    begin = time.perf_counter()
    result = call()
    return 1e3 * (time.perf_counter() - begin), result


def python_bfs(name):
    """What library_bfs.cpp does."""
    import wayfront

    graph = wayfront.load(name)
    search = wayfront.Bfs(graph, engine="cpu")
    source = done = 0
    while done < SEARCHES and source < graph.vertex_count:
        taken, result = milliseconds(lambda source=source: search.run(source))
        source += 1
        if result.reached >= graph.vertex_count // 1000:
            print(taken)
            done += 1
        del result  # as in C++, before the next search


def fastest_in_turn(library_bfs, graph):
    """The fastest search of each round: all search from the same sources, and other programs only make one slower."""
    found = {"library": [], "python": []}
    for _ in range(ROUNDS):
        for name, command in (("library", [library_bfs, graph, str(SEARCHES)]), ("python", [sys.executable, __file__, "--bfs", graph])):
            lines = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"GOMP_SPINCOUNT": "10000"}).stdout.split()
            found[name].append(min(float(line) for line in lines))
    return found


def roads():
    with gzip.open(ROADS, "rt") as file:
        arcs = np.array([line.split()[1:] for line in file if line.startswith("a ")], dtype=np.int64)
    vertices = arcs[:, :2].max()
    return scipy.sparse.csr_array((arcs[:, 2], (arcs[:, 0] - 1, arcs[:, 1] - 1)), shape=(vertices, vertices))


def random_graph(vertices, edges, seed=1):
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, vertices, (2, edges))
    return scipy.sparse.csr_array((rng.uniform(0, 1, edges), tuple(ends)), shape=(vertices, vertices))


def cases():
    """(graph, matrix, its work, its sources)"""
    whole = roads()
    large, small = random_graph(1 << 16, 1 << 20), random_graph(1 << 12, 1 << 16)
    for name, matrix in (("New York's roads", whole), ("random: 65536 vertices, 1048576 edges", large)):
        yield name, matrix, "1 source", [0]
        yield name, matrix, "64 sources", np.arange(0, matrix.shape[0], matrix.shape[0] // 64)[:64]
    yield "6000 of New York's crossings", whole[:6000, :6000], "all pairs", np.arange(6000)
    yield "random: 4096 vertices, 65536 edges", small, "all pairs", np.arange(small.shape[0])


def beside_scipy():
    """Milliseconds of dijkstra() of wayfront.csgraph and of SciPy, and of searches in a graph that has been prepared."""
    import wayfront
    import wayfront.csgraph

    for graph, matrix, work, sources in cases():
        search = wayfront.ShortestPaths(wayfront.Graph.from_scipy(matrix))

        def prepared(search=search, sources=sources):
            return np.array([search.run(source).distances for source in sources])

        def ours(matrix=matrix, sources=sources):
            return wayfront.csgraph.dijkstra(matrix, indices=sources)

        def theirs(matrix=matrix, sources=sources):
            return scipy.sparse.csgraph.dijkstra(matrix, indices=sources)

        np.testing.assert_array_equal(ours(), theirs())
        taken = {"wayfront": [], "prepared": [], "scipy": []}
        for _ in range(ROUNDS if work == "1 source" else 3):
            for name, call in zip(taken, (ours, prepared, theirs)):
                taken[name].append(milliseconds(call)[0])
        print(graph, work, {name: round(statistics.median(times), 1) for name, times in taken.items()}, file=sys.stderr)
        yield {"graph": graph, "work": work, "ms": taken}


def measure(library_bfs):
    for graph in GRAPHS:
        taken = fastest_in_turn(library_bfs, graph)
        print(graph, {name: min(times) for name, times in taken.items()}, file=sys.stderr)
        yield {"graph": graph, "work": "breadth-first search", "ms": taken}
    yield from beside_scipy()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))
    if sys.argv[1:2] == ["--bfs"]:
        python_bfs(sys.argv[2])
    else:
        write_results(__doc__, measure, "The Python package", threads=THREADS, rounds=ROUNDS, scipy=scipy.__version__, numpy=np.__version__)
