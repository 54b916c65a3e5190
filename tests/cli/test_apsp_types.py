"""All pairs from outside: distances that are very large, very small or negative, and the types that
hold them."""

import json
import math
import unittest

from driver import BAD_INPUT, RESOURCES, DriverTest
from test_apsp import read_npy

ALGORITHMS = ("dijkstra", "push-pull", "elimination", "combined", "floyd-warshall")


class Types(DriverTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "d.npy"

    def rows(self, path, *options, **ranks):
        self.good("apsp", path, "-o", self.output, "--validate", "--quiet", *options, **ranks)
        found = read_npy(self.output)
        self.output.unlink()
        return found

    def refused(self, message, path, *options, **ranks):
        """With rows and without."""
        for output in (("-o", self.output), ()):
            self.assertEqual(self.fails(BAD_INPUT, "apsp", path, *output, *options, **ranks), f"wayfront: error: {message}")
        self.assertFalse(self.output.exists())

    def test_negative_distances_do_not_wrap_around(self):
        path = self.file("neg.wel", "0 1 -2000000000\n1 2 -2000000000\n")
        expected = [[0, -2e9, -4e9], [None, 0, -2e9], [None, None, 0]]
        self.assertEqual(self.rows(path), ("<f8", expected))
        message = "--dtype int32: a distance of -4000000000 does not fit int32, which holds whole distances from -2147483646 on; choose another --dtype, or auto"
        for ranks in (1, 2):
            self.refused(message, path, "--dtype", "int32", ranks=ranks)
        small = self.file("small.wel", "0 1 -3\n1 2 5\n3 4 7\n")
        self.refused(f"--dtype uint16: {small} has negative weights", small, "--dtype", "uint16")
        # No row that is wanted has a negative distance.
        self.assertEqual(self.rows(small, "--dtype", "uint16", "--sources", self.file("three", "3\n")), ("<u2", [[None, None, None, 0, 7]]))
        self.refused("--dtype uint16: a distance of -3 does not fit uint16, which holds whole distances from 0 on; choose another --dtype, or auto", small,
                     "--dtype", "uint16", "--sources", self.file("zero", "0\n"))

    def test_a_forced_type_holds_the_wanted_distances_with_every_algorithm(self):
        """The rows of 1 and 2 have distances that fit; the whole matrix has not."""
        for kind, descr, step, most in (("uint16", "<u2", 40000, 65534), ("float32", "<f4", 2**24 - 1, 2**24)):
            path = self.file(f"{kind}.wel", f"0 1 {step}\n1 2 {step}\n2 3 1\n")
            wanted = self.file("wanted", "1\n2\n")
            for algorithm in ALGORITHMS:
                options = ("--dtype", kind, "--algorithm", algorithm)
                self.assertRegex(self.fails(BAD_INPUT, "apsp", path, *options), f"--dtype {kind}: .*a distance of ")
                self.refused(f"--dtype {kind}: a distance of {2 * step + 1} does not fit {kind}, which holds whole distances up to {most}; choose another "
                             "--dtype, or auto", path, *options, "--sources", self.file("all", "0\n0\n"))
                self.assertEqual(self.rows(path, *options, "--sources", wanted), (descr, [[None, 0, step, step + 1], [None, None, 0, 1]]), algorithm)
                self.good("apsp", path, *options, "--sources", wanted)
        far = self.file("zero", "0\n")
        for output in (("-o", self.output), ()):
            message = self.fails(BAD_INPUT, "apsp", "path:70000", "--dtype", "uint16", "--sources", far, *output)
            self.assertIn("--dtype uint16: a distance of 69999 does not fit uint16", message)

    def test_floats_beyond_32_bits(self):
        for sign in ("", "-"):
            path = self.file("f.wel", f"0 1 {sign}3e38\n1 2 {sign}3e38\n")
            outcome = self.good("apsp", path, "-o", self.output, "--summary", "--validate")
            self.assertIn("distances as float64", outcome.out)
            kind, rows = read_npy(self.output)
            self.assertEqual(kind, "<f8")
            self.assertTrue(math.isclose(rows[0][2], float(f"{sign}6e38"), rel_tol=2**-24))
            self.output.unlink()
            for algorithm in ("floyd-warshall",) if sign else ("dijkstra", "push-pull", "floyd-warshall"):
                limit = "from -3.40282e+38 on" if sign else "up to 3.40282e+38"
                self.refused(f"--dtype float32: a distance of {sign}6e+38 does not fit float32, which holds distances {limit}; choose another --dtype, or auto",
                             path, "--dtype", "float32", "--algorithm", algorithm)
                self.assertEqual(self.rows(path, "--dtype", "float32", "--algorithm", algorithm, "--sources", self.file("one", "1\n"))[0], "<f4")
            large = self.file("d.wel", f"0 1 {sign}1e308\n1 2 {sign}1e308\n")
            self.refused(f"the distances of {large} may exceed half of the largest number of float64, 8.99e+307; divide all weights by a power of two", large,
                         "--dtype", "float64")

    def test_summaries_of_tiny_and_huge_floats(self):
        facts = self.folder / "j.json"

        def summary(path, algorithm):
            self.good("apsp", path, "--dtype", "float64", "--algorithm", algorithm, "--summary", "--quiet", "--json", facts)
            return json.loads(facts.read_text())["summary"]

        tiny = self.file("tiny.wel", "0 1 1e-310\n")
        large = self.file("large.wel", "0 1 8e307\n" + "".join(f"{v} {v + 1} 0\n" for v in range(1, 9)))
        for algorithm in ("dijkstra", "floyd-warshall"):
            found = summary(tiny, algorithm)
            self.assertEqual([found["average_shortest_path_length"], found["diameter"], sum(found["histogram"]["counts"])], [1e-310, 1e-310, 1])
            found = summary(large, algorithm)
            self.assertTrue(math.isclose(found["average_shortest_path_length"], 9 / 45 * 8e307), found)
            self.assertTrue(math.isclose(found["closeness"][0], 1 / 8e307), found)
            self.assertIn("average shortest path length  1.6e+307\n", self.good("apsp", large, "--dtype", "float64", "--algorithm", algorithm).out)

    def test_closeness_that_is_too_large(self):
        path = self.file("g.wel", "0 1 1e-310\n1 2 1e-310\n0 3 0\n")
        out = self.good("apsp", path, "--directed", "--dtype", "float64", "--summary").out
        self.assertIn("closeness (outward)           0 to 0, mean 0, without 2 sources whose closeness exceeds float64\n", out)

    def test_summaries_of_negative_distances(self):
        facts = self.folder / "j.json"
        path = self.file("g.wel", "0 1 0.5\n1 2 -0.2\n")
        for algorithm in ("auto", "floyd-warshall"):
            out = self.good("apsp", path, "--algorithm", algorithm, "--summary", "--json", facts, "--quiet").out
            self.assertIn("closeness (outward)           0 to 2.5, mean 1.25, without 1 source whose distances add up to 0 or less\n", out)
            found = json.loads(facts.read_text())["summary"]
            self.assertEqual([found["closeness"][1], found["closeness"][2]], [None, 0])
            self.assertAlmostEqual(found["closeness"][0], 2 / (0.5 + 0.3), places=6)
            self.check_histogram(found["histogram"], [0.5, 0.3, -0.2])
        self.assertIn("closeness (outward)           none, since the distances of each source add up to 0 or less\n",
                      self.good("apsp", self.file("down.wel", "0 1 -0.5\n1 0 0.5\n0 1 0.25\n"), "--source", 0).out)

    def check_histogram(self, histogram, distances):
        """At most 1024 bins, and few for a few distances; each distance is counted in its bin."""
        self.assertLessEqual(len(histogram["counts"]), min(1024, max(16, len(distances))))
        counts = [0] * len(histogram["counts"])
        for distance in distances:
            counts[math.floor((distance - histogram["first"]) / histogram["bin_width"])] += 1
        self.assertEqual(histogram["counts"], counts)

    def test_histograms_on_both_sides_of_0(self):
        facts = self.folder / "j.json"
        spread = range(-700, 701)  # from one source, as floats, which no width of 1 binds
        path = self.file("g.wel", "".join(f"0 {i + 701} {i * 1.25}\n" for i in spread if i != 0))
        self.good("apsp", path, "--algorithm", "floyd-warshall", "--dtype", "float32", "--source", 0, "--quiet", "--json", facts)
        self.check_histogram(json.loads(facts.read_text())["summary"]["histogram"], [i * 1.25 for i in spread if i != 0])

    def test_whole_distances_above_those_of_float64(self):
        largest = 2**53 - 1
        for text, fits in ((f"0 1 {largest}\n", True), (f"0 1 {largest + 1}\n", False), (f"0 1 {largest + 2}\n", False), (f"0 1 {largest}\n1 2 1\n", False),
                           (f"0 1 {largest}\n1 2 2\n", False)):
            path = self.file("g.wel", text)
            for algorithm in ("dijkstra", "floyd-warshall"):
                with self.subTest(text=text, algorithm=algorithm):
                    if fits:
                        self.assertEqual(self.rows(path, "--algorithm", algorithm)[1][0][:2], [0, largest])
                    else:
                        self.assertIn("must be below 2^53", self.fails(RESOURCES, "apsp", path, "--algorithm", algorithm))

    def test_large_whole_weights_on_many_vertices(self):
        """The sum of the largest weights into each vertex exceeds 2^53, the distances do not."""
        n, weight = 4000, 3 * 10**12
        for directed in ("--directed", "--undirected"):
            path = self.file("g.wel", "".join(f"0 {v} {weight}\n{v} 0 {weight}\n" for v in range(1, n)))
            found = self.rows(path, directed, "--sources", self.file("one", "1\n"))
            self.assertEqual(found, ("<f8", [[weight, 0] + [2 * weight] * (n - 2)]))


if __name__ == "__main__":
    unittest.main()
