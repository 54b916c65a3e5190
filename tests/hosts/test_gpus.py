"""GPUs of two hosts, one rank on each: results are those of the cores, over NCCL and over MPI, over plain links and over slow ones that lose packets; and hosts
that fail in the middle of messages of the GPUs end the job.

If there is one GPU, the hosts share it, and what needs NCCL is skipped.
"""

import json
import os
import unittest

from driver import BINARY, GOOD, RESOURCES, Outcome
from faults import FAULTS, TIMEOUT, aftermath
from gpu_driver import GPUS, GpuTest
from hosts import WIRE, Hosts, obstacle, wait_until

WHY_NOT = obstacle()
LONGEST = 120  # seconds of any job here, by far
TRANSPORTS = ("nccl", "mpi") if GPUS >= 2 else ("mpi",)
# The tests of several ranks, and some of them.
TESTS = os.environ.get("WAYFRONT_GPU_TESTS", "")
OVER_RANKS = ("DeviceExchangeOverRanks.*:SteppedOverRanks.OneSmall*:SteppedOverRanks.KroneckerGraph:SteppedOverRanks.EachSmallLevelHasARecord:"
              "Stepped/SsspOverRanks.OneSmall*:Stepped/SsspOverRanks.SmallRandomGraphs/*:GridOverRanks.OneSmall*")
# Each host has a GPU of its own if there are two.
ON_ITS_GPU = ("sh", "-c", f'CUDA_VISIBLE_DEVICES=$(($(hostname | tr -d h) % {max(GPUS, 1)})) exec "$@"', "sh")
ON_GPUS = ("--engine", "gpu", "--threads", "2", "--transport")
OVER_ETHERNET = ("-x", "NCCL_SOCKET_IFNAME=eth0", "-x", "NCCL_IB_DISABLE=1")


def start(hosts, *arguments, program=BINARY):
    return hosts.start(*ON_ITS_GPU, program, *arguments, options=OVER_ETHERNET)


class GpusOfHosts(GpuTest):
    LINKS = {}

    @classmethod
    def setUpClass(cls):
        if GPUS == 0:
            return
        cls.hosts = Hosts(2, **cls.LINKS)
        cls.addClassCleanup(cls.hosts.remove)

    def over_hosts(self, *arguments, program=BINARY):
        job = start(self.hosts, *arguments, program=program)
        out, err = job.communicate(timeout=LONGEST)
        outcome = Outcome(job.returncode, out, err)
        self.assertEqual(outcome.code, GOOD, outcome)
        self.assertTrue(wait_until(lambda: not self.hosts.left(), 10), self.hosts.left())
        return outcome

    def assert_as_on_the_cpu(self, *arguments, grid=(), check=("--validate",)):
        output = self.folder / "out.csv"

        def distances():
            """Levels or distances by vertex."""
            return [line.split(",")[:2] for line in output.read_text().splitlines()]

        self.good(*arguments, "-o", output, "--quiet", "--engine", "cpu")
        wanted = distances()
        for transport in TRANSPORTS:
            with self.subTest(arguments=arguments, transport=transport):
                output.unlink()
                self.over_hosts(*arguments, "-o", output, "--quiet", *check, *grid, *ON_GPUS, transport)
                self.assertEqual(distances(), wanted)

    def graph500(self, scale, transport):
        """The name of the transport in the report of a Graph500 run of both kernels."""
        report = self.folder / "report.json"
        outcome = self.over_hosts("graph500", "--scale", scale, "--keys", "4", "--kernel", "both", "--json", report, *ON_GPUS, transport)
        self.assertRegex(outcome.out, "all 8 searches valid")
        return json.loads(report.read_text())["search"]["transport"]


@unittest.skipIf(WHY_NOT, WHY_NOT)
class PlainLinks(GpusOfHosts):
    def test_breadth_first_searches(self):
        self.assert_as_on_the_cpu("bfs", "kron:16", "--source", "1")
        self.assert_as_on_the_cpu("bfs", "rmat:14,directed=1", "--source", "0")
        self.assert_as_on_the_cpu("bfs", "grid:60x60", "--source", "0")

    def test_shortest_paths(self):
        self.assert_as_on_the_cpu("sssp", "kron:16", "--weights", "uniform:1..255", "--source", "1")
        self.assert_as_on_the_cpu("sssp", "rmat:14,directed=1", "--weights", "uniform:1..255", "--source", "0")
        self.assert_as_on_the_cpu("sssp", "grid:60x60", "--weights", "uniform:1..99", "--source", "0", "--cutoff", "900", check=())

    def test_a_grid_of_columns(self):
        for graph in ("kron:14", "rmat:12,directed=1"):
            self.assert_as_on_the_cpu("bfs", graph, "--source", "1", grid=("--grid", "1x2"))
        self.assert_as_on_the_cpu("sssp", "kron:14", "--weights", "uniform:1..255", "--source", "1", grid=("--grid", "1x2"))

    @unittest.skipIf(TESTS == "", "the tests on GPUs were not built")
    def test_the_tests_of_several_ranks(self):
        outcome = self.over_hosts(f"--gtest_filter={OVER_RANKS}", "--gtest_brief=1", "--gtest_color=no", program=TESTS)
        self.assertRegex(outcome.out, r"\[  PASSED  \] [1-9]\d* tests")

    def test_graph500(self):
        self.assertEqual(self.graph500(18, "mpi"), "mpi (stepped, staged)")
        if GPUS >= 2:
            self.assertEqual(self.graph500(18, "nccl"), "nccl (stepped)")


@unittest.skipIf(WHY_NOT, WHY_NOT)
@unittest.skipIf(WIRE == "", "the program that shapes links was not built")
class SlowLinks(GpusOfHosts):
    LINKS = {"delay_us": 500, "mbit": 1000, "loss": 0.001}

    def test_searches(self):
        self.assert_as_on_the_cpu("bfs", "kron:14", "--source", "1")
        self.assert_as_on_the_cpu("sssp", "kron:14", "--weights", "uniform:1..255", "--source", "1")


@unittest.skipIf(WHY_NOT, WHY_NOT)
class HostsThatFail(GpuTest):
    """The other host's GPU waits for messages of the one that is gone: over NCCL, in a kernel."""

    WANTED = {
        "one rank is killed": (137, r"process rank 1 .* on node h1 exited on signal 9"),
        "one rank is stopped": (RESOURCES, r"error: host h1 \(rank 1\) has not answered for 4 seconds \(--timeout\)"),
        "the link is cut": (None, r"error: host h1 \(rank 1\) has not answered for 4 seconds \(--timeout\)"),
    }

    def test_the_job_ends_and_names_the_host(self):
        job = ("bfs", "kron:18", "--sources", "random:100000", "--timeout", TIMEOUT, "--json", self.folder / "out.json", *ON_GPUS)
        for transport in TRANSPORTS:
            for name, (code, message) in self.WANTED.items():
                with self.subTest(fault=name, transport=transport):
                    aftermath(FAULTS[name], lambda hosts, transport=transport: start(hosts, *job, transport)).check(self, code, message)


if __name__ == "__main__":
    unittest.main()
