"""Searches from one source or several, and what is made of them for NetworkX: dictionaries, paths and
predecessors."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import wayfront
from wayfront import _core

if TYPE_CHECKING:
    from .graph import Graph, Lengths


class Found(NamedTuple):
    """The result of a search."""

    #: By vertex: int32, int64 or float64. Only those of ``order`` mean something.
    distances: NDArray[Any]
    #: By vertex: a source is its own parent, -1 without a path.
    parents: NDArray[np.int64]
    #: The vertices that were reached, by ascending distance.
    order: NDArray[Any]


class Search:
    """A prepared search of the library: breadth-first if all lengths are 1. For negative ones, its parents
    are the smallest, for others queue_order makes those of NetworkX."""

    def __init__(self, library: wayfront.Graph, lengths: Lengths, limit: float | None):
        self._search: wayfront.Bfs | wayfront.ShortestPaths
        if lengths.values is None:
            self._search = wayfront.Bfs(library, cutoff=None if limit is None else int(limit))
        else:
            self._search = wayfront.ShortestPaths(library, deterministic=lengths.negative, cutoff=limit)

    def run(self, source: int) -> Found:
        """Raises wayfront.NegativeCycleError if the source reaches a cycle of negative length."""
        return _found(self._search.run(source))

    def run_nearest(self, sources: list[int]) -> Found:
        """Distances from the nearest source."""
        return _found(self._search.run_nearest(sources))


def _found(result: wayfront.BfsResult | wayfront.ShortestPathsResult) -> Found:
    if isinstance(result, wayfront.BfsResult):
        return Found(result.levels, result.parents, _core.level_order(result.levels))
    return Found(result.distances, result.parents, by_distance(result.distances, result.unreached))


def by_distance(distances: NDArray[Any], unreached: float) -> NDArray[np.int64]:
    """The positions of distances in ascending order, without those that are not reached."""
    order = np.argsort(distances, kind="stable")
    return order[:np.count_nonzero(distances != unreached)]


def queue_order(G: Graph, weight: Hashable | None, found: Found, sources: list[int], reverse: bool = False) -> Found:
    """The vertices of a search in the order in which NetworkX visits them, with the tree of this order.
    Its searches have one queue. Negative lengths have no such order: they keep the library's tree."""
    if G.lengths(weight).negative:
        return found
    arcs, lengths = G.arcs_followed(weight, reverse)
    order, parents = _core.queue_order(_core.SearchRows(*arcs), lengths, found.distances,
                                       found.order.astype(np.int64, copy=False), np.array(sources, dtype=np.int64))
    return Found(found.distances, parents, order)


def length_dict(G: Graph, found: Found, sources: list[int]) -> dict[Any, Any]:
    """The distances by their nodes, in ascending order; that of a source is the whole number 0."""
    lengths = dict(zip(G.names(found.order), found.distances[found.order].tolist()))
    if found.distances.dtype.kind == "f":
        lengths.update((G.nodes[source], 0) for source in sources if lengths[G.nodes[source]] == 0)
    return lengths


class Paths(Mapping[Any, list[Any]]):
    """The paths of a search by the nodes that it reached, each made when it is asked for. It compares
    equal to a dictionary of the same paths, and is one after copy or pickle."""

    __slots__ = ("_backwards", "_graph", "found")

    def __init__(self, G: Graph, found: Found, backwards: bool = False):
        self._graph = G
        self.found = found
        self._backwards = backwards  # from the nodes to the source

    def __getitem__(self, node: Hashable) -> list[Any]:
        vertex = self._graph.index[node]
        vertices = _core.path(self.found.parents, 0, vertex)
        if len(vertices) == 0:
            raise KeyError(node)
        return self._graph.names(vertices[::-1] if self._backwards else vertices)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._graph.names(self.found.order))

    def __len__(self) -> int:
        return len(self.found.order)

    def __contains__(self, node: object) -> bool:
        vertex = self._graph.index.get(node)
        return vertex is not None and bool(self.found.parents[vertex] >= 0)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def copy(self) -> dict[Any, list[Any]]:
        return dict(self)


class Predecessors:
    """All predecessors on shortest paths: the arcs whose length is the difference of the distances of
    their ends."""

    def __init__(self, G: Graph, weight: Hashable | None, found: Found):
        position = np.full(len(G), -1, dtype=np.int64)
        position[found.order] = np.arange(len(found.order))
        sources, targets, values = G.arcs.sources(), G.arcs.targets, G.lengths(weight).values
        kept = position[sources] >= 0
        sources, targets = sources[kept], targets[kept]
        lengths = 1 if values is None else values[kept]
        tight = found.distances[sources] + lengths == found.distances[targets]
        sources, targets = sources[tight], targets[tight]
        order = np.lexsort((position[sources], targets))
        self._sources = sources[order]
        self._offsets = np.searchsorted(targets[order], np.arange(len(G) + 1))
        self._graph = G
        self.found = found

    def of(self, vertex: int) -> list[int]:
        """The predecessors of a vertex, in the order of the search."""
        vertices: list[int] = self._sources[self._offsets[vertex]:self._offsets[vertex + 1]].tolist()
        return vertices

    def dict(self) -> dict[Any, list[Any]]:
        """Those of each node that was reached."""
        names, offsets = self._graph.names(self._sources), self._offsets.tolist()
        order = self.found.order
        return {node: names[offsets[v]:offsets[v + 1]] for node, v in zip(self._graph.names(order), order.tolist())}

    def paths(self, source: int, target: int) -> Iterator[list[Any]]:
        """All paths from the source to the target, each without a vertex twice."""
        nodes = self._graph.nodes
        if target == source:
            yield [nodes[target]]
            return
        path, rest, seen = [target], [iter(self.of(target))], {target}
        while path:
            vertex = next(rest[-1], None)
            if vertex is None:
                seen.discard(path.pop())
                rest.pop()
            elif vertex == source:
                yield [nodes[v] for v in (vertex, *reversed(path))]
            elif vertex not in seen:
                path.append(vertex)
                seen.add(vertex)
                rest.append(iter(self.of(vertex)))
