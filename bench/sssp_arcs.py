#!/usr/bin/env python3
"""Counts the arcs that searches for shortest paths on the CPU look at: raw figures for docs/sssp.md.

usage: bench/sssp_arcs.py WAYFRONT > bench/results/sssp-arcs.json
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROADS = str(ROOT / "tests" / "data" / "USA-road-d.NY.gr.gz")
SOURCES = 8
REPEATS = 5
THREADS = (1, 2)
GRAPHS = [("kron:16", ()), ("kron:18", ()), ("kron:20", ()), ("rmat:18", ("--weights", "uniform:1..255")), (ROADS, ())]


def search(wayfront, graph, options, threads, sources=SOURCES, ranks=1):
    """The report of searches from random sources on the cores."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        launcher = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
        command = [*launcher, wayfront, "sssp", graph, *options, "--engine", "cpu", "--sources", f"random:{sources}", "--threads", str(threads), "--json", str(report), "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(report.read_text(encoding="utf-8"))


def arcs_of(report):
    return report["graph"]["edges"] * (1 if report["graph"]["directed"] else 2)


def count_arcs(wayfront):
    for graph, options in GRAPHS:
        for algorithm in ("bellman-ford", "delta-stepping", "push-pull"):
            for threads in THREADS:
                means = []
                for _ in range(REPEATS):
                    report = search(wayfront, graph, (*options, "--algorithm", algorithm), threads)
                    means.append(statistics.mean(one["relaxed_arcs"] + one["pulled_arcs"] for one in report["searches"]))
                yield {"graph": pathlib.Path(graph).name, "weights": options[1] if options else report["search"]["weights"], "algorithm": algorithm,
                       "threads": threads, "arcs": arcs_of(report), "looked_at": means}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())


def write_results(description, measure, title, **facts):
    """Prints what `measure` yields for the program that the command line names."""
    parser = argparse.ArgumentParser(description=description.split("\n", 1)[0])
    parser.add_argument("wayfront", help="the program")
    runs = list(measure(parser.parse_args().wayfront))
    commit = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True, check=False).stdout.strip()
    json.dump({"title": title, "date": datetime.date.today().isoformat(), "commit": commit, "machine": {"cpu": processor(), "cores": os.cpu_count()},
               "command": f"bench/{pathlib.Path(sys.argv[0]).name} wayfront", **facts, "runs": runs}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    write_results(__doc__, count_arcs, "Arcs that searches for shortest paths on the CPU look at", sources=SOURCES, repeats=REPEATS)
