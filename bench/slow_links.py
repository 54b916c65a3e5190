#!/usr/bin/env python3
"""Measures Graph500 searches over hosts that are joined by fast and by slow links.

usage: bench/slow_links.py --output bench/results/FILE.json [--scale S] [--rounds N] [--overlap]
           [ARGUMENT...]

Searches run on every grid of two and of four hosts with one rank each. Needs root: hosts are
namespaces of this machine (tests/hosts/hosts.py), and slow links are those of tests/hosts/wire.cpp.
WAYFRONT_BINARY and WAYFRONT_WIRE name the two programs. The ARGUMENTs are passed on to wayfront,
such as --engine gpu --transport host. With --overlap, each grid is measured with --overlap on and off,
which has an effect only with such engines. All combinations run in turn, round after round.

Before the first round, a deterministic search over each grid and link writes its result, which must
be equal to that of one rank; exit code 1 if a result differs.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import sys
import tempfile

import side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "hosts"), str(ROOT / "tests" / "cli")]
from driver import BINARY, run
from hosts import Hosts, obstacle

LINKS = {"plain": {}, "100 µs, 1 Gbit/s": {"delay_us": 100, "mbit": 1000},
         "100 µs, 1 Gbit/s, 1 of 1000 frames lost": {"delay_us": 100, "mbit": 1000, "loss": 0.001}}
GRIDS = {2: ("2x1", "1x2"), 4: ("4x1", "2x2", "1x4")}
MOST_SECONDS = 300  # for one job


def over(hosts, count, *arguments):
    """Runs the program on the first `count` hosts, one rank on each."""
    job = hosts.start(BINARY, *arguments, names=",".join(f"{host.name}:1" for host in hosts.all[:count]))
    out, err = job.communicate(timeout=MOST_SECONDS)
    if job.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {job.returncode}\n{out[-2000:]}\n{err[-2000:]}")


def compare_answers(networks, ways, options, folder):
    search = ("bfs", f"kron:{options.scale}", "--source", "1", "--deterministic", "--quiet", "--threads", "1", "--output")
    run(*search, folder / "one-rank.csv")
    expected = (folder / "one-rank.csv").read_bytes()
    for link, hosts in networks.items():
        for count, *way in ways:
            result = folder / "over-hosts.csv"
            over(hosts, count, *search, result, *way, *options.arguments)
            if result.read_bytes() != expected:
                sys.exit(f"over {count} hosts ({link}) the answer of {' '.join(way)} differs from that of one rank")


def measure(networks, ways, command, options, folder):
    figures = {(link, *way): [] for link in networks for way in ways}
    loads = []
    for _ in range(options.rounds):
        for (link, count, *way), values in figures.items():
            report = folder / "report.json"
            over(networks[link], count, *command, *way, *options.arguments, "--json", report)
            values.append(json.loads(report.read_text())["bfs"]["harmonic_mean_teps"] * 1e-9)
            loads.append(os.getloadavg()[0])
    return figures, loads


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--output", required=True)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--overlap", action="store_true")
    options, options.arguments = parser.parse_known_args()
    if why_not := obstacle():
        sys.exit(why_not)
    overlaps = ("on", "off") if options.overlap else ("auto",)
    ways = [(count, "--grid", grid, "--overlap", overlap) for count, grids in GRIDS.items() for grid in grids for overlap in overlaps]
    commit = side_by_side.commit()
    command = ("graph500", "--scale", str(options.scale), "--threads", "1", "--no-validate")
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wayfront-links-")))
        networks = {}
        for link, shape in LINKS.items():
            networks[link] = Hosts(max(GRIDS), **shape)
            stack.callback(networks[link].remove)
        compare_answers(networks, ways, options, folder)
        figures, loads = measure(networks, ways, command, options, folder)
    data = {"title": "Graph500 over two and four hosts with fast and slow links", "unit": "GTEPS", "date": datetime.date.today().isoformat(),
            "commit": commit, "machine": side_by_side.machine(), "load_average": [min(loads), max(loads)], "rounds": options.rounds,
            "command": " ".join(["wayfront", *command, *options.arguments]), "links": LINKS,
            "runs": [{"link": link, "hosts": count, "grid": grid, "overlap": overlap, "gteps": values}
                     for (link, count, _, grid, _, overlap), values in figures.items()]}
    pathlib.Path(options.output).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
