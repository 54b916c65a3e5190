#!/usr/bin/env python3
"""Counts the arcs that searches for shortest paths on the CPU look at: raw figures for docs/sssp.md.

usage: bench/sssp_arcs.py WAYFRONT [--threads N] > bench/results/sssp-arcs.json
"""
import argparse
import datetime
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROADS = str(ROOT / "tests" / "data" / "USA-road-d.NY.gr.gz")
SOURCES = 8
GRAPHS = [("kron:16", ()), ("kron:18", ()), ("kron:20", ()), ("rmat:18", ("--weights", "uniform:1..255")), (ROADS, ())]


def search(wayfront, graph, options, threads):
    """The report of searches from random sources."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [wayfront, "sssp", graph, *options, "--sources", f"random:{SOURCES}", "--threads", str(threads), "--json", str(report), "--quiet"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(report.read_text(encoding="utf-8"))


def arcs_of(report):
    return report["graph"]["edges"] * (1 if report["graph"]["directed"] else 2)


def count_arcs(wayfront, threads):
    for graph, options in GRAPHS:
        for algorithm in ("bellman-ford", "delta-stepping", "push-pull"):
            report = search(wayfront, graph, (*options, "--algorithm", algorithm), threads)
            looked_at = statistics.mean(one["relaxed_arcs"] + one["pulled_arcs"] for one in report["searches"])
            yield {"graph": pathlib.Path(graph).name, "weights": options[1] if options else report["search"]["weights"], "algorithm": algorithm,
                   "arcs": arcs_of(report), "looked_at": looked_at}


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("wayfront", help="the program")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    runs = list(count_arcs(options.wayfront, options.threads))
    commit = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True, check=False).stdout.strip()
    json.dump({"title": "Arcs that searches for shortest paths on the CPU look at", "date": datetime.date.today().isoformat(), "commit": commit,
               "machine": {"cpu": processor(), "cores": options.threads}, "command": "bench/sssp_arcs.py wayfront", "sources": SOURCES,
               "runs": runs}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
