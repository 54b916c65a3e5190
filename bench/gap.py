#!/usr/bin/env python3
"""Measures breadth-first search and shortest paths by the rules of the GAP benchmark suite (S. Beamer, K. Asanovic, D. Patterson, arXiv 1508.03619):
64 searches from random vertices of each graph, and their mean time. Beside wayfront, the suite's reference programs, if their folder is given.

usage: bench/gap.py --output bench/results/FILE.json [--gapbs FOLDER] [--scale 20] [--rounds 3] [--threads N] [--deltas 2,16,128] [--program FILE]
           [GRAPH...]

The suite's graphs kron and urand are generated, of 2^SCALE vertices (the suite says 27) and 16 edges a vertex: by the reference's converter, so that both
programs search the same graph, or without it by wayfront. The other graphs (road, twitter, web) are the user's files: each GRAPH is one that both
programs read (.sg, .wsg, .gr, .mtx, .el, .wel); arcs count in one direction, as in the suite. A file with weights is searched by both programs' shortest paths, too.
The programs run in turn; each draws its own sources. The reference's delta is the best of --deltas, found before. --gpu searches on a GPU, too.
Prints a line a graph and search, and writes all seconds as JSON, after each. Exit code 1 if a program fails, or if wayfront's --validate finds a wrong search.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import side_by_side

SEARCHES = 64
WEIGHTED = {".wsg", ".wel", ".gr"}


def run(command, **environment):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


class Wayfront:
    def __init__(self, options, engine):
        self.options, self.engine = options, engine

    def seconds(self, kernel, graph, searches=SEARCHES, words=()):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            run([self.options.program, kernel, graph, "--sources", f"random:{searches}", "--engine", self.engine, "--threads", str(self.options.threads),
                 "--quiet", "--json", str(report), *words])
            return [each["seconds"] for each in json.loads(report.read_text(encoding="utf-8"))["searches"]]


class Reference:
    """The suite's programs."""

    def __init__(self, options):
        self.options = options
        self.delta = {}

    def run(self, kernel, graph, searches, words=()):
        output = run([str(pathlib.Path(self.options.gapbs) / kernel), "-f", graph, "-n", str(searches), *words], OMP_NUM_THREADS=str(self.options.threads))
        return [float(taken) for taken in re.findall(r"^Trial Time:\s+([0-9.]+)", output, re.MULTILINE)]

    def seconds(self, kernel, graph):
        if kernel == "bfs":
            return self.run(kernel, graph, SEARCHES)
        if graph not in self.delta:
            self.delta[graph] = min(self.options.deltas, key=lambda delta: statistics.mean(self.run(kernel, graph, 4, ["-d", delta])))
        return self.run(kernel, graph, SEARCHES, ["-d", self.delta[graph]])


def generated(options, folder):
    """The graphs kron and urand: (name, the file or spec for each kernel, wayfront's options of weights)."""
    for name, flag, spec in (("kron", "-g", f"kron:{options.scale}"), ("urand", "-u", f"random:{2**options.scale},{16 * 2**options.scale}")):
        if not options.gapbs:
            yield f"{name}, scale {options.scale}", {"bfs": spec, "sssp": spec}, ("--weights", "uniform:1..255")
            continue
        files = {"bfs": f"{folder}/{name}.sg", "sssp": f"{folder}/{name}.wsg"}
        for kernel, file in files.items():
            run([str(pathlib.Path(options.gapbs) / "converter"), flag, str(options.scale), "-k", "16", *(["-w"] if kernel == "sssp" else []), "-b", file])
        yield f"{name}, scale {options.scale}", files, ()
        for file in files.values():
            os.remove(file)


def graphs(options, folder):
    yield from generated(options, folder)
    for file in options.graphs:
        kernels = ("bfs", "sssp") if pathlib.Path(file).suffix in WEIGHTED else ("bfs",)
        yield pathlib.Path(file).name, {kernel: file for kernel in kernels}, ()


def measure(options, programs, name, kernel, graph, weights):
    taken = {program: [] for program in programs}
    for program, each in programs.items():
        if isinstance(each, Wayfront):
            each.seconds(kernel, graph, 4, (*weights, "--validate"))
    for _ in range(options.rounds):
        for program, each in programs.items():
            taken[program].append(each.seconds(kernel, graph, words=weights) if isinstance(each, Wayfront) else each.seconds(kernel, graph))
    means = {program: statistics.median(statistics.mean(seconds) for seconds in rounds) for program, rounds in taken.items()}
    print(f"{name}: {kernel}: " + ", ".join(f"{program} {1e3 * mean:.3f} ms" for program, mean in means.items()), flush=True)
    row = {"graph": name, "kernel": kernel, "seconds": taken}
    if "GAPBS" in programs and kernel == "sssp":
        row["delta"] = programs["GAPBS"].delta[graph]
    return row


def write(options, rows):
    machine = side_by_side.machine()
    if options.gpu:
        machine["gpus"] = "1 x " + side_by_side.gpu_name()
    pathlib.Path(options.output).write_text(json.dumps({
        "title": "The GAP benchmark's rules: 64 searches of each graph, mean time of a search; each round", "date": datetime.date.today().isoformat(),
        "commit": side_by_side.commit(), "machine": machine, "threads": options.threads, "searches": SEARCHES, "rows": rows}, indent=1) + "\n",
        encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("graphs", nargs="*", metavar="GRAPH")
    parser.add_argument("--output", required=True)
    parser.add_argument("--gapbs", help="the folder of the suite's programs, built")
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--deltas", default="2,16,128,1024,8192,65536", type=lambda text: text.split(","))
    parser.add_argument("--gpu", action="store_true", help="searches on a GPU, too")
    parser.add_argument("--program", default="build/release/src/app/wayfront")
    options = parser.parse_args()
    programs = {"wayfront": Wayfront(options, "cpu")}
    if options.gpu:
        programs["wayfront on a GPU"] = Wayfront(options, "gpu")
    if options.gapbs:
        programs["GAPBS"] = Reference(options)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, files, weights in graphs(options, folder):
            for kernel, graph in files.items():
                rows.append(measure(options, programs, name, kernel, graph, weights if kernel == "sssp" else ()))
                write(options, rows)


if __name__ == "__main__":
    main()
