"""Runs jobs in which one call of a library fails (tests/faults), and checks that they end in order.

Environment variables, which tests/CMakeLists.txt sets:
    WAYFRONT_FAILING_ALLOCATIONS, WAYFRONT_FAILING_MPI, WAYFRONT_FAILING_CUDA
                            the libraries to preload; tests that need one are skipped if it is missing
    WAYFRONT_ALL_FAULTS     each call fails once, instead of a sample of the calls
"""

import os
import subprocess

from driver import BINARY, GOOD, MPIEXEC, RESOURCES, DriverTest, Outcome, environment

LIBRARIES = {name: os.environ.get(f"WAYFRONT_FAILING_{name.upper()}", "") for name in ("allocations", "mpi", "cuda")}
ALL = os.environ.get("WAYFRONT_ALL_FAULTS", "") != ""
SAMPLE = 20
LIMIT_SECONDS = 20

# The jobs. "OUT" stands for the file of the results.
JOBS = {
    "bfs": ["bfs", "kron:9", "--source", "1", "-o", "OUT.csv", "--validate"],
    "bfs_deterministic": ["bfs", "kron:9", "--source", "1", "-o", "OUT.csv", "--deterministic"],
    "dijkstra": ["sssp", "kron:8", "--source", "1", "-o", "OUT.csv", "--algorithm", "dijkstra", "--validate"],
    "delta_stepping": ["sssp", "kron:13", "--source", "1", "-o", "OUT.csv", "--algorithm", "delta-stepping", "--threads", "2"],
    "push_pull": ["sssp", "kron:13", "--source", "1", "-o", "OUT.csv", "--algorithm", "push-pull", "--threads", "2"],
    "bellman_ford": ["sssp", "kron:9", "--source", "1", "-o", "OUT.csv", "--algorithm", "bellman-ford", "--threads", "2"],
    "apsp_summary": ["apsp", "random:300,1200", "--summary", "--json", "OUT.json", "--threads", "2"],
    "apsp_rows": ["apsp", "random:300,1200", "-o", "OUT.npy", "--weights", "uniform:1..9", "--algorithm", "dijkstra", "--threads", "2"],
    "apsp_elimination": ["apsp", "grid:20x20", "-o", "OUT.npy", "--predecessors", "OUT.p.npy", "--algorithm", "elimination", "--threads", "2"],
    "apsp_floyd_warshall": ["apsp", "grid:12x12", "-o", "OUT.npy", "--predecessors", "OUT.p.npy", "--algorithm", "floyd-warshall", "--threads", "2"],
    "graph500": ["graph500", "--scale", "8", "--keys", "2", "--kernel", "both"],
    "generate": ["generate", "kron:8", "-o", "OUT.tuples"],
    "convert": ["convert", "IN.gr", "OUT.mtx"],
    "info": ["info", "IN.gr"],
}
INPUT = "p sp 6 7\na 1 2 3\na 2 3 4\na 3 4 1\na 4 5 2\na 5 6 9\na 6 1 1\na 2 5 6\n"


class WithFaults(DriverTest):
    LIBRARY = ""
    PROGRAM = BINARY

    def setUp(self):
        super().setUp()
        if not LIBRARIES[self.LIBRARY]:
            self.skipTest("a build with sanitizers, or without CUDA")
        (self.folder / "IN.gr").write_text(INPUT)

    def run_with(self, words, ranks, **fault):
        """Runs a job with a fault, on the last of its ranks unless `rank` says another. Returns the outcome; that of a job that
        hangs has no exit code."""
        for file in self.folder.glob("OUT*"):
            file.unlink()
        words = [str(self.folder / word) if word.startswith(("OUT.", "IN.")) else word for word in words]
        values = {"LD_PRELOAD": LIBRARIES[self.LIBRARY], **{f"WAYFRONT_FAULT_{name.upper()}": str(value) for name, value in fault.items()}}
        if ranks == 1:
            program, variables = [self.PROGRAM, *words], values
        else:
            values.setdefault("WAYFRONT_FAULT_RANK", str(ranks - 1))
            exports = [part for name, value in values.items() for part in ("-x", f"{name}={value}")]
            program, variables = [MPIEXEC, "-n", str(ranks), *exports, self.PROGRAM, *words], {}
        with subprocess.Popen(program, env=environment(**variables), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", start_new_session=True) as process:
            try:
                out, err = process.communicate(timeout=LIMIT_SECONDS)
                return Outcome(process.returncode, out, err)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                out, err = process.communicate()
                return Outcome(None, out, err)

    def results(self):
        """The contents of the result files; of text, the first two columns: trees are not unique."""
        found = {}
        for file in sorted(self.folder.glob("OUT*")):
            if file.suffix == ".csv":
                found[file.name] = [line.split(",")[:2] for line in file.read_text().splitlines()]
            elif file.suffix == ".npy" and ".p." not in file.name:
                found[file.name] = file.read_bytes()
            else:
                found[file.name] = None
        return found

    def count(self, words, ranks, **fault):
        """The number of calls that may fail, and the results of the job in which none does."""
        outcome = self.run_with(words, ranks, count=self.folder / "count", **fault)
        self.assertEqual(outcome.code, GOOD, outcome)
        return int((self.folder / "count").read_text().split()[0]), self.results()

    def expect_order(self, words, ranks, sample=SAMPLE, **fault):
        calls, right = self.count(words, ranks, **fault)
        self.assertGreater(calls, 0)
        step = 1 if ALL else max(1, calls // sample)
        failures = []
        for call in range(1, calls + 1, step):
            outcome = self.run_with(words, ranks, call=call, **fault)
            if outcome.code == GOOD and self.results() == right:
                continue
            if outcome.code == RESOURCES and outcome.messages and not list(self.folder.glob("*.part-*")):
                continue
            failures.append(f"call {call} of {calls}: {outcome}")
        self.assertFalse(failures, f"{len(failures)} of {(calls + step - 1) // step} runs: " + "\n".join(failures[:3]))
