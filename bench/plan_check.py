#!/usr/bin/env python3
"""Plans jobs on this machine's cores, then runs them: the memory of construction, and searches over
hosts that are joined by slow links.

usage: bench/plan_check.py --output bench/results/FILE.json [--scale S] [--rounds N]

Needs root: hosts are namespaces of this machine (tests/hosts/hosts.py), and their links are those of
tests/hosts/wire.cpp. WAYFRONT_BINARY and WAYFRONT_WIRE name the two programs.

A search on one rank gives the factor of this machine's cores, and `wayfront tune` measures the links.
All searches are planned before the first one over slow links runs. Each rank has one thread; if there
are more hosts than cores, they share the cores.
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import statistics
import sys
import tempfile

import side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "hosts"), str(ROOT / "tests" / "cli")]
from driver import BINARY, run
from hosts import Hosts, obstacle

LINKS = [{"delay_us": 100, "mbit": 1000}, {"delay_us": 100, "mbit": 100}]
GRIDS = {2: ("2x1", "1x2"), 4: ("4x1", "2x2", "1x4")}
MOST_SECONDS = 300  # for one job


def measured_network(hosts, link, folder):
    """The network file of some hosts, as `wayfront tune` measures it."""
    file = folder / f"{link['mbit']}-{hosts}.json"
    with contextlib.ExitStack() as joined:
        made = Hosts(hosts, **link)
        joined.callback(made.remove)
        over(made, hosts, "tune", "--quiet", "--output", file)
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


def memory_runs(folder):
    """The peak of kernel 1 beside its plan, on 1 to 4 ranks."""
    report, planned = folder / "report.json", folder / "plan.json"
    for scale, ranks, grid in ((20, 1, "1x1"), (22, 1, "1x1"), (22, 2, "2x1"), (22, 2, "1x2"), (22, 4, "2x2"), (22, 4, "4x1")):
        run(*graph500(scale, report), "--grid", grid, "--keys", "1", ranks=ranks)
        document = json.loads(report.read_text())
        run("plan", f"kron:{scale}", "--ranks", ranks, "--grid", grid, "--quiet", "--json", planned)
        phases = {phase["phase"]: phase["host_bytes"] * ranks for phase in json.loads(planned.read_text())["memory"]}
        yield {"scale": scale, "ranks": ranks, "grid": grid, "measured_bytes": document["construction_peak_bytes_per_edge"] * document["graph"]["edges"],
               "planned_bytes": phases["construction"] - phases["input"]}  # the input is there before kernel 1 begins


def planned_runs(options, folder, factor):
    graph = f"kron:{options.scale}"
    for link in LINKS:
        for count, grids in GRIDS.items():
            network = measured_network(count, link, folder)
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
        memory = list(memory_runs(folder))
        runs = list(planned_runs(options, folder, factor))
        for link in LINKS:
            with contextlib.ExitStack() as joined:
                hosts = Hosts(max(GRIDS), **link)
                joined.callback(hosts.remove)
                for each in [each for each in runs if link.items() <= each.items()] * options.rounds:
                    over(hosts, each["hosts"], *graph500(options.scale, report), "--grid", each["grid"])
                    each["measured_seconds"].append(seconds_of(report))
                    loads.append(os.getloadavg()[0])
    data = {"title": "Jobs on cores beside their plans", "date": datetime.date.today().isoformat(), "commit": commit,
            "machine": side_by_side.machine(), "load_average": [min(loads), max(loads)], "scale": options.scale, "rounds": options.rounds,
            "one_rank_seconds": alone, "processor_factor": factor, "memory": memory, "runs": runs}
    pathlib.Path(options.output).write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
