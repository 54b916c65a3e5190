"""Graphs of arrays, matrices, NetworkX, files and specs."""

import gc
import os
import weakref

import networkx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from conftest import ROOT, random_matrix

import wayfront
from wayfront import _core


def distances(graph, source=0, **options):
    return wayfront.shortest_paths(graph, source, **options).distances


def expected(matrix, source=0, directed=True):
    return scipy.sparse.csgraph.dijkstra(matrix.astype(np.float64), directed=directed, indices=source)


def as_floats(result):
    return np.where(result.distances == result.unreached, np.inf, result.distances.astype(np.float64))


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_every_form_of_sparse_matrix_is_the_same_graph(form, index_type, weight_type, directed):
    csr = random_matrix(1, dtype=weight_type, lowest=1)  # forms of diagonals drop zeros
    csr = scipy.sparse.csr_array((csr.data, csr.indices.astype(index_type), csr.indptr.astype(index_type)), shape=csr.shape)
    options = {"direction": "directed" if directed else "undirected", "double_precision": True}
    for matrix in (csr.asformat(form), scipy.sparse.csr_matrix(csr).asformat(form)):
        result = wayfront.shortest_paths(wayfront.Graph.from_scipy(matrix, **options), 0)
        assert result.distances.dtype == (np.int64 if weight_type in (np.int32, np.int64) else np.float64)
        np.testing.assert_array_equal(as_floats(result), expected(csr, directed=directed))


@pytest.mark.parametrize("type_", [bool, np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64, np.float16, ">i4", ">f8"])
def test_weights_of_other_types_keep_their_values(type_):
    weights = np.array([1, 0, 1, 1], dtype=type_)
    graph = wayfront.Graph.from_edges(4, [0, 1, 2, 0], [1, 2, 3, 3], weights)
    assert distances(graph).tolist() == [0, 1, 1, 1]


def test_weights_are_not_rounded():
    large, tiny = 2**62 + 1, 5e-324
    assert distances(wayfront.Graph.from_edges(2, [0], [1], np.array([large])))[1] == large
    assert distances(wayfront.Graph.from_edges(2, [0], [1], np.array([tiny])))[1] == tiny
    third = np.float32(1) / np.float32(3)
    assert distances(wayfront.Graph.from_edges(2, [0], [1], np.array([third])))[1] == third


def test_explicit_zeros_are_edges_and_the_lightest_of_parallel_edges_counts():
    matrix = scipy.sparse.csr_array(([0.0, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
    assert matrix.nnz == 2
    assert distances(wayfront.Graph.from_scipy(matrix)).tolist() == [0, 0, 3]
    assert distances(wayfront.Graph.from_edges(2, [0, 0, 0], [1, 1, 1], [7, 2, 5])).tolist() == [0, 2]
    coo = scipy.sparse.coo_array(([7, 2, 5], ([0, 0, 0], [1, 1, 1])), shape=(2, 2))
    assert distances(wayfront.Graph.from_scipy(coo)).tolist() == [0, 2], "SciPy would add them up"


def test_edges_without_weights_have_length_one():
    matrix = random_matrix(2)
    for graph in (wayfront.Graph.from_scipy(matrix, weighted=False),
                  wayfront.Graph.from_edges(*matrix.shape[:1], *matrix.tocoo().coords)):
        np.testing.assert_array_equal(
            as_floats(wayfront.shortest_paths(graph, 3)),
            scipy.sparse.csgraph.dijkstra(matrix, unweighted=True, indices=3))


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_arrays_of_fitting_types_are_not_copied(index_type, weight_type):
    vertices, edges = 1000, 6_000_000
    offsets = np.linspace(0, edges, vertices + 1).astype(index_type)
    targets = np.arange(edges, dtype=index_type) % vertices
    weights = np.ones(edges, dtype=weight_type)
    matrix = scipy.sparse.csr_array((weights, targets, offsets), shape=(vertices, vertices))
    wayfront.Graph.from_scipy(random_matrix(1))
    before = resident_bytes()
    graph = wayfront.Graph.from_scipy(matrix)
    assert resident_bytes() - before < min(targets.nbytes, weights.nbytes) / 4
    assert graph.edge_count == edges
    # A change of the array is seen, which the documentation forbids, and which proves the view.
    matrix.data[:] = 3
    assert distances(graph)[1] == 3


def test_a_graph_keeps_its_arrays():
    def made():
        targets = np.array([1, 2, 3], dtype=np.int32)
        return wayfront.Graph.from_csr(np.array([0, 1, 2, 3, 3]), targets), weakref.ref(targets)

    graph, array = made()
    gc.collect()
    assert array() is not None
    search = wayfront.Bfs(graph, validate=True)  # reads the arrays after each search
    del graph
    gc.collect()
    assert array() is not None
    assert search.run(0).depth == 3
    del search
    gc.collect()
    assert array() is None


def test_read_only_and_strided_arrays():
    sources = np.arange(10)[::3]
    sources.flags.writeable = False
    assert distances(wayfront.Graph.from_edges(10, sources[:-1], sources[1:])).tolist()[::3] == [0, 1, 2, 3]


def test_a_csr_matrix_with_room_behind_its_elements():
    matrix = scipy.sparse.csr_matrix((3, 3))
    matrix.data, matrix.indices = np.array([1.0, 1, 99]), np.array([1, 2, 0], dtype=np.int32)
    matrix.indptr = np.array([0, 1, 2, 2], dtype=np.int32)
    assert distances(wayfront.Graph.from_scipy(matrix)).tolist() == [0, 1, 2]


def test_reversed_edges_lead_to_the_source():
    graph = wayfront.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [1, 10, 100], direction="reversed")
    result = wayfront.shortest_paths(graph, 3)
    assert result.distances.tolist() == [111, 110, 100, 0]
    assert result.path(0).tolist() == [0, 1, 2, 3]


def test_files_and_specs():
    graph = wayfront.load(ROOT / "tests/data/new-york.gr.gz")
    assert (graph.first_vertex, graph.vertex_count, graph.directed) == (1, 1000, True)
    result = wayfront.bfs(graph, 1)
    assert result.path(1).tolist() == [1]
    assert result.levels[0] == 0
    assert wayfront.load("grid:4x5", direction="directed").directed
    weighted = wayfront.load("path:5", weights="uniform:3..3")
    assert distances(weighted).tolist() == [0, 3, 6, 9, 12]
    assert distances(wayfront.load("path:5", threads=1)).tolist() == [0, 1, 2, 3, 4]
    assert "grid:4x5: 20 vertices, 31 edges, undirected" in repr(wayfront.load("grid:4x5"))


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.DiGraph, networkx.MultiGraph, networkx.MultiDiGraph])
@pytest.mark.parametrize("whole", [True, False])
def test_networkx_graphs(kind, whole):
    rng = np.random.default_rng(4)
    graph = kind()
    names = [f"node {i}" for i in range(30)]
    graph.add_nodes_from(names)
    for u, v in rng.integers(0, 30, (80, 2)):
        graph.add_edge(names[u], names[v], weight=int(rng.integers(0, 9)) if whole else float(rng.uniform(0, 9)))
    graph.add_edge(names[0], names[1])  # a missing weight counts as 1
    made = wayfront.Graph.from_networkx(graph)
    assert made.nodes == names
    result = wayfront.shortest_paths(made, 0)
    assert result.distances.dtype == (np.int64 if whole else np.float64)
    lengths = networkx.single_source_dijkstra_path_length(graph, names[0])
    np.testing.assert_allclose(as_floats(result), [lengths.get(name, np.inf) for name in names], rtol=1e-15)
    levels = networkx.single_source_shortest_path_length(graph, names[0])
    assert wayfront.bfs(graph, 0).levels.tolist() == [levels.get(name, -1) for name in names]


def test_networkx_graphs_without_weights_have_none():
    assert distances(wayfront.Graph.from_networkx(networkx.path_graph(4))).dtype == np.int64
    weighted = networkx.path_graph(4)
    networkx.set_edge_attributes(weighted, 2.5, "length")
    assert distances(wayfront.Graph.from_networkx(weighted, weight="length")).tolist() == [0, 2.5, 5, 7.5]
    assert distances(wayfront.Graph.from_networkx(weighted, weight=None)).tolist() == [0, 1, 2, 3]


def test_empty_graphs():
    for graph in (wayfront.Graph.from_edges(0, [], []), wayfront.Graph.from_scipy(scipy.sparse.csr_array((0, 0)))):
        assert graph.vertex_count == 0
    assert wayfront.bfs(wayfront.Graph.from_edges(3, [], []), 1).levels.tolist() == [-1, 0, -1]


BAD_GRAPHS = [
    (wayfront.InputError, "must be square", lambda: wayfront.Graph.from_scipy(scipy.sparse.csr_array((3, 4)))),
    (wayfront.InputError, "2 sources and 3 targets", lambda: wayfront.Graph.from_edges(4, [0, 1], [1, 2, 3])),
    (wayfront.InputError, "2 weights were given for 1 edges", lambda: wayfront.Graph.from_edges(4, [0], [1], [1, 2])),
    (wayfront.InputError, "names vertex 4", lambda: wayfront.Graph.from_edges(4, [0], [4])),
    (wayfront.InputError, "names vertex -1", lambda: wayfront.Graph.from_edges(4, [-1], [1])),
    (wayfront.InputError, "0 to 2\\^48", lambda: wayfront.Graph.from_edges(-1, [], [])),
    (wayfront.InputError, "not a finite number", lambda: wayfront.Graph.from_edges(2, [0], [1], [np.nan])),
    (wayfront.InputError, "not a finite number", lambda: wayfront.Graph.from_edges(2, [0], [1], [np.inf])),
    (wayfront.InputError, "must be 0", lambda: wayfront.Graph.from_csr([1, 1], [])),
    (wayfront.InputError, "less than the one before", lambda: wayfront.Graph.from_csr([0, 2, 1], [1])),
    (wayfront.InputError, "last offset is 2", lambda: wayfront.Graph.from_csr([0, 1, 2], [1])),
    (wayfront.InputError, "offsets of rows are missing", lambda: wayfront.Graph.from_csr([], [], vertices=0)),
    (wayfront.InputError, "offsets of rows are missing", lambda: wayfront.Graph.from_csr([], [])),
    (wayfront.InputError, "one dimension", lambda: wayfront.Graph.from_edges(4, [[0, 1]], [[1, 2]])),
    (TypeError, "weights: expected an array or None, found int", lambda: wayfront.Graph.from_edges(4, [0], [1], 3)),
    (wayfront.InputError, "too large", lambda: wayfront.Graph.from_edges(4, [0], [1], np.array([2**63], np.uint64))),
    (wayfront.InputError, "direction: expected one of", lambda: wayfront.load("ring:5", direction="up")),
    (wayfront.InputError, "threads", lambda: wayfront.load("ring:5", threads=-1)),
    (wayfront.InputError, "cannot be read", lambda: wayfront.load("/no/such/file.gr")),
    (wayfront.InputError, "weights", lambda: wayfront.load("ring:5", weights="of lead")),
    (wayfront.InputError, "2\\*\\*53|does not fit", lambda: wayfront.Graph.from_networkx(
        networkx.Graph([(0, 1, {"weight": 2**53 + 1}), (1, 2, {"weight": 0.5})]))),
    (wayfront.InputError, "too large", lambda: wayfront.Graph.from_networkx(networkx.Graph([(0, 1, {"weight": 2**63})]))),
    (TypeError, "whole numbers, found float64", lambda: wayfront.Graph.from_edges(4, [0.0], [1])),
    (TypeError, "whole numbers, found bool", lambda: wayfront.Graph.from_edges(4, [True], [1])),
    (TypeError, "found complex128", lambda: wayfront.Graph.from_edges(4, [0], [1], [1j])),
    (TypeError, "at most 64 bits", lambda: wayfront.Graph.from_edges(4, [0], [1], np.ones(1, np.longdouble))),
    (TypeError, "found <U1", lambda: wayfront.Graph.from_edges(4, [0], [1], ["a"])),
    (TypeError, "whole number, found float", lambda: wayfront.Graph.from_edges(4.0, [0], [1])),
    (TypeError, "no option 'thread'", lambda: wayfront.load("ring:5", thread=1)),
    (TypeError, "sparse array", lambda: wayfront.Graph.from_scipy(np.eye(3))),
    (TypeError, "expected a graph", lambda: wayfront.bfs(np.eye(3), 0)),
    (TypeError, "expected a communicator", lambda: wayfront.load("ring:5", comm=3)),
    (TypeError, "is of type str", lambda: wayfront.Graph.from_networkx(networkx.Graph([(0, 1, {"weight": "far"})]))),
    (TypeError, "attribute of edges", lambda: wayfront.Graph.from_networkx(networkx.Graph(), weight=lambda u, v, d: 1)),
]


@pytest.mark.parametrize("error, words, make", BAD_GRAPHS, ids=[words for _, words, _ in BAD_GRAPHS])
def test_bad_graphs_are_refused(error, words, make):
    with pytest.raises(error, match=words):
        make()
    assert issubclass(wayfront.InputError, ValueError)


@pytest.mark.parametrize("copy", ["get", "cpu", "copy_to_host"])
def test_arrays_on_a_gpu_are_copied(copy):
    """As CuPy's, PyTorch's and Numba's, which NumPy does not convert."""

    class OnGpu:
        def __init__(self, array):
            self.array = array
            self.__cuda_array_interface__ = {}
            setattr(self, copy, lambda: self.array)

        def __array__(self, *_, **__):
            raise TypeError("implicit conversion")

    sources, targets, weights = (OnGpu(np.array(list_of)) for list_of in ([0, 1], [1, 2], [2.5, 4]))
    for graph in (wayfront.Graph.from_edges(3, sources, targets, weights),
                  wayfront.Graph.from_csr(OnGpu(np.array([0, 1, 2, 2])), targets, weights)):
        assert distances(graph).tolist() == [0, 2.5, 6.5]


def test_arrays_of_dlpack():
    """As those of libraries that NumPy knows by this protocol only."""

    class Exported:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    targets = np.array([1, 2])
    graph = wayfront.Graph.from_edges(3, Exported(np.array([0, 1])), Exported(targets), Exported(np.array([2.5, 4])))
    assert distances(graph).tolist() == [0, 2.5, 6.5]
    targets[1] = 0  # the graph has a view
    assert distances(graph).tolist() == [0, 2.5, np.inf]


class OtherGpuArray:
    """As an array of CuPy that is not in the memory of the GPU with which the process searches."""

    def __init__(self, array):
        self.array = array
        self.copies = 0
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "version": 3, "stream": None,
                                         "data": (array.ctypes.data, False)}

    def get(self):
        self.copies += 1
        return self.array


def test_arrays_on_another_gpu_are_copied_to_the_host(monkeypatch):
    class CallerArray:
        on_search_gpu = False
        dtype = "int32"

    class Core:
        """Sees two GPUs."""

        def __getattr__(self, name):
            return getattr(_core, name)

        def gpu_count(self):
            return 2

        class CallerArray:
            @staticmethod
            def of_memory(*_):
                return CallerArray()

    monkeypatch.setattr("wayfront._graph._core", Core())
    sources, targets = OtherGpuArray(np.array([0, 1], dtype=np.int32)), OtherGpuArray(np.array([1, 2], dtype=np.int32))
    graph = wayfront.Graph.from_edges(3, sources, targets)
    assert (sources.copies, targets.copies) == (1, 1)
    assert wayfront.bfs(graph, 0, engine="cpu").levels.tolist() == [0, 1, 2]
