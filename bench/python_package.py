#!/usr/bin/env python3
"""Measures the Python package: breadth-first searches beside those of the C++ library, wayfront.csgraph beside SciPy, and the backend
of NetworkX beside NetworkX; raw figures for docs/python.md. To be run by a Python that has wayfront, SciPy and NetworkX.

usage: bench/python_package.py --searches LIBRARY_BFS > bench/results/python-searches.json
       bench/python_package.py --scipy ROADS > bench/results/python-package.json
       bench/python_package.py --networkx FOLDER > bench/results/python-networkx.json
       bench/python_package.py --sizes FOLDER > bench/results/python-networkx-sizes.json
           LIBRARY_BFS: the program of bench/library_bfs.cpp (WAYFRONT_BENCHMARKS)
           ROADS: tests/data/USA-road-d.NY.gr.gz
           FOLDER: has email-Enron.txt.gz and soc-Slashdot0902.txt.gz of SNAP; random graphs of --sizes need none

Everything runs on two threads, what is compared in turn.
"""
import gzip
import itertools
import os
import random
import statistics
import subprocess
import sys
import time

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from sssp_arcs import write_results

THREADS = 2
SEARCHES = 64
ROUNDS_OF_SEARCHES = 31
ROUNDS = 7
SOURCES = 64  # whose rows are compared with NetworkX's
#: Work, function of NetworkX, attributes of edges, arguments.
SIZE_CASES = [
    ("one path", "shortest_path", None, {"source": 0, "target": 5}),
    ("one path, weights", "shortest_path", {"weight": 1}, {"source": 0, "target": 5, "weight": "weight"}),
    ("levels from 1 source", "single_source_shortest_path_length", None, {"source": 0}),
    ("distances from 1 source", "single_source_dijkstra_path_length", {"weight": 1}, {"source": 0}),
    ("closeness", "closeness_centrality", None, {}),
    ("closeness, weights", "closeness_centrality", {"weight": 1}, {"distance": "weight"}),
    ("levels of all pairs", "all_pairs_shortest_path_length", None, {}),
]
GRAPHS = ["kron:20", "complete:64"]  # the second shows what a call costs apart from its search


def milliseconds(call):
    begin = time.perf_counter()
    result = call()
    return 1e3 * (time.perf_counter() - begin), result


def python_bfs(name):
    """What library_bfs.cpp does."""
    import wayfront

    graph = wayfront.load(name)
    search = wayfront.Bfs(graph, engine="cpu")
    source = done = 0
    while done < SEARCHES and source < graph.vertex_count:
        taken, result = milliseconds(lambda source=source: search.run(source))
        source += 1
        if result.reached >= graph.vertex_count // 1000:
            print(taken)
            done += 1
        del result  # as in C++, before the next search


def medians_in_turn(library_bfs, graph):
    """The median search of each round, in milliseconds. Both programs search from the same sources; who begins changes from round to round."""
    commands = {"library": [library_bfs, graph, str(SEARCHES)], "python": [sys.executable, __file__, "--bfs", graph]}
    found = {name: [] for name in commands}
    for i in range(ROUNDS_OF_SEARCHES):
        for name in sorted(commands, reverse=i % 2 == 1):
            lines = subprocess.run(commands[name], check=True, capture_output=True, text=True, env=os.environ | {"GOMP_SPINCOUNT": "10000"}).stdout.split()
            found[name].append(statistics.median(float(line) for line in lines))
    return found


def beside_library(library_bfs):
    """Breadth-first searches by the C++ library and from Python."""
    for graph in GRAPHS:
        taken = medians_in_turn(library_bfs, graph)
        print(graph, {name: statistics.median(times) for name, times in taken.items()}, file=sys.stderr)
        yield {"graph": graph, "ms": taken}


def roads(path):
    with gzip.open(path, "rt") as file:
        arcs = np.array([line.split()[1:] for line in file if line.startswith("a ")], dtype=np.int64)
    vertices = arcs[:, :2].max()
    return scipy.sparse.csr_array((arcs[:, 2], (arcs[:, 0] - 1, arcs[:, 1] - 1)), shape=(vertices, vertices))


def random_graph(vertices, edges, seed=1):
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, vertices, (2, edges))
    return scipy.sparse.csr_array((rng.uniform(0, 1, edges), tuple(ends)), shape=(vertices, vertices))


def cases(path):
    """(graph, matrix, its work, its sources)"""
    whole = roads(path)
    large, small = random_graph(1 << 16, 1 << 20), random_graph(1 << 12, 1 << 16)
    for name, matrix in (("New York's roads", whole), ("random: 65536 vertices, 1048576 edges", large)):
        yield name, matrix, "1 source", [0]
        yield name, matrix, "64 sources", np.arange(0, matrix.shape[0], matrix.shape[0] // 64)[:64]
    yield "6000 of New York's crossings", whole[:6000, :6000], "all pairs", np.arange(6000)
    yield "random: 4096 vertices, 65536 edges", small, "all pairs", np.arange(small.shape[0])


def beside_scipy(path):
    """Milliseconds of dijkstra() of wayfront.csgraph and of SciPy, and of searches in a graph that has been prepared."""
    import wayfront
    import wayfront.csgraph

    for graph, matrix, work, sources in cases(path):
        search = wayfront.ShortestPaths(wayfront.Graph.from_scipy(matrix))

        def prepared(search=search, sources=sources):
            return np.array([search.run(source).distances for source in sources])

        def ours(matrix=matrix, sources=sources):
            return wayfront.csgraph.dijkstra(matrix, indices=sources)

        def theirs(matrix=matrix, sources=sources):
            return scipy.sparse.csgraph.dijkstra(matrix, indices=sources)

        np.testing.assert_array_equal(ours(), theirs())
        taken = {"wayfront": [], "prepared": [], "scipy": []}
        for _ in range(ROUNDS if work == "1 source" else 3):
            for name, call in zip(taken, (ours, prepared, theirs)):
                taken[name].append(milliseconds(call)[0])
        print(graph, work, {name: round(statistics.median(times), 1) for name, times in taken.items()}, file=sys.stderr)
        yield {"graph": graph, "work": work, "ms": taken}


def social_networks(folder):
    """(name, graph); whole weights from 1 to 100."""
    import networkx as nx

    for name, file, kind in (("email-Enron", "email-Enron.txt.gz", nx.Graph), ("Slashdot", "soc-Slashdot0902.txt.gz", nx.DiGraph)):
        with gzip.open(os.path.join(folder, file), "rt") as lines:
            graph = nx.read_edgelist(lines, nodetype=int, create_using=kind)
        weigh(graph)
        yield f"{name}: {len(graph)} nodes, {graph.number_of_edges()} edges", graph


def weigh(graph):
    weights = random.Random(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = weights.randint(1, 100)


def exhaust(result):
    """A result, of which iterators are read to their end."""
    return list(result) if hasattr(result, "__next__") else result


def sampled_closeness(graph, sample):
    """What NetworkX's closeness_centrality does for the nodes of a sample, in a graph that is reversed already."""
    import networkx as nx

    return [sum(nx.single_source_shortest_path_length(graph, node).values()) for node in sample]


def networkx_cases(graph):
    """(work, attributes of edges, NetworkX's call, the backend's function and arguments, how many times NetworkX's work is the backend's)"""
    import networkx as nx

    source = next(iter(graph))
    sample = random.Random(2).sample(list(graph), 8)
    inward = graph.reverse() if graph.is_directed() else graph
    yield ("levels from 1 source", None, lambda: nx.single_source_shortest_path_length(graph, source),
           "single_source_shortest_path_length", (source,), 1)
    yield ("distances from 1 source", {"weight": 1}, lambda: nx.single_source_dijkstra_path_length(graph, source),
           "single_source_dijkstra_path_length", (source,), 1)
    yield (f"levels from {SOURCES} sources", None, lambda: list(itertools.islice(nx.all_pairs_shortest_path_length(graph), SOURCES)),
           "all_pairs_shortest_path_length", (), 1)
    yield "closeness of all nodes", None, lambda: sampled_closeness(inward, sample), "closeness_centrality", (), len(graph) / len(sample)


def beside_networkx(folder):
    """Milliseconds of NetworkX, of the backend with the conversion of the graph, and without it."""
    from nx_wayfront import backend

    for name, graph in social_networks(folder):
        for work, attributes, theirs, function, arguments, times in networkx_cases(graph):
            def ours(converted, function=function, arguments=arguments):
                found = getattr(backend, function)(converted, *arguments)
                return list(itertools.islice(found, SOURCES)) if hasattr(found, "__next__") else found

            converted = backend.convert_from_nx(graph, edge_attrs=attributes)
            calls = {"networkx": theirs, "wayfront": lambda: ours(backend.convert_from_nx(graph, edge_attrs=attributes)),
                     "converted": lambda: ours(converted)}
            if times == 1:
                assert calls["networkx"]() == calls["converted"]()
            taken = {who: [] for who in calls}
            for _ in range(3):
                for who, call in calls.items():
                    taken[who].append(milliseconds(call)[0] * (times if who == "networkx" else 1))
            print(name, work, {who: round(statistics.median(all_), 1) for who, all_ in taken.items()}, file=sys.stderr)
            yield {"graph": name, "work": work, "networkx_share": 1 / times, "ms": taken}


def by_size(_):
    """The same in random graphs of 5 edges a node: at which size the backend is worth its conversion."""
    import networkx as nx

    from nx_wayfront import backend

    for nodes in (30, 100, 300, 1000, 3000, 10000):
        graph = nx.gnm_random_graph(nodes, min(5 * nodes, nodes * (nodes - 1) // 2), seed=1)
        weigh(graph)
        for work, function, attributes, arguments in SIZE_CASES:
            if nodes > 1000 and "source" not in arguments:
                continue
            converted = backend.convert_from_nx(graph, edge_attrs=attributes)
            calls = {
                "networkx": lambda: exhaust(getattr(nx, function)(graph, **arguments)),
                "wayfront": lambda: exhaust(getattr(backend, function)(backend.convert_from_nx(graph, edge_attrs=attributes), **arguments)),
                "converted": lambda: exhaust(getattr(backend, function)(converted, **arguments)),
            }
            calls["converted"]()
            taken = {who: [] for who in calls}
            for _ in range(3):
                for who, call in calls.items():
                    taken[who].append(round(milliseconds(call)[0], 4))
            print(nodes, work, {who: round(min(all_), 3) for who, all_ in taken.items()}, file=sys.stderr)
            yield {"nodes": nodes, "work": work, "ms": taken}


def networkx_version():
    import networkx

    return {"networkx": networkx.__version__}


#: What the options measure, the title of the results, and facts about them.
MEASUREMENTS = {
    "--searches": (beside_library, "Breadth-first searches from Python", lambda: {"rounds": ROUNDS_OF_SEARCHES, "searches": SEARCHES}),
    "--scipy": (beside_scipy, "The Python package", lambda: {"rounds": ROUNDS, "scipy": scipy.__version__, "numpy": np.__version__}),
    "--networkx": (beside_networkx, "The backend of NetworkX", networkx_version),
    "--sizes": (by_size, "The backend of NetworkX", networkx_version),
}


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))
    if sys.argv[1:2] == ["--bfs"]:
        python_bfs(sys.argv[2])
    elif sys.argv[1:2] and sys.argv[1] in MEASUREMENTS:
        option = sys.argv.pop(1)
        measure, title, facts = MEASUREMENTS[option]
        argument = {"--searches": "LIBRARY_BFS", "--scipy": "ROADS"}.get(option, "FOLDER")
        write_results(__doc__, measure, title, command=f"bench/python_package.py {option} {argument}", threads=THREADS, **facts())
    else:
        sys.exit(__doc__)
