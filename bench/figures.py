#!/usr/bin/env python3
"""Repeats the measurement of Hiragushi and Takahashi's paper (2013), figures 9, 10 and 12.

The figures show the TEPS of whole searches, the time of the computation alone, and the time of the
communication, on CPUs only, on GPUs only, and on both together, over numbers of ranks with the same
number of vertices each.

usage: bench/figures.py --title TEXT --ranks 1 2 4 --scale S --output bench/results/FILE.json
           [--engines cpu gpu split resident] [--cpu-share 0.25] [--transport host] [--keys 64]
           [--threads N] [--program wayfront] [--mpirun 'mpirun --oversubscribe --bind-to none']
           [--limit SECONDS] [--skip-missing] [--commit TEXT] [-- OPTION...]

Runs `wayfront graph500` on Kronecker graphs of 2^S vertices per rank, edge factor 16, once for each
number of ranks (powers of two) and each engine: cpu; gpu and split, which are host-driven; and
resident, the on-GPU search in one kernel, if it is possible. Each rank has N threads, or fewer if
there are not enough cores for all ranks. OPTION: more options of wayfront, such as --no-validate.

From the spans of time of each search (--trace), except for those that are not timed:
    computation          the levels without messages: for each level the longest time that any rank
                         was outside of MPI, summed up; includes copies between host and device, but
                         not the output
    communication        the longest time that any rank was inside of MPI, in levels and output;
                         includes the time of waiting for slower ranks; for a level in stretches,
                         the time of waiting for the last of its messages
    communication_least  for each level the shortest time that any rank was inside of MPI, summed
                         up: the communication of the rank that the other ranks wait for
    output               the end of a search, without messages, on the slowest rank
Resident searches have none of these. Writes all searches and, for each figure, the median, the
smallest and the largest value over the keys, as JSON, with machine, commit, date and commands. The
file is written anew after every run.

A run that fails or takes longer than the limit ends the script with the program's message and exit
code 1. With --skip-missing, such a run is left out and named in the JSON if a resource is missing
(exit code 3: no GPU, too little memory) or if it takes longer than the limit. Resident runs for
which a resource is missing are always left out.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

from levels import MESSAGES, OUTPUT, searches, spans_of_ranks
from side_by_side import commit, machine

ENGINES = ["cpu", "gpu", "split", "resident"]
EDGE_FACTOR = 16
RESOURCES = 3  # the program's exit code for missing resources


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--title", required=True)
    parser.add_argument("--ranks", type=int, nargs="+", required=True)
    parser.add_argument("--scale", type=int, required=True, help="2^SCALE vertices a rank")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    parser.add_argument("--cpu-share", default="0.25")
    parser.add_argument("--transport", default="host", help="the name of the host-driven level loop among the program's transports")
    parser.add_argument("--keys", type=int, default=64)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--program", default="wayfront")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --bind-to none")
    parser.add_argument("--limit", type=float, default=600, help="seconds of a run")
    parser.add_argument("--skip-missing", action="store_true")
    parser.add_argument("--commit", help="the commit that is reported, if git cannot tell it")
    parser.add_argument("options", nargs="*", metavar="OPTION")
    parsed = parser.parse_args()
    for ranks in parsed.ranks:
        if ranks < 1 or ranks & (ranks - 1):
            parser.error(f"--ranks: {ranks} is not a power of two")
    return parsed


def gpus():
    """The names of the GPUs of this machine."""
    try:
        listed = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    return listed.splitlines()


def command_of(options, engine, ranks):
    words = [*shlex.split(options.mpirun), "-n", str(ranks), options.program, "graph500", "--scale", str(options.scale + ranks.bit_length() - 1),
             "--edgefactor", str(EDGE_FACTOR), "--keys", str(options.keys), "--engine", "gpu" if engine == "resident" else engine]
    if engine == "gpu":
        words += ["--transport", options.transport]
    if engine == "resident":
        words += ["--transport", "p2p"]
    if engine == "split":
        words += ["--cpu-share", options.cpu_share]
    if options.threads:
        words += ["--threads", str(max(1, min(options.threads, os.cpu_count() // ranks)))]
    return words + options.options


def outcome_of(command, limit):
    """The exit code, which is None if the run took too long, and the program's message."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            _, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.terminate()  # mpirun ends its ranks
            process.communicate()
            return None, f"took longer than {limit:g} s"
    prefix = "wayfront: error: "
    said = [line.removeprefix(prefix) for line in errors.splitlines() if line.startswith(prefix)] or errors.splitlines()[-5:]
    return process.returncode, "\n".join(said)


def times_of_search(ranks):
    """Seconds, from the spans of one search on each rank."""
    work, messages = [], []  # for each rank, microseconds by level; the output is level 0
    for spans in ranks:
        inside, outside = collections.Counter(), collections.Counter()
        for span in spans:
            (inside if span["name"] in MESSAGES else outside)[span["args"].get("level", 0)] += span["dur"]
        messages.append(inside)
        work.append({level: whole - inside[level] for level, whole in outside.items()})
    levels = work[0].keys()
    microseconds = {"computation_seconds": sum(max(of_rank[level] for of_rank in work) for level in levels if level > 0),
                    "communication_seconds": max(of_rank.total() for of_rank in messages),
                    "communication_least_seconds": sum(min(of_rank[level] for of_rank in messages) for level in levels),
                    "output_seconds": max(of_rank[0] for of_rank in work)}
    return {name: round(value * 1e-6, 9) for name, value in microseconds.items()}


def timed_searches(report, trace, with_times):
    """Every timed search of a run."""
    timed = report["bfs"]["searches"]
    found = [{"key": search["key"], "seconds": search["seconds"], "edges": search["edges"]} for search in timed]
    if with_times:
        of_ranks = [searches(spans) for spans in spans_of_ranks(trace).values()]
        expected = report["warmup_searches"] + report["search"].get("trial_searches", 0) + len(timed)
        if {len(of_rank) for of_rank in of_ranks} != {expected}:
            sys.exit(f"{trace}: {[len(of_rank) for of_rank in of_ranks]} searches on the ranks, expected {expected}")
        for search, *ranks in zip(found, *(of_rank[-len(timed):] for of_rank in of_ranks)):
            search.update(times_of_search(ranks))
    return found


def summary(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def measure(options, engine, ranks):
    """The run as JSON; if it failed, its exit code and message."""
    command = command_of(options, engine, ranks)
    with tempfile.TemporaryDirectory(prefix="wayfront-figures-") as folder:
        report, trace = f"{folder}/report.json", f"{folder}/trace.json"
        code, message = outcome_of([*command, "--json", report, "--trace", trace], options.limit)
        if code != 0:
            return None, (code, message)
        facts = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
        found = timed_searches(facts, trace, engine != "resident")
    figures = {"gteps": summary([search["edges"] / search["seconds"] * 1e-9 for search in found])}
    for name in found[0]:
        if name.endswith("_seconds"):
            figures[name] = summary([search[name] for search in found])
    named = shlex.join(pathlib.Path(word).name if word == options.program else word for word in command)
    return {"engine": engine, "ranks": ranks, "command": named, "scale": facts["scale"], "validated": facts["validated"],
            "construction_seconds": facts["construction_seconds"], "search": facts["search"], "figures": figures,
            "searches": {"columns": list(found[0]), "rows": [list(search.values()) for search in found]}}, None


def write(path, document):
    """The document as JSON, with each search on a line of its own."""
    text = re.sub(r"\[[^][{}]*\]|\{[^][{}]*\}", lambda found: re.sub(r"\n *", " ", found[0]), json.dumps(document, indent=1))
    path.write_text(text + "\n", encoding="utf-8")


def main():
    options = arguments()
    document = {"title": options.title, "date": datetime.date.today().isoformat(), "commit": options.commit or commit(), "machine": machine(),
                "scale_a_rank": options.scale, "edge_factor": EDGE_FACTOR, "keys": options.keys, "runs": [], "missing": []}
    names = gpus()
    if names:
        document["machine"]["gpus"] = ", ".join(f"{count} x {name}" for name, count in collections.Counter(names).items())
    for ranks in options.ranks:
        for engine in options.engines:
            # Ranks that share a GPU would take turns, and the times would not be those of the
            # search.
            if engine == "resident" and 0 < len(names) < ranks:
                run, failure = None, (RESOURCES, "several ranks share a GPU")
            else:
                run, failure = measure(options, engine, ranks)
            if run:
                document["runs"].append(run)
                figures = {name: f"{value['median']:.3g} ({value['min']:.3g} to {value['max']:.3g})" for name, value in run["figures"].items()}
                print(f"{engine}, -n {ranks}: " + ", ".join(f"{name} {text}" for name, text in figures.items()), flush=True)
            else:
                code, message = failure
                if not (code == RESOURCES and engine == "resident" or code in (RESOURCES, None) and options.skip_missing):
                    sys.exit(f"{engine}, -n {ranks}: {message}")
                document["missing"].append({"engine": engine, "ranks": ranks, "message": message})
                print(f"{engine}, -n {ranks} left out: {message}", flush=True)
            write(options.output, document)


if __name__ == "__main__":
    main()
