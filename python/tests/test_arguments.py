"""Arguments of the wrong type, of all public functions."""

import inspect
import typing

import networkx
import numpy as np
import pytest
from conftest import random_matrix

import wayfront
import wayfront.csgraph
from wayfront._arguments import _annotations

MATRIX = random_matrix(1)
GRAPH = wayfront.Graph.from_scipy(MATRIX)
BFS = wayfront.Bfs(GRAPH)
PATHS = wayfront.ShortestPaths(GRAPH)
PAIRS = wayfront.AllPairs(GRAPH, predecessors=True)
NAMED = wayfront.Graph.from_networkx(networkx.Graph([("Oslo", "Bergen")]))
TREE = np.full(60, -9999, np.int32)
EDGES = {"sources": [0], "targets": [1]}

#: Public functions, and arguments with which they work. Options are added to them.
FUNCTIONS = {
    "load": (wayfront.load, {"graph": "ring:9"}),
    "Graph.from_edges": (wayfront.Graph.from_edges, {"vertices": 2, "weights": None} | EDGES),
    "Graph.from_csr": (wayfront.Graph.from_csr, {"offsets": [0, 1, 1], "targets": [1], "weights": [2]}),
    "Graph.from_scipy": (wayfront.Graph.from_scipy, {"matrix": MATRIX}),
    "Graph.from_networkx": (wayfront.Graph.from_networkx, {"graph": networkx.path_graph(3)}),
    "Graph.vertex_named": (NAMED.vertex_named, {"name": "Oslo"}),
    "bfs": (wayfront.bfs, {"graph": GRAPH, "source": 0}),
    "shortest_paths": (wayfront.shortest_paths, {"graph": GRAPH, "source": 0}),
    "Bfs": (wayfront.Bfs, {"graph": GRAPH}),
    "Bfs.run": (BFS.run, {"source": 0}),
    "Bfs.run_on_device": (BFS.run_on_device, {"source": 0}),
    "Bfs.run_nearest": (BFS.run_nearest, {"sources": [0, 1]}),
    "Bfs.between": (wayfront.Bfs.between, {"graph": GRAPH, "pairs": [(0, 1)]}),
    "Bfs.path": (BFS.path, {"target": 0}),
    "Bfs.write": (BFS.write, {"path": "levels.npy"}),
    "BfsResult.path": (BFS.run(0).path, {"target": 0}),
    "ShortestPaths": (wayfront.ShortestPaths, {"graph": GRAPH}),
    "ShortestPaths.run": (PATHS.run, {"source": 0}),
    "ShortestPaths.run_on_device": (PATHS.run_on_device, {"source": 0}),
    "ShortestPaths.run_nearest": (PATHS.run_nearest, {"sources": [0, 1]}),
    "ShortestPaths.between": (wayfront.ShortestPaths.between, {"graph": GRAPH, "pairs": [(0, 1)]}),
    "ShortestPaths.path": (PATHS.path, {"target": 0}),
    "ShortestPaths.write": (PATHS.write, {"path": "distances.npy"}),
    "ShortestPathsResult.path": (PATHS.run(0).path, {"target": 0}),
    "all_pairs": (wayfront.all_pairs, {"graph": GRAPH}),
    "AllPairs": (wayfront.AllPairs, {"graph": GRAPH}),
    "AllPairs.rows": (PAIRS.rows, {"take": print}),
    "AllPairs.within": (PAIRS.within, {"limit": 1.0}),
    "AllPairs.write": (PAIRS.write, {"distances": "rows.npy"}),
    "DistanceMatrix.path": (PAIRS.matrix().path, {"source": 0, "target": 1}),
    "all_pairs_of_many": (wayfront.all_pairs_of_many, {"graphs": ["ring:9"]}),
    "graph500": (wayfront.graph500, {"scale": 5, "keys": 1}),
    "csgraph.breadth_first_order": (wayfront.csgraph.breadth_first_order, {"csgraph": MATRIX, "i_start": 0}),
    "csgraph.breadth_first_tree": (wayfront.csgraph.breadth_first_tree, {"csgraph": MATRIX, "i_start": 0}),
    "csgraph.dijkstra": (wayfront.csgraph.dijkstra, {"csgraph": MATRIX}),
    "csgraph.reconstruct_path": (wayfront.csgraph.reconstruct_path, {"csgraph": MATRIX, "predecessors": TREE}),
    "csgraph.construct_dist_matrix": (wayfront.csgraph.construct_dist_matrix,
                                      {"graph": MATRIX, "predecessors": np.tile(TREE, (60, 1))}),
}

#: Functions of csgraph without arguments of a type that they check: they take those that SciPy's take.
AS_SCIPY = {"bellman_ford", "floyd_warshall", "johnson", "shortest_path"}


def test_all_functions_are_tested():
    public = {name: each for module in (wayfront, wayfront.csgraph) for name in module.__all__
              if callable(each := getattr(module, name)) and not isinstance(each, type) or name in ("Bfs", "ShortestPaths", "AllPairs")}
    assert {name.removeprefix("csgraph.") for name in FUNCTIONS if name.count(".") == 0 or name.startswith("csgraph")} == set(public) - AS_SCIPY
    for owner in (wayfront.Graph, wayfront.Bfs, wayfront.ShortestPaths, wayfront.AllPairs, wayfront.BfsResult, wayfront.DistanceMatrix):
        for name, method in inspect.getmembers(owner, callable):
            has_arguments = not name.startswith("_") and len(inspect.signature(method).parameters) > (not inspect.ismethod(method))
            assert not has_arguments or f"{owner.__name__}.{name}" in FUNCTIONS, (owner, name)


def parameters(function):
    """The names of all parameters, and of all options."""
    hints = _annotations(inspect.unwrap(function.__init__ if isinstance(function, type) else function))
    for name in inspect.signature(function).parameters:
        if typing.get_origin(hints.get(name)) is typing.Unpack:
            yield from _annotations(typing.get_args(hints[name])[0])
        else:
            yield name


CASES = [(name, parameter) for name, (function, _) in FUNCTIONS.items() for parameter in parameters(function)]

#: Arguments that are true or false by Python's rules, and graphs of csgraph, for which SciPy has the errors: what a name begins
#: with, and the argument.
TAKEN = {("csgraph.", "csgraph"), ("csgraph.", "graph"), ("csgraph.", "directed"), ("csgraph.", "unweighted"), ("csgraph.", "min_only"),
         ("csgraph.", "return_predecessors"), ("Graph.", "weighted")}


@pytest.mark.parametrize("name, parameter", [case for case in CASES if (case[0][:case[0].find(".") + 1], case[1]) not in TAKEN])
def test_arguments_of_another_type_are_named(name, parameter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, arguments = FUNCTIONS[name]
    if parameter == "first_row":
        arguments = arguments | {"vertices": 60 if name == "Graph.from_scipy" else 2}
    with pytest.raises(TypeError) as caught:
        function(**arguments | {parameter: object()})
    message = str(caught.value)
    assert "incompatible" not in message
    assert message.startswith(f"{parameter}: expected ") or (parameter, message[:5]) == ("out", "out: "), message
    assert message.endswith("found object"), message


@pytest.mark.parametrize("words, call", [
    ("source: expected a whole number or a string, found float", lambda: wayfront.bfs(GRAPH, 0.0)),
    ("source: expected a whole number or a string, found NoneType", lambda: BFS.run(None)),
    ("engine: expected one of auto, cpu, gpu, split, found int", lambda: wayfront.bfs(GRAPH, 0, engine=1)),
    ("cutoff: expected a whole number or None, found float", lambda: wayfront.bfs(GRAPH, 0, cutoff=1.5)),
    ("cutoff: expected a number or None, found str", lambda: wayfront.shortest_paths(GRAPH, 0, cutoff="1")),
    ("validate: expected True or False, found int", lambda: wayfront.bfs(GRAPH, 0, validate=1)),
    ("validate: expected True or False, found numpy.bool", lambda: wayfront.bfs(GRAPH, 0, validate=np.True_)),
    ("grid: expected a pair of whole numbers or None, found tuple", lambda: wayfront.bfs(GRAPH, 0, grid=(1, 1, 1))),
    ("grid: expected a pair of whole numbers or None, found list", lambda: wayfront.bfs(GRAPH, 0, grid=[1, "1"])),
    ("seeds: expected a pair of whole numbers, found int", lambda: wayfront.graph500(5, seeds=2)),
    ("graph: expected a string or a path, found bytes", lambda: wayfront.load(b"ring:9")),
    ("sources: expected an array, found str", lambda: BFS.run_nearest("01")),
    ("pairs: expected an array, found dict", lambda: wayfront.Bfs.between(GRAPH, {0: 1})),
    ("graphs: expected a list, found int", lambda: wayfront.all_pairs_of_many(3)),
    ("vertices: expected a whole number or None, found str", lambda: wayfront.Graph.from_scipy(MATRIX, vertices="60")),
    ("i_start: expected a whole number, found float", lambda: wayfront.csgraph.breadth_first_order(MATRIX, 1.5)),
])
def test_messages(words, call):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value).replace("numpy.bool_", "numpy.bool") == words
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("words, call", [
    ("source: 1180591620717411303424 is", lambda: wayfront.bfs(GRAPH, 2**70)),
    ("cutoff: 1180591620717411303424 is", lambda: wayfront.bfs(GRAPH, 0, cutoff=2**70)),
    ("threads: 1099511627776 is", lambda: wayfront.load("ring:9", threads=2**40)),
    ("seeds: -1 is", lambda: wayfront.graph500(5, seeds=(-1, 3))),
    ("sources: 9223372036854775808 is", lambda: BFS.run_nearest([2**63])),
    ("vertices: 1180591620717411303424 is", lambda: wayfront.Graph.from_edges(2**70, [0], [1])),
])
def test_numbers_that_do_not_fit(words, call):
    with pytest.raises(wayfront.InputError, match=f"^{words} out of range$"):
        call()


def test_types_that_convert_are_taken():
    source, limit = np.int8(3), np.float32(2)
    assert wayfront.bfs(GRAPH, source, cutoff=np.int64(2)).source == wayfront.bfs(GRAPH, np.array(3)).source == 3
    assert wayfront.shortest_paths(GRAPH, True, cutoff=limit).source == 1
    assert wayfront.csgraph.reconstruct_path(MATRIX, TREE, directed=1).nnz == 0


def test_errors_of_the_caller_stay_as_they_are():
    def fail(*_):
        raise TypeError("of the callback")

    for call in (lambda: PAIRS.rows(fail), lambda: wayfront.all_pairs(GRAPH, progress=fail)):
        with pytest.raises(TypeError, match="^of the callback$"):
            call()
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'source'"):
        wayfront.bfs(GRAPH)
    with pytest.raises(TypeError, match="bfs has no option 'speed'"):
        wayfront.bfs(GRAPH, 0, speed=1)


def test_functions_keep_their_names_and_signatures():
    assert wayfront.bfs.__name__ == "bfs" and "source" in inspect.signature(wayfront.bfs).parameters
    assert inspect.signature(wayfront.Bfs).parameters.keys() == {"graph", "options"}
