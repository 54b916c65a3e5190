"""All pairs of many graphs, against SciPy."""

import numpy as np
import pytest
import scipy.sparse.csgraph
from conftest import random_matrix

import wayfront


def expect_equal(found, expected, tolerance=1e-13):
    distances = np.where(found.matrix.distances == found.matrix.unreached, np.inf, found.matrix.distances.astype(np.float64))
    np.testing.assert_allclose(distances, expected, rtol=tolerance)
    off = np.isfinite(expected) & ~np.eye(*expected.shape, dtype=bool)
    assert found.summary.reachable_pairs == off.sum()
    assert found.summary.diameter == pytest.approx(expected[off].max(), rel=tolerance)
    np.testing.assert_array_equal(found.summary.reached, off.sum(axis=1))


def test_graphs_in_memory(weight_type, directed):
    matrices = [random_matrix(seed, vertices=20 + 9 * seed, density=0.1, dtype=weight_type) for seed in range(12)]
    graphs = [wayfront.Graph.from_scipy(matrix, direction="directed" if directed else "undirected", double_precision=True) for matrix in matrices]
    results = wayfront.all_pairs_of_many(graphs, matrices=True, predecessors=True, validate=True)
    for found, graph, matrix in zip(results, graphs, matrices, strict=True):
        assert (found.error, found.name, found.rank, found.vertex_count, found.edge_count) == (None, "edges", 0, matrix.shape[0], matrix.nnz)
        expected = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed)
        expect_equal(found, expected)
        alone = wayfront.all_pairs(graph, predecessors=True)
        assert found.matrix.distances.dtype == alone.distances.dtype
        target = int(np.flatnonzero(np.isfinite(expected[0]))[-1])
        path = found.matrix.path(0, target)
        assert (path[0], path[-1]) == (0, target)
    mixed = wayfront.all_pairs_of_many(["ring:9", matrices[0]])
    assert mixed[0].summary.diameter == 4
    assert mixed[1].matrix is None
    expected = scipy.sparse.csgraph.dijkstra(matrices[0].astype(np.float64))
    assert mixed[1].summary.reachable_pairs == np.isfinite(expected).sum() - 20


def test_files_and_failures(tmp_path):
    matrix = random_matrix(5, dtype=np.int64)
    coo = matrix.tocoo()
    good, bad, cycle = tmp_path / "good.gr", tmp_path / "bad.wel", tmp_path / "cycle.wel"
    edges = "".join(f"a {u + 1} {v + 1} {w}\n" for u, v, w in zip(*coo.coords, coo.data))
    good.write_text(f"p sp {matrix.shape[0]} {matrix.nnz}\n{edges}")
    bad.write_text("0 1 5\n1 x 3\n")
    cycle.write_text("0 1 5\n2 3 1\n3 2 -6\n")
    names = [good, bad, str(cycle), tmp_path / "missing.gr", "ring:9"]
    for threads in (1, 2):
        found = wayfront.all_pairs_of_many(names, matrices=True, threads=threads, direction="directed")
        expect_equal(found[0], scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64)))
        assert found[0].matrix.sources.tolist() == found[0].matrix.columns.tolist() == list(range(1, 61))
        assert isinstance(found[1].error, wayfront.InputError) and "bad.wel:2:3" in str(found[1].error)
        assert isinstance(found[2].error, wayfront.NegativeCycleError) and sorted(found[2].error.vertices) == [2, 3]
        assert isinstance(found[3].error, wayfront.InputError)
        assert [each.summary is None for each in found] == [False, True, True, True, False]
        assert repr(found[1]) == f"<wayfront.PairsOfGraph {bad}: failed>"
        assert found[4].summary.diameter == 8
        assert found[4].notes
    mixed = wayfront.all_pairs_of_many([tmp_path / "missing.gr", matrix, "nope", "ring:9", np.nan * matrix.astype(np.float64)])
    assert [each.error is None for each in mixed] == [False, True, False, True, False]
    assert [each.name for each in mixed if each.error] == [str(tmp_path / "missing.gr"), "nope", "edges"]
    assert mixed[3].summary.diameter == 4


def test_reversed_paths():
    graph = wayfront.Graph.from_edges(3, [0, 1], [1, 2], direction="reversed")
    found = wayfront.all_pairs_of_many([graph], matrices=True, predecessors=True)[0]
    assert found.matrix.distances[2].tolist() == [2, 1, 0]
    assert found.matrix.path(2, 0).tolist() == [0, 1, 2]


def test_sources_and_progress():
    steps = []
    found = wayfront.all_pairs_of_many(["path:9", "path:3"], matrices=True, sources=[5, 2], progress=lambda *report: steps.append(report))
    assert found[0].matrix.sources.tolist() == [5, 2]
    assert found[0].matrix.distances[0].tolist() == [5, 4, 3, 2, 1, 0, 1, 2, 3]
    assert isinstance(found[1].error, wayfront.InputError)
    assert (steps[0], steps[-1]) == (("graphs", 0, 2), ("graphs", 2, 2))

    def end(*report):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        wayfront.all_pairs_of_many(["ring:9"] * 3, progress=end)


BAD = [
    (TypeError, "pass a list", lambda: wayfront.all_pairs_of_many("ring:9")),
    (TypeError, "no option 'source'", lambda: wayfront.all_pairs_of_many(["ring:9"], source=1)),
    (TypeError, "threads: is for names", lambda: wayfront.all_pairs_of_many([wayfront.load("ring:9")], threads=1)),
    (TypeError, "expected a graph", lambda: wayfront.all_pairs_of_many([7])),
    (wayfront.InputError, "targets", lambda: wayfront.all_pairs_of_many(["ring:9"], targets=[1])),
    (wayfront.InputError, "algorithm|method", lambda: wayfront.all_pairs_of_many(["ring:9"], algorithm="magic")),
]


@pytest.mark.parametrize("error, words, call", BAD, ids=[words for _, words, _ in BAD])
def test_bad_arguments_are_refused(error, words, call):
    with pytest.raises(error, match=words):
        call()


def test_no_graphs():
    assert wayfront.all_pairs_of_many([]) == []
