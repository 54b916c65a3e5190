#!/usr/bin/env python3
"""Measures the Python package beside SciPy, NetworkX, igraph, NetworKit and rustworkx; raw figures for docs/python.md.

usage: bench/python_libraries.py FOLDER > bench/results/python-libraries.json
           FOLDER: has email-Enron.txt.gz and soc-Slashdot0902.txt.gz of SNAP, and USA-road-d.NY.gr.gz of the ninth DIMACS challenge

Each library gets the same arrays of edges. "ms" is the work in a graph that the library has made its own, and that is prepared for this
work; "whole_ms" is the work with this conversion, by the calls that suit a graph that is searched once. Other libraries that are not
installed are left out. All have two threads; SciPy, NetworkX and igraph use one. In turn; a round is one of all graphs, so that another
program does not slow down all rounds of one graph. NetworkX and rustworkx once. NetworkX does one search, and the diameter by bounds of
eccentricities; igraph's diameter, of searches from all vertices, is left out. Of all pairs and of closeness, other libraries do a sample
of the vertices ("share"); the times are those of the sample, divided by its share. Results are compared with those of wayfront.
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

ROUNDS = 5
SOURCES = 16
SAMPLE = 256
ONE, MANY, ALL_PAIRS, CLOSENESS, DIAMETER = "1 source", f"{SOURCES} sources", "all pairs", "closeness", "diameter"
SLOW = ("networkx", "rustworkx")  # measured once, after the others


def total(distances):
    """The sum of the distances of reached vertices: others are at -1, or very far."""
    distances = np.asarray(distances, dtype=np.float64)
    return float(distances[(distances >= 0) & (distances < 1e15)].sum())


class Library:
    """What a library does, each function returning what the library does. One that is missing is not measured."""

    def works(self):
        return {ONE: self.one, MANY: getattr(self, "many", None), ALL_PAIRS: getattr(self, "many", None),
                CLOSENESS: getattr(self, "closeness", None), DIAMETER: getattr(self, "diameter", None)}


class Wayfront(Library):
    def load(self, vertices, edges, weights):
        import wayfront

        self.wayfront, self.weighted = wayfront, weights is not None
        self.graph = wayfront.Graph.from_edges(vertices, edges[0], edges[1], weights, direction="undirected")

    def prepare(self, work, sources):
        if work == ONE:
            self.search = (self.wayfront.ShortestPaths if self.weighted else self.wayfront.Bfs)(self.graph, engine="cpu")
        else:
            self.pairs = self.wayfront.AllPairs(self.graph, engine="cpu", sources=sources if work == MANY else None)

    def values(self, result):
        if not self.weighted:
            return result.levels
        return np.where(result.distances == result.unreached, -1, result.distances)

    def one(self, source):
        return self.search.run(source)

    def one_whole(self, source):
        return (self.wayfront.shortest_paths if self.weighted else self.wayfront.bfs)(self.graph, source, engine="cpu")

    def many(self, _):
        return self.pairs.matrix()

    def pair_rows(self):
        """All rows, each of which Python gets."""
        self.pairs.rows(lambda rows: None)

    def closeness(self, sources):
        return self.pairs.summary().closeness[sources]

    def diameter(self):
        return self.pairs.diameter()

    def sum_of(self, found):
        if hasattr(found, "levels") or hasattr(found, "parents"):
            return total(self.values(found))
        return total(found.distances[found.distances != found.unreached])


class SciPy(Library):
    def load(self, vertices, edges, weights):
        values = np.ones(edges.shape[1]) if weights is None else weights.astype(np.float64)
        self.matrix = scipy.sparse.csr_array((values, (edges[0], edges[1])), shape=(vertices, vertices))
        self.weighted = weights is not None

    def many(self, sources):
        return scipy.sparse.csgraph.dijkstra(self.matrix, directed=False, indices=sources, unweighted=not self.weighted)

    def one(self, source):
        return self.many([source])

    sum_of = staticmethod(total)


class NetworkX(Library):
    def load(self, vertices, edges, weights):
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
        return search(self.graph, source)

    def diameter(self):
        return self.networkx.diameter(self.graph, usebounds=True)

    @staticmethod
    def sum_of(found):
        return float(sum(found.values()))


class Igraph(Library):
    def load(self, vertices, edges, weights):
        import igraph

        self.graph = igraph.Graph(n=vertices, edges=edges.T)
        self.weights = None if weights is None else weights.tolist()

    def many(self, sources):
        return self.graph.distances(source=sources, weights=self.weights)

    def one(self, source):
        return self.many([source])

    def closeness(self, sources):
        return self.graph.closeness(vertices=sources)

    sum_of = staticmethod(total)


class NetworKit(Library):
    def load(self, vertices, edges, weights):
        import networkit

        self.networkit = networkit
        values = np.ones(edges.shape[1]) if weights is None else weights.astype(np.float64)
        self.graph = networkit.GraphFromCoo((values, (edges[0].astype(np.uint64), edges[1].astype(np.uint64))), n=vertices,
                                            weighted=weights is not None, directed=False)

    def one(self, source):
        search = self.networkit.distance.Dijkstra if self.graph.isWeighted() else self.networkit.distance.BFS
        return search(self.graph, source, storePaths=False).run().getDistances()

    def many(self, sources):
        return self.networkit.distance.SPSP(self.graph, sources).run().getDistances()

    def closeness(self, sources):
        # Its Closeness has no sample; these are its searches.
        distances = np.array(self.many(sources))
        return (distances.shape[1] - 1) / distances.sum(axis=1)

    def diameter(self):
        return self.networkit.distance.Diameter(self.graph, algo=self.networkit.distance.DiameterAlgo.EXACT).run().getDiameter()[0]

    sum_of = staticmethod(total)


class Rustworkx(Library):
    def load(self, vertices, edges, weights):
        import rustworkx

        self.rustworkx, self.graph = rustworkx, rustworkx.PyGraph(multigraph=False)
        self.graph.add_nodes_from(range(vertices))
        values = [1.0] * edges.shape[1] if weights is None else weights.astype(np.float64).tolist()
        self.graph.add_edges_from(list(zip(*edges.tolist(), values)))

    def one(self, source):
        return self.rustworkx.dijkstra_shortest_path_lengths(self.graph, source, float)

    def many(self, sources):
        return [self.one(source) for source in sources]

    @staticmethod
    def sum_of(found):
        return float(sum(sum(row.values()) for row in (found if isinstance(found, list) else [found])))


LIBRARIES = {"wayfront": Wayfront, "scipy": SciPy, "networkx": NetworkX, "igraph": Igraph, "networkit": NetworKit, "rustworkx": Rustworkx}


def simple(ends, weights=None):
    """Each undirected edge once, the lightest of parallel ones, without loops."""
    low, high = np.minimum(*ends), np.maximum(*ends)
    order = np.lexsort((np.zeros_like(low) if weights is None else weights, high, low))
    low, high = low[order], high[order]
    keep = low != high
    keep[1:] &= (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return np.array([low[keep], high[keep]]), None if weights is None else weights[order][keep]


def snap(path):
    """(vertices, edges, no weights) of a file of SNAP, as an undirected graph."""
    with gzip.open(path, "rt") as file:
        ends = np.loadtxt(file, dtype=np.int64, comments="#").T
    return int(ends.max()) + 1, *simple(ends)


def graphs(folder):
    """(name, vertices, edges, weights or None, works)"""
    yield "email-Enron", *snap(f"{folder}/email-Enron.txt.gz"), (ONE, MANY, ALL_PAIRS)
    with gzip.open(f"{folder}/USA-road-d.NY.gr.gz", "rt") as file:
        arcs = np.array([line.split()[1:] for line in file if line.startswith("a ")], dtype=np.int64)
    yield "New York's roads", int(arcs[:, :2].max()), *simple(arcs[:, :2].T - 1, arcs[:, 2]), (ONE, MANY)
    random = np.random.default_rng(1)  # a graph of the Kronecker model, by its definition
    ends = np.zeros((2, 16 << 18), dtype=np.int64)
    for bit in range(18):
        quarter = random.choice(4, size=ends.shape[1], p=[0.57, 0.19, 0.19, 0.05])
        ends |= np.array([quarter >> 1, quarter & 1]) << bit
    yield "Kronecker, scale 18", 1 << 18, *simple(random.permutation(1 << 18)[ends]), (ONE, MANY)
    yield "Slashdot", *snap(f"{folder}/soc-Slashdot0902.txt.gz"), (CLOSENESS, DIAMETER)


def milliseconds(call):
    begin = time.perf_counter()
    result = call()
    return 1e3 * (time.perf_counter() - begin), result


def arguments_of(work, sources):
    """What a work is given: `sources` are of a sample if it is one of all vertices."""
    return {ONE: (sources[0],), DIAMETER: ()}.get(work, (sources,))


def measure_wayfront(given, work, sources):
    """The milliseconds of the work, and with the conversion; and a function that checks another library's result."""
    library = Wayfront()
    library.load(*given)
    library.prepare(work, sources)
    arguments = arguments_of(work, sources)
    call = library.pair_rows if work == ALL_PAIRS else lambda: library.works()[work](*arguments)
    apart, found = milliseconds(call)

    def whole(fresh):
        fresh.load(*given)
        if work == ONE:
            return fresh.one_whole(*arguments)
        fresh.prepare(work, sources)
        return fresh.pair_rows() if work == ALL_PAIRS else fresh.works()[work](*arguments)

    together, _ = milliseconds(lambda: whole(Wayfront()))
    if work == ALL_PAIRS:
        library.prepare(MANY, sources)
        found = library.many(sources)
    return apart, together, found if work in (CLOSENESS, DIAMETER) else library.sum_of(found)


def measure_other(library, conversion, work, sources, expected):
    """The milliseconds of the work, and with the conversion."""
    apart, found = milliseconds(lambda: library.works()[work](*arguments_of(work, sources)))
    if work == CLOSENESS:
        np.testing.assert_allclose(found, expected)
    else:
        found = found if work == DIAMETER else library.sum_of(found)
        assert found == expected, (type(library), work, found, expected)
    share = len(sources) / library.vertices if work in (ALL_PAIRS, CLOSENESS) else 1
    return apart / share, conversion + apart / share


def installed():
    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        yield name


class Times:
    """Of the works in a graph, by library."""

    def __init__(self, graph, vertices, edges, weights, works):
        self.name, self.vertices, self.given, self.works = graph, vertices, (vertices, edges, weights), works
        connected = np.flatnonzero(np.bincount(edges.ravel(), minlength=vertices))
        self.sources = {work: np.random.default_rng(2).choice(connected, SAMPLE if self.samples(work) else SOURCES, replace=False).tolist() for work in works}
        self.taken = {work: {"ms": {}, "whole_ms": {}} for work in works}
        self.expected = {}

    @staticmethod
    def samples(work):
        return work in (ALL_PAIRS, CLOSENESS)

    def measure(self, name, number):
        """Round `number` of a library; the first one is wayfront's."""
        library = LIBRARIES[name]()
        library.vertices = self.vertices
        if name != "wayfront":
            conversion, _ = milliseconds(lambda: library.load(*self.given))
        for work in self.works:
            if name == "wayfront":
                apart, whole, self.expected[work] = measure_wayfront(self.given, work, self.sources[work])
            elif library.works()[work] is None or (self.samples(work) and number > 1):
                continue
            else:
                apart, whole = measure_other(library, conversion, work, self.sources[work], self.expected[work])
            self.taken[work]["ms"].setdefault(name, []).append(round(apart, 3))
            self.taken[work]["whole_ms"].setdefault(name, []).append(round(whole, 3))

    def results(self):
        for work, times in self.taken.items():
            print(self.name, work, {key: {name: min(found) for name, found in all_.items()} for key, all_ in times.items()}, file=sys.stderr)
            share = SAMPLE / self.vertices if self.samples(work) else 1
            yield {"graph": f"{self.name}: {self.vertices} vertices, {self.given[1].shape[1]} edges", "work": work, "share": share, **times}


def measure(folder):
    names = list(installed())
    all_ = [Times(*graph) for graph in graphs(folder)]
    for number, times, name in itertools.product(range(ROUNDS), all_, [name for name in names if name not in SLOW]):
        times.measure(name, number)
    for times, name in itertools.product(all_, [name for name in names if name in SLOW]):
        times.measure(name, 0)
    for times in all_:
        yield from times.results()


if __name__ == "__main__":
    versions = {name: importlib.import_module(name).__version__ for name in installed()}
    write_results(__doc__, measure, "The Python package beside other libraries", threads=int(THREADS), versions=versions)
