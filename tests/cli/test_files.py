"""generate, convert and info: files are written and read again."""

import collections
import gzip
import hashlib
import json
import random
import statistics
import struct
import unittest

from driver import BAD_INPUT, DATA, RESOURCES, DriverTest, Graph, check_result, read_csv

# Tuples of the benchmark's own generator, scale 10, edge factor 16, seeds 2 and 3.
KRON10_TUPLES = "b6890e5051a7a45a3b22e4742f6c7b37dbdffb8608a05565bc237a0962f62b10"
KRON10_WEIGHTS = "199971e6332f459fe9980a9824b2961e9ec6c724118e24549a1c3880d28616b4"


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_tuples(path):
    edges = []
    for low_u, low_v, high_u, high_v in struct.iter_unpack("<IIHH", path.read_bytes()):
        edges.append((low_u | high_u << 32, low_v | high_v << 32))
    return edges


def multiset(edges):
    return collections.Counter(map(frozenset, edges))


class Generate(DriverTest):
    def test_kron_is_the_benchmarks(self):
        for ranks in (1, 3, 4):
            tuples = self.folder / f"g{ranks}.tuples"
            self.good("generate", "kron:10", "-o", tuples, ranks=ranks)
            self.assertEqual(sha256(tuples), KRON10_TUPLES)
            self.assertEqual(sha256(self.folder / f"g{ranks}.tuples.weights"), KRON10_WEIGHTS)

    def test_no_weights(self):
        self.good("generate", "kron:10", "-o", self.folder / "g.tuples", "--no-weights")
        self.assertEqual(sha256(self.folder / "g.tuples"), KRON10_TUPLES)
        self.assertFalse((self.folder / "g.tuples.weights").exists())

    def test_formats_that_get_the_generators_weights(self):
        """The extension of the file determines this, not the name of a folder."""
        folder = self.folder / "d.mtx"
        folder.mkdir()
        for name, weighted in (("a.el", False), ("a.txt", False), ("a.gr", False), ("a.wel.d.sg", False), ("a.wel", True), ("a.wel.gz", True),
                               ("a.mtx", True), ("a.tuples", True)):
            with self.subTest(name):
                self.assertEqual("weighted" in self.good("generate", "kron:4", "-o", folder / name).out, weighted)

    def test_weights_of_an_older_graph_go(self):
        self.good("generate", "kron:10", "-o", self.folder / "g.tuples")
        self.good("generate", "kron:10,seed1=5", "-o", self.folder / "g.tuples", "--no-weights")
        self.assertFalse((self.folder / "g.tuples.weights").exists())
        self.assertNotIn("weighted", self.good("convert", self.folder / "g.tuples", self.folder / "g.el").out)

    def test_every_rank_count_writes_the_same(self):
        for spec, name, options in [("random:200,900,directed=1", "g.gr", ["--weights", "uniform:1..n"]), ("rmat:8", "g.mtx", ["--weights", "float"]),
                                    ("regular:50,4", "g.graph", []), ("grid:7x9", "g.el.gz", []), ("kron:9", "g.wsg", ["--weights", "uniform:1..255"])]:
            with self.subTest(spec=spec):
                sums = set()
                for ranks in (1, 3):
                    self.good("generate", spec, "-o", self.folder / name, *options, ranks=ranks)
                    sums.add(sha256(self.folder / name))
                self.assertEqual(len(sums), 1)

    def test_shapes(self):
        self.good("generate", "grid:2x3", "-o", self.folder / "g.el")
        edges = [tuple(map(int, line.split())) for line in (self.folder / "g.el").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(multiset(edges), multiset([(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]))

    def test_mistakes(self):
        self.assertIn("to read a file use convert", self.fails_alike(BAD_INPUT, "generate", "g.gr", "-o", self.folder / "g.el"))
        self.assertIn("unknown file extension", self.fails_alike(BAD_INPUT, "generate", "ring:5", "-o", self.folder / "g.bin"))
        self.assertIn("weights 'heavy'", self.fails_alike(BAD_INPUT, "generate", "ring:5", "-o", self.folder / "g.gr", "--weights", "heavy"))
        self.fails_alike(BAD_INPUT, "generate", "ring:5", "-o", self.folder / "g.sg", "--weights", "unit")
        self.assertEqual(list(self.folder.iterdir()), [])


class Convert(DriverTest):
    def through(self, first, *names):
        """Converts each file to the next one. Returns the last file."""
        path = first
        for ranks, name in enumerate(names, start=1):
            self.good("convert", path, self.folder / name, ranks=ranks)
            path = self.folder / name
        return path

    def test_directed_with_weights(self):
        draw = random.Random(3)
        arcs = [(draw.randrange(1, 41), draw.randrange(1, 41), draw.randrange(1000)) for _ in range(200)]
        text = f"p sp 40 {len(arcs)}\n" + "".join(f"a {u} {v} {w}\n" for u, v, w in arcs)
        last = self.through(self.file("g.gr", text), "g.mtx.xz", "g.wsg", "h.gr.zst", "h.gr")
        found = [tuple(map(int, line.split()[1:])) for line in last.read_text().splitlines() if line.startswith("a")]
        self.assertEqual(sorted(found), sorted(arcs))

    def test_undirected(self):
        edges = [(0, 1), (1, 2), (2, 0), (4, 1), (5, 4)]
        first = self.file("g.tuples", b"".join(struct.pack("<IIHH", u, v, 0, 0) for u, v in edges))
        last = self.through(first, "g.graph", "g.sg", "g.mtx.gz", "h.gr", "h.tuples")
        self.assertEqual(multiset(read_tuples(last)), multiset(edges))

    def test_undirected_option(self):
        source = self.file("g.el", "0 1\n2 1\n")
        self.assertIn("undirected", self.fails_alike(BAD_INPUT, "convert", source, self.folder / "g.graph"))
        self.good("convert", source, self.folder / "g.graph", "--undirected")
        self.assertEqual((self.folder / "g.graph").read_text().split("\n")[1:4], ["2", "1 3", "2"])

    def test_bad_outputs_are_told_before_the_input_is_read(self):
        missing = self.folder / "nosuch.gr"
        self.assertIn("unknown file extension", self.fails_alike(BAD_INPUT, "convert", missing, self.folder / "out.xyz"))
        self.assertIn("nosuch/out.gr", self.fails_alike(RESOURCES, "convert", missing, self.folder / "nosuch" / "out.gr"))

    def test_weights(self):
        source = self.file("g.el", "0 1\n2 1\n")
        self.good("convert", source, self.folder / "g.gr", "--weights", "uniform:5..5")
        self.assertIn("a 1 2 5\na 3 2 5\n", (self.folder / "g.gr").read_text())
        self.assertIn("replaces the weights", self.good("convert", self.folder / "g.gr", self.folder / "h.gr", "--weights", "unit").err)
        self.assertIn("a 1 2 1\na 3 2 1\n", (self.folder / "h.gr").read_text())
        self.good("convert", self.folder / "g.gr", self.folder / "g.sg", "--no-weights")
        self.fails_alike(BAD_INPUT, "convert", self.folder / "g.gr", self.folder / "h.sg")

    def test_results_stay_the_same(self):
        graph = DATA / "new-york.gr.gz"
        with gzip.open(graph, "rt") as lines:
            text = lines.read().splitlines()
        vertices = int(next(line for line in text if line.startswith("p")).split()[2])
        oracle = Graph(vertices, [tuple(map(int, line.split()[1:3])) for line in text if line.startswith("a")], True, first=1)
        for name, shift in [("g.gr", 0), ("g.mtx", 0), ("g.wsg", -1)]:
            self.good("convert", graph, self.folder / name, ranks=2)
            output = self.folder / "out.csv"
            self.good("bfs", self.folder / name, "--source", 1 + shift, "-o", output, ranks=3)
            check_result(self, oracle, 1, [(v - shift, level, parent - shift if parent >= 0 else -1) for v, level, parent in read_csv(output)])


class Info(DriverTest):
    def facts(self, path, *options, ranks=1):
        output = self.folder / "facts.json"
        self.good("info", path, "--json", output, *options, ranks=ranks)
        return json.loads(output.read_text())

    def check(self, facts, graph):
        loops = sum(u == v for u, v in graph.edges)
        kinds = {(u, v) if graph.directed else frozenset((u, v)) for u, v in graph.edges if u != v}
        degree = collections.Counter()
        touched = set()
        for u, v in graph.edges:
            if u != v:
                touched |= {u, v}
                degree[u] += 1
                degree[v] += 0 if graph.directed else 1
        degrees = [degree[v] for v in graph.numbers()]
        self.assertEqual(facts["graph"]["vertices"], graph.vertices)
        self.assertEqual(facts["graph"]["edges"], len(graph.edges))
        self.assertEqual(facts["graph"]["directed"], graph.directed)
        self.assertEqual(facts["graph"]["first_vertex"], graph.first)
        self.assertEqual(facts["self_loops"], loops)
        self.assertEqual(facts["duplicates"], len(graph.edges) - loops - len(kinds))
        self.assertEqual(facts["isolated"], graph.vertices - len(touched))
        self.assertEqual((facts["degree"]["min"], facts["degree"]["max"]), (min(degrees), max(degrees)))
        self.assertEqual(facts["degree"]["median"], statistics.median(degrees))
        self.assertAlmostEqual(facts["degree"]["mean"], statistics.mean(degrees))
        histogram = collections.Counter(d.bit_length() for d in degrees)
        self.assertEqual(facts["degree"]["log2_histogram"], [histogram[i] for i in range(max(histogram) + 1)])

    def test_against_a_count(self):
        draw = random.Random(5)
        edges = [(draw.randrange(1, 50), draw.randrange(1, 50)) for _ in range(150)]
        edges += edges[:7] + [(v, u) for u, v in edges[:5]]
        path = self.file("g.gr", f"p sp 60 {len(edges)}\n" + "".join(f"a {u} {v} {u - 3}\n" for u, v in edges))
        for ranks in (1, 3):
            self.check(self.facts(path, ranks=ranks), Graph(60, edges, True, first=1))
            self.check(self.facts(path, "--undirected", ranks=ranks), Graph(60, edges, False, first=1))
        weights = [u - 3 for u, _ in edges]
        self.assertEqual(self.facts(path, ranks=3)["weights"], {"kind": "int32", "min": min(weights), "max": max(weights)})

    def test_without_edges(self):
        for ranks in (1, 3):
            facts = self.facts("random:5,0", ranks=ranks)
            self.assertEqual((facts["isolated"], facts["weights"], facts["degree"]["max"]), (5, None, 0))

    def test_text(self):
        out = self.good("info", DATA / "north-east.gr.xz", ranks=3).out
        self.assertEqual(out, self.good("info", DATA / "north-east.gr.xz").out)
        self.assertRegex(out, r"format +DIMACS\n")
        self.assertRegex(out, r"weights +none\n")


if __name__ == "__main__":
    unittest.main()
