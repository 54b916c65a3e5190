"""Searches on one and several GPUs as users run them, compared with the CPU. A test is reported as skipped if there are too few GPUs; with
WAYFRONT_REQUIRE_GPU=1 in the environment, the tests for one GPU fail instead."""

import functools
import json
import os
import subprocess
import time
import unittest

from driver import BAD_INPUT, DATA, GOOD, MPIEXEC, RESOURCES, WRONG_RESULT, DriverTest, Graph, check_result, command, count_gpus, environment, read_csv, run
from killed_rank import expect_end_of_job
from test_graph500 import OFFICIAL, SEVEN, report_of

GPUS = count_gpus()
RANKS = [ranks for ranks in (1, 2, 4, 8) if ranks <= GPUS]


@functools.lru_cache(maxsize=None)
def built_with_cuda():
    return "built without CUDA" not in run("bfs", "ring:5", "--source", 1, "--engine", "gpu").err


class GpuTest(DriverTest):
    GPUS_WANTED = 1

    def setUp(self):
        super().setUp()
        if GPUS == 0 and os.environ.get("WAYFRONT_REQUIRE_GPU") == "1":
            self.fail("WAYFRONT_REQUIRE_GPU=1, but there is no GPU")
        if GPUS == 0:
            self.skipTest("no GPU here")
        if not built_with_cuda():
            self.skipTest("no GPU here that this build could use")
        if GPUS < self.GPUS_WANTED:
            self.skipTest(f"{GPUS} of {self.GPUS_WANTED} GPUs")

    def facts(self, *arguments, **options):
        """The document that --json writes for a run."""
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

    def assert_as_on_the_cpu(self, *arguments, ranks=1, engine=("--engine", "gpu")):
        """Checks that the result is valid and has the levels that the CPU finds."""
        on_cpu = self.result(*arguments, "--engine", "cpu")
        on_gpu = self.result(*arguments, *engine, "--validate", ranks=ranks)
        self.assertEqual([row[:2] for row in on_gpu], [row[:2] for row in on_cpu])

    def assert_one_note(self, outcome, words):
        notes = [line for line in outcome.err.splitlines() if line.startswith("wayfront: note: ")]
        self.assertEqual(len(notes), 1, outcome)
        self.assertIn(words, notes[0])


class Graph500(GpuTest):
    def test_valid_and_the_same_as_on_the_cpu(self):
        for scale in (10, 16):
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
        self.assertIn("construction_time includes making the tuples", report["construction"])
        self.assertRegex(report["construction_peak_memory"], r"^[\d.]+ bytes per edge tuple, of device memory$")

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
            spans = self.spans(trace)
            self.assertEqual({span["pid"] for span in spans}, set(range(ranks)))
            self.assertLessEqual({"construct", "construct/count degrees", "bfs/search", "bfs/output", "validate"}, {span["path"] for span in spans})

    def test_messages_in_a_trace(self):
        trace = self.folder / "trace.json"
        self.good("graph500", "--scale", 12, "--keys", 2, "--engine", "gpu", "--transport", "mpi", "--trace", trace, ranks=2)
        paths = {span["path"] for span in self.spans(trace)}
        self.assertLessEqual({f"bfs/search/{message}" for message in ("all-gather", "all-reduce", "all-to-all")}, paths)

    def test_numbers_of_levels_in_a_trace(self):
        """Levels that one block of a resident search runs count, although they are one span."""
        trace, facts = self.folder / "trace.json", self.folder / "facts.json"
        self.good("bfs", "kron:14", "--source", 3, "--engine", "gpu", "--trace", trace, "--json", facts)
        sizes = [level["frontier"] for level in json.loads(facts.read_text())["searches"][0]["levels"]]
        levels = [span["args"] for span in self.spans(trace) if span["path"] == "bfs/search"]
        self.assertEqual([level["vertices"] for level in levels], [sizes[level["level"] - 1] for level in levels])

    def test_graphs_that_the_host_constructs(self):
        tuples = self.folder / "g.tuples"
        self.good("generate", "kron:11", "-o", tuples)
        for graph in (tuples, "rmat:11"):
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
        for words in ("--engine gpu: not enough GPU memory: kron:31", "iB on the GPU of each, ", "iB are free", "would do"):
            self.assertIn(words, message)
        self.assertIn("2^31 vertices", self.fails(RESOURCES, "graph500", "--scale", 42, "--engine", "gpu", "--transport", "p2p"))
        self.assertLess(time.monotonic() - begin, 120)


class Bfs(GpuTest):
    def test_shapes(self):
        for graph, source in (("path:3000", 0), ("grid:60x60", 77), ("star:70000", 5), ("kron:13", 3)):
            for ranks in RANKS:
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(graph, "--source", source, ranks=ranks)

    def test_few_vertices(self):
        for graph in ("path:1", "random:40,1"):
            for ranks in RANKS:
                with self.subTest(graph=graph, ranks=ranks):
                    self.assert_as_on_the_cpu(graph, "--source", 0, ranks=ranks)

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


class RealGraphs(GpuTest):
    """Cut-outs of real graphs with every engine and transport; ranks share GPUs if there are fewer GPUs. The sources are in the largest
    component."""

    ENRON = (DATA / "enron.txt", "--source", 5)
    GNUTELLA = (DATA / "gnutella.txt.zst", "--source", 0)
    NEW_YORK = (DATA / "new-york.gr.gz", "--source", 641)
    NORTH_EAST = (DATA / "north-east.gr.xz", "--source", 2508)  # this graph is undirected already

    def test_a_gpu_for_each_rank(self):
        for ranks in RANKS:
            with self.subTest(ranks=ranks):
                self.assert_as_on_the_cpu(*self.NEW_YORK, "--undirected", ranks=ranks)

    def test_a_whole_road_network(self):
        self.assert_as_on_the_cpu(DATA / "USA-road-d.NY.gr.gz", "--undirected", "--source", 1000)

    def test_levels_driven_by_the_host(self):
        for graph, grid, ranks, direction in ((self.ENRON, "1x2", 2, "bottom-up"), (self.NEW_YORK, "2x1", 2, "auto"),
                                              (self.GNUTELLA, "2x2", 4, "auto"), (self.GNUTELLA, "1x4", 4, "top-down"),
                                              (self.NORTH_EAST, "4x1", 4, "bottom-up")):
            with self.subTest(graph=graph, grid=grid, direction=direction):
                self.assert_as_on_the_cpu(*graph, "--undirected", ranks=ranks,
                                          engine=("--engine", "gpu", "--transport", "host", "--grid", grid, "--direction", direction))

    def test_directed(self):
        for graph, grid, ranks, direction in ((self.GNUTELLA, "1x1", 1, "auto"), (self.GNUTELLA, "2x1", 2, "bottom-up"),
                                              (self.NEW_YORK, "1x2", 2, "top-down"), (self.ENRON, "2x2", 4, "auto")):
            with self.subTest(graph=graph, grid=grid, direction=direction):
                self.assert_as_on_the_cpu(*graph, ranks=ranks, engine=("--engine", "gpu", "--grid", grid, "--direction", direction))

    def test_messages_and_each_others_memory(self):
        for graph, transport, ranks, direction in ((self.GNUTELLA, "mpi", 2, "bottom-up"), (self.NORTH_EAST, "mpi", 4, "auto"),
                                                   (self.ENRON, "mpi", 4, "top-down"), (self.GNUTELLA, "p2p", 2, "auto"),
                                                   (self.ENRON, "p2p", 4, "bottom-up"), (self.GNUTELLA, "nccl", 2, "top-down"),
                                                   (self.NEW_YORK, "nccl", 2, "auto")):
            if transport == "nccl" and GPUS < ranks:
                continue  # nccl needs a GPU for each rank
            with self.subTest(graph=graph, transport=transport, ranks=ranks, direction=direction):
                self.assert_as_on_the_cpu(*graph, "--undirected", ranks=ranks,
                                          engine=("--engine", "gpu", "--transport", transport, "--direction", direction))

    def test_shared_with_the_cpu(self):
        for graph, share, grid, ranks, direction in ((self.GNUTELLA, 0.1, "1x1", 1, "auto"), (self.NORTH_EAST, 0.5, "2x1", 2, "top-down"),
                                                     (self.GNUTELLA, 0.5, "1x2", 2, "bottom-up"), (self.GNUTELLA, 0.1, "2x2", 4, "top-down"),
                                                     (self.ENRON, 0.5, "2x2", 4, "auto")):
            with self.subTest(graph=graph, share=share, grid=grid, direction=direction):
                self.assert_as_on_the_cpu(*graph, ranks=ranks,
                                          engine=("--engine", "split", "--cpu-share", share, "--grid", grid, "--direction", direction))


class HostLoop(GpuTest):
    """Host-driven searches: of graphs and options that on-GPU searches do not support, and with --transport host."""

    BY_HAND = ("--engine", "gpu", "--transport", "host")

    def test_directed_graphs_and_cutoffs(self):
        graph = Graph(60, [(v % 53, v * v % 53) for v in range(120)], True)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v in graph.edges) + "59 59\n")
        for ranks in (1, 2):
            check_result(self, graph, 5, self.result(path, "--source", 5, "--engine", "gpu", ranks=ranks))
        self.assert_one_note(self.good("bfs", path, "--source", 5, "--engine", "gpu"), "the graph is directed")
        rows = self.result("ring:9", "--source", 0, "--cutoff", 2, "--engine", "gpu")
        self.assertEqual([level for _, level, _ in rows], [0, 1, 2, -1, -1, -1, -1, 2, 1])

    def test_auto_takes_the_cores(self):
        outcome = self.good("bfs", "ring:9", "--source", 0, "--cutoff", 2)
        self.assertIn("cpu engine", outcome.out)
        self.assert_one_note(outcome, "--cutoff")

    def test_one_rank_by_hand(self):
        for graph, source in (("path:700", 0), ("star:70000", 5), ("kron:16", 3), ("path:1", 0), ("random:40,1", 0)):
            with self.subTest(graph=graph):
                self.assert_as_on_the_cpu(graph, "--source", source, engine=self.BY_HAND)

    def test_facts(self):
        search = self.facts("bfs", "kron:12", "--sources", "random:3", *self.BY_HAND)["search"]
        self.assertEqual((search["engine"], search["transport"]), ("gpu", "none (host-driven, one rank)"))
        self.assertGreater(min(search["graph_bytes"], search["state_bytes"]), 0)
        search = self.facts("bfs", "kron:12", "--source", 3, "--transport", "host", ranks=2)["search"]
        self.assertEqual((search["engine"], search["transport"]), ("gpu", "host (messages over mpi)"))

    def test_graph500(self):
        options = ("--scale", 14, "--keys", 8)
        expected = self.searches(*options, "--engine", "cpu")
        for more in ((), ("--no-validate",), ("--direction", "bottom-up")):
            self.assertEqual(self.searches(*options, *self.BY_HAND, *more), expected)

    def test_overlap(self):
        trace = self.folder / "trace.json"
        for overlap, stretches in (("on", True), ("auto", False)):
            self.good("graph500", "--scale", 24, "--keys", 1, "--no-validate", "--direction", "bottom-up", *self.BY_HAND, "--overlap", overlap, "--trace",
                      trace)  # of 2^23 slots and more
            names = {span["name"] for span in self.spans(trace)}
            self.assertEqual("stretch search" in names, stretches, overlap)

    def test_deterministic_parents(self):
        expected = self.result("kron:12", "--source", 7, "--deterministic", "--engine", "cpu")
        self.assertEqual(self.result("kron:12", "--source", 7, "--deterministic", *self.BY_HAND), expected)
        self.assertEqual(self.result("kron:12", "--source", 7, "--deterministic", "--engine", "gpu", "--grid", "1x2", ranks=2), expected)

    def test_grids(self):
        for grid, ranks in (("1x2", 2), ("2x1", 2), ("2x2", 4), ("4x1", 4)):
            with self.subTest(grid=grid):
                self.assert_as_on_the_cpu("kron:13", "--source", 3, ranks=ranks, engine=(*self.BY_HAND, "--grid", grid))

    def test_ranks_share_a_gpu(self):
        self.assert_as_on_the_cpu("kron:13", "--source", 3, ranks=GPUS + 1, engine=self.BY_HAND)
        outcome = self.good("bfs", "kron:10", "--source", 3, *self.BY_HAND, ranks=GPUS + 1)
        self.assertIn("wayfront: warning: up to 2 ranks share a GPU", outcome.err)
        self.assertNotIn("note: ", outcome.err)


class Transports(GpuTest):
    """The transports of on-GPU searches: the one that was chosen, or the first one that is possible."""

    OVER_MPI = r"^mpi \(stepped, (staged|device memory)\)$"

    def test_unsupported_graphs_and_options(self):
        directed = self.file("g.el", "0 1\n1 2\n")
        for transport in ("p2p", "nccl", "mpi"):
            for words, arguments in (("directed", (directed, "--source", 0)), ("--cutoff", ("ring:9", "--source", 0, "--cutoff", 2))):
                message = self.fails(RESOURCES, "bfs", *arguments, "--transport", transport)
                self.assertIn(f"--transport {transport}: ", message)
                self.assertIn(words, message)
            self.assertIn("P x 1", self.fails(RESOURCES, "bfs", "ring:9", "--source", 0, "--transport", transport, "--grid", "1x2", ranks=2))

    def test_one_rank(self):
        self.assertEqual(self.facts("bfs", "ring:9", "--source", 0, "--transport", "p2p")["search"]["transport"], "none (resident, one GPU)")
        expected = self.searches("--scale", 14, "--keys", 8, "--engine", "cpu")
        for transport in ("nccl", "mpi"):
            stepped = ("--engine", "gpu", "--transport", transport)
            for graph, source in (("path:300", 0), ("star:70000", 5), ("kron:16", 3), ("path:1", 0), ("random:40,1", 0)):
                with self.subTest(graph=graph, transport=transport):
                    self.assert_as_on_the_cpu(graph, "--source", source, engine=stepped)
            facts = self.facts("graph500", "--scale", 14, "--keys", 8, *stepped)
            self.assertEqual(facts["search"]["transport"], "none (stepped, one GPU)")
            self.assertEqual([(search["key"], search["edges"]) for search in facts["bfs"]["searches"]], expected)

    def test_mpi_if_ranks_share_a_gpu(self):
        over_mpi = ("--engine", "gpu", "--transport", "mpi")
        for graph, source in (("path:300", 0), ("star:70000", 5), ("kron:14", 3), ("path:1", 0)):
            with self.subTest(graph=graph):
                self.assert_as_on_the_cpu(graph, "--source", source, ranks=GPUS + 1, engine=over_mpi)
        search = self.facts("bfs", "kron:12", "--source", 3, "--transport", "mpi", ranks=GPUS + 1)["search"]
        self.assertRegex(search["transport"], self.OVER_MPI)
        self.assertEqual((search["engine"], search["exchange"], search["grid"]), ("gpu", "messages", f"{GPUS + 1}x1"))
        expected = self.searches("--scale", 14, "--keys", 8, "--engine", "cpu")
        for more in ((), ("--no-validate",), ("--direction", "top-down"), ("--direction", "bottom-up")):
            with self.subTest(options=more):
                self.assertEqual(self.searches("--scale", 14, "--keys", 8, *over_mpi, *more, ranks=GPUS + 1), expected)
        expected = self.result("kron:12", "--source", 7, "--deterministic", "--engine", "cpu")
        self.assertEqual(self.result("kron:12", "--source", 7, "--deterministic", *over_mpi, ranks=GPUS + 1), expected)

    def test_p2p_if_ranks_share_a_gpu(self):
        over_memory = ("--engine", "gpu", "--transport", "p2p")
        expected = self.searches("--scale", 14, "--keys", 2, "--engine", "cpu")
        for ranks in sorted({ranks for ranks in (GPUS + 1, 4, 8) if ranks <= 8}):
            with self.subTest(ranks=ranks):
                self.assert_as_on_the_cpu("kron:14", "--source", 3, ranks=ranks, engine=over_memory)
                self.assertEqual(self.searches("--scale", 14, "--keys", 2, *over_memory, ranks=ranks), expected)
        outcome = self.good("bfs", "kron:10", "--source", 3, *over_memory, ranks=min(GPUS + 1, 8))
        if GPUS < 8:
            self.assertIn("wayfront: warning: up to 2 ranks share a GPU, and take turns in every level", outcome.err)

    def test_the_first_that_is_possible(self):
        outcome = self.good("bfs", "kron:10", "--source", 3, "--validate", "--engine", "gpu", ranks=GPUS + 1)
        self.assert_one_note(outcome, "several ranks share a GPU: searches exchange over MPI")
        self.assertIn("wayfront: warning: up to 2 ranks share a GPU", outcome.err)
        search = self.facts("graph500", "--scale", 10, "--keys", 2, "--engine", "gpu", ranks=GPUS + 1)["search"]
        self.assertRegex(search["transport"], self.OVER_MPI)
        quiet = self.good("bfs", "kron:10", "--source", 3, "--engine", "gpu", "--quiet", ranks=GPUS + 1)
        self.assertNotIn("wayfront: ", quiet.err)

    def test_only_the_engine_that_searches_is_reported(self):
        directed = self.file("g.el", "0 1\n1 2\n")
        outcome = self.good("bfs", directed, "--source", 0, "--engine", "gpu", ranks=GPUS + 1)
        self.assert_one_note(outcome, "the graph is directed, ")
        self.assertIn("the search is host-driven", outcome.err)

    def test_a_shared_gpu_is_in_the_way_of_others(self):
        outcome = self.good("bfs", "kron:10", "--source", 3, ranks=GPUS + 1)
        self.assertIn("cpu engine", outcome.out)
        self.assert_one_note(outcome, "the search runs on the CPU, not on the GPU: ")
        message = self.fails(RESOURCES, "bfs", "kron:10", "--source", 3, "--transport", "p2p", ranks=9)
        self.assertIn("--transport p2p: the resident search takes at most 8 ranks", message)
        message = self.fails(RESOURCES, "bfs", "kron:10", "--source", 3, "--transport", "nccl", ranks=GPUS + 1)
        self.assertIn("--transport nccl: several ranks share a GPU", message)


class Split(GpuTest):
    def test_shares(self):
        for share in (0, 0.1, 0.5, 1):
            with self.subTest(share=share):
                facts = self.facts("bfs", "kron:14", "--sources", "random:2", "--validate", "--engine", "split", "--cpu-share", share)
                self.assertEqual(facts["search"]["engine"], f"split:{share}")
                self.assertEqual(facts["search"]["transport"], "none (host-driven, one rank)")
                self.assertEqual([search["validated"] for search in facts["searches"]], [True, True])

    def test_as_on_the_cpu(self):
        for grid, ranks in (("1x1", 1), ("2x2", 4)):
            for share in (0.1, 0.5):
                with self.subTest(grid=grid, share=share):
                    self.assert_as_on_the_cpu("kron:13", "--source", 3, ranks=ranks,
                                              engine=("--engine", "split", "--cpu-share", share, "--grid", grid))

    def test_a_share_that_is_found_by_trying(self):
        for more in ((), ("--cpu-share", "auto")):
            facts = self.facts("graph500", "--scale", 14, "--keys", 8, "--engine", "split", *more)
            self.assertRegex(facts["search"]["engine"], r"^split:(0|1|0\.\d+)$")
            self.assertGreater(facts["search"]["trial_searches"], 16)
            expected = self.searches("--scale", 14, "--keys", 8, "--engine", "cpu")
            self.assertEqual([(search["key"], search["edges"]) for search in facts["bfs"]["searches"]], expected)

    def test_directed_graphs_and_smallest_parents(self):
        graph = Graph(60, [(v % 53, v * v % 53) for v in range(120)], True)
        path = self.file("g.el", "".join(f"{u} {v}\n" for u, v in graph.edges) + "59 59\n")
        rows = self.result(path, "--source", 5, "--engine", "split", "--cpu-share", 0.5, "--deterministic", ranks=2)
        check_result(self, graph, 5, rows)
        self.assertEqual({v: parent for v, _, parent in rows if parent >= 0}, graph.smallest_parents(5))


class Sssp(GpuTest):
    """Shortest paths on one GPU have the distances that the CPU finds, and parents that are valid."""

    NEW_YORK = DATA / "USA-road-d.NY.gr.gz"  # directed, whole weights

    def distances(self, *arguments, **options):
        output = self.folder / "out.csv"
        self.good("sssp", *arguments, "-o", output, "--quiet", **options)
        return [line.split(",")[:2] for line in output.read_text().splitlines()]

    def assert_as_on_the_cpu(self, *arguments):
        valid = () if "--cutoff" in arguments else ("--validate",)
        self.assertEqual(self.distances(*arguments, "--engine", "gpu", *valid), self.distances(*arguments, "--engine", "cpu"))

    def test_whole_weights(self):
        for graph, weights, source in (("kron:14", "uniform:1..255", 3), ("kron:14", "uniform:0..3", 3), ("kron:13", "unit", 3), ("grid:60x60", "uniform:1..100", 77),
                                       ("path:3000", "uniform:1..9", 0), ("star:70000", "uniform:1..1000000", 5), ("random:40,1", "unit", 0), ("path:1", "unit", 0)):
            with self.subTest(graph=graph, weights=weights):
                self.assert_as_on_the_cpu(graph, "--weights", weights, "--source", source)

    def test_floats(self):
        for graph, weights, source in (("kron:14", None, 3), ("rmat:13,permute=0", "float", 3), ("grid:60x60", "lognormal:2,1", 77), ("path:3000", "float", 0),
                                       ("star:70000", "float", 5)):
            with self.subTest(graph=graph, weights=weights):
                self.assert_as_on_the_cpu(graph, *(("--weights", weights) if weights else ()), "--source", source)

    def test_real_graphs(self):
        self.assert_as_on_the_cpu(self.NEW_YORK, "--source", 1)
        self.assert_as_on_the_cpu(self.NEW_YORK, "--undirected", "--source", 264346)
        self.assert_as_on_the_cpu(DATA / "enron.txt", "--undirected", "--weights", "uniform:1..255", "--source", 5)
        self.assert_as_on_the_cpu(DATA / "gnutella.txt.zst", "--weights", "float", "--source", 0)

    def test_largest_weights(self):
        one = self.file("one.wel", "0 1 4294967294\n2 3 1\n")
        self.assert_as_on_the_cpu(one, "--undirected", "--source", 0)
        many = self.file("many.wel", "".join(f"{v} {v + 1} 4294967295\n" for v in range(7)))  # distances of more than 32 bits
        self.assert_as_on_the_cpu(many, "--source", 0)

    def test_cutoff(self):
        for graph, weights, cutoff in (("kron:13", "uniform:1..255", 40), ("kron:13", "float", 0.25), ("grid:60x60", "uniform:1..9", 0), ("grid:60x60", "uniform:1..9", 70.5)):
            with self.subTest(graph=graph, weights=weights, cutoff=cutoff):
                self.assert_as_on_the_cpu(graph, "--weights", weights, "--source", 77, "--cutoff", cutoff)

    def test_target(self):
        path = self.file("g.wel", "0 1 0.5\n1 2 0.25\n0 2 9\n3 0 1\n")
        for target, out in ((2, "path of length 0.75, 2 edges: 0 1 2\n"), (3, "no path from 0 to 3\n")):
            self.assertEqual(self.good("sssp", path, "--source", 0, "--target", target, "--quiet", "--engine", "gpu").out, out)
        outcomes = [self.good("sssp", self.NEW_YORK, "--source", 1, "--target", 264346, "--quiet", "--engine", engine).out for engine in ("cpu", "gpu")]
        lengths = [out.split(",")[0] for out in outcomes]
        self.assertEqual(lengths[0], lengths[1])

    def test_several_sources_and_windows(self):
        for options in ((), ("--delta", 0.001), ("--delta", 0.05), ("--delta", 1000)):
            outcome = self.good("sssp", "kron:12", "--sources", "random:10", "--validate", "--engine", "gpu", *options)
            self.assertEqual(outcome.out.count(", valid\n"), 10)

    def test_facts(self):
        facts = self.facts("sssp", "kron:16", "--sources", "random:3", "--validate", "--engine", "gpu")
        search = facts["search"]
        self.assertEqual((search["engine"], search["transport"], search["weights"]), ("gpu", "none (resident, one GPU)", "float32"))
        self.assertGreater(min(search["graph_bytes"], search["state_bytes"]), 0)
        self.assertIn("push-pull on the GPU", search["algorithm"])
        for one in facts["searches"]:
            self.assertGreater(one["pulled_arcs"], 0)
            self.assertLess(one["relaxed_arcs"] + one["pulled_arcs"], 2 * facts["graph"]["edges"])

    def test_auto(self):
        facts = self.facts("sssp", "kron:16", "--source", 3)  # of 2^20 edges
        self.assertEqual(facts["search"]["engine"], "gpu")
        for arguments in ((self.NEW_YORK, "--source", 1), ("kron:16", "--source", 3, "--deterministic"), ("kron:16", "--source", 3, "--precision", "double")):
            self.assertEqual(self.facts("sssp", *arguments)["search"]["engine"], "cpu", arguments)

    def test_what_the_gpu_refuses(self):
        negative = self.file("negative.wel", "0 1 4\n1 2 -3\n")
        wide = self.file("wide.wel", "0 1 5000000000\n")
        for arguments, ranks, what in (((negative,), 1, "has negative weights"), ((wide,), 1, "have 64 bits"),
                                       (("kron:8", "--precision", "double"), 1, "have 64 bits"),
                                       (("kron:8", "--deterministic"), 1, "--deterministic is for searches on the CPU"),
                                       (("kron:8", "--algorithm", "dijkstra"), 1, "--algorithm dijkstra runs on the CPU"),
                                       (("kron:8",), 2, "searches for shortest paths run on one GPU, but 2 ranks were started")):
            with self.subTest(arguments=arguments):
                message = self.fails(BAD_INPUT, "sssp", *arguments, "--source", 0, "--engine", "gpu", ranks=ranks)
                self.assertIn("--engine gpu: ", message)
                self.assertIn(what, message)

    def test_graph500(self):
        options = ("graph500", "--scale", 14, "--keys", 8, "--kernel", "sssp")
        on_gpu, counted, on_cpu = (self.facts(*options, *more) for more in (("--engine", "gpu"), ("--engine", "gpu", "--no-validate"), ("--engine", "cpu")))
        self.assertEqual((on_gpu["search"]["engine"], on_gpu["validated"], on_gpu["constructed_on"]), ("gpu", True, "gpu"))
        self.assertEqual((on_gpu["search"]["list_order"], on_cpu["constructed_on"]), ("by weight", "cpu"))
        self.assertIn("push-pull on the GPU", on_gpu["search"]["sssp_algorithm"])
        self.assertGreater(min(on_gpu["search"]["graph_bytes"], on_gpu["construction_peak_bytes_per_edge"]), 0)
        same = lambda facts: [(search["key"], search["edges"]) for search in facts["sssp"]["searches"]]
        self.assertEqual(same(on_gpu), same(on_cpu))
        self.assertEqual(same(counted), same(on_cpu))

    def test_graph500_both_kernels(self):
        facts = self.facts("graph500", "--scale", 13, "--edgefactor", 8, "--keys", 8, "--kernel", "both", "--engine", "gpu")
        same = lambda kernel: [(search["key"], search["edges"]) for search in facts[kernel]["searches"]]
        self.assertEqual(same("bfs"), same("sssp"))
        self.assertEqual((facts["constructed_on"], facts["validated"]), ("gpu", True))

    def test_graph500_by_other_methods(self):
        """The hosts construct the graph for them."""
        facts = self.facts("graph500", "kron:10", "--algorithm", "selection", "--keys", 4, "--kernel", "sssp", "--engine", "gpu")
        self.assertEqual((facts["search"]["engine"], facts["validated"], facts["constructed_on"]), ("gpu", True, "cpu"))

    def test_graph500_too_large(self):
        message = self.fails(RESOURCES, "graph500", "--scale", 31, "--kernel", "sssp", "--engine", "gpu")
        self.assertIn("--engine gpu: not enough GPU memory: kron:31 with 34359738368 edges and weights needs ", message)
        self.assertIn(" would do", message)


class Apsp(GpuTest):
    """All pairs on GPUs are byte for byte what the CPU finds, if sums are not rounded in another order."""

    GRAPHS = (("random:300,1200", "uniform:1..n"), ("grid:17x19", "uniform:0..9"), ("star:400", "uniform:1..1000000"), ("ring:129", "unit"), ("complete:65", "uniform:1..99"),
              ("random:40,1", "unit"), ("path:1", "unit"))

    def matrix(self, *arguments, ranks=1):
        """The output, and the summary without sums, which may be rounded in another order."""
        output = self.folder / "out.npy"
        facts = self.facts("apsp", *arguments, "-o", output, "--quiet", ranks=ranks)
        self.assertEqual(facts["search"]["engine"], "gpu" if "gpu" in arguments else "cpu")
        return output.read_bytes(), {name: value for name, value in facts["summary"].items() if not name.startswith(("average", "closeness"))}

    def test_methods(self):
        for graph, weights in self.GRAPHS:
            expected = self.matrix(graph, "--weights", weights, "--engine", "cpu", "--algorithm", "dijkstra")
            for algorithm in ("auto", "elimination", "block", "combined", "floyd-warshall", "batched", "batched-unshared", "iterated"):
                with self.subTest(graph=graph, weights=weights, algorithm=algorithm):
                    self.assertEqual(self.matrix(graph, "--weights", weights, "--engine", "gpu", "--algorithm", algorithm, "--validate"), expected)

    def test_floats(self):
        for graph in ("random:300,1200", "grid:17x19", "star:400"):
            expected = self.matrix(graph, "--weights", "float", "--engine", "cpu", "--algorithm", "dijkstra")
            for algorithm in ("block", "batched", "batched-unshared", "iterated"):
                with self.subTest(graph=graph, algorithm=algorithm):
                    self.assertEqual(self.matrix(graph, "--weights", "float", "--engine", "gpu", "--algorithm", algorithm), expected)
            self.good("apsp", graph, "--weights", "float", "--engine", "gpu", "--algorithm", "floyd-warshall", "--validate")

    def test_numbers_of_edges(self):
        for graph in ("random:3000,9000", "grid:17x19", "star:400", "path:1500", "rmat:10"):
            expected = self.matrix(graph, "--engine", "cpu")
            for algorithm in ("auto", "bit-parallel", "block"):
                with self.subTest(graph=graph, algorithm=algorithm):
                    self.assertEqual(self.matrix(graph, "--engine", "gpu", "--algorithm", algorithm, "--validate"), expected)

    def test_negative_weights(self):
        path = self.file("g.wel", "0 1 4\n1 2 -3\n2 3 2\n0 3 9\n3 1 1\n")
        self.assertEqual(self.matrix(path, "--engine", "gpu"), self.matrix(path, "--engine", "cpu"))

    def test_predecessors(self):
        """They are traced on the CPU; --validate follows them."""
        for options in (("random:300,1200", "--weights", "uniform:0..n"), ("random:300,1200", "--weights", "float", "--algorithm", "block"), ("grid:17x19",),
                        ("random:300,1200", "--weights", "float", "--algorithm", "floyd-warshall")):
            with self.subTest(options=options):
                self.good("apsp", *options, "--engine", "gpu", "--predecessors", self.folder / "p.npy", "--validate")

    def test_some_sources_and_checkpoints(self):
        options = ("random:300,1200", "--weights", "uniform:1..n", "--sources", "random:7")
        self.assertEqual(self.matrix(*options, "--engine", "gpu", "--checkpoint", self.folder / "c"), self.matrix(*options, "--engine", "cpu"))

    def test_ranks_share_a_gpu(self):
        options = ("random:300,1200", "--weights", "uniform:1..n")
        self.assertEqual(self.matrix(*options, "--engine", "gpu", ranks=2), self.matrix(*options, "--engine", "cpu"))

    def test_what_the_gpu_refuses(self):
        negative = self.file("negative.wel", "0 1 4\n1 2 -3\n")
        for arguments, ranks, what in ((("kron:8", "--algorithm", "dijkstra"), 1, "it runs on the CPU"),
                                       ((negative, "--algorithm", "block"), 1, "has negative weights"),
                                       (("kron:8", "--algorithm", "combined"), 1, "weights are floats"),
                                       (("ring:9", "--weights", "uniform:1..9", "--algorithm", "bit-parallel"), 1, "the graph has weights"),
                                       (("kron:17", "--algorithm", "block", "--sources", "random:1"), 1, "do not fit the shared memory"),
                                       (("ring:9", "--algorithm", "combined"), 2, "it runs on one GPU, but 2 ranks were started"),
                                       (("ring:9", "--algorithm", "combined", "--checkpoint", self.folder / "c"), 1, "--checkpoint is not possible")):
            with self.subTest(arguments=arguments):
                self.assertIn(what, self.fails(BAD_INPUT, "apsp", *arguments, "--engine", "gpu", ranks=ranks))
        message = self.fails(RESOURCES, "apsp", "ring:9000", "--algorithm", "floyd-warshall", "--engine", "gpu", "--gpu-memory-limit", 0.07)
        self.assertIn("not enough GPU memory", message)

    def bulk(self, engine, *options, ranks=1, code=GOOD):
        """The outputs of many graphs by name, and what --json says of each."""
        folder = self.folder / f"bulk-{engine}"
        facts = self.folder / "bulk.json"
        outcome = run("apsp", "--bulk", self.folder / "graphs", "-o", folder, "--json", facts, "--engine", engine, *options, ranks=ranks)
        self.assertEqual(outcome.code, code, outcome)
        document = json.loads(facts.read_text())
        self.assertEqual(document["search"]["engine"], engine)
        outputs = {path.name: path.read_bytes() for path in folder.iterdir()}
        for path in folder.iterdir():
            path.unlink()
        return outputs, document["graphs"]

    def test_many_graphs(self):
        """As on the CPU: graphs that are computed together, alone, or not at all."""
        graphs = self.folder / "graphs"
        graphs.mkdir()
        for n in (2, 31, 64, 65, 128, 129, 300, 310, 2100):
            self.good("generate", f"random:{n},{3 * n}", "--weights", "uniform:0..50", graphs / f"whole{n}.gr", "--quiet")
        self.good("generate", "random:70,300", "--weights", "uniform:1..1000000", graphs / "heavy.gr", "--quiet")
        self.good("generate", "ring:90", graphs / "levels.mtx", "--quiet")
        (graphs / "whole1.gr").write_text("p sp 1 0\n")
        (graphs / "negative.wel").write_text("0 1 5\n1 2 -3\n0 2 4\n")
        (graphs / "cycle.wel").write_text("0 1 5\n1 0 -6\n")
        (graphs / "damaged.wel").write_text("0 1 5\n1 x 6\n")
        exact = ("reachable_pairs", "diameter", "radius", "eccentricities", "histogram")
        expected, on_cpu = self.bulk("cpu", code=WRONG_RESULT)
        self.assertEqual(len(expected), 13)
        for options, ranks in ((("--validate",), 1), (("--predecessors", self.folder / "p", "--validate"), 2), (("--algorithm", "floyd-warshall"), 1),
                               (("--gpu-memory-limit", 0.1), 1)):
            with self.subTest(options=options, ranks=ranks):
                found, on_gpu = self.bulk("gpu", *options, ranks=ranks, code=WRONG_RESULT)
                self.assertEqual(found, expected)
                self.assertEqual([each.get("exit_code") for each in on_gpu], [each.get("exit_code") for each in on_cpu])
                for cpu, gpu in zip(on_cpu, on_gpu):
                    self.assertEqual([gpu.get("summary", {}).get(key) for key in exact], [cpu.get("summary", {}).get(key) for key in exact], gpu)
        methods = {each["graph"]["name"].rsplit("/", 1)[1]: each["search"]["algorithm"] for each in on_gpu if "search" in each}
        self.assertEqual((methods["whole64.gr"], methods["whole310.gr"]), ("floyd-warshall", "floyd-warshall"))

    def test_floyd_warshall_in_tiles(self):
        """Over ranks, saved, and out of core."""
        graph = ("random:700,3000", "--weights", "uniform:1..n", "--algorithm", "floyd-warshall")
        expected = self.matrix(*graph, "--engine", "cpu")
        checkpoint = ("--checkpoint", self.folder / "c", "--checkpoint-every", 0)
        for options, ranks in (((), 2), (("--out-of-core",), 1), (("--out-of-core",), 2), (checkpoint, 1)):
            with self.subTest(options=options, ranks=ranks):
                self.assertEqual(self.matrix(*graph, *options, "--engine", "gpu", ranks=ranks), expected)
        outcome = self.good("apsp", "random:9000,30000", "--weights", "uniform:1..n", "--algorithm", "floyd-warshall", "--engine", "gpu", "--gpu-memory-limit", 0.3)
        self.assertIn("out of core", outcome.out)


class Faults(GpuTest):
    def test_a_rank_killed_in_mid_search(self):
        for transport in ("mpi", "host"):  # with these, the ranks share a GPU if there is only one
            with self.subTest(transport=transport):
                expect_end_of_job(self, "bfs", "kron:14", "--sources", "random:8000", "--engine", "gpu", "--transport", transport, ranks=2, victim=1)

    def test_a_rank_killed_in_mid_search_that_it_shares_with_the_cpu(self):
        for victim in (0, 1):
            with self.subTest(victim=victim):
                expect_end_of_job(self, "bfs", "kron:14", "--sources", "random:8000", "--engine", "split", "--cpu-share", 0.5, ranks=2, victim=victim)


class TwoGpus(GpuTest):
    """A class of its own, so that a machine with one GPU reports these tests as skipped."""

    GPUS_WANTED = 2

    def test_graph500(self):
        facts = self.facts("graph500", "--scale", 16, "--engine", "gpu", ranks=2)
        self.assertEqual((facts["search"]["transport"], facts["search"]["grid"], len(facts["bfs"]["searches"])), ("p2p (resident)", "2x1", 64))

    def test_auto_is_each_others_memory(self):
        options = ("graph500", "--scale", 16, "--keys", 8)
        path = self.folder / "facts.json"
        outcome = self.good(*options, "--engine", "auto", "--json", path, ranks=2)
        self.assertNotIn("wayfront: ", outcome.err)  # no note, no warning
        facts = json.loads(path.read_text())
        self.assertEqual([facts["search"][name] for name in ("engine", "transport", "exchange", "grid")], ["gpu", "p2p (resident)", "stores", "2x1"])
        self.assertEqual((facts["constructed_on"], facts["validated"]), ("gpu", True))
        self.assertEqual([(search["key"], search["edges"]) for search in facts["bfs"]["searches"]], self.searches(*options[1:], "--engine", "cpu"))

    def test_bfs(self):
        self.assert_as_on_the_cpu("kron:14", "--source", 3, ranks=2)

    def test_apsp(self):
        outputs = []
        for engine, ranks in (("cpu", 1), ("gpu", 2)):
            outputs.append(self.folder / f"{engine}.npy")
            self.good("apsp", "random:2000,9000", "--weights", "uniform:1..n", "--engine", engine, "-o", outputs[-1], "--quiet", ranks=ranks)
        self.assertEqual(outputs[0].read_bytes(), outputs[1].read_bytes())

    def test_ranks_that_see_different_gpus(self):
        first, second = (os.environ.get("CUDA_VISIBLE_DEVICES") or "0,1").split(",")[:2]
        for visible in ((f"{first},{second}", first), (second, first), (f"{first},{second}", f"{second},{first}")):
            with self.subTest(visible):
                path = self.folder / "facts.json"
                program = command(("bfs", "kron:12", "--source", 3, "--engine", "gpu", "--json", path))
                ranks = [["-n", "1", "env", f"CUDA_VISIBLE_DEVICES={gpus}", *program] for gpus in visible]
                done = subprocess.run([MPIEXEC, *ranks[0], ":", *ranks[1]], env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      timeout=100)
                self.assertEqual((done.returncode, "warning" in done.stderr), (0, False), done)
                self.assertEqual(json.loads(path.read_text())["search"]["transport"], "p2p (resident)")

    def test_transports(self):
        expected = self.searches("--scale", 16, "--keys", 8, "--engine", "cpu")
        for transport, told, exchange in (("p2p", r"p2p \(resident\)", "stores"), ("nccl", r"nccl \(stepped\)", "messages"),
                                          ("mpi", Transports.OVER_MPI, "messages")):
            with self.subTest(transport=transport):
                over = ("--engine", "gpu", "--transport", transport)
                self.assert_as_on_the_cpu("kron:14", "--source", 3, ranks=2, engine=over)
                facts = self.facts("graph500", "--scale", 16, "--keys", 8, *over, ranks=2)
                self.assertRegex(facts["search"]["transport"], told)
                self.assertEqual(facts["search"]["exchange"], exchange)
                self.assertEqual([(search["key"], search["edges"]) for search in facts["bfs"]["searches"]], expected)

    def test_nccl_that_cannot_be_used(self):
        self.file("libnccl.so.2", "no library")
        for env, words in (({"LD_LIBRARY_PATH": f"{self.folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"}, "libnccl.so.2: file too short"),
                           ({"NCCL_SOCKET_IFNAME": "=nothere0"}, "NCCL failed: ")):
            with self.subTest(words):
                over = ("bfs", "kron:10", "--source", 3, "--engine", "gpu", "--transport", "nccl")
                self.assertIn(words, self.fails(RESOURCES, *over, ranks=2, env=env, timeout=100))
                self.good(*over[:-1], "auto", ranks=2, env=env)  # auto continues without NCCL

    def test_a_rank_killed_in_mid_search(self):
        for transport in ("p2p", "nccl"):
            for victim in (0, 1):
                with self.subTest(transport=transport, victim=victim):
                    expect_end_of_job(self, "bfs", "kron:14", "--sources", "random:8000", "--engine", "gpu", "--transport", transport, ranks=2,
                                      victim=victim)


if __name__ == "__main__":
    unittest.main()
