"""What the tests on GPUs share. A test is reported as skipped if there are too few GPUs; with
WAYFRONT_REQUIRE_GPU=1 in the environment, the tests for one GPU fail instead."""

import functools
import json
import os

from driver import DriverTest, count_gpus, read_csv, run

GPUS = count_gpus()
RANKS = [ranks for ranks in (1, 2, 4, 8) if ranks <= GPUS]
OVER_MPI = r"^mpi \(stepped, (staged|host memory|device memory)\)$"


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
