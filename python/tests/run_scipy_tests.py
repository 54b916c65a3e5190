#!/usr/bin/env python3
"""Runs SciPy's own tests of shortest paths and traversals with the functions of wayfront.csgraph in
the place of SciPy's.

usage: run_scipy_tests.py [PYTEST OPTIONS]     exit code: pytest's

Tests of functions that wayfront does not have run SciPy's; they are counted apart. A test that cannot
pass is named below with its reason, and must fail: if it passes, this list is out of date.
"""

import importlib
import inspect
import sys

import pytest
import scipy.sparse.csgraph

import wayfront.csgraph

MODULES = ("test_shortest_path", "test_traversal")

#: Tests that cannot pass: the name of a function or of one of its cases, and why.
CANNOT_PASS: dict[str, str] = {}


class Replacement:
    """Puts the functions in place, and counts the tests that call them."""

    def __init__(self) -> None:
        self.calls = 0
        self.served: set[str] = set()
        self.failed: set[str] = set()
        for name in wayfront.csgraph.__all__:
            ours = getattr(wayfront.csgraph, name)
            setattr(scipy.sparse.csgraph, name, self.counted(ours) if inspect.isfunction(ours) else ours)

    def counted(self, function):
        def call(*arguments, **keywords):
            self.calls += 1
            return function(*arguments, **keywords)

        return call

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        before = self.calls
        try:
            return (yield)
        finally:
            if self.calls > before:
                self.served.add(item.nodeid)

    def pytest_collection_modifyitems(self, items):
        for item in items:
            reason = CANNOT_PASS.get(item.name) or CANNOT_PASS.get(item.originalname)
            if reason:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

    def pytest_terminal_summary(self, terminalreporter):
        ran = sum(len(terminalreporter.stats.get(kind, ())) for kind in ("passed", "failed", "xfailed"))
        terminalreporter.write_line(f"SciPy {scipy.__version__}: {ran} tests, {len(self.served)} of them called wayfront.csgraph")
        for name, reason in CANNOT_PASS.items():
            terminalreporter.write_line(f"cannot pass: {name}: {reason}")


def main() -> int:
    replacement = Replacement()
    paths = [importlib.import_module(f"scipy.sparse.csgraph.tests.{name}").__file__ for name in MODULES]
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", scipy.sparse.csgraph.__path__[0], "-c", "/dev/null",
                            *paths, *sys.argv[1:]], plugins=[replacement]))


if __name__ == "__main__":
    sys.exit(main())
