"""Graphs: of files and specs, SciPy's sparse matrices, NumPy's arrays, and NetworkX."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import typed
from ._errors import InputError
from ._names import NO_NAMES, Names

if TYPE_CHECKING:
    from mpi4py import MPI

Direction = Literal["as_in_input", "directed", "undirected", "reversed"]

#: Everything that functions take for a graph.
GraphLike = Any


class GraphOptions(TypedDict, total=False):
    """Keywords of all functions that make a graph."""

    #: Whether edges are followed in one direction or in both; ``"reversed"``: from their targets, so
    #: that distances are those to the source. By default that of the input; arrays are directed.
    direction: Direction
    #: Threads of this rank; 0, the default: ``OMP_NUM_THREADS``, or all cores that it may use.
    threads: int
    #: The ranks over which the graph is distributed. All of them call the same functions with equal
    #: arguments. By default the calling process works alone, and never initialises MPI.
    comm: MPI.Comm | None
    #: Whether sums of 32-bit floating-point weights are 64-bit ones.
    double_precision: bool
    #: Whether ranks end themselves if one of them dies or is silent for five minutes.
    watch_ranks: bool


def _mpi_handle(comm: Any) -> int:
    mpi: Any = sys.modules.get("mpi4py.MPI")  # an import would initialise MPI
    if mpi is None or not isinstance(comm, mpi.Comm):
        raise TypeError(f"comm: expected a communicator of mpi4py, found {type(comm).__name__}")
    theirs = mpi.Get_library_version().replace("\t", " ")
    if not theirs.startswith(_core.mpi_library()):
        raise InputError(f"comm: wayfront was built with {_core.mpi_library()}, but mpi4py uses "
                         f"{theirs.splitlines()[0]}")
    handle: int = comm.py2f()
    return handle


def _load_options(options: GraphOptions, direction: Direction) -> _core.LoadOptions:
    unknown = options.keys() - GraphOptions.__annotations__.keys()
    if unknown:
        raise TypeError(f"a graph has no option '{min(unknown)}'")
    made = _core.LoadOptions()
    made.direction = options.get("direction", direction)
    made.threads = options.get("threads", 0)
    made.double_precision = options.get("double_precision", False)
    made.watch_ranks = options.get("watch_ranks", False)
    comm = options.get("comm")
    if comm is None:
        made.alone = True
    else:
        made.communicator = _mpi_handle(comm)
    return made


def _gpu_array(values: Any) -> tuple[_core.CallerArray, int | None] | None:
    """An array that is in GPU memory, without a copy, and the stream in which it is written, if there is one to wait
    for. None if it is not there, or if its elements need a conversion."""
    if _core.gpu_count() == 0:
        return None
    interface = getattr(values, "__cuda_array_interface__", None)
    if interface is None:
        return _gpu_array_of_dlpack(values)
    described = {"shape", "typestr", "data", "version"} <= interface.keys()
    if not described or interface.get("mask") is not None or interface["typestr"] not in ("<i4", "<i8", "<f4", "<f8"):
        return None
    shape, strides = interface["shape"], interface.get("strides")
    if len(shape) != 1 or (strides is not None and strides != (int(interface["typestr"][2]),)):
        return None
    stream = interface.get("stream")
    if interface["version"] < 3 or "stream" not in interface:
        # It does not say which stream that is. An export makes the default stream wait for it.
        if hasattr(values, "__dlpack__"):
            values.__dlpack__(stream=_DEFAULT_STREAM)
        stream = _DEFAULT_STREAM
    pointer = interface["data"][0] if shape[0] else 0
    return _core.CallerArray.of_memory(pointer, shape[0], interface["typestr"], values), stream


#: CUDA's number of the default stream that all threads share.
_DEFAULT_STREAM = 1


def _gpu_array_of_dlpack(values: Any) -> tuple[_core.CallerArray, int | None] | None:
    cuda, managed = 2, 13  # of DLPack
    if not hasattr(values, "__dlpack_device__") or values.__dlpack_device__()[0] not in (cuda, managed):
        return None
    try:
        return _core.CallerArray.of_dlpack(values.__dlpack__(stream=_DEFAULT_STREAM)), _DEFAULT_STREAM
    except TypeError:  # for other elements, more dimensions, and strides
        return None


def _gpu_edges(vertices: int, arrays: list[Any], made: _core.LoadOptions) -> _core.Graph | None:
    """A graph of sources, targets and maybe weights in the memory of the GPU that searches; None if they are not all
    there."""
    found = [_gpu_array(values) for values in arrays]
    present = [each for each in found if each is not None]
    if len(present) != len(found) or any(each.dtype.startswith("float") for each, _ in present[:2]):
        return None
    if not all(each.on_search_gpu for each, _ in present):
        return None
    streams = [stream for _, stream in present if stream is not None]
    weights = present[2][0] if len(present) == 3 else None
    return _core.Graph.view_gpu_edges(vertices, present[0][0], present[1][0], weights, streams, made)


def _host_array(values: Any) -> NDArray[Any]:
    """The array in host memory: one that lies on a GPU is copied."""
    if hasattr(values, "__cuda_array_interface__"):
        for copy in ("get", "cpu", "copy_to_host"):  # of CuPy, of PyTorch, of Numba
            if hasattr(values, copy):
                return np.asarray(getattr(values, copy)())
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    return np.asarray(values)


def _one_dimension(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 1:
        raise InputError(f"{name}: expected an array of one dimension, found {array.ndim}")
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))


def _as_integers(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """The array as one of 32 or 64 bits; without a copy if it is one."""
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size and array.max() > np.iinfo(np.int64).max:
        raise InputError(f"{name}: {array.max()} is too large for 64-bit whole numbers")
    small = array.dtype.itemsize < 4 or array.dtype == np.int32
    return array.astype(np.int32 if small else np.int64, copy=False)


def as_csr(matrix: Any) -> Any:
    """A SciPy sparse matrix of two dimensions in CSR. Zeros that only fill the blocks of BSR are left out."""
    csr = matrix.tocsr()
    if matrix.format == "bsr":
        csr.eliminate_zeros()
    return csr


def _indices(name: str, values: ArrayLike) -> NDArray[Any]:
    """Vertices or offsets of an array."""
    array = _one_dimension(name, _host_array(values))
    if array.dtype.kind not in "iu":
        if array.size == 0:
            return array.astype(np.int64)
        raise TypeError(f"{name}: expected whole numbers, found {array.dtype}")
    return _as_integers(name, array)


def _weights(values: ArrayLike) -> NDArray[Any]:
    """Weights in a type of the library that has all values of theirs."""
    array = _one_dimension("weights", _host_array(values))
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "b":
        return array.astype(np.int32)
    if kind in "iu":
        return _as_integers("weights", array)
    if kind == "f" and size <= 8:
        return array.astype(np.float32 if size <= 4 else np.float64, copy=False)
    raise TypeError(f"weights: expected whole or floating-point numbers of at most 64 bits, found {array.dtype}")


def vertex_list(name: str, vertices: ArrayLike, names: Names) -> list[int]:
    array = _host_array(vertices)
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name}: expected a list of at least one vertex")
    array = names.vertices(name, vertices, array)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected whole numbers, found {array.dtype}")
    numbers: list[int] = array.tolist()
    return numbers


class Graph:
    """A graph, which never changes. Made by :func:`load`, :meth:`from_scipy`, :meth:`from_edges` or
    :meth:`from_networkx`.

    Vertices have the numbers of the input: those of files that count from 1 begin with 1, all
    others with 0 (:attr:`first_vertex`). Over several ranks, rank r owns the vertices
    ``own_vertices()``: every ``ranks``-th one. If vertices have names (:attr:`nodes`), functions take
    these in place of numbers. Several threads of Python may use a graph and its searches; they take
    turns.
    """

    __slots__ = ("_core", "_direction", "_names")

    def __init__(self, core: _core.Graph, direction: str, nodes: list[Hashable] | None = None):
        self._core = core
        self._direction = direction
        self._names = Names(core, nodes)

    @classmethod
    @typed
    def from_edges(cls, vertices: int, sources: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None,
                   **options: Unpack[GraphOptions]) -> Graph:
        """A graph of the vertices 0 to ``vertices - 1`` with an edge from ``sources[i]`` to
        ``targets[i]`` for each i.

        Arrays of int32 or int64, and weights of int32, int64, float32 or float64, are not copied:
        the graph keeps them, and they must not change. Weights keep their type and value, 0
        included. Of parallel edges the lightest one counts. An undirected edge may be given in one
        direction or in both. Several ranks pass their shares of the edges.

        Arrays of CuPy, PyTorch and others of these types that lie on the GPU stay there, if they are contiguous,
        all of the edges' arrays are there, and there is one rank: the GPU constructs the graph and searches it. What
        runs on the cores copies them to host memory first, and so are other arrays on a GPU.

        Raises InputError if the lengths differ, a vertex is out of range, or a weight is not finite,
        and TypeError for other types of elements.
        """
        made = _load_options(options, "directed")
        if options.get("comm") is None:
            given = [sources, targets] if weights is None else [sources, targets, weights]
            on_gpu = _gpu_edges(vertices, given, made)
            if on_gpu is not None:
                return cls(on_gpu, made.direction)
        arrays = _core.Arrays(_indices("sources", sources), _indices("targets", targets),
                              None if weights is None else _weights(weights))
        return cls(_core.Graph.view_edges(vertices, arrays, made), made.direction)

    @classmethod
    @typed
    def from_csr(cls, offsets: ArrayLike, targets: ArrayLike, weights: ArrayLike | None = None, *,
                 vertices: int | None = None, first_row: int = 0, **options: Unpack[GraphOptions]) -> Graph:
        """A graph of compressed sparse rows: vertex ``first_row + i`` has edges to
        ``targets[offsets[i]:offsets[i + 1]]``. Types and errors are those of :meth:`from_edges`.

        Several ranks pass some rows each; ``vertices`` is then the number of all of them.
        """
        rows = _indices("offsets", offsets)
        count = max(len(rows) - 1, 0) if vertices is None else vertices
        arrays = _core.Arrays(rows, _indices("targets", targets), None if weights is None else _weights(weights))
        made = _load_options(options, "directed")
        return cls(_core.Graph.view_rows(count, arrays, first_row, made), made.direction)

    @classmethod
    @typed
    def from_scipy(cls, matrix: Any, *, weighted: bool = True, vertices: int | None = None, first_row: int = 0,
                   **options: Unpack[GraphOptions]) -> Graph:
        """A graph of a SciPy sparse array or matrix: the stored element (i, j) is an edge from i to j
        with its value as weight, also if it is 0, except in BSR, where zeros fill the blocks. Without
        ``weighted`` the edges have none.

        CSR and COO are not copied if :meth:`from_edges` would not copy their arrays; other formats
        become CSR. Several ranks pass some rows each, from ``first_row`` on, of ``vertices`` rows.
        """
        if not hasattr(matrix, "tocsr"):
            raise TypeError(f"matrix: expected a SciPy sparse array or matrix, found {type(matrix).__name__}")
        if len(matrix.shape) != 2:
            raise InputError(f"the matrix has {len(matrix.shape)} dimensions, and must have 2")
        rows, columns = matrix.shape
        if vertices is None and rows != columns:
            raise InputError(f"the matrix has {rows} rows and {columns} columns, and must be square")
        if vertices is not None and columns != vertices:
            raise InputError(f"the matrix has {columns} columns, but there are {vertices} vertices")
        if matrix.format == "coo" and vertices is None:
            return cls.from_edges(rows, matrix.row, matrix.col, matrix.data if weighted else None, **options)
        csr = as_csr(matrix)
        used = int(csr.indptr[-1])  # the arrays may be longer
        return cls.from_csr(csr.indptr, csr.indices[:used], csr.data[:used] if weighted else None,
                            vertices=columns, first_row=first_row, **options)

    @classmethod
    @typed
    def from_networkx(cls, graph: Any, weight: str | None = "weight", **options: Unpack[GraphOptions]) -> Graph:
        """A graph of a NetworkX graph, directed as it is. Vertex i is its i-th node (:attr:`nodes`).

        ``weight`` names the attribute of the edges' weights, of which a missing one counts as 1. If
        all of them are whole numbers, they stay so, otherwise they are 64-bit floating-point
        numbers. If no edge has the attribute, there are no weights. Several ranks pass the same
        graph.
        """
        if not _is_of_networkx(graph):
            raise TypeError(f"graph: expected a NetworkX graph, found {type(graph).__name__}")
        if weight is not None and not isinstance(weight, str):
            raise TypeError(f"weight: expected the name of an attribute of edges, found {type(weight).__name__}")
        nodes = list(graph)
        number = {node: i for i, node in enumerate(nodes)}
        edges = list(graph.edges(data=weight)) if weight is not None else [(u, v, None) for u, v in graph.edges()]
        comm = options.get("comm")
        weights = None
        if weight is not None and any(weight in data for _, _, data in graph.edges(data=True)):
            weights = attribute_weights([1 if value is None else value for _, _, value in edges])
        if comm is not None:
            _mpi_handle(comm)  # raises TypeError for other objects
            edges = edges[comm.rank::comm.size]
            weights = None if weights is None else weights[comm.rank::comm.size]
        sources = np.fromiter((number[u] for u, _, _ in edges), dtype=np.int64, count=len(edges))
        targets = np.fromiter((number[v] for _, v, _ in edges), dtype=np.int64, count=len(edges))
        options.setdefault("direction", "directed" if graph.is_directed() else "undirected")
        made = cls.from_edges(len(nodes), sources, targets, weights, **options)
        return cls(made._core, made._direction, nodes)

    def __repr__(self) -> str:
        direction = "directed" if self.directed else "undirected"
        return f"<wayfront.Graph {self.name}: {self.vertex_count} vertices, {self.edge_count} edges, {direction}>"

    @property
    def name(self) -> str:
        """As given to :func:`load`, or "edges"."""
        return self._core.name

    @property
    def vertex_count(self) -> int:
        return self._core.vertex_count

    @property
    def edge_count(self) -> int:
        """The edges as they were given, with loops and parallel ones."""
        return self._core.edge_count

    @property
    def directed(self) -> bool:
        return self._core.directed

    @property
    def first_vertex(self) -> int:
        """0 or 1: the number of the first vertex."""
        return self._core.first_vertex

    @property
    def nodes(self) -> list[Hashable] | None:
        """The names of the vertices of a file, or the nodes of a NetworkX graph, by their vertices; None if there
        are none. Every rank has all of them. Names of files that are no UTF-8 are as ``os.fsdecode`` has them."""
        return self._names.nodes()

    @typed
    def vertex_named(self, name: str) -> int:
        """The number of the vertex with a name. Raises InputError if there is none."""
        if not isinstance(name, str):
            raise TypeError(f"name: expected a string, found {type(name).__name__}")
        return self._names.vertex("name", name)

    @property
    def rank(self) -> int:
        return self._core.rank

    @property
    def ranks(self) -> int:
        return self._core.ranks

    @property
    def threads(self) -> int:
        """The threads of this rank."""
        return self._core.threads

    def own_vertices(self) -> NDArray[np.int64]:
        """The vertices that this rank owns, in the order of its results."""
        return self.first_vertex + np.arange(self.rank, self.vertex_count, self.ranks, dtype=np.int64)


def attribute_weights(values: list[Any]) -> NDArray[Any]:
    """Weights of edges from attributes: int64 if all of them are whole numbers, otherwise float64.

    Raises TypeError if one is no number, and InputError if one does not fit the type.
    """
    types = set(map(type, values))
    if types == {float}:
        return np.array(values)
    try:
        if types <= {int, bool}:
            return np.array(values, dtype=np.int64)
        return np.fromiter(map(operator.index, values), dtype=np.int64, count=len(values))
    except TypeError:
        pass
    except OverflowError:
        raise InputError("a weight is too large for 64-bit whole numbers") from None
    for value in values:
        if not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"a weight is of type {type(value).__name__}, and no number")
        if float(value) != value and value == value:
            raise InputError(f"the weight {value} does not fit a 64-bit floating-point number, "
                             "which another weight needs")
    return np.array(values, dtype=np.float64)


@typed
def load(graph: str | os.PathLike[str], *, weights: str = "", names: bool = False,
         **options: Unpack[GraphOptions]) -> Graph:
    """Loads a file, or generates the graph of a spec such as ``"kron:20"`` (docs/formats.md).

    ``weights`` gives weights to a graph without them, for example ``"uniform:1..100"``; ``"none"``
    leaves those of the file out. With ``names``, the vertices of an edge list have names also if they
    could be numbers; without it, they have names if those of the first edge begin with letters.
    """
    made = _load_options(options, "as_in_input")
    made.weights = weights
    made.names = names
    return Graph(_core.Graph.load(os.fspath(graph), made), made.direction)


def _is_of_networkx(graph: Any) -> bool:
    return hasattr(graph, "is_directed") and hasattr(graph, "edges")


class GraphFacts(NamedTuple):
    """What paths need of a graph."""

    vertex_count: int
    first_vertex: int
    reversed: bool
    names: Names = NO_NAMES


def facts_of(graph: Graph) -> GraphFacts:
    return GraphFacts(graph.vertex_count, graph.first_vertex, graph._direction == "reversed", graph._names)


def as_graph(graph: GraphLike) -> Graph:
    """The graph that an argument means: a :class:`Graph`, the name of a file or a spec, a SciPy sparse
    array or matrix, or a NetworkX graph."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, (str, os.PathLike)):
        return load(graph)
    if hasattr(graph, "tocsr"):
        return Graph.from_scipy(graph)
    if _is_of_networkx(graph):
        return Graph.from_networkx(graph)
    raise TypeError(f"graph: expected a graph, the name of a file or a spec, a SciPy sparse array or a NetworkX graph, "
                    f"found {type(graph).__name__}")


def fill(made: Any, options: Mapping[str, Any], keywords: Iterable[str], function: str) -> Any:
    """Sets the attributes of an options object from keywords of a function."""
    unknown = options.keys() - set(keywords)
    if unknown:
        raise TypeError(f"{function} has no option '{min(unknown)}'")
    for name, value in options.items():
        setattr(made, name, value)
    return made
