"""GPUs that cannot be used although a driver is there; on machines without a GPU, too."""
import os
import pathlib
import unittest

from driver import RESOURCES, DriverTest

FOLDER = os.environ.get("WAYFRONT_OLD_DRIVER", "")  # of tests/cli/old_driver.cpp as libcuda.so.1
WHY = "CUDA driver version is insufficient for CUDA runtime version"


class OldDriver(DriverTest):
    def setUp(self):
        super().setUp()
        if not FOLDER:
            self.skipTest("no CUDA in this build")
        self.assertTrue((pathlib.Path(FOLDER) / "libcuda.so.1").exists(), FOLDER)
        self.env = {"LD_LIBRARY_PATH": f"{FOLDER}:{os.environ.get('LD_LIBRARY_PATH', '')}"}

    def test_is_told_where_a_gpu_was_asked_for(self):
        for ranks in (1, 2):
            message = self.fails(RESOURCES, "bfs", "ring:5", "--source", 1, "--engine", "gpu", ranks=ranks, env=self.env)
            self.assertIn(f"--engine gpu: no GPU can be used: {WHY}", message)

    def test_is_told_where_the_cores_do(self):
        for ranks in (1, 2):
            outcome = self.good("bfs", "ring:5", "--source", 1, ranks=ranks, env=self.env)
            self.assertIn("cpu engine", outcome.out)
            self.assertEqual(outcome.err.count(f"wayfront: note: the CPU searches, not the GPU: {WHY}\n"), 1, outcome)
        self.assertNotIn("wayfront: ", self.good("bfs", "ring:5", "--source", 1, "--engine", "cpu", env=self.env).err)


if __name__ == "__main__":
    unittest.main()
