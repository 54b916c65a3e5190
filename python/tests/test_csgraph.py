"""wayfront.csgraph beside scipy.sparse.csgraph; run_scipy_tests.py runs SciPy's own tests."""

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as theirs
from conftest import random_matrix, with_potentials

import wayfront
import wayfront.csgraph as ours

SOURCES = [None, 3, [5], [0, 59, -2], [[1, 2], [3, 4]]]


def require_tree_of(predecessors, distances, weights, sources):
    """The predecessors of each row make up its distances."""
    for row, source in enumerate(sources):
        for v in range(weights.shape[0]):
            above = predecessors[row, v]
            if v == source or np.isinf(distances[row, v]):
                assert above == -9999
            else:
                assert np.isclose(distances[row, above] + weights[above, v], distances[row, v], rtol=1e-12, atol=1e-12)


def dense_weights(matrix, directed):
    coo = scipy.sparse.coo_array(matrix)
    weights = np.full(matrix.shape, np.inf)
    np.minimum.at(weights, coo.coords, coo.data.astype(np.float64))
    return weights if directed else np.minimum(weights, weights.T)


@pytest.mark.parametrize("few_sources", [0, 4096], ids=["all pairs", "searches"])
@pytest.mark.parametrize("indices", SOURCES, ids=str)
@pytest.mark.parametrize("function", ["shortest_path", "dijkstra", "bellman_ford", "johnson"])
def test_distances(function, indices, few_sources, weight_type, directed, monkeypatch):
    monkeypatch.setattr(ours, "_FEW_SOURCES", few_sources)
    matrix = random_matrix(11, dtype=weight_type)
    call = {"directed": directed, "indices": indices}
    expected = theirs.dijkstra(matrix, **call)  # SciPy's bellman_ford takes some roundings for negative cycles
    found, predecessors = getattr(ours, function)(matrix, return_predecessors=True, **call)
    assert (found.dtype, predecessors.dtype) == (np.float64, np.int32)
    assert found.shape == predecessors.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    # Without predecessors, another method may be the fastest, which adds floats in another order.
    np.testing.assert_allclose(getattr(ours, function)(matrix, **call), found, rtol=1e-13)
    sources = np.arange(60) if indices is None else np.asarray(indices).reshape(-1) % 60
    require_tree_of(predecessors.reshape(-1, 60), found.reshape(-1, 60), dense_weights(matrix, directed), sources)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("function", ["shortest_path", "bellman_ford", "johnson", "floyd_warshall"])
def test_negative_weights(function, seed):
    for matrix in (with_potentials(random_matrix(seed, dtype=np.int64), seed), with_potentials(random_matrix(seed), seed)):
        assert matrix.data.min() < 0
        expected = theirs.bellman_ford(matrix.astype(np.float64))
        np.testing.assert_allclose(getattr(ours, function)(matrix), expected, rtol=1e-12, atol=1e-12)
        if function != "floyd_warshall":
            np.testing.assert_allclose(getattr(ours, function)(matrix, indices=7), expected[7], rtol=1e-12, atol=1e-12)


def test_negative_cycles_only_matter_if_a_source_reaches_them():
    matrix = scipy.sparse.csr_array(([1.0, -2, 1, 1], ([0, 1, 2, 3], [1, 0, 3, 4])), shape=(5, 5))
    for kind in (theirs.NegativeCycleError, wayfront.NegativeCycleError):
        with pytest.raises(kind) as caught:
            ours.bellman_ford(matrix)
        assert sorted(caught.value.vertices) == [0, 1]
    assert ours.NegativeCycleError is theirs.NegativeCycleError
    for indices in (2, [2, 3]):
        np.testing.assert_array_equal(ours.bellman_ford(matrix, indices=indices), theirs.bellman_ford(matrix, indices=indices))
    with pytest.raises(theirs.NegativeCycleError):
        ours.bellman_ford(matrix, indices=[2, 0])


def test_dijkstra_warns_of_negative_weights():
    matrix = scipy.sparse.csr_array(([3.0, 1, -2], ([0, 0, 2], [1, 2, 1])), shape=(3, 3))
    with pytest.warns(UserWarning, match="negative weights"):
        assert ours.dijkstra(matrix, indices=0).tolist() == [0, -1, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.dijkstra(abs(matrix))


@pytest.mark.parametrize("unweighted", [False, True], ids=["weights", "unweighted"])
@pytest.mark.parametrize("limit", [0, 2.5, 3, 7, 1e300])
@pytest.mark.parametrize("indices", [*SOURCES, [9, 9, 0, -1, 9], [], np.array([[7], [2]], np.int8)], ids=str)
def test_distances_within_a_limit(limit, indices, unweighted, weight_type, directed):
    matrix = random_matrix(12, dtype=weight_type)
    call = {"directed": directed, "indices": indices, "limit": limit, "unweighted": unweighted}
    found, expected = ours.dijkstra(matrix, **call), theirs.dijkstra(matrix, **call)
    assert (found.dtype, found.shape) == (np.float64, expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_many_distances_within_a_limit(weight_type):
    """More than one batch of searches."""
    matrix = random_matrix(15, vertices=2000, density=0.003, dtype=weight_type, lowest=1)
    limit = float(np.median(theirs.dijkstra(matrix, indices=0)))
    indices = np.random.default_rng(15).permutation(2000)
    found, expected = (c.dijkstra(matrix, indices=indices, limit=limit) for c in (ours, theirs))
    assert 0.1 < np.isfinite(expected).mean() < 0.9
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    np.testing.assert_array_equal(np.isinf(found), np.isinf(expected))


@pytest.mark.parametrize("limit", [0, 2.5, 7, np.inf])
@pytest.mark.parametrize("indices", SOURCES, ids=str)
def test_limits(limit, indices, weight_type, directed):
    matrix = random_matrix(12, dtype=weight_type)
    call = {"directed": directed, "indices": indices, "limit": limit, "return_predecessors": True}
    found, predecessors = ours.dijkstra(matrix, **call)
    expected, _ = theirs.dijkstra(matrix, **call)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert ((predecessors == -9999) | np.isfinite(found)).all()


def test_limits_of_negative_weights():
    matrix = scipy.sparse.csr_array(([9.0, -5, 1], ([0, 1, 2], [1, 2, 3])), shape=(4, 4))
    with pytest.warns(UserWarning):
        distances, predecessors = ours.dijkstra(matrix, indices=0, limit=6, return_predecessors=True)
    assert distances.tolist() == [0, np.inf, 4, 5]
    assert predecessors.tolist() == [-9999, -9999, 1, 2]


@pytest.mark.parametrize("limit", [3, np.inf])
@pytest.mark.parametrize("indices", [[4], [0, 30, 59], [2, 2, -1], None], ids=str)
@pytest.mark.parametrize("unweighted", [False, True])
def test_the_nearest_of_several_sources(indices, unweighted, limit, weight_type, directed):
    matrix = random_matrix(13, dtype=weight_type)
    call = {"directed": directed, "indices": indices, "unweighted": unweighted, "limit": limit, "min_only": True}
    distances, predecessors, sources = ours.dijkstra(matrix, return_predecessors=True, **call)
    np.testing.assert_allclose(distances, theirs.dijkstra(matrix, **call), rtol=1e-13)
    np.testing.assert_array_equal(ours.dijkstra(matrix, **call), distances)
    assert (distances.dtype, predecessors.dtype, sources.dtype) == (np.float64, np.int32, np.int32)
    given = np.unique(np.arange(60) if indices is None else np.asarray(indices) % 60)
    weights = dense_weights(matrix, directed)
    if unweighted:
        weights[np.isfinite(weights)] = 1
    assert (sources[given] == given).all() and (predecessors[given] == -9999).all()
    for v in np.setdiff1d(np.arange(60), given):
        above = predecessors[v]
        if np.isinf(distances[v]):
            assert above == sources[v] == -9999
            continue
        assert sources[v] == sources[above] and sources[v] in given
        assert np.isclose(distances[above] + weights[above, v], distances[v], rtol=1e-12)


@pytest.mark.parametrize("limit", [0, 2.5, np.inf])
@pytest.mark.parametrize("indices", SOURCES, ids=str)
def test_levels(indices, limit, directed):
    matrix = random_matrix(14, density=0.03)
    call = {"directed": directed, "indices": indices, "limit": limit, "unweighted": True}
    distances, predecessors = ours.dijkstra(matrix, return_predecessors=True, **call)
    np.testing.assert_array_equal(distances, theirs.dijkstra(matrix, **call))
    weights = dense_weights(matrix, directed)
    weights[np.isfinite(weights)] = 1
    sources = np.arange(60) if indices is None else np.asarray(indices).reshape(-1) % 60
    require_tree_of(predecessors.reshape(-1, 60), distances.reshape(-1, 60), weights, sources)


def test_unweighted(directed):
    matrix = random_matrix(14)
    for function in ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"):
        np.testing.assert_array_equal(getattr(ours, function)(matrix, directed=directed, unweighted=True),
                                      getattr(theirs, function)(matrix, directed=directed, unweighted=True))


def dense():
    return np.array([[0, 3, np.inf, np.nan], [0, 0, 2, 0], [1, 0, 0, 4], [0, 0, 0, 0]])


@pytest.mark.parametrize("make", [
    dense,
    lambda: np.asmatrix(dense()),
    lambda: np.ma.masked_array(dense(), mask=~(np.nan_to_num(dense(), posinf=0) > 0)),
    lambda: np.ma.masked_array(dense(), mask=dense() != 3),
    lambda: theirs.csgraph_from_dense(dense()),
    lambda: np.array([[0, 2], [1, 0]], dtype=np.int8),
    lambda: np.array([[False, True], [True, False]]),
], ids=range(7))
def test_dense_graphs(make, directed):
    # SciPy writes to the elements under a mask.
    np.testing.assert_array_equal(ours.shortest_path(make(), directed=directed), theirs.dijkstra(make(), directed=directed))
    ours_tree, their_tree = ours.breadth_first_tree(make(), 0, directed), theirs.breadth_first_tree(make(), 0, directed)
    assert type(ours_tree) is type(their_tree)
    np.testing.assert_array_equal(ours_tree.toarray(), their_tree.toarray())


def test_zeros_that_are_not_masked_are_edges():
    graph = np.ma.masked_invalid([[np.inf, 0.0, 4.0], [np.inf, np.inf, 1.0], [np.inf, np.inf, np.inf]])
    assert ours.dijkstra(graph, indices=0).tolist() == [0, 0, 1]
    assert ours.dijkstra(graph, indices=2, directed=False).tolist() == [1, 1, 0]


WITH_ZEROS = np.array([[0.0, 2, 7], [0, 0, 3], [1, 5, 0]])
MASKED = {
    "no mask": lambda: np.ma.array(WITH_ZEROS),
    "no hit": lambda: np.ma.masked_equal(WITH_ZEROS, 99),
    "nothing": lambda: np.ma.array(WITH_ZEROS, mask=False),
    "an edge": lambda: np.ma.masked_equal(WITH_ZEROS, 5),
    "most": lambda: np.ma.array(WITH_ZEROS, mask=~np.eye(3, k=-1, dtype=bool)),
    "whole numbers": lambda: np.ma.array(WITH_ZEROS.astype(np.int64)),
}


@pytest.mark.parametrize("name", MASKED)
@pytest.mark.parametrize("call", [{"method": "auto"}, {"method": "FW"}, {"method": "D"}, {"method": "J"}, {"method": "BF"},
                                  {"method": "auto", "indices": [2, 0]}], ids=str)
def test_zeros_of_masked_arrays(name, call, directed):
    found = ours.shortest_path(MASKED[name](), directed=directed, **call)
    try:
        expected = theirs.shortest_path(MASKED[name](), directed=directed, **call)
    except np.exceptions.AxisError:  # SciPy does not know an array without a mask here
        graph = MASKED[name]()
        expected = theirs.shortest_path(np.ma.array(graph.data, mask=np.zeros((3, 3), bool)), directed=directed, **call)
    np.testing.assert_array_equal(found, expected)


def test_masked_arrays_are_not_changed():
    graph = np.ma.array(WITH_ZEROS.copy(), mask=WITH_ZEROS == 5)
    ours.floyd_warshall(graph, overwrite=True)
    np.testing.assert_array_equal(graph.data, WITH_ZEROS)
    np.testing.assert_array_equal(graph.mask, WITH_ZEROS == 5)


def test_infinite_weights_are_no_edges():
    matrix = scipy.sparse.csr_array(([np.inf, 1.0, 1.0], ([0, 0, 1], [1, 2, 0])), shape=(3, 3))
    np.testing.assert_array_equal(ours.dijkstra(matrix), theirs.dijkstra(matrix))
    large = scipy.sparse.csr_array(([1e307, 1e307], ([0, 1], [1, 0])), shape=(3, 3))
    np.testing.assert_array_equal(ours.dijkstra(large, indices=0), theirs.dijkstra(large, indices=0))


def test_large_whole_weights_become_floating_point_numbers():
    matrix = scipy.sparse.csr_array((np.array([2**62, 2**62]), ([0, 1], [1, 2])), shape=(3, 3))
    np.testing.assert_array_equal(ours.shortest_path(matrix), theirs.shortest_path(matrix))
    np.testing.assert_array_equal(ours.dijkstra(matrix, indices=0), theirs.dijkstra(matrix, indices=0))


def test_overwriting():
    graph = np.array([[0, 3, 0], [0, 0, 2], [1, 0, 0]], dtype=float)
    expected = theirs.floyd_warshall(graph)
    untouched = graph.copy()
    ours.floyd_warshall(graph)
    np.testing.assert_array_equal(graph, untouched)
    assert ours.floyd_warshall(graph, overwrite=True) is graph
    np.testing.assert_array_equal(graph, expected)


@pytest.mark.parametrize("seed", range(6))
def test_breadth_first_orders(seed, directed):
    matrix = random_matrix(seed, density=0.03)
    hops = theirs.dijkstra(matrix, directed=directed, unweighted=True, indices=9)
    order, predecessors = ours.breadth_first_order(matrix, 9, directed)
    assert (order.dtype, predecessors.dtype) == (np.int32, np.int32)
    np.testing.assert_array_equal(ours.breadth_first_order(matrix, 9, directed, return_predecessors=False), order)
    assert sorted(order) == np.flatnonzero(np.isfinite(hops)).tolist()
    assert (np.diff(hops[order]) >= 0).all()
    assert order[0] == 9 and predecessors[9] == -9999
    for v in order[1:]:
        assert hops[predecessors[v]] == hops[v] - 1
    assert (predecessors[np.isinf(hops)] == -9999).all()


def test_trees_and_matrices_of_predecessors(directed):
    matrix = random_matrix(15, lowest=1)
    distances, predecessors = theirs.dijkstra(matrix, directed=directed, return_predecessors=True)
    np.testing.assert_allclose(ours.construct_dist_matrix(matrix, predecessors, directed), distances, rtol=1e-13)
    other = ours.construct_dist_matrix(matrix, predecessors, directed, null_value=-1)
    np.testing.assert_array_equal(other == -1, np.isinf(distances))
    for row in (0, 30):
        ours_tree = ours.reconstruct_path(matrix, predecessors[row], directed)
        their_tree = theirs.reconstruct_path(matrix, predecessors[row], directed)
        np.testing.assert_array_equal(ours_tree.toarray(), their_tree.toarray())
        assert type(ours_tree) is type(their_tree)


def test_trees_keep_edges_of_weight_zero():
    matrix = scipy.sparse.csr_array(([0.0, 5.0], ([0, 1], [1, 2])), shape=(3, 3))
    tree = ours.reconstruct_path(matrix, np.array([-9999, 0, 1]), directed=False)
    assert tree.nnz == 2 and tree.data.tolist() == [0, 5]


def test_empty_results():
    matrix = random_matrix(16)
    assert ours.dijkstra(matrix, indices=[]).shape == theirs.dijkstra(matrix, indices=[]).shape == (0, 60)
    assert ours.shortest_path(scipy.sparse.csr_array((0, 0))).shape == (0, 0)


SMALL = scipy.sparse.csr_array(np.array([[0, 1.0], [0, 0]]))
NAN = scipy.sparse.csr_array(([np.nan], ([0], [1])), shape=(2, 2))
BAD = [
    (ValueError, lambda c: c.shortest_path(scipy.sparse.csr_array((2, 3)))),
    (ValueError, lambda c: c.shortest_path(np.zeros((2, 3)))),
    (ValueError, lambda c: c.shortest_path(SMALL, method="A*")),
    (ValueError, lambda c: c.shortest_path(SMALL, method="FW", indices=0)),
    (ValueError, lambda c: c.dijkstra(SMALL, indices=2)),
    (ValueError, lambda c: c.dijkstra(SMALL, indices=[0, -3])),
    (ValueError, lambda c: c.dijkstra(SMALL, limit=-1)),
    (ValueError, lambda c: c.bellman_ford(SMALL, indices=2)),
    (TypeError, lambda c: c.construct_dist_matrix(SMALL, np.zeros((2, 2), np.int64))),
]


@pytest.mark.parametrize("error, call", BAD, ids=range(len(BAD)))
def test_errors_are_those_of_scipy(error, call):
    for module in (ours, theirs):
        with pytest.raises(error):
            call(module)


@pytest.mark.parametrize("error, call", [
    (ValueError, lambda: ours.dijkstra(NAN)),
    (ValueError, lambda: ours.dijkstra(NAN, indices=0)),
    (ValueError, lambda: ours.dijkstra(SMALL, limit=np.nan)),
    (TypeError, lambda: ours.dijkstra(SMALL, indices=0.5)),
    (ValueError, lambda: ours.breadth_first_order(SMALL, 2)),
    (ValueError, lambda: ours.breadth_first_order(SMALL, -1)),
    (ValueError, lambda: ours.reconstruct_path(SMALL, [1, -9999])),
    (ValueError, lambda: ours.reconstruct_path(SMALL, [2, 0])),
    (ValueError, lambda: ours.reconstruct_path(SMALL, [0])),
    (TypeError, lambda: ours.reconstruct_path(SMALL, [0.5, 1])),
    (ValueError, lambda: ours.construct_dist_matrix(SMALL, np.full((2, 2), 5, np.int32))),
], ids=range(11))
def test_errors_where_scipy_has_none(error, call):
    with pytest.raises(error):
        call()


def test_zeros_that_fill_blocks_are_no_edges():
    dense = np.array([[0, 0, 1, 0], [0, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0]])
    for container in (scipy.sparse.bsr_array, scipy.sparse.bsr_matrix):
        blocks = container(dense, blocksize=(2, 2))
        assert blocks.nnz > 2
        # Versions of SciPy differ in the zeros of blocks; all agree on the dense matrix.
        np.testing.assert_array_equal(ours.dijkstra(blocks), theirs.dijkstra(dense))
        edges = wayfront.Graph.from_scipy(blocks)
        assert wayfront.shortest_paths(edges, 0).reached == 2
        assert blocks.nnz > 2, "the caller's matrix stays as it is"


def test_johnson_finds_negative_cycles_that_no_source_reaches():
    matrix = scipy.sparse.csr_array(np.array([[0.0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, -2, 0]]))
    for call in ({"indices": [0]}, {"indices": 0}, {}):
        with pytest.raises(theirs.NegativeCycleError):
            theirs.johnson(matrix, **call)
        with pytest.raises(theirs.NegativeCycleError):
            ours.johnson(matrix, **call)
        with pytest.raises(theirs.NegativeCycleError):
            ours.shortest_path(matrix, "J", **call)
    np.testing.assert_array_equal(ours.bellman_ford(matrix, indices=[0]), theirs.bellman_ford(matrix, indices=[0]))


def test_edges_of_infinite_weight_count_without_weights():
    matrix = scipy.sparse.csr_array((np.array([1.0, np.inf]), (np.array([0, 1]), np.array([1, 2]))), shape=(4, 4))
    for call in ({}, {"min_only": True}):
        found = ours.dijkstra(matrix, indices=[0], unweighted=True, **call)
        np.testing.assert_array_equal(found, theirs.dijkstra(matrix, indices=[0], unweighted=True, **call))
    for start in (0, 1):
        for directed in (True, False):
            found, expected = (module.breadth_first_tree(matrix, start, directed) for module in (ours, theirs))
            np.testing.assert_array_equal(found.toarray(), expected.toarray())
    with pytest.raises(ValueError, match="there is no edge from 0 to 2"):
        ours.reconstruct_path(matrix, np.array([-9999, 0, 0, -9999], dtype=np.int32))
