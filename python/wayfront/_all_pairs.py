"""The distances between all pairs of vertices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arguments import typed
from ._errors import InputError
from ._graph import Graph, GraphFacts, GraphLike, as_graph, facts_of, fill, vertex_list
from ._names import NO_NAMES, Names, VertexLike
from ._progress import Progress, ProgressCallback, callback_of


class AllPairsOptions(TypedDict, total=False):
    """Keywords of :func:`all_pairs` and :class:`AllPairs`."""

    #: A name that ``wayfront apsp --algorithm`` knows, such as ``"floyd-warshall"``.
    algorithm: str
    #: The type of distances. ``"auto"``: the smallest of uint16, int32 and float64 that surely holds
    #: those of whole weights, float32 for weights of 32 bits, and float64 for those of 64.
    type: Literal["auto", "uint16", "int32", "float32", "float64"]
    engine: Literal["auto", "cpu", "gpu"]
    #: The vertices whose rows are wanted; by default all.
    sources: Sequence[VertexLike] | NDArray[np.integer] | None
    #: The vertices whose columns are wanted, in this order; by default all.
    targets: Sequence[VertexLike] | NDArray[np.integer] | None
    #: Rows have predecessors, too.
    predecessors: bool
    #: Check every row against all edges.
    validate: bool
    #: Gets the progress of all functions that compute something, on the first rank: it is called as
    #: ``progress(step, done, total)``, or is a bar of tqdm. What it raises ends the work.
    progress: Progress | None


@dataclass(frozen=True, eq=False, repr=False)
class DistanceMatrix:
    """Rows of distances: of one rank all that are wanted, of one of several ranks its share."""

    #: The vertices of the rows and of the columns.
    sources: NDArray[np.int64]
    columns: NDArray[np.int64]
    #: len(sources) x len(columns).
    distances: NDArray[Any]
    #: The same shape, int32: -1 if there is no path, and a source is its own predecessor. None
    #: unless wanted.
    predecessors: NDArray[np.int32] | None
    _graph: GraphFacts

    @property
    def unreached(self) -> int | float:
        """The distance between vertices without a path: 65535, 2**31 - 1, or infinity."""
        type_ = self.distances.dtype
        return np.inf if type_.kind == "f" else int(np.iinfo(type_).max)

    @typed
    def path(self, source: VertexLike, target: VertexLike) -> NDArray[np.int64]:
        """The vertices of a shortest path, both ends included; empty if there is none."""
        if self.predecessors is None or len(self.columns) != self._graph.vertex_count:
            raise InputError("path: the rows need predecessors of all vertices (predecessors=True, no targets)")
        start = self._graph.names.vertex("source", source)
        end = self._graph.names.vertex("target", target)
        rows = np.flatnonzero(self.sources == start)
        if len(rows) == 0:
            raise InputError(f"path: there is no row of vertex {source}")
        row = self.predecessors[rows[0]].astype(np.int64)
        vertices = _core.path(row, self._graph.first_vertex, end)
        return vertices[::-1] if self._graph.reversed else vertices

    def __repr__(self) -> str:
        return f"<wayfront.DistanceMatrix {len(self.sources)} x {len(self.columns)}, {self.distances.dtype}>"


@dataclass(frozen=True, eq=False)
class AllPairsSummary:
    """Figures of all pairs of a source and another vertex that it reaches."""

    reachable_pairs: int
    #: Of the distances; 0 without pairs.
    average: float
    #: The largest eccentricity.
    diameter: float
    #: The smallest eccentricity of a source that reaches a vertex.
    radius: float
    #: By position among the sources: vertices that are reached, without the source.
    reached: NDArray[np.int64]
    #: The largest distances; 0 if no vertex is reached.
    eccentricities: NDArray[np.float64]
    #: Outward, as ``wayfront apsp --summary`` defines it; NaN if it is not defined.
    closeness: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class VertexFigures(AllPairsSummary):
    """The summary with the figures of each source that ``wayfront apsp --vertices`` writes, by position
    among the sources."""

    #: int64, and exact, if weights are whole numbers or there are none.
    distance_sums: NDArray[np.int64] | NDArray[np.float64]
    #: The sums of the reciprocals of the distances other than 0; NaN if not defined.
    harmonic_closeness: NDArray[np.float64]
    #: The mean reciprocal of the distances of all ordered pairs of vertices, 0 for a pair without a
    #: path. NaN if not defined, or if there are sources.
    global_efficiency: float


@dataclass(frozen=True, eq=False, repr=False)
class RowsWithin:
    """The vertices at distances up to a limit from some sources, as compressed sparse rows: row i has
    the elements ``offsets[i]`` to ``offsets[i + 1] - 1``."""

    #: The vertices of the rows.
    sources: NDArray[np.int64]
    offsets: NDArray[np.int64]
    #: Ascending in each row. The source is among them, at distance 0.
    targets: NDArray[np.int64]
    distances: NDArray[Any]

    def __repr__(self) -> str:
        return f"<wayfront.RowsWithin {len(self.sources)} rows, {len(self.targets)} pairs>"


def made_options(options: AllPairsOptions, function: str,
                 names: Names = NO_NAMES) -> tuple[_core.AllPairsOptions, ProgressCallback | None]:
    """The options of the library, and the function that gets the progress."""
    given: dict[str, Any] = {name: value for name, value in options.items()
                             if value is not None or name not in ("sources", "targets")}
    progress = callback_of(given.pop("progress", None))
    for name in ("sources", "targets"):
        if name in given:
            given[name] = vertex_list(name, given[name], names)
    made: _core.AllPairsOptions = fill(_core.AllPairsOptions(), given, AllPairsOptions.__annotations__, function)
    return made, progress


class AllPairs:
    """All pairs of one graph, prepared. Every rank keeps the whole graph, and makes its share of the
    rows. Raises NegativeCycleError if there is a cycle of negative length."""

    __slots__ = ("_core", "_graph")

    @typed
    def __init__(self, graph: GraphLike, **options: Unpack[AllPairsOptions]):
        self._graph = as_graph(graph)
        made, progress = made_options(options, "all_pairs", self._graph._names)
        self._core = _core.AllPairs(self._graph._core, made, progress)

    @property
    def sources(self) -> NDArray[np.int64]:
        """The vertices of the rows of all ranks."""
        return self._core.sources

    @property
    def columns(self) -> NDArray[np.int64]:
        """The vertices of the columns: the targets, or all."""
        return self._core.columns

    def matrix(self) -> DistanceMatrix:
        """Computes all rows, and keeps those of this rank in memory. All ranks call it. On one rank,
        Ctrl-C ends the work after the batch of rows that is being computed."""
        positions, distances, predecessors = self._core.matrix(False)
        order = np.arange(len(positions)) if np.all(np.diff(positions) > 0) else np.argsort(positions)
        if not np.array_equal(order, np.arange(len(order))):
            positions, distances = positions[order], distances[order]
            predecessors = None if predecessors is None else predecessors[order]
        return DistanceMatrix(self.sources[positions], self.columns, distances, predecessors, facts_of(self._graph))

    @typed
    def rows(self, take: Callable[[DistanceMatrix], Any]) -> None:
        """Computes all rows, and passes each once, on one of the ranks, in batches and in any order, so
        that the matrix is never in memory. What ``take`` raises ends the work; it may search other graphs,
        and a search of this one raises a RuntimeError."""
        sources, columns, facts = self.sources, self.columns, facts_of(self._graph)

        def receive(positions: NDArray[np.int64], distances: NDArray[Any],
                    predecessors: NDArray[np.int32] | None) -> None:
            take(DistanceMatrix(sources[positions], columns, distances, predecessors, facts))

        self._core.rows(receive)

    def summary(self) -> AllPairsSummary:
        """Figures of all pairs, without rows if the method can. Raises InputError if there are targets.
        All ranks call it."""
        return AllPairsSummary(**self._core.summary())

    def diameter(self) -> float:
        """The diameter of the summary. In undirected graphs, if all vertices are sources and lengths are whole
        and not negative, it takes a few searches only. Raises InputError as :meth:`summary`. All ranks
        call it."""
        return self._core.diameter()

    def vertex_figures(self) -> VertexFigures:
        """Figures of each source, without keeping the rows. Raises InputError as :meth:`summary`, and if
        the whole distances of a source add up to more than 64 bits hold. All ranks call it."""
        return VertexFigures(**self._core.vertex_figures())

    @typed
    def within(self, limit: float) -> RowsWithin:
        """The vertices at distances up to ``limit`` from each of this rank's sources, by searches that
        end there. Raises InputError if the limit is negative or not finite, weights are negative, or
        there are targets. All ranks call it."""
        first, offsets, targets, distances = self._core.within(limit)
        return RowsWithin(self.sources[first:first + len(offsets) - 1], offsets, targets, distances)

    @typed
    def write(self, distances: str, predecessors: str = "") -> None:
        """Writes the rows of all ranks to files in the form of their extensions: .npy, .raw or .csv
        (docs/formats.md). All ranks call it."""
        self._core.write(distances, predecessors)

    @property
    def algorithm(self) -> str:
        """The algorithm of the last call, with its reason, in words; empty before the first one."""
        return self._core.algorithm


@typed
def all_pairs(graph: GraphLike, **options: Unpack[AllPairsOptions]) -> DistanceMatrix:
    """The distances from all vertices, or from ``sources``, to all vertices, or to ``targets``. For a
    summary, or for rows that do not fit into memory, make an :class:`AllPairs`."""
    return AllPairs(graph, **options).matrix()
