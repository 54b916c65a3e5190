"""Distances and paths between pairs of vertices, against SciPy and NetworkX."""

import networkx
import numpy as np
import pytest
import scipy.sparse.csgraph
from conftest import ROOT, random_matrix, with_potentials

import wayfront


def test_a_path_that_is_not_there():
    found = wayfront.Bfs.between("ring:9", [(0, 3), (4, 5)])
    assert found.paths[-2].tolist() == found.paths[0].tolist() == [0, 1, 2, 3]
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"no path {index}: there are 2 pairs"):
            found.paths[index]
    assert [len(path) for path in found.paths] == [4, 2]


def graph_of(matrix, directed, **options):
    return wayfront.Graph.from_scipy(matrix, direction="directed" if directed else "undirected", **options)


def as_floats(found):
    return np.where(found.distances == found.unreached, np.inf, found.distances)


def check_paths(found, length):
    """`length(u, v)` is that of an edge, or None. Each path leads from its source to its target, and is as long as the distance says."""
    assert len(found.paths) == len(found)
    for source, target, distance, path in zip(found.sources, found.targets, as_floats(found), found.paths):
        if np.isinf(distance):
            assert len(path) == 0
            continue
        assert (path[0], path[-1]) == (source, target)
        assert sum(length(u, v) for u, v in zip(path[:-1], path[1:])) == pytest.approx(distance, rel=1e-6)


@pytest.mark.parametrize("options", [{}, {"deterministic": True}], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_pairs_of_random_graphs(seed, options, weight_type, directed):
    matrix = random_matrix(seed, density=0.03, dtype=weight_type, lowest=1)
    graph = graph_of(matrix, directed, double_precision=True)
    pairs = np.random.default_rng(seed).integers(0, 60, (40, 2))
    pairs[:5, 0] = 7  # several pairs of one source
    pairs[5] = 7
    dense = matrix.toarray().astype(np.float64)
    if not directed:
        dense = np.where((dense.T != 0) & ((dense == 0) | (dense.T < dense)), dense.T, dense)
    found = wayfront.ShortestPaths.between(graph, pairs, **options)
    expected = scipy.sparse.csgraph.dijkstra(dense, directed=directed)[pairs[:, 0], pairs[:, 1]]
    np.testing.assert_allclose(as_floats(found), expected, rtol=1e-12)
    assert found.distances.dtype == (np.float64 if np.dtype(weight_type).kind == "f" else np.int64)
    check_paths(found, lambda u, v: dense[u, v])

    hops = wayfront.Bfs.between(graph, pairs, **options)
    expected = scipy.sparse.csgraph.dijkstra(dense, directed=directed, unweighted=True)[pairs[:, 0], pairs[:, 1]]
    np.testing.assert_array_equal(as_floats(hops), expected)
    assert hops.distances.dtype == np.int64
    check_paths(hops, lambda u, v: 1 if dense[u, v] else None)


def test_against_networkx():
    network = networkx.connected_watts_strogatz_graph(80, 4, 0.2, seed=2)
    pairs = [(u, (7 * u + 3) % 80) for u in range(80)]
    found = wayfront.Bfs.between(network, pairs)
    assert found.distances.tolist() == [networkx.shortest_path_length(network, u, v) for u, v in pairs]
    check_paths(found, lambda u, v: 1 if network.has_edge(u, v) else None)
    for i, (u, v) in enumerate(networkx.gnm_random_graph(80, 160, seed=1).edges):
        network.add_edge(u, v, weight=i % 9)
    found = wayfront.ShortestPaths.between(network, pairs)
    assert found.distances.tolist() == [networkx.dijkstra_path_length(network, u, v) for u, v in pairs]


def test_roads_and_negative_weights():
    roads = wayfront.load(ROOT / "tests/data/new-york.gr.gz")
    pairs = np.random.default_rng(3).integers(1, 1001, (300, 2))
    found = wayfront.ShortestPaths.between(roads, pairs)
    rows = wayfront.all_pairs(roads, sources=np.unique(pairs[:, 0]))
    matrix = np.where(rows.distances == rows.unreached, np.inf, rows.distances)
    np.testing.assert_array_equal(as_floats(found), matrix[np.searchsorted(rows.sources, pairs[:, 0]), pairs[:, 1] - 1])
    negative = with_potentials(random_matrix(4, dtype=np.int64), 4)
    found = wayfront.ShortestPaths.between(negative, [(5, v) for v in range(60)])
    np.testing.assert_array_equal(as_floats(found), scipy.sparse.csgraph.bellman_ford(negative, indices=5))


def test_reversed_graphs_and_limits():
    graph = wayfront.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2, 3, 4], direction="reversed")
    found = wayfront.ShortestPaths.between(graph, [(3, 0), (0, 3)])
    assert found.distances.tolist() == [9, found.unreached]
    assert [path.tolist() for path in found.paths] == [[0, 1, 2, 3], []]
    assert wayfront.ShortestPaths.between(graph, [(3, 0), (3, 1)], cutoff=7).distances.tolist() == [found.unreached, 7]
    assert wayfront.Bfs.between(graph, [(3, 0), (3, 1)], cutoff=2).distances.tolist() == [found.unreached, 2]


def test_the_result():
    found = wayfront.Bfs.between("path:6", [(0, 3), (5, 5), (4, 1)])
    assert repr(found).startswith("<wayfront.PairsResult of 3 pairs: 3 with a path")
    assert (len(found), found.seconds > 0) == (3, True)
    assert (found.sources.tolist(), found.targets.tolist()) == ([0, 5, 4], [3, 5, 1])
    paths = found.paths
    assert [path.tolist() for path in paths] == [[0, 1, 2, 3], [5], [4, 3, 2, 1]]
    assert paths[-1].tolist() == paths[2].tolist()
    assert [len(path) for path in paths[1:]] == [1, 4]
    assert repr(paths) == "<wayfront.Paths of 3 pairs, 9 vertices>"
    with pytest.raises(IndexError):
        paths[3]
    with pytest.raises(ValueError):
        paths[0][0] = 1
    assert wayfront.Bfs.between("path:6", [(0, 3)], paths=False).paths is None


@pytest.mark.parametrize("search", [wayfront.Bfs, wayfront.ShortestPaths])
def test_bad_pairs_are_refused(search):
    for error, words, pairs, options in (
        (wayfront.InputError, "at least one", [], {}), (wayfront.InputError, r"shape \(2,\)", [1, 2], {}), (wayfront.InputError, r"shape \(1, 3\)", [(1, 2, 3)], {}),
        (wayfront.InputError, "pairs: there is no vertex 9", [(1, 2), (9, 1)], {}), (wayfront.InputError, "pairs: there is no vertex -1", [(1, -1)], {}),
        (wayfront.InputError, "there is no vertex 18446744073709551615", np.array([[1, 2**64 - 1]], dtype=np.uint64), {}),
        (TypeError, "whole numbers", [(1.0, 2.0)], {}), (TypeError, "pairs: expected a whole number, found str", [("a", "b")], {}),
        (wayfront.InputError, "validate", [(1, 2)], {"validate": True}), (wayfront.InputError, "engine", [(1, 2)], {"engine": "fpga"}),
        (TypeError, "between has no option 'speed'", [(1, 2)], {"speed": 1}),
    ):
        with pytest.raises(error, match=words):
            search.between("ring:9", pairs, **options)


def test_cycles_of_negative_length():
    graph = wayfront.Graph.from_edges(5, [0, 1, 2, 3], [1, 2, 3, 1], [5, 1, -3, 1])
    with pytest.raises(wayfront.NegativeCycleError) as caught:
        wayfront.ShortestPaths.between(graph, [(4, 4), (0, 2)])
    assert sorted(caught.value.vertices) == [1, 2, 3]
