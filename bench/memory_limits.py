#!/usr/bin/env python3
"""Runs wayfront with limited memory, and reports the cases in which the kernel killed it.

usage: bench/memory_limits.py [--scale S] BINARY [--cases N ...]

Each case of a table (subcommand, format, number of ranks) first runs without a limit, which
measures the peak of its control group, without the page cache. It then runs with limits that are
fractions of the peak. With too little memory the program should end with a message and exit code 3.
A run that ends with another exit code than 0 and 3 is reported, and makes this program's exit code
1. Needs the right to make control groups of the memory controller (version 1), below the group of
this process.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FRACTIONS = (0.5, 0.7, 0.8, 0.9, 1.1)
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none"}


def own_group():
    for line in pathlib.Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            return pathlib.Path("/sys/fs/cgroup/memory") / path.lstrip("/")
    sys.exit("there is no memory controller of version 1 here")


class Group:
    """A control group of its own for one run."""

    def __init__(self, limit):
        self.folder = own_group() / f"wayfront-{os.getpid()}"
        self.folder.mkdir()
        if limit:
            (self.folder / "memory.limit_in_bytes").write_text(str(limit), encoding="ascii")

    def __enter__(self):
        return self

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    def held_bytes(self):
        figures = dict(line.split() for line in (self.folder / "memory.stat").read_text(encoding="ascii").splitlines())
        return int(figures["total_rss"]) + int(figures["total_shmem"])

    def __exit__(self, *_):
        for _ in range(100):
            try:
                return self.folder.rmdir()
            except OSError:  # the last process is still ending
                time.sleep(0.1)
        raise OSError(f"{self.folder} is still in use")


def run(command, limit=None):
    """The exit code, the messages, and the largest amount of memory that was observed."""
    with Group(limit) as group:
        with tempfile.TemporaryFile("w+") as messages:
            with subprocess.Popen(command, env={**os.environ, **ENVIRONMENT}, preexec_fn=group.enter, stdout=subprocess.DEVNULL,
                                  stderr=messages, text=True) as process:
                peak = 0
                while process.poll() is None:
                    peak = max(peak, group.held_bytes())
                    time.sleep(0.005)
            messages.seek(0)
            return process.returncode, messages.read(), peak


def cases(binary, scale, folder):
    graph = f"kron:{scale}"
    edges = folder / "g.el.gz"
    metis = folder / "g.graph"
    for path in (edges, metis):
        subprocess.run([binary, "generate", graph, "-o", path, "--quiet"], check=True)
    return [["generate", graph, "-o", folder / "out.sg"],
            ["generate", graph, "--weights", "unit", "-o", folder / "out.wsg"],
            ["convert", graph, folder / "out.graph", "--no-weights"],
            ["convert", edges, folder / "out.sg"],
            ["info", edges],
            ["info", metis],
            ["bfs", graph, "--sources", "random:2", "--validate"],
            ["bfs", "grid:1000x1000", "--source", 0, "-o", folder / "out.json"],
            ["bfs", "grid:1000x1000", "--source", 0, "-o", folder / "out.npy", "--validate"],
            ["sssp", graph, "--sources", "random:2", "--validate"],
            ["sssp", "grid:1000x1000", "--source", 0, "-o", folder / "out.csv"],
            ["graph500", "--scale", scale, "--keys", 2],
            ["graph500", "--scale", scale, "--keys", 2, "--kernel", "both"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--cases", type=int, nargs="*", help="numbers of cases, from 0; all by default")
    parser.add_argument("binary")
    options = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        for number, words in enumerate(cases(options.binary, options.scale, pathlib.Path(name))):
            if options.cases and number not in options.cases:
                continue
            for ranks in (1, 3):
                command = [*(["mpirun", "-n", str(ranks)] if ranks > 1 else []), options.binary, *map(str, words)]
                code, messages, peak = run(command)
                if code != 0:
                    sys.exit(f"{command}: exit code {code} without a limit\n{messages}")
                codes = []
                for fraction in FRACTIONS:
                    code, messages, _ = run(command, int(fraction * peak))
                    codes.append(code)
                    bad += code not in (0, 3)
                print(f"{' '.join(map(str, words)):90.90} {ranks} ranks, peak {peak >> 20:5} MiB, exit codes", *codes, flush=True)
    print(f"{bad} runs ended with neither 0 nor 3")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
