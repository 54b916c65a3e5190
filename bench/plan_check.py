#!/usr/bin/env python3
"""Plans jobs on this machine's cores, then runs them: their memory, or searches over hosts that are
joined by slow links.

usage: bench/plan_check.py --output bench/results/FILE.json [--scale S] [--rounds N]
       bench/plan_check.py --memory --output bench/results/FILE.json

With --memory: the memory of construction, and that of the searches, while they run, on 1 to 4 ranks.
Otherwise it needs root: hosts are namespaces of this machine (tests/hosts/hosts.py), and their links are those of
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
import subprocess
import sys
import tempfile
import time

import side_by_side
from peak_memory import descendants, held_bytes

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "hosts"), str(ROOT / "tests" / "cli")]
from driver import BINARY, command, environment, run
from hosts import Hosts, obstacle

LINKS = [{"delay_us": 100, "mbit": 1000}, {"delay_us": 100, "mbit": 100}]
GRIDS = {2: ("2x1", "1x2"), 4: ("4x1", "2x2", "1x4")}
MOST_SECONDS = 300  # for one job
SIZES_OF_MEMORY = ((20, 1, "1x1"), (22, 1, "1x1"), (22, 2, "2x1"), (22, 2, "1x2"), (22, 4, "2x2"))
KEYS_OF_MEMORY = {"bfs": 48, "sssp": 8}  # at scale 22; four times as many at 20
SAMPLE_SECONDS = 0.02
END_SECONDS = 0.1  # in which a run frees its memory


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


def held_over_time(arguments, ranks):
    """[seconds since the start, bytes that all processes hold] of a run; a page that n processes share counts 1/n for each."""
    with subprocess.Popen(command(arguments, ranks), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        start, samples = time.monotonic(), []
        while process.poll() is None:
            held = sum(held_bytes(child) for child in programs(process.pid))
            samples.append((time.monotonic() - start, held))
            time.sleep(SAMPLE_SECONDS)
        if process.returncode != 0:
            sys.exit(f"{arguments}: exit code {process.returncode}\n{process.stderr.read()[-2000:]}")
    return samples


def programs(pid):
    """The processes of the program, itself or started by mpirun."""
    return [each for each in (pid, *descendants(pid)) if runs_the_program(each)]


def runs_the_program(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith(os.fsencode(BINARY))
    except OSError:  # the process has ended meanwhile
        return False


def memory_of_phases(scale, ranks, grid, kernel, report):
    """The bytes of all ranks: of the input; with it, at the peak of construction; with both, while searches run."""
    arguments = (*graph500(scale, report), "--grid", grid, "--kernel", kernel, "--keys", KEYS_OF_MEMORY[kernel] * (1 if scale >= 22 else 4))
    samples = held_over_time(arguments, ranks)
    document = json.loads(report.read_text())
    edges = document["graph"]["edges"]
    searching = sum(search["seconds"] for search in document[kernel]["searches"])
    # Searches are the last part of a run, but for its end.
    end = samples[-1][0] - END_SECONDS
    held = [bytes_held for seconds, bytes_held in samples if end - 0.7 * searching < seconds < end]
    grown = document["construction_peak_bytes_per_edge"] * edges
    return {"construction": grown, "searches": statistics.median(held or [0]), "most": max(bytes_held for _, bytes_held in samples), "samples": len(held)}


def memory_runs(folder):
    """The memory of each phase beside its plan, on 1 to 4 ranks, for both kernels."""
    report, planned = folder / "report.json", folder / "plan.json"
    empty = {}  # what the program holds without a graph, by ranks
    for kernel, scale, ranks, grid in ((kernel, scale, ranks, grid) for kernel in ("bfs", "sssp") for scale, ranks, grid in SIZES_OF_MEMORY):
        if ranks not in empty:
            empty[ranks] = memory_of_phases(10, ranks, f"{ranks}x1", "bfs", report)["most"]
        measured = memory_of_phases(scale, ranks, grid, kernel, report)
        if measured["samples"] < 5:
            sys.exit(f"scale {scale}, {grid}: the searches were too short to be sampled")
        run("plan", f"kron:{scale}", "--ranks", ranks, "--grid", grid, "--for", kernel, "--quiet", "--json", planned)
        phases = {phase["phase"]: phase["host_bytes"] * ranks for phase in json.loads(planned.read_text())["memory"]}
        yield {"kernel": kernel, "scale": scale, "ranks": ranks, "grid": grid,
               "measured_bytes": {"construction": measured["construction"], "searches": measured["searches"] - empty[ranks]},
               "planned_bytes": {"construction": phases["construction"] - phases["input"], "searches": phases["searches"]}}


def planned_runs(options, folder, factor):
    graph = f"kron:{options.scale}"
    for link in LINKS:
        for count, grids in GRIDS.items():
            network = measured_network(count, link, folder)
            of_hosts = factor * max(1, count / os.cpu_count())
            for grid in grids:
                search = plan(folder, graph, "--ranks", count, "--grid", grid, "--network", network, "--processor-factor", of_hosts)
                yield {**link, "hosts": count, "grid": grid, "planned": search, "measured_seconds": []}


def write(file, data):
    data = {**data, "date": datetime.date.today().isoformat(), "machine": side_by_side.machine()}
    pathlib.Path(file).write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--output", required=True)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    if options.memory:
        commit = side_by_side.commit()
        with tempfile.TemporaryDirectory(prefix="wayfront-plans-") as folder:
            runs = list(memory_runs(pathlib.Path(folder)))
        write(options.output, {"title": "The memory of jobs on cores beside their plans", "commit": commit, "runs": runs})
        return
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
    write(options.output, {"title": "Jobs on cores beside their plans", "commit": commit, "load_average": [min(loads), max(loads)], "scale": options.scale,
                           "rounds": options.rounds, "one_rank_seconds": alone, "processor_factor": factor, "runs": runs})


if __name__ == "__main__":
    main()
