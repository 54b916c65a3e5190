"""NetworkX's figures of vertices and of graphs, as an oracle that others have written.

The interpreter that has NetworkX need not be the one that runs the tests. Since NetworkX takes long to
load, one process answers all questions, a line each."""

import json
import os
import subprocess
import sys

FIGURES = """import json, sys, networkx
for line in sys.stdin:
    vertices, edges, directed = json.loads(line)
    graph = (networkx.DiGraph if directed else networkx.Graph)()
    graph.add_nodes_from(vertices)
    for u, v, weight in edges:
        if not graph.has_edge(u, v) or weight < graph[u][v]["weight"]:
            graph.add_edge(u, v, weight=weight)
    inward = graph.reverse() if directed else graph  # so that figures are outward
    found = {"closeness": list(networkx.closeness_centrality(inward, distance="weight").values()),
             "harmonic": list(networkx.harmonic_centrality(inward, distance="weight").values())}
    connected = networkx.is_strongly_connected(graph) if directed else networkx.is_connected(graph)
    if connected:
        found["eccentricity"] = list(networkx.eccentricity(graph, weight="weight").values())
        found["center"] = networkx.center(graph, weight="weight")
        found["periphery"] = networkx.periphery(graph, weight="weight")
        found["wiener_index"] = networkx.wiener_index(graph, weight="weight")
    if not directed and all(weight == 1 for *_, weight in edges):
        found["global_efficiency"] = networkx.global_efficiency(graph)
    print(json.dumps(found), flush=True)"""


def start(test):
    """A process of NetworkX that ends with `test`, which is skipped without NetworkX."""
    for interpreter in (os.environ.get("WAYFRONT_NETWORKX", sys.executable), "/usr/bin/python3"):
        if subprocess.run([interpreter, "-c", "import networkx"], capture_output=True, check=False).returncode == 0:
            process = subprocess.Popen([interpreter, "-c", FIGURES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            test.addCleanup(process.wait)
            test.addCleanup(process.stdout.close)
            test.addCleanup(process.stdin.close)
            return process
    return test.skipTest("NetworkX is not installed")


def figures(process, graph):
    """Of a WeightedGraph, outward."""
    process.stdin.write(json.dumps([list(graph.numbers()), graph.edges, graph.directed]) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())
