"""Each allocation of the program, and each call of MPI, fails once: the program ends with exit code 0 and the right result, or with exit code 3 and a
message, and it does not hang.

Here a sample of the calls fails. All of them, which takes hours:
    WAYFRONT_ALL_FAULTS=1 ctest --test-dir build/release -R fault_injection
"""

import os
import unittest

from driver import RESOURCES
from fault_driver import ALL, JOBS, SAMPLE, WithFaults

# Dijkstra's algorithm searches on one rank.
OVER_RANKS = [name for name in JOBS if name != "dijkstra"]


class FailingAllocations(WithFaults):
    LIBRARY = "allocations"

    def test_one_rank(self):
        for name, words in JOBS.items():
            with self.subTest(job=name):
                self.expect_order(words, 1)

    def test_large_ones(self):
        for name, words in JOBS.items():
            with self.subTest(job=name):
                self.expect_order(words, 1, bytes=1024)

    def test_two_ranks(self):
        for name in OVER_RANKS if ALL else ("bfs", "push_pull", "apsp_summary", "graph500"):
            with self.subTest(job=name):
                self.expect_order(JOBS[name], 2, sample=SAMPLE // 4)


class FailingAllocationsOfTheLibrary(WithFaults):
    """The library throws an error, and neither prints nor ends the process; its objects can be used
    again, or throw again."""

    LIBRARY = "allocations"
    PROGRAM = os.environ.get("WAYFRONT_LIBRARY_JOB", "")

    def test_one_rank(self):
        self.expect_order([], 1, sample=1000)


class FailingMpi(WithFaults):
    LIBRARY = "mpi"

    def test_calls_that_return_an_error(self):
        for name in OVER_RANKS if ALL else ("bfs", "push_pull", "apsp_floyd_warshall", "graph500"):
            with self.subTest(job=name):
                self.expect_order(JOBS[name], 2, sample=SAMPLE // 4)

    def test_a_call_that_does_not_return_before_ranks_watch_each_other(self):
        outcome = self.run_with(["bfs", "kron:8", "--source", "1", "--timeout", "2"], 3, name="MPI_Comm_dup", call=1, fate="stuck")
        self.assertEqual(outcome.code, RESOURCES, outcome)
        self.assertRegex(outcome.messages[0], "connecting the ranks has taken more than 2 seconds")


if __name__ == "__main__":
    unittest.main()
