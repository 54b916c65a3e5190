"""GPUs that cannot be used although there is a driver. The tests also run on machines without a GPU."""
import os
import pathlib
import subprocess
import unittest

from driver import MPIEXEC, RESOURCES, DriverTest, command, environment

FOLDER = os.environ.get("WAYFRONT_OLD_DRIVER", "")  # contains tests/cli/old_driver.cpp as libcuda.so.1
# Searches for which --engine auto starts a GPU.
MANY = ("bfs", "grid:500x500", "--sources", "random:120")
WHY = "CUDA driver version is insufficient for CUDA runtime version"


class OldDriver(DriverTest):
    def setUp(self):
        super().setUp()
        if not FOLDER:
            self.skipTest("no CUDA in this build")
        self.assertTrue((pathlib.Path(FOLDER) / "libcuda.so.1").exists(), FOLDER)
        self.env = {"LD_LIBRARY_PATH": f"{FOLDER}:{os.environ.get('LD_LIBRARY_PATH', '')}"}

    def test_error_if_a_gpu_is_requested(self):
        for ranks in (1, 2):
            message = self.fails(RESOURCES, "bfs", "ring:5", "--source", 1, "--engine", "gpu", ranks=ranks, env=self.env)
            self.assertIn(f"--engine gpu: no GPU can be used: {WHY}", message)

    def test_note_if_the_cores_search(self):
        for ranks in (1, 2):
            outcome = self.good(*MANY, ranks=ranks, env=self.env)
            self.assertIn("cpu engine", outcome.out)
            self.assertEqual(outcome.err.count(f"wayfront: note: the search runs on the CPU, not on the GPU: {WHY}\n"), 1, outcome)
        self.assertNotIn("wayfront: ", self.good(*MANY, "--engine", "cpu", env=self.env).err)

    def test_no_note_where_no_gpu_would_be_started(self):
        self.assertNotIn("wayfront: ", self.good("bfs", "ring:5", "--source", 1, env=self.env).err)

    def test_on_one_rank_of_two(self):
        program = command(MANY)
        done = subprocess.run([MPIEXEC, "-n", "1", *program, ":", "-n", "1", "env", f"LD_LIBRARY_PATH={self.env['LD_LIBRARY_PATH']}", *program],
                              env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr.count(f"wayfront: note: the search runs on the CPU, not on the GPU: {WHY} (rank 1)\n")), (0, 1), done)

    def test_gpus_that_the_user_hides(self):
        for hidden in ("", "-1"):
            self.assertNotIn("wayfront: ", self.good(*MANY, env={**self.env, "CUDA_VISIBLE_DEVICES": hidden}).err)


if __name__ == "__main__":
    unittest.main()
