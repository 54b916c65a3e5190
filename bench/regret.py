#!/usr/bin/env python3
"""Compares what `auto` chooses with every method that can do the same work: the regret of a cell is auto's time by the time of the fastest method.
On each engine `auto` chooses a method. With both engines, there is a cell for the choice between them, too, by the times of whole commands, since
the start of a GPU takes longer than many searches.

usage: bench/regret.py --output bench/results/FILE.json [--engines cpu,gpu] [--threads N] [--sources 16] [--large]
           [--idle-wait SECONDS] [--program FILE] [--only REGEX] [FILE...]

The graphs are generated: Kronecker and R-MAT graphs, uniform and regular ones, grids, meshes, trees, stars, paths, cliques with tails, whiskers,
bipartite graphs, many components. FILEs, such as maps of roads, are measured, too; their edges count in both directions. The work: breadth-first
searches and shortest paths from random sources (medians of the searches), and distances from 64 sources and from all, summed up. auto and all
methods within 1.2 of the fastest run three times; medians count. Prints a line a cell, and writes all times as JSON, after each graph. Exit code 1 if auto
fails.
"""
import argparse
import datetime
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

import side_by_side

SSSP = ("dijkstra", "delta-stepping", "bellman-ford", "push-pull")
APSP = ("dijkstra", "delta-stepping", "push-pull", "elimination", "combined", "bit-parallel", "floyd-warshall")
METHODS = {  # by engine and subcommand: options of each method
    ("cpu", "bfs"): [("--direction", way) for way in ("auto", "top-down", "bottom-up")],
    ("cpu", "sssp"): [("--algorithm", name) for name in SSSP],
    ("cpu", "apsp"): [("--algorithm", name) for name in APSP],
    ("gpu", "bfs"): [("--direction", way) for way in ("auto", "top-down", "bottom-up")],
    ("gpu", "sssp"): [("--algorithm", name) for name in (*SSSP[1:], "near-far")],
    ("gpu", "apsp"): [("--algorithm", name) for name in (*APSP[2:], "block")],
}
LONGEST = 3  # seconds for a method, at least; ten times auto's time if that is longer
MOST_OF_ALL = 5000  # vertices of graphs from all of which distances are summed up


def mesh(rows, columns, rng):
    """A triangulated grid whose vertices are moved; weights are lengths."""
    place = [(r + rng.uniform(-0.3, 0.3), c + rng.uniform(-0.3, 0.3)) for r in range(rows) for c in range(columns)]
    for r in range(rows):
        for c in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1)):
                if r + down < rows and c + right < columns:
                    a, b = r * columns + c, (r + down) * columns + c + right
                    yield a, b, 1 + int(1000 * ((place[a][0] - place[b][0]) ** 2 + (place[a][1] - place[b][1]) ** 2) ** 0.5)


def geometric(count, degree, rng):
    """Points of a square, joined to those within a radius; weights are lengths."""
    cells = int((count / degree) ** 0.5)
    points = [(rng.random() * cells, rng.random() * cells) for _ in range(count)]
    of_cell = {}
    for v, (x, y) in enumerate(points):
        of_cell.setdefault((int(x), int(y)), []).append(v)
    for v, (x, y) in enumerate(points):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                for u in of_cell.get((int(x) + dx, int(y) + dy), ()):
                    length = ((points[u][0] - x) ** 2 + (points[u][1] - y) ** 2) ** 0.5
                    if u < v and length < 0.6:
                        yield v, u, 1 + int(1000 * length)


def weighted(edges, rng, most=255):
    for a, b in edges:
        yield a, b, rng.randint(1, most)


def tree(count, rng):
    return weighted(((v, rng.randrange(v)) for v in range(1, count)), rng)


def binary_tree(count, rng):
    return weighted(((v, (v - 1) // 2) for v in range(1, count)), rng)


def cube(side, rng):
    def edges():
        for v in range(side**3):
            for step, at in ((1, v % side), (side, v // side % side), (side * side, v // side // side)):
                if at + 1 < side:
                    yield v, v + step
    return weighted(edges(), rng)


def clique_with_tail(clique, tail, rng):
    edges = [(a, b) for a in range(clique) for b in range(a)] + [(v, v - 1) for v in range(clique, clique + tail)]
    return weighted(edges, rng)


def cliques_in_a_chain(cliques, size, rng):
    edges = [(c * size + a, c * size + b) for c in range(cliques) for a in range(size) for b in range(a)] + [(c * size, c * size - 1) for c in range(1, cliques)]
    return weighted(edges, rng)


def clique_with_tails(clique, tails, length, rng):
    edges = [(a, b) for a in range(clique) for b in range(a)]
    for tail in range(tails):
        first = clique + tail * length
        edges += [(first, tail)] + [(v, v - 1) for v in range(first + 1, first + length)]
    return weighted(edges, rng)


def clusters(count, size, rng):
    """Small clusters of light edges, joined by heavy ones."""
    for c in range(count):
        for a in range(size):
            for b in range(a):
                yield c * size + a, c * size + b, rng.randint(1, 3)
            yield c * size + a, rng.randrange(count * size), rng.randint(10**4, 10**6)


def whiskers(core, degree, paths, length, rng):
    """A graph whose degrees follow a power law, with long paths that begin at random vertices of it."""
    ends, edges = [0], []
    for v in range(1, core):
        for _ in range(degree):
            u = rng.choice(ends)
            if u != v:
                edges.append((v, u))
                ends += [u, v]
    for path in range(paths):
        at = rng.randrange(core)
        for v in range(core + path * length, core + (path + 1) * length):
            edges.append((v, at))
            at = v
    return weighted(edges, rng)


def bipartite(left, right, count, rng):
    return weighted(((rng.randrange(left), left + rng.randrange(right)) for _ in range(count)), rng)


def components(count, size, rng):
    return weighted(((first * size + a, first * size + b) for first in range(count) for a in range(size) for b in range(a) if rng.random() < 0.4), rng)


def heavy_tailed(edges, rng):
    for a, b, _ in edges:
        yield a, b, 1 + int(rng.paretovariate(0.7))


SPECS = ("kron:10", "kron:14", "kron:18", "rmat:12", "rmat:15", "rmat:16,directed=1", "random:1000,4000", "random:5000,100000", "random:60000,240000",
         "random:200000,1000000", "random:50000,800000,directed=1", "regular:4096,3", "regular:100000,4", "regular:20000,64", "ring:4608", "path:20000",
         "star:100000", "complete:300", "complete:2000", "grid:30x30", "grid:300x300", "grid:4x20000")
LARGE_SPECS = ("kron:22", "rmat:22,directed=1", "random:4000000,32000000", "grid:1500x1500")
FILES = {
    "mesh 200x200": lambda rng: mesh(200, 200, rng),
    "geometric 50000": lambda rng: geometric(50000, 8, rng),
    "tree 100000": lambda rng: tree(100000, rng),
    "binary tree 4095": lambda rng: binary_tree(4095, rng),
    "cube 40": lambda rng: cube(40, rng),
    "clique 800 with tail 3000": lambda rng: clique_with_tail(800, 3000, rng),
    "4 cliques of 400 in a chain": lambda rng: cliques_in_a_chain(4, 400, rng),
    "clique 600 with 60 tails": lambda rng: clique_with_tails(600, 60, 30, rng),
    "5000 clusters of 4": lambda rng: clusters(5000, 4, rng),
    "power law with whiskers": lambda rng: whiskers(20000, 5, 200, 100, rng),
    "bipartite 50000 to 500": lambda rng: bipartite(50000, 500, 400000, rng),
    "3000 components": lambda rng: components(3000, 12, rng),
    "mesh 150x150, heavy-tailed": lambda rng: heavy_tailed(mesh(150, 150, rng), rng),
    "power law, heavy-tailed": lambda rng: heavy_tailed(whiskers(15000, 8, 0, 0, rng), rng),
}


def busy_and_all_ticks():
    ticks = [int(each) for each in pathlib.Path("/proc/stat").read_text(encoding="utf-8").splitlines()[0].split()[1:]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def wait_for_idle_cores(most_seconds):
    """Waits until the cores of this machine have been nearly idle for a moment."""
    end = time.monotonic() + most_seconds
    while time.monotonic() < end:
        busy, ticks = busy_and_all_ticks()
        time.sleep(0.06)
        busy_now, ticks_now = busy_and_all_ticks()
        if busy_now - busy <= 0.15 * (ticks_now - ticks):
            return


class Run:
    """The times of one command, in seconds: of its searches, and of the whole command; what its search says of itself, and the graph's vertices."""

    def __init__(self, facts, whole):
        searches = facts.get("searches")
        # The choice of a method for all pairs may try some of them.
        phases = ("choice_seconds", "prepare_seconds", "search_seconds")
        self.work = statistics.median(each["seconds"] for each in searches) if searches else sum(facts[phase] for phase in phases)
        self.whole = whole
        search = facts["search"]
        self.says = f"{search['engine']}: {search.get('algorithm') or search.get('transport') or search.get('direction') or ''}"
        self.vertices = facts["graph"]["vertices"]


class Bench:
    def __init__(self, options):
        self.options = options

    def run(self, graph, work, words, limit):
        """None if the program cannot do the work in this way, or takes longer than the limit."""
        command, *rest = work
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            line = [self.options.program, command, *graph, *rest, *words, "--threads", str(self.options.threads), "--quiet", "--json", str(report)]
            wait_for_idle_cores(self.options.idle_wait)
            begin = time.monotonic()
            try:
                done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=limit + 10, check=False)
            except subprocess.TimeoutExpired:
                return None
            whole = time.monotonic() - begin
            if done.returncode != 0:
                if done.returncode not in (2, 3) or len(words) <= 2:  # --engine alone: auto can do all work
                    sys.exit(f"{' '.join(line)}: exit code {done.returncode}\n{done.stderr}")
                return None
            return Run(json.loads(report.read_text(encoding="utf-8")), whole)

    def cell(self, name, graph, work, choice):
        """A row of the result, and the number of vertices."""
        auto, others, seconds_of = choice
        first = self.run(graph, work, auto, 300)
        if first is None:
            sys.exit(f"{name}: {' '.join(work)}: auto takes over 300 s")
        limit = max(LONGEST, 10 * first.whole)
        times = {}
        for words in others:
            if run := self.run(graph, work, words, limit):
                times[words] = seconds_of(run)
        # Those that may be the fastest, and auto, run twice more, in turn.
        close = [words for words, took in times.items() if took <= 1.2 * min(times.values())]
        rounds = {words: [times[words]] for words in close} | {auto: [seconds_of(first)]}
        for _ in range(2):
            for words, taken in rounds.items():
                taken += [seconds_of(run) for run in [self.run(graph, work, words, 300)] if run]
        medians = {words: statistics.median(taken) for words, taken in rounds.items()}
        auto_seconds = medians.pop(auto)
        times |= medians
        best = min(times, key=times.get) if times else ()
        row = {"graph": name, "work": " ".join(work), "choice": " ".join(auto), "auto": first.says, "auto_seconds": auto_seconds, "best": " ".join(best),
               "best_seconds": times.get(best, auto_seconds), "seconds": {" ".join(words): took for words, took in times.items()}}
        row["regret"] = row["auto_seconds"] / row["best_seconds"]
        print(f"{row['regret']:6.2f}  {name}: {row['work']}: {row['choice']} {1e3 * auto_seconds:.3f} ms ({row['auto']}), "
              f"{row['best']} {1e3 * row['best_seconds']:.3f} ms", flush=True)
        return row, first.vertices

    def cells(self, name, graph, work):
        """The choice of a method on each engine, and of the engine. Returns the number of vertices, too."""
        engines = [("--engine", engine) for engine in self.options.engines]
        choices = [(engine, [(*engine, *method) for method in METHODS[engine[1], work[0]]], lambda run: run.work) for engine in engines]
        if len(engines) > 1:
            choices.append((("--engine", "auto"), engines, lambda run: run.whole))
        made = [self.cell(name, graph, work, choice) for choice in choices]
        return [row for row, _ in made], made[0][1]

    def rows_of(self, name, graph):
        searches = ("--sources", f"random:{self.options.sources}")
        rows, vertices = self.cells(name, graph, ("bfs", *searches))
        has_weights = name not in (*SPECS, *LARGE_SPECS) or name.startswith("kron")
        weights = () if has_weights else ("--weights", "uniform:1..255")
        rows += self.cells(name, (*graph, *weights), ("sssp", *searches))[0]
        if vertices <= 300000:
            rows += self.cells(name, (*graph, *weights), ("apsp", "--summary", "--sources", "random:64"))[0]
        if vertices <= MOST_OF_ALL:
            rows += self.cells(name, (*graph, *weights), ("apsp", "--summary"))[0]
            rows += self.cells(name, graph, ("apsp", "--summary", "--weights", "unit"))[0]
        return rows

    def write(self, rows):
        machine = side_by_side.machine()
        if "gpu" in self.options.engines:
            machine["gpus"] = "1 x " + side_by_side.gpu_name()
        pathlib.Path(self.options.output).write_text(json.dumps({
            "title": "auto beside all methods", "date": datetime.date.today().isoformat(), "commit": side_by_side.commit(), "machine": machine,
            "command": "bench/regret.py " + " ".join(sys.argv[1:]), "threads": self.options.threads, "cells": rows}, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--output", required=True)
    parser.add_argument("--engines", default="cpu", type=lambda text: text.split(","))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--large", action="store_true", help="larger graphs, too")
    parser.add_argument("--idle-wait", type=float, default=0, help="most seconds to wait before each run until other programs leave the cores idle")
    parser.add_argument("--only", default="", help="only graphs whose name has a match")
    parser.add_argument("--program", default="build/release/src/app/wayfront")
    options = parser.parse_args()
    bench = Bench(options)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        graphs = {spec: (spec,) for spec in (*SPECS, *(LARGE_SPECS if options.large else ()))}
        graphs |= {name: (f"{folder}/{i}.wel", "--undirected") for i, name in enumerate(FILES)}
        graphs |= {pathlib.Path(file).name: (file, "--undirected") for file in options.files}
        for name, graph in graphs.items():
            if not re.search(options.only, name):
                continue
            if name in FILES:
                with open(graph[0], "w", encoding="utf-8") as file:
                    file.writelines(f"{a} {b} {w}\n" for a, b, w in FILES[name](random.Random(name)))
            rows += bench.rows_of(name, graph)
            bench.write(rows)
    worst = sorted(rows, key=lambda row: -row["regret"])[:5]
    print("worst:", ", ".join(f"{row['regret']:.2f} {row['graph']} {row['work']}" for row in worst))


if __name__ == "__main__":
    main()
