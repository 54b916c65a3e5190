#!/usr/bin/env python3
"""Replays planned searches on simulated networks, whose links are shared, for a table of docs/scale-out.md.

usage: bench/network_contention.py [--program PROGRAM] [--simulator SIMULATOR] [--jobs N]

    PROGRAM     build/release/src/app/wayfront
    SIMULATOR   build/release/bench/simulated_network (-DWAYFRONT_BENCHMARKS=ON, with SimGrid: libsimgrid-dev)

Writes bench/results/model-contention.json: for each cluster, the plans of a typical search in 2D and
1.5D, and the times of their messages on each topology. Runs N simulations at once.
"""
import argparse
import concurrent.futures
import datetime
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import side_by_side
from scale_out import RESULTS, ROOT, VERTICES_A_GPU, plan

CLUSTERS = {"infiniband-400": {"gpus": (64, 512, 4096, 8192), "topologies": ("fat-tree", "fat-tree-2", "dragonfly")},
            "ethernet-100": {"gpus": (64, 512, 4096), "topologies": ("fat-tree", "fat-tree-2")}}
SCHEMES = ("2D", "1.5D")


def design_of(planned, scheme):
    return next(design for design in planned["designs"] if design["scheme"] == scheme and (scheme == "1.5D" or not design["grid"].endswith("x1")))


def typical_seconds(design):
    """Of the typical search, of which the steps are."""
    return sum(level["work_seconds"] + level["message_seconds"] for level in design["levels"]) + design["result"]["seconds"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--program", default=ROOT / "build/release/src/app/wayfront")
    parser.add_argument("--simulator", default=ROOT / "build/release/bench/simulated_network")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    commit = side_by_side.commit()
    if commit.endswith("-dirty"):
        sys.exit("there are changes that are not committed: the table names the commit that it is of")
    subprocess.run([options.simulator, "--check"], check=True, stdout=subprocess.DEVNULL)

    def replay(network, topology, file, scheme):
        done = subprocess.run([options.simulator, ROOT / "jobs" / "networks" / f"{network}.json", topology, file, scheme], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{network}, {topology}, {scheme}: {done.stderr}")
        return json.loads(done.stdout)

    runs = []
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for network, cluster in CLUSTERS.items():
            for gpus in cluster["gpus"]:
                planned = plan(options.program, f"kron:{VERTICES_A_GPU + int(math.log2(gpus))}", "--ranks", gpus, "--gpu", "h100", "--network", network, "--designs")
                file = pathlib.Path(folder) / f"{network}-{gpus}.json"
                file.write_text(json.dumps(planned), encoding="utf-8")
                for scheme in SCHEMES:
                    design = design_of(planned, scheme)
                    replays = [pool.submit(replay, network, topology, file, scheme) for topology in cluster["topologies"]]
                    runs.append({"network": network, "gpus": gpus, "graph": planned["graph"]["name"], "scheme": scheme, "grid": design["grid"],
                                 "hubs": design.get("hubs"), "search_seconds": typical_seconds(design), "replays": replays})
        for run in runs:
            run["replays"] = [replay.result() for replay in run["replays"]]
    data = {"title": "Messages of planned searches on simulated networks", "date": datetime.date.today().isoformat(), "commit": commit,
            "machine": side_by_side.machine(), "runs": runs}
    (RESULTS / "model-contention.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
