"""The backend of NetworkX beside NetworkX's own functions; run_networkx_tests.py runs NetworkX's tests."""

import concurrent.futures
import copy
import inspect
import itertools
import logging
import math
import os
import pathlib
import pickle
import random
import subprocess
import sys
import time
import warnings
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import nx_wayfront
import nx_wayfront.backend as backend
import nx_wayfront.functions as functions
import wayfront

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")

KINDS = {"undirected": nx.Graph, "directed": nx.DiGraph, "multi": nx.MultiGraph, "directed multi": nx.MultiDiGraph}
NAMES = {
    "numbers": lambda i: i,
    "shuffled": lambda i: (7 * i + 3) % 23,
    "strings": lambda i: f"node {i}",
    "tuples": lambda i: (i, "x") if i % 2 else frozenset([i]),
}


def random_graph(kind, names, weights, seed, nodes=23, edges=40):
    """A graph with loops, isolated nodes, parallel edges if it may have them, and edges without weight."""
    rng = random.Random(f"{kind}{names}{weights}{seed}")
    graph = KINDS[kind]()
    graph.add_nodes_from(map(NAMES[names], range(nodes)))
    potentials = [rng.randint(0, 9) for _ in range(nodes)]
    for _ in range(edges):
        u, v = rng.randrange(nodes - 2), rng.randrange(nodes - 2)
        weight = {"none": None, "whole": rng.randint(0, 9), "real": rng.choice([0.0, rng.uniform(0, 9)]),
                  "negative": rng.randint(0, 9) + potentials[u] - potentials[v] if u != v else 1,
                  "some": rng.choice([None, 3])}[weights]
        graph.add_edge(NAMES[names](u), NAMES[names](v), **({} if weight is None else {"weight": weight}))
    return graph


def graphs():
    for kind, (names, weights) in itertools.product(KINDS, [
            ("numbers", "none"), ("shuffled", "whole"), ("strings", "real"), ("tuples", "some")]):
        yield f"{kind}, {names}, {weights}", random_graph(kind, names, weights, 1)
    for kind in ("directed", "directed multi"):
        yield f"{kind}, negative", random_graph(kind, "strings", "negative", 2)
    for kind in KINDS:
        yield f"{kind}, connected", nx.compose(KINDS[kind](nx.cycle_graph(23)), random_graph(kind, "numbers", "whole", 3))
    cycle = nx.cycle_graph(6, create_using=nx.DiGraph)
    cycle.add_edge(2, 3, weight=-9)
    cycle.add_edge(8, 9, weight=-1.5)
    yield "a negative cycle", cycle
    yield "an undirected negative edge", nx.Graph([(0, 1, {"weight": -1}), (1, 2), (4, 5)])
    yield "a negative loop", nx.DiGraph([(0, 1), (1, 1, {"weight": -1}), (2, 3)])
    yield "an undirected negative loop", nx.Graph([(0, 0, {"weight": -1}), (0, 1), (2, 3)])
    yield "a directed path", nx.path_graph(7, create_using=nx.DiGraph)
    yield "an empty graph", nx.Graph()
    yield "an empty digraph", nx.DiGraph()
    yield "one node", nx.empty_graph(1)
    yield "one node with a loop", nx.Graph([(0, 0, {"weight": 2.5})])
    yield "no edges", nx.empty_graph(3, create_using=nx.DiGraph)
    yield "a star of strings", nx.relabel_nodes(nx.star_graph(6), str)


GRAPHS = dict(graphs())


def ends(graph):
    """Some pairs of nodes, and one that is no node."""
    nodes = list(graph)
    return [(u, v) for u in nodes[:2] + nodes[-1:] for v in nodes[1:8:3] + nodes[:1]] + [
        (u, "nowhere") for u in nodes[:1]] + [("nowhere", v) for v in nodes[:1]]


def none(graph):
    return [{}]


def source(graph):
    return [{"source": u} for u in [*list(graph)[:3], "nowhere"]]


def limited(name):
    return lambda graph: [*source(graph), *({"source": u, name: limit} for u in list(graph)[:2] for limit in (0, 1, 2.5, math.inf))]


def target(graph):
    return [{"target": u, "cutoff": limit} for u in [*list(graph)[:3], "nowhere"] for limit in (None, 1, 2.5)]


def pair(graph):
    return [{"source": u, "target": v} for u, v in ends(graph)]


def sources(graph):
    nodes = list(graph)
    given = [set(nodes[:1]), set(nodes[1:4]), set(), {"nowhere"}, set(nodes)]
    return [{"sources": each} for each in given] + [{"sources": each, "cutoff": 4} for each in given if each]


def source_and_target(graph):
    return [*source(graph), *pair(graph)]


def cutoffs(graph):
    return [{}, {"cutoff": 0}, {"cutoff": 3}, {"cutoff": 2.5}]


def any_ends(graph):
    nodes = list(graph)
    calls = [{}, *source(graph), *pair(graph), *({"target": v} for v in [*nodes[:2], "nowhere"])]
    return calls + [call | {"weight": "weight", "method": method} for call in calls for method in ("dijkstra", "bellman-ford")]


def methods(calls):
    """The calls, and the same by each method of functions of all shortest paths."""
    return lambda graph: [call | more for call in calls(graph) for more in ({}, *({"method": name} for name in (
        "bellman-ford", "unweighted", "magic")))]


def weighted(calls):
    """The calls, and the same with weights."""
    return lambda graph: [call | more for call in calls(graph) for more in ({}, {"weight": "weight"})]


def distance(calls):
    return lambda graph: [call | more for call in calls(graph) for more in ({}, {"distance": "weight"})]


def bounds(graph):
    return [{}, {"usebounds": True}]


def with_seen(graph):
    return [call | more for call in [*limited("cutoff")(graph), *pair(graph)] for more in ({}, {"return_seen": True})]


def orders(graph):
    nodes = list(graph)
    return [{}, {"nodelist": nodes[::-1]}, {"nodelist": nodes[:1]}, {"nodelist": ["nowhere", *nodes[1:]]}]


#: How each function is called, and how its results are compared.
CALLS = {
    "single_source_shortest_path_length": (limited("cutoff"), "same"),
    "single_target_shortest_path_length": (target, "same"),
    "all_pairs_shortest_path_length": (cutoffs, "same"),
    "single_source_shortest_path": (limited("cutoff"), "exact"),
    "single_target_shortest_path": (target, "paths"),
    "all_pairs_shortest_path": (cutoffs, "exact"),
    "bidirectional_shortest_path": (pair, "paths"),
    "predecessor": (with_seen, "exact"),
    "has_path": (pair, "same"),
    "shortest_path": (any_ends, "paths"),
    "shortest_path_length": (any_ends, "same"),
    "average_shortest_path_length": (weighted(lambda graph: [{}, *({"method": name} for name in (
        "dijkstra", "bellman-ford", "unweighted", "floyd-warshall", "floyd-warshall-numpy", "none"))]), "same"),
    "all_shortest_paths": (weighted(methods(pair)), "unordered"),
    "single_source_all_shortest_paths": (weighted(methods(source)), "unordered"),
    "all_pairs_all_shortest_paths": (weighted(methods(none)), "unordered"),
    "multi_source_dijkstra": (sources, "exact"),
    "multi_source_dijkstra_path": (sources, "exact"),
    "multi_source_dijkstra_path_length": (sources, "same"),
    "single_source_dijkstra": (source_and_target, "exact"),
    "single_source_dijkstra_path": (limited("cutoff"), "exact"),
    "single_source_dijkstra_path_length": (limited("cutoff"), "same"),
    "dijkstra_path": (pair, "exact"),
    "dijkstra_path_length": (pair, "same"),
    "bidirectional_dijkstra": (pair, "paths"),
    "astar_path": (pair, "paths"),
    "astar_path_length": (pair, "same"),
    "dijkstra_predecessor_and_distance": (limited("cutoff"), "same"),
    "all_pairs_dijkstra": (cutoffs, "exact"),
    "all_pairs_dijkstra_path": (cutoffs, "exact"),
    "all_pairs_dijkstra_path_length": (cutoffs, "same"),
    "single_source_bellman_ford": (source_and_target, "paths"),
    "single_source_bellman_ford_path": (source, "paths"),
    "single_source_bellman_ford_path_length": (source, "same"),
    "bellman_ford_path": (pair, "paths"),
    "bellman_ford_path_length": (pair, "same"),
    "all_pairs_bellman_ford_path": (none, "paths"),
    "all_pairs_bellman_ford_path_length": (none, "same"),
    "bellman_ford_predecessor_and_distance": (source, "unordered"),
    "goldberg_radzik": (source, "trees"),
    "negative_edge_cycle": (none, "same"),
    "find_negative_cycle": (source, "cycle"),
    "johnson": (none, "paths"),
    "floyd_warshall": (none, "same"),
    "floyd_warshall_numpy": (orders, "matrix"),
    "floyd_warshall_predecessor_and_distance": (none, "predecessors"),
    "bfs_edges": (lambda graph: [*limited("depth_limit")(graph), *({"source": u, "reverse": True} for u in list(graph)[:3])], "edges"),
    "generic_bfs_edges": (limited("depth_limit"), "same"),
    "bfs_tree": (limited("depth_limit"), "graph"),
    "bfs_predecessors": (limited("depth_limit"), "same"),
    "bfs_successors": (limited("depth_limit"), "same"),
    "bfs_layers": (lambda graph: [{"sources": each} for each in [*list(graph)[:2], list(graph)[1:4], [], "nowhere"]], "same"),
    "bfs_labeled_edges": (lambda graph: [{"sources": each} for each in [*list(graph)[:2], list(graph)[1:4], []]], "same"),
    "descendants_at_distance": (lambda graph: [call | {"distance": d} for call in source(graph) for d in (0, 1, 3, -1, 1.5)], "same"),
    "descendants": (source, "same"),
    "ancestors": (source, "same"),
    "node_connected_component": (lambda graph: [{"n": u} for u in [*list(graph)[:3], "nowhere"]], "same"),
    "is_connected": (none, "same"),
    "is_strongly_connected": (none, "same"),
    "eccentricity": (weighted(lambda graph: [{}, *({"v": v} for v in [*list(graph)[:2], list(graph)[:3], [], ["nowhere"]])]), "same"),
    "diameter": (weighted(bounds), "same"),
    "radius": (weighted(bounds), "same"),
    "periphery": (weighted(bounds), "same"),
    "center": (weighted(bounds), "set"),
    "barycenter": (weighted(none), "set"),
    "harmonic_diameter": (weighted(none), "same"),
    "closeness_centrality": (distance(lambda graph: [{}, {"wf_improved": False}, *({"u": u} for u in [*list(graph)[:2], "nowhere"])]), "same"),
    "harmonic_centrality": (distance(lambda graph: [{"nbunch": a, "sources": b} for a in (None, list(graph)[2:6], list(graph)[:1], [])
                                                    for b in (None, list(graph)[:4], [])]), "unordered"),
    "wiener_index": (weighted(none), "same"),
    "global_efficiency": (none, "same"),
    "efficiency": (lambda graph: [{"u": u, "v": v} for u, v in ends(graph) if u != v], "same"),
}


def plain(result):
    """Iterators as lists, and mappings as dictionaries, in the whole result."""
    if isinstance(result, tuple):
        return tuple(map(plain, result))
    if hasattr(result, "__next__"):
        return [plain(each) for each in result]
    if hasattr(result, "keys"):
        return {key: plain(value) for key, value in result.items()}
    return result


def outcome(name, graph, call, **options):
    """What a call returns or raises, and what it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "Note. conversions to backend graphs")
        try:
            result = plain(getattr(nx, name)(graph, **call, **options))
        except Exception as error:
            result = error
    return result, [(warning.category, str(warning.message), warning.filename) for warning in caught]


def require_close(found, expected, types=True, orders=False):
    if types:
        assert type(found) is type(expected), (found, expected)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            require_close(found[key], expected[key], types, orders)
        assert not orders or list(found) == list(expected)
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for each, other in zip(found, expected):
            require_close(each, other, types, orders)
    elif isinstance(expected, (int, float)):
        assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)
    else:
        assert found == expected


def path_length(graph, path, weight):
    """None if the path uses an edge that does not exist."""
    if not all(graph.has_edge(u, v) for u, v in itertools.pairwise(path)):
        return None
    edges = (graph[u][v] for u, v in itertools.pairwise(path))
    if graph.is_multigraph():
        return sum(min(data.get(weight, 1) for data in edge.values()) for edge in edges)
    return sum(edge.get(weight, 1) for edge in edges)


def require_paths(graph, found, expected, weight):
    """Paths, which are lists, have the same lengths and ends; all else is close."""
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            require_paths(graph, found[key], expected[key], weight)
    elif isinstance(expected, tuple) or (isinstance(expected, list) and expected and isinstance(expected[0], tuple)
                                         and len(expected[0]) == 2 and not graph.has_node(expected[0])):
        assert len(found) == len(expected)
        for each, other in zip(found, expected):
            require_paths(graph, each, other, weight)
    elif isinstance(expected, list):
        assert (found[:1], found[-1:]) == (expected[:1], expected[-1:])
        assert path_length(graph, found, weight) == pytest.approx(path_length(graph, expected, weight), rel=1e-12, abs=1e-12)
    else:
        require_close(found, expected, types=not graph.has_node(expected))


def sorted_lists(result):
    """The result with all lists of nodes and paths in one order. NetworkX finds a path again if a cycle
    of length 0 leads back to its source."""
    if isinstance(result, dict):
        return {key: sorted_lists(value) for key, value in result.items()}
    if isinstance(result, tuple):
        return tuple(map(sorted_lists, result))
    if isinstance(result, list):
        if result and isinstance(result[0], list):
            return sorted(map(list, set(map(tuple, result))), key=repr)
        return sorted(map(sorted_lists, result) if result and isinstance(result[0], tuple) else result, key=repr)
    return result


def compare(name, graph, call, found, expected):
    how = CALLS[name][1]
    weight = call.get("weight", getattr(inspect.signature(backend.SERVED[getattr(nx, name).name]).parameters.get("weight"), "default", None))
    if how == "paths":
        require_paths(graph, found, expected, weight)
    elif how == "exact":
        # NetworkX 3.5 has another order of the nodes to which Dijkstra's algorithm leads
        require_close(found, expected, orders="dijkstra" not in name or nx_wayfront.version_of(nx.__version__) >= (3, 6))
    elif how == "unordered":
        require_close(sorted_lists(found), sorted_lists(expected))
    elif how == "set":
        assert set(found) == set(expected)
    elif how == "graph":
        assert type(found) is type(expected) and list(found.edges) == list(expected.edges) and list(found) == list(expected)
    elif how == "edges" and call.get("reverse"):  # the order of predecessors is another one
        assert {child for _, child in found} == {child for _, child in expected}
    elif how == "trees":
        require_close(found[1], expected[1])
        for node, parent in found[0].items():
            if parent is not None:
                assert found[1][parent] + path_length(graph, [parent, node], "weight") == pytest.approx(found[1][node], abs=1e-12)
        assert [node for node, parent in found[0].items() if parent is None] == [call["source"]]
    elif how == "cycle":
        assert found[0] == found[-1] and path_length(graph, found, "weight") < 0
    elif how == "matrix":
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    elif how == "predecessors":
        require_close(found[1], expected[1], types=False)
        for u, row in found[0].items():
            assert row.keys() == expected[0][u].keys()
            for v, before in row.items():
                if u != v:
                    assert found[1][u][before] + path_length(graph, [before, v], "weight") == pytest.approx(found[1][u][v], abs=1e-12)
        assert found[0].keys() == expected[0].keys()
    elif name == "floyd_warshall":
        # the type of a node's own distance depends on its loops, and others have both if some edges have no weight
        assert all(found[u].pop(u) == expected[u].pop(u) for u in graph)
        require_close(found, expected, types=len({"weight" in data for _, _, data in graph.edges(data=True)}) == 1)
    else:
        require_close(found, expected)


@pytest.mark.parametrize("name", CALLS)
def test_function(name):
    make_calls, _ = CALLS[name]
    compared = 0
    for title, graph in GRAPHS.items():
        for call in make_calls(graph):
            expected, warned = outcome(name, graph, call, backend="networkx")
            found, warned_too = outcome(name, graph, call, backend="wayfront")
            try:
                if isinstance(found, NotImplementedError) and not isinstance(expected, nx.NetworkXNotImplemented):
                    assert "negative" in title or isinstance(expected, Exception), found
                    continue
                assert warned_too == warned
                if isinstance(expected, Exception):
                    assert (type(found), str(found)) == (type(expected), str(expected))
                else:
                    assert not isinstance(found, Exception), repr(found)
                    compare(name, graph, call, found, expected)
                compared += 1
            except AssertionError as error:
                raise AssertionError(f"{name}({title}, {call}): {expected!r}\nwayfront: {found!r}") from error
    assert compared > 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["eccentricity", "diameter", "radius", "center", "periphery", "barycenter"])
def test_null_graphs(kind, name):
    calls = [{}, {"weight": "weight"}]
    if name == "eccentricity":
        calls += [{"v": []}, {"v": 1}, {"v": [1]}]
    elif name != "barycenter":
        calls += [call | {"usebounds": True} for call in calls]
    for call in calls:
        (expected, _), (found, _) = (outcome(name, KINDS[kind](), call, backend=who) for who in ("networkx", "wayfront"))
        assert (type(found), str(found)) == (type(expected), str(expected)), call


def test_warnings_name_the_line_of_the_caller():
    found, expected = (outcome("bfs_predecessors", nx.path_graph(3), {"source": 0}, backend=who)
                       for who in ("wayfront", "networkx"))
    assert found == expected
    deprecated = nx_wayfront.version_of(nx.__version__) >= (3, 7)
    assert [(category, pathlib.Path(file)) for category, _, file in found[1]] == (
        [(DeprecationWarning, pathlib.Path(__file__))] if deprecated else [])


def test_all_functions_are_tested():
    assert {getattr(nx, name).name for name in CALLS} | {"reconstruct_path"} == set(backend.SERVED)


def chain(nodes=200, **data):
    return nx.path_graph(nodes, create_using=nx.DiGraph) if not data else nx.DiGraph(
        [(i, i + 1, data) for i in range(nodes - 1)])


def test_the_information_imports_nothing():
    code = ("import sys, nx_wayfront; nx_wayfront.get_info(); import networkx;"
            "assert not {'numpy', 'wayfront', 'nx_wayfront.backend'} & sys.modules.keys(), sys.modules.keys()")
    subprocess.run([sys.executable, "-c", code], check=True)
    assert set(nx_wayfront.get_info()["functions"]) == set(backend.SERVED)
    assert "backend : Breadth-first" not in nx.bfs_edges.__doc__
    assert "wayfront : Breadth-first search" in nx.bfs_edges.__doc__


def test_signatures_are_those_of_networkx():
    for name, function in backend.SERVED.items():
        theirs = inspect.signature(getattr(nx, name).orig_func) if name != "reconstruct_path" else inspect.signature(
            nx.algorithms.shortest_paths.dense.reconstruct_path.orig_func)
        ours = inspect.signature(function).parameters.values()
        if name == "closeness_centrality":  # has sp since NetworkX 3.7
            ours = [p for p in ours if p.name != "sp" or p.name in theirs.parameters]
        assert [(p.name, p.kind, p.default) for p in ours] == [
            (p.name, p.kind, p.default) for p in theirs.parameters.values()], name


def test_priority_chooses_the_backend():
    code = """
import networkx as nx, nx_wayfront.backend as backend
nx.config.warnings_to_ignore.add("cache")
graph = nx.path_graph(200)
assert nx.closeness_centrality(graph)[0] > 0
[converted] = graph.__networkx_cache__["backends"]["wayfront"].values()
assert isinstance(converted, backend.Graph)
nx.diameter(graph)
assert list(graph.__networkx_cache__["backends"]["wayfront"].values()) == [converted]  # converted once
graph.add_edge(0, 100)
assert nx.diameter(graph) < 199 and nx.shortest_path(converted, 0, 2) == [0, 1, 2]
print(type(nx.single_source_shortest_path(converted, 0)).__name__)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         env=os.environ | {"NETWORKX_BACKEND_PRIORITY": "wayfront"})
    assert (run.returncode, run.stdout) == (0, "Paths\n"), run.stderr


@pytest.mark.parametrize("name, arguments, reason", [
    ("shortest_path", {"source": 0, "weight": lambda u, v, data: 1}, "weight is a function"),
    ("closeness_centrality", {"distance": max}, "distance is a function"),
    ("astar_path", {"source": 0, "target": 1, "heuristic": max}, "heuristic is a function"),
    ("bfs_edges", {"source": 0, "sort_neighbors": sorted}, "sort_neighbors is a function"),
    ("generic_bfs_edges", {"source": 0, "neighbors": max}, "neighbors is a function"),
    ("diameter", {"e": {}}, "eccentricities are given"),
    ("eccentricity", {"sp": {}}, "distances are given"),
    ("closeness_centrality", {"sp": {}}, "distances are given"),
    (nx.barycenter.name, {"attr": "x"}, "written to the graph"),
    ("bfs_edges", {}, "missing a required argument"),
    ("pagerank", {}, "no function pagerank"),
])
def test_arguments_that_networkx_serves(name, arguments, reason):
    assert reason in backend.can_run(name, (nx.path_graph(3),), arguments)


def test_an_old_networkx_is_refused(monkeypatch):
    monkeypatch.setattr(backend, "_TOO_OLD", True)
    assert "older than 3.5" in backend.can_run("diameter", (nx.path_graph(3),), {})


def test_a_heuristic_that_is_no_function_is_accepted():
    graph = chain(weight=-1)
    assert backend.can_run("negative_edge_cycle", (graph,), {"heuristic": False}) is True
    assert nx.negative_edge_cycle(graph, heuristic=False, backend="wayfront") is False


@pytest.mark.parametrize("weights, reason", [
    ([1, None], "hidden"),
    ([1, math.inf], "infinite"),
    ([1, math.nan], "not a number"),
    ([1, Fraction(1, 3)], "Fraction"),
    ([1, 1j], "complex"),
    ([1, "2"], "str"),
    ([1, 2**70], "too large"),
    ([1, 2**52], "2\\*\\*53"),
    ([1.5, 1e307], "1e\\+307"),
    ([0.5, 2**60 + 1], "does not fit"),
])
def test_weights_that_networkx_adds(weights, reason):
    for kind in KINDS.values():
        graph = kind([(i, i + 1, {"weight": weight}) for i, weight in enumerate(weights)])
        with pytest.raises(NotImplementedError, match=reason):
            backend.convert_from_nx(graph, edge_attrs={"weight": 1})
        assert nx.single_source_shortest_path_length(graph, 0, backend="wayfront") == {0: 0, 1: 1, 2: 2}
    parallel = nx.MultiGraph([(0, 1, {"weight": 1}), (0, 1, {"weight": None})])
    with pytest.raises(NotImplementedError, match="cannot be compared"):
        backend.convert_from_nx(parallel, edge_attrs={"weight": 1})


@pytest.mark.parametrize("weights", [[True, 2], [np.int64(3), 2], [np.float32(0.5), 1]])
def test_weights_of_other_types(weights):
    graph = nx.DiGraph([(i, i + 1, {"weight": weight}) for i, weight in enumerate(weights)])
    found = nx.single_source_dijkstra_path_length(graph, 0, backend="wayfront")
    assert found == nx.single_source_dijkstra_path_length(graph, 0)
    assert {type(length) for length in found.values()} <= {int, float}


@pytest.mark.parametrize("attribute", [1, True, ("a", 2), "weight"])
def test_attributes_of_any_name(attribute):
    graph = nx.DiGraph([(0, 1, {attribute: 5}), (1, 2, {attribute: 7})])
    converted = backend.convert_from_nx(graph, edge_attrs={attribute: 1})
    for _ in range(2):
        assert nx.shortest_path_length(converted, 0, 2) == 2
        assert nx.shortest_path_length(converted, 0, 2, weight=attribute) == 12


def test_negative_weights_fall_back():
    graph = nx.DiGraph([(0, 1, {"weight": 2}), (1, 2, {"weight": -1})])
    for name in ("dijkstra_path", "astar_path", "bidirectional_dijkstra"):
        with pytest.raises(NotImplementedError):
            getattr(nx, name)(graph, 0, 2, backend="wayfront")
    with pytest.raises(NotImplementedError, match="negative"):
        backend.all_pairs_dijkstra_path_length(backend.convert_from_nx(graph, edge_attrs={"weight": 1}))
    assert nx.bellman_ford_path_length(graph, 0, 2, backend="wayfront") == 1


def test_reasons_are_logged(caplog):
    graph = chain(weight=None)
    with caplog.at_level(logging.DEBUG, "networkx.utils.backends"), nx.config.backend_priority(algos=["wayfront"]):
        with pytest.raises(nx.NetworkXNoPath):
            nx.dijkstra_path(graph, 0, 1)
        nx.single_source_dijkstra_path_length(graph, 0, weight=lambda u, v, data: 1)
    assert "is a function of Python" in caplog.text


def test_missing_memory_falls_back(monkeypatch):
    def fail(*_, **__):
        raise wayfront.ResourceError("no memory")

    monkeypatch.setattr(wayfront, "AllPairs", fail)
    graph = nx.path_graph(200)
    with pytest.raises(NotImplementedError):
        nx.closeness_centrality(graph, backend="wayfront")
    with nx.config.backend_priority(algos=["wayfront"]):
        assert nx.closeness_centrality(graph)[0] > 0


def test_should_run():
    def answer(name, graph, **arguments):
        return backend.should_run(name, (graph,), arguments)

    small, graph = nx.path_graph(99), nx.path_graph(100)
    assert "fewer than 100 nodes" in answer("closeness_centrality", small)
    assert answer("closeness_centrality", graph) is True
    assert answer("shortest_path", graph) is True
    assert "both ends" in answer("shortest_path", graph, source=0, target=5)
    assert "both ends" in answer("has_path", graph, source=0, target=5)
    calls = [("shortest_path", {"source": 0}), ("closeness_centrality", {"u": 0}), ("dijkstra_path", {"source": 0, "target": 5})]
    for name, arguments in [*calls, *calls[:2]]:
        assert "more time than one search" in answer(name, graph, **arguments)
    assert answer("bfs_edges", graph, source=0) is True  # the sixth search
    graph.add_edge(3, 5)
    assert "more time" in answer("bfs_edges", graph, source=0)
    nx.diameter(graph, backend="wayfront")
    assert answer("bfs_edges", graph, source=0) is True
    assert "more time" in answer("dijkstra_path", graph, source=0, target=5)  # was converted without weights
    graph.__networkx_cache__ = None
    assert "one search" in answer("bfs_edges", graph, source=0)
    assert "no graph" in backend.should_run("reconstruct_path", (0, 1, {}), {})


@pytest.mark.parametrize("backwards", [False, True])
def test_paths_are_a_mapping(backwards):
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("b", "d"), ("e", "a")])
    function = nx.single_target_shortest_path if backwards else nx.single_source_shortest_path
    paths, expected = function(graph, "b", backend="wayfront"), function(graph, "b")
    assert paths == expected and expected == paths and dict(paths) == expected
    assert list(paths) == list(expected) and len(paths) == 3 and repr(paths) == repr(expected)
    assert "b" in paths and "nowhere" not in paths and (("e" in paths) is backwards)
    assert paths.get("nowhere") is None and paths["b"] == ["b"]
    for missing in ("nowhere", "c" if backwards else "e"):
        with pytest.raises(KeyError):
            paths[missing]
    for made in (paths.copy(), copy.copy(paths), pickle.loads(pickle.dumps(paths))):
        assert type(made) is dict and made == expected


def test_orders_need_distances_of_a_search():
    rows = wayfront._core.SearchRows(np.array([0, 1, 1]), np.array([1], dtype=np.int32))
    ascending, sources = np.array([0, 1]), np.array([0])
    order, parents = wayfront._core.queue_order(rows, np.array([2.5]), np.array([0, 2.5]), ascending, sources)
    assert (order.tolist(), parents.tolist()) == ([0, 1], [0, 0])
    with pytest.raises(wayfront.ResultError, match="of no search"):
        wayfront._core.queue_order(rows, np.array([2.5]), np.array([0, 2.0]), ascending, sources)


def test_kinds_of_edges_are_the_objects_of_networkx():
    ours, theirs = (nx.bfs_labeled_edges(GRAPHS["directed, connected"], 0, backend=name) for name in ("wayfront", "networkx"))
    kinds = [(label, other) for (_, _, label), (_, _, other) in zip(ours, theirs)]
    assert all(label is other for label, other in kinds) and len(set(kinds)) == 4


def test_rows_of_johnson_are_made_when_they_are_asked_for():
    graph = chain(weight=3)
    rows = nx.johnson(graph, backend="wayfront")
    assert rows[0][199] == list(range(200)) and len(rows) == 200 and rows == nx.johnson(graph)
    assert type(pickle.loads(pickle.dumps(rows))) is dict


@pytest.mark.parametrize("name", ["all_pairs_shortest_path_length", "all_pairs_dijkstra_path_length"])
@pytest.mark.parametrize("chunk", [1, 4 * 69 * 16])
def test_rows_come_in_chunks(name, chunk, monkeypatch):
    monkeypatch.setattr(functions, "_CHUNK_BYTES", chunk)
    made = []
    all_pairs = wayfront.AllPairs
    monkeypatch.setattr(wayfront, "AllPairs", lambda graph, sources: made.append(len(sources)) or all_pairs(graph, sources=sources))
    graph = nx.disjoint_union_all([GRAPHS["undirected, connected"]] * 3)
    for cutoff in (None, 3):
        made.clear()
        found = getattr(nx, name)(graph, cutoff=cutoff, backend="wayfront")
        assert made == []
        first = next(found)
        assert made == ([] if chunk == 1 else [16])  # one chunk is in memory
        require_close([first, *found], list(getattr(nx, name)(graph, cutoff=cutoff)))
        assert made == ([] if chunk == 1 else [16, 16, 16, 16, 5])


@pytest.mark.parametrize("view", [
    nx.subgraph_view(random_graph("multi", "numbers", "whole", 4), filter_edge=lambda u, v, key: (u + v) % 3 > 0),
    nx.subgraph_view(random_graph("directed", "numbers", "real", 5), filter_node=lambda u: u % 4),
    nx.reverse_view(random_graph("directed multi", "strings", "whole", 6)),
    random_graph("undirected", "tuples", "some", 7).subgraph(map(NAMES["tuples"], range(5, 20))),
], ids=["edges hidden", "nodes hidden", "reversed", "subgraph"])
def test_views(view):
    for name in ("single_source_dijkstra", "closeness_centrality", "all_pairs_dijkstra_path_length", "bfs_labeled_edges"):
        arguments = [next(iter(view))] if name in ("single_source_dijkstra", "bfs_labeled_edges") else []
        found, expected = (plain(getattr(nx, name)(view, *arguments, backend=who)) for who in ("wayfront", "networkx"))
        require_close(found, expected)
    assert str(backend.convert_from_nx(view)) == str(view)


@pytest.mark.parametrize("view_of", [
    lambda graph: graph.subgraph(range(150)),
    lambda graph: nx.subgraph_view(graph, filter_node=lambda node: node < 150),
    lambda graph: nx.subgraph_view(graph, filter_edge=lambda u, v: (u, v) != (160, 161)),
    lambda graph: graph.to_directed(as_view=True),
    nx.graphviews.generic_graph_view,
], ids=["subgraph", "nodes hidden", "edges hidden", "directed", "whole"])
def test_views_see_changes_of_the_graph_behind_them(view_of):
    graph = nx.path_graph(200)
    view = view_of(graph)
    assert nx.single_source_shortest_path_length(view, 0, backend="wayfront")[149] == 149
    graph.add_edge(0, 149)
    assert nx.single_source_shortest_path_length(view, 0, backend="wayfront") == nx.single_source_shortest_path_length(view, 0)


def test_undirected_views_of_directed_graphs():
    graph = nx.DiGraph()
    graph.add_edge(0, 1, weight=7.0)
    graph.add_edge(1, 0, weight=5.0)
    graph.add_edge(1, 2, weight=1.0)
    view = graph.to_undirected(as_view=True)
    with pytest.raises(NotImplementedError, match="another weight from its other end"):
        backend.convert_from_nx(view, edge_attrs={"weight": 1})
    assert nx.dijkstra_path_length(view, 1, 0) == 5
    with pytest.raises(NotImplementedError, match="other attributes from its other end"):
        backend.convert_from_nx(view, preserve_edge_attrs=True)
    assert nx.single_source_shortest_path_length(view, 0, backend="wayfront") == {0: 0, 1: 1, 2: 2}
    graph[1][0]["weight"] = 7.0
    assert nx.dijkstra_path_length(view, 2, 0, backend="wayfront") == 8
    assert backend.convert_from_nx(view, preserve_edge_attrs=True).number_of_edges() == 2


def test_threads_with_other_cutoffs():
    class SlowDict(dict):
        """Leaves other threads time to change what was just stored."""

        def __setitem__(self, key, value):
            super().__setitem__(key, value)
            time.sleep(2e-3)

    graph = backend.convert_from_nx(nx.path_graph(300))
    graph._made = SlowDict()

    def search(cutoff):
        return [len(backend.single_source_shortest_path_length(graph, 0, cutoff=cutoff)) for _ in range(10)]

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        assert list(threads.map(search, range(1, 5))) == [10 * [cutoff + 1] for cutoff in range(1, 5)]


@pytest.mark.parametrize("cutoff", [math.nan, -math.inf])
def test_cutoffs_that_are_no_numbers_are_left_to_networkx(cutoff):
    graph = backend.convert_from_nx(nx.path_graph(5))
    with pytest.raises(NotImplementedError, match="not a number"):
        backend.single_source_shortest_path_length(graph, 0, cutoff=cutoff)


def test_conversion_back():
    for title, graph in GRAPHS.items():
        converted = backend.convert_from_nx(graph, edge_attrs={"weight": 1})
        once = nx.DiGraph(graph) if graph.is_directed() else nx.Graph(graph)
        if graph.number_of_edges() > once.number_of_edges():
            with pytest.raises(NotImplementedError, match="without its parallel edges"):
                backend.convert_to_nx(converted)
            back = backend.convert_to_nx(backend.convert_from_nx(graph, preserve_edge_attrs=True))
        else:
            back = backend.convert_to_nx(converted)
        assert type(back) is type(graph) and list(back) == list(graph), title
        assert str(converted) == str(graph) and len(converted) == len(graph)
        for u, v in graph.edges():
            assert path_length(back, [u, v], "weight") == path_length(graph, [u, v], "weight")
        exact = backend.convert_to_nx(backend.convert_from_nx(graph, preserve_edge_attrs=True, preserve_node_attrs=True))
        assert nx.utils.graphs_equal(exact, graph)
        for made in (pickle.loads(pickle.dumps(converted)), copy.deepcopy(converted)):
            assert list(made) == list(graph) and made.number_of_edges() == graph.number_of_edges()


def test_a_converted_graph_answers_all_functions():
    graph = GRAPHS["directed, connected"]
    exact = backend.convert_from_nx(graph, preserve_edge_attrs=True, preserve_node_attrs=True)
    with nx.config(fallback_to_nx=True):
        assert nx.pagerank(exact) == pytest.approx(nx.pagerank(graph))
    assert nx.dijkstra_path_length(exact, 0, 9) == nx.dijkstra_path_length(graph, 0, 9)
    bare = backend.convert_from_nx(graph)
    assert nx.shortest_path_length(bare, 0, 9) == nx.shortest_path_length(graph, 0, 9)
    with pytest.raises(NotImplementedError, match="without the attribute 'weight'"):
        backend.dijkstra_path_length(bare, 0, 9)


def test_paths_of_matrices():
    graph = GRAPHS["directed, connected"]
    before, _ = nx.floyd_warshall_predecessor_and_distance(graph, backend="wayfront")
    for target in graph:
        path = nx.reconstruct_path(0, target, before, backend="wayfront")
        assert path_length(graph, path, "weight") == (nx.dijkstra_path_length(graph, 0, target) if target else 0)
