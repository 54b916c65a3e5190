"""Shortest paths from outside, by the types and signs of weights."""

import json
import math
import statistics
import unittest

from driver import BAD_INPUT, RESOURCES, WRONG_RESULT, DriverTest
from weighted_graph import ALGORITHMS, float32, read_csv, tangle


class NegativeWeights(DriverTest):
    GRAPH = "0 1 4\n1 2 -3\n0 2 2\n2 3 -1\n3 4 2.5\n"

    def test_bellman_ford_is_chosen(self):
        for text, expected in ((self.GRAPH.replace("2.5", "2"), [0, 4, 1, 0, 2]), (self.GRAPH, [0, 4, 1, 0, 2.5])):
            path = self.file("g.wel", text)
            for ranks in (1, 3):
                output = self.folder / "out.csv"
                outcome = self.good("sssp", path, "--source", 0, "-o", output, "--validate", ranks=ranks)
                self.assertRegex(outcome.out, "search .*, by Bellman-Ford(, in shared memory)?, since some weights are negative")
                self.assertEqual([row[1] for row in read_csv(output)], expected)

    def test_other_algorithms_refuse(self):
        path = self.file("g.wel", self.GRAPH)
        for algorithm in ("dijkstra", "delta-stepping", "push-pull"):
            message = self.fails(BAD_INPUT, "sssp", path, "--source", 0, "--algorithm", algorithm)
            self.assertIn(f"--algorithm {algorithm}: {path} has negative weights, which only bellman-ford and fixed-order allow", message)

    def test_no_cutoff(self):
        message = self.fails(BAD_INPUT, "sssp", self.file("g.wel", self.GRAPH), "--source", 0, "--cutoff", 2)
        self.assertIn("--cutoff: ", message)
        self.assertIn("a path may leave the cutoff and come back", message)

    def test_cycles(self):
        for text, options, cycle in ((self.GRAPH + "3 1 3\n", (), "1 -> 2 -> 3 -> 1"), (self.GRAPH + "3 3 -1\n", (), "3 -> 3"),
                                     ("0 1 4\n1 2 -3\n", ("--undirected",), "1 -> 2 -> 1"),
                                     # Sums become too small for their type before the first search
                                     # for cycles.
                                     ("0 1 1\n1 2 -3e38\n2 1 -3e38\n", (), "1 -> 2 -> 1"),
                                     ("0 1 1\n1 2 -5000000000000000000\n2 1 -5000000000000000000\n", (), "1 -> 2 -> 1"),
                                     # 1 + 2^-24 is rounded to 1, so that each turn makes distances
                                     # smaller until they are below 1.
                                     ("0 1 1\n1 2 5.9604644775390625e-08\n2 1 -5.9604644775390625e-08\n", (), "1 -> 2 -> 1")):
            path = self.file("g.wel", text)
            self.assert_cycle(cycle, "from 0: it reaches", path, *options)

    def test_cycles_of_reversed_edges_are_the_files(self):
        path = self.file("g.wel", "1 2 4\n2 3 -8\n3 1 1\n1 0 5\n")
        self.assert_cycle("1 -> 2 -> 3 -> 1", "to 0: it is reached from", path, "--reverse")

    def assert_cycle(self, cycle, reason, path, *options):
        for ranks in (1, 3):
            message = self.fails(WRONG_RESULT, "sssp", path, "--source", 0, *options, ranks=ranks)
            start, found = message.split(f"there are no shortest paths {reason} a cycle of negative length, ")
            # A cycle may begin at any of its vertices.
            vertices, found = cycle.split(" -> ")[:-1], found.split(" -> ")
            turns = [vertices[i:] + vertices[:i] for i in range(len(vertices))]
            self.assertIn(found, [turn + turn[:1] for turn in turns], start)

    def test_a_cycle_of_length_zero(self):
        path = self.file("g.wel", "0 1 1\n1 2 5.9604644775390625e-08\n2 1 -5.9604644775390625e-08\n")
        outcome = self.good("sssp", path, "--source", 0, "--target", 2, "--precision", "double", "--validate")
        self.assertIn("path of length 1.0000000596046448, 2 edges: 0 1 2\n", outcome.out)

    def test_sums_that_are_too_small(self):
        for text in ("0 1 1.5\n1 2 -3e38\n2 3 -3e38\n", "0 1 -9000000000000000000\n1 2 -9000000000000000000\n"):
            for ranks in (1, 3):
                message = self.fails(RESOURCES, "sssp", self.file("g.wel", text), "--source", 0, "--target", 2, ranks=ranks)
                self.assertIn("does not fit", message)

    def test_a_cycle_that_is_not_reached(self):
        path = self.file("g.wel", "0 1 4\n2 3 -3\n3 2 1\n3 3 -1\n2 0 1\n")
        self.assertIn("2 reached, farthest at 4", self.good("sssp", path, "--source", 0, ranks=3).out)


class SumsThatDoNotFit(DriverTest):
    # Dijkstra's algorithm searches on one rank.
    ON_CORES = [("dijkstra", 1)] + [(algorithm, ranks) for algorithm in ("delta-stepping", "push-pull", "bellman-ford") for ranks in (1, 3)]

    def test_distances_of_floats(self):
        for precision, weight in (("single", 3e38), ("double", 1.7e308)):
            # The sum is infinite in windows, as most arcs are not reached, and in pulls.
            unreached = "".join(f"{v} {v + 1} 1.5\n" for v in range(200, 260))
            for text in (f"0 1 {weight}\n1 2 {weight}\n{unreached}", f"0 1 1.5\n1 2 2.5\n2 3 {weight}\n3 4 {weight}\n",
                         "".join(f"0 {v} 1.5\n{v} 99 {weight}\n" for v in range(1, 90)) + f"99 100 {weight}\n"):
                for algorithm, ranks in self.ON_CORES:
                    with self.subTest(precision=precision, text=text[:40], algorithm=algorithm, ranks=ranks):
                        message = self.fails(RESOURCES, "sssp", self.file("g.wel", text), "--source", 0, "--algorithm", algorithm, "--precision", precision,
                                             "--engine", "cpu", ranks=ranks)
                        self.assertIn("the distance of a vertex does not fit", message)

    def test_sums_that_are_no_distances(self):
        """A sum does not fit 64 bits, but each distance does."""
        half = 2**62
        for text, expected in ((f"0 1 {half}\n0 2 1\n2 1 1\n1 3 {half + half // 2}\n", [0, 2, 1, half + half // 2 + 2]),
                               (f"0 1 {2 * half - 2}\n1 2 5\n0 2 7\n", [0, 2 * half - 2, 7])):
            for algorithm, ranks in self.ON_CORES:
                with self.subTest(text=text, algorithm=algorithm, ranks=ranks):
                    output = self.folder / "out.csv"
                    self.good("sssp", self.file("g.wel", text), "--source", 0, "--algorithm", algorithm, "--engine", "cpu", "-o", output, "--validate", ranks=ranks)
                    self.assertEqual([row[1] for row in read_csv(output)], expected)

    def test_distances_that_do_not_fit_64_bits(self):
        text = f"0 1 {2**62}\n1 2 {2**62}\n0 3 1\n"
        for algorithm, ranks in self.ON_CORES:
            with self.subTest(algorithm=algorithm, ranks=ranks):
                message = self.fails(RESOURCES, "sssp", self.file("g.wel", text), "--source", 0, "--algorithm", algorithm, "--engine", "cpu", ranks=ranks)
                self.assertIn("the distance of a vertex does not fit 64-bit integers", message)


class Weights(DriverTest):
    def test_a_graph_without_weights(self):
        outcome = self.good("sssp", "path:5", "--source", 0, "--target", 3)
        self.assertIn("path:5 has no weights: each edge has length 1; --weights SPEC sets other weights", outcome.err)
        self.assertIn("path of length 3, 3 edges: 0 1 2 3\n", outcome.out)
        self.assertNotIn("no weights", self.good("sssp", "path:5", "--source", 0, "--weights", "unit").err)

    def test_weights_of_the_file_are_replaced(self):
        roads = self.file("g.wel", "0 1 4.5\n1 2 -1\n")
        arcs = self.file("g.gr", "p sp 3 2\na 1 2 4\na 2 3 5\n")
        for path, first, weights, length in ((roads, 0, "unit", 2), (roads, 0, "uniform:7..7", 14), (arcs, 1, "unit", 2)):
            for ranks in (1, 2, 3):
                with self.subTest(path=path, weights=weights, ranks=ranks):
                    outcome = self.good("sssp", path, "--source", first, "--target", first + 2, "--weights", weights, ranks=ranks)
                    self.assertIn(f"note: --weights {weights} replaces the weights of {path}\n", outcome.err)
                    self.assertIn(f"path of length {length}, 2 edges", outcome.out)
        self.assertIn("there is no such distribution", self.fails(BAD_INPUT, "sssp", roads, "--source", 0, "--weights", "nonsense"))

    def test_lognormal_floats(self):
        output = self.folder / "ring.wel"
        self.good("generate", "ring:4001", "--weights", "lognormal:2,0.5", "-o", output)
        logs = [math.log(float(line.split()[2])) for line in output.read_text().splitlines() if not line.startswith("#")]
        self.assertAlmostEqual(statistics.fmean(logs), 2, delta=0.05)
        self.assertAlmostEqual(statistics.stdev(logs), 0.5, delta=0.05)
        for spec, what in (("1,2,3", "MU,SIGMA are not two numbers"), ("5", "MU,SIGMA are not two numbers"), ("1,-1", "SIGMA must not be below 0"),
                           ("80,1", "would not fit a float"), ("inf,1", "SIGMA"), ("1,nan", "SIGMA")):
            self.assertIn(what, self.fails(BAD_INPUT, "sssp", "ring:9", "--source", 0, "--weights", "lognormal:" + spec))


class TypesOfWeights(DriverTest):
    """Weights keep the type that the input gives them, in all formats."""

    WHOLE = {"uint32": (4294967295, 4294967295), "int64": (5000000000, 2**60)}
    REAL = (0.1, 0.2)

    def search(self, name, text, first, *options):
        output, facts = self.folder / "out.csv", self.folder / "facts.json"
        path = name if text is None else self.file(name, text)
        self.good("sssp", path, "--source", first, "-o", output, "--validate", "--quiet", "--json", facts, *options)
        return [row[1] for row in read_csv(output)], json.loads(facts.read_text())["search"]["weights"]

    def test_whole_weights(self):
        for kind, (a, b) in self.WHOLE.items():
            for name, first, text in (("g.gr", 1, f"p sp 3 2\na 1 2 {a}\na 2 3 {b}\n"), ("g.wel", 0, f"0 1 {a}\n1 2 {b}\n"),
                                      ("g.mtx", 1, f"%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 {a}\n2 3 {b}\n"),
                                      ("g.tsv", 1, f"% sym positive\n1 2 {a}\n2 3 {b}\n"), ("g.csv", 0, f"source,target,weight\n0,1,{a}\n1,2,{b}\n")):
                with self.subTest(kind=kind, name=name):
                    self.assertEqual(self.search(name, text, first), ([0, a, a + b], kind))

    def test_serialized_graphs(self):
        path = self.folder / "g.wsg"
        self.good("convert", self.file("g.wel", "0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n"), path)
        self.assertEqual(self.search(path, None, 0), ([0, 2147483647, 4294967294, 6442450941], "uint32"))
        self.good("convert", self.file("g.wel", "0 1 5\n1 2 -2147483648\n"), path)
        self.assertEqual(self.search(path, None, 0), ([0, 5, 5 - 2**31], "int64"))

    def test_precision(self):
        a, b = self.REAL
        for name, first, text in (("g.wel", 0, f"0 1 {a}\n1 2 {b}\n"), ("g.tsv", 1, f"% asym weighted\n1 2 {a}\n2 3 {b}\n"),
                                  ("g.mtx", 1, f"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 {a}\n2 3 {b}\n")):
            with self.subTest(name=name):
                found, kind = self.search(name, text, first)
                self.assertEqual(([float32(d) for d in found], kind), ([0, float32(a), float32(float32(a) + float32(b))], "float32"))
                self.assertEqual(self.search(name, text, first, "--precision", "double"), ([0, a, a + b], "float64"))
        single, _ = self.search("kron:6", None, 1)
        double, kind = self.search("kron:6", None, 1, "--precision", "double")
        self.assertEqual(kind, "float64")
        self.assertEqual([d == math.inf for d in double], [d == math.inf for d in single])
        for one, other in zip(single, double):
            # A path of fewer edges than vertices: each weight and each addition rounds by 2^-24 at most.
            self.assertTrue(one == other or abs(one - other) < 2 * len(double) * 2**-24 * other)

    def test_precision_over_ranks_and_of_copies(self):
        real = tangle(directed=True, weight=lambda draw: draw.random())
        path, copy, output = self.file("g.wel", real.as_edge_list()), self.folder / "copy.mtx", self.folder / "out.csv"
        self.good("convert", path, copy, "--precision", "double")
        for name, source, ranks in ((path, 2, 3), (copy, 3, 1)):
            self.good("sssp", name, "--source", source, "--precision", "double", "-o", output, "--validate", ranks=ranks)
            self.assertEqual({v - source + 2: d for v, d, _ in read_csv(output) if d != math.inf}, real.distances(2))

    def test_sums_that_do_not_fit(self):
        path = self.file("g.wel", "0 1 3e38\n1 2 3e38\n")
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm=algorithm):
                message = self.fails(RESOURCES, "sssp", path, "--source", 0, "--algorithm", algorithm)
                self.assertIn("the distance of a vertex does not fit 32-bit floats; with --precision double distances have 64 bits", message)
        self.assertIn("does not fit 32-bit floats", self.fails(RESOURCES, "sssp", path, "--source", 0, ranks=3))
        self.assertEqual(self.search(path, None, 0, "--precision", "double"), ([0, 3e38, 6e38], "float64"))
        # The sum along 0 -> 1 -> 2 is infinite, and there is a shorter path.
        path = self.file("g.wel", "0 1 3e38\n1 2 3e38\n0 3 1.0\n3 4 1.0\n4 2 1.0\n")
        for algorithm in ALGORITHMS:
            found, _ = self.search(path, None, 0, "--algorithm", algorithm)
            self.assertEqual((found[0], found[2:]), (0, [3, 1, 2]), algorithm)
        most = 2**63 - 1
        path = self.file("g.wel", f"0 1 {most}\n1 2 {most}\n")
        for algorithm in ALGORITHMS:
            self.assertIn("does not fit 64-bit integers", self.fails(RESOURCES, "sssp", path, "--source", 0, "--algorithm", algorithm))


if __name__ == "__main__":
    unittest.main()
