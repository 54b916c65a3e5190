#!/usr/bin/env python3
"""Measures how long `wayfront plan` takes for ten jobs.

usage: bench/plan_times.py [--program PROGRAM] [--rounds N]

    PROGRAM     build/release/src/app/wayfront

Writes bench/results/plan-times.json: seconds from start to end of each command, jobs in turn, and the
seconds of its processors. bench/tables.py makes the table.
"""
import argparse
import datetime
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

import side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEW_YORK = "tests/data/USA-road-d.NY.gr.gz --undirected"
JOBS = ("kron:31 --ranks 8 --gpu h200",
        "kron:28 --for graph500 --ranks 2 --gpu h100",
        "kron:41 --ranks 8192 --gpu h100 --network infiniband-400 --designs",
        "kron:30 --ranks 64 --cores 24 --network cpu-nodes --designs",
        "kron:18 --source 3 --ranks 16",
        "grid:300x300 --ranks 16 --grid 4x4 --source 17",
        f"{NEW_YORK} --ranks 4",
        "kron:26 --ranks 32 --cores 24 --for sssp",
        "kron:20 --for sssp --ranks 4 --grid 2x2",
        "random:10000,40000 --for apsp --ranks 4")


def seconds_of(program, job):
    """From start to end, and of its processors."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([program, "plan", *job.split(), "--quiet"], cwd=ROOT, capture_output=True, text=True, check=False)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"plan {job}: {done.stderr}")
    return seconds, (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--program", default=ROOT / "build/release/src/app/wayfront")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    commit = side_by_side.commit()
    runs = {job: [] for job in JOBS}
    loads = []
    for _ in range(options.rounds):
        for job, times in runs.items():
            times.append(seconds_of(pathlib.Path(options.program).resolve(), job))
            loads.append(os.getloadavg()[0])
    data = {"title": "Times of plans", "date": datetime.date.today().isoformat(), "commit": commit, "machine": side_by_side.machine(),
            "load_average": [min(loads), max(loads)], "rounds": options.rounds,
            "runs": [{"job": job, "seconds": [wall for wall, _ in times], "processor_seconds": [cpu for _, cpu in times]} for job, times in runs.items()]}
    (ROOT / "bench" / "results" / "plan-times.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
