"""Matrices of distances."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

import wayfront

from . import version_of
from .functions import serves
from .graph import Graph

Weight = Hashable | None

#: Since NetworkX 3.7, a cycle of negative length raises an exception, and an edge without a weight counts as 1
#: instead of 1.0.
_OLD_ALGORITHM = version_of(nx.__version__) < (3, 7)


def _matrix(G: Graph, weight: Weight, predecessors: bool = False) -> tuple[NDArray[Any], Any]:
    """Distances, infinite without a path, and predecessors if they are wanted."""
    if len(G) == 0:
        return np.empty((0, 0)), np.empty((0, 0), dtype=np.int32)
    try:
        found = wayfront.all_pairs(G.library(weight), type="float64", predecessors=predecessors)
    except wayfront.NegativeCycleError:
        if not _OLD_ALGORITHM:
            raise nx.NetworkXUnbounded("Negative cycle detected.") from None
        raise NotImplementedError("there is a cycle of negative length: what the Floyd-Warshall algorithm returns "
                                  "then, NetworkX decides") from None
    return found.distances, found.predecessors


@serves("searches")
def floyd_warshall_numpy(G: Graph, nodelist: Any = None, weight: Weight = "weight") -> NDArray[np.float64]:
    order = list(range(len(G)))
    if nodelist is not None:
        if not (len(nodelist) == len(G) == len(set(nodelist))):
            raise nx.NetworkXError("nodelist must contain every node in G with no repeats."
                                   "If you wanted a subgraph of G use G.subgraph(nodelist)")
        if missing := set(nodelist) - set(G):
            raise nx.NetworkXError(f"Nodes {missing} in nodelist is not in G")
        order = [G.index[node] for node in nodelist]
    distances, _ = _matrix(G, weight)
    return distances if nodelist is None else distances[np.ix_(order, order)]


def _rows(G: Graph, weight: Weight, distances: NDArray[np.float64]) -> dict[Any, dict[Any, Any]]:
    """By nodes."""
    lengths_of = G.lengths(weight)
    whole = lengths_of.whole and not (lengths_of.defaults and _OLD_ALGORITHM)
    rows = {}
    for source, row in enumerate(distances):
        lengths = row.tolist()
        if whole:
            lengths = [length if length == np.inf else int(length) for length in lengths]
        elif lengths[source] == 0:
            lengths[source] = 0
        rows[G.nodes[source]] = dict(zip(G.nodes, lengths))
    return rows


@serves("searches")
def floyd_warshall(G: Graph, weight: Weight = "weight") -> dict[Any, dict[Any, Any]]:
    return _rows(G, weight, _matrix(G, weight)[0])


@serves("searches")
def floyd_warshall_predecessor_and_distance(
        G: Graph, weight: Weight = "weight") -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, Any]]]:
    distances, predecessors = _matrix(G, weight, predecessors=True)
    before = {}
    for source in np.flatnonzero(np.diff(G.arcs.offsets)).tolist():
        row = predecessors[source]
        reached = np.flatnonzero(row >= 0)
        if source not in G.arcs.targets[G.arcs.offsets[source]:G.arcs.offsets[source + 1]]:  # a loop counts
            reached = reached[reached != source]
        before[G.nodes[source]] = dict(zip(G.names(reached), G.names(row[reached])))
    return before, _rows(G, weight, distances)


@serves("pair")
def reconstruct_path(source: Any, target: Any, predecessors: Any) -> list[Any]:
    if source == target:
        return []
    before = predecessors[source]
    path = [target]
    while path[-1] != source:
        path.append(before[path[-1]])
    return path[::-1]
