"""Random graphs with weights that are hard on sums: ties, zeros, huge beside tiny, and negative ones. Distances and the sums along paths are compared
with exact fractions, over algorithms, ranks and types.

Here one graph of each kind; WAYFRONT_HOSTILE=N in the environment searches N.
"""

import fractions
import heapq
import math
import os
import random
import re
import unittest

from driver import WRONG_RESULT, DriverTest
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
NEGATIVE_SSSP = {"bellman-ford": (1, 3), "auto": (1, 3)}
NEGATIVE_APSP = {"floyd-warshall": (1, 3), "auto": (1,)}


def growth(additions, unit):
    """The largest relative error of a sum of numbers of one sign after this many additions, each with a relative error of at most `unit`."""
    return additions * unit / (1 - additions * unit)


class Path:
    """The exact length of a path, the sum of the weights' magnitudes, and the number of its arcs."""

    def __init__(self, length=fractions.Fraction(0), magnitude=fractions.Fraction(0), arcs=0):
        self.length, self.magnitude, self.arcs = length, magnitude, arcs

    def with_arc(self, weight):
        return Path(self.length + weight, self.magnitude + abs(weight), self.arcs + 1)

    def error(self, unit):
        """Of the sum of its weights, added in any order."""
        return growth(max(self.arcs - 1, 0), unit) * self.magnitude


class HostileGraph:
    """A random graph, and its exact distances."""

    def __init__(self, draw, weight, vertices=None, edges=None, directed=None, height=None):
        """`height` draws the height of a vertex: an arc becomes lighter by as much as it leads down, and cycles keep their lengths."""
        vertices = vertices or draw.randrange(2, 70)
        edges = edges or draw.choice((1, 2, 6)) * vertices
        self.directed = draw.random() < 0.5 if directed is None else directed
        self.vertices = 0
        self.edges, self.weights = [], {}
        heights = [height(draw) if height else 0 for _ in range(vertices)]
        for _ in range(edges):
            u, v = draw.randrange(vertices), draw.randrange(vertices)
            self.add(u, v, weight(draw) + heights[v] - heights[u])
        self.heights = heights

    def add(self, u, v, w):
        self.vertices = max(self.vertices, u + 1, v + 1)
        self.edges.append((u, v, w))
        for arc in ((u, v),) if self.directed else ((u, v), (v, u)):
            self.weights[arc] = min(self.weights.get(arc, math.inf), w)

    def text(self):
        return "".join(f"{u} {v} {w!r}\n" for u, v, w in self.edges)

    def options(self):
        return ("--directed",) if self.directed else ("--undirected",)

    def paths(self, source):
        """The shortest path to each vertex that is reached; of several, one with the fewest arcs."""
        out = {}
        for (u, v), w in self.weights.items():
            out.setdefault(u, []).append((v, fractions.Fraction(w)))
        height = [fractions.Fraction(h) for h in self.heights] + [fractions.Fraction(0)] * self.vertices
        found, queue, number = {}, [(fractions.Fraction(0), 0, 0, source, Path())], 0
        while queue:
            climbed, arcs, _, u, path = heapq.heappop(queue)  # lengths without the heights are not negative
            if u in found:
                continue
            found[u] = path
            for v, w in out.get(u, ()):
                if v not in found:
                    number += 1
                    heapq.heappush(queue, (climbed + w - height[v] + height[u], arcs + 1, number, v, path.with_arc(w)))
        return found

    def paths_along(self, source, parents):
        """The paths along the parents. Raises an error for a cycle, or for a parent without an edge."""
        paths = {source: Path()}
        for vertex in parents:
            path = []
            while vertex not in paths:
                path.append(vertex)
                vertex = parents[vertex]
                if len(path) > self.vertices:
                    raise ValueError(f"the parents of {path[0]} form a cycle")
            for child in reversed(path):
                paths[child] = paths[parents[child]].with_arc(fractions.Fraction(self.weights[parents[child], child]))
        return paths


class Hostile(DriverTest):
    def graphs(self, kinds, **more):
        for kind, weight in kinds.items():
            for number in range(GRAPHS):
                yield HostileGraph(random.Random(f"{kind} {number}"), weight, **more), {"kind": kind, "number": number}

    def check(self, graph, source, found, parents, unit):
        """`found` and `parents`: of the vertices that are reached. `unit`: the relative error of an addition, 0 if sums are exact."""
        unit = fractions.Fraction(unit)
        expected = graph.paths(source)
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual(sorted(parents), sorted(expected))
        along = graph.paths_along(source, parents)
        # A distance may be too small by the roundings of another path, of nearly the same length. Its partial sums are differences of distances.
        lengths = [path.length for path in expected.values()]
        extent = max(lengths) - min(lengths)
        for vertex, path in expected.items():
            distance = fractions.Fraction(found[vertex])
            deficit = growth(graph.vertices, unit) * (extent if min(lengths) < 0 else path.length)
            self.assertLessEqual(distance - path.length, path.error(unit), (source, vertex, found[vertex]))
            self.assertLessEqual(path.length - distance, deficit, (source, vertex, found[vertex]))
            self.assertGreaterEqual(along[vertex].length, path.length, (source, vertex, "path"))
            self.assertLessEqual(along[vertex].length - path.length, path.error(unit) + along[vertex].error(unit), (source, vertex, "path"))

    def check_sssp(self, kinds, epsilon, *options, algorithms=SSSP, **more):
        output = self.folder / "out.csv"
        for graph, name in self.graphs(kinds, **more):
            path = self.file("g.wel", graph.text())
            for algorithm, ranks in ((algorithm, ranks) for algorithm in algorithms for ranks in algorithms[algorithm]):
                with self.subTest(algorithm=algorithm, ranks=ranks, **name):
                    self.good("sssp", path, "--source", 0, "-o", output, "--algorithm", algorithm, "--validate", "--quiet", *graph.options(), *options,
                              ranks=ranks)
                    rows = [row for row in read_csv(output) if row[1] != math.inf]
                    held = float32 if epsilon == 2**-24 else lambda distance: distance  # the text is the shortest for its type
                    self.check(graph, 0, {row[0]: held(row[1]) for row in rows}, {row[0]: row[2] for row in rows}, epsilon)

    def check_apsp(self, kinds, algorithms, epsilon, *options, **more):
        for graph, name in self.graphs(kinds, **more):
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

    def test_negative_weights(self):
        whole = {"directed": True, "height": lambda draw: draw.randrange(-50, 51)}
        self.check_sssp(WHOLE, 0, algorithms=NEGATIVE_SSSP, **whole)
        self.check_apsp(SMALL, NEGATIVE_APSP, 0, **whole)
        # Sums of a weight and of heights that 32 bits hold.
        real = {"quarters": lambda draw: draw.choice((0.0, 0.0, 0.25, 2.5)), "fractions": lambda draw: draw.randrange(1, 2**12) / 2**12}
        for heights in (lambda draw: draw.randrange(-8, 9) / 4, lambda draw: draw.choice((0.0, 0.0, -512.0, 512.0))):
            floats = {"directed": True, "height": heights}
            self.check_sssp(real, 2**-24, algorithms=NEGATIVE_SSSP, **floats)
            self.check_apsp(real, NEGATIVE_APSP, 2**-24, **floats)
            self.check_apsp(real, NEGATIVE_APSP, 2**-53, "--dtype", "float64", **floats)

    def test_negative_cycles(self):
        """A cycle that is named has arcs of the graph, and a negative length."""
        for number in range(max(3, GRAPHS)):
            draw = random.Random(number)
            scale = draw.choice((1, 0.25))
            graph = HostileGraph(draw, lambda draw: draw.randrange(0, 9) * scale, directed=True, height=lambda draw: draw.randrange(-9, 10) * scale)
            cycle = [0, *draw.sample(range(1, graph.vertices), min(3, graph.vertices - 1))]
            length = sum(graph.weights.get(arc, 0) for arc in zip(cycle, cycle[1:]))
            for u, v in zip(cycle, cycle[1:]):
                graph.add(u, v, graph.weights.get((u, v), 0))
            graph.add(cycle[-1], 0, -length - scale)
            path = self.file("g.wel", graph.text())
            for words in (("sssp", path, "--source", 0, "--algorithm", "bellman-ford"), ("sssp", path, "--source", 0), ("apsp", path, "--summary")):
                for ranks in (1, 3):
                    with self.subTest(number=number, words=words[2:], ranks=ranks):
                        message = self.fails(WRONG_RESULT, *words, *graph.options(), ranks=ranks)
                        named = re.search(r"-?\d+(?: -> \d+)+", message)[0].split(" -> ")
                        vertices = [int(v) for v in named]
                        self.assertEqual(vertices[0], vertices[-1], message)
                        self.assertLess(sum(graph.weights[arc] for arc in zip(vertices, vertices[1:])), 0, message)


if __name__ == "__main__":
    unittest.main()
