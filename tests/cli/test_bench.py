"""The scripts of bench/ that read what the program writes."""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest
import unittest.mock

from driver import BINARY, MPIEXEC, NO_GPU, DriverTest, environment

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
import tables


def script(name, *arguments):
    return subprocess.run([sys.executable, BENCH / name, *map(str, arguments)], env=environment(**NO_GPU), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=300, check=False)


class Levels(DriverTest):
    def test_searches(self):
        trace = self.folder / "trace.json"
        facts = self.folder / "facts.json"
        self.good("bfs", "kron:8", "--sources", "random:3", "--trace", trace, "--json", facts, "--engine", "cpu", ranks=2)
        done = script("levels.py", trace, "--searches", "--rank", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        expected = json.loads(facts.read_text())["searches"]
        self.assertEqual([[(level["direction"], level["vertices"]) for level in search["levels"]] for search in found],
                         [[(level["direction"], level["frontier"]) for level in search["levels"]] for search in expected])
        for search in found:
            self.assertGreaterEqual(search["microseconds"], sum(level["microseconds"] for level in search["levels"]))


class Figures(DriverTest):
    def figures(self, *arguments):
        output = self.folder / "figures.json"
        done = script("figures.py", "--title", "a test", "--scale", 6, "--keys", 3, "--output", output, "--program", BINARY, "--mpirun",
                      shlex.quote(MPIEXEC), *arguments)
        return done, json.loads(output.read_text()) if output.exists() else None

    @staticmethod
    def searches_of(run):
        return [dict(zip(run["searches"]["columns"], row)) for row in run["searches"]["rows"]]

    def test_on_cpus(self):
        done, document = self.figures("--ranks", 1, 4, "--engines", "cpu", "--", "--grid", "auto")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(run["engine"], run["ranks"], run["scale"], len(run["searches"]["rows"])) for run in document["runs"]],
                         [("cpu", 1, 6, 3), ("cpu", 4, 8, 3)])
        alone, four = document["runs"]
        for row in alone["searches"]["rows"]:
            self.assertIn(json.dumps(row)[1:-1], (self.folder / "figures.json").read_text(), "a line each")
        self.assertEqual(alone["figures"]["communication_seconds"]["max"], 0)
        for run in (alone, four):
            for search in self.searches_of(run):
                parts = [search[name] for name in ("computation_seconds", "communication_least_seconds", "output_seconds")]
                self.assertTrue(all(part >= 0 for part in parts), search)
                self.assertLessEqual(search["communication_least_seconds"], search["communication_seconds"])
                self.assertLessEqual(max(search["computation_seconds"], search["communication_seconds"]), search["seconds"])
        self.assertTrue(all(search["communication_least_seconds"] > 0 for search in self.searches_of(four)))
        self.assertIn("wayfront graph500 --scale 8 ", four["command"])
        tables.RESULTS = self.folder
        table = tables.figures("figures.json").splitlines()
        self.assertIn("CPU only: GTEPS", table[0])
        self.assertEqual([line.split(" | ")[0] for line in table[2:4]], ["| 1", "| 4"])
        self.assertEqual(len({line.count(" | ") for line in (table[0], table[2], table[3])}), 1)

    def test_engines_that_are_not_there(self):
        done, document = self.figures("--ranks", 1, "--engines", "gpu", "--transport", "p2p")
        self.assertEqual((done.returncode, document), (1, None))
        self.assertIn("--engine gpu", done.stderr)
        done, document = self.figures("--ranks", 1, "--engines", "gpu", "cpu", "--skip-missing", "--transport", "p2p")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([run["engine"] for run in document["runs"]], ["cpu"])
        self.assertEqual([(run["engine"], run["ranks"]) for run in document["missing"]], [("gpu", 1)])
        done, document = self.figures("--ranks", 1, "--engines", "resident")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(([], 1), (document["runs"], len(document["missing"])))

    def test_ranks_that_would_share_a_gpu_are_left_out(self):
        smi = self.folder / "nvidia-smi"
        smi.write_text("#!/bin/sh\necho Some GPU\n")
        smi.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"}):
            done, document = self.figures("--ranks", 2, "--engines", "resident")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(document["machine"]["gpus"], "1 x Some GPU")
        self.assertEqual(document["missing"], [{"engine": "resident", "ranks": 2, "message": "several ranks share a GPU"}])

    def test_a_wrong_option_is_never_left_out(self):
        done, _ = self.figures("--ranks", 1, "--engines", "cpu", "--skip-missing", "--", "--frobnicate")
        self.assertEqual(done.returncode, 1)
        self.assertIn("frobnicate", done.stderr)

    def test_a_run_over_the_limit(self):
        done, _ = self.figures("--ranks", 1, "--engines", "cpu", "--limit", "0.001")
        self.assertEqual(done.returncode, 1)
        self.assertIn("took longer than", done.stderr)


if __name__ == "__main__":
    unittest.main()
