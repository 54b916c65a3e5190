"""The nearest of several sources: bfs --nearest and sssp --nearest against a search from each source,
in every form, by every algorithm and over ranks."""

import json
import math
import random
import struct
import unittest

from driver import BAD_INPUT, DriverTest
from weighted_graph import ALGORITHMS, WeightedGraph, float32, number, tangle

SOURCES = (2, 9, 10, 44, 58)


class Nearest(DriverTest):
    def expected(self, graph, sources, cutoff=math.inf):
        """The distance, the nearest source and the smallest parent of each vertex that is reached."""
        found = {source: graph.distances(source) for source in sources}
        distance = {v: min(of[v] for of in found.values() if v in of) for v in graph.numbers() if any(v in of for of in found.values())}
        distance = {v: d for v, d in distance.items() if d <= cutoff}
        tight = [(u, v) for u in distance for v, w in graph.out[u] if v in distance and graph.rounded(distance[u] + w) == distance[v]]
        nearest = {}
        for source in sorted(sources):
            waiting = [source]
            while waiting:
                v = waiting.pop()
                if v not in nearest:
                    nearest[v] = source
                    waiting.extend(to for at, to in tight if at == v)
        parents = {source: source for source in sources if nearest[source] == source}
        own = sorted((u, v) for u, v in tight if nearest[u] == nearest[v])
        for u, v in own:
            if distance[u] < distance[v]:
                parents.setdefault(v, u)
        while len(parents) < len(distance):
            for u, v in sorted((u, v) for u, v in own if u in parents and v not in parents):
                parents.setdefault(v, u)
        return {v: (distance[v], parents[v], nearest[v]) for v in distance}

    def search(self, command, path, *options, sources=SOURCES, ranks=1):
        output = self.folder / "out.csv"
        names = [word for source in sources for word in ("--source", source)]
        self.good(command, path, "--nearest", *names, "-o", output, "--quiet", *options, ranks=ranks)
        header, *lines = output.read_text().splitlines()
        self.assertEqual(header, "vertex,distance,parent,source" if command == "sssp" else "vertex,level,parent,source")
        return {int(line.split(",")[0]): tuple(map(number, line.split(",")[1:])) for line in lines}

    def check(self, graph, rows, expected, not_reached):
        self.assertEqual(list(rows), list(graph.numbers()))
        self.assertEqual({v: (graph.rounded(d), parent, source) for v, (d, parent, source) in rows.items() if source != -1}, expected)
        for v in set(rows) - set(expected):
            self.assertEqual(rows[v], (not_reached, -1, -1))

    def test_sssp(self):
        whole = tangle(directed=True, first=1, weight=lambda draw: draw.randrange(3))
        real = tangle(directed=False, weight=lambda draw: float32(draw.randrange(9) / 8), rounded=float32)
        for name, graph, text, options in (("g.gr", whole, whole.as_dimacs(), ()), ("g.wel", real, real.as_edge_list(), ("--undirected",))):
            path = self.file(name, text)
            expected = self.expected(graph, SOURCES)
            for algorithm in ALGORITHMS:
                for ranks, grid in ((1, ()),) if algorithm == "dijkstra" else ((1, ()), (3, ()), (2, ("--grid", "1x2"))):
                    with self.subTest(name=name, algorithm=algorithm, ranks=ranks):
                        rows = self.search("sssp", path, "--deterministic", "--validate", "--algorithm", algorithm, *options, *grid, ranks=ranks)
                        self.check(graph, rows, expected, math.inf)
                        rows = self.search("sssp", path, "--validate", "--algorithm", algorithm, *options, *grid, ranks=ranks)
                        self.assertEqual({v: row[2] for v, row in rows.items() if row[2] != -1}, {v: row[2] for v, row in expected.items()})

    def test_sums_that_are_rounded(self):
        """Behind heavy edges, light ones are lost in rounding: all vertices are equally far."""
        for seed in range(20, 30):
            draw = random.Random(seed)
            count, sources = draw.randrange(6, 40), draw.randrange(2, 5)
            edges = [(draw.randrange(sources), draw.randrange(sources, count), 2.0**25) for _ in range(draw.randrange(3, 12))]
            edges += [(draw.randrange(sources, count), draw.randrange(sources, count), draw.choice((1.0, 1.5, 2.0))) for _ in range(draw.randrange(5, 150))]
            graph = WeightedGraph(count, [edge for edge in edges if edge[0] != edge[1]], directed=True, rounded=float32)
            path = self.file("rounded.wel", f"# Nodes: {count}\n" + graph.as_edge_list())
            expected = self.expected(graph, range(sources))
            for algorithm, ranks in (("push-pull", 1), ("push-pull", 3), ("delta-stepping", 1)):
                with self.subTest(seed=seed, algorithm=algorithm, ranks=ranks):
                    rows = self.search("sssp", path, "--algorithm", algorithm, "--threads", 1, sources=range(sources), ranks=ranks)
                    self.assertEqual({v: row[2] for v, row in rows.items() if row[2] != -1}, {v: row[2] for v, row in expected.items()})

    def test_dense_levels(self):
        """Levels are searched one after the other in graphs of many edges a vertex."""
        draw = random.Random(3)
        for directed, options in ((True, ()), (False, ("--undirected",))):
            edges = sorted({(draw.randrange(80), draw.randrange(80)) for _ in range(900)} | {(81, 82), (82, 83)})
            graph = WeightedGraph(90, [(u, v, 1) for u, v in edges if u != v], directed)
            path = self.file("dense.el", "# Nodes: 90\n" + "".join(f"{u} {v}\n" for u, v, _ in graph.edges) + "89 89\n")
            for cutoff in (math.inf, 1):
                for ranks in (1, 2):
                    with self.subTest(directed=directed, cutoff=cutoff, ranks=ranks):
                        more = options if cutoff == math.inf else (*options, "--cutoff", cutoff)
                        sources = (5, 17, 33, 81, 85)
                        rows = self.search("bfs", path, "--deterministic", *more, sources=sources, ranks=ranks)
                        self.check(graph, rows, self.expected(graph, sources, cutoff), -1)
                        rows = self.search("bfs", path, *more, sources=sources, ranks=ranks)
                        self.assertEqual({v: row[2] for v, row in rows.items() if row[2] != -1},
                                         {v: row[2] for v, row in self.expected(graph, sources, cutoff).items()})

    def test_ranks_agree(self):
        """Ranks that share memory, ranks that send messages, and one rank, on graphs with many ties."""
        output = self.folder / "out.csv"
        for command, graph, options in (("bfs", "grid:40x50", ("--validate",)), ("bfs", "random:3000,5000", ()), ("bfs", "rmat:11,directed=1", ("--validate",)),
                                        ("bfs", "rmat:11", ("--cutoff", 2)), ("sssp", "grid:40x50", ("--weights", "uniform:1..3")),
                                        ("sssp", "rmat:11,directed=1", ("--weights", "uniform:0..4", "--validate")), ("sssp", "kron:11", ()),
                                        ("sssp", "random:3000,5000", ("--weights", "unit"))):
            found = []
            for ranks, grid in ((1, "1x1"), (2, "2x1"), (3, "3x1"), (2, "1x2"), (4, "2x2")):
                self.good(command, graph, "--nearest", "--sources", "random:60", "--quiet", "-o", output, *options, "--grid", grid, ranks=ranks)
                found.append([line.split(",")[::3] + line.split(",")[1:2] for line in output.read_text().splitlines()])
                with self.subTest(command=command, graph=graph, grid=grid):
                    self.assertEqual(found[-1], found[0])

    def test_threads_and_directions_agree(self):
        """A thread alone settles ties while it searches; otherwise they are settled behind the search."""
        output = self.folder / "out.csv"
        ways = [(threads, ("--direction", direction)) for threads in (1, 2, 4) for direction in ("top-down", "bottom-up", "auto")]
        for command, graph, options in (("bfs", "grid:90x90", ways), ("bfs", "random:20000,30000", ways), ("bfs", "rmat:13,ef=2,directed=1", ways),
                                        ("sssp", "grid:400x400 --weights uniform:0..2", [(1, ()), (2, ())]),
                                        ("sssp", "random:300000,600000,directed=1 --weights uniform:1..3", [(1, ()), (2, ())])):
            found = []
            for threads, way in options:
                outcome = self.good(command, *graph.split(), "--nearest", "--sources", "random:90", "-o", output, "--validate", "--threads", threads, *way)
                if command == "sssp":
                    self.assertIn(f"on {threads} thread", outcome.out)
                found.append([line.split(",")[::3] + line.split(",")[1:2] for line in output.read_text().splitlines()])
                with self.subTest(command=command, graph=graph, threads=threads, way=way):
                    self.assertEqual(found[-1], found[0])

    def test_bfs(self):
        for directed, options in ((True, ()), (False, ("--undirected",))):
            graph = tangle(directed, weight=lambda draw: 1)
            path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
            for ranks, grid in ((1, "1x1"), (2, "1x2"), (3, "3x1"), (4, "2x2")):
                with self.subTest(directed=directed, grid=grid):
                    rows = self.search("bfs", path, "--deterministic", "--validate", "--grid", grid, *options, ranks=ranks)
                    self.check(graph, rows, self.expected(graph, SOURCES), -1)
                    self.search("bfs", path, "--validate", "--grid", grid, *options, ranks=ranks)

    def test_reverse_and_cutoff(self):
        graph = tangle(directed=True, weight=lambda draw: 1 + draw.randrange(2))
        path = self.file("g.wel", graph.as_edge_list())
        for ranks in (1, 3):
            self.check(graph, self.search("sssp", path, "--reverse", "--deterministic", ranks=ranks), self.expected(graph.reversed(), SOURCES), math.inf)
            self.check(graph, self.search("sssp", path, "--cutoff", 3, "--deterministic", ranks=ranks), self.expected(graph, SOURCES, 3), math.inf)
        ones = WeightedGraph(graph.vertices, [(u, v, 1) for u, v, _ in graph.edges], True)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
        for ranks in (1, 3):
            self.check(graph, self.search("bfs", path, "--reverse", "--cutoff", 2, "--deterministic", ranks=ranks),
                       self.expected(ones.reversed(), SOURCES, 2), -1)

    def test_negative_weights(self):
        # 5 reaches 0 at a negative distance; 0, a source, is then nearest to 5.
        path = self.file("g.wel", "5 0 -2\n0 1 3\n1 2 -1\n4 2 1\n2 3 0\n")
        for ranks in (1, 3):
            rows = self.search("sssp", path, "--deterministic", "--validate", sources=(0, 4, 5), ranks=ranks)
            self.assertEqual(rows, {0: (-2, 5, 5), 1: (1, 0, 5), 2: (0, 1, 5), 3: (0, 2, 5), 4: (0, 4, 4), 5: (0, 5, 5)})
        path = self.file("cycle.wel", "0 1 1\n1 2 -3\n2 1 1\n4 4 1\n")
        for ranks in (1, 3):
            self.assertIn("there are no shortest paths from the sources: one reaches a cycle of negative length",
                          self.fails(1, "sssp", path, "--nearest", "--source", 0, "--source", 4, ranks=ranks))

    def test_forms(self):
        path = self.file("g.wel", "0 1 2\n1 2 2\n2 3 2\n5 5 1\n")
        sources = ("--source", 2, "--source", 0, "--source", 2)  # a source may be given twice
        for ranks in (1, 3):
            text = self.good("sssp", path, "--undirected", "--nearest", *sources, "-o", "-", "--quiet", ranks=ranks).out
            self.assertIn("# vertex distance parent source\n0 0 0 0\n1 2 0 0\n2 0 2 2\n3 2 2 2\n4 inf -1 -1\n5 inf -1 -1\n", text)
            output = self.folder / "out.npy"
            self.good("sssp", path, "--undirected", "--nearest", *sources, "-o", output, ranks=ranks)
            data = output.read_bytes()
            self.assertIn(b"'shape': (6, 3)", data)
            self.assertEqual(struct.unpack("<18q", data[-144:]), (0, 0, 0, 2, 0, 0, 0, 2, 2, 2, 2, 2, -1, -1, -1, -1, -1, -1))
            output = self.folder / "out.json"
            report = self.folder / "report.json"
            self.good("sssp", path, "--undirected", "--nearest", *sources, "-o", output, "--json", report, ranks=ranks)
            result = json.loads(output.read_text())
            self.assertEqual(result["sources"], [0, 2])
            self.assertEqual(result["columns"], ["vertex", "distance", "parent", "source"])
            self.assertEqual(result["rows"][1], [1, 2, 0, 0])
            search, = json.loads(report.read_text())["searches"]
            self.assertEqual((search["sources"], search["reached"]), ([0, 2], 4))
            self.assertNotIn("source", search)

    def test_paths_and_random_sources(self):
        path = self.file("g.wel", "0 1 2\n1 2 2\n3 2 1\n4 4 1\n")
        sources = ("--nearest", "--source", 0, "--source", 3, "--quiet")
        for ranks in (1, 3):
            self.assertEqual(self.good("sssp", path, *sources, "--target", 2, ranks=ranks).out, "path of length 1, 1 edge: 3 2\n")
            self.assertEqual(self.good("sssp", path, *sources, "--target", 4, ranks=ranks).out, "no path from any source to 4\n")
            self.assertEqual(self.good("bfs", path, *sources, "--target", 4, "--reverse", ranks=ranks).out, "no path from 4 to any source\n")
        self.assertRegex(self.good("bfs", "grid:30x30", "--nearest", "--sources", "random:50", "--validate").out, "50 sources 900 reached, depth .*, valid")

    def test_bad_input(self):
        path = self.file("g.el", "0 1\n1 2\n")
        sources = self.file("sources.txt", "0\n2\n7\n")
        empty = self.file("none.txt", "# none\n")
        for command in ("bfs", "sssp"):
            graph = (path, "--weights", "unit") if command == "sssp" else (path,)
            output = self.folder / "out.csv"
            message = self.fails_alike(BAD_INPUT, command, *graph, "--nearest", "--sources", sources, "-o", output)
            self.assertIn(f"{sources}:3:1", message)
            self.assertIn("7", message)
            self.assertIn("names no vertex", self.fails_alike(BAD_INPUT, command, *graph, "--nearest", "--sources", empty, "-o", output))
            self.assert_nothing_left("out")


if __name__ == "__main__":
    unittest.main()
