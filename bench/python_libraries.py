#!/usr/bin/env python3
"""Measures the Python package beside SciPy, NetworkX, igraph, NetworKit and rustworkx; raw figures for docs/python.md.

usage: bench/python_libraries.py FOLDER > bench/results/python-libraries.json
           FOLDER: has email-Enron.txt.gz of SNAP and USA-road-d.NY.gr.gz of the ninth DIMACS challenge

Each library gets the same arrays of edges: the time until it has a graph of its own is the conversion. Then come the distances from
one vertex, and those from 16 vertices to all. "1 source, once" is one search with its conversion, by the call that suits it. Other libraries
that are not installed are left out, and NetworkX does one search only. All
have two threads; SciPy, NetworkX and igraph use one. In turn, NetworkX and rustworkx once; the sums of the distances are compared.
"""
import gzip
import importlib
import itertools
import os
import sys
import time

THREADS = "2"
os.environ |= {name: THREADS for name in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS", "WAYFRONT_THREADS")}

import numpy as np  # noqa: E402 - after the number of threads
import scipy.sparse  # noqa: E402
import scipy.sparse.csgraph  # noqa: E402
from sssp_arcs import write_results  # noqa: E402

ROUNDS = 3
SOURCES = 16


def total(distances):
    """The sum of the distances of reached vertices."""
    distances = np.asarray(distances, dtype=np.float64)
    return float(distances[np.isfinite(distances) & (distances >= 0) & (distances < 1e300)].sum())


class Wayfront:
    def convert(self, vertices, edges, weights):
        import wayfront

        self.graph = wayfront.Graph.from_edges(vertices, edges[0], edges[1], weights, direction="undirected")
        self.search = (wayfront.Bfs if weights is None else wayfront.ShortestPaths)(self.graph, engine="cpu")
        self.weighted = weights is not None

    def one(self, source):
        return self.total_of(self.search.run(source))

    def total_of(self, result):
        distances = result.distances if self.weighted else result.levels
        return total(distances[distances != result.unreached] if self.weighted else distances)

    def once(self, vertices, edges, weights, source):
        import wayfront

        self.graph = wayfront.Graph.from_edges(vertices, edges[0], edges[1], weights, direction="undirected")
        self.weighted = weights is not None
        result = (wayfront.shortest_paths if self.weighted else wayfront.bfs)(self.graph, source, engine="cpu")
        return self.total_of(result)

    def many(self, sources):
        import wayfront

        matrix = wayfront.all_pairs(self.graph, sources=sources, engine="cpu")
        return total(matrix.distances[matrix.distances != matrix.unreached])


class SciPy:
    def convert(self, vertices, edges, weights):
        values = np.ones(edges.shape[1]) if weights is None else weights.astype(np.float64)
        self.matrix = scipy.sparse.csr_array((values, (edges[0], edges[1])), shape=(vertices, vertices))
        self.weighted = weights is not None

    def many(self, sources):
        return total(scipy.sparse.csgraph.dijkstra(self.matrix, directed=False, indices=sources, unweighted=not self.weighted))

    def one(self, source):
        return self.many([source])


class NetworkX:
    def convert(self, vertices, edges, weights):
        import networkx

        self.networkx, self.graph = networkx, networkx.Graph()
        self.graph.add_nodes_from(range(vertices))
        if weights is None:
            self.graph.add_edges_from(zip(*edges.tolist()))
        else:
            self.graph.add_weighted_edges_from(zip(*edges.tolist(), weights.tolist()))
        self.weighted = weights is not None

    def one(self, source):
        search = self.networkx.single_source_dijkstra_path_length if self.weighted else self.networkx.single_source_shortest_path_length
        return float(sum(search(self.graph, source).values()))


class Igraph:
    def convert(self, vertices, edges, weights):
        import igraph

        self.graph = igraph.Graph(n=vertices, edges=edges.T)
        self.weights = None if weights is None else weights.tolist()

    def many(self, sources):
        return total(self.graph.distances(source=sources, weights=self.weights))

    def one(self, source):
        return self.many([source])


class NetworKit:
    def convert(self, vertices, edges, weights):
        import networkit

        self.networkit = networkit
        values = np.ones(edges.shape[1]) if weights is None else weights.astype(np.float64)
        self.graph = networkit.GraphFromCoo((values, (edges[0].astype(np.uint64), edges[1].astype(np.uint64))), n=vertices,
                                            weighted=weights is not None, directed=False)

    def one(self, source):
        search = self.networkit.distance.Dijkstra if self.graph.isWeighted() else self.networkit.distance.BFS
        return total(search(self.graph, source, storePaths=False).run().getDistances())

    def many(self, sources):
        return total(self.networkit.distance.SPSP(self.graph, sources).run().getDistances())


class Rustworkx:
    def convert(self, vertices, edges, weights):
        import rustworkx

        self.rustworkx, self.graph = rustworkx, rustworkx.PyGraph(multigraph=False)
        self.graph.add_nodes_from(range(vertices))
        values = [1.0] * edges.shape[1] if weights is None else weights.astype(np.float64).tolist()
        self.graph.add_edges_from(list(zip(*edges.tolist(), values)))

    def one(self, source):
        return float(sum(self.rustworkx.dijkstra_shortest_path_lengths(self.graph, source, float).values()))

    def many(self, sources):
        return sum(self.one(source) for source in sources)


LIBRARIES = {"wayfront": Wayfront, "scipy": SciPy, "networkx": NetworkX, "igraph": Igraph, "networkit": NetworKit, "rustworkx": Rustworkx}


def simple(ends, weights=None):
    """Each undirected edge once, the lightest of parallel ones, without loops."""
    low, high = np.minimum(*ends), np.maximum(*ends)
    order = np.lexsort((np.zeros_like(low) if weights is None else weights, high, low))
    low, high = low[order], high[order]
    keep = low != high
    keep[1:] &= (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return np.array([low[keep], high[keep]]), None if weights is None else weights[order][keep]


def graphs(folder):
    """(name, vertices, edges, weights or None)"""
    with gzip.open(f"{folder}/email-Enron.txt.gz", "rt") as file:
        ends = np.loadtxt(file, dtype=np.int64, comments="#").T
    yield "email-Enron", int(ends.max()) + 1, *simple(ends)
    with gzip.open(f"{folder}/USA-road-d.NY.gr.gz", "rt") as file:
        arcs = np.array([line.split()[1:] for line in file if line.startswith("a ")], dtype=np.int64)
    yield "New York's roads", int(arcs[:, :2].max()), *simple(arcs[:, :2].T - 1, arcs[:, 2])
    random = np.random.default_rng(1)  # a graph of the Kronecker model, by its definition
    ends = np.zeros((2, 16 << 18), dtype=np.int64)
    for bit in range(18):
        quarter = random.choice(4, size=ends.shape[1], p=[0.57, 0.19, 0.19, 0.05])
        ends |= np.array([quarter >> 1, quarter & 1]) << bit
    yield "Kronecker, scale 18", 1 << 18, *simple(random.permutation(1 << 18)[ends])


def milliseconds(call):
    begin = time.perf_counter()
    result = call()
    return 1e3 * (time.perf_counter() - begin), result


def once(library, vertices, edges, weights, source):
    """One search with its conversion."""
    if hasattr(library, "once"):
        return milliseconds(lambda: library.once(vertices, edges, weights, source))
    conversion, _ = milliseconds(lambda: library.convert(vertices, edges, weights))
    search, result = milliseconds(lambda: library.one(source))
    return conversion + search, result


def installed():
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        yield name


def measure(folder):
    names = list(installed())
    for graph, vertices, edges, weights in graphs(folder):
        degrees = np.bincount(edges.ravel(), minlength=vertices)
        sources = np.random.default_rng(2).choice(np.flatnonzero(degrees), SOURCES, replace=False).tolist()
        taken = {work: {name: [] for name in names} for work in ("conversion", "1 source", "1 source, once", f"{SOURCES} sources")}
        for _, name in itertools.product(range(ROUNDS), names):
            library = LIBRARIES[name]()
            if name in ("networkx", "rustworkx") and taken["conversion"][name]:
                continue  # they take far longer
            time_of, _ = milliseconds(lambda: library.convert(vertices, edges, weights))
            taken["conversion"][name].append(time_of)
            time_of, sum_of_one = milliseconds(lambda: library.one(sources[0]))
            taken["1 source"][name].append(time_of)
            expected = sum_of_one if name == "wayfront" else expected
            assert sum_of_one == expected, (graph, name, sum_of_one, expected)
            time_of, sum_of_one = once(LIBRARIES[name](), vertices, edges, weights, sources[0])
            taken["1 source, once"][name].append(time_of)
            assert sum_of_one == expected, (graph, name, sum_of_one, expected)
            if not hasattr(library, "many"):
                continue
            time_of, sum_of_many = milliseconds(lambda: library.many(sources))
            taken[f"{SOURCES} sources"][name].append(time_of)
            expected_many = sum_of_many if name == "wayfront" else expected_many
            assert sum_of_many == expected_many, (graph, name, sum_of_many, expected_many)
        print(graph, taken, file=sys.stderr)
        for work, times in taken.items():
            yield {"graph": f"{graph}: {vertices} vertices, {edges.shape[1]} edges", "work": work,
                   "ms": {name: [round(time_of, 3) for time_of in found] for name, found in times.items() if found}}


if __name__ == "__main__":
    versions = {name: importlib.import_module(name).__version__ for name in installed()}
    write_results(__doc__, measure, "The Python package beside other libraries", threads=int(THREADS), versions=versions)
