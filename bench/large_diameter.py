#!/usr/bin/env python3
"""Compares two breadth-first searches of graphs of large diameter on one GPU: near-far, which `wayfront bfs` takes for them, and levels, which it takes if
a direction is asked for. They run in turn.

usage: bench/large_diameter.py --output bench/results/FILE.json [--rounds 3] [--sources 64] [--program FILE] GRAPH...
Each GRAPH is a file or a spec; edges count in both directions. Prints medians, and writes the seconds of every search as JSON. Before the first round,
searches of each kind are validated. Exit code 1 if a search fails.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import side_by_side

WAYS = {"near-far": (), "levels": ("--direction", "top-down")}


def search(program, graph, sources, options):
    """The report of a job."""
    undirected = () if ":" in graph else ("--undirected",)
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [program, "bfs", graph, *undirected, "--sources", f"random:{sources}", "--engine", "gpu", "--quiet", "--json", str(report), *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": "0"}, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
        return json.loads(report.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("graphs", nargs="+", metavar="GRAPH")
    parser.add_argument("--output", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--program", default="build/release/src/app/wayfront")
    options = parser.parse_args()
    rows = []
    for graph in options.graphs:
        row = {"graph": pathlib.Path(graph).name, **{way: [] for way in WAYS}}
        for words in WAYS.values():
            search(options.program, graph, 16, [*words, "--validate"])
        for _ in range(options.rounds):
            for way, words in WAYS.items():
                report = search(options.program, graph, options.sources, words)
                row["vertices"], row["depth"] = report["graph"]["vertices"], max(each["depth"] for each in report["searches"])
                row[f"search of {way}"], row[f"construction of {way}"] = report["search"]["transport"], report["construction_seconds"]
                row[way].append([each["seconds"] for each in report["searches"]])
        rows.append(row)
        medians = {way: statistics.median(seconds for times in row[way] for seconds in times) * 1e3 for way in WAYS}
        print(f"{graph}: depth {row['depth']}, " + ", ".join(f"{way} {median:.3f} ms ({row[f'search of {way}']})" for way, median in medians.items()), flush=True)
    gpu = side_by_side.gpu_name()
    pathlib.Path(options.output).write_text(json.dumps({
        "title": "Breadth-first search of graphs of large diameter, near-far and levels in turn, one GPU", "date": datetime.date.today().isoformat(),
        "commit": side_by_side.commit(), "machine": {"gpu": gpu, **side_by_side.machine()}, "rounds": options.rounds, "sources": options.sources,
        "rows": rows}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
