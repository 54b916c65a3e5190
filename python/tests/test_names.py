"""Names of vertices in place of numbers."""

import pickle

import networkx
import numpy as np
import pytest

import wayfront

TOWNS = ["Bergen", "Mo i Rana", "Oslo", "Ålesund"]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "towns.csv"
    path.write_text('from,to,km\nOslo,Bergen,463\nBergen,Ålesund,381\n"Mo i Rana",Oslo,1005\n', encoding="utf-8")
    return path


@pytest.fixture(params=["file", "networkx"])
def graph(request, file):
    if request.param == "file":
        return wayfront.load(file, direction="undirected")
    towns = networkx.Graph()
    towns.add_nodes_from(TOWNS)
    towns.add_weighted_edges_from([("Oslo", "Bergen", 463), ("Bergen", "Ålesund", 381), ("Mo i Rana", "Oslo", 1005)])
    return wayfront.Graph.from_networkx(towns)


def named(graph, path):
    return [graph.nodes[v] for v in path]


def test_names_of_a_graph(graph):
    assert graph.nodes == TOWNS
    assert graph.nodes is graph.nodes
    assert [graph.vertex_named(name) for name in TOWNS] == [0, 1, 2, 3]
    assert wayfront.load("ring:9").nodes is None


def test_searches(graph):
    way = ["Mo i Rana", "Oslo", "Bergen", "Ålesund"]
    for search in (wayfront.bfs, wayfront.shortest_paths):
        result = search(graph, "Mo i Rana")
        assert result.source == 1
        assert named(graph, result.path("Ålesund")) == named(graph, result.path(3)) == way
        sent = pickle.loads(pickle.dumps(result))
        assert named(graph, sent.path(3)) == way
        with pytest.raises(TypeError, match="the vertices have no names here"):
            sent.path("Ålesund")
    assert result.distances[graph.vertex_named("Ålesund")] == 1005 + 463 + 381
    for kind in (wayfront.Bfs, wayfront.ShortestPaths):
        search = kind(graph)
        assert search.run("Oslo").source == search.run(np.str_("Oslo")).source == 2
        assert named(graph, search.path("Ålesund")) == way[1:]
        for sources in (["Ålesund", "Mo i Rana"], [3, "Mo i Rana"], np.array(["Ålesund", "Mo i Rana"]), ("Ålesund", 1)):
            assert search.run_nearest(sources).nearest.tolist() == search.run_nearest([3, 1]).nearest.tolist()


@pytest.mark.parametrize("pairs", [[("Oslo", "Ålesund"), ("Oslo", "Oslo")], [("Oslo", 3), (2, 2)], np.array([["Oslo", "Ålesund"], ["Oslo"] * 2])], ids=str)
def test_pairs(graph, pairs):
    found = wayfront.ShortestPaths.between(graph, pairs)
    assert (found.sources.tolist(), found.targets.tolist(), found.distances.tolist()) == ([2, 2], [3, 2], [844, 0])
    assert named(graph, found.paths[0]) == ["Oslo", "Bergen", "Ålesund"]


def test_all_pairs(graph):
    found = wayfront.all_pairs(graph, sources=["Oslo", "Bergen"], predecessors=True)
    assert found.sources.tolist() == [2, 0]
    assert found.distances[0].tolist() == [463, 1005, 0, 844]
    assert named(graph, found.path("Oslo", "Ålesund")) == ["Oslo", "Bergen", "Ålesund"]
    assert wayfront.all_pairs(graph, targets=["Oslo", 0]).distances[3].tolist() == [844, 381]


def test_many_graphs(graph):
    found = wayfront.all_pairs_of_many([graph], matrices=True, predecessors=True)[0]
    assert named(graph, found.matrix.path("Oslo", "Ålesund")) == ["Oslo", "Bergen", "Ålesund"]


def test_names_that_are_numbers(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text("70 7\n7 b\n")
    graph = wayfront.load(path, names=True, direction="undirected")
    assert graph.nodes == ["7", "70", "b"]
    assert wayfront.bfs(graph, "70").levels.tolist() == wayfront.bfs(graph, 1).levels.tolist() == [1, 0, 2]
    assert wayfront.all_pairs_of_many([path], names=True)[0].vertex_count == 3


def test_names_of_other_bytes(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes(b"from,to\nOslo,Bergen\nBergen,\xc5lesund\n")
    graph = wayfront.load(path)
    assert graph.nodes == ["Bergen", "Oslo", "\udcc5lesund"]
    assert graph.vertex_named("\udcc5lesund") == 2


def test_nodes_that_are_no_strings():
    graph = wayfront.Graph.from_networkx(networkx.Graph([("a", 7), (7, ("b", 1))]))
    assert graph.nodes == ["a", 7, ("b", 1)]
    assert wayfront.bfs(graph, "a").levels.tolist() == wayfront.bfs(graph, 0).levels.tolist() == [0, 1, 2]


BAD = [
    (wayfront.InputError, "source: there is no vertex 'Rom'", lambda graph: wayfront.bfs(graph, "Rom")),
    (wayfront.InputError, "target: there is no vertex 'Rom'", lambda graph: wayfront.bfs(graph, "Oslo").path("Rom")),
    (wayfront.InputError, "sources: there is no vertex 'Rom'", lambda graph: wayfront.all_pairs(graph, sources=["Rom"])),
    (wayfront.InputError, "pairs: there is no vertex 'Rom'", lambda graph: wayfront.Bfs.between(graph, [(0, "Rom")])),
    (wayfront.InputError, "name: there is no vertex 'Rom'", lambda graph: graph.vertex_named("Rom")),
    (wayfront.InputError, "source: there is no vertex '0'", lambda graph: wayfront.ShortestPaths(graph).run("0")),
    (TypeError, "name: expected a string, found int", lambda graph: graph.vertex_named(0)),
    (TypeError, "source: expected a whole number, found str; .* no names", lambda graph: wayfront.bfs("ring:9", "Oslo")),
    (TypeError, "sources: expected a whole number, found str; .* no names", lambda graph: wayfront.Bfs("ring:9").run_nearest(["Oslo"])),
    (TypeError, "sources: expected whole numbers", lambda graph: wayfront.Bfs(graph).run_nearest(["Oslo", 1.5])),
]


@pytest.mark.parametrize("error, words, call", BAD, ids=[words for _, words, _ in BAD])
def test_bad_names_are_refused(error, words, call, graph):
    with pytest.raises(error, match=words):
        call(graph)
