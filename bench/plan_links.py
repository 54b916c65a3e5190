#!/usr/bin/env python3
"""Plans searches over hosts that are joined by slow links, then runs them.

usage: bench/plan_links.py --output bench/results/FILE.json [--scale S] [--rounds N]

Needs root: hosts are namespaces of this machine (tests/hosts/hosts.py), and their links are those of
tests/hosts/wire.cpp. WAYFRONT_BINARY and WAYFRONT_WIRE name the two programs.

A search on one rank gives the factor of this machine's cores. Everything else follows from the delay
and the rate of the links, and is planned before the first job over hosts runs. Each rank has one
thread; if there are more hosts than cores, they share the cores.
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

LINKS = [{"delay_us": 100, "mbit": 1000}, {"delay_us": 100, "mbit": 100}]
GRIDS = {2: ("2x1", "1x2"), 4: ("4x1", "2x2", "1x4")}
SOFTWARE_US = 60  # of a message: the kernels of both ends and the process that carries frames between them
MOST_SECONDS = 300  # for one job


def network_of(link, folder):
    """The network file of a link. A gather over h hosts goes in log2 h rounds."""
    round_us = link["delay_us"] + SOFTWARE_US
    between = {"gigabytes_per_second": link["mbit"] / 8000, "step_microseconds": 0, "doubling_microseconds": round_us, "uncertainty": 1.25}
    file = folder / f"{link['mbit']}.json"
    file.write_text(json.dumps({"wayfront_network": 1, "name": f"{link['delay_us']} us, {link['mbit']} Mbit/s", "ranks_per_host": 1,
                                "inside": {"gigabytes_per_second": 10, "step_microseconds": 1}, "between": between}))
    return file


def plan(folder, *arguments):
    file = folder / "plan.json"
    run("plan", *arguments, "--keys", 64, "--quiet", "--json", file)
    return json.loads(file.read_text())["search"]


def graph500(scale, report):
    return "graph500", "--scale", str(scale), "--threads", "1", "--engine", "cpu", "--no-validate", "--quiet", "--json", report


def seconds_of(report):
    document = json.loads(report.read_text())
    return document["graph"]["edges"] / document["bfs"]["harmonic_mean_teps"]


def over(hosts, count, *arguments):
    """Runs the program on the first `count` hosts, one rank on each."""
    job = hosts.start(BINARY, *arguments, names=",".join(f"{host.name}:1" for host in hosts.all[:count]))
    out, err = job.communicate(timeout=MOST_SECONDS)
    if job.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {job.returncode}\n{out[-2000:]}\n{err[-2000:]}")


def planned_runs(options, folder, factor):
    graph = f"kron:{options.scale}"
    for link in LINKS:
        network = network_of(link, folder)
        for count, grids in GRIDS.items():
            of_hosts = factor * max(1, count / os.cpu_count())
            for grid in grids:
                search = plan(folder, graph, "--ranks", count, "--grid", grid, "--network", network, "--processor-factor", of_hosts)
                yield {**link, "hosts": count, "grid": grid, "planned": search, "measured_seconds": []}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--output", required=True)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if why_not := obstacle():
        sys.exit(why_not)
    commit = side_by_side.commit()
    loads = []
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wayfront-plans-")))
        report = folder / "report.json"
        run(*graph500(options.scale, report))
        alone = seconds_of(report)
        factor = alone / plan(folder, f"kron:{options.scale}")["seconds"]
        runs = list(planned_runs(options, folder, factor))
        for link in LINKS:
            with contextlib.ExitStack() as joined:
                hosts = Hosts(max(GRIDS), **link)
                joined.callback(hosts.remove)
                for each in [each for each in runs if link.items() <= each.items()] * options.rounds:
                    over(hosts, each["hosts"], *graph500(options.scale, report), "--grid", each["grid"])
                    each["measured_seconds"].append(seconds_of(report))
                    loads.append(os.getloadavg()[0])
    data = {"title": "Plans of searches over hosts with slow links, and the searches", "date": datetime.date.today().isoformat(), "commit": commit,
            "machine": side_by_side.machine(), "load_average": [min(loads), max(loads)], "scale": options.scale, "rounds": options.rounds,
            "one_rank_seconds": alone, "processor_factor": factor, "software_microseconds": SOFTWARE_US, "runs": runs}
    pathlib.Path(options.output).write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
