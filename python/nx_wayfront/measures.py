"""Figures of distances: eccentricities, centralities, indices and efficiencies."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

import wayfront

from .functions import not_of_null_graphs, require, serves
from .graph import Graph

Weight = Hashable | None

#: NetworkX 3.7 has renamed it, and keeps the old name for the same function.
_BARYCENTER = "centroid" if hasattr(nx, "centroid") else "barycenter"


def figures(G: Graph, weight: Weight, sources: list[int] | None = None, *,
            reverse: bool = False) -> wayfront.VertexFigures:
    """The figures of some vertices, or of all."""
    return wayfront.AllPairs(G.library(weight, reverse=reverse), sources=sources).vertex_figures()


def connected(G: Graph) -> bool:
    """Whether the first vertex reaches all, and is reached by all."""
    return all(len(G.search(reverse=reverse).run(0).order) == len(G)
               for reverse in ((False, True) if G.is_directed() else (False,)))


def _number(G: Graph, weight: Weight, value: float) -> Any:
    """A distance in the type of its weights."""
    return int(value) if G.lengths(weight).whole else float(value)


def _eccentricities(G: Graph, weight: Weight, nodes: list[Any] | None, message: str) -> dict[Any, Any]:
    """Raises NetworkXError with the message if a node does not reach all."""
    G.require_no_negative_lengths(weight)
    vertices = None if nodes is None else [G.index[node] for node in nodes]
    if vertices == []:
        return {}
    if vertices is None and not connected(G):
        raise nx.NetworkXError(message)
    summary = wayfront.AllPairs(G.library(weight), sources=vertices).summary()
    if (summary.reached < len(G) - 1).any():
        raise nx.NetworkXError(message)
    values = summary.eccentricities.tolist()
    return {node: 0 if len(G) == 1 else _number(G, weight, value)
            for node, value in zip(G.nodes if nodes is None else nodes, values)}


def _not_connected(G: Graph) -> str:
    kind = "the digraph is not strongly" if G.is_directed() else "the graph is not"
    return f"Found infinite path length because {kind} connected"


def _all_eccentricities(G: Graph, weight: Weight, usebounds: bool) -> dict[Any, Any]:
    bounded = usebounds is True and not G.is_directed()
    return _eccentricities(G, weight, None, "Cannot compute metric because graph is not connected." if bounded
                           else _not_connected(G))


@serves("searches")
@not_of_null_graphs
def eccentricity(G: Graph, v: Any = None, sp: None = None, weight: Weight = None) -> Any:
    nodes = None if v is None else list(dict.fromkeys(G.nbunch_iter(v)))
    found = _eccentricities(G, weight, nodes, _not_connected(G))
    return found[v] if v in G else found


@serves("searches")
@not_of_null_graphs
def diameter(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> Any:
    G.require_no_negative_lengths(weight)
    if len(G) == 1 or not connected(G):
        return max(_all_eccentricities(G, weight, usebounds).values())
    return _number(G, weight, wayfront.AllPairs(G.library(weight)).diameter())


@serves("searches")
@not_of_null_graphs
def radius(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> Any:
    return min(_all_eccentricities(G, weight, usebounds).values())


def _with_eccentricity(G: Graph, weight: Weight, usebounds: bool, chosen: Any) -> list[Any]:
    found = _all_eccentricities(G, weight, usebounds)
    wanted = chosen(found.values())
    return [node for node, value in found.items() if value == wanted]


@serves("searches")
@not_of_null_graphs
def periphery(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> list[Any]:
    return _with_eccentricity(G, weight, usebounds, max)


@serves("searches")
@not_of_null_graphs
def center(G: Graph, e: None = None, usebounds: bool = False, weight: Weight = None) -> list[Any]:
    return _with_eccentricity(G, weight, usebounds, min)


@serves("searches", name=_BARYCENTER)
@not_of_null_graphs
def barycenter(G: Graph, weight: Weight = None, attr: None = None, sp: None = None) -> list[Any]:
    G.require_no_negative_lengths(weight)
    if not connected(G):
        raise nx.NetworkXNoPath(f"Input graph {G} is disconnected, so every induced subgraph "
                                "has infinite barycentricity.")
    sums = figures(G, weight).distance_sums
    return G.names(np.flatnonzero(sums == sums.min()))


@serves("searches")
def harmonic_diameter(G: Graph, sp: None = None, *, weight: Weight = None) -> float:
    G.require_no_negative_lengths(weight)
    order = len(G)
    total = math.fsum(figures(G, weight).harmonic_closeness) if order else 0
    if total != 0:
        return order * (order - 1) / total
    return math.inf if order > 1 else math.nan


@serves("searches")
def closeness_centrality(G: Graph, u: Any = None, distance: Weight = None, wf_improved: bool = True, *,
                         sp: None = None) -> Any:
    vertices = None
    if u is not None:
        vertices = [require(G, u, f"Source {u} is not in G" if distance is None else f"Node {u} not found in graph")]
    G.require_no_negative_lengths(distance)
    if len(G) == 0:
        return {}
    found = figures(G, distance, vertices, reverse=True)
    closeness = [_closeness(reached, total, len(G), wf_improved)
                 for reached, total in zip(found.reached.tolist(), found.distance_sums.tolist())]
    return closeness[0] if u is not None else dict(zip(G.nodes, closeness))


def _closeness(reached: int, total: float, n: int, wf_improved: bool) -> float:
    """Of a node from which `reached` others have distances that add up to `total`."""
    if not total > 0 or n <= 1:
        return 0.0
    closeness = float(reached) / total
    return closeness * (float(reached) / (n - 1)) if wf_improved else closeness


@serves("searches")
def harmonic_centrality(G: Graph, nbunch: Any = None, distance: Weight = None,
                        sources: Any = None) -> dict[Any, float]:
    G.require_no_negative_lengths(distance)
    nodes = list(G) if nbunch is None else list(dict.fromkeys(G.nbunch_iter(nbunch)))
    if not nodes:
        return {}
    vertices = [G.index[node] for node in nodes]
    if sources is None:
        sums = figures(G, distance, None if nbunch is None else vertices, reverse=True).harmonic_closeness
    else:
        others = [G.index[node] for node in dict.fromkeys(G.nbunch_iter(sources))]
        sums = _harmonic_sums(G, distance, vertices, others)
    return {node: value or 0 for node, value in zip(nodes, sums.tolist())}


def _harmonic_sums(G: Graph, weight: Weight, vertices: list[int], others: list[int]) -> NDArray[np.float64]:
    """For each vertex, the sum of the reciprocals of the distances from the others."""
    sums = np.zeros(len(vertices))
    if not others:
        return sums
    position = np.empty(len(G), dtype=np.int64)
    position[vertices] = np.arange(len(vertices))

    def add(rows: wayfront.DistanceMatrix) -> None:
        lengths = rows.distances.astype(np.float64)
        lengths[(rows.distances == rows.unreached) | (lengths == 0)] = np.inf
        sums[position[rows.sources]] = (1 / lengths).sum(axis=1)

    wayfront.AllPairs(G.library(weight, reverse=True), sources=vertices, targets=others).rows(add)
    return sums


@serves("searches")
def wiener_index(G: Graph, weight: Weight = None) -> float:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    G.require_no_negative_lengths(weight)
    if not connected(G):
        return math.inf
    total: float = sum(figures(G, weight).distance_sums.tolist())
    return total if G.is_directed() else total / 2


@serves("searches")
def global_efficiency(G: Graph) -> float:
    n = len(G)
    return math.fsum(figures(G, None).harmonic_closeness) / (n * (n - 1)) if n > 1 else 0


@serves("pair")
def efficiency(G: Graph, u: Any, v: Any) -> float:
    vertex = require(G, u, f"Source {u} is not in G")
    end = require(G, v, f"Target {v} is not in G")
    level = int(G.search().run(vertex).distances[end])
    return 1 / level if level >= 0 else 0
