"""Searches on GPUs from outside: against the CPU, over one and more GPUs. Every test is skipped by name where there are too few GPUs; with
WAYFRONT_REQUIRE_GPU=1 in the environment those for one GPU fail instead."""

import json
import os
import time
import unittest

from driver import DATA, GOOD, RESOURCES, DriverTest, Graph, check_result, count_gpus, read_csv, run
from test_graph500 import OFFICIAL, SEVEN, report_of

GPUS = count_gpus()
RANKS = [ranks for ranks in (1, 2, 4, 8) if ranks <= GPUS]


class GpuTest(DriverTest):
    GPUS_WANTED = 1

    def setUp(self):
        super().setUp()
        if GPUS == 0 and os.environ.get("WAYFRONT_REQUIRE_GPU") == "1":
            self.fail("WAYFRONT_REQUIRE_GPU=1, but there is no GPU")
        if GPUS == 0:
            self.skipTest("no GPU here")
        if "built without CUDA" in run("bfs", "ring:5", "--source", 1, "--engine", "gpu").err:
            self.skipTest("no GPU here that this build could use")
        if GPUS < self.GPUS_WANTED:
            self.skipTest(f"{GPUS} of {self.GPUS_WANTED} GPUs")

    def facts(self, *arguments, **options):
        """What --json tells of a run."""
        path = self.folder / "facts.json"
        self.good(*arguments, "--json", path, **options)
        return json.loads(path.read_text())

    def searches(self, *arguments, **options):
        """Keys of a Graph500 run, and the edges of their components."""
        return [(search["key"], search["edges"]) for search in self.facts("graph500", *arguments, **options)["bfs"]["searches"]]

    def result(self, *arguments, **options):
        output = self.folder / "out.csv"
        self.good("bfs", *arguments, "-o", output, "--quiet", **options)
        return read_csv(output)

    def assert_as_on_the_cpu(self, *arguments, ranks=1):
        """Valid, with the levels that the CPU finds."""
        on_cpu = self.result(*arguments, "--engine", "cpu")
        on_gpu = self.result(*arguments, "--engine", "gpu", "--validate", ranks=ranks)
        self.assertEqual([row[:2] for row in on_gpu], [row[:2] for row in on_cpu])


class Graph500(GpuTest):
    def test_valid_and_the_same_as_on_the_cpu(self):
        for scale in (10, 13, 16, 18):
            expected = self.searches("--scale", scale, "--keys", 16, "--engine", "cpu")
            for ranks in RANKS:
                with self.subTest(scale=scale, ranks=ranks):
                    self.assertEqual(self.searches("--scale", scale, "--keys", 16, "--engine", "gpu", ranks=ranks), expected)

    def test_64_keys(self):
        report = report_of(self.good("graph500", "--scale", 14, "--engine", "gpu").out)
        self.assertEqual((report["NBFS"], report["validation"]), ("64", "all 64 searches valid"))

    def test_directions(self):
        expected = self.searches("--scale", 12, "--keys", 8, "--engine", "cpu")
        for direction in ("top-down", "bottom-up"):
            for ranks in RANKS:
                self.assertEqual(self.searches("--scale", 12, "--keys", 8, "--engine", "gpu", "--direction", direction, ranks=ranks), expected)

    def test_bounds_of_the_user(self):
        for alpha, beta in ((1, 1), (1000, 1000)):
            facts = self.facts("graph500", "--scale", 14, "--keys", 4, "--engine", "gpu", "--alpha", alpha, "--beta", beta)
            self.assertEqual((facts["search"]["alpha"], facts["search"]["beta"]), (alpha, beta))

    def test_edges_without_validation(self):
        expected = self.searches("--scale", 15, "--keys", 8, "--engine", "gpu")
        for ranks in RANKS:
            self.assertEqual(self.searches("--scale", 15, "--keys", 8, "--engine", "gpu", "--no-validate", ranks=ranks), expected)

    def test_seeds_and_edge_factor(self):
        options = ("--scale", 11, "--edgefactor", 5, "--seed1", 7, "--seed2", 9, "--keys", 8)
        self.assertEqual(self.searches(*options, "--engine", "gpu"), self.searches(*options, "--engine", "cpu"))

    def test_report(self):
        lines = self.good("graph500", "--scale", 10, "--keys", 4, "--engine", "gpu").out.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines[:len(OFFICIAL)]], OFFICIAL)
        report = report_of("\n".join(lines))
        on_cpu = report_of(self.good("graph500", "--scale", 10, "--keys", 4, "--engine", "cpu").out)
        self.assertLessEqual(on_cpu.keys(), report.keys())
        for key in ("SCALE", "edgefactor", "NBFS", "validation", "vertices_with_edges", "edge_tuples", *(f"{name}_nedge" for name in SEVEN)):
            self.assertEqual(report[key], on_cpu[key], key)
        self.assertEqual(report["engine"], "gpu")
        self.assertIn("construction_time has the making of the tuples", report["construction"])
        self.assertRegex(report["construction_peak_memory"], r"^[\d.]+ bytes an edge tuple, of device memory$")

    def test_json(self):
        on_gpu = self.facts("graph500", "--scale", 10, "--keys", 4, "--engine", "gpu")
        on_cpu = self.facts("graph500", "--scale", 10, "--keys", 4, "--engine", "cpu")
        self.assertEqual(on_gpu.keys(), on_cpu.keys())
        self.assertEqual(on_gpu["search"].keys() - on_cpu["search"].keys(), {"device", "transport", "graph_bytes", "state_bytes"})
        self.assertEqual((on_gpu["search"]["engine"], on_gpu["constructed_on"], on_gpu["validated"]), ("gpu", "gpu", True))

    def test_trace(self):
        trace = self.folder / "trace.json"
        for ranks in RANKS:
            self.good("graph500", "--scale", 12, "--keys", 2, "--engine", "gpu", "--trace", trace, ranks=ranks)
            spans = [event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "X"]
            self.assertEqual({event["pid"] for event in spans}, set(range(ranks)))
            self.assertLessEqual({"construction", "count degrees", "search", "output", "validation"}, {event["name"] for event in spans})
            self.assertTrue(all(event["ts"] >= 0 and event["dur"] >= 0 for event in spans))

    def test_graphs_that_the_host_constructs(self):
        tuples = self.folder / "g.tuples"
        self.good("generate", "kron:11", "-o", tuples)
        for graph in (tuples, "rmat:11", "ring:1000"):
            expected = self.searches(graph, "--keys", 8, "--engine", "cpu")
            for options in ((), ("--no-validate",)):
                for ranks in RANKS:
                    with self.subTest(graph=graph, options=options, ranks=ranks):
                        self.assertEqual(self.searches(graph, "--keys", 8, "--engine", "gpu", *options, ranks=ranks), expected)

    def test_a_spec_is_the_generated_graph(self):
        self.assertEqual(self.searches("kron:11,ef=8", "--keys", 8, "--engine", "gpu"), self.searches("kron:11,ef=8", "--keys", 8, "--engine", "cpu"))

    def test_auto_is_the_gpu(self):
        self.assertEqual(self.facts("graph500", "--scale", 10, "--keys", 2)["search"]["engine"], "gpu")

    def test_graphs_past_the_memory(self):
        begin = time.monotonic()
        message = self.fails(RESOURCES, "graph500", "--scale", 31, "--edgefactor", 64, "--engine", "gpu")
        for words in ("--engine gpu: not enough GPU memory: kron:31", " GiB on the GPU of each, ", " GiB are free", "would do"):
            self.assertIn(words, message)
        self.assertIn("scale 31", self.fails(RESOURCES, "graph500", "--scale", 32, "--engine", "gpu"))
        self.assertLess(time.monotonic() - begin, 120)


class Bfs(GpuTest):
    def test_shapes(self):
        for graph, source in (("path:3000", 0), ("grid:150x150", 77), ("star:70000", 5), ("complete:300", 1), ("kron:13", 3), ("random:5000,6000", 9)):
            for ranks in RANKS:
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(graph, "--source", source, ranks=ranks)

    def test_few_vertices(self):
        for graph in ("path:1", "path:2", "random:40,1"):
            for ranks in RANKS:
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(graph, "--source", 0, ranks=ranks)

    def test_real_graphs(self):
        for name, source in (("enron.txt", 0), ("new-york.gr.gz", 1), ("gnutella.txt.zst", 0), ("USA-road-d.NY.gr.gz", 1)):
            for ranks in RANKS:
                with self.subTest(name=name, ranks=ranks):
                    self.assert_as_on_the_cpu(DATA / name, "--undirected", "--source", source, ranks=ranks)

    def test_against_a_queue(self):
        graph = Graph(60, [(v % 53 + 1, v * v % 53 + 1) for v in range(120)], False, first=1)
        path = self.file("g.gr", f"p sp 60 {len(graph.edges)}\n" + "".join(f"a {u} {v} 1\n" for u, v in graph.edges))
        for source in (1, 5, 60):
            for ranks in RANKS:
                check_result(self, graph, source, self.result(path, "--undirected", "--source", source, "--engine", "gpu", ranks=ranks))

    def test_deterministic_parents(self):
        for graph in ("kron:12", "grid:60x70"):
            expected = self.result(graph, "--source", 7, "--deterministic", "--engine", "cpu")
            for ranks in RANKS:
                self.assertEqual(self.result(graph, "--source", 7, "--deterministic", "--engine", "gpu", ranks=ranks), expected)

    def test_path(self):
        for ranks in RANKS:
            outcome = self.good("bfs", "grid:1x6", "--source", 4, "--target", 1, "--quiet", "--engine", "gpu", ranks=ranks)
            self.assertEqual(outcome.out, "path of 3 edges: 4 3 2 1\n")

    def test_several_sources_and_directions(self):
        for direction in ("auto", "top-down", "bottom-up"):
            for ranks in RANKS:
                outcome = self.good("bfs", "kron:12", "--sources", "random:10", "--validate", "--direction", direction, "--engine", "gpu", ranks=ranks)
                self.assertEqual(outcome.out.count(", valid\n"), 10)

    def test_facts(self):
        for graph in ("kron:12", "path:500"):
            facts = self.facts("bfs", graph, "--sources", "random:3", "--engine", "gpu")
            self.assertEqual(facts["search"]["engine"], "gpu")
            for search in facts["searches"]:
                self.assertEqual(sum(level["frontier"] for level in search["levels"]), search["reached"])
                self.assertEqual(len(search["levels"]), search["depth"] + 1)

    def test_what_the_resident_search_cannot_take(self):
        directed = self.file("g.el", "0 1\n1 2\n")
        for words, arguments in (("directed", (directed, "--source", 0)), ("--cutoff", ("ring:9", "--source", 0, "--cutoff", 2))):
            self.assertIn(words, self.fails(RESOURCES, "bfs", *arguments, "--engine", "gpu"))
            outcome = self.good("bfs", *arguments)
            self.assertIn("cpu engine", outcome.out)
            self.assertEqual(len([line for line in outcome.err.splitlines() if line.startswith("wayfront: note: ") and words in line]), 1, outcome)

    def test_grids_and_shared_gpus(self):
        self.assertIn("P x 1", self.fails(RESOURCES, "bfs", "ring:9", "--source", 0, "--grid", "1x2", "--engine", "gpu", ranks=2))
        outcome = run("bfs", "ring:9", "--source", 0, "--engine", "gpu", ranks=GPUS + 1)
        self.assertEqual(outcome.code, RESOURCES, outcome)
        self.assertRegex(outcome.message, "share a GPU|at most")
        self.assertEqual(run("bfs", "ring:9", "--source", 0, ranks=GPUS + 1).code, GOOD)


class TwoGpus(GpuTest):
    """Named apart, so that a machine of one GPU says what it did not try."""

    GPUS_WANTED = 2

    def test_graph500(self):
        facts = self.facts("graph500", "--scale", 16, "--engine", "gpu", ranks=2)
        self.assertEqual((facts["search"]["transport"], facts["search"]["grid"], len(facts["bfs"]["searches"])), ("p2p (resident)", "2x1", 64))

    def test_bfs(self):
        self.assert_as_on_the_cpu("kron:14", "--source", 3, ranks=2)


if __name__ == "__main__":
    unittest.main()
