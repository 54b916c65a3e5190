#!/usr/bin/env python3
"""Asks `wayfront plan` for the tables of docs/scale-out.md.

usage: bench/scale_out.py [--fit] [PROGRAM]     PROGRAM: build/release/src/app/wayfront
           --fit: write no file; print what the fitted records say of the rates in src/model/cluster.cpp

Writes bench/results/model-scale-out.json, the plans of Graph500 searches on clusters of GPUs, and
bench/results/model-check.json, in which plans stand beside the measurements of the same searches.
Needs neither a GPU nor a cluster. bench/tables.py makes the tables.
"""
import datetime
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
VERTICES_A_GPU = 28  # 2^28 vertices, 2^32 edges
GPUS = (8, 64, 512, 4096, 8192, 16384)
NETWORKS = ("infiniband-400", "ethernet-100")
# The newest record of each case, by its part in the model. "fitted": a rate is fitted to its time. "test": a
# search of today's program. "older": of a program whose searches took longer, and not measured since.
MEASURED = {
    "fitted": ("gpu-131kib-scale24-1", "gpu-131kib-scale26-1", "gpu-131kib-scale27-1", "gpu-131kib-scale28-1", "gpu-scale28-2-nccl-small-levels",
               "gpu-sssp-scale24-1", "gpu-sssp-scale26-1", "gpu-sssp-scale27-1", "gpu-sssp-scale28-1"),
    "test": ("gpu-131kib-scale28-2", "gpu-131kib-scale29-2", "gpu-sssp-scale27-2", "gpu-sssp-scale28-2"),
    "older": ("gpu-scale28-4", "gpu-scale29-4", "gpu-scale30-4", "gpu-scale29-8", "gpu-scale30-8", "gpu-scale31-8", "gpu-scale28-4-nccl", "gpu-scale30-8-nccl",
              "gpu-sssp-h100-scale24-1", "gpu-sssp-h100-scale26-1", "gpu-sssp-h100-scale27-1", "gpu-sssp-h100-scale27-2", "gpu-sssp-h100-scale28-2")}


def plan(program, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "plan.json"
        done = subprocess.run([program, "plan", *map(str, arguments), "--quiet", "--json", file], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 3):  # 3: the job would not fit; the plan says why
            sys.exit(f"plan {' '.join(map(str, arguments))}: {done.stderr}")
        return json.loads(file.read_text(encoding="utf-8"))


def compared_designs(program, graph, gpus, network):
    """The plan without the levels of its searches."""
    planned = plan(program, graph, "--ranks", gpus, "--gpu", "h100", "--network", network, "--designs")
    for search in (planned, *planned["designs"]):
        del search["levels"], search["result"]
    return planned


def scaling(program, network):
    """Searches with as many vertices on each GPU, and of one graph on more and more GPUs."""
    weak = [compared_designs(program, f"kron:{VERTICES_A_GPU + int(math.log2(gpus))}", gpus, network) for gpus in GPUS]
    strong = [compared_designs(program, "kron:34", gpus, network) for gpus in GPUS if gpus >= 64]
    return {"network": network, "weak": weak, "strong": strong}


def compared(program, name, part):
    """A measurement, and the plan of the same search."""
    record = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    report = record["report"]
    kernel = "sssp" if "sssp" in report else "bfs"
    facts = report["search"]
    gpus, transport = facts["ranks"], facts["transport"]
    gpu = facts["device"].split()[-1].lower()
    planned = plan(program, report["graph"]["name"], "--ranks", gpus, "--gpu", gpu, "--transport", "nccl" if transport.startswith("nccl") else "p2p",
                   "--for", kernel, "--keys", 64 if kernel == "bfs" else 16)
    edges = report["graph"]["edges"]
    construction = next(phase["device_bytes"] for phase in planned["memory"] if phase["phase"] == "construction")
    return {"measurement": name, "date": record["date"], "part": part, "gpu": gpu, "scale": report["scale"], "gpus": gpus, "kernel": kernel, "transport": transport,
            "measured_seconds": edges / report[kernel]["harmonic_mean_teps"], "planned": planned["search"],
            "measured_construction_seconds": report["construction_seconds"], "planned_construction_seconds": planned["construction_seconds"],
            "measured_bytes": facts["graph_bytes"] + facts["state_bytes"], "planned_bytes": planned["memory"][-1]["device_bytes"],
            "measured_construction_bytes": report["construction_peak_bytes_per_edge"] * edges / gpus, "planned_construction_bytes": construction}


def check_runs(program, parts=tuple(MEASURED)):
    return [compared(program, name, part) for part in parts for name in MEASURED[part]]


def print_fit(program):
    """The factor of all rates of BFS, by one GPU's records, and the time of a level over NCCL."""
    runs = [run for run in check_runs(program, ("fitted",)) if run["kernel"] == "bfs"]
    alone = [run["measured_seconds"] / run["planned"]["seconds"] for run in runs if run["gpus"] == 1]
    print(f"rates of BFS: times {statistics.geometric_mean(alone):.3f} ({min(alone):.3f} to {max(alone):.3f})")
    for run in (run for run in runs if run["transport"].startswith("nccl")):
        more = (run["measured_seconds"] - run["planned"]["seconds"]) / run["planned"]["levels"]
        print(f"exchange_level, when the rates are fitted: {1e6 * more:+.1f} us")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--fit"]
    if len(arguments) > 1 or "--help" in arguments:
        sys.exit(__doc__)
    program = arguments[0] if arguments else ROOT / "build/release/src/app/wayfront"
    if "--fit" in sys.argv:
        print_fit(program)
        return
    if side_by_side.commit().endswith("-dirty"):
        sys.exit("there are changes that are not committed: the tables name the commit that they are of")
    head = {"date": datetime.date.today().isoformat(), "commit": side_by_side.commit()}
    tables = {"model-scale-out": {"title": "Graph500 BFS on clusters of GPUs, as planned", **head, "runs": [scaling(program, network) for network in NETWORKS]},
              "model-check": {"title": "Plans beside measurements on GPUs of one host", **head, "runs": check_runs(program)}}
    for name, data in tables.items():
        (RESULTS / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
