"""How the program starts: as one process, also under a debugger, and with every rank's failure reported."""

import os
import re
import shutil
import subprocess
import unittest

from driver import BINARY, DATA, GOOD, RESOURCES, DriverTest, environment, run
from fault_driver import WithFaults

SANITIZED = os.environ.get("WAYFRONT_SANITIZE", "") != ""


class OneProcess(unittest.TestCase):
    def test_openmp_reads_how_threads_wait_when_it_is_loaded(self):
        for threads, wanted in ((1, None), (4096, "0")):
            outcome = run("info", "--help", "--threads", threads, env={"OMP_DISPLAY_ENV": "verbose", "PWD": "/"})
            counts = re.findall(r"GOMP_SPINCOUNT = '(\d+)'", outcome.err)
            self.assertEqual(len(counts), 1, "the program starts once, with GNU's OpenMP runtime")
            if wanted:
                self.assertEqual(counts, [wanted])

    def test_the_program_keeps_its_process(self):
        with subprocess.Popen([BINARY, "bfs", "kron:8", "--source", "1", "--threads", "2", "--json", "/dev/stdout", "--quiet"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment(PWD="/")) as process:
            out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, GOOD, err)

    def test_the_loader_starts_the_program(self):
        loader = re.search(r"interpreter: (\S+)\]", subprocess.run(["readelf", "-l", BINARY], stdout=subprocess.PIPE, text=True).stdout)
        if not loader:
            self.skipTest("the loader is unknown")
        finished = subprocess.run([loader[1], BINARY, "info", "ring:5", "--threads", "2"], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(finished.returncode, GOOD, finished.stderr)
        self.assertIn("ring:5", finished.stdout)

    @unittest.skipIf(SANITIZED or not shutil.which("valgrind"), "valgrind is not installed, or the build has sanitizers")
    def test_valgrind_sees_the_program_that_it_starts(self):
        graph = DATA / "new-york.gr.gz"
        for words in (["bfs", graph, "--source", "1"], ["sssp", graph, "--source", "1"], ["apsp", graph, "--sources", "random:20"], ["convert", graph, "/dev/null", "--output-format", "el"]):
            with self.subTest(words=words):
                finished = subprocess.run(["valgrind", "--error-exitcode=99", BINARY, *map(str, words), "--threads", "2"], env=environment(), stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, text=True, errors="replace", timeout=300)
                if "unrecognised instruction" in finished.stderr or "unhandled instruction" in finished.stderr:
                    self.skipTest("valgrind does not know all instructions of this machine; WAYFRONT_ARCH=x86-64-v3 avoids them")
                self.assertEqual(finished.returncode, GOOD, finished.stderr)
                self.assertRegex(finished.stderr, r"ERROR SUMMARY: 0 errors")


class RanksThatFailAtTheStart(WithFaults):
    LIBRARY = "allocations"

    def test_a_rank_without_memory_for_its_options_ends_the_job(self):
        words = ["bfs", "kron:8", "--source", "1"]
        for rank in (0, 1):
            for call in (1, 5, 100):
                with self.subTest(rank=rank, call=call):
                    outcome = self.run_with(words, 2, call=call, rank=rank)
                    self.assertEqual(outcome.code, RESOURCES, outcome)
                    self.assertIn("out of memory", outcome.messages[0])
                    self.assertEqual(len(outcome.messages), 1, outcome)


class Stuck(DriverTest):
    def test_a_program_that_does_not_end_is_described(self):
        """Nobody writes into the pipe, so the program waits when it opens its graph."""
        pipe = self.folder / "graph.el"
        os.mkfifo(pipe)
        for ranks in 1, 2:
            with self.subTest(ranks=ranks), self.assertRaisesRegex(AssertionError, "did not end within 3 s") as caught:
                run("bfs", pipe, "--source", "0", ranks=ranks, timeout=3)
            self.assertRegex(str(caught.exception), rf"process \d+: {re.escape(BINARY)} bfs {re.escape(str(pipe))}.*\n  thread \d+: state [SD], in \S+, system call \S+")


if __name__ == "__main__":
    unittest.main()
