"""Paths and levels in graphs without weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from wayfront import _core

from .functions import length_rows, levels_within, path_rows, require, serves, tree_of
from .graph import Graph
from .searches import Paths, Predecessors, length_dict


@serves("search")
def single_source_shortest_path_length(G: Graph, source: Any, cutoff: float | None = None) -> dict[Any, int]:
    vertex = require(G, source, f"Source {source} is not in G")
    return length_dict(G, G.search(limit=levels_within(cutoff)).run(vertex), [vertex])


@serves("search")
def single_target_shortest_path_length(G: Graph, target: Any, cutoff: float | None = None) -> dict[Any, int]:
    vertex = require(G, target, f"Target {target} is not in G")
    return length_dict(G, G.search(limit=levels_within(cutoff), reverse=True).run(vertex), [vertex])


@serves("searches")
def all_pairs_shortest_path_length(G: Graph, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    return ((G.nodes[source], lengths) for source, lengths in length_rows(G, cutoff=levels_within(cutoff)))


@serves("search")
def single_source_shortest_path(G: Graph, source: Any, cutoff: float | None = None) -> Paths:
    vertex = require(G, source, f"Source {source} not in G")
    return Paths(G, tree_of(G, None, vertex, levels_within(cutoff)))


@serves("search")
def single_target_shortest_path(G: Graph, target: Any, cutoff: float | None = None) -> Paths:
    vertex = require(G, target, f"Target {target} not in G")
    return Paths(G, tree_of(G, None, vertex, levels_within(cutoff), reverse=True), backwards=True)


@serves("searches")
def all_pairs_shortest_path(G: Graph, cutoff: float | None = None) -> Iterator[tuple[Any, Paths]]:
    return ((G.nodes[source], paths) for source, paths in path_rows(G, cutoff=levels_within(cutoff)))


@serves("pair")
def bidirectional_shortest_path(G: Graph, source: Any, target: Any) -> list[Any]:
    vertex = require(G, source, f"Source {source} is not in G")
    other = require(G, target, f"Target {target} is not in G")
    vertices = _core.path(tree_of(G, None, vertex).parents, 0, other)
    if len(vertices) == 0:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.names(vertices)


@serves("search")
def predecessor(G: Graph, source: Any, target: Any = None, cutoff: float | None = None,
                return_seen: bool | None = None) -> Any:
    vertex = require(G, source, f"Source {source} not in G")
    limit = max(1, levels_within(cutoff) or 1) if cutoff and cutoff != float("inf") else None
    found = tree_of(G, None, vertex, limit)
    predecessors = Predecessors(G, None, found)
    if target is None:
        return (predecessors.dict(), length_dict(G, found, [vertex])) if return_seen else predecessors.dict()
    end = G.find(target)
    if end is None or found.parents[end] < 0:
        return ([], -1) if return_seen else []
    before = [G.nodes[v] for v in predecessors.of(end)]
    return (before, int(found.distances[end])) if return_seen else before
