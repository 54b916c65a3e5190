"""Each call of CUDA's runtime, or of MPI, fails once, in searches on one GPU and on two: the program ends with exit code 0 and the right result, or with exit code 3
and a message; it does not hang, and keeps no memory of the GPU.

Here a sample of the calls fails; with WAYFRONT_ALL_FAULTS=1 in the environment, all of them.
"""

import unittest

from fault_driver import ALL, SAMPLE, WithFaults
from gpu_driver import GpuTest

JOBS = {
    "bfs": ["bfs", "kron:14", "--source", "1", "-o", "OUT.csv", "--engine", "gpu", "--validate"],
    "bfs_stepped": ["bfs", "kron:14", "--source", "1", "-o", "OUT.csv", "--engine", "gpu", "--transport", "mpi"],
    "bfs_directed": ["bfs", "random:2000,8000,directed=1", "--source", "1", "-o", "OUT.csv", "--engine", "gpu"],
    "bfs_near_far": ["bfs", "grid:200x200", "--sources", "random:16", "--validate", "--engine", "gpu"],
    "sssp": ["sssp", "kron:14", "--source", "1", "-o", "OUT.csv", "--engine", "gpu", "--validate"],
    "sssp_roads": ["sssp", "grid:300x300", "--weights", "uniform:1..99", "--source", "1", "-o", "OUT.csv", "--engine", "gpu", "--algorithm", "near-far"],
    "apsp_floyd_warshall": ["apsp", "random:300,3000", "--weights", "uniform:1..9", "-o", "OUT.npy", "--engine", "gpu", "--algorithm", "floyd-warshall"],
    "apsp_rows": ["apsp", "random:300,3000", "-o", "OUT.npy", "--engine", "gpu"],
    "graph500": ["graph500", "--scale", "12", "--keys", "2", "--kernel", "both", "--engine", "gpu"],
}
ON_ONE_GPU = ("sssp_roads",)  # near-far runs on one rank


class FailingCuda(WithFaults, GpuTest):
    LIBRARY = "cuda"

    def expect_nothing_kept(self, words, ranks, call):
        """After a failure that unwinds the stack, everything has been freed."""
        outcome = self.run_with(words, ranks, call=call, count=self.folder / "count")
        calls, live = map(int, (self.folder / "count").read_text().split())
        self.assertEqual(live, 0, f"{live} objects are left after call {call} of {calls} has failed: {outcome}")

    def test_one_gpu(self):
        for name, words in JOBS.items():
            with self.subTest(job=name):
                self.expect_order(words, 1)

    def test_memory_is_freed(self):
        for name, words in JOBS.items():
            with self.subTest(job=name):
                calls, _ = self.count(words, 1)
                for call in range(1, calls + 1, 1 if ALL else max(1, calls // SAMPLE)):
                    self.expect_nothing_kept(words, 1, call)


class FailingCudaOnTwoGpus(WithFaults, GpuTest):
    LIBRARY = "cuda"
    GPUS_WANTED = 2

    def test_calls(self):
        for name, words in JOBS.items():
            if name in ON_ONE_GPU:
                continue
            with self.subTest(job=name):
                self.expect_order(words, 2, sample=SAMPLE // 4)


class FailingMpiOnTwoGpus(WithFaults, GpuTest):
    """Also where ranks find out whether they reach each other's GPUs, and where they give the memory back."""

    LIBRARY = "mpi"
    GPUS_WANTED = 2

    def test_calls_that_return_an_error(self):
        for name in ("bfs", "sssp", "apsp_floyd_warshall"):
            with self.subTest(job=name):
                self.expect_order(JOBS[name], 2, sample=2 * SAMPLE)


if __name__ == "__main__":
    unittest.main()
