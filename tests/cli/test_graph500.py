"""The benchmark's protocol as users run it: report, keys, and validity on all numbers of ranks, grids and directions."""

import itertools
import json
import os
import unittest

from driver import BAD_INPUT, NO_GPU, DriverTest, read_csv

SEVEN = ["min", "firstquartile", "median", "thirdquartile", "max", "mean", "stddev"]
TEPS = SEVEN[:5] + ["harmonic_mean", "harmonic_stddev"]
OFFICIAL = (["SCALE", "edgefactor", "NBFS", "graph_generation", "num_mpi_processes", "construction_time"]
            + [f"bfs  {name}_time" for name in SEVEN] + [f"{name}_nedge" for name in SEVEN]
            + [f"bfs  {name}_TEPS" for name in TEPS] + [f"bfs  {name}_validate" for name in SEVEN])

SANITIZED = os.environ.get("WAYFRONT_SANITIZE", "") != ""


def report_of(out):
    lines = [line.split(":", 1) for line in out.splitlines()]
    return {key: value.replace("!", "").strip() for key, value in lines}


class Report(DriverTest):
    def test_official_lines_in_their_order_and_columns(self):
        out = self.good("graph500", "--scale", 8, "--keys", 5, ranks=2).out
        lines = out.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines[:len(OFFICIAL)]], OFFICIAL)
        for line in lines[:len(OFFICIAL)]:
            self.assertNotEqual(line[32], " ", line)
            self.assertEqual(line[29] == "!", line.startswith("bfs  harmonic_mean"), line)
        report = report_of(out)
        self.assertEqual((report["SCALE"], report["edgefactor"], report["NBFS"], report["num_mpi_processes"]), ("8", "16", "5", "2"))
        self.assertEqual(report["validation"], "all 5 searches valid")
        self.assertIn("1, not timed", report["warmup_searches"])
        self.assertRegex(report["construction_peak_memory"], r"^[\d.]+ bytes per edge tuple|^unknown")

    def test_without_validation(self):
        with_it = report_of(self.good("graph500", "--scale", 9).out)
        for ranks in (1, 3):
            without = report_of(self.good("graph500", "--scale", 9, "--no-validate", ranks=ranks).out)
            self.assertEqual(without["validation"], "none: --no-validate")
            for name in SEVEN:
                self.assertEqual(without[f"{name}_nedge"], with_it[f"{name}_nedge"], "the edges are counted without the validator")

    def test_json(self):
        facts = self.folder / "facts.json"
        report = report_of(self.good("graph500", "--scale", 8, "--keys", 6, "--json", facts, ranks=3).out)
        document = json.loads(facts.read_text())
        searches = document["bfs"]["searches"]
        self.assertEqual((document["scale"], len(searches), document["validated"]), (8, 6, True))
        self.assertEqual(len({search["key"] for search in searches}), 6)
        harmonic = len(searches) / sum(search["seconds"] / search["edges"] for search in searches)
        self.assertAlmostEqual(document["bfs"]["harmonic_mean_teps"] / harmonic, 1)
        self.assertAlmostEqual(float(report["bfs  harmonic_mean_TEPS"]) / harmonic, 1, places=4)

    def test_trace(self):
        trace = self.folder / "trace.json"
        self.good("graph500", "--scale", 8, "--keys", 2, "--trace", trace, "--engine", "cpu", ranks=2)
        spans = self.spans(trace)
        steps = {"level", "level/counts", "level/counts/all-gather", "level/expand", "level/expand/all-gather", "level/search", "level/fold", "output"}
        self.assertEqual({span["path"] for span in spans},
                         {"load", "construct", "validate", "warm-up", "bfs"} | {f"{search}/{step}" for search in ("warm-up", "bfs") for step in steps})
        self.assertEqual(sum(event["name"] == "output" for event in spans), 2 * 3, "two ranks, a warm-up search and two timed ones")
        levels = [event["args"] for event in spans if event["name"] == "search"]
        self.assertEqual({level["direction"] for level in levels}, {"top-down", "bottom-up"})
        self.assertTrue(all(level["vertices"] == 1 and level["out_edges"] >= 1 for level in levels if level["level"] == 1))

    def test_nothing_but_the_report_on_standard_output(self):
        outcome = self.good("graph500", "--scale", 6, "--keys", 2)
        self.assertEqual(outcome.err, "")
        self.assertTrue(all(":" in line for line in outcome.out.splitlines()))


class Runs(DriverTest):
    def keys(self, *options, ranks=1):
        facts = self.folder / "facts.json"
        self.good("graph500", *options, "--json", facts, ranks=ranks)
        return [(search["key"], search["edges"]) for search in json.loads(facts.read_text())["bfs"]["searches"]]

    def levels(self, scale, key, *options, ranks=1):
        output = self.folder / "levels.csv"
        self.good("bfs", f"kron:{scale}", "--source", key, "--output", output, "--quiet", *options, ranks=ranks)
        return [level for _, level, _ in read_csv(output)]

    def test_valid_over_ranks_grids_and_directions(self):
        expected = self.keys("--scale", 9)
        self.assertEqual(len(expected), 64)
        self.assertEqual(self.keys("--scale", 9, "--grid", "2x2", ranks=4), expected)
        for ranks, grids in [(2, ["2x1", "1x2"]), (3, ["3x1", "1x3"]), (4, ["auto", "2x2", "1x4"]), (6, ["2x3", "3x2"])]:
            for grid in grids:
                for direction in ("auto", "top-down", "bottom-up") if ranks == 4 else ("auto",):
                    with self.subTest(ranks=ranks, grid=grid, direction=direction):
                        self.assertEqual(self.keys("--scale", 9, "--keys", 8, "--grid", grid, "--direction", direction, ranks=ranks), expected[:8])

    def test_every_grid_and_direction(self):
        """On 1, 2, 3, 4 and 6 ranks, all searches are valid, with the same edges and levels as on
        one rank. The grids take turns with the directions; each direction on each grid is a matter
        of the tests without the command line."""
        scale = 10 if SANITIZED else 12
        directions = itertools.cycle(("auto", "top-down", "bottom-up"))
        expected = self.keys("--scale", scale, "--keys", 2)
        self.assertEqual(len(expected), 2)
        levels = self.levels(scale, expected[0][0])
        for ranks in (1, 2, 3, 4, 6):
            for rows in (rows for rows in range(1, ranks + 1) if ranks % rows == 0):
                direction = next(directions)
                with self.subTest(ranks=ranks, rows=rows, direction=direction):
                    options = ("--grid", f"{rows}x{ranks // rows}", "--direction", direction, "--threads", 1)
                    self.assertEqual(self.keys("--scale", scale, "--keys", 2, *options, ranks=ranks), expected)
                    self.assertEqual(self.levels(scale, expected[0][0], *options, ranks=ranks), levels)

    def test_threads(self):
        self.assertEqual(self.keys("--scale", 13, "--threads", 4, "--keys", 8), self.keys("--scale", 13, "--threads", 1, "--keys", 8))

    def test_tuple_file_is_the_generated_graph(self):
        tuples = self.folder / "g.tuples"
        self.good("generate", "kron:10", "-o", tuples)
        self.assertEqual(self.keys(tuples, "--keys", 20, ranks=3), self.keys("--scale", 10, "--keys", 20))

    def test_seeds_and_edge_factor(self):
        report = report_of(self.good("graph500", "--scale", 8, "--edgefactor", 4, "--seed1", 7, "--seed2", 9, "--keys", 3).out)
        self.assertEqual((report["edgefactor"], report["seeds"], report["edge_tuples"]), ("4", "7 9", "1024"))
        self.assertNotEqual(self.keys("--scale", 8, "--keys", 8), self.keys("--scale", 8, "--keys", 8, "--seed2", 4))

    def test_fewer_keys_than_asked(self):
        report = report_of(self.good("graph500", "ring:10").out)
        self.assertLessEqual(int(report["NBFS"]), 10)
        self.assertIn("of 64", report["search_keys"])

    def test_graphs_it_cannot_take(self):
        edges = self.file("g.el", "0 1\n1 2\n")
        self.assertIn("directed", self.fails_alike(BAD_INPUT, "graph500", edges))
        self.assertIn("has no edges", self.fails_alike(BAD_INPUT, "graph500", "path:1"))
        loops = self.file("loops.tuples", bytes(12) * 4)
        self.assertIn("every possible search key", self.fails_alike(BAD_INPUT, "graph500", loops))


class ShortestPaths(DriverTest):
    @staticmethod
    def lines(kernels):
        each = lambda quantity, names: [f"{kernel:<5}{name}_{quantity}" for kernel in kernels for name in names]
        return (OFFICIAL[:6] + each("time", SEVEN) + [f"{name}_nedge" for name in SEVEN] + each("TEPS", TEPS) + each("validate", SEVEN))

    def test_kernels(self):
        facts = self.folder / "facts.json"
        for kernel, kernels, ranks in (("sssp", ["sssp"], 1), ("both", ["bfs", "sssp"], 1), ("both", ["bfs", "sssp"], 4)):
            with self.subTest(kernel=kernel, ranks=ranks):
                out = self.good("graph500", "--scale", 8, "--keys", 5, "--kernel", kernel, "--algorithm", "push-pull", "--json", facts, ranks=ranks,
                                env=NO_GPU).out
                expected = self.lines(kernels)
                self.assertEqual([line.split(":")[0] for line in out.splitlines()[:len(expected)]], expected)
                report, document = report_of(out), json.loads(facts.read_text())
                self.assertEqual((report["NBFS"], report["validation"]), ("5", f"all {5 * len(kernels)} searches valid"))
                self.assertEqual((report["list_order"], document["search"]["list_order"]), ("by weight", "by weight"))
                self.assertIn("push-pull", report["sssp_algorithm"])
                self.assertEqual([kernel for kernel in ("bfs", "sssp") if kernel in document], kernels)
                searches = document["sssp"]["searches"]
                harmonic = len(searches) / sum(search["seconds"] / search["edges"] for search in searches)
                self.assertAlmostEqual(float(report["sssp harmonic_mean_TEPS"]) / harmonic, 1, places=4)
                engine_keys = {key: value for key, value in document["search"].items() if key.startswith("sssp_") and key not in ("sssp_algorithm", "sssp_in_words")}
                words = document["search"]["sssp_in_words" if kernel == "both" else "in_words"]
                self.assertTrue(words.endswith(f", by {report['sssp_algorithm']}"), words)
                if kernel == "sssp":
                    self.assertEqual(engine_keys, {})
                if kernel == "both":
                    self.assertEqual((engine_keys, report["engine"], report["sssp_engine"]), ({"sssp_engine": "cpu"}, "cpu", "cpu"))
                    same = lambda kernel: [(search["key"], search["edges"]) for search in document[kernel]["searches"]]
                    self.assertEqual(same("bfs"), same("sssp"))

    def test_without_validation(self):
        with_it = report_of(self.good("graph500", "--scale", 9, "--kernel", "sssp").out)
        without = report_of(self.good("graph500", "--scale", 9, "--kernel", "sssp", "--no-validate").out)
        for name in SEVEN:
            self.assertEqual(without[f"{name}_nedge"], with_it[f"{name}_nedge"], "the edges are counted without the validator")

    def test_tuples_with_weights(self):
        tuples = self.folder / "t.tuples"
        self.good("generate", "kron:8", "-o", tuples)
        self.assertIn("all 6 searches valid", self.good("graph500", tuples, "--kernel", "both", "--keys", 3, ranks=3).out)

    def test_a_graph_without_weights(self):
        message = self.fails(BAD_INPUT, "graph500", "ring:100", "--kernel", "sssp")
        self.assertIn("ring:100: has no weights, which shortest paths need; wayfront generate ring:100 -o NAME.tuples --weights float makes", message)
        tuples = self.folder / "NAME.tuples"
        self.good("generate", "ring:100", "-o", tuples, "--weights", "float")
        self.assertIn("all 2 searches valid", self.good("graph500", tuples, "--kernel", "sssp", "--keys", 2).out)

    def test_negative_weights(self):
        tuples = self.folder / "t.tuples"
        self.good("convert", self.file("g.wel", "0 1 1.5\n1 2 -1\n"), "-o", tuples, "--undirected")
        self.assertIn("each of these edges is a cycle of negative length", self.fails(BAD_INPUT, "graph500", tuples, "--kernel", "sssp"))
        self.good("graph500", tuples)

    def test_trace_has_both_kernels(self):
        trace = self.folder / "trace.json"
        self.good("graph500", "--scale", 7, "--keys", 2, "--kernel", "both", "--trace", trace)
        spans = [event["name"] for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
        self.assertEqual((spans.count("bfs"), spans.count("sssp"), spans.count("warm-up"), spans.count("validate")), (2, 2, 2, 4))

    def test_options(self):
        for options, what in ((("--kernel", "pagerank"), "--kernel: expected bfs, sssp or both, found 'pagerank'"),
                              (("--delta", 1), "are for shortest paths: add --kernel sssp or both"),
                              *((("--kernel", kernel, "--engine", "cpu", "--transport", transport), f"--transport {transport}: requires --engine gpu or auto")
                                for kernel in ("sssp", "both") for transport in ("p2p", "nccl")),
                              (("--kernel", "both", "--engine", "split"), "--engine split: this is for --kernel bfs; shortest paths"),
                              (("--kernel", "both", "--engine", "gpu", "--algorithm", "selection"), "--algorithm selection: search with --kernel bfs or --kernel sssp"),
                              (("--kernel", "both", "--algorithm", "near-far"), "--algorithm near-far: search with --kernel bfs or --kernel sssp"),
                              (("--kernel", "sssp", "--engine", "gpu", "--algorithm", "dijkstra"), "--algorithm dijkstra runs on the CPU"),
                              (("--kernel", "sssp", "--alpha", 3), "--alpha is for breadth-first searches: add --kernel bfs or both")):
            self.assertIn(what, self.fails(BAD_INPUT, "graph500", "--scale", 8, *options))


if __name__ == "__main__":
    unittest.main()
