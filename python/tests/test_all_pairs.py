"""All pairs, against SciPy."""

import networkx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from conftest import random_matrix, with_potentials

import wayfront


def as_floats(matrix):
    return np.where(matrix.distances == matrix.unreached, np.inf, matrix.distances.astype(np.float64))


def require_valid_predecessors(found, weights):
    """Each predecessor has an edge that makes up the distance; `weights` has infinity without an edge."""
    distances = as_floats(found)
    for row, source in enumerate(found.sources):
        for v in range(distances.shape[1]):
            above = found.predecessors[row, v]
            if v == source:
                assert above == source
            elif np.isinf(distances[row, v]):
                assert above == -1
            else:
                assert np.isclose(distances[row, above] + weights[above, v], distances[row, v], rtol=1e-12)


def dense_weights(matrix, directed):
    coo = matrix.tocoo()
    weights = np.full(matrix.shape, np.inf)
    np.minimum.at(weights, coo.coords, coo.data)
    return weights if directed else np.minimum(weights, weights.T)


@pytest.mark.parametrize("algorithm", ["auto", "floyd-warshall", "dijkstra"])
def test_matrices(algorithm, weight_type, directed):
    matrix = random_matrix(1, dtype=weight_type)
    graph = wayfront.Graph.from_scipy(matrix, direction="directed" if directed else "undirected")
    found = wayfront.all_pairs(graph, algorithm=algorithm, predecessors=True, validate=True)
    tolerance = 1e-5 if weight_type == np.float32 else 1e-13
    expected = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed)
    np.testing.assert_allclose(as_floats(found), expected, rtol=tolerance)
    assert found.predecessors.dtype == np.int32
    assert found.distances.dtype == (weight_type if np.dtype(weight_type).kind == "f" else np.uint16)
    if weight_type != np.float32:
        require_valid_predecessors(found, dense_weights(matrix, directed))
    path = found.path(0, int(np.flatnonzero(np.isfinite(expected[0]))[-1]))
    assert path[0] == 0


@pytest.mark.parametrize("type_", ["uint16", "int32", "float32", "float64"])
def test_types_of_distances(type_):
    matrix = random_matrix(2, dtype=np.int32)
    found = wayfront.all_pairs(matrix, type=type_)
    assert found.distances.dtype == type_
    np.testing.assert_array_equal(as_floats(found), scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64)))


def test_sums_of_32_bit_weights_have_64_bits_if_asked():
    weights = np.array([1, 2**-24], dtype=np.float32)
    for double in (False, True):
        found = wayfront.all_pairs(wayfront.Graph.from_edges(3, [0, 1], [1, 2], weights, double_precision=double))
        assert found.distances.dtype == (np.float64 if double else np.float32)
        assert found.distances[0, 2] == (1 + 2**-24 if double else 1)


def test_rows_and_columns():
    matrix = random_matrix(3)
    expected = scipy.sparse.csgraph.dijkstra(matrix)
    found = wayfront.all_pairs(matrix, sources=[5, 2, 50], targets=np.array([7, 0, 59, 3]))
    assert (found.sources.tolist(), found.columns.tolist()) == ([5, 2, 50], [7, 0, 59, 3])
    np.testing.assert_allclose(found.distances, expected[np.ix_([5, 2, 50], [7, 0, 59, 3])], rtol=1e-13)
    with pytest.raises(wayfront.InputError, match="predecessors"):
        found.path(5, 7)


def test_batches_of_rows():
    pairs = wayfront.AllPairs("grid:9x9", predecessors=True)
    whole = pairs.matrix()
    rows = {}

    def take(batch):
        for i, source in enumerate(batch.sources):
            rows[int(source)] = (batch.distances[i], batch.predecessors[i])

    pairs.rows(take)
    assert sorted(rows) == list(range(81))
    for source, (distances, predecessors) in rows.items():
        np.testing.assert_array_equal(distances, whole.distances[source])
        assert predecessors[source] == source


def test_an_exception_ends_the_rows_and_nothing_else():
    pairs = wayfront.AllPairs("grid:9x9")

    class Own(Exception):
        pass

    def refuse(batch):
        raise Own("enough")

    with pytest.raises(Own, match="enough"):
        pairs.rows(refuse)
    assert pairs.matrix().distances.max() == 16


@pytest.mark.parametrize("seed", range(3))
def test_negative_weights(seed):
    matrix = with_potentials(random_matrix(seed, dtype=np.int64), seed)
    np.testing.assert_array_equal(as_floats(wayfront.all_pairs(matrix)), scipy.sparse.csgraph.johnson(matrix.astype(np.float64)))
    graph = wayfront.Graph.from_edges(4, [0, 1, 2, 3], [1, 2, 1, 0], [1, 1, -2, 1])
    with pytest.raises(wayfront.NegativeCycleError) as caught:
        wayfront.AllPairs(graph)
    assert sorted(caught.value.vertices) == [1, 2]


def test_summary():
    graph = networkx.connected_watts_strogatz_graph(60, 4, 0.2, seed=1)
    summary = wayfront.AllPairs(graph).summary()
    assert summary.reachable_pairs == 60 * 59
    assert summary.average == pytest.approx(networkx.average_shortest_path_length(graph), rel=1e-14)
    assert (summary.diameter, summary.radius) == (networkx.diameter(graph), networkx.radius(graph))
    assert summary.eccentricities.tolist() == list(networkx.eccentricity(graph).values())
    np.testing.assert_allclose(summary.closeness, list(networkx.closeness_centrality(graph).values()), rtol=1e-14)
    assert summary.reached.tolist() == [59] * 60


@pytest.mark.parametrize("weights", [None, np.int64, np.float64])
@pytest.mark.parametrize("edges", [40, 90, 400])
def test_diameter(edges, weights, directed):
    """The largest distance between vertices with a path: the graphs of few edges are not connected."""
    random = np.random.default_rng(edges)
    ends = random.integers(0, 80, (2, edges))
    values = np.ones(edges) if weights is None else random.integers(1, 9, edges).astype(weights)
    matrix = scipy.sparse.csr_array((values, tuple(ends)), shape=(80, 80))
    matrix = matrix.minimum(1) if weights is None else matrix  # parallel edges were added
    expected = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed)
    graph = wayfront.Graph.from_scipy(matrix, weighted=weights is not None,
                                      direction="directed" if directed else "undirected")
    assert wayfront.AllPairs(graph).diameter() == expected[np.isfinite(expected)].max()


def test_files(tmp_path):
    pairs = wayfront.AllPairs("ring:7")
    pairs.write(str(tmp_path / "distances.npy"))
    np.testing.assert_array_equal(np.load(tmp_path / "distances.npy"), pairs.matrix().distances)
    assert pairs.algorithm != ""


def test_reversed_paths():
    graph = wayfront.Graph.from_edges(3, [0, 1], [1, 2], direction="reversed")
    found = wayfront.all_pairs(graph, predecessors=True)
    assert found.distances[2].tolist() == [2, 1, 0]
    assert found.path(2, 0).tolist() == [0, 1, 2]


BAD = [
    (wayfront.InputError, "sources", lambda: wayfront.all_pairs("ring:9", sources=[9])),
    (wayfront.InputError, "targets", lambda: wayfront.all_pairs("ring:9", targets=[-1])),
    (wayfront.InputError, "at least one vertex", lambda: wayfront.all_pairs("ring:9", sources=[])),
    (wayfront.InputError, "algorithm|method", lambda: wayfront.all_pairs("ring:9", algorithm="magic")),
    (wayfront.InputError, "type: expected one of", lambda: wayfront.all_pairs("ring:9", type="int8")),
    (wayfront.InputError, "not on both", lambda: wayfront.all_pairs("ring:9", engine="split")),
    (wayfront.InputError, "targets", lambda: wayfront.AllPairs("ring:9", targets=[1]).summary()),
    (wayfront.InputError, "no row of vertex 3", lambda: wayfront.all_pairs("ring:9", sources=[1], predecessors=True).path(3, 1)),
    (TypeError, "whole numbers", lambda: wayfront.all_pairs("ring:9", sources=[1.5])),
    (TypeError, "no option 'source'", lambda: wayfront.all_pairs("ring:9", source=1)),
]


@pytest.mark.parametrize("error, words, call", BAD, ids=[words for _, words, _ in BAD])
def test_bad_arguments_are_refused(error, words, call):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("sources", [None, [5, 2, 50]])
def test_figures_of_vertices(sources, weight_type, directed):
    matrix = random_matrix(9, dtype=weight_type, lowest=1)
    graph = wayfront.Graph.from_scipy(matrix, direction="directed" if directed else "undirected", double_precision=True)
    found = wayfront.AllPairs(graph, sources=sources).vertex_figures()
    distances = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed)
    rows = distances if sources is None else distances[sources]
    reached = np.isfinite(rows)
    assert found.distance_sums.dtype == (np.int64 if np.dtype(weight_type).kind == "i" else np.float64)
    np.testing.assert_array_equal(found.reached, reached.sum(axis=1) - 1)
    np.testing.assert_allclose(found.distance_sums, np.where(reached, rows, 0).sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(found.eccentricities, np.where(reached, rows, 0).max(axis=1), rtol=1e-12)
    reciprocals = np.divide(1, rows, out=np.zeros_like(rows), where=reached & (rows > 0)).sum(axis=1)
    np.testing.assert_allclose(found.harmonic_closeness, reciprocals, rtol=1e-12)
    assert np.isnan(found.global_efficiency) if sources else np.isclose(found.global_efficiency, reciprocals.sum() / (60 * 59), rtol=1e-12)


@pytest.mark.parametrize("limit", [0, 7.5])
@pytest.mark.parametrize("sources", [None, [5, 2, 50]])
def test_rows_within_a_limit(limit, sources, weight_type, directed):
    matrix = random_matrix(10, dtype=weight_type)
    graph = wayfront.Graph.from_scipy(matrix, direction="directed" if directed else "undirected", double_precision=True)
    found = wayfront.AllPairs(graph, sources=sources).within(limit)
    rows = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed, indices=sources)
    assert found.sources.tolist() == (list(range(60)) if sources is None else sources)
    assert repr(found) == f"<wayfront.RowsWithin {len(found.sources)} rows, {len(found.targets)} pairs>"
    for i, row in enumerate(rows):
        begin, end = found.offsets[i:i + 2]
        np.testing.assert_array_equal(found.targets[begin:end], np.flatnonzero(row <= limit))
        np.testing.assert_allclose(found.distances[begin:end], row[row <= limit], rtol=1e-12)
    with pytest.raises(wayfront.InputError):
        wayfront.AllPairs(graph).within(-1)


@pytest.mark.parametrize("algorithm", ["auto", "dijkstra", "delta-stepping", "push-pull", "floyd-warshall"])
@pytest.mark.parametrize("weights", [np.array([0.1, 0.2, 0.7]), np.array([0.1, 0.2, 0.7], np.float32)])
def test_rows_of_32_bits_are_validated_with_weights_of_32_bits(algorithm, weights):
    graph = wayfront.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], weights, double_precision=True)
    result = wayfront.all_pairs(graph, type="float32", algorithm=algorithm, validate=True)
    assert result.distances.dtype == np.float32
    np.testing.assert_allclose(result.distances[0], [0, *np.cumsum(weights)], rtol=1e-6)


def test_cycles_are_those_of_rounded_weights():
    """The sum is positive as float64, and negative if each weight is rounded to float32."""
    unit = 2.0**-23
    weights = np.array([1 + 0.49 * unit] * 3 + [-(3 + 1.47 * unit) + 1e-12])
    assert weights.sum() > 0 > weights.astype(np.float32).sum()
    graph = wayfront.Graph.from_edges(4, [0, 1, 2, 3], [1, 2, 3, 0], weights)
    assert wayfront.all_pairs(graph, type="float64").distances[0, 0] == 0
    with pytest.raises(wayfront.NegativeCycleError):
        wayfront.all_pairs(graph, type="float32")
