"""Searches from one source: levels and distances, and parents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arguments import typed
from ._core import DeviceArray
from ._errors import InputError
from ._graph import Graph, GraphFacts, GraphLike, as_graph, facts_of, fill, vertex_list
from ._names import VertexLike
from ._pairs import PairsResult, Paths, pair_array
from ._progress import Progress, callback_of

Engine = Literal["auto", "cpu", "gpu", "split"]

#: The level or the parent of a vertex that was not reached.
NOT_REACHED = -1


class SearchOptions(TypedDict, total=False):
    """Keywords of both kinds of searches."""

    #: ``"auto"``: GPUs if they can search on their own and are expected to take less time, otherwise the CPU.
    engine: Engine
    #: The rows and columns of ranks over which the adjacency matrix is distributed.
    grid: tuple[int, int] | None
    #: How GPUs reach each other.
    transport: Literal["auto", "p2p", "nccl", "mpi", "host"]
    #: Report the valid parent with the smallest number, which is the same on every machine.
    deterministic: bool
    #: Check each result against the edges, and raise ResultError if it is wrong. Not with ``cutoff``.
    validate: bool
    #: Each rank gets the results of all vertices instead of those that it owns.
    gather: bool


class BfsOptions(SearchOptions, total=False):
    """Keywords of :func:`bfs` and :class:`Bfs`."""

    #: For the engine ``"split"``: the CPU's share of the edges, 0 to 1.
    cpu_share: float | None
    #: Vertices beyond this level count as not reached.
    cutoff: int | None


class ShortestPathsOptions(SearchOptions, total=False):
    """Keywords of :func:`shortest_paths` and :class:`ShortestPaths`."""

    algorithm: Literal["auto", "dijkstra", "delta-stepping", "bellman-ford", "push-pull"]
    #: The width of the windows of delta-stepping and push-pull.
    delta: float | None
    #: Vertices at a greater distance count as not reached. Not with negative weights.
    cutoff: float | None


#: Where a search writes: the array of levels or distances, or a pair of it and the array of parents, either of
#: which may be None.
Out = NDArray[Any] | tuple[NDArray[Any] | None, NDArray[Any] | None]


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """What both kinds of searches return. Element i of the arrays is that of vertex
    ``first_vertex + i``; over several ranks, without ``gather``, that of ``own_vertices()[i]``."""

    source: int
    #: Of the search, on the slowest rank.
    seconds: float
    #: The number of vertices that were reached, the source included, of all ranks.
    reached: int
    #: The source is its own parent; -1 if a vertex was not reached.
    parents: NDArray[np.int64]
    #: The nearest source of each vertex, -1 if it was not reached; empty if there was one source.
    nearest: NDArray[np.int64]
    _facts: GraphFacts = field(kw_only=True)

    @typed
    def path(self, target: VertexLike) -> NDArray[np.int64]:
        """The vertices of a shortest path from the source to ``target``, both included; empty if there
        is none. In a reversed graph the path leads to the source."""
        if len(self.parents) != self._facts.vertex_count:
            raise InputError("path: this rank has only some of the parents; search with gather=True")
        end = self._facts.names.vertex("target", target)
        vertices = _core.path(self.parents, self._facts.first_vertex, end)
        return vertices[::-1] if self._facts.reversed else vertices

    def __repr__(self) -> str:
        return f"<wayfront.{type(self).__name__} from {self.source}: {self.reached} reached, {self.seconds:.3g} s>"


@dataclass(frozen=True, eq=False, repr=False)
class BfsResult(SearchResult):
    """The result of a breadth-first search."""

    #: The deepest level.
    depth: int
    #: The number of edges from the source; -1 if there is no path.
    levels: NDArray[np.int32]


@dataclass(frozen=True, eq=False, repr=False)
class ShortestPathsResult(SearchResult):
    """The result of a search for shortest paths."""

    #: int64, and exact, if weights are whole numbers or there are none; otherwise float64.
    distances: NDArray[np.int64] | NDArray[np.float64]

    @property
    def unreached(self) -> int | float:
        """The distance of a vertex that was not reached: 2**63 - 1, or infinity."""
        return np.inf if self.distances.dtype == np.float64 else int(np.iinfo(np.int64).max)


@dataclass(frozen=True, eq=False, repr=False)
class _DeviceResult:
    """What searches with a result in GPU memory return. Element i of the arrays is that of vertex
    ``first_vertex + i``."""

    source: int
    seconds: float
    #: The number of vertices that were reached, the source included.
    reached: int
    #: int64: the source is its own parent; -1 if a vertex was not reached.
    parents: DeviceArray

    def __repr__(self) -> str:
        return (f"<wayfront.{type(self).__name__} from {self.source} on GPU {self.parents.device}: {self.reached} reached, "
                f"{self.seconds:.3g} s>")


@dataclass(frozen=True, eq=False, repr=False)
class DeviceBfsResult(_DeviceResult):
    """The result of :meth:`Bfs.run_on_device`."""

    #: The deepest level.
    depth: int
    #: int32: the number of edges from the source; -1 if there is no path.
    levels: DeviceArray


@dataclass(frozen=True, eq=False, repr=False)
class DeviceShortestPathsResult(_DeviceResult):
    """The result of :meth:`ShortestPaths.run_on_device`."""

    #: As in :class:`ShortestPathsResult`: int64 or float64.
    distances: DeviceArray


def _require_place(name: str, array: Any, dtype: type, length: int) -> None:
    """Raises TypeError or InputError unless results can be written into the array."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"out: {name}: expected a NumPy array, found {type(array).__name__}")
    if array.dtype != dtype:
        raise TypeError(f"out: {name}: expected an array of {np.dtype(dtype).name}, found {array.dtype}")
    if array.shape != (length,):
        raise InputError(f"out: {name}: expected an array of shape {(length,)}, found {array.shape}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise InputError(f"out: {name}: expected an array in consecutive, aligned memory")
    if not array.flags.writeable:
        raise InputError(f"out: {name}: the array cannot be written")


def _own_places(out: Out | None, name: str, dtype: type, length: int) -> tuple[Any, Any]:
    """The arrays of this rank for levels or distances, and for parents."""
    if out is None:
        return None, None
    places = out if isinstance(out, tuple) else (out, None)
    if len(places) != 2:
        raise InputError(f"out: expected an array for {name}, or a pair of arrays for {name} and parents")
    values, parents = places
    if values is not None:
        _require_place(name, values, dtype, length)
    if parents is not None:
        _require_place("parents", parents, np.int64, length)
    if values is not None and parents is not None and np.may_share_memory(values, parents):
        raise InputError(f"out: the arrays for {name} and parents share memory")
    return values, parents


def _agreed_error(graph: Graph, own: Exception | None, agreed: InputError) -> Exception:
    """What this rank raises after ranks have agreed on an error: its own one, if that is of the class which all
    raise. That is TypeError if any rank has one. All ranks call it."""
    try:
        graph._core.agree_on_arrays(True, str(own) if isinstance(own, TypeError) else "")
    except InputError as error:
        return own if isinstance(own, TypeError) else TypeError(str(error))
    return own or agreed


def _places(graph: Graph, out: Out | None, name: str, dtype: type, gather: bool) -> tuple[Any, Any]:
    """The arrays for levels or distances, and for parents. If those of one rank do not suit, or only some ranks
    have arrays, all ranks raise an error. All ranks call it."""
    places, own = (None, None), None
    try:
        places = _own_places(out, name, dtype, _length(graph, gather))
    except (TypeError, InputError) as error:
        if graph.ranks == 1:
            raise
        own = error
    if graph.ranks > 1:
        try:
            graph._core.agree_on_arrays(out is not None, str(own or ""))
        except InputError as agreed:
            raise _agreed_error(graph, own, agreed) from None
    return places


def _bfs_result(facts: GraphFacts, found: tuple[Any, ...], places: tuple[Any, Any]) -> BfsResult:
    source, seconds, reached, parents, nearest, depth, levels = found
    return BfsResult(source, seconds, reached, parents if places[1] is None else places[1], nearest, depth,
                     levels if places[0] is None else places[0], _facts=facts)


def _paths_result(facts: GraphFacts, found: tuple[Any, ...], places: tuple[Any, Any]) -> ShortestPathsResult:
    source, seconds, reached, parents, nearest, distances = found
    return ShortestPathsResult(source, seconds, reached, parents if places[1] is None else places[1], nearest,
                               distances if places[0] is None else places[0], _facts=facts)


def _length(graph: Graph, gather: bool) -> int:
    """The elements of a result."""
    return graph.vertex_count if gather else graph._core.own_count


def _pairs_result(pairs: NDArray[np.int64], found: tuple[Any, ...], with_paths: bool) -> PairsResult:
    seconds, distances, offsets, vertices = found
    return PairsResult(pairs[:, 0], pairs[:, 1], distances, Paths(offsets, vertices) if with_paths else None, seconds)


Core = TypeVar("Core", _core.Bfs, _core.ShortestPaths)


class _Search(Generic[Core]):
    """A search that was prepared."""

    __slots__ = ("_core", "_graph", "_facts", "_gather")
    _core: Core
    _graph: Graph
    _facts: GraphFacts
    _gather: bool

    @typed
    def path(self, target: VertexLike) -> NDArray[np.int64]:
        """The vertices of a shortest path of the last search from its source to ``target``, both
        included; empty if there is none. All ranks call it."""
        return self._core.path(self._facts.names.vertex("target", target))

    @typed
    def write(self, path: str) -> None:
        """Writes the last result of all ranks to a file in the form of its extension: .txt, .csv,
        .npy or .json (docs/formats.md). All ranks call it."""
        self._core.write(path)

    @property
    def engine(self) -> dict[str, Any]:
        """What searches: "engine", and "transport", "device" and "grid"."""
        return self._core.engine


class Bfs(_Search[_core.Bfs]):
    """Breadth-first search of one graph, prepared once for any number of sources."""

    __slots__ = ()

    @typed
    def __init__(self, graph: GraphLike, **options: Unpack[BfsOptions]):
        self._graph = as_graph(graph)
        self._facts = facts_of(self._graph)
        made = fill(_core.BfsOptions(), options, _BFS_KEYWORDS, "bfs")
        self._core = _core.Bfs(self._graph._core, made)
        self._gather = made.gather

    @typed
    def run(self, source: VertexLike, *, out: Out | None = None) -> BfsResult:
        """Searches from ``source``, a vertex's number or name. Raises InputError if there is no such vertex.

        ``out`` is an array of int32 into which the levels are written, or a pair of it and an array of
        int64 for the parents; the result has these arrays then. Raises TypeError if they have other
        types, and InputError if they have another shape, are not contiguous, or cannot be written. All
        ranks pass ``out``, or none; all of them raise the error of one."""
        vertex = self._facts.names.vertex("source", source)
        places = _places(self._graph, out, "levels", np.int32, self._gather)
        return _bfs_result(self._facts, self._core.run(vertex, *places), places)

    @typed
    def run_on_device(self, source: VertexLike) -> DeviceBfsResult:
        """Searches from ``source`` with a result in GPU memory, in arrays of its own, which CuPy, PyTorch and others
        take without a copy. If the GPU searches, the result is not copied through host memory. Raises ResourceError if
        there is no GPU, and InputError on several ranks."""
        return DeviceBfsResult(*self._core.run_on_device(self._facts.names.vertex("source", source)))

    @staticmethod
    @typed
    def between(graph: GraphLike, pairs: ArrayLike, *, paths: bool = True, progress: Progress | None = None,
                **options: Unpack[BfsOptions]) -> PairsResult:
        """The numbers of edges, and with ``paths`` the paths, between pairs of vertices: rows of a source
        and a target. The graph is prepared once, and searches end when their pairs are found, if the
        options allow it. Raises InputError if there is no pair, or if a vertex does not exist."""
        made = fill(_core.BfsOptions(), options, _BFS_KEYWORDS, "Bfs.between")
        searched, callback = as_graph(graph), callback_of(progress)
        asked = pair_array(pairs, searched._names)
        return _pairs_result(asked, _core.bfs_between(searched._core, asked, paths, made, callback), paths)

    @typed
    def run_nearest(self, sources: ArrayLike) -> BfsResult:
        """Searches from all sources at once: levels are those from the nearest source, and of several
        at the same level the one with the smallest number. Raises InputError if there are none."""
        vertices = vertex_list("sources", sources, self._facts.names)
        return BfsResult(*self._core.run_nearest(vertices), _facts=self._facts)


class ShortestPaths(_Search[_core.ShortestPaths]):
    """Shortest paths in one graph, prepared once for any number of sources. Edges of a graph without
    weights have length 1."""

    __slots__ = ()

    @typed
    def __init__(self, graph: GraphLike, **options: Unpack[ShortestPathsOptions]):
        self._graph = as_graph(graph)
        self._facts = facts_of(self._graph)
        made = fill(_core.ShortestPathsOptions(), options, _PATHS_KEYWORDS, "shortest_paths")
        self._core = _core.ShortestPaths(self._graph._core, made)
        self._gather = made.gather

    @typed
    def run(self, source: VertexLike, *, out: Out | None = None) -> ShortestPathsResult:
        """Searches from ``source``. Raises InputError if there is no such vertex, NegativeCycleError if
        the source reaches a cycle of negative length, and ResourceError if a distance does not fit
        its type.

        ``out`` is an array of the type of the distances into which they are written, or a pair of it and
        an array of int64 for the parents, as in :meth:`Bfs.run`."""
        vertex = self._facts.names.vertex("source", source)
        places, arguments = _distance_places(self._graph, out, self._gather)
        return _paths_result(self._facts, self._core.run(vertex, *arguments), places)

    @typed
    def run_on_device(self, source: VertexLike) -> DeviceShortestPathsResult:
        """Searches from ``source`` with a result in GPU memory, as :meth:`Bfs.run_on_device`, with the errors of
        :meth:`run`."""
        return DeviceShortestPathsResult(*self._core.run_on_device(self._facts.names.vertex("source", source)))

    @staticmethod
    @typed
    def between(graph: GraphLike, pairs: ArrayLike, *, paths: bool = True, progress: Progress | None = None,
                **options: Unpack[ShortestPathsOptions]) -> PairsResult:
        """The distances, and with ``paths`` the shortest paths, between pairs of vertices, as
        :meth:`Bfs.between`. Raises NegativeCycleError if a source reaches a cycle of negative length."""
        made = fill(_core.ShortestPathsOptions(), options, _PATHS_KEYWORDS, "ShortestPaths.between")
        searched, callback = as_graph(graph), callback_of(progress)
        asked = pair_array(pairs, searched._names)
        found = _core.shortest_paths_between(searched._core, asked, paths, made, callback)
        return _pairs_result(asked, found, paths)

    @typed
    def run_nearest(self, sources: ArrayLike) -> ShortestPathsResult:
        """Searches from all sources at once, as :meth:`Bfs.run_nearest`, with the errors of
        :meth:`run`."""
        vertices = vertex_list("sources", sources, self._facts.names)
        return ShortestPathsResult(*self._core.run_nearest(vertices), _facts=self._facts)

    @property
    def algorithm(self) -> str:
        """The algorithm that searches, with its parameters, in words."""
        return self._core.algorithm


_SEARCH_KEYWORDS = tuple(SearchOptions.__annotations__)
_BFS_KEYWORDS = _SEARCH_KEYWORDS + tuple(BfsOptions.__annotations__)
_PATHS_KEYWORDS = _SEARCH_KEYWORDS + tuple(ShortestPathsOptions.__annotations__)


def _distance_places(graph: Graph, out: Out | None, gather: bool) -> tuple[tuple[Any, Any], tuple[Any, Any, Any]]:
    """The arrays for distances and parents, and the arguments of a search: the array for whole distances, that
    for others, and that for parents."""
    whole = graph._core.whole_distances
    places = _places(graph, out, "distances", np.int64 if whole else np.float64, gather)
    distances, parents = places
    return places, (distances, None, parents) if whole else (None, distances, parents)


@typed
def bfs(graph: GraphLike, source: VertexLike, *, out: Out | None = None, **options: Unpack[BfsOptions]) -> BfsResult:
    """One breadth-first search; ``out`` as in :meth:`Bfs.run`. For several searches of a graph, make a
    :class:`Bfs`."""
    made = fill(_core.BfsOptions(), options, _BFS_KEYWORDS, "bfs")
    searched = as_graph(graph)
    vertex = searched._names.vertex("source", source)
    places = _places(searched, out, "levels", np.int32, made.gather)
    return _bfs_result(facts_of(searched), _core.bfs(searched._core, made, vertex, *places), places)


@typed
def shortest_paths(graph: GraphLike, source: VertexLike, *, out: Out | None = None,
                   **options: Unpack[ShortestPathsOptions]) -> ShortestPathsResult:
    """Shortest paths from one source; ``out`` as in :meth:`ShortestPaths.run`. For several searches of a
    graph, make a :class:`ShortestPaths`, whose ``run`` has the errors."""
    made = fill(_core.ShortestPathsOptions(), options, _PATHS_KEYWORDS, "shortest_paths")
    searched = as_graph(graph)
    vertex = searched._names.vertex("source", source)
    places, arguments = _distance_places(searched, out, made.gather)
    return _paths_result(facts_of(searched), _core.shortest_paths(searched._core, made, vertex, *arguments), places)
