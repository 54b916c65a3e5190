"""What the functions of the backend share: their table, checks of nodes, and rows of all pairs."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

import networkx as nx
import numpy as np

import wayfront

from .graph import Graph, convert_to_nx
from .searches import Found, Paths, by_distance, length_dict, queue_order

F = TypeVar("F", bound=Callable[..., Any])

#: The functions by their names, and what each does: "pair" (one path), "search" (from one source),
#: "searches" (from many).
SERVED: dict[str, Any] = {}
WORK: dict[str, str] = {}

#: A chunk of rows of all pairs takes about this.
_CHUNK_BYTES = 64 << 20

#: Rows of all pairs, prepared for a chunk, are worth it from this number on.
_LEAST_CHUNK = 16


def serves(work: str, name: str | None = None) -> Callable[[F], F]:
    """Adds a function to the table, by NetworkX's name if it has another one. If the library lacks memory or another
    resource, NetworkX answers."""

    def add(function: F) -> F:
        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            try:
                return function(*arguments, **keywords)
            except wayfront.ResourceError as error:
                raise NotImplementedError(str(error)) from error

        SERVED[name or function.__name__] = call
        WORK[name or function.__name__] = work
        return call  # type: ignore[return-value]

    return add


def not_of_null_graphs(function: F) -> F:
    """Leaves graphs without nodes to NetworkX's own function, since its versions differ in what they do."""

    @functools.wraps(function)
    def call(G: Graph, *arguments: Any, **keywords: Any) -> Any:
        if len(G) == 0:
            return getattr(nx, function.__name__).orig_func(convert_to_nx(G), *arguments, **keywords)
        return function(G, *arguments, **keywords)

    return call  # type: ignore[return-value]


def require(G: Graph, node: Any, message: str) -> int:
    """The vertex of a node. Raises NodeNotFound with the message if there is none."""
    vertex = G.find(node)
    if vertex is None:
        raise nx.NodeNotFound(message)
    return vertex


def levels_within(cutoff: float | None) -> float | None:
    """The deepest level of a search that goes on while a level is below the cutoff."""
    if cutoff is None or cutoff == math.inf:
        return None
    return math.ceil(cutoff) if math.isfinite(cutoff) else cutoff  # which Graph.limit() refuses


def tree_of(G: Graph, weight: Hashable | None, source: int, limit: float | None = None, *,
            reverse: bool = False) -> Found:
    """A search with NetworkX's order and tree."""
    found = unbounded(G.search(weight, limit=limit, reverse=reverse).run, source)
    return queue_order(G, weight, found, [source], reverse)


def unbounded(search: Callable[..., Any], *arguments: Any) -> Any:
    """What a search returns. Raises NetworkX's exception if it reaches a cycle of negative length."""
    try:
        return search(*arguments)
    except wayfront.NegativeCycleError:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from None


def path_rows(G: Graph, weight: Hashable | None = None, cutoff: float | None = None) -> Iterator[tuple[int, Paths]]:
    """The paths from each vertex, one search after the other."""
    limit = G.limit(weight, cutoff)
    return ((source, Paths(G, tree_of(G, weight, source, limit))) for source in range(len(G)))


def length_rows(G: Graph, weight: Hashable | None = None,
                cutoff: float | None = None) -> Iterator[tuple[int, dict[Any, Any]]]:
    """The distances from each vertex, in chunks of rows."""
    limit = G.limit(weight, cutoff)
    chunk = _CHUNK_BYTES // (4 * max(len(G), 1))
    rows = _one_by_one(G, weight, limit) if G.lengths(weight).negative or chunk < _LEAST_CHUNK else (
        row for first in range(0, len(G), chunk)
        for row in _chunk(G, weight, range(first, min(first + chunk, len(G))), limit))
    return ((source, length_dict(G, found, [source])) for source, found in enumerate(rows))


def _one_by_one(G: Graph, weight: Hashable | None, limit: float | None) -> Iterator[Found]:
    search = G.search(weight, limit=limit)
    for source in range(len(G)):
        yield unbounded(search.run, source)


def _chunk(G: Graph, weight: Hashable | None, sources: range, limit: float | None) -> Iterator[Found]:
    """Distances from each source, without parents."""
    pairs = wayfront.AllPairs(G.library(weight), sources=sources)
    none = np.empty(0, dtype=np.int64)
    whole = G.lengths(weight).whole
    if limit is None:
        matrix = pairs.matrix()
        for row in matrix.distances:
            order = by_distance(row, matrix.unreached)
            yield Found(_integers(row, order) if whole else row, none, order)
        return
    rows = pairs.within(limit)
    distances = np.empty(len(G), dtype=np.int64 if whole else np.float64)
    for begin, end in zip(rows.offsets[:-1], rows.offsets[1:]):
        targets = rows.targets[begin:end]
        distances[targets] = rows.distances[begin:end]
        yield Found(distances, none, targets[np.argsort(rows.distances[begin:end], kind="stable")])


def _integers(row: Any, order: Any) -> Any:
    """A row of whole numbers, which may be stored as floating-point ones."""
    if row.dtype.kind != "f":
        return row
    numbers = np.zeros(len(row), dtype=np.int64)
    numbers[order] = row[order]
    return numbers
