#!/usr/bin/env python3
"""Compares wayfront apsp --vertices with NetworkX's closeness_centrality, harmonic_centrality and
eccentricity, in values and in time, on one undirected graph without weights.

usage: bench/vertex_figures.py WAYFRONT GRAPH --output FILE.json [--sample K] [--threads N]

NetworkX, which has one thread, computes the figures of K random vertices (1000), since all of them
may take hours; the times of the whole graph are these times n / K. Vertices that reach nothing are
left out of the sample, and eccentricity, which NetworkX has in connected graphs only, is computed in
the largest component. wayfront computes all vertices, reads the graph and writes the file; the
smallest of three times counts. Exit code 1 if a figure differs by more than a relative 1e-12.
"""
import argparse
import csv
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import networkx
from side_by_side import commit, machine

TOLERANCE = 1e-12


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("wayfront")
    parser.add_argument("graph")
    parser.add_argument("--output", required=True)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


def timed(compute):
    begin = time.perf_counter()
    result = compute()
    return time.perf_counter() - begin, result


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        figures, edges = f"{folder}/figures.csv", f"{folder}/edges.el"
        command = [options.wayfront, "apsp", options.graph, "--undirected", "--vertices", figures, "--quiet", "--json", f"{folder}/facts.json",
                   "--threads", str(options.threads)]
        seconds = [timed(lambda: subprocess.run(command, check=True, capture_output=True))[0] for _ in range(3)]
        with open(figures, encoding="ascii") as lines:
            found = {int(row["vertex"]): row for row in csv.DictReader(lines)}
        subprocess.run([options.wayfront, "convert", options.graph, edges, "--undirected"], check=True, capture_output=True)
        graph = networkx.read_edgelist(edges, nodetype=int, comments="#")
    graph.add_nodes_from(found)
    connected = sorted(vertex for vertex, degree in graph.degree() if degree > 0)
    sample = random.Random(1).sample(connected, min(options.sample, len(connected)))
    component = graph.subgraph(max(networkx.connected_components(graph), key=len))
    inside = [vertex for vertex in sample if vertex in component]

    times, worst = {}, {}
    for name, vertices, compute in (
            ("closeness", sample, lambda: {v: networkx.closeness_centrality(graph, v) for v in sample}),
            ("harmonic", sample, lambda: networkx.harmonic_centrality(graph, nbunch=sample)),
            ("eccentricity", inside, lambda: networkx.eccentricity(component, v=inside))):
        spent, expected = timed(compute)
        times[name] = spent * len(found) / len(vertices)
        worst[name] = max(abs(float(found[v][name]) - expected[v]) / expected[v] for v in vertices)
        print(f"{name:13} NetworkX {times[name]:9.1f} s for all vertices ({spent:.1f} s for {len(vertices)}), largest relative difference {worst[name]:.2g}")
    print(f"wayfront, all three: {min(seconds):.3f} s, NetworkX / wayfront: {sum(times.values()) / min(seconds):.0f}")
    with open(options.output, "w", encoding="utf-8") as output:
        json.dump({"date": datetime.date.today().isoformat(), "commit": commit(), "machine": machine(),
                   "command": f"wayfront apsp {os.path.basename(options.graph)} --undirected --vertices FILE.csv --quiet --json FILE.json --threads {options.threads}",
                   "vertices": len(found),
                   "sample": len(sample), "networkx": networkx.__version__, "networkx_seconds_of_all": times, "largest_relative_differences": worst,
                   "wayfront_seconds": seconds}, output, indent=1)
        output.write("\n")
    sys.exit(max(worst.values()) > TOLERANCE)


if __name__ == "__main__":
    main()
