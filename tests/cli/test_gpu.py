"""Graph500 on GPUs as users run it, compared with the CPU; jobs over two GPUs; killed ranks."""

import json
import os
import subprocess
import time
import unittest

from driver import MPIEXEC, RESOURCES, command, environment
from gpu_driver import OVER_MPI, RANKS, GpuTest
from killed_rank import expect_end_of_job
from test_graph500 import OFFICIAL, SEVEN, report_of


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
        self.assertLessEqual({f"bfs/search/{message}" for message in ("all-gather", "all-to-all")}, paths)

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
                                          ("mpi", OVER_MPI, "messages")):
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
