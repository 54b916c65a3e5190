"""What test_ranks.py runs on several ranks. Each check fails on the rank that finds it."""

import os
import sys
import tempfile

import networkx
import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
from conftest import random_matrix
from mpi4py import MPI

import wayfront

comm = MPI.COMM_WORLD
matrix = random_matrix(21, dtype=np.int64)
hops = scipy.sparse.csgraph.dijkstra(matrix, unweighted=True)
distances = scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64))


def levels(row):
    return np.where(np.isinf(row), -1, row)


def as_floats(values, unreached):
    return np.where(values == unreached, np.inf, values)


def slab():
    """This rank's rows."""
    first, last = comm.rank * 60 // comm.size, (comm.rank + 1) * 60 // comm.size
    return wayfront.Graph.from_scipy(matrix[first:last], vertices=60, first_row=first, comm=comm)


def shares():
    coo = matrix.tocoo()
    mine = slice(comm.rank, None, comm.size)
    return wayfront.Graph.from_edges(60, coo.coords[0][mine], coo.coords[1][mine], coo.data[mine], comm=comm)


def check_searches(graph):
    assert (graph.rank, graph.ranks, graph.edge_count) == (comm.rank, comm.size, matrix.nnz)
    own = graph.own_vertices()
    search = wayfront.Bfs(graph)
    for source in (0, 17):
        result = search.run(source)
        np.testing.assert_array_equal(result.levels, levels(hops[source])[own])
        whole = wayfront.bfs(graph, source, gather=True, validate=True)
        np.testing.assert_array_equal(whole.levels, levels(hops[source]))
        target = int(np.argmax(whole.levels))
        path = search.path(target)
        assert (path[0], path[-1], len(path)) == (source, target, whole.levels[target] + 1)
        assert len(whole.path(target)) == len(path)
        paths = wayfront.shortest_paths(graph, source)
        np.testing.assert_array_equal(as_floats(paths.distances, paths.unreached), distances[source][own])
    try:
        result.path(target)
        assert comm.size == 1
    except wayfront.InputError as error:
        assert "gather=True" in str(error)


def check_all_pairs(graph):
    found = wayfront.all_pairs(graph, predecessors=True)
    np.testing.assert_array_equal(as_floats(found.distances, found.unreached), distances[found.sources])
    assert found.predecessors.shape == found.distances.shape
    assert sorted(v for rows in comm.allgather(found.sources.tolist()) for v in rows) == list(range(60))
    summary = wayfront.AllPairs(graph).summary()
    assert summary.diameter == wayfront.AllPairs(graph).diameter() == distances[np.isfinite(distances)].max()


def check_many_graphs():
    names = [f"ring:{n}" for n in range(5, 12)] + ["missing.gr", "grid:4x4"]
    found = wayfront.all_pairs_of_many(names, matrices=True, comm=comm, threads=1)
    assert [each.rank for each in found] == [i % comm.size for i in range(len(names))]
    assert [each.summary.diameter for each in found[:7]] == [n // 2 for n in range(5, 12)]
    assert isinstance(found[7].error, wayfront.InputError)
    assert [each.matrix is not None for each in found] == [each.rank == comm.rank and each.error is None for each in found]
    own = wayfront.all_pairs_of_many([matrix] * (comm.rank + 1), matrices=True)
    for each in own:
        np.testing.assert_array_equal(as_floats(each.matrix.distances, each.matrix.unreached), distances)
    if comm.size > 1:
        try:
            wayfront.all_pairs_of_many([shares()])
            raise AssertionError("a graph of several ranks was computed")
        except wayfront.InputError as error:
            assert "is distributed over" in str(error)


def check_pairs(graph):
    pairs = np.random.default_rng(1).integers(0, 60, (50, 2))
    for search, expected in ((wayfront.Bfs, hops), (wayfront.ShortestPaths, distances)):
        found = search.between(graph, pairs)
        np.testing.assert_array_equal(as_floats(found.distances, found.unreached), expected[pairs[:, 0], pairs[:, 1]])
        for (source, target), path in zip(pairs, found.paths):
            assert np.isinf(expected[source, target]) == (len(path) == 0)
            assert len(path) == 0 or (path[0], path[-1]) == (source, target)


def check_arrays(graph):
    for gather in (False, True):
        length = 60 if gather else len(graph.own_vertices())
        values, parents = np.empty(length, np.int64), np.empty(length, np.int64)
        wayfront.shortest_paths(graph, 17, out=(values, parents), gather=gather)
        expected = wayfront.shortest_paths(graph, 17, gather=gather)
        np.testing.assert_array_equal(values, expected.distances)
        wayfront.Bfs(graph, gather=gather).run(17, out=values.astype(np.int32))


def searches_into(graph, gather):
    """Functions of a place that search, and the type of their results."""
    options = {"gather": gather}
    return ((lambda out: wayfront.bfs(graph, 17, out=out, **options), np.int32),
            (lambda out: wayfront.Bfs(graph, **options).run(17, out=out), np.int32),
            (lambda out: wayfront.shortest_paths(graph, 17, out=out, **options), np.int64),
            (lambda out: wayfront.ShortestPaths(graph, **options).run(17, out=out), np.int64))


def require_error(kind, words, call, out):
    try:
        call(out)
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError("no error")


def check_arrays_of_one_rank(graph):
    """All ranks raise the error of one, and can search again."""
    for gather in (False, True):
        length = 60 if gather else len(graph.own_vertices())
        for search, dtype in searches_into(graph, gather):
            good = np.empty(length, dtype)
            for rank in range(comm.size):
                mine = comm.rank == rank
                require_error(wayfront.InputError, "expected an array of shape", search, np.empty(length + 1, dtype) if mine else good)
                require_error(TypeError, "found int8", search, np.empty(length, np.int8) if mine else good)
                if comm.size > 1:
                    require_error(wayfront.InputError, "out: ", search, good if mine else None)
                    require_error(TypeError, "found int8", search, np.empty(length, np.int8) if mine else np.empty(99, dtype))
            search(good)
            search(None)


def check_progress(graph):
    reports = []
    wayfront.all_pairs(graph, progress=lambda *report: reports.append(report))
    assert (comm.rank == 0) == ("rows" in [step for step, _, _ in reports])

    def end(step, done, total):
        raise ZeroDivisionError

    for call in (lambda: wayfront.all_pairs(graph, progress=end), lambda: wayfront.AllPairs(graph, progress=end).summary(),
                 lambda: wayfront.Bfs.between(graph, [(1, 2), (3, 4)], progress=end), lambda: wayfront.graph500(6, comm=comm, progress=end)):
        try:
            call()
        except (ZeroDivisionError if comm.rank == 0 else wayfront.ResultError):
            continue
        raise AssertionError("no error")


def check_benchmark():
    run = wayfront.graph500(7, keys=4, comm=comm, kernel="both")
    assert run["ranks"] == comm.size
    assert len(set(comm.allgather(run["bfs"]["harmonic_mean_teps"]))) == 1


def check_errors():
    for call, error in ((lambda: wayfront.load("/no/such/file.gr", comm=comm), wayfront.InputError),
                        (lambda: wayfront.bfs(wayfront.load("ring:9", comm=comm), 9), wayfront.InputError),
                        (lambda: wayfront.load("ring:9", comm=MPI.COMM_NULL), wayfront.InputError)):
        try:
            call()
        except error:
            continue
        raise AssertionError("no error")


def check_other_communicators():
    pair = comm.Split(comm.rank // 2)
    graph = wayfront.load("ring:9", comm=pair)
    assert graph.ranks == pair.size
    assert wayfront.bfs(graph, 2).depth == 4
    alone = wayfront.load(f"path:{comm.rank + 2}")
    assert (alone.ranks, wayfront.bfs(alone, 0).depth) == (1, comm.rank + 1)
    del graph
    pair.Free()


def check_networkx():
    graph = networkx.gnp_random_graph(40, 0.1, seed=3)
    made = wayfront.Graph.from_networkx(graph, comm=comm)
    assert made.edge_count == graph.number_of_edges()
    lengths = networkx.single_source_shortest_path_length(graph, 0)
    assert wayfront.bfs(made, 0, gather=True).levels.tolist() == [lengths.get(v, -1) for v in range(40)]


def check_names():
    name = None
    if comm.rank == 0:
        with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
            name = file.name
            file.write("from,to,km\nOslo,Bergen,463\nBergen,Voss,107\nRana,Oslo,1005\n")
    name = comm.bcast(name)
    graph = wayfront.load(name, comm=comm, direction="undirected")
    assert graph.nodes == ["Bergen", "Oslo", "Rana", "Voss"]
    found = wayfront.shortest_paths(graph, "Rana", gather=True)
    assert (found.source, found.distances[graph.vertex_named("Voss")]) == (2, 1005 + 463 + 107)
    assert [graph.nodes[v] for v in found.path("Voss")] == ["Rana", "Oslo", "Bergen", "Voss"]
    try:
        wayfront.bfs(graph, "Rom")
        raise AssertionError("no error")
    except wayfront.InputError:
        pass
    comm.barrier()
    if comm.rank == 0:
        os.unlink(name)


for made in (slab(), shares()):
    check_searches(made)
    check_all_pairs(made)
    check_pairs(made)
    check_arrays(made)
    check_arrays_of_one_rank(made)
    check_progress(made)
check_benchmark()
check_errors()
check_many_graphs()
check_other_communicators()
check_networkx()
check_names()
print(f"rank {comm.rank} of {comm.size}: ok")
sys.stdout.flush()
