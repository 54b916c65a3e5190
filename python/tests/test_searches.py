"""Breadth-first searches and shortest paths from one source, against SciPy."""

import logging
import pickle
import threading

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from conftest import ROOT, random_matrix, with_potentials
from test_graph import as_floats

import wayfront


def graph_of(matrix, directed, **options):
    return wayfront.Graph.from_scipy(matrix, direction="directed" if directed else "undirected", **options)


def symmetric(matrix):
    """The lighter one of the edges in both directions, of a graph whose weights are above 0."""
    both = scipy.sparse.coo_array(matrix)
    dense = np.full(matrix.shape, np.inf)
    np.minimum.at(dense, both.coords, both.data)
    return np.minimum(dense, dense.T)


@pytest.mark.parametrize("seed", range(8))
def test_levels_and_parents(seed, directed):
    matrix = random_matrix(seed, density=0.03)
    graph = graph_of(matrix, directed)
    search = wayfront.Bfs(graph)
    hops = scipy.sparse.csgraph.dijkstra(matrix, directed=directed, unweighted=True)
    adjacency = matrix.astype(bool).toarray() if directed else (matrix + matrix.T).astype(bool).toarray()
    for source in (0, 17, 59):
        expected = np.where(np.isinf(hops[source]), -1, hops[source]).astype(np.int32)
        for result in (search.run(source), wayfront.bfs(graph, source, validate=True), wayfront.bfs(graph, source, deterministic=True)):
            assert (result.levels.dtype, result.parents.dtype) == (np.int32, np.int64)
            np.testing.assert_array_equal(result.levels, expected)
            assert result.reached == (expected >= 0).sum()
            assert result.depth == expected.max()
            assert result.parents[source] == source
            for v in np.flatnonzero(expected > 0):
                assert adjacency[result.parents[v], v]
                assert expected[result.parents[v]] == expected[v] - 1
            assert (result.parents[expected < 0] == -1).all()


@pytest.mark.parametrize("algorithm", ["auto", "dijkstra", "delta-stepping", "push-pull", "bellman-ford"])
def test_distances_of_every_algorithm(algorithm, weight_type, directed):
    matrix = random_matrix(3, dtype=weight_type)
    graph = graph_of(matrix, directed, double_precision=True)
    search = wayfront.ShortestPaths(graph, algorithm=algorithm, validate=True)
    for source in (0, 33):
        expected = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed, indices=source)
        once = [wayfront.shortest_paths(graph, source, algorithm=algorithm, deterministic=deterministic) for deterministic in (False, True)]
        for result in (search.run(source), *once):
            np.testing.assert_array_equal(as_floats(result), expected)
            assert result.reached == np.isfinite(expected).sum()
            assert result.parents[source] == source
            assert ((result.parents == -1) == np.isinf(expected)).all()


def test_sums_of_32_bit_weights_have_32_bits_unless_asked():
    weights = np.array([1, 2**-24], dtype=np.float32)
    single = wayfront.Graph.from_edges(3, [0, 1], [1, 2], weights)
    assert wayfront.shortest_paths(single, 0).distances[2] == 1
    double = wayfront.Graph.from_edges(3, [0, 1], [1, 2], weights, double_precision=True)
    assert wayfront.shortest_paths(double, 0).distances[2] == 1 + 2**-24


@pytest.mark.parametrize("seed", range(5))
def test_negative_weights(seed):
    whole = with_potentials(random_matrix(seed, dtype=np.int64), seed)
    assert whole.data.min() < 0
    for matrix in (whole, whole.astype(np.float64)):
        result = wayfront.shortest_paths(matrix, 5)
        np.testing.assert_array_equal(as_floats(result), scipy.sparse.csgraph.bellman_ford(matrix, indices=5))


def test_cycles_of_negative_length():
    edges = ([0, 1, 2, 3, 4], [1, 2, 3, 1, 0])
    graph = wayfront.Graph.from_edges(6, *edges, [5, 1, -3, 1, 1])
    for search in (wayfront.shortest_paths, lambda g, s: wayfront.ShortestPaths(g).run(s)):
        with pytest.raises(wayfront.NegativeCycleError, match="negative length") as caught:
            search(graph, 0)
        cycle = caught.value.vertices
        assert sorted(cycle) == [1, 2, 3]
        assert all((u, v) in {(1, 2), (2, 3), (3, 1)} for u, v in zip(cycle, cycle[1:] + cycle[:1]))
        assert pickle.loads(pickle.dumps(caught.value)).vertices == cycle
    assert wayfront.shortest_paths(graph, 5).reached == 1, "the source does not reach the cycle"
    assert issubclass(wayfront.NegativeCycleError, wayfront.ResultError)


def test_paths():
    graph = wayfront.load(ROOT / "tests/data/new-york.gr.gz")
    for search in (wayfront.Bfs(graph), wayfront.ShortestPaths(graph)):
        result = search.run(1)
        values = getattr(result, "levels", None)
        if values is None:
            values = result.distances
        for target in (1, 2, 500, 1000):
            path = result.path(target)
            np.testing.assert_array_equal(path, search.path(target))
            if result.parents[target - 1] == -1:
                assert len(path) == 0
                continue
            assert (path[0], path[-1]) == (1, target)
            assert all(result.parents[v - 1] == u for u, v in zip(path, path[1:]))
            assert (np.diff(values[path - 1]) >= 0).all()
        with pytest.raises(wayfront.InputError, match="no vertex 1001"):
            result.path(1001)


def test_cutoffs(directed):
    matrix = random_matrix(6)
    graph = graph_of(matrix, directed)
    hops = scipy.sparse.csgraph.dijkstra(matrix, directed=directed, unweighted=True, indices=0)
    assert wayfront.bfs(graph, 0, cutoff=2).levels.tolist() == np.where(hops <= 2, hops, -1).tolist()
    limited = scipy.sparse.csgraph.dijkstra(matrix, directed=directed, indices=0, limit=6.5)
    np.testing.assert_array_equal(wayfront.shortest_paths(graph, 0, cutoff=6.5).distances, limited)


def test_results_do_not_change_with_the_next_search():
    search = wayfront.Bfs("path:50")
    first = search.run(0)
    levels = first.levels.copy()
    search.run(49)
    np.testing.assert_array_equal(first.levels, levels)
    del search
    np.testing.assert_array_equal(first.levels, levels)
    first.levels[0] = 7  # the caller's own


def test_files_of_results(tmp_path):
    search = wayfront.Bfs("path:5")
    search.run(1)
    search.write(str(tmp_path / "levels.npy"))
    assert np.load(tmp_path / "levels.npy")[:, 0].tolist() == [1, 0, 1, 2, 3]
    with pytest.raises(wayfront.InputError):
        search.write(str(tmp_path / "levels.xyz"))
    assert not (tmp_path / "levels.xyz").exists()


def test_facts_of_searches():
    assert wayfront.Bfs("ring:9", engine="cpu").engine == {"engine": "cpu", "transport": "", "device": "", "grid": (1, 1)}
    search = wayfront.ShortestPaths("kron:10", engine="cpu", algorithm="delta-stepping", delta=2)
    assert "delta-stepping" in search.algorithm
    assert "from 3: " in repr(search.run(3))


def test_threads_of_python_take_turns():
    search = wayfront.Bfs("kron:12")
    expected = {source: wayfront.bfs("kron:12", source).levels for source in range(8)}
    failures = []

    def work(source):
        for _ in range(50):
            if not np.array_equal(search.run(source).levels, expected[source]):
                failures.append(source)

    threads = [threading.Thread(target=work, args=(source,)) for source in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_other_threads_of_python_run_during_a_search():
    graph = wayfront.load("grid:700x700")
    search = wayfront.Bfs(graph)
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.0005):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    before = len(ticks)
    search.run(0)
    during = len(ticks) - before
    done.set()
    thread.join()
    assert during > 0


def test_notes_go_to_logging(caplog, monkeypatch):
    monkeypatch.setenv("WAYFRONT_THREADS_OF_OTHERS", "9999")
    with caplog.at_level(logging.INFO, logger="wayfront"):
        wayfront.load("ring:9", threads=2)
    assert any(record.name == "wayfront" and "keep" in record.message for record in caplog.records)


BAD_SEARCHES = [
    (wayfront.InputError, "source", lambda: wayfront.bfs("ring:9", 9)),
    (wayfront.InputError, "source", lambda: wayfront.bfs("ring:9", -1)),
    (wayfront.InputError, "source", lambda: wayfront.ShortestPaths("ring:9").run(9)),
    (wayfront.InputError, "engine: expected one of auto, cpu, gpu, split, found 'fpga'", lambda: wayfront.bfs("ring:9", 0, engine="fpga")),
    (wayfront.InputError, "transport: expected one of", lambda: wayfront.bfs("ring:9", 0, transport="x")),
    (wayfront.InputError, "transport: expected one of", lambda: wayfront.shortest_paths("ring:9", 0, transport="x")),
    (wayfront.InputError, "algorithm: expected one of", lambda: wayfront.shortest_paths("ring:9", 0, algorithm="a*")),
    (wayfront.InputError, "grid", lambda: wayfront.bfs("ring:9", 0, grid=(2, 2))),
    (wayfront.InputError, "grid", lambda: wayfront.bfs("ring:9", 0, grid=(0, 1))),
    (wayfront.InputError, "cutoff", lambda: wayfront.bfs("ring:9", 0, cutoff=-1)),
    (wayfront.InputError, "cutoff", lambda: wayfront.shortest_paths("ring:9", 0, cutoff=float("nan"))),
    (wayfront.InputError, "validate and cutoff", lambda: wayfront.bfs("ring:9", 0, cutoff=1, validate=True)),
    (wayfront.InputError, "delta", lambda: wayfront.shortest_paths("ring:9", 0, delta=0)),
    (wayfront.InputError, "not on both", lambda: wayfront.shortest_paths("ring:9", 0, engine="split")),
    (wayfront.InputError, "negative", lambda: wayfront.shortest_paths(
        wayfront.Graph.from_edges(2, [0], [1], [-1]), 0, algorithm="dijkstra")),
    (wayfront.InputError, "no search has been made", lambda: wayfront.Bfs("ring:9").path(1)),
    (TypeError, "bfs has no option 'delta'", lambda: wayfront.bfs("ring:9", 0, delta=1)),
    (TypeError, "source: expected a whole number, found str", lambda: wayfront.bfs("ring:9", "0")),
    (TypeError, "source: expected a whole number or a string, found float", lambda: wayfront.bfs("ring:9", 0.0)),
    (TypeError, "cutoff: expected a whole number or None, found str", lambda: wayfront.bfs("ring:9", 0, cutoff="far")),
]


@pytest.mark.parametrize("error, words, search", BAD_SEARCHES, ids=[str(i) for i in range(len(BAD_SEARCHES))])
def test_bad_searches_are_refused(error, words, search):
    with pytest.raises(error, match=words):
        search()


@pytest.mark.parametrize("sources", [[4], [30, 4, 59], range(60)], ids=str)
def test_nearest_sources(sources, weight_type, directed):
    matrix = random_matrix(5, density=0.03, dtype=weight_type)
    graph = graph_of(matrix, directed, double_precision=True)
    rows = {True: scipy.sparse.csgraph.dijkstra(matrix, directed=directed, indices=list(sources), unweighted=True),
            False: scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed, indices=list(sources))}
    for unweighted, search in ((True, wayfront.Bfs(graph)), (False, wayfront.ShortestPaths(graph))):
        result = search.run_nearest(sources)
        expected = rows[unweighted].min(axis=0)
        found = np.where(result.levels < 0, np.inf, result.levels) if unweighted else as_floats(result)
        np.testing.assert_array_equal(found, expected)
        assert result.source == min(sources)
        for v in range(60):
            nearest = [s for s, row in zip(sources, rows[unweighted]) if row[v] == expected[v] < np.inf]
            assert result.nearest[v] == min(nearest, default=-1)
            if nearest:
                path = result.path(v)
                assert path[0] in sources and path[-1] == v
    assert len(wayfront.bfs(graph, 3).nearest) == 0


def test_nearest_sources_that_do_not_exist():
    search = wayfront.Bfs("ring:9")
    for sources in ([], [9], [-1]):
        with pytest.raises(wayfront.InputError):
            search.run_nearest(sources)
    with pytest.raises(TypeError):
        search.run_nearest([1.5])


def test_results_can_be_sent_to_other_processes():
    graph = wayfront.load("grid:5x6", weights="uniform:1..9", direction="reversed")
    pairs = wayfront.AllPairs(graph, predecessors=True)
    levels, distances = wayfront.bfs(graph, 3), wayfront.shortest_paths(graph, 3)
    for found in (levels, distances, wayfront.Bfs(graph).run_nearest([3, 20])):
        sent = pickle.loads(pickle.dumps(found))
        np.testing.assert_array_equal(sent.parents, found.parents)
        np.testing.assert_array_equal(sent.path(29), found.path(29))
        assert repr(sent) == repr(found)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(distances)).distances, distances.distances)
    matrix = wayfront.all_pairs(graph, predecessors=True)
    sent = pickle.loads(pickle.dumps(matrix))
    np.testing.assert_array_equal(sent.distances, matrix.distances)
    np.testing.assert_array_equal(sent.path(0, 29), matrix.path(0, 29))
    assert pickle.loads(pickle.dumps(pairs.summary())).diameter == pairs.summary().diameter
    answered = wayfront.ShortestPaths.between(graph, [(0, 29), (4, 4)])
    sent = pickle.loads(pickle.dumps(answered))
    np.testing.assert_array_equal(sent.distances, answered.distances)
    np.testing.assert_array_equal(sent.paths[0], answered.paths[0])
