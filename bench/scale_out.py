#!/usr/bin/env python3
"""Asks `wayfront plan` for the tables of docs/scale-out.md.

usage: bench/scale_out.py [--fit] [PROGRAM]     PROGRAM: build/release/src/app/wayfront
           --fit: write no file; print what the fitted records say of the rates in src/model/cluster.cpp

Writes bench/results/model-scale-out.json, the plans of Graph500 searches on clusters of GPUs, and
bench/results/model-check.json, in which plans stand beside the measurements of the same searches.
Needs neither a GPU nor a cluster. bench/tables.py makes the tables.
"""
import contextlib
import datetime
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import side_by_side

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
VERTICES_A_GPU = 28  # 2^28 vertices, 2^32 edges
VERTICES_OF_PATHS = 27  # of shortest paths, whose weights and distances take more memory
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


def shortened(planned, keep_tried=False):
    """What the tables show of a plan: its best designs without their levels; the other designs that were tried only of 1.5D, if any."""
    for design in planned["designs"]:
        del design["levels"], design["result"]
        if not (keep_tried and design["scheme"] == "1.5D"):
            del design["tried"]
    return {"graph": planned["graph"], "cluster": planned["cluster"], "designs": planned["designs"]}


def compared_designs(program, graph, gpus, network, *more, **keep):
    return shortened(plan(program, graph, "--ranks", gpus, "--gpu", "h100", "--network", network, "--designs", *more), **keep)


def weak_graph(gpus, vertices=VERTICES_A_GPU):
    return f"kron:{vertices + int(math.log2(gpus))}"


def paths(program, network):
    """Searches for shortest paths with as many vertices on each GPU."""
    return {"network": network,
            "weak": [compared_designs(program, weak_graph(gpus, VERTICES_OF_PATHS), gpus, network, "--for", "sssp") for gpus in GPUS]}


def scaling(program, network):
    """Searches with as many vertices on each GPU, and of one graph on more and more GPUs."""
    weak = [compared_designs(program, weak_graph(gpus), gpus, network, keep_tried=network == NETWORKS[0] and gpus in (64, 8192)) for gpus in GPUS]
    strong = [compared_designs(program, "kron:34", gpus, network) for gpus in GPUS if gpus >= 64]
    large = [compared_designs(program, f"kron:{scale}", gpus, network) for scale in (40, 41, 42) for gpus in GPUS if gpus >= 4096]
    return {"network": network, "weak": weak, "strong": strong, "large": large}


@contextlib.contextmanager
def network_file(**factors):
    """The first network with some of its numbers multiplied: ports, nvlink (bytes a second), latency (of all steps)."""
    network = json.loads((ROOT / "jobs" / "networks" / f"{NETWORKS[0]}.json").read_text(encoding="utf-8"))
    for link, factor in (("inside", "nvlink"), ("between", "ports")):
        network[link]["gigabytes_per_second"] *= factors.get(factor, 1)
        for key in network[link]:
            if key.endswith("_microseconds"):
                network[link][key] *= factors.get("latency", 1)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "network.json"
        file.write_text(json.dumps(network), encoding="utf-8")
        yield file


# Changes of the first network and of its GPUs, one at a time.
CHANGES = {"as in the tables above": {}, "ports twice as fast": {"ports": 2}, "ports half as fast": {"ports": 0.5}, "NVLink twice as fast": {"nvlink": 2},
           "NVLink half as fast": {"nvlink": 0.5}, "half the latency of steps": {"latency": 0.5}, "twice the latency of steps": {"latency": 2},
           "GPUs twice as fast": {"processor": 0.5}, "GPUs half as fast": {"processor": 2}}


def purchases(program):
    """What each change brings."""
    for name, change in CHANGES.items():
        links = {key: factor for key, factor in change.items() if key != "processor"}
        with network_file(**links) as file:
            plans = [compared_designs(program, weak_graph(gpus), gpus, file, "--processor-factor", change.get("processor", 1)) for gpus in (64, 8192)]
        yield {"change": name, "plans": plans}


# GTEPS a GPU of 1.5D with lists of 2^24 hubs in an earlier count on paper, whose constants were fitted by hand, by network and GPUs;
# milliseconds of the parts of its search on 8192 GPUs.
EARLIER = {"base": {64: 681, 8192: 498}, "middle": {64: 513, 8192: 307}, "bad": {64: 387, 8192: 180}}
EARLIER_PARTS = {"work": 3.5, "results": 1.7, "latency": 1.3, "inside hosts": 0.3, "between hosts": 1.5}
# Its networks: gigabytes a second of a GPU's port, microseconds of a step and of each doubling of hosts, and of a message; work takes so
# many times as long.
EARLIER_NETWORKS = {"base": (50, 10, 2, 0.2, 1), "middle": (40, 15, 3, 0.2, 1.25), "bad": (25, 30, 6, 1, 1.5)}


def beside_earlier_count(program):
    """The same networks as an earlier count, planned."""
    network = json.loads((ROOT / "jobs" / "networks" / f"{NETWORKS[0]}.json").read_text(encoding="utf-8"))
    for name, (port, step, doubling, message, factor) in EARLIER_NETWORKS.items():
        network["between"] |= {"gigabytes_per_second": port * network["ranks_per_host"], "step_microseconds": step, "doubling_microseconds": doubling,
                               "message_microseconds": message}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "network.json"
            file.write_text(json.dumps(network), encoding="utf-8")
            for gpus, gteps in EARLIER[name].items():
                planned = compared_designs(program, weak_graph(gpus), gpus, file, "--processor-factor", factor)
                yield {"network": name, "gpus": gpus, "earlier_gteps": gteps, "earlier_parts": EARLIER_PARTS if (name, gpus) == ("base", 8192) else None,
                       "plan": planned}


def one_search(program):
    """The levels of a typical 1.5D search on 8192 GPUs, for a picture."""
    planned = plan(program, weak_graph(8192), "--ranks", 8192, "--gpu", "h100", "--network", NETWORKS[0], "--designs")
    design = next(design for design in planned["designs"] if design["scheme"] == "1.5D")
    parts = ("direction", "vertices", "work_seconds", "latency_seconds", "inside_hosts_seconds", "between_hosts_seconds")
    return {"graph": planned["graph"]["name"], "gpus": 8192, "network": NETWORKS[0], "hubs": design["hubs"], "listed_hubs": design["listed_hubs"],
            "levels": [{key: level[key] for key in parts} | {"steps": len(level["steps"])} for level in design["levels"]],
            "result_seconds": design["result"]["seconds"]}


def compared(program, name, part):
    """A measurement, and the plan of the same search."""
    record = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    report = record["report"]
    kernel = "sssp" if "sssp" in report else "bfs"
    facts = report["search"]
    gpus, transport = facts["ranks"], facts["transport"]
    gpu = re.search(r"\bH\d+\b", facts["device"])[0].lower()
    planned = plan(program, report["graph"]["name"], "--ranks", gpus, "--gpu", gpu, "--transport", "nccl" if transport.startswith("nccl") else "p2p",
                   "--for", kernel, "--keys", 64 if kernel == "bfs" else 16)
    edges = report["graph"]["edges"]
    construction = next(phase["device_bytes"] for phase in planned["memory"] if phase["phase"] == "construction")
    return {"measurement": name, "date": record["date"], "part": part, "gpu": gpu, "scale": report["scale"], "gpus": gpus, "kernel": kernel,
            "transport": transport,
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
    tables = {"model-scale-out": {"title": "Graph500 BFS on clusters of GPUs, as planned", **head, "runs": [scaling(program, network) for network in NETWORKS],
                                  "paths": [paths(program, network) for network in NETWORKS],
                                  "purchases": list(purchases(program)), "earlier": list(beside_earlier_count(program)), "search": one_search(program)},
              "model-check": {"title": "Plans beside measurements on GPUs of one host", **head, "runs": check_runs(program)}}
    for name, data in tables.items():
        (RESULTS / f"{name}.json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
