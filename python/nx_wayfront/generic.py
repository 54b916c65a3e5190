"""Functions that choose a search by their arguments."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx

from .functions import require, serves, tree_of, unbounded
from .graph import Graph
from .measures import connected, figures
from .searches import Found, Paths, Predecessors, length_dict
from .unweighted import (
    all_pairs_shortest_path,
    all_pairs_shortest_path_length,
    bidirectional_shortest_path,
    single_source_shortest_path,
    single_source_shortest_path_length,
)
from .weighted import (
    all_pairs_bellman_ford_path,
    all_pairs_bellman_ford_path_length,
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
    bellman_ford_path,
    bellman_ford_path_length,
    bidirectional_dijkstra,
    dijkstra_path_length,
    require_no_negative_loop,
    single_source_bellman_ford_path,
    single_source_bellman_ford_path_length,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)

Weight = Hashable | None


def _method(weight: Weight, method: str) -> str:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return "unweighted" if weight is None else method


@serves("pair")
def has_path(G: Graph, source: Any, target: Any) -> bool:
    vertex = require(G, source, f"Source {source} is not in G")
    end = require(G, target, f"Target {target} is not in G")
    return bool(G.search().run(vertex).parents[end] >= 0)


def _to_target(G: Graph, target: Any, weight: Weight, method: str, tree: bool) -> tuple[int, Found]:
    """A search from the target against the direction of the arcs."""
    if method == "unweighted":
        message = f"Source {target} {'not' if tree else 'is not'} in G"
    elif method == "dijkstra":
        G.require_no_negative_lengths(weight)
        message = f"Node {target} not found in graph"
    else:
        message = f"Source {target} not in G"
    vertex = require(G, target, message)
    if tree:
        return vertex, tree_of(G, weight, vertex, reverse=True)
    return vertex, unbounded(G.search(weight, reverse=True).run, vertex)


@serves("pair")
def shortest_path(G: Graph, source: Any = None, target: Any = None, weight: Weight = None,
                  method: str = "dijkstra") -> Any:
    chosen = _method(weight, method)
    if source is None and target is not None:
        return Paths(G, _to_target(G, target, weight, chosen, tree=True)[1], backwards=True)
    if source is None:
        if chosen == "unweighted":
            return all_pairs_shortest_path(G)
        return (all_pairs_dijkstra_path if chosen == "dijkstra" else all_pairs_bellman_ford_path)(G, weight=weight)
    if target is None:
        if chosen == "unweighted":
            return single_source_shortest_path(G, source)
        if chosen == "dijkstra":
            return single_source_dijkstra_path(G, source, weight=weight)
        return single_source_bellman_ford_path(G, source, weight=weight)
    if chosen == "unweighted":
        return bidirectional_shortest_path(G, source, target)
    if chosen == "dijkstra":
        return bidirectional_dijkstra(G, source, target, weight)[1]
    return bellman_ford_path(G, source, target, weight)


@serves("pair")
def shortest_path_length(G: Graph, source: Any = None, target: Any = None, weight: Weight = None,
                         method: str = "dijkstra") -> Any:
    chosen = _method(weight, method)
    if source is None and target is not None:
        vertex, found = _to_target(G, target, weight, chosen, tree=False)
        return length_dict(G, found, [vertex])
    if source is None:
        if chosen == "unweighted":
            return all_pairs_shortest_path_length(G)
        all_pairs = all_pairs_dijkstra_path_length if chosen == "dijkstra" else all_pairs_bellman_ford_path_length
        return all_pairs(G, weight=weight)
    if target is None:
        if chosen == "unweighted":
            return single_source_shortest_path_length(G, source)
        if chosen == "dijkstra":
            return single_source_dijkstra_path_length(G, source, weight=weight)
        return single_source_bellman_ford_path_length(G, source, weight=weight)
    if chosen == "unweighted":
        return _levels_between(G, source, target)
    return (dijkstra_path_length if chosen == "dijkstra" else bellman_ford_path_length)(G, source, target, weight)


def _levels_between(G: Graph, source: Any, target: Any) -> int:
    vertex = require(G, source, f"Source {source} is not in G")
    end = require(G, target, f"Target {target} is not in G")
    level = int(G.search().run(vertex).distances[end])
    if level < 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return level


@serves("searches")
def average_shortest_path_length(G: Graph, weight: Weight = None, method: str | None = None) -> float:
    method = method or ("unweighted" if weight is None else "dijkstra")
    if method not in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    if not connected(G):
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.is_directed() else ''}connected.")
    counted = None if method == "unweighted" else weight
    if method == "dijkstra":
        G.require_no_negative_lengths(counted)
    sums = unbounded(figures, G, counted).distance_sums.tolist()
    total: float = sum(sums)
    return (float(total) if method == "floyd-warshall-numpy" else total) / (n * (n - 1))


def _predecessors(G: Graph, source: Any, weight: Weight, method: str) -> tuple[int, Found, Predecessors]:
    if weight is None or method == "unweighted":
        weight = None
        vertex = require(G, source, f"Source {source} not in G")
    elif method in ("dijkstra", "bellman-ford"):
        vertex = require(G, source, f"Node {source} is not found in the graph")
        if method == "dijkstra":
            G.require_no_negative_lengths(weight)
        else:
            require_no_negative_loop(G, weight)
    else:
        raise ValueError(f"method not supported: {method}")
    found = tree_of(G, weight, vertex)
    return vertex, found, Predecessors(G, weight, found)


@serves("search")
def all_shortest_paths(G: Graph, source: Any, target: Any, weight: Weight = None,
                       method: str = "dijkstra") -> Iterator[list[Any]]:
    vertex, found, predecessors = _predecessors(G, source, weight, method)

    def paths() -> Iterator[list[Any]]:
        end = G.find(target)
        if end is None or found.parents[end] < 0:
            raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
        yield from predecessors.paths(vertex, end)

    return paths()


def _all_paths(G: Graph, source: Any, weight: Weight, method: str) -> Iterator[tuple[Any, list[list[Any]]]]:
    vertex, found, predecessors = _predecessors(G, source, weight, method)
    for end, node in zip(found.order.tolist(), G.names(found.order)):
        yield node, list(predecessors.paths(vertex, end))


def _require_dijkstra(G: Graph, weight: Weight, method: str) -> None:
    if weight is not None and method == "dijkstra":
        G.require_no_negative_lengths(weight)


@serves("search")
def single_source_all_shortest_paths(G: Graph, source: Any, weight: Weight = None,
                                     method: str = "dijkstra") -> Iterator[tuple[Any, list[list[Any]]]]:
    _require_dijkstra(G, weight, method)
    return _all_paths(G, source, weight, method)


@serves("searches")
def all_pairs_all_shortest_paths(G: Graph, weight: Weight = None, method: str = "dijkstra"
                                 ) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    _require_dijkstra(G, weight, method)
    return ((node, dict(_all_paths(G, node, weight, method))) for node in G)
