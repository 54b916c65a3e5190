"""Figures of vertices and of graphs (apsp --vertices): against Dijkstra's algorithm with a heap and
exact fractions, and against NetworkX."""

import csv
import fractions
import json
import math
import random
import re
import struct
import unittest

import networkx_oracle
from driver import BAD_INPUT, DATA, RESOURCES, DriverTest
from weighted_graph import WeightedGraph, float32, tangle

COLUMNS = ["vertex", "reached", "sum", "eccentricity", "closeness", "harmonic"]


def read(path):
    with path.open(encoding="ascii") as lines:
        rows = list(csv.reader(lines))
    assert rows[0] == COLUMNS, rows[0]
    return [dict(zip(COLUMNS, (json.loads(text) if text not in ("nan", "inf") else float(text) for text in row))) for row in rows[1:]]


def expected_figures(graph, source):
    """From the definitions, without roundings until the end."""
    distances = [fractions.Fraction(d) for v, d in graph.distances(source).items() if v != source]
    total = sum(distances)
    reached = len(distances)
    closeness = fractions.Fraction(reached * reached, graph.vertices - 1) / total if total > 0 else 0 if reached == 0 else math.nan
    return {"vertex": source, "reached": reached, "sum": total, "eccentricity": max(distances, default=0), "closeness": float(closeness),
            "harmonic": float(sum(1 / d for d in distances if d > 0))}


def dense(draw, vertices, directed, weight):
    """A connected graph: a ring and chords."""
    edges = [(v, (v + 1) % vertices, weight(draw)) for v in range(vertices)]
    edges += [(draw.randrange(vertices), draw.randrange(vertices), weight(draw)) for _ in range(2 * vertices)]
    return WeightedGraph(vertices, [(u, v, w) for u, v, w in edges if u != v], directed)


class Figures(DriverTest):
    def check_rows(self, rows, graph, sources, tolerance=0.0):
        self.assertEqual([row["vertex"] for row in rows], list(sources))
        for row in rows:
            expected = expected_figures(graph, row["vertex"])
            self.assertEqual(row["reached"], expected["reached"])
            for figure in ("sum", "eccentricity"):
                if tolerance == 0:
                    self.assertIsInstance(row[figure], int)
                self.assertAlmostEqual(row[figure], float(expected[figure]), delta=tolerance * float(expected[figure]), msg=(row, figure))
            for figure in ("closeness", "harmonic"):
                if math.isnan(expected[figure]):
                    self.assertTrue(math.isnan(row[figure]), row)
                else:
                    self.assertAlmostEqual(row[figure], expected[figure], delta=(tolerance + 1e-15) * expected[figure], msg=(row, figure))

    def test_methods_and_ranks(self):
        """Every method on 1 to 4 ranks finds the same file, byte for byte."""
        for directed in (True, False):
            graph = tangle(directed, first=1 if directed else 0)
            path = self.file("g.gr", graph.as_dimacs()) if directed else self.file("g.wel", graph.as_edge_list())
            for reverse in ((), ("--reverse",)) if directed else ((),):
                files = set()
                for algorithm, ranks in (("dijkstra", 1), ("dijkstra", 2), ("dijkstra", 3), ("dijkstra", 4), ("floyd-warshall", 1), ("floyd-warshall", 4),
                                         ("combined", 1), ("elimination", 1), ("elimination", 3), ("auto", 3)):
                    figures = self.folder / "figures.csv"
                    self.good("apsp", path, *(() if directed else ("--undirected",)), *reverse, "--vertices", figures, "--quiet", "--algorithm", algorithm,
                              ranks=ranks)
                    files.add(figures.read_bytes())
                self.assertEqual(len(files), 1)
                self.check_rows(read(figures), graph.reversed() if reverse else graph, graph.numbers())

    def test_without_weights(self):
        draw = random.Random(8)
        for directed in (True, False):
            graph = WeightedGraph(90, [(draw.randrange(80), draw.randrange(90), 1) for _ in range(140)] + [(0, 89, 1)], directed)
            path = self.file("g.el", "".join(f"{u} {v}\n" for u, v, _ in graph.edges))
            files = set()
            for algorithm, ranks in (("bit-parallel", 1), ("bit-parallel", 3), ("dijkstra", 2), ("floyd-warshall", 2), ("combined", 1)):
                figures = self.folder / "figures.csv"
                self.good("apsp", path, *(() if directed else ("--undirected",)), "--vertices", figures, "--quiet", "--algorithm", algorithm, ranks=ranks)
                files.add(figures.read_bytes())
            self.assertEqual(len(files), 1)
            self.check_rows(read(figures), graph, graph.numbers())

    def test_floats(self):
        graph = tangle(True, weight=lambda draw: float32(draw.random() / 4 if draw.randrange(9) else 0.0), rounded=float32)
        path = self.file("g.wel", graph.as_edge_list())
        for algorithm in ("dijkstra", "push-pull", "floyd-warshall"):
            for ranks in (1, 3):
                figures = self.folder / "figures.csv"
                self.good("apsp", path, "--vertices", figures, "--quiet", "--algorithm", algorithm, ranks=ranks)
                self.check_rows(read(figures), graph, graph.numbers(), 2 * graph.vertices * 2**-24)

    def test_forms(self):
        graph = tangle(True)
        path = self.file("g.wel", graph.as_edge_list())
        sources = self.file("sources.txt", "9 3 60\n9\n")
        text, records, document = (self.folder / name for name in ("f.csv", "f.npy", "f.json"))
        for output in (text, records, document):
            outcome = self.good("apsp", path, "--sources", sources, "--vertices", output)
            self.assertIn("largest eccentricity", outcome.out)
        rows = read(text)
        self.check_rows(rows, graph, (9, 3, 60, 9))
        self.assertEqual(self.good("apsp", path, "--sources", sources, "--vertices", "-", "--quiet").out, text.read_text())
        found = json.loads(document.read_text())
        self.assertEqual(found["columns"], COLUMNS)
        as_null = [[None if math.isnan(row[name]) else row[name] for name in COLUMNS] for row in rows]
        self.assertEqual(found["rows"], as_null)
        content = records.read_bytes()
        begin = 10 + int.from_bytes(content[8:10], "little")
        self.assertEqual(begin % 64, 0)
        self.assertIn(b"'descr': [('vertex', '<i8'), ('reached', '<i8'), ('sum', '<i8'), ('eccentricity', '<i8'), ('closeness', '<f8'), ('harmonic', '<f8')]", content)
        self.assertIn(b"'shape': (4,)", content)
        self.assertEqual([dict(zip(COLUMNS, struct.unpack_from("<qqqqdd", content, begin + 48 * i))) for i in range(4)], rows)
        self.assertEqual(len(content), begin + 4 * 48)

    def test_beside_rows(self):
        graph = tangle(True)
        path, output, figures, facts = self.file("g.wel", graph.as_edge_list()), self.folder / "d.npy", self.folder / "f.csv", self.folder / "f.json"
        outcome = self.good("apsp", path, "-o", output, "--vertices", figures, "--json", facts, "--validate", ranks=2)
        self.assertNotIn("diameter", outcome.out)
        self.check_rows(read(figures), graph, graph.numbers())
        summary = json.loads(facts.read_text())["summary"]
        for key, figure in (("reached", "reached"), ("sums", "sum"), ("eccentricities", "eccentricity"), ("closeness", "closeness"), ("harmonic_closeness", "harmonic")):
            self.assertEqual(summary[key], [None if math.isnan(row[figure]) else row[figure] for row in read(figures)])

    def test_large_sums(self):
        """Sums beyond 2^53 are exact, and those beyond 2^63 an error."""
        weight = 2**51 + 1
        path = self.file("g.wel", "".join(f"0 {v} {weight}\n" for v in range(1, 9)))
        figures = self.folder / "f.csv"
        for algorithm in ("dijkstra", "floyd-warshall"):
            self.good("apsp", path, "--undirected", "--vertices", figures, "--algorithm", algorithm)
            self.assertEqual([row["sum"] for row in read(figures)], [8 * weight] + 8 * [15 * weight])
            figures.unlink()
        weight = 2**51 - 1
        path = self.file("g.wel", "".join(f"0 {v} {weight}\n" for v in range(1, 4101)))
        for output in ((), ("-o", self.folder / "f.csv.npy")):
            message = self.fails_alike(BAD_INPUT, "apsp", path, "--undirected", "--source", 0, "--vertices", figures, *output)
            self.assertIn("the distances of a vertex add up to more than 64 bits hold", message)
            self.assert_nothing_left("f.csv")
        self.assertIn("largest eccentricity", self.good("apsp", path, "--undirected", "--source", 0).out)

    def test_negative_weights(self):
        figures = self.folder / "f.csv"
        self.good("apsp", self.file("g.wel", "0 1 5\n1 2 -3\n0 2 4\n2 3 1\n"), "--vertices", figures)
        rows = read(figures)
        self.assertEqual([(row["reached"], row["sum"], row["eccentricity"]) for row in rows], [(3, 10, 5), (2, -5, -2), (1, 1, 1), (0, 0, 0)])
        self.assertEqual([str(row["harmonic"]) for row in rows], [str(1 / 5 + 1 / 2 + 1 / 3), "nan", "1", "0"])

    def test_resumed(self):
        graph = ("random:3000,12000", "--weights", "uniform:1..100")
        whole, figures, checkpoint = self.folder / "whole.csv", self.folder / "f.csv", self.folder / "c"
        self.good("apsp", *graph, "--vertices", whole, "--quiet")
        self.good("apsp", *graph, "--vertices", figures, "--checkpoint", checkpoint, "--checkpoint-every", 0, "--quiet", "--algorithm", "dijkstra", ranks=2)
        self.assertEqual(figures.read_bytes(), whole.read_bytes())
        self.assertFalse(checkpoint.exists())

    def test_bad_input(self):
        path = self.file("g.wel", "0 1 7\n")
        for options, message in ((("--vertices", self.folder / "f.txt"), "--vertices: .*f.txt: expected a file extension of .csv, .npy or .json"),
                                 (("--vertices", self.folder / "f.csv", "--target", 1), "--target and --vertices do not go together"),
                                 (("--vertices", self.folder / "f.csv", "--json", self.folder / "f.csv"), "--vertices and --json name the same file"),
                                 (("--vertices", path), "g.wel"), (("--vertices", self.folder / "f.csv", "--sources", "random:9"), "--sources random:9")):
            self.assertRegex(self.fails(BAD_INPUT, "apsp", path, *options), message)
        self.assertRegex(self.fails(BAD_INPUT, "apsp", "--bulk", self.folder, "--vertices", self.folder / "f.csv"), "--bulk and --vertices do not go together")
        self.assertIn("No such file", self.fails(RESOURCES, "apsp", path, "--vertices", self.folder / "none" / "f.csv"))
        self.assertEqual(path.read_text(), "0 1 7\n")
        self.assert_nothing_left("f.csv")


class FiguresOfGraphs(DriverTest):
    def test_summary(self):
        path = self.file("g.el", "0 1\n1 2\n2 3\n3 4\n1 5\n")  # a path with a leaf
        facts = self.folder / "f.json"
        outcome = self.good("apsp", path, "--undirected", "--json", facts)
        for name, value in (("center", "1 vertex: 2"), ("periphery", "3 vertices: 0, 4, 5"), ("Wiener index", "32"),
                            ("global efficiency", f"{(2 * 5 + 5 * 1 + 3 * 2 / 3 + 2 * 2 / 4) / 30:.8g}")):
            self.assertRegex(outcome.out, rf"\n{name} +{re.escape(value)}\n")
        summary = json.loads(facts.read_text())["summary"]
        self.assertEqual([summary[key] for key in ("center", "periphery", "wiener_index")], [[2], [0, 4, 5], 32])
        self.assertAlmostEqual(summary["global_efficiency"], (10 + 5 + 2 + 1) / 30)
        outcome = self.good("apsp", "ring:40", "--json", facts)
        self.assertRegex(outcome.out, r"\ncenter +40 vertices: 0, 1, 2, 3, 4, 5, 6, 7, \.\.\.\n")
        self.assertEqual(json.loads(facts.read_text())["summary"]["center"], list(range(40)))
        outcome = self.good("apsp", path, "--directed", "--json", facts)
        self.assertRegex(outcome.out, r"\nWiener index +infinite, since some pairs have no path\n")
        self.assertIsNone(json.loads(facts.read_text())["summary"]["wiener_index"])
        outcome = self.good("apsp", path, "--undirected", "--source", 1, "--json", facts)
        self.assertNotIn("center", outcome.out)
        self.assertNotIn("center", json.loads(facts.read_text())["summary"])

    def test_efficiency_of_long_distances(self):
        """A summary in brief knows the efficiency if its histogram tells each distance."""
        path = self.file("g.wel", "0 1 5000\n1 2 1\n")
        self.assertNotIn("efficiency", self.good("apsp", path).out)
        self.assertRegex(self.good("apsp", path, "--vertices", self.folder / "f.csv").out, rf"\nglobal efficiency +{(1 + 1 / 5000 + 1 / 5001) / 6:.8g}\n")


class Samples(DriverTest):
    ESTIMATES = ("reachable_pairs", "distance_sum", "average_shortest_path_length", "global_efficiency")

    def test_errors_cover_the_figures(self):
        facts = self.folder / "f.json"
        for spec, options in (("random:600,1500", ()), ("grid:20x30", ("--weights", "uniform:1..9")), ("rmat:9", ("--undirected",))):
            self.good("apsp", spec, *options, "--vertices", self.folder / "all.csv", "--json", facts)
            rows = read(self.folder / "all.csv")
            n, pairs, total = len(rows), sum(row["reached"] for row in rows), sum(row["sum"] for row in rows)
            true = dict(zip(self.ESTIMATES, (pairs, total, total / pairs, math.fsum(row["harmonic"] for row in rows) / (n * (n - 1)))))
            connected = sum(row["reached"] > 0 for row in rows)
            for seed in range(12):
                count = 40 + 10 * seed
                self.good("apsp", spec, *options, "--sources", f"random:{count}", "--seed", seed, "--vertices", self.folder / "some.csv", "--json", facts,
                          "--quiet", ranks=1 + seed % 3)
                sampled = read(self.folder / "some.csv")
                found = json.loads(facts.read_text())["summary"]["estimates"]
                self.assertEqual((found["confidence"], len(sampled)), (0.95, count))
                if spec.startswith("grid"):  # random:600,1500 without its seed is another graph for each --seed
                    self.assertAlmostEqual(found["distance_sum"]["value"], connected * sum(row["sum"] for row in sampled) / count)
                    for name in self.ESTIMATES:
                        self.assertLessEqual(abs(found[name]["value"] - true[name]), found[name]["bound"], (spec, seed, name))
                    self.assertEqual((found["reachable_pairs"]["error"], found["reachable_pairs"]["bound"]), (0, 0))
                for name in self.ESTIMATES:
                    if found[name]["error"]:
                        less = self.assertLessEqual if name == "reachable_pairs" else self.assertLess
                        less(found[name]["error"], found[name]["bound"], (spec, seed, name))

    def test_floats(self):
        """The bounds hold for weights that are floats, too, and are less than the distances."""
        facts = self.folder / "f.json"
        for spec, options in (("random:500,4000,seed=3,directed=1", ()), ("random:500,1500,seed=3", ()), ("random:500,1200,seed=4,directed=1", ()),
                              ("random:500,4000,seed=3,directed=1", ("--dtype", "float64")),
                              ("random:500,4000,seed=3,directed=1", ("--algorithm", "floyd-warshall"))):
            graph = self.folder / "g.wel"
            self.good("generate", spec, "--weights", "float", "--seed", 5, "-o", graph, "--quiet")
            options = options if "directed" in spec else (*options, "--undirected")
            self.good("apsp", graph, *options, "--vertices", self.folder / "all.csv", "--quiet")
            rows = read(self.folder / "all.csv")
            n, pairs, total = len(rows), sum(row["reached"] for row in rows), math.fsum(row["sum"] for row in rows)
            true = dict(zip(self.ESTIMATES, (pairs, total, total / pairs, math.fsum(row["harmonic"] for row in rows) / (n * (n - 1)))))
            for seed in range(3):
                self.good("apsp", graph, *options, "--sources", "random:250", "--seed", seed, "--vertices", self.folder / "some.csv", "--json", facts,
                          "--quiet", ranks=1 + seed)
                found = json.loads(facts.read_text())["summary"]["estimates"]
                for name in self.ESTIMATES:
                    self.assertLessEqual(abs(found[name]["value"] - true[name]), found[name]["bound"] + 1e-5 * true[name], (spec, options, seed, name))
                self.assertLess(found["average_shortest_path_length"]["bound"], found["average_shortest_path_length"]["value"])

    def test_words(self):
        outcome = self.good("apsp", DATA / "new-york.gr.gz", "--sources", "random:200", "--vertices", self.folder / "f.csv")
        self.assertIn("\nestimates for all ", outcome.out)
        self.assertIn(", with errors of 95% by the normal approximation and, in parentheses, for any graph\n", outcome.out)
        self.assertRegex(outcome.out, r"\n  average shortest path length +[\d.e+]+ \+- [\d.e+]+ \([\d.e+]+\)\n")
        self.assertNotIn("global efficiency", self.good("apsp", DATA / "new-york.gr.gz", "--sources", "random:30").out)
        self.assertNotIn("estimates", self.good("apsp", DATA / "new-york.gr.gz", "--sources", "random:30", "--source", 1).out)
        outcome = self.good("apsp", "random:50,200", "--weights", "float", "--sources", "random:30", "--vertices", self.folder / "f.csv")
        self.assertRegex(outcome.out, r"\n  average shortest path length +[\d.e+]+( \+- [\d.e+]+)? \([\d.e+]+\)\n")
        outcome = self.good("apsp", "grid:10x10", "--sources", "random:29")
        self.assertIn("\n  An estimate without +- has a sample that is too small or too uneven for the normal approximation.\n", outcome.out)

    def test_directed_graphs_have_errors_of_use(self):
        """Though some vertices of the graph do not reach others."""
        facts = self.folder / "f.json"
        for seed in (1, 2):
            self.good("apsp", "rmat:12,directed=1", "--sources", "random:800", "--seed", seed, "--json", facts, "--quiet")
            average = json.loads(facts.read_text())["summary"]["estimates"]["average_shortest_path_length"]
            self.assertLess(average["error"], 0.05)
            self.assertLess(average["bound"], 1)

    def test_pairs_of_directed_graphs(self):
        """The number of reachable pairs is exact if the graph is strongly connected, and nearly so if most of it is."""
        facts, every = self.folder / "f.json", self.folder / "all.json"
        for spec, widest in (("random:500,4000,seed=3,directed=1", 0), ("random:500,1200,seed=4,directed=1", 800), ("rmat:9,seed=2,directed=1", 200),
                             ("random:500,600,seed=5,directed=1", 20000)):
            for options in ((), ("--weights", "uniform:1..9"), ("--weights", "float"), ("--reverse",)):
                self.good("apsp", spec, *options, "--json", every, "--quiet")
                true = json.loads(every.read_text())["summary"]["reachable_pairs"]
                for seed in range(3):
                    self.good("apsp", spec, *options, "--sources", "random:40", "--seed", seed, "--json", facts, "--quiet", ranks=1 + seed)
                    pairs = json.loads(facts.read_text())["summary"]["estimates"]["reachable_pairs"]
                    self.assertLessEqual(abs(pairs["value"] - true), pairs["bound"], (spec, options, seed))
                    self.assertLessEqual(pairs["bound"], widest, (spec, options, seed))
                    if widest == 0:
                        self.assertEqual((pairs["value"], pairs["error"], pairs["bound"]), (true, 0, 0))


class NetworkX(DriverTest):
    def test_figures(self):
        oracle = networkx_oracle.start(self)
        draw = random.Random(11)
        kinds = (lambda d: 1, lambda d: d.randrange(1, 50), lambda d: d.randrange(0, 4))
        for number in range(60):
            directed, weight = bool(number % 2), kinds[number % 3]
            graph = dense(draw, draw.randrange(3, 40), directed, weight) if number % 4 < 2 else tangle(directed, weight=weight)
            path = self.file("g.wel", graph.as_edge_list())
            figures, facts = self.folder / "f.csv", self.folder / "f.json"
            outcome_options = ("--directed",) if directed else ("--undirected",)
            self.good("apsp", path, *outcome_options, "--vertices", figures, "--json", facts, "--quiet")
            rows, summary = read(figures), json.loads(facts.read_text())["summary"]
            expected = networkx_oracle.figures(oracle, graph)
            for figure in ("closeness", "harmonic", "eccentricity"):
                for row, value in zip(rows, expected.get(figure, ()), strict=figure in expected):
                    found = 0 if figure == "closeness" and math.isnan(row[figure]) else row[figure]  # NetworkX: 0 if all distances are 0
                    self.assertAlmostEqual(found, value, delta=1e-12 * value, msg=(number, row, figure))
            for figure in ("center", "periphery"):
                if figure in expected:
                    self.assertEqual(summary[figure], sorted(expected[figure]))
            if "wiener_index" in expected:
                self.assertEqual(summary["wiener_index"], expected["wiener_index"])
            if "global_efficiency" in expected:
                self.assertAlmostEqual(summary["global_efficiency"], expected["global_efficiency"], delta=1e-14)


if __name__ == "__main__":
    unittest.main()
