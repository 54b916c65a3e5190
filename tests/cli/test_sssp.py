"""Shortest paths from outside: distances and parents against Dijkstra's algorithm with a heap, in
every form, by every algorithm and over ranks."""

import ast
import gzip
import json
import math
import struct
import unittest

from driver import BAD_INPUT, DATA, NO_GPU, RESOURCES, DriverTest
from weighted_graph import ALGORITHMS, WeightedGraph, check_result, float32, number, read_csv, tangle


class Results(DriverTest):
    def search(self, path, source, *options, ranks=1):
        output = self.folder / "out.csv"
        self.good("sssp", path, "--source", source, "-o", output, "--validate", "--quiet", *options, ranks=ranks)
        return read_csv(output)

    def test_algorithms(self):
        whole = tangle(directed=True, first=1)
        real = tangle(directed=False, weight=lambda draw: float32(draw.random()), rounded=float32)
        for name, graph, text, options in (("g.gr", whole, whole.as_dimacs(), ()), ("g.wel", real, real.as_edge_list(), ("--undirected",))):
            path = self.file(name, text)
            for algorithm in ALGORITHMS:
                with self.subTest(name=name, algorithm=algorithm):
                    self.good("sssp", path, "--source", 2, "--source", 9, "--source", 60, "-o", self.folder / "out.csv", "--validate",
                              "--algorithm", algorithm, *options)
                    for source in (2, 9, 60):
                        check_result(self, graph, source, read_csv(self.folder / f"out.{source}.csv"))

    def test_methods_of_gpus(self):
        graph = ("grid:5x5", "--weights", "uniform:1..9", "--source", 1)
        for algorithm in ("near-far", "conventional", "selection", "adaptive", "fixed-order"):
            with self.subTest(algorithm=algorithm):
                message = self.fails(RESOURCES, "sssp", *graph, "--algorithm", algorithm, env=NO_GPU)
                self.assertRegex(message, f"--algorithm {algorithm}: runs on a GPU, but (no GPU was found|this wayfront was built without CUDA)")
        for options, words in ((("--algorithm", "adaptive", "--engine", "cpu"), "--engine cpu: --algorithm adaptive runs on a GPU alone"),
                               (("--phase-times", "350,330"), "--phase-times is for --algorithm adaptive"),
                               (("--algorithm", "adaptive", "--phase-times", "350"), "--phase-times: expected two times"),
                               (("--algorithm", "adaptive", "--phase-times", "3,5,6"), "--phase-times: expected two times"),
                               (("--algorithm", "fixed-order", "--delta", 3), "--delta: --algorithm fixed-order has no windows"),
                               (("--algorithm", "selection", "--deterministic"), "--algorithm selection: --deterministic")):
            with self.subTest(options=options):
                self.assertIn(words, self.fails(BAD_INPUT, "sssp", *graph, *options, env=NO_GPU))

    def test_ranks_and_grids(self):
        for directed, options in ((True, ()), (False, ("--undirected",))):
            graph = tangle(directed)
            path = self.file("g.wel", graph.as_edge_list())
            for ranks, grid, algorithm in ((2, "2x1", "auto"), (3, "1x3", "bellman-ford"), (4, "2x2", "push-pull"), (6, "3x2", "delta-stepping")):
                with self.subTest(directed=directed, ranks=ranks, algorithm=algorithm):
                    check_result(self, graph, 2, self.search(path, 2, "--grid", grid, "--algorithm", algorithm, *options, ranks=ranks))

    def test_road_network(self):
        name = "USA-road-d.NY.gr.gz"
        with gzip.open(DATA / name, "rt") as lines:
            edges = [tuple(map(int, line.split()[1:])) for line in lines if line.startswith("a")]
        check_result(self, WeightedGraph(264346, edges, True, first=1), 1, self.search(DATA / name, 1))

    def test_weights_of_kron_graphs_are_the_generators(self):
        edges = self.folder / "kron.wel"
        self.good("generate", "kron:7", "-o", edges)
        lines = [line.split() for line in edges.read_text().splitlines() if not line.startswith("#")]
        graph = WeightedGraph(128, [(int(u), int(v), float32(float(w))) for u, v, w in lines], False, rounded=float32)
        for ranks in (1, 3):
            check_result(self, graph, 5, self.search("kron:7", 5, ranks=ranks))

    def test_distances_beyond_32_bits(self):
        heavy = 2**31 - 1
        graph = WeightedGraph(7, [(v, v + 1, heavy) for v in range(6)], True)
        path = self.file("g.wel", graph.as_edge_list())
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm=algorithm):
                check_result(self, graph, 0, self.search(path, 0, "--algorithm", algorithm))

    def test_reverse(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        for algorithm in ALGORITHMS:
            for ranks in (1,) if algorithm == "dijkstra" else (1, 3):
                check_result(self, graph.reversed(), 2, self.search(path, 2, "--reverse", "--algorithm", algorithm, ranks=ranks))
        path = self.file("path.wel", "0 1 5\n1 2 1\n0 2 9\n")
        self.assertEqual(self.good("sssp", path, "--source", 2, "--target", 0, "--reverse", "--quiet").out, "path of length 6, 2 edges: 0 1 2\n")
        self.assertEqual(self.good("sssp", path, "--source", 0, "--target", 2, "--reverse", "--quiet").out, "no path from 2 to 0\n")

    def test_reverse_with_weights_of_the_program(self):
        edges = self.folder / "random.wel"
        weights = ("--weights", "uniform:1..50")
        self.good("generate", "random:60,200,directed=1", *weights, "-o", edges)
        triples = [tuple(map(int, line.split())) for line in edges.read_text().splitlines() if not line.startswith("#")]
        for ranks in (1, 3):
            check_result(self, WeightedGraph(60, triples, True).reversed(), 5, self.search("random:60,200,directed=1", 5, "--reverse", *weights, ranks=ranks))

    def test_cutoff(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        output = self.folder / "out.csv"
        for cutoff in (0, 4, 7.5):
            for algorithm, ranks in (("dijkstra", 1), ("delta-stepping", 1), ("push-pull", 1), ("bellman-ford", 3)):
                with self.subTest(cutoff=cutoff, algorithm=algorithm):
                    self.good("sssp", path, "--source", 2, "-o", output, "--cutoff", cutoff, "--algorithm", algorithm, ranks=ranks)
                    check_result(self, graph, 2, read_csv(output), cutoff)

    def test_cutoffs_are_compared_in_the_type_of_distances(self):
        whole = self.file("whole.wel", "0 1 9007199254740993\n1 2 1\n")  # 2^53 + 1, which no double is
        real = self.file("real.wel", "0 1 0.1\n1 2 0.2\n2 3 0.3\n")  # 0.1 as a 32-bit float is more than 0.1
        for path, cutoff, reached in ((whole, 9007199254740993, 2), (whole, 9007199254740992, 1), (real, 0.1, 2), (real, 0.09999999, 1), (real, 0.3, 3)):
            for algorithm in ("dijkstra", "delta-stepping", "push-pull", "bellman-ford"):
                with self.subTest(cutoff=cutoff, algorithm=algorithm):
                    rows = self.good("sssp", path, "--source", 0, "--cutoff", cutoff, "--algorithm", algorithm, "-o", "-", "--quiet").out
                    self.assertEqual(sum(" inf " not in row for row in rows.splitlines()[1:]), reached)
        self.assertIn("of length 9007199254740993 or less", self.good("sssp", whole, "--source", 0, "--target", 2, "--cutoff", 9007199254740993).out)

    def test_a_width_of_windows_rules_out_dijkstra(self):
        self.assertIn("delta-stepping with buckets of width 5", self.good("sssp", "path:9", "--weights", "unit", "--source", 0, "--delta", 5).out)

    def test_a_vertex_alone(self):
        for ranks in (1, 3):
            self.assertEqual(self.search("path:1", 0, ranks=ranks), [(0, 0, 0)])
        graph = tangle(directed=True, first=1)
        outcome = self.good("sssp", self.file("g.gr", graph.as_dimacs()), "--source", 58)
        self.assertRegex(outcome.out, r"source 58 +1 reached, farthest at 0,")


class SmallestParents(DriverTest):
    """--deterministic reports the same parents by every algorithm and over all grids."""

    def test_parents(self):
        for directed, options in ((True, ()), (False, ("--undirected",))):
            graph = tangle(directed, weight=lambda draw: draw.randrange(3))
            path = self.file("g.wel", graph.as_edge_list())
            output = self.folder / "out.csv"
            ways = [(1, "1x1", algorithm) for algorithm in ALGORITHMS] + [(2, "1x2", "push-pull"), (4, "2x2", "bellman-ford"), (3, "3x1", "auto")]
            for ranks, grid, algorithm in ways:
                with self.subTest(directed=directed, grid=grid, algorithm=algorithm):
                    self.good("sssp", path, "--source", 2, "--deterministic", "-o", output, "--algorithm", algorithm, "--grid", grid, *options, ranks=ranks)
                    rows = read_csv(output)
                    check_result(self, graph, 2, rows)
                    self.assertEqual({v: parent for v, _, parent in rows if parent >= 0}, graph.smallest_parents(2))

    def test_negative_weights(self):
        # Vertex 3 is reached from 1 and 2, which are farther away than 3 is.
        path = self.file("g.wel", "0 2 5\n0 1 5\n2 3 -3\n1 3 -3\n0 3 2\n3 4 0\n4 5 0\n3 5 0\n")
        output = self.folder / "out.csv"
        for ranks in (1, 3):
            self.good("sssp", path, "--source", 0, "--deterministic", "-o", output, "--validate", ranks=ranks)
            self.assertEqual([row[2] for row in read_csv(output)], [0, 0, 0, 0, 3, 3])


class Paths(DriverTest):
    def test_path(self):
        path = self.file("g.wel", "0 1 0.5\n1 2 0.25\n0 2 9\n3 0 1\n")
        for ranks in (1, 3):
            self.assertEqual(self.good("sssp", path, "--source", 0, "--target", 2, "--quiet", ranks=ranks).out,
                             "path of length 0.75, 2 edges: 0 1 2\n")
            self.assertEqual(self.good("sssp", path, "--source", 0, "--target", 3, "--quiet", ranks=ranks).out, "no path from 0 to 3\n")
        self.assertEqual(self.good("sssp", path, "--source", 3, "--target", 2, "--cutoff", 1.6, "--quiet").out,
                         "no path from 3 to 2 of length 1.6 or less (--cutoff)\n")
        self.assertEqual(self.good("sssp", path, "--source", 3, "--target", 3, "--quiet").out, "path of length 0, 0 edges: 3\n")


class Forms(DriverTest):
    """The same result in every form of output."""

    def written(self, graph, name, ranks=1):
        path = self.file("g.wel", graph.as_edge_list())
        output = self.folder / name
        self.good("sssp", path, "--source", 2, "-o", output, "--quiet", ranks=ranks)
        return output

    def test_whole_numbers_and_floats(self):
        whole = tangle(directed=True)
        real = tangle(directed=True, weight=lambda draw: float32(draw.random()), rounded=float32)
        for graph, kind, word, missing in ((whole, "<i8", "q", -1), (real, "<f8", "d", math.inf)):
            for ranks in (1, 3):
                with self.subTest(kind=kind, ranks=ranks):
                    rows = read_csv(self.written(graph, "out.csv", ranks))
                    check_result(self, graph, 2, rows)
                    rows = [(v, graph.rounded(d), p) for v, d, p in rows]

                    header, *lines = self.written(graph, "out.txt", ranks).read_text().splitlines()
                    self.assertEqual(header, "# vertex distance parent")
                    text = [tuple(map(number, line.split())) for line in lines]
                    self.assertEqual([(v, graph.rounded(d), p) for v, d, p in text], rows)

                    data = self.written(graph, "out.npy", ranks).read_bytes()
                    (length,) = struct.unpack("<H", data[8:10])
                    header = ast.literal_eval(data[10:10 + length].decode())
                    self.assertEqual(header, {"descr": kind, "fortran_order": False, "shape": (61, 2)})
                    values = struct.unpack(f"<{2 * 61}{word}", data[10 + length:])
                    expected = [x for _, d, p in rows for x in (missing if d == math.inf else d, p)]
                    self.assertEqual(list(values), expected)

                    document = json.loads(self.written(graph, "out.json", ranks).read_text())
                    self.assertEqual((document["source"], document["columns"]), (2, ["vertex", "distance", "parent"]))
                    found = [(v, math.inf if d is None else graph.rounded(d), p) for v, d, p in document["rows"]]
                    self.assertEqual(found, rows)

    def test_facts_and_trace(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        facts, trace = self.folder / "facts.json", self.folder / "trace.json"
        self.good("sssp", path, "--source", 2, "--target", 2, "--json", facts, "--trace", trace, "--validate", ranks=3)
        document = json.loads(facts.read_text())
        self.assertEqual((document["command"], document["graph"]["vertices"], document["search"]["ranks"]), ("sssp", 61, 3))
        self.assertIn("delta-stepping", document["search"]["algorithm"])
        (search,) = document["searches"]
        distances = graph.distances(2)
        self.assertEqual((search["source"], search["reached"], search["farthest"]), (2, len(distances), max(distances.values())))
        self.assertEqual((search["path"], search["path_length"], search["validated"]), ([2], 0, True))
        self.assertGreater(search["relaxed_arcs"], 0)
        self.assertLessEqual({"load", "construct", "sssp", "validate"}, {span["name"] for span in self.spans(trace)})

    def test_searches_in_a_trace(self):
        graph = tangle(directed=True, first=1)
        path = self.file("g.gr", graph.as_dimacs())
        trace = self.folder / "trace.json"
        for ranks in (1, 2):
            self.good("sssp", path, "--source", 2, "--source", 4, "--trace", trace, "--quiet", ranks=ranks)
            searches = [(span["pid"], span["args"]) for span in self.spans(trace) if span["name"] == "sssp"]
            expected = [(rank, {"search": number, "source": source}) for rank in range(ranks) for number, source in ((1, 2), (2, 4))]
            self.assertEqual(sorted(searches, key=lambda search: (search[0], search[1]["search"])), expected)

    def test_several_searches(self):
        outcome = self.good("sssp", "kron:8", "--sources", "random:5")
        self.assertEqual(sum(line.startswith("source ") for line in outcome.out.splitlines()), 5)
        self.assertRegex(outcome.out, r"5 searches +min .* s, median .* s, max .* s")
        self.assertRegex(outcome.out, r"search .*, by push-pull in windows of .+, since it is the fastest on a core: delta-stepping would take .*, dijkstra would take ")

    def test_a_trial_of_methods(self):
        """Many searches: the methods whose estimated times are close are tried after four of them. Whichever searches, the results are right."""
        report = self.folder / "report.json"
        for graph, tried in (("random:8192,200000", True), ("grid:60x60", False), ("kron:10", True)):
            with self.subTest(graph=graph):
                weights = () if graph.startswith("kron") else ("--weights", "uniform:1..255")
                outcome = self.good("sssp", graph, *weights, "--sources", "random:20", "--validate", "--json", report, env=NO_GPU)
                self.assertEqual(outcome.out.count(", valid"), 20)
                algorithm = json.loads(report.read_text())["search"]["algorithm"]
                self.assertIn("since a trial found it the fastest: " if tried else "since it is the fastest on a core: ", algorithm)
                changed = "the searches that follow: " in outcome.err
                self.assertTrue(not changed or f"the searches that follow: {algorithm}" in outcome.err, outcome.err)

    def test_no_trial_over_ranks(self):
        for graph in ("random:300,900", "random:2000,50000"):
            for ranks in (2, 3):
                with self.subTest(graph=graph, ranks=ranks):
                    outcome = self.good("sssp", graph, "--weights", "uniform:1..9", "--sources", "random:20", "--validate", ranks=ranks, env=NO_GPU)
                    self.assertEqual(outcome.out.count(", valid"), 20)
                    self.assertNotIn("trial", outcome.out + outcome.err)

    def test_the_choice_of_an_algorithm(self):
        for graph, ranks, algorithm, reason in (("kron:6", 1, "delta-stepping", "the graph has fewer than 4096 edges"), ("kron:9", 1, "push-pull", "it is the fastest on a core: "),
                                                ("random:4096,16384", 1, "delta-stepping", "it is the fastest on a core: "), ("kron:6", 2, "push-pull", "it is the fastest on a core: "),
                                                ("grid:30x30", 2, "delta-stepping", "it is the fastest on a core: "), ("random:4096,32768", 2, "push-pull", "it is the fastest on a core: "), ("path:9", 1, "Dijkstra's algorithm", "the graph is small"),
                                                ("path:6000", 1, "Dijkstra's algorithm", "it is the fastest on a core: delta-stepping would take "), ("path:6000", 2, "delta-stepping", "it is the fastest on a core: push-pull would take ")):
            with self.subTest(graph=graph, ranks=ranks):
                weights = () if graph.startswith("kron") else ("--weights", "float")
                out = self.good("sssp", graph, "--source", 1, *weights, ranks=ranks, env=NO_GPU).out
                self.assertRegex(out, f"search .*, by {algorithm}.* since {reason}")

        out = self.good("sssp", "path:6000", "--source", 1, "--weights", "float", "--delta", 0.5, env=NO_GPU).out
        self.assertRegex(out, "search .*, by delta-stepping with buckets of width 0.5")

    def test_several_files(self):
        (self.folder / "sources").write_text("5\n6\n")
        self.good("sssp", "kron:8", "--source", 1, "--sources", self.folder / "sources", "-o", self.folder / "out.npy")
        self.assertEqual(sorted(path.name for path in self.folder.glob("out*")), ["out.1.npy", "out.5.npy", "out.6.npy"])

    def test_standard_output(self):
        outcome = self.good("sssp", "path:3", "--source", 0, "-o", "-")
        self.assertEqual(outcome.out, "# vertex distance parent\n0 0 0\n1 1 0\n2 2 1\n")
        self.assertRegex(outcome.err, r"source 0 +3 reached, farthest at 2,")


class BadInput(DriverTest):
    def test_options(self):
        for options, what in (((), "no source given"), (("--source", 9), "there is no vertex 9"), (("--source", 0, "--algorithm", "astar"), "expected one of auto"),
                              (("--source", 0, "--delta", 0), "expected a finite number above 0"), (("--source", 0, "--delta", "inf"), "expected a finite number above 0"),
                              (("--source", 0, "--delta", 2, "--algorithm", "dijkstra"), "--delta: --algorithm dijkstra has no windows"),
                              (("--source", 0, "--cutoff", -1), "expected a finite number from 0 on"), (("--source", 0, "--cutoff", "x"), "expected a finite number from 0 on"),
                              (("--source", 0, "--cutoff", 1, "--validate"), "do not go together"),
                              (("--source", 0, "-o", self.folder / "out.bin"), ".txt, .csv, .npy or .json"),
                              (("--source", 0, "--source", 1, "-o", "-"), "holds the result of one source")):
            with self.subTest(options=options):
                self.assertIn(what, self.fails(BAD_INPUT, "sssp", "path:5", *options))

    def test_graphs_without_edges_and_vertices(self):
        empty = self.file("empty.gr", "p sp 0 0\n")
        self.assertIn("empty.gr has no vertices", self.fails(BAD_INPUT, "sssp", empty, "--source", 1))
        path = self.file("none.gr", "p sp 3 0\n")
        for algorithm in ALGORITHMS:
            outcome = self.good("sssp", path, "--source", 2, "--target", 3, "--algorithm", algorithm, "--validate", "--quiet")
            self.assertEqual(outcome.out, "no path from 2 to 3\n")
        self.assertIn("only 0 vertices of the graph have edges", self.fails(BAD_INPUT, "sssp", path, "--sources", "random:1"))
        for source in (0, 4):
            message = self.fails(BAD_INPUT, "sssp", path, "--source", source)
            self.assertIn(f"--source: there is no vertex {source}: those of {path} are 1 to 3", message)
        self.assertIn("--target: there is no vertex 4", self.fails(BAD_INPUT, "sssp", path, "--source", 1, "--target", 4))

    def test_dijkstra_over_ranks(self):
        self.assertIn("searches on one rank, but 3 were started", self.fails(BAD_INPUT, "sssp", "path:5", "--source", 0, "--algorithm", "dijkstra", ranks=3))


class Engines(DriverTest):
    """--engine gpu without a GPU; test_gpu_sssp.py has the searches on GPUs."""

    def test_without_a_gpu(self):
        for ask in (("--engine", "gpu"), ("--engine", "gpu", "--algorithm", "push-pull")):
            message = self.fails(RESOURCES, "sssp", self.folder / "not-there.gr", "--source", 1, *ask, env=NO_GPU)
            self.assertRegex(message, r"error: --engine gpu: (no GPU was found|this wayfront was built without CUDA)")
        message = self.fails(RESOURCES, "sssp", "kron:8", "--source", 1, "--engine", "gpu", ranks=2, env=NO_GPU)
        self.assertRegex(message, r"error: --engine gpu: (no GPU was found|this wayfront was built without CUDA)")
        outcome = self.good("sssp", "kron:8", "--source", 1, "--engine", "auto", "--algorithm", "push-pull", env=NO_GPU)
        self.assertIn("cpu engine", outcome.out)

    def test_options_that_only_the_cpu_searches_with(self):
        for ranks in (1, 2):
            message = self.fails(BAD_INPUT, "sssp", "path:5", "--source", 0, "--engine", "gpu", "--algorithm", "dijkstra", ranks=ranks, env=NO_GPU)
            self.assertIn("--engine gpu: --algorithm dijkstra runs on the CPU", message)
        self.assertIn("--engine: expected auto, cpu or gpu", self.fails(BAD_INPUT, "sssp", "path:5", "--source", 0, "--engine", "split"))


if __name__ == "__main__":
    unittest.main()
