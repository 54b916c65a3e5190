"""Distances and paths between pairs of vertices: bfs --pairs and sssp --pairs against a search from
each source, in every form and over ranks."""

import gzip
import json
import math
import random
import unittest

from driver import BAD_INPUT, DATA, DriverTest
from weighted_graph import WeightedGraph, float32, number, tangle


class Pairs(DriverTest):
    def pairs_of(self, graph, count=60):
        draw = random.Random(3)
        pairs = [(draw.choice(graph.numbers()), draw.choice(graph.numbers())) for _ in range(count)]
        hub = pairs[0][0]  # pairs that share a search, from either end, and a pair that occurs twice
        return pairs + [(hub, v) for v in graph.numbers()[::7]] + [(v, hub) for v in graph.numbers()[::9]] + pairs[:2]

    def check(self, command, graph, path, *options, ranks=1):
        pairs = self.pairs_of(graph)
        listed = self.file("pairs.txt", "# some pairs\n" + "".join(f"{u} {v}\n" for u, v in pairs))
        output = self.folder / "out.csv"
        self.good(command, path, "--pairs", listed, "-o", output, "--quiet", *options, ranks=ranks)
        header, *lines = output.read_text().splitlines()
        self.assertEqual(header, "source,target,distance,path")
        rows = [line.split(",") for line in lines]
        self.assertEqual([(int(row[0]), int(row[1])) for row in rows], pairs)
        distances = {source: graph.distances(source) for source, _ in pairs}
        for source, target, distance, path_text in rows:
            source, target = int(source), int(target)
            expected = distances[source].get(target)
            if expected is None:
                self.assertEqual((distance, path_text), ("-1" if command == "bfs" else "inf", ""))
                continue
            self.assertEqual(graph.rounded(number(distance)), expected)
            vertices = [int(v) for v in path_text.split()]
            self.assertEqual((vertices[0], vertices[-1]), (source, target))
            length = 0
            for u, v in zip(vertices, vertices[1:]):
                length = graph.rounded(length + min(w for to, w in graph.out[u] if to == v))
            self.assertEqual(length, expected)
        without = self.folder / "distances.csv"
        self.good(command, path, "--pairs", listed, "--no-paths", "-o", without, "--quiet", *options, ranks=ranks)
        self.assertEqual(without.read_text().splitlines(), ["source,target,distance"] + [",".join(row[:3]) for row in rows])

    def test_sssp(self):
        whole = tangle(directed=True, first=1)
        undirected = tangle(directed=False)
        real = tangle(directed=False, weight=lambda draw: float32(draw.random()), rounded=float32)
        for name, graph, text, options in (("g.gr", whole, whole.as_dimacs(), ()), ("u.wel", undirected, undirected.as_edge_list(), ("--undirected",)),
                                           ("r.wel", real, real.as_edge_list(), ("--undirected",))):
            path = self.file(name, text)
            for ranks, more in ((1, ()), (1, ("--deterministic",)), (1, ("--algorithm", "push-pull")), (2, ()), (2, ("--grid", "2x1")), (4, ("--grid", "2x2"))):
                with self.subTest(name=name, ranks=ranks, options=more):
                    self.check("sssp", graph, path, *options, *more, ranks=ranks)

    def test_bfs(self):
        for directed, options in ((True, ()), (False, ("--undirected",))):
            graph = tangle(directed, weight=lambda draw: 1)
            path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
            for ranks, more in ((1, ()), (1, ("--deterministic",)), (3, ()), (4, ("--grid", "2x2"))):
                with self.subTest(directed=directed, ranks=ranks, options=more):
                    self.check("bfs", graph, path, *options, *more, ranks=ranks)

    def test_reversed_and_with_a_limit(self):
        graph = tangle(directed=True)
        pairs = self.pairs_of(graph)
        listed, output = self.file("pairs.txt", "".join(f"{u} {v}\n" for u, v in pairs)), self.folder / "out.csv"
        levels = WeightedGraph(graph.vertices, [(u, v, 1) for u, v, _ in graph.edges], True)
        for command, edges, limit in (("sssp", graph.edges, 8), ("bfs", levels.edges, 3)):
            path = self.file("g.wel", "".join(f"{u} {v} {w}\n" for u, v, w in graph.edges))
            backward = WeightedGraph(graph.vertices, [(v, u, w) for u, v, w in edges], True)
            lightest = {}
            for u, v, w in edges:
                lightest[u, v] = min(w, lightest.get((u, v), w))
            for ranks, options in ((1, ("--reverse",)), (1, ("--reverse", "--cutoff", limit)), (1, ("--cutoff", limit)), (1, ("--cutoff", limit, "--deterministic")),
                                   (3, ("--reverse", "--cutoff", limit))):
                with self.subTest(command=command, options=options, ranks=ranks):
                    self.good(command, path, "--pairs", listed, "-o", output, "--quiet", *options, ranks=ranks)
                    turned = "--reverse" in options
                    searched = backward if turned else WeightedGraph(graph.vertices, edges, True)
                    beyond = 0
                    for line, (source, target) in zip(output.read_text().splitlines()[1:], pairs):
                        distance, vertices = line.split(",")[2], [int(v) for v in line.split(",")[3].split()]
                        expected = searched.distances(source).get(target)
                        if expected is None or ("--cutoff" in options and expected > limit):
                            beyond += expected is not None
                            self.assertEqual((distance, vertices), ("-1" if command == "bfs" else "inf", []))
                            continue
                        self.assertEqual(int(distance), expected)
                        self.assertEqual((vertices[0], vertices[-1]), (target, source) if turned else (source, target))
                        self.assertEqual(sum(lightest[edge] for edge in zip(vertices, vertices[1:])), expected)
                    self.assertEqual(beyond > 0, "--cutoff" in options)

    def test_limit_of_float_distances(self):
        """A limit that is the decimal number of a float distance includes it, as in a search."""
        path = self.file("g.wel", "".join(f"0 {k} {k / 10}\n" for k in range(1, 20)))
        listed, output = self.file("pairs.txt", "".join(f"0 {k}\n" for k in range(1, 20))), self.folder / "out.csv"
        for k in (1, 3, 5, 11):
            for ranks in (1, 2):
                with self.subTest(k=k, ranks=ranks):
                    self.good("sssp", path, "--pairs", listed, "--cutoff", k / 10, "--no-paths", "-o", output, "--quiet", ranks=ranks)
                    self.assertEqual([line.split(",")[2] for line in output.read_text().splitlines()[1:]],
                                     [str(i / 10).removesuffix(".0") if i <= k else "inf" for i in range(1, 20)])

    def test_negative_weights(self):
        path = self.file("g.wel", "0 1 5\n1 2 -3\n0 2 4\n3 3 1\n")
        listed = self.file("pairs.csv", "source,target\n0,2\n2,0\n")
        for ranks in (1, 3):
            self.assertEqual(self.good("sssp", path, "--pairs", listed, "--quiet", ranks=ranks).out, "# source target distance path\n0 2 2 0 1 2\n2 0 inf\n")
        path = self.file("cycle.wel", "0 1 1\n1 2 -3\n2 1 1\n")
        self.assertIn("there are no shortest paths from 0: it reaches a cycle of negative length",
                      self.fails(1, "sssp", path, "--pairs", self.file("p.txt", "0 2\n")))
        path = self.file("loop.wel", "0 0 -1\n0 1 2\n2 1 1\n")
        for ranks in (1, 2):
            self.assertIn("there are no shortest paths from 0: it reaches a cycle of negative length, 0 -> 0",
                          self.fails(1, "sssp", path, "--pairs", self.file("p.txt", "0 1\n"), ranks=ranks))
            self.assertEqual(self.good("sssp", path, "--pairs", self.file("q.txt", "2 1\n"), "--quiet", ranks=ranks).out, "# source target distance path\n2 1 1 2 1\n")

    def test_weights_that_are_too_large_to_share(self):
        """Sums of 64 bits might not fit: the ranks search a divided graph, as they do for a few pairs."""
        large = self.file("large.wel", "0 1 4000000000000000000\n1 2 5\n3 2 1\n")
        small = self.file("small.wel", "0 1 4\n1 2 5\n3 2 1\n")
        lines = "0 1\n0 2\n1 2\n3 0\n"
        report = self.folder / "report.json"
        for path, heavy, times, shares in ((large, 4 * 10**18, 10, False), (small, 4, 10, True), (small, 4, 1, False)):
            pairs = self.file("pairs.txt", times * lines)
            outcome = self.good("sssp", path, "--pairs", pairs, "--quiet", "--no-paths", "--json", report, ranks=2)
            self.assertEqual(outcome.out, "# source target distance\n" + times * f"0 1 {heavy}\n0 2 {heavy + 5}\n1 2 5\n3 0 inf\n")
            search = json.loads(report.read_text())["search"]
            self.assertIn("each rank has the whole graph" if shares else "one search per source", search["algorithm"])
            self.assertEqual(search.get("grid"), None if shares else "2x1")
            self.assertRegex(search["in_words"], r"^cpu engine, 2 ranks, \d+ threads? per rank, by .*; each rank has the whole graph$" if shares
                             else r"^cpu engine, 2 ranks \(grid 2x1\), ")

    def test_floats_and_batches_over_ranks(self):
        """More pairs than are answered at a time, and distances that are floats."""
        draw = random.Random(7)
        edges = [(u, draw.randrange(60), draw.randrange(1, 99) / 8) for u in range(60) for _ in range(3)]
        path = self.file("floats.wel", "".join(f"{u} {v} {w}\n" for u, v, w in edges))
        listed = self.file("many.txt", "".join(f"{draw.randrange(60)} {draw.randrange(60)}\n" for _ in range(5000)))
        for options in ((), ("--precision", "double"), ("--cutoff", "9.5"), ("--reverse", "--cutoff", "9.5")):
            outputs = [self.good("sssp", path, "--pairs", listed, "--quiet", *options, ranks=ranks).out for ranks in (1, 2, 3)]
            for output in outputs[1:]:
                self.assertEqual([line.split()[:3] for line in output.splitlines()], [line.split()[:3] for line in outputs[0].splitlines()], options)

    def test_forms(self):
        path = self.file("g.wel", "0 1 2\n1 2 2\n3 3 1\n")
        listed = self.file("pairs.txt", "0\t2   # along 1\n\n2 , 0\n0 3\n1 1\n")
        for ranks in (1, 3):
            outcome = self.good("sssp", path, "--pairs", listed, ranks=ranks)
            self.assertEqual(outcome.out, "# source target distance path\n0 2 4 0 1 2\n2 0 inf\n0 3 inf\n1 1 0 1\n")
            self.assertRegex(outcome.err, r"4 pairs +2 with a path")
            output, report = self.folder / "out.json", self.folder / "report.json"
            self.good("sssp", path, "--pairs", listed, "-o", output, "--json", report, ranks=ranks)
            self.assertEqual(json.loads(output.read_text()),
                             {"columns": ["source", "target", "distance", "path"], "rows": [[0, 2, 4, [0, 1, 2]], [2, 0, None, []], [0, 3, None, []], [1, 1, 0, [1]]]})
            pairs = json.loads(report.read_text())["pairs"]
            self.assertEqual((pairs["count"], pairs["connected"]), (4, 2))
            for command, cutoff in (("bfs", 1), ("sssp", 2.5)):
                self.good(command, path, "--pairs", listed, "-o", output, "--json", report, "--cutoff", cutoff, ranks=ranks)
                self.assertEqual(json.loads(report.read_text())["search"]["cutoff"], cutoff)
            self.good("bfs", path, "--pairs", listed, "-o", output, "--no-paths", ranks=ranks)
            self.assertEqual(json.loads(output.read_text())["rows"], [[0, 2, 2], [2, 0, -1], [0, 3, -1], [1, 1, 0]])
        with open(self.file("one.txt", "0 2\n"), encoding="utf-8") as one:
            self.assertEqual(self.good("sssp", path, "--pairs", "-", "--quiet", "--no-paths", stdin=one).out, "# source target distance\n0 2 4\n")

    def test_bad_input(self):
        path = self.file("g.wel", "0 1 2\n1 2 2\n")
        output = self.folder / "out.csv"
        for text, words in (("0 1\n1 7\n", ":2:3: there is no vertex 7"), ("0 1\n1 2 0\n", ":2: expected a source and a target, found 3 numbers"),
                            ("0\n", ":1: expected a source and a target, found 1 number"), ("0 one\n", ":1:3: expected the number of a vertex, found 'one'"),
                            ("0 -1\n", ":1:3: there is no vertex -1"), ("0 1.5\n", "found '1.5'"), ("# none\n", "names no pair"), ("", "names no pair")):
            with self.subTest(text=text):
                listed = self.file("pairs.txt", text)
                for command in ("bfs", "sssp"):
                    self.assertIn(words, self.fails_alike(BAD_INPUT, command, path, "--pairs", listed, "-o", output))
                    self.assert_nothing_left("out")
        listed = self.file("pairs.txt", "0 1\n")
        for options, words in ((("--source", 0), "--pairs and --source do not go together"), (("--sources", "random:2"), "--pairs and --sources"),
                               (("--target", 0), "--pairs and --target"), (("--nearest",), "--pairs and --nearest"), (("--validate",), "--pairs and --validate"),
                               (("-o", self.folder / "out.npy"), "expected a file extension of .txt, .csv or .json"),
                               (("--pairs", self.folder / "missing.txt"), "missing.txt")):
            with self.subTest(options=options):
                for command in ("bfs", "sssp"):
                    self.assertIn(words, self.fails(BAD_INPUT, command, path, "--pairs", listed, *options) if "--pairs" not in options
                                  else self.fails(BAD_INPUT, command, path, *options))
        self.assertIn("--no-paths is for --pairs", self.fails(BAD_INPUT, "sssp", path, "--source", 0, "--no-paths"))

    def test_road_network(self):
        """So many pairs that the vertices are eliminated first."""
        name = DATA / "USA-road-d.NY.gr.gz"
        with gzip.open(name, "rt") as lines:
            edges = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("a")]
        roads = WeightedGraph(264346, edges, True, first=1)
        draw = random.Random(8)
        pairs = [(source, draw.randrange(1, 264347)) for source in (1, 200000) for _ in range(30)]
        listed = self.file("pairs.txt", "".join(f"{u} {v}\n" for u, v in pairs + [(draw.randrange(1, 264347), draw.randrange(1, 264347)) for _ in range(2000)]))
        output = self.folder / "out.csv"
        for command, graph in (("sssp", roads), ("bfs", WeightedGraph(264346, [(u, v, 1) for u, v, _ in edges], True, first=1))):
            outcome = self.good(command, name, "--pairs", listed, "-o", output)
            self.assertIn("elimination of vertices, since there are many pairs", outcome.out)
            lightest = {}
            for u, v, w in graph.edges:
                lightest[u, v] = min(w, lightest.get((u, v), w))
            distances = {source: graph.distances(source) for source in (1, 200000)}
            rows = [line.split(",") for line in output.read_text().splitlines()[1:]]
            for u, v, distance, path in rows:
                vertices = [int(number) for number in path.split()]
                self.assertEqual((vertices[0], vertices[-1]), (int(u), int(v)))
                self.assertEqual(sum(lightest[edge] for edge in zip(vertices, vertices[1:])), int(distance))
            for (source, target), row in zip(pairs, rows):
                self.assertEqual(int(row[2]), distances[source][target])

    def test_many_pairs(self):
        graph = WeightedGraph(400, [(v, v + 1, 1 + v % 3) for v in range(399)] + [(v, v + 20, 9) for v in range(380)], False)
        path = self.file("g.wel", graph.as_edge_list())
        pairs = [(v, w) for v in range(0, 400, 5) for w in range(0, 400, 4)]  # more than are in memory at a time
        listed = self.file("pairs.txt", "".join(f"{u} {v}\n" for u, v in pairs))
        output = self.folder / "out.txt"
        self.good("sssp", path, "--undirected", "--pairs", listed, "--no-paths", "-o", output)
        distances = {u: graph.distances(u) for u in range(0, 400, 5)}
        self.assertEqual(output.read_text().splitlines()[1:], [f"{u} {v} {distances[u].get(v, math.inf)}" for u, v in pairs])


if __name__ == "__main__":
    unittest.main()
