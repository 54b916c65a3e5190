"""Breadth-first searches in NetworkX's order, and what one search says of the parts of a graph."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms.traversal.breadth_first_search import FORWARD_EDGE, LEVEL_EDGE, REVERSE_EDGE, TREE_EDGE

from .functions import levels_within, serves, tree_of
from .graph import Graph
from .measures import connected
from .searches import Found, queue_order

Edge = tuple[Any, Any]


def _edges(G: Graph, source: Any, depth_limit: float | None, reverse: bool = False) -> Iterator[Edge]:
    vertex = G.find(source)
    if vertex is None:
        raise nx.NetworkXError(f"The node {source} is not in the {'digraph' if G.is_directed() else 'graph'}.")
    if depth_limit is not None and depth_limit <= 0:
        return
    found = tree_of(G, None, vertex, levels_within(depth_limit), reverse=reverse)
    children = found.order[1:]
    yield from zip(G.names(found.parents[children]), G.names(children))


@serves("search")
def bfs_edges(G: Graph, source: Any, reverse: bool = False, depth_limit: float | None = None,
              sort_neighbors: None = None) -> Iterator[Edge]:
    return _edges(G, source, depth_limit, reverse)


@serves("search")
def generic_bfs_edges(G: Graph, source: Any, neighbors: None = None,
                      depth_limit: float | None = None) -> Iterator[Edge]:
    return _edges(G, source, depth_limit)


@serves("search")
def bfs_tree(G: Graph, source: Any, reverse: bool = False, depth_limit: float | None = None,
             sort_neighbors: None = None) -> nx.DiGraph:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(_edges(G, source, depth_limit, reverse))
    return tree


def _warnings_of_predecessors() -> list[warnings.WarningMessage]:
    """The warnings of NetworkX's bfs_predecessors, which is deprecated since NetworkX 3.7."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(nx.bfs_predecessors.orig_func(nx.empty_graph(1), 0))
    return caught


_WARNINGS = _warnings_of_predecessors()


@serves("search")
def bfs_predecessors(G: Graph, source: Any, depth_limit: float | None = None,
                     sort_neighbors: None = None) -> Iterator[Edge]:
    def predecessors() -> Iterator[Edge]:
        for warning in _WARNINGS:
            warnings.warn(warning.message, warning.category, stacklevel=2)
        for parent, child in _edges(G, source, depth_limit):
            yield child, parent

    return predecessors()


@serves("search")
def bfs_successors(G: Graph, source: Any, depth_limit: float | None = None,
                   sort_neighbors: None = None) -> Iterator[tuple[Any, list[Any]]]:
    def successors() -> Iterator[tuple[Any, list[Any]]]:
        alone = True
        for parent, edges in groupby(_edges(G, source, depth_limit), key=itemgetter(0)):
            if alone and parent != source:
                yield source, []
            alone = False
            yield parent, [child for _, child in edges]
        if alone:
            yield source, []

    return successors()


def _given(G: Graph, sources: Any) -> list[Any]:
    return [sources] if sources in G else list(sources)


def _search(G: Graph, vertices: list[int]) -> Found:
    found = G.search().run(vertices[0]) if len(vertices) == 1 else G.search().run_nearest(vertices)
    return queue_order(G, None, found, vertices)


def _layers(G: Graph, sources: Any) -> Iterator[list[Any]]:
    vertices = []
    for source in set(_given(G, sources)):
        vertex = G.find(source)
        if vertex is None:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
        vertices.append(vertex)
    if not vertices:
        return
    found = _search(G, vertices)
    begins = np.flatnonzero(np.diff(found.distances[found.order])) + 1
    for layer in np.split(found.order, begins):
        yield G.names(layer)


@serves("search")
def bfs_layers(G: Graph, sources: Any) -> Iterator[list[Any]]:
    return _layers(G, sources)


@serves("search")
def descendants_at_distance(G: Graph, source: Any, distance: Any) -> set[Any]:
    vertex = G.find(source)
    if vertex is None:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    found = G.search().run(vertex)
    return set(G.names(found.order[found.distances[found.order] == distance]))


#: The kinds of arcs, by NetworkX's objects: its functions compare them by `is`.
_KINDS = (TREE_EDGE, FORWARD_EDGE, LEVEL_EDGE, REVERSE_EDGE)
_TREE, _FORWARD, _LEVEL, _REVERSE = range(4)


def _labels(G: Graph, found: Found) -> Iterator[tuple[Any, Any, str]]:
    """The arcs of the queue's vertices, each with its kind."""
    position = np.full(len(G), -1, dtype=np.int64)
    position[found.order] = np.arange(len(found.order))
    sources, targets = G.arcs.sources(), G.arcs.targets
    kept = np.flatnonzero(position[sources] >= 0)
    kept = kept[np.argsort(position[sources[kept]], kind="stable")]
    sources, targets = sources[kept], targets[kept]
    step = found.distances[targets] - found.distances[sources]
    kinds = np.select([step > 0, step == 0], [_FORWARD, _LEVEL], _REVERSE)
    kinds[(found.parents[targets] == sources) & (step > 0)] = _TREE
    if not G.is_directed():
        once = (step > 0) | ((step == 0) & (position[targets] >= position[sources]))
        sources, targets, kinds = sources[once], targets[once], kinds[once]
    return zip(G.names(sources), G.names(targets), map(_KINDS.__getitem__, kinds.tolist()))


@serves("search")
def bfs_labeled_edges(G: Graph, sources: Any) -> Iterator[tuple[Any, Any, str]]:
    given = dict.fromkeys(_given(G, sources))
    if not all(source in G for source in given):
        raise NotImplementedError("a source is not in the graph")
    vertices = [G.index[source] for source in given]
    return _labels(G, _search(G, vertices)) if vertices else iter(())


def _reached(G: Graph, source: Any, reverse: bool) -> set[Any]:
    return {child for _, child in _edges(G, source, None, reverse)}


@serves("search")
def descendants(G: Graph, source: Any) -> set[Any]:
    return _reached(G, source, reverse=False)


@serves("search")
def ancestors(G: Graph, source: Any) -> set[Any]:
    return _reached(G, source, reverse=True)


@serves("search")
def node_connected_component(G: Graph, n: Any) -> set[Any]:
    vertex = G.find(n)
    if vertex is None:
        raise KeyError(n)
    return set(G.names(G.search().run(vertex).order))


@serves("search")
def is_connected(G: Graph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return connected(G)


@serves("search")
def is_strongly_connected(G: Graph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return connected(G)
