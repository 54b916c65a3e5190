"""Paths and distances by the weights of edges."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np

import wayfront
from wayfront import _core

from .functions import length_rows, path_rows, require, serves, tree_of, unbounded
from .graph import Graph
from .searches import Found, Paths, Predecessors, length_dict, queue_order

Weight = Hashable | None


def _sources(G: Graph, sources: Iterable[Any]) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    return list(dict.fromkeys(require(G, source, f"Node {source} not found in graph") for source in sources))


def _dijkstra(G: Graph, weight: Weight, sources: list[int], cutoff: float | None, tree: bool) -> Found:
    G.require_no_negative_lengths(weight)
    search = G.search(weight, limit=cutoff)
    found = search.run_nearest(sources) if len(sources) > 1 else search.run(sources[0])
    return queue_order(G, weight, found, sources) if tree else found


def _path_to(G: Graph, found: Found, target: Any, message: str) -> tuple[Any, list[Any]]:
    """The distance of a target and the path to it. Raises NetworkXNoPath with the message if there is none."""
    end = G.find(target)
    if end is None or found.parents[end] < 0:
        raise nx.NetworkXNoPath(message)
    path = G.names(_core.path(found.parents, 0, end))
    return found.distances[end].item() if len(path) > 1 else 0, path


@serves("search")
def multi_source_dijkstra(G: Graph, sources: Any, target: Any = None, cutoff: float | None = None,
                          weight: Weight = "weight") -> Any:
    vertices = _sources(G, sources)
    if target in sources:
        return 0, [target]
    found = _dijkstra(G, weight, vertices, cutoff, tree=True)
    if target is None:
        return length_dict(G, found, vertices), Paths(G, found)
    return _path_to(G, found, target, f"No path to {target}.")


@serves("search")
def multi_source_dijkstra_path(G: Graph, sources: Any, cutoff: float | None = None, weight: Weight = "weight") -> Paths:
    return Paths(G, _dijkstra(G, weight, _sources(G, sources), cutoff, tree=True))


@serves("search")
def multi_source_dijkstra_path_length(G: Graph, sources: Any, cutoff: float | None = None,
                                      weight: Weight = "weight") -> dict[Any, Any]:
    vertices = _sources(G, sources)
    return length_dict(G, _dijkstra(G, weight, vertices, cutoff, tree=False), vertices)


@serves("search")
def single_source_dijkstra(G: Graph, source: Any, target: Any = None, cutoff: float | None = None,
                           weight: Weight = "weight") -> Any:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@serves("search")
def single_source_dijkstra_path(G: Graph, source: Any, cutoff: float | None = None, weight: Weight = "weight") -> Paths:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@serves("search")
def single_source_dijkstra_path_length(G: Graph, source: Any, cutoff: float | None = None,
                                       weight: Weight = "weight") -> dict[Any, Any]:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


@serves("pair")
def dijkstra_path(G: Graph, source: Any, target: Any, weight: Weight = "weight") -> list[Any]:
    path: list[Any] = single_source_dijkstra(G, source, target=target, weight=weight)[1]
    return path


@serves("pair")
def dijkstra_path_length(G: Graph, source: Any, target: Any, weight: Weight = "weight") -> Any:
    vertex = require(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    found = _dijkstra(G, weight, [vertex], None, tree=False)
    return _path_to(G, found, target, f"Node {target} not reachable from {source}")[0]


@serves("pair")
def bidirectional_dijkstra(G: Graph, source: Any, target: Any, weight: Weight = "weight") -> tuple[Any, list[Any]]:
    vertex = require(G, source, f"Source {source} is not in G")
    require(G, target, f"Target {target} is not in G")
    if source == target:
        return 0, [source]
    found = _dijkstra(G, weight, [vertex], None, tree=True)
    return _path_to(G, found, target, f"No path between {source} and {target}.")


def _astar(G: Graph, source: Any, target: Any, weight: Weight, cutoff: float | None) -> tuple[Any, list[Any]]:
    found = _dijkstra(G, weight, [G.index[source]], cutoff or None, tree=True)  # 0 is no limit there
    return _path_to(G, found, target, f"Node {target} not reachable from {source}")


@serves("pair")
def astar_path(G: Graph, source: Any, target: Any, heuristic: None = None, weight: Weight = "weight", *,
               cutoff: float | None = None) -> list[Any]:
    require(G, source, f"Source {source} is not in G")
    require(G, target, f"Target {target} is not in G")
    return _astar(G, source, target, weight, cutoff)[1]


@serves("pair")
def astar_path_length(G: Graph, source: Any, target: Any, heuristic: None = None, weight: Weight = "weight", *,
                      cutoff: float | None = None) -> Any:
    if source not in G or target not in G:
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    return _astar(G, source, target, weight, cutoff)[0]


@serves("search")
def dijkstra_predecessor_and_distance(G: Graph, source: Any, cutoff: float | None = None,
                                      weight: Weight = "weight") -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    vertex = require(G, source, f"Node {source} is not found in the graph")
    found = _dijkstra(G, weight, [vertex], cutoff, tree=True)
    return Predecessors(G, weight, found).dict(), length_dict(G, found, [vertex])


@serves("searches")
def all_pairs_dijkstra(G: Graph, cutoff: float | None = None,
                       weight: Weight = "weight") -> Iterator[tuple[Any, tuple[dict[Any, Any], Paths]]]:
    G.require_no_negative_lengths(weight)
    return ((G.nodes[v], (length_dict(G, paths.found, [v]), paths)) for v, paths in path_rows(G, weight, cutoff))


@serves("searches")
def all_pairs_dijkstra_path(G: Graph, cutoff: float | None = None,
                            weight: Weight = "weight") -> Iterator[tuple[Any, Paths]]:
    G.require_no_negative_lengths(weight)
    return ((G.nodes[source], paths) for source, paths in path_rows(G, weight, cutoff))


@serves("searches")
def all_pairs_dijkstra_path_length(G: Graph, cutoff: float | None = None,
                                   weight: Weight = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    G.require_no_negative_lengths(weight)
    return ((G.nodes[source], lengths) for source, lengths in length_rows(G, weight, cutoff))


def _bellman_ford(G: Graph, source: Any, weight: Weight, tree: bool = False) -> tuple[int, Found]:
    vertex = require(G, source, f"Source {source} not in G")
    return vertex, tree_of(G, weight, vertex) if tree else unbounded(G.search(weight).run, vertex)


@serves("search")
def single_source_bellman_ford(G: Graph, source: Any, target: Any = None, weight: Weight = "weight") -> Any:
    if source == target:
        require(G, source, f"Node {source} is not found in the graph")
        return 0, [source]
    vertex, found = _bellman_ford(G, source, weight, tree=True)
    if target is None:
        return length_dict(G, found, [vertex]), Paths(G, found)
    return _path_to(G, found, target, f"Target {target} cannot be reached from given sources")


@serves("search")
def single_source_bellman_ford_path(G: Graph, source: Any, weight: Weight = "weight") -> Paths:
    return Paths(G, _bellman_ford(G, source, weight, tree=True)[1])


@serves("search")
def single_source_bellman_ford_path_length(G: Graph, source: Any, weight: Weight = "weight") -> dict[Any, Any]:
    vertex, found = _bellman_ford(G, source, weight)
    return length_dict(G, found, [vertex])


@serves("search")
def bellman_ford_path(G: Graph, source: Any, target: Any, weight: Weight = "weight") -> list[Any]:
    path: list[Any] = single_source_bellman_ford(G, source, target=target, weight=weight)[1]
    return path


@serves("search")
def bellman_ford_path_length(G: Graph, source: Any, target: Any, weight: Weight = "weight") -> Any:
    if source == target:
        require(G, source, f"Node {source} not found in graph")
        return 0
    _, found = _bellman_ford(G, source, weight)
    return _path_to(G, found, target, f"node {target} not reachable from {source}")[0]


@serves("searches")
def all_pairs_bellman_ford_path(G: Graph, weight: Weight = "weight") -> Iterator[tuple[Any, Paths]]:
    return ((G.nodes[source], paths) for source, paths in path_rows(G, weight))


@serves("searches")
def all_pairs_bellman_ford_path_length(G: Graph, weight: Weight = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    return ((G.nodes[source], lengths) for source, lengths in length_rows(G, weight))


def require_no_negative_loop(G: Graph, weight: Weight) -> None:
    """Raises NetworkXUnbounded for a loop of negative length, also if no source reaches it, as NetworkX."""
    values = G.lengths(weight).values
    if values is not None and values[G.arcs.sources() == G.arcs.targets].min(initial=0) < 0:
        raise nx.NetworkXUnbounded("Negative cycle detected.")


@serves("search")
def bellman_ford_predecessor_and_distance(
        G: Graph, source: Any, target: Any = None, weight: Weight = "weight",
        heuristic: bool = False) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    require(G, source, f"Node {source} is not found in the graph")
    require_no_negative_loop(G, weight)
    vertex, found = _bellman_ford(G, source, weight)
    return Predecessors(G, weight, found).dict(), length_dict(G, found, [vertex])


@serves("search")
def goldberg_radzik(G: Graph, source: Any, weight: Weight = "weight") -> tuple[dict[Any, Any], dict[Any, Any]]:
    require(G, source, f"Node {source} is not found in the graph")
    require_no_negative_loop(G, weight)
    vertex, found = _bellman_ford(G, source, weight, tree=True)
    parents = dict(zip(G.names(found.order), G.names(found.parents[found.order])))
    parents[G.nodes[vertex]] = None
    return parents, length_dict(G, found, [vertex])


def _has_negative_cycle(G: Graph, weight: Weight) -> bool:
    """Searches from all vertices at once, which reach every cycle."""
    if not G.lengths(weight).negative:
        return False
    try:
        G.search(weight).run_nearest(list(range(len(G))))
    except wayfront.NegativeCycleError:
        return True
    return False


@serves("search")
def negative_edge_cycle(G: Graph, weight: Weight = "weight", heuristic: bool = True) -> bool:
    return _has_negative_cycle(G, weight)


@serves("search")
def find_negative_cycle(G: Graph, source: Any, weight: Weight = "weight") -> list[Any]:
    vertex = require(G, source, f"Source {source} not in G")
    try:
        G.search(weight).run(vertex)
    except wayfront.NegativeCycleError as error:
        cycle = G.names(np.array(error.vertices))
        return [*cycle, cycle[0]]
    raise nx.NetworkXError("No negative cycles detected.")


class _PathsFrom(Mapping[Any, Mapping[Any, list[Any]]]):
    """The paths from each node. Each row is searched for when it is asked for."""

    __slots__ = ("_graph", "_weight")

    def __init__(self, G: Graph, weight: Weight):
        self._graph = G
        self._weight = weight

    def __getitem__(self, node: Any) -> Paths:
        return Paths(self._graph, tree_of(self._graph, self._weight, self._graph.index[node]))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._graph)

    def __len__(self) -> int:
        return len(self._graph)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


@serves("searches")
def johnson(G: Graph, weight: Weight = "weight") -> _PathsFrom:
    if _has_negative_cycle(G, weight):
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    return _PathsFrom(G, weight)
