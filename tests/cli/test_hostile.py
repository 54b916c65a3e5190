"""Random graphs with weights that are hard on sums: ties, zeros, and huge beside tiny. Distances and the sums along paths are compared with exact
fractions, over algorithms, ranks and types.

Here one graph of each kind; WAYFRONT_HOSTILE=N in the environment searches N.
"""

import fractions
import heapq
import math
import os
import random
import unittest

from driver import DriverTest
from test_apsp import read_npy
from weighted_graph import float32, read_csv

GRAPHS = int(os.environ.get("WAYFRONT_HOSTILE", "1"))

# Draws a weight: whole numbers, or floats that 32 bits hold.
WHOLE = {
    "ties": lambda draw: draw.choice((1, 1, 2)),
    "zeros": lambda draw: draw.choice((0, 0, 0, 1, 7)),
    "mixed": lambda draw: draw.choice((0, 1, 3, 10**6, 2**31)),
}
SMALL = {kind: WHOLE[kind] for kind in ("ties", "zeros")}
REAL = {
    "zeros": lambda draw: draw.choice((0.0, 0.0, 0.25, 2.5)),
    "uniform": lambda draw: float32(draw.random()),
    "huge_and_tiny": lambda draw: float32(draw.choice((0.0, draw.random() * 1e-3, draw.random(), draw.random() * 1e8))),
}
# The ranks that each runs on.
SSSP = {"dijkstra": (1,), "delta-stepping": (1, 3), "bellman-ford": (1, 3), "push-pull": (1, 3)}
APSP = {"dijkstra": (1, 3), "floyd-warshall": (1, 3)}
APSP_OF_SMALL = {"combined": (1,), "elimination": (1, 3)}


class HostileGraph:
    """A random graph, and its exact distances."""

    def __init__(self, draw, weight, vertices=None, edges=None, directed=None):
        vertices = vertices or draw.randrange(2, 70)
        edges = edges or draw.choice((1, 2, 6)) * vertices
        self.directed = draw.random() < 0.5 if directed is None else directed
        self.vertices = 0
        self.edges, self.weights = [], {}
        for _ in range(edges):
            self.add(draw.randrange(vertices), draw.randrange(vertices), weight(draw))

    def add(self, u, v, w):
        self.vertices = max(self.vertices, u + 1, v + 1)
        self.edges.append((u, v, w))
        for arc in ((u, v),) if self.directed else ((u, v), (v, u)):
            self.weights[arc] = min(self.weights.get(arc, math.inf), w)

    def text(self):
        return "".join(f"{u} {v} {w!r}\n" for u, v, w in self.edges)

    def options(self):
        return ("--directed",) if self.directed else ("--undirected",)

    def distances(self, source):
        out = {}
        for (u, v), w in self.weights.items():
            out.setdefault(u, []).append((v, fractions.Fraction(w)))
        found, queue = {}, [(fractions.Fraction(0), source)]
        while queue:
            distance, u = heapq.heappop(queue)
            if u in found:
                continue
            found[u] = distance
            for v, w in out.get(u, ()):
                if v not in found:
                    heapq.heappush(queue, (distance + w, v))
        return found

    def lengths(self, source, parents):
        """The exact lengths of the paths along the parents. Raises an error for a cycle, or for a parent without an edge."""
        lengths = {source: fractions.Fraction(0)}
        for vertex in parents:
            path = []
            while vertex not in lengths:
                path.append(vertex)
                vertex = parents[vertex]
                if len(path) > self.vertices:
                    raise ValueError(f"the parents of {path[0]} form a cycle")
            for child in reversed(path):
                lengths[child] = lengths[parents[child]] + fractions.Fraction(self.weights[parents[child], child])
        return lengths


class Hostile(DriverTest):
    def graphs(self, kinds):
        for kind, weight in kinds.items():
            for number in range(GRAPHS):
                yield HostileGraph(random.Random(f"{kind} {number}"), weight), {"kind": kind, "number": number}

    def check(self, graph, source, found, parents, epsilon):
        """`found` and `parents`: of the vertices that are reached. Sums may have as many roundings as the graph has vertices."""
        expected = graph.distances(source)
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual(sorted(parents), sorted(expected))
        lengths = graph.lengths(source, parents)
        for vertex, distance in expected.items():
            tolerance = distance * fractions.Fraction(epsilon) * graph.vertices
            self.assertLessEqual(abs(fractions.Fraction(found[vertex]) - distance), tolerance, (source, vertex, found[vertex]))
            self.assertLessEqual(abs(lengths[vertex] - distance), tolerance, (source, vertex, "path"))

    def check_sssp(self, kinds, epsilon, *options):
        output = self.folder / "out.csv"
        for graph, name in self.graphs(kinds):
            path = self.file("g.wel", graph.text())
            for algorithm, ranks in ((algorithm, ranks) for algorithm in SSSP for ranks in SSSP[algorithm]):
                with self.subTest(algorithm=algorithm, ranks=ranks, **name):
                    self.good("sssp", path, "--source", 0, "-o", output, "--algorithm", algorithm, "--validate", "--quiet", *graph.options(), *options,
                              ranks=ranks)
                    rows = [row for row in read_csv(output) if row[1] != math.inf]
                    self.check(graph, 0, {row[0]: row[1] for row in rows}, {row[0]: row[2] for row in rows}, epsilon)

    def check_apsp(self, kinds, algorithms, epsilon, *options):
        for graph, name in self.graphs(kinds):
            self.check_apsp_of(graph, algorithms, epsilon, *options, **name)

    def check_apsp_of(self, graph, algorithms, epsilon, *options, **name):
        distances, predecessors = self.folder / "d.npy", self.folder / "p.npy"
        path = self.file("g.wel", graph.text())
        for algorithm, ranks in ((algorithm, ranks) for algorithm in algorithms for ranks in algorithms[algorithm]):
            with self.subTest(algorithm=algorithm, ranks=ranks, **name):
                self.good("apsp", path, "-o", distances, "--predecessors", predecessors, "--algorithm", algorithm, "--validate", "--quiet",
                          *graph.options(), *options, ranks=ranks)
                matrix, parents = read_npy(distances)[1], read_npy(predecessors)[1]
                for source, row in enumerate(matrix):
                    self.check(graph, source, {v: d for v, d in enumerate(row) if d is not None},
                               {v: p for v, p in enumerate(parents[source]) if p >= 0}, epsilon)

    def test_sssp_of_whole_numbers(self):
        self.check_sssp(WHOLE, 0)

    def test_sssp_of_floats(self):
        self.check_sssp(REAL, 2**-24)

    def test_sssp_of_64_bit_floats(self):
        self.check_sssp(REAL, 2**-53, "--precision", "double")

    def test_apsp_of_whole_numbers(self):
        self.check_apsp(WHOLE, APSP, 0)
        self.check_apsp(SMALL, APSP_OF_SMALL, 0)

    def test_apsp_of_floats(self):
        self.check_apsp(REAL, APSP, 2**-24)

    def test_predecessors_beside_a_far_vertex(self):
        """Arcs of weight 0 make the first predecessors of rows a cycle; a tolerance from the far vertex would let any arc take their place."""
        weights = (0.0, 0.0, 0.5, 1.0, 2.5, 3.0, 7.5)
        for number in range(GRAPHS):
            graph = HostileGraph(random.Random(number), lambda draw: draw.choice(weights), vertices=300, edges=600, directed=False)
            graph.add(0, 300, 1e6)
            self.check_apsp_of(graph, {"floyd-warshall": (1, 3)}, 2**-24, number=number)

    def test_apsp_of_64_bit_floats(self):
        self.check_apsp(REAL, APSP, 2**-53, "--dtype", "float64")


if __name__ == "__main__":
    unittest.main()
