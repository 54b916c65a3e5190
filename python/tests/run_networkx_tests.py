#!/usr/bin/env python3
"""Runs NetworkX's own tests with wayfront as its backend, and without.

usage: run_networkx_tests.py [--all] [PYTEST OPTIONS]
           --all: all tests; by default those of the modules of shortest paths and searches

Graphs of tests are converted for every call, of whatever size, and NetworkX answers calls that the
backend refuses. The backend marks tests that expect one of several right results; they are named.
Exit code 1: a test fails with the backend that passes without it, or the backend answered no call.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import networkx
import pytest

FOLDER = pathlib.Path(networkx.__file__).parent

#: The modules in whose tests the backend answers most calls.
FIELD = [
    "algorithms/centrality/tests/test_closeness_centrality.py",
    "algorithms/centrality/tests/test_harmonic_centrality.py",
    "algorithms/components/tests",
    "algorithms/shortest_paths/tests",
    "algorithms/tests/test_cycles.py",
    "algorithms/tests/test_dag.py",
    "algorithms/tests/test_distance_measures.py",
    "algorithms/tests/test_efficiency.py",
    "algorithms/tests/test_wiener.py",
    "algorithms/traversal/tests",
]


class Outcomes:
    """Notes the outcome of each test, and the calls that the backend answered in it."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}
        self.calls: collections.Counter[str] = collections.Counter()
        self.served: set[str] = set()

    def count(self, backend) -> None:
        """Puts functions that count in the place of the backend's."""
        for name in backend.SERVED:
            setattr(backend, name, self.counted(name, getattr(backend, name)))

    def counted(self, name, function):
        def call(*arguments, **keywords):
            result = function(*arguments, **keywords)
            self.calls[name] += 1
            return result

        return call

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        before = self.calls.total()
        try:
            return (yield)
        finally:
            if self.calls.total() > before:
                self.served.add(item.nodeid)

    def pytest_runtest_logreport(self, report):
        if report.failed or report.skipped or report.when == "call":
            self.outcomes[report.nodeid] = report.outcome

    def pytest_collectreport(self, report):
        if report.failed:
            self.outcomes[report.nodeid] = report.outcome


def run(report: str, options: list[str]) -> int:
    """Runs pytest in this process, and writes what was noted."""
    outcomes = Outcomes()
    if "NETWORKX_TEST_BACKEND" in os.environ:
        import nx_wayfront.backend

        outcomes.count(nx_wayfront.backend)
    code = pytest.main(["-q", "--tb=short", "-p", "no:cacheprovider", *options], plugins=[outcomes])
    pathlib.Path(report).write_text(json.dumps({"outcomes": outcomes.outcomes, "calls": outcomes.calls,
                                                "served": sorted(outcomes.served)}))
    return int(code)


class Process:
    """A process of its own that runs the tests. Its outcomes are those that it noted."""

    def __init__(self, report: pathlib.Path, options: list[str], **environment: str) -> None:
        self.report = report
        # Waiting threads leave the cores to the other process; graphs of tests are small.
        given = {name: value for name, value in os.environ.items() if not name.startswith("NETWORKX_")}
        self.process = subprocess.Popen([sys.executable, __file__, "--run", str(report), *options], text=True,
                                        env={"OMP_NUM_THREADS": "1"} | given | environment, stdout=subprocess.PIPE)

    def outcomes(self) -> dict:
        output, _ = self.process.communicate()
        if self.process.returncode != 0:
            print(output)
        if not self.report.exists():
            sys.exit("the tests did not run to their end")
        return json.loads(self.report.read_text())


def failures(outcomes: dict) -> set[str]:
    return {test for test, outcome in outcomes["outcomes"].items() if outcome == "failed"}


def main() -> int:
    everything = sys.argv[1:2] == ["--all"]
    options = [*([str(FOLDER)] if everything else [str(FOLDER / path) for path in FIELD]), *sys.argv[1 + everything:]]
    with tempfile.TemporaryDirectory() as folder:
        reports = pathlib.Path(folder)
        processes = [Process(reports / "without", options),
                     Process(reports / "with", options, NETWORKX_TEST_BACKEND="wayfront", NETWORKX_FALLBACK_TO_NX="True")]
        without, found = (process.outcomes() for process in processes)
    new = sorted(failures(found) - failures(without))
    for test in new:
        print(f"fails with wayfront only: {test}")
    missing = sorted(without["outcomes"].keys() - found["outcomes"].keys())
    for test in missing:
        print(f"did not run with wayfront: {test}")
    marked = sorted(test for test, outcome in found["outcomes"].items()
                    if outcome == "skipped" and without["outcomes"].get(test) == "passed")
    for test in marked:
        print(f"expects one of several right results: {test}")
    calls = found["calls"]
    print(f"NetworkX {networkx.__version__}: {len(found['outcomes'])} tests, {len(new)} fail with wayfront only, {len(marked)} expect one of "
          f"several right results; wayfront answered {sum(calls.values())} calls of {len(calls)} functions in {len(found['served'])} of them")
    return 1 if new or missing or not calls else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[2], sys.argv[3:]) if sys.argv[1:2] == ["--run"] else main())
