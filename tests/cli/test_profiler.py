"""Phases as a profiler sees them: the NVTX ranges of builds with CUDA. The tests also run on machines without a GPU."""
import os
import pathlib
import unittest

from driver import DriverTest, count_gpus, run

LISTENER = os.environ.get("WAYFRONT_NVTX_LISTENER", "")  # tests/cli/nvtx_listener.cpp


class Ranges(DriverTest):
    def setUp(self):
        super().setUp()
        if not LISTENER:
            self.skipTest("no NVTX in this build")
        self.assertTrue(pathlib.Path(LISTENER).is_file(), LISTENER)

    def ranges(self, *arguments, **options):
        """Paths of the ranges of a run, in the order in which they began: "outer/inner"."""
        heard = self.folder / "heard.txt"
        self.good(*arguments, **options, env={"NVTX_INJECTION64_PATH": LISTENER, "NVTX_LISTENER_OUTPUT": str(heard)})
        paths, under_way = [], []
        lines = heard.read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "domain wayfront")
        for line in lines[1:]:
            if line == "end":
                under_way.pop()
                continue
            under_way.append(line.removeprefix("begin "))
            paths.append("/".join(under_way))
        self.assertEqual(under_way, [])
        return paths

    def test_bfs(self):
        paths = self.ranges("bfs", "ring:9", "--source", 0, "--engine", "cpu")
        self.assertEqual(paths[:2], ["load", "construct"])
        self.assertEqual(paths.count("level/search"), 5)
        self.assertEqual(paths.count("output"), 1)

    def test_with_a_trace(self):
        """The profiler sees the same ranges with and without a trace."""
        without = self.ranges("bfs", "ring:9", "--source", 0, "--engine", "cpu")
        self.assertEqual(self.ranges("bfs", "ring:9", "--source", 0, "--engine", "cpu", "--trace", self.folder / "trace.json"), without)

    def test_searches_on_a_gpu(self):
        if count_gpus() == 0:
            self.skipTest("no GPU here")
        options = ("graph500", "--scale", 12, "--keys", 2, "--engine", "gpu")
        paths = self.ranges(*options)
        self.assertIn("construct/count degrees", paths)
        self.assertEqual([paths.count(path) for path in ("search", "validate")], [3, 2])  # including the search that is not timed
        paths = self.ranges(*options, "--transport", "mpi")
        self.assertEqual(paths.count("search"), 3)
        self.assertGreater(paths.count("search/bottom-up level"), 2)
        self.assertGreater(paths.count("search/top-down level"), 2)

    def test_without_a_profiler(self):
        self.assertEqual(run("bfs", "ring:9", "--source", 0, "--engine", "cpu", env={"NVTX_INJECTION64_PATH": "/nonexistent"}).code, 0)


if __name__ == "__main__":
    unittest.main()
