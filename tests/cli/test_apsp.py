"""All pairs from outside: matrices, predecessors and summaries against Dijkstra's algorithm with a
heap, over ranks, in every format."""

import array
import ast
import json
import math
import os
import subprocess
import sys
import unittest
import zipfile

from driver import BAD_INPUT, NO_GPU, RESOURCES, WRONG_RESULT, DriverTest
from test_start import SANITIZED
from weighted_graph import WeightedGraph, tangle


TYPES = {"<u2": "H", "<i4": "i", "<f4": "f", "<f8": "d"}
NOT_REACHED = {"<u2": 65535, "<i4": 2**31 - 1, "<f4": math.inf, "<f8": math.inf}


def read_npy(path):
    """The type, and the rows with None for vertices that are not reached."""
    content = path.read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00", content[:8]
    begin = 10 + int.from_bytes(content[8:10], "little")
    header = ast.literal_eval(content[10:begin].decode())
    rows, columns = header["shape"]
    elements = array.array(TYPES[header["descr"]])
    elements.frombytes(content[begin:])
    assert len(elements) == rows * columns and begin % 64 == 0
    missing = NOT_REACHED[header["descr"]]
    return header["descr"], [[None if e == missing else e for e in elements[i * columns:(i + 1) * columns]] for i in range(rows)]


def read_csv(path):
    header, *lines = (line.split(",") for line in path.read_text().splitlines())
    assert header[0] == "source", header
    return header[1:], {int(line[0]): [None if e == "inf" else float(e) for e in line[1:]] for line in lines}


def expected_row(graph, source):
    found = graph.distances(source)
    return [found.get(v) for v in graph.numbers()]


class Results(DriverTest):
    def test_repeated_sources_are_not_all_vertices(self):
        sources = self.file("sources.txt", "0\n0\n1\n")
        out = self.good("apsp", "path:3", "--sources", sources, "--summary").out
        self.assertIn("largest eccentricity", out)
        self.assertNotIn("diameter", out)
        self.assertIn("diameter", self.good("apsp", "path:3", "--sources", self.file("all.txt", "2\n0\n1\n"), "--summary").out)

    def test_formats_ranks_and_summary(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        rows = [expected_row(graph, v) for v in graph.numbers()]
        outputs = {}
        for ranks, form in ((1, "npy"), (3, "npy"), (1, "raw"), (2, "csv")):
            distances, parents, facts = (self.folder / f"{name}{ranks}.{form}" for name in ("d", "p", "json"))
            self.good("apsp", path, "-o", distances, "--predecessors", parents, "--json", facts, "--validate", "--quiet", "--algorithm", "dijkstra", ranks=ranks)
            outputs[ranks, form] = distances, parents, json.loads(facts.read_text())
        kind, found = read_npy(outputs[1, "npy"][0])
        self.assertEqual((kind, found), ("<u2", rows))
        for i in (0, 1):
            whole = outputs[1, "npy"][i].read_bytes()
            self.assertEqual(outputs[3, "npy"][i].read_bytes(), whole)
            self.assertTrue(whole.endswith(outputs[1, "raw"][i].read_bytes()) and outputs[1, "raw"][i].stat().st_size == len(whole) - 128)
        header, csv = read_csv(outputs[2, "csv"][0])
        self.assertEqual(header, [str(v) for v in graph.numbers()])
        self.assertEqual([csv[v] for v in graph.numbers()], rows)
        parents = read_npy(outputs[1, "npy"][1])[1]
        for source, (row, parent) in zip(graph.numbers(), zip(rows, parents)):
            for v, (d, p) in zip(graph.numbers(), zip(row, parent)):
                if v == source or d is None:
                    self.assertEqual(p, source if v == source else -1)
                else:
                    self.assertTrue(any(to == v and row[p - 1] + w == d for to, w in graph.out[p]), (source, v, p))
        self.assertEqual(sorted(f.name for f in self.folder.glob("*.part*")), [])

        pairs = [d for i, row in enumerate(rows) for j, d in enumerate(row) if d is not None and i != j]
        for facts in (each[2] for each in outputs.values()):
            summary = facts["summary"]
            self.assertEqual(summary["reachable_pairs"], len(pairs))
            self.assertAlmostEqual(summary["average_shortest_path_length"], sum(pairs) / len(pairs))
            self.assertEqual((summary["diameter"], facts["validated_rows"]), (max(pairs), len(rows)))
            others = [[d for j, d in enumerate(row) if d is not None and i != j] for i, row in enumerate(rows)]
            self.assertEqual(summary["eccentricities"], [max(row, default=0) for row in others])
            self.assertEqual(summary["radius"], min(max(row) for row in others if row))
            self.assertEqual(summary["vertices"], list(graph.numbers()))
            closeness = [len(row) / sum(row) * (len(row) / (len(rows) - 1)) if row and sum(row) else None if row else 0 for row in others]
            self.assertEqual(summary["closeness"], closeness)
            counts = [pairs.count(d) for d in range(min(pairs), max(pairs) + 1)]
            self.assertEqual(summary["histogram"], {"first": min(pairs), "bin_width": 1, "counts": counts})

    def test_reverse(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        rows = [expected_row(graph.reversed(), v) for v in graph.numbers()]
        distances, parents, facts = (self.folder / name for name in ("d.npy", "p.npy", "facts.json"))
        for algorithm in ("dijkstra", "push-pull", "floyd-warshall", "auto"):
            for ranks in (1, 3):
                outcome = self.good("apsp", path, "--reverse", "-o", distances, "--predecessors", parents, "--json", facts, "--validate", "--summary",
                                    "--algorithm", algorithm, ranks=ranks)
                self.assertEqual(read_npy(distances)[1], rows)
                for source, row, nexts in zip(graph.numbers(), rows, read_npy(parents)[1]):
                    for v, d, p in zip(graph.numbers(), row, nexts):
                        if v == source or d is None:
                            self.assertEqual(p, source if v == source else -1)
                        else:  # the first edge of a path from v to the source
                            self.assertTrue(any(to == p and w + row[p - 1] == d for to, w in graph.out[v]), (source, v, p))
                self.assertIn("\ncloseness (inward) ", outcome.out)
                document = json.loads(facts.read_text())
                self.assertIs(document["graph"]["reversed"], True)
        # As NetworkX defines it.
        for v, row, found in zip(graph.numbers(), rows, document["summary"]["closeness"]):
            others = [d for u, d in zip(graph.numbers(), row) if u != v and d is not None]
            expected = len(others) ** 2 / (sum(others) * (graph.vertices - 1)) if others and sum(others) > 0 else 0 if not others else None
            self.assertEqual(found is None, expected is None)
            self.assertAlmostEqual(found or 0, expected or 0)
        self.assertIn("\ncloseness  ", self.good("apsp", path, "--reverse", "--undirected").out)

    def test_algorithms_agree(self):
        graph = WeightedGraph(60, [(u, (u * 7 + k * 11) % 60, 1) for u in range(60) for k in (1, 2)], directed=False)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
        outputs = []
        for algorithm in ("auto", "dijkstra", "elimination", "combined", "bit-parallel", "floyd-warshall"):
            output = self.folder / f"{algorithm}.npy"
            outcome = self.good("apsp", path, "--undirected", "--algorithm", algorithm, "-o", output, "--summary", "--validate", "--threads", 2)
            outputs.append((output.read_bytes(), outcome.out[outcome.out.index("vertices  "):]))
            if algorithm == "auto":
                self.assertRegex(outcome.out, r"\nsearch  .*, by bit-parallel, since it is the fastest: dijkstra would take [^;]*, floyd-warshall would take [^;]*; distances as uint16; about ")
        self.assertEqual(len(set(outputs)), 1)
        self.assertEqual(read_npy(output)[1], [expected_row(graph, v) for v in graph.numbers()])
        self.assertRegex(outputs[0][1], r"\ndiameter +\d+\nradius +\d+\ncloseness +")

    def algorithm_of(self, *words):
        """What auto chooses."""
        facts = self.folder / "facts.json"
        self.good("apsp", *words, "--json", facts, "--quiet", "--summary", "--engine", "cpu")
        return json.loads(facts.read_text())["search"]["algorithm"]

    def test_trees_are_eliminated(self):
        tree = self.file("tree.wel", "".join(f"{v} {(v - 1) // 2} {1 + v * 37 % 97}\n" for v in range(1, 2000)))
        self.assertEqual(self.algorithm_of(tree, "--undirected"), "elimination")

    def test_weights_that_are_all_1_are_none(self):
        graph = WeightedGraph(60, [(u, (u * 7 + k * 11) % 60, 1) for u in range(60) for k in (1, 2)], directed=False)
        ones = self.file("ones.wel", graph.as_edge_list())
        others = self.file("others.wel", "".join(f"{u} {v} {u + 2}\n" for u, v, _ in graph.edges))
        floats = self.file("floats.wel", "".join(f"{u} {v} 1.0\n" for u, v, _ in graph.edges))
        self.assertEqual(self.algorithm_of(ones, "--undirected"), "bit-parallel")
        self.assertEqual(self.algorithm_of(others, "--undirected", "--weights", "unit"), "bit-parallel")
        self.assertNotEqual(self.algorithm_of(floats, "--undirected"), "bit-parallel")  # distances are floats, too
        for words in ((ones,), (others, "--weights", "unit")):
            for ranks in (1, 3):
                output = self.folder / "ones.npy"
                self.good("apsp", *words, "--undirected", "-o", output, "--validate", ranks=ranks)
                self.assertEqual(read_npy(output)[1], [expected_row(graph, v) for v in graph.numbers()])

    def test_summaries_agree(self):
        """The papers' number of vertices, or a quarter of it, on which no number of tiles or batches divides evenly."""
        facts = self.folder / "facts.json"
        size = 1152 if SANITIZED else 4608
        for graph, *ways in (((f"random:{size},{4 * size}", "--weights", "uniform:1..n"), ("dijkstra", 3), ("combined", 1), ("floyd-warshall", 4)),
                             ((f"ring:{size}",), ("bit-parallel", 2), ("floyd-warshall", 1), ("elimination", 2)),
                             (("complete:700",), ("bit-parallel", 1), ("dijkstra", 2), ("floyd-warshall", 2))):
            summaries = []
            for algorithm, ranks in ways:
                self.good("apsp", *graph, "--algorithm", algorithm, "--json", facts, "--quiet", "--summary", ranks=ranks)
                found = json.loads(facts.read_text())
                summaries.append(found["summary"])
                self.assertEqual(summaries[-1], summaries[0], (graph, algorithm, ranks))
                for step in ("load", "construction", "prepare", "search"):
                    self.assertGreater(found[f"{step}_seconds"], 0, (graph, algorithm, ranks, step))

    def test_sources_and_types(self):
        graph = tangle(directed=True)
        path = self.file("g.wel", graph.as_edge_list())
        sources = self.file("sources.txt", "9 3 # two\n60\n")
        for kind, descr in (("uint16", "<u2"), ("int32", "<i4"), ("float32", "<f4"), ("float64", "<f8")):
            output = self.folder / f"{kind}.npy"
            outcome = self.good("apsp", path, "--sources", sources, "--dtype", kind, "-o", output, "--summary")
            self.assertEqual(read_npy(output), (descr, [expected_row(graph, v) for v in (9, 3, 60)]))
            self.assertRegex(outcome.out, r"largest eccentricity +\d+\n")
        drawn = [self.folder / f"drawn{ranks}.csv" for ranks in (1, 2)]
        for ranks, output in zip((1, 2), drawn):
            self.good("apsp", path, "--sources", "random:5", "-o", output, ranks=ranks)
        self.assertEqual(drawn[0].read_bytes(), drawn[1].read_bytes())
        for source, row in read_csv(drawn[0])[1].items():
            self.assertEqual(row, expected_row(graph, source))

    def test_targets(self):
        """The columns of some vertices, in the order given, in every format and by every method."""
        graph = tangle(directed=True)
        path = self.file("g.wel", graph.as_edge_list())
        sources, targets = (9, 3, 60, 9), (60, 2, 9, 0, 2)
        options = ("--sources", self.file("sources.txt", " ".join(map(str, sources))), "--targets", self.file("targets.txt", "60 2 # two\n9 0\n2\n"))
        expected = [[graph.distances(source).get(target) for target in targets] for source in sources]
        for algorithm in ("auto", "dijkstra", "push-pull", "floyd-warshall", "elimination"):
            for ranks in (1, 3):
                for checked in ((), ("--validate",)):
                    with self.subTest(algorithm=algorithm, ranks=ranks, checked=checked):
                        distances, predecessors = self.folder / "d.npy", self.folder / "p.csv"
                        if algorithm == "elimination" and ranks > 1:
                            continue
                        self.good("apsp", path, *options, "--algorithm", algorithm, "-o", distances, "--predecessors", predecessors, *checked, ranks=ranks)
                        self.assertEqual(read_npy(distances)[1], expected)
                        header, *lines = (line.split(",") for line in predecessors.read_text().splitlines())
                        self.assertEqual(header, ["source", *map(str, targets)])
                        for source, line in zip(sources, lines, strict=True):
                            self.assertEqual(int(line[0]), source)
                            found = graph.distances(source)
                            for target, parent in zip(targets, map(int, line[1:]), strict=True):
                                if target == source or target not in found:
                                    self.assertEqual(parent, source if target == source else -1)
                                else:
                                    self.assertIn(found[target] - found[parent], [weight for u, v, weight in graph.edges if (u, v) == (parent, target)])
        facts = self.folder / "facts.json"
        self.good("apsp", path, *options, "-o", self.folder / "d.raw", "--json", facts)
        self.assertEqual((self.folder / "d.raw").stat().st_size, 2 * len(sources) * len(targets))
        found = json.loads(facts.read_text())
        self.assertEqual((found["targets"], "summary" in found), (len(targets), False))
        self.good("apsp", path, "--source", 3, "--target", 60, "--target", 9, "-o", self.folder / "d.csv")
        self.assertEqual(read_csv(self.folder / "d.csv"), (["60", "9"], {3: [graph.distances(3).get(v) for v in (60, 9)]}))
        drawn = [self.folder / f"drawn{ranks}.csv" for ranks in (1, 2)]
        for ranks, output in zip((1, 2), drawn):
            self.good("apsp", path, "--targets", "random:5", "-o", output, ranks=ranks)
        self.assertEqual(drawn[0].read_bytes(), drawn[1].read_bytes())

    def test_few_targets_of_many_sources(self):
        """Searches start from the targets, against the direction of edges, if whole rows are not needed."""
        against = "from the targets against the direction of edges"
        targets = (60, 2, 9, 2)
        for directed in (True, False):
            options = ("--targets", self.file("targets.txt", "60 2 9 2"), "-o", self.folder / "d.npy")
            graph = tangle(directed=directed)
            path = self.file("g.wel", graph.as_edge_list())
            expected = [[graph.distances(source).get(target) for target in targets] for source in graph.numbers()]
            some = tuple(v for v in graph.numbers() if v % 2 == 1)
            sources = self.file("sources.txt", " ".join(map(str, (*some, some[0]))))
            direction = () if directed else ("--undirected",)
            for ranks in (1, 2, 3, 4):
                for algorithm in ("auto", "dijkstra", "push-pull", "elimination", "floyd-warshall"):
                    if algorithm == "elimination" and ranks > 1:
                        continue
                    with self.subTest(directed=directed, ranks=ranks, algorithm=algorithm):
                        outcome = self.good("apsp", path, *direction, *options, "--algorithm", algorithm, ranks=ranks)
                        self.assertEqual(read_npy(self.folder / "d.npy")[1], expected)
                        if algorithm in ("dijkstra", "floyd-warshall"):
                            self.assertEqual(against in outcome.out, algorithm == "dijkstra")
                self.good("apsp", path, *direction, *options, "--sources", sources, ranks=ranks)
                self.assertEqual(read_npy(self.folder / "d.npy")[1], [expected[v - graph.first] for v in (*some, some[0])])
                outcome = self.good("apsp", path, *direction, "--target", 60, "-o", self.folder / "d.npy", "--algorithm", "dijkstra", ranks=ranks)
                self.assertIn(against, outcome.out)
                self.assertEqual(read_npy(self.folder / "d.npy")[1], [row[:1] for row in expected])
            options = (*options, "--algorithm", "dijkstra")
            outcome = self.good("apsp", path, *direction, *options, "--reverse")
            self.assertIn(against, outcome.out)
            reverse = graph.reversed()
            self.assertEqual(read_npy(self.folder / "d.npy")[1], [[reverse.distances(source).get(target) for target in targets] for source in graph.numbers()])
            for other in (("--validate",), ("--predecessors", self.folder / "p.npy"), ("--checkpoint", self.folder / "c"), ("--sources", "random:15")):
                self.assertNotIn(against, self.good("apsp", path, *direction, *options, *other).out)
            self.assertIn(against, self.good("apsp", path, *direction, *options, "--weights", "unit").out)
            self.assertNotIn(against, self.good("apsp", path, *direction, *options, "--weights", "float").out)

    def test_tables(self):
        """A line for each pair, and .npz, whose arrays are those of .npy."""
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        sources, targets = (9, 3, 61), (60, 2, 9, 61)
        options = ("--sources", self.file("sources.txt", "9 3 61"), "--targets", self.file("targets.txt", "60 2 9 61"))
        expected = [(s, t, graph.distances(s).get(t)) for s in sources for t in targets]
        self.assertIn(None, [distance for _, _, distance in expected])
        for ranks in (1, 2, 3, 4):
            text, parents, arrays, rows = (self.folder / name for name in ("d.csv", "p.csv", "d.npz", "d.npy"))
            outcome = self.good("apsp", path, *options, "--long", "-o", text, "--predecessors", parents, "--algorithm", "dijkstra", ranks=ranks)
            self.assertNotIn("not reached", outcome.err)
            header, *lines = text.read_text().splitlines()
            self.assertEqual(header, "source,target,distance")
            self.assertEqual(lines, [f"{s},{t},{'inf' if d is None else d}" for s, t, d in expected])
            header, *lines = parents.read_text().splitlines()
            self.assertEqual(header, "source,target,predecessor")
            found = {tuple(map(int, line.split(",")[:2])): int(line.split(",")[2]) for line in lines}
            for source, target, distance in expected:
                if distance is None or source == target:
                    self.assertEqual(found[source, target], -1 if distance is None else source)
                else:
                    self.assertIn((target, distance - graph.distances(source)[found[source, target]]), graph.out[found[source, target]])
            for wanted in (options, ()):
                for algorithm in ("dijkstra", "floyd-warshall"):
                    self.good("apsp", path, *wanted, "-o", rows, "--algorithm", algorithm, ranks=ranks)
                    outcome = self.good("apsp", path, *wanted, "-o", arrays, "--predecessors", self.folder / "p.npz", "--algorithm", algorithm, ranks=ranks)
                    self.assertIn(f"note: {arrays} has 65535 as the distance of a vertex that is not reached", outcome.err)
                    with zipfile.ZipFile(arrays) as archive:
                        self.assertIsNone(archive.testzip())
                        self.assertEqual(archive.namelist(), ["sources.npy", "targets.npy", "distances.npy"])
                        self.assertEqual(archive.read("distances.npy"), rows.read_bytes())
                        numbers = [archive.read(f"{name}.npy") for name in ("sources", "targets")]
                    for content, vertices in zip(numbers, (sources, targets) if wanted else (graph.numbers(), graph.numbers())):
                        begin = 10 + int.from_bytes(content[8:10], "little")
                        self.assertIn(f"'descr': '<i8', 'fortran_order': False, 'shape': ({len(vertices)},)", content[:begin].decode("latin-1"))
                        self.assertEqual(list(array.array("q", content[begin:])), list(vertices))
                    with zipfile.ZipFile(self.folder / "p.npz") as archive:
                        self.assertIsNone(archive.testzip())
                        self.assertEqual(archive.namelist()[-1], "predecessors.npy")
            self.assertEqual(self.good("apsp", path, *options, "--long", "-o", "-", "--quiet", ranks=ranks).out, text.read_text())
        self.assertEqual(sorted(f.name for f in self.folder.glob("*.part*")), [])
        for wrong, message in ((("--long",), "--long: requires --output or --predecessors with .csv"), (("--long", "-o", arrays), "--long: requires"),
                               (("-o", arrays, "--checkpoint", self.folder / "c"), "d.npz: .npz has checksums of all rows"),
                               (("-o", self.folder / "d.zip"), "expected a file extension of .npy, .npz, .csv or .raw")):
            self.assertIn(message, self.fails(BAD_INPUT, "apsp", path, *wrong))
        self.assertIn("--long and --bulk do not go together", self.fails(BAD_INPUT, "apsp", "--bulk", self.folder, "--long"))

    def test_targets_that_are_wrong(self):
        path, output = self.file("g.wel", "0 1 7\n1 2 1\n"), ("-o", self.folder / "d.npy")
        for options, message in ((("--target", 3, *output), "--target: there is no vertex 3"), (("--target", "x", *output), "--target: expected the number of a vertex, found 'x'"),
                                 (("--target", 1), "--target: requires --output FILE or --predecessors FILE"),
                                 (("--targets", "random:2", "--summary", *output), "--targets and --summary do not go together"),
                                 (("--targets", self.file("none.txt", "# none\n"), *output), "names no vertex"),
                                 (("--targets", "random:9", *output), "--targets random:9")):
            self.assertIn(message, self.fails(BAD_INPUT, "apsp", path, *options))
        self.assertIn("--target and --bulk do not go together", self.fails(BAD_INPUT, "apsp", "--bulk", self.folder, "--target", 1, *output))

    def test_weights_of_64_bits(self):
        path = self.file("g.wel", "0 1 5000000000\n1 2 7\n")
        for algorithm in ("dijkstra", "floyd-warshall"):
            output = self.folder / f"{algorithm}.npy"
            self.good("apsp", path, "--algorithm", algorithm, "-o", output, "--validate")
            self.assertEqual(read_npy(output), ("<f8", [[0, 5000000000, 5000000007], [None, 0, 7], [None, None, 0]]))
        self.fails_with(BAD_INPUT, "--dtype int32: {} has a distance of 5000000000, but the type holds distances up to 2147483646 only", path, "--dtype", "int32",
                        "-o", self.folder / "d.npy")
        output = self.folder / "real.npy"
        self.good("apsp", self.file("f.wel", "0 1 0.1\n1 2 0.2\n"), "--dtype", "float64", "-o", output, "--validate")
        self.assertEqual(read_npy(output)[1][0], [0, 0.1, 0.1 + 0.2])

    def test_negative_weights(self):
        path = self.file("g.wel", "0 1 5\n1 2 -3\n0 2 4\n2 3 1\n")
        output = self.folder / "d.csv"
        self.good("apsp", path, "-o", output, "--validate", "--predecessors", self.folder / "p.csv")
        self.assertEqual(read_csv(output)[1][0], [0, 5, 2, 3])
        self.assertEqual(read_csv(self.folder / "p.csv")[1][0], [0, 0, 1, 2])
        over_ranks = self.folder / "d4.csv"
        outcome = self.good("apsp", path, "-o", over_ranks, "--validate", "--predecessors", self.folder / "p4.csv", ranks=4)
        self.assertIn("of each rank of a 2x2 grid", outcome.out)
        self.assertEqual(over_ranks.read_bytes(), output.read_bytes())
        self.assertEqual((self.folder / "p4.csv").read_bytes(), (self.folder / "p.csv").read_bytes())
        # Vertices that are not reached have no predecessors, although there are negative weights in
        # other tiles.
        parts = self.file("parts.wel", "0 1 5\n" + "".join(f"{v} {v + 1} -1\n" for v in range(150, 299)))
        self.good("apsp", parts, "--validate", "--predecessors", self.folder / "p.csv", "-o", self.folder / "d.csv")
        self.assertEqual(read_csv(self.folder / "d.csv")[1][0], [0, 5] + [None] * 298)
        self.assertEqual(read_csv(self.folder / "p.csv")[1][0], [0, 0] + [-1] * 298)
        self.fails_with(WRONG_RESULT, "there are no shortest paths: {} has a cycle of negative length (-1), 2 -> 1 -> 2", self.file("c.wel", "0 1 5\n1 2 -3\n2 1 2\n"))
        turned = self.fails(WRONG_RESULT, "apsp", "--reverse", self.file("t.wel", "0 1 5\n1 2 -3\n2 3 1\n3 1 1\n"))
        self.assertRegex(turned, r" has a cycle of negative length \(-1\), (1 -> 2 -> 3 -> 1|2 -> 3 -> 1 -> 2|3 -> 1 -> 2 -> 3)$")
        self.fails_with(WRONG_RESULT, "there are no shortest paths: {} has a cycle of negative length (-1), 1 -> 1", self.file("l.wel", "0 1 5\n1 1 -1\n"))
        decimals = self.file("decimals.wel", "0 1 0.1\n1 2 0.2\n2 0 -0.3\n0 1 0.5\n")
        self.assertRegex(self.fails(WRONG_RESULT, "apsp", decimals), r" has a cycle of negative length \(-7\.45\d*e-09\), 1 -> 2 -> 0 -> 1; if only the rounding of "
                         "weights to 32 bits makes it negative, --dtype float64 helps")
        self.good("apsp", decimals, "--dtype", "float64")
        self.fails_with(BAD_INPUT, "--algorithm dijkstra: {} has negative weights, which only floyd-warshall allows", path, "--algorithm", "dijkstra")

    def test_no_vertices(self):
        self.assertIn(", by dijkstra, since the graph has no vertices; ", self.good("apsp", self.file("g.gr", "p sp 0 0\n")).out)

    def test_what_is_printed(self):
        facts = self.folder / "j.json"
        self.assertEqual(self.good("apsp", "ring:9", "--quiet", "--json", facts).out, "")
        self.assertIn("diameter", self.good("apsp", "ring:9", "--quiet", "--json", facts, "--summary").out)
        self.assertIn("diameter", self.good("apsp", "ring:9", "--quiet").out)
        help_text = self.good("apsp", "--help-all").out
        self.assertRegex(help_text, r"\n  dijkstra             a search per source")
        self.assertRegex(help_text, r"\n  floyd-warshall-steps on a GPU")

    def test_one_vertex(self):
        path, facts = self.file("g.gr", "p sp 1 0\n"), self.folder / "j.json"
        outcome = self.good("apsp", path, "--json", facts)
        self.assertRegex(outcome.out, r"\ncomputed 1 row by .*\nvertices +1\nsources +1 \(all\)\nreachable pairs +none, since there is no other vertex\n$")
        summary = json.loads(facts.read_text())["summary"]
        self.assertEqual([summary[key] for key in ("reachable_pairs", "average_shortest_path_length", "diameter", "radius", "eccentricities", "closeness")],
                         [0, None, None, None, [0], [0]])

    def fails_with(self, code, message, path, *options):
        self.assertEqual(self.fails(code, "apsp", path, *options), "wayfront: error: " + message.format(path))

    def test_bad_input(self):
        path = self.file("g.wel", "0 1 70000\n")
        floats = self.file("f.wel", "0 1 0.5\n")
        self.fails_with(BAD_INPUT, "--dtype uint16: {} has a distance of 70000, but the type holds distances up to 65534 only", path, "--dtype", "uint16",
                   "-o", self.folder / "d.npy")
        self.assertIn("distances as int32", self.good("apsp", path).out)
        self.assertIn(", by dijkstra; distances as uint16; about ", self.good("apsp", "ring:9", "--algorithm", "dijkstra").out)
        self.fails_with(BAD_INPUT, "--dtype int32: the weights of {} are floats", floats, "--dtype", "int32")
        self.fails_with(BAD_INPUT, "--algorithm bit-parallel: {} has weights; it is for graphs without weights", path, "--algorithm", "bit-parallel")
        self.fails_with(BAD_INPUT, f"--output: {self.folder}/d.txt: expected a file extension of .npy, .npz, .csv or .raw, or - for standard output", path, "-o", self.folder / "d.txt")
        self.fails_with(BAD_INPUT, "--engine cpu: --algorithm block runs on a GPU alone", path, "--algorithm", "block", "--engine", "cpu")
        self.fails_with(BAD_INPUT, "--gpu-memory-limit: requires --engine gpu", path, "--gpu-memory-limit", 1)
        self.fails_with(BAD_INPUT, "--out-of-core: requires --engine gpu", path, "--out-of-core")
        self.fails_with(BAD_INPUT, "--transport: requires --engine gpu", path, "--transport", "p2p")
        self.fails_with(BAD_INPUT, "--transport: expected auto, p2p, nccl or mpi, found 'host'", path, "--engine", "gpu", "--transport", "host")
        self.fails_with(BAD_INPUT, "--out-of-core is for --algorithm floyd-warshall, not for block", path, "--algorithm", "block", "--out-of-core")
        self.fails_with(BAD_INPUT, "--batch-sources: expected a multiple of 32, found '33'", path, "--batch-sources", 33)
        for options, who in ((("--algorithm", "batched"), "--algorithm batched: runs on a GPU, but"), (("--engine", "gpu"), "--engine gpu:")):
            message = self.fails(RESOURCES, "apsp", path, *options, env=NO_GPU)
            self.assertRegex(message, f"{who} (no GPU was found|this wayfront was built without CUDA)")
        self.fails_with(BAD_INPUT, "--resume: requires --checkpoint FILE", path, "--resume")
        self.fails_with(BAD_INPUT, "--checkpoint-every: requires --checkpoint FILE", path, "--checkpoint-every", 5)
        for name in ("c.before", "c.matrix-0", "c.matrix-1"):  # are removed with the checkpoint
            self.fails_with(BAD_INPUT, f"--json and --checkpoint name the same file, {self.folder / name}", path, "--checkpoint", self.folder / "c",
                            "--json", self.folder / name)
        combined = ("--algorithm", "combined")
        self.fails_with(BAD_INPUT, "--algorithm combined: --checkpoint is not possible: the first row is done when all are", path, *combined, "--checkpoint",
                        self.folder / "c")
        self.fails_with(BAD_INPUT, "--algorithm combined: the weights of {} are floats, whose sums would be rounded in another order", floats, *combined)
        message = self.fails(BAD_INPUT, "apsp", path, *combined, ranks=2)
        self.assertEqual(message, "wayfront: error: --algorithm combined: it runs on one rank, but 2 were started")
        message = self.fails(RESOURCES, "apsp", "ring:10000000", "--algorithm", "floyd-warshall")
        self.assertRegex(message, r"floyd-warshall of ring:10000000 needs .* are available; .*--algorithm bit-parallel needs memory for a few rows only")
        message = self.fails(RESOURCES, "apsp", "random:300000,300000", "--weights", "float", "--algorithm", "floyd-warshall", "--dtype", "float64")
        self.assertRegex(message, "are available; .*--dtype float32 needs less memory; --algorithm dijkstra needs memory for a few rows only")
        message = self.fails(RESOURCES, "apsp", "ring:3000000", "-o", self.folder / "d.npy", "--algorithm", "dijkstra")
        self.assertRegex(message, r"cannot be written: at least .* are needed.*; --sources and --targets write some rows and columns only, and --summary needs no file")
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), ["f.wel", "g.wel"])


class SciPy(DriverTest):
    """SciPy's shortest_path as an oracle that others have written. The interpreter that has SciPy
    need not be the one that runs the tests. Since SciPy takes long to load, one process answers all
    questions, a line each."""

    SHORTEST_PATH = """import json, sys, scipy.sparse.csgraph
for line in sys.stdin:
    size, u, v, weights = json.loads(line)
    graph = scipy.sparse.csr_array((weights, (u, v)), shape=(size, size))
    print(json.dumps(scipy.sparse.csgraph.shortest_path(graph, directed=True).tolist()), flush=True)"""

    def setUp(self):
        super().setUp()
        if os.environ.get("WAYFRONT_SANITIZE"):
            self.skipTest("the release build is compared with SciPy")
        for interpreter in (sys.executable, "/usr/bin/python3"):
            if subprocess.run([interpreter, "-c", "import scipy.sparse.csgraph"], capture_output=True, check=False).returncode == 0:
                self.oracle = subprocess.Popen([interpreter, "-c", self.SHORTEST_PATH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                self.addCleanup(self.oracle.wait)
                self.addCleanup(self.oracle.stdout.close)
                self.addCleanup(self.oracle.stdin.close)
                return
        self.skipTest("SciPy is not installed")

    def edges_of(self, path):
        for line in path.read_text().splitlines():
            if not line.startswith("#"):
                u, v, *weight = line.split()
                yield int(u), int(v), float(weight[0]) if weight else 1.0

    def matrix(self, path, vertices, directed):
        lightest = {}
        for u, v, weight in self.edges_of(path):
            for pair in ((u, v),) if directed else ((u, v), (v, u)):
                lightest[pair] = min(weight, lightest.get(pair, math.inf))
        entries = [(u, v, weight) for (u, v), weight in lightest.items() if u != v]
        question = json.dumps([vertices, *([entry[i] for entry in entries] for i in range(3))])
        self.oracle.stdin.write(question + "\n")
        self.oracle.stdin.flush()
        return json.loads(self.oracle.stdout.readline())

    def test_graphs_of_many_sizes(self):
        specs = [f"{kind}:{n}" for kind in ("ring", "star", "complete") for n in (3, 31, 32, 33, 64)]
        specs += [f"random:{n},{3 * n}" for n in (2, 31, 33, 300, 1000)] + ["rmat:8", "grid:20x30"]
        for spec in specs:
            for weights in ("", "uniform:1..50", "float"):
                path = self.file("g.el", "")
                self.good("generate", spec, path, *(("--weights", weights) if weights else ()))
                info = self.folder / "info.json"
                self.good("info", path, "--json", info)
                facts = json.loads(info.read_text())["graph"]
                expected = self.matrix(path, facts["vertices"], facts["directed"])
                for algorithm in ("dijkstra", "floyd-warshall", "push-pull" if weights else "bit-parallel", *(("combined",) if weights != "float" else ())):
                    output = self.folder / "d.npy"
                    self.good("apsp", path, "--algorithm", algorithm, "-o", output)
                    _, rows = read_npy(output)
                    for row, expected_row in zip(rows, expected):
                        for found, distance in zip(row, expected_row):
                            found = math.inf if found is None else found
                            if weights != "float" or distance == math.inf:
                                self.assertEqual(found, distance, (spec, weights, algorithm))
                            else:
                                self.assertAlmostEqual(found, distance, delta=len(rows) * 2**-24 * distance, msg=(spec, weights, algorithm))


if __name__ == "__main__":
    unittest.main()
