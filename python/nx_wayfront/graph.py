"""Graphs of NetworkX in the form that the library searches."""

from __future__ import annotations

import math
import threading
from collections.abc import Hashable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

import wayfront
from wayfront._graph import attribute_weights

from .searches import Search

#: Whole numbers up to this are doubles, in which some searches of all pairs return distances.
_EXACT = 2**53

#: Sums of floating-point weights up to this do not overflow.
_LARGEST_SUM = 1e307


class Arcs(NamedTuple):
    """Compressed sparse rows: vertex i has arcs to ``targets[offsets[i]:offsets[i + 1]]``, in the order of
    NetworkX's adjacency, parallel edges once. Undirected edges are there in both directions."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]

    def sources(self) -> NDArray[np.int32]:
        """The vertex at which each arc begins."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))

    def reversed(self) -> tuple[Arcs, NDArray[np.int64]]:
        """The arcs by their targets, those of a vertex in the order of their sources, and the position
        of each among the arcs."""
        offsets = np.zeros_like(self.offsets)
        np.cumsum(np.bincount(self.targets, minlength=len(offsets) - 1), out=offsets[1:])
        order = np.argsort(self.targets, kind="stable")
        return Arcs(offsets, self.sources()[order]), order


class Lengths(NamedTuple):
    """The lengths of arcs."""

    #: In the order of the arcs: int64 or float64. None if all of them are 1.
    values: NDArray[Any] | None
    whole: bool
    negative: bool
    #: Whether an edge has no weight.
    defaults: bool


_ONES = Lengths(None, whole=True, negative=False, defaults=True)


class Kind(NamedTuple):
    """What else NetworkX says of a graph."""

    directed: bool
    multigraph: bool
    edges: int
    attributes: dict[Hashable, Any]


class Graph:
    """A graph of NetworkX, converted: vertex i is its i-th node. It never changes."""

    __networkx_backend__ = "wayfront"

    def __init__(self, nodes: list[Hashable], arcs: Arcs, weights: dict[Hashable, Lengths], kind: Kind,
                 original: nx.Graph | None = None):
        self.nodes = nodes
        self.index = dict(zip(nodes, range(len(nodes))))
        self.arcs = arcs
        self.graph = kind.attributes
        self.original = original  # with all attributes, if they must be preserved
        self._kind = kind
        self._weights = weights
        self._numbered = all(type(node) is int for node in nodes) and nodes == list(range(len(nodes)))
        self._names = np.fromiter(nodes, dtype=object, count=len(nodes))
        self._made: dict[Any, Any] = {}  # what was made for searches, by one thread at a time
        self._lock = threading.RLock()
        self.__networkx_cache__: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.nodes, self.arcs, self._weights, self._kind, self.original)

    def is_directed(self) -> bool:
        return self._kind.directed

    def is_multigraph(self) -> bool:
        return self._kind.multigraph

    def number_of_edges(self) -> int:
        return self._kind.edges

    def number_of_nodes(self) -> int:
        return len(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        return self.find(node) is not None

    def __str__(self) -> str:
        name = self.graph.get("name", "")
        kind = ("Multi" if self.is_multigraph() else "") + ("DiGraph" if self.is_directed() else "Graph")
        return f"{kind}{f' named {name!r}' if name else ''} with {len(self)} nodes and {self._kind.edges} edges"

    @property
    def _adj(self) -> dict[Hashable, int]:
        """The nodes, at which NetworkX's nbunch_iter looks."""
        return self.index

    def nbunch_iter(self, nbunch: Any = None) -> Iterator[Hashable]:
        """As that of NetworkX's graphs."""
        nodes: Iterator[Hashable] = nx.Graph.nbunch_iter(self, nbunch)
        return nodes

    def find(self, node: Any) -> int | None:
        """The vertex of a node; None if there is none."""
        try:
            return self.index.get(node)
        except TypeError:  # unhashable
            return None

    def names(self, vertices: NDArray[Any]) -> list[Any]:
        """The nodes of vertices."""
        names: list[Any] = (vertices if self._numbered else self._names[vertices]).tolist()
        return names

    def has_lengths(self, weight: Hashable | None) -> bool:
        """Whether the attribute was converted."""
        return weight is None or weight in self._weights or self.original is not None

    def lengths(self, weight: Hashable | None) -> Lengths:
        """The lengths of the arcs by an attribute of edges, of which a missing one counts as 1."""
        if weight is None:
            return _ONES
        if not self.has_lengths(weight):
            raise NotImplementedError(f"the graph was converted without the attribute {weight!r} of its edges")
        if weight not in self._weights:
            self._weights[weight] = _lengths(self.original, weight)
        return self._weights[weight]

    def require_no_negative_lengths(self, weight: Hashable | None) -> None:
        if self.lengths(weight).negative:
            raise NotImplementedError("a weight is negative: what Dijkstra's algorithm returns then, NetworkX decides")

    def arcs_followed(self, weight: Hashable | None, reverse: bool) -> tuple[Arcs, NDArray[Any] | None]:
        """The arcs and their lengths, or those from targets to sources."""
        values = self.lengths(weight).values
        if not reverse or not self.is_directed():
            return self.arcs, values
        arcs, order = self._once("reversed", self.arcs.reversed)
        return arcs, None if values is None else values[order]

    def library(self, weight: Hashable | None = None, *, reverse: bool = False) -> wayfront.Graph:
        """The graph of the library. With ``reverse``, distances are those to a source."""
        values = self.lengths(weight).values
        reverse = reverse and self.is_directed()

        def make() -> wayfront.Graph:
            if self.is_directed():
                return wayfront.Graph.from_csr(*self.arcs, values, direction="reversed" if reverse else "directed")
            sources, targets = self.arcs.sources(), self.arcs.targets
            once = sources <= targets
            return wayfront.Graph.from_edges(len(self), sources[once], targets[once],
                                             None if values is None else values[once], direction="undirected")

        library: wayfront.Graph = self._once(("library", self._attribute(weight), reverse), make)
        return library

    def limit(self, weight: Hashable | None, cutoff: float | None) -> float | None:
        """The largest distance that a cutoff lets pass, in the type of distances; None if it lets all pass."""
        if cutoff is None or cutoff == math.inf:
            return None
        if not cutoff >= 0:
            raise NotImplementedError("the cutoff is negative or not a number")
        lengths = self.lengths(weight)
        if lengths.values is None:
            return min(math.floor(cutoff), len(self))
        return math.floor(cutoff) if lengths.whole else float(cutoff)

    def search(self, weight: Hashable | None = None, *, reverse: bool = False,
               limit: float | None = None) -> Search:
        """Prepared for any number of sources. ``limit``: the largest distance; one that was used before
        is prepared again if another one was used in between."""
        reverse = reverse and self.is_directed()
        limit = self.limit(weight, limit)

        def make() -> tuple[float | None, Search]:
            return limit, Search(self.library(weight, reverse=reverse), self.lengths(weight), limit)

        key = ("search", self._attribute(weight), reverse, limit is None)
        with self._lock:
            if key in self._made and self._made[key][0] != limit:
                del self._made[key]
            search: Search = self._once(key, make)[1]
        return search

    def _attribute(self, weight: Hashable | None) -> tuple[Hashable, ...]:
        """The attribute that distinguishes lengths; empty if all of them are 1."""
        return () if self.lengths(weight).values is None else (weight,)

    def _once(self, key: Any, make: Any) -> Any:
        with self._lock:
            if key not in self._made:
                self._made[key] = make()
            return self._made[key]


class _Missing(int):
    """The weight of an edge that has none."""


_MISSING = _Missing(1)


def _attributes(graph: nx.Graph, name: Hashable) -> list[Any]:
    """The attribute of each arc; of parallel edges the smallest."""
    rows = graph._adj.values()
    if graph.is_multigraph():
        try:
            return [min(data.get(name, _MISSING) for data in edges.values()) for row in rows for edges in row.values()]
        except TypeError as error:
            raise NotImplementedError(f"weights of parallel edges cannot be compared: {error}") from None
    return [data.get(name, _MISSING) for row in rows for data in row.values()]


def _lengths(graph: nx.Graph, name: Hashable) -> Lengths:
    """Raises NotImplementedError with the reason if the library cannot add the weights."""
    given = _attributes(graph, name)
    types = set(map(type, given))
    if type(None) in types:
        raise NotImplementedError("an edge is hidden: its weight is None")
    defaults = _Missing in types
    if defaults:
        given = [1 if weight is _MISSING else weight for weight in given]
    try:
        values = attribute_weights(given)
    except (TypeError, wayfront.InputError) as error:
        raise NotImplementedError(str(error)) from None
    whole = values.dtype.kind == "i"
    if len(values) == 0 or (whole and values.min() == values.max() == 1):
        return _ONES._replace(defaults=defaults)
    if not whole and not np.isfinite(values).all():
        raise NotImplementedError("a weight is infinite or not a number")
    largest = max(abs(values.max().item()), abs(values.min().item()))
    if largest * len(graph) >= (_EXACT if whole else _LARGEST_SUM):
        raise NotImplementedError(f"sums of weights may exceed {'2**53' if whole else _LARGEST_SUM}")
    return Lengths(values, whole, bool(values.min() < 0), defaults)


def _arcs(graph: nx.Graph, index: dict[Hashable, int]) -> Arcs:
    rows = graph._adj.values()
    if _is_view(graph):  # the length of a row may count hidden edges
        rows = list(map(list, rows))
    offsets = np.zeros(len(index) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, rows), dtype=np.int64, count=len(index)), out=offsets[1:])
    targets = np.fromiter(map(index.__getitem__, chain.from_iterable(rows)), dtype=np.int32, count=int(offsets[-1]))
    return Arcs(offsets, targets)


def _is_view(graph: nx.Graph) -> bool:
    return hasattr(graph, "_graph") or not isinstance(graph._adj, dict)


def _joins_directions(graph: nx.Graph) -> bool:
    """Whether it is an undirected view of a directed graph, in which an edge may have other attributes seen from its
    other end."""
    seen = graph
    while hasattr(seen, "_graph"):
        seen = seen._graph
    return bool(seen.is_directed()) and not graph.is_directed()


def _require_same_from_both_ends(graph: nx.Graph, arcs: Arcs, weights: Iterable[Lengths], all_attributes: bool) -> None:
    if not _joins_directions(graph):
        return
    count = len(arcs.offsets) - 1
    sources, targets = arcs.sources().astype(np.int64), arcs.targets
    arc, back = np.argsort(sources * count + targets), np.argsort(targets * np.int64(count) + sources)
    for lengths in weights:
        if lengths.values is not None and (lengths.values[arc] != lengths.values[back]).any():
            raise NotImplementedError("an edge of an undirected view has another weight from its other end")
    if all_attributes and any(data != graph._adj[v][u] for u, row in graph._adj.items() for v, data in row.items()):
        raise NotImplementedError("an edge of an undirected view has other attributes from its other end")


def _edge_count(graph: nx.Graph, arcs: Arcs) -> int:
    """NetworkX counts slowly."""
    return int(graph.number_of_edges()) if graph.is_multigraph() else _edges_of(arcs, graph.is_directed())


def _edges_of(arcs: Arcs, directed: bool) -> int:
    """Parallel edges once."""
    if directed:
        return len(arcs.targets)
    return (len(arcs.targets) + int(np.count_nonzero(arcs.sources() == arcs.targets))) // 2


def convert_from_nx(graph: nx.Graph, edge_attrs: dict[Hashable, Any] | None = None,
                    preserve_edge_attrs: bool = False, preserve_node_attrs: bool = False, **_: Any) -> Graph:
    """The graph with the attributes of edges that ``edge_attrs`` names, or with all attributes.

    Raises NotImplementedError with the reason if the library cannot search it.
    """
    if _is_view(graph):
        # The methods of the graph behind it clear that graph's cache of conversions, not this one.
        graph.__networkx_cache__ = None
    nodes = list(graph)
    if len(nodes) > np.iinfo(np.int32).max:
        raise NotImplementedError("there are more than 2**31 - 1 nodes")
    arcs = _arcs(graph, dict(zip(nodes, range(len(nodes)))))
    kind = Kind(graph.is_directed(), graph.is_multigraph(), _edge_count(graph, arcs), dict(graph.graph))
    weights = {name: _lengths(graph, name) for name in edge_attrs or ()}
    _require_same_from_both_ends(graph, arcs, weights.values(), preserve_edge_attrs)
    original = graph.copy() if preserve_edge_attrs or preserve_node_attrs else None
    return Graph(nodes, arcs, weights, kind, original)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """The NetworkX graph of a converted one, without attributes that it does not have; other results as
    they are."""
    if not isinstance(result, Graph):
        return result
    if result.original is not None:
        return result.original.copy()
    kinds = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph,
             (True, True): nx.MultiDiGraph}
    if result.is_multigraph() and result.number_of_edges() > _edges_of(result.arcs, result.is_directed()):
        raise NotImplementedError("the graph was converted without its parallel edges")
    made = kinds[result.is_directed(), result.is_multigraph()]()
    made.graph.update(result.graph)
    made.add_nodes_from(result.nodes)
    sources, targets = result.arcs.sources(), result.arcs.targets
    once = slice(None) if result.is_directed() else sources <= targets
    ends = list(zip(result.names(sources[once]), result.names(targets[once])))
    made.add_edges_from(ends)
    for name, lengths in result._weights.items():
        values = [1] * len(ends) if lengths.values is None else lengths.values[once].tolist()
        edges = [(u, v, 0) for u, v in ends] if result.is_multigraph() else ends
        nx.set_edge_attributes(made, dict(zip(edges, values)), name)
    return made
