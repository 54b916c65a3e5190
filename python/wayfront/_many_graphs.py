"""All pairs of many graphs."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from . import _core
from ._all_pairs import AllPairsOptions, AllPairsSummary, DistanceMatrix, made_options
from ._arguments import typed
from ._errors import Error
from ._graph import Graph, GraphFacts, GraphLike, GraphOptions, _load_options, as_graph
from ._names import NO_NAMES, Names


class ManyGraphsOptions(AllPairsOptions, GraphOptions, total=False):
    """Keywords of :func:`all_pairs_of_many`: those of :func:`all_pairs`, and for names of graphs those of
    :func:`load`."""

    weights: str
    names: bool


@dataclass(frozen=True, eq=False, repr=False)
class PairsOfGraph:
    """All pairs of one of many graphs, or why they were not computed."""

    #: As given, or "edges".
    name: str
    #: That has computed the graph.
    rank: int
    #: Why there are no figures; None if there are some.
    error: Error | None = None
    vertex_count: int = 0
    edge_count: int = 0
    #: With its reason, in words.
    algorithm: str = ""
    #: For the user, for example that edges without weights have length 1.
    notes: tuple[str, ...] = ()
    #: None if the graph has failed.
    summary: AllPairsSummary | None = None
    #: The distances if ``matrices`` are wanted, on the rank that has computed them; otherwise None.
    matrix: DistanceMatrix | None = None

    def __repr__(self) -> str:
        found = "failed" if self.error else f"{self.vertex_count} vertices, {self.edge_count} edges"
        return f"<wayfront.PairsOfGraph {self.name}: {found}>"


def _matrix_of(arrays: tuple[Any, Any, Any], facts: GraphFacts) -> DistanceMatrix:
    sources, distances, predecessors = arrays
    columns = facts.first_vertex + np.arange(facts.vertex_count, dtype=np.int64)
    return DistanceMatrix(sources, columns, distances, predecessors, facts)


def _result_of(found: dict[str, Any], is_reversed: bool, names: Names = NO_NAMES) -> PairsOfGraph:
    if found["error"] is not None:
        return PairsOfGraph(found["name"], found["rank"], found["error"])
    facts = GraphFacts(found["vertex_count"], found["first_vertex"], is_reversed, names)
    return PairsOfGraph(found["name"], found["rank"], None, facts.vertex_count, found["edge_count"], found["algorithm"],
                        tuple(found["notes"]), AllPairsSummary(**found["summary"]),
                        None if found["matrix"] is None else _matrix_of(found["matrix"], facts))


def _graph_or_error(graph: GraphLike) -> Graph | PairsOfGraph:
    """The graph, or the result of one that cannot be loaded."""
    try:
        return as_graph(graph)
    except Error as error:
        return PairsOfGraph(os.fspath(graph) if isinstance(graph, (str, os.PathLike)) else "edges", 0, error)


@typed
def all_pairs_of_many(graphs: Iterable[GraphLike], *, matrices: bool = False,
                      **options: Unpack[ManyGraphsOptions]) -> list[PairsOfGraph]:
    """All pairs of many graphs, each by itself: the summary of each, and with ``matrices`` its distances. Small graphs
    are computed by a thread each, or many at once on a GPU. A graph that cannot be loaded or computed does not end the
    work: its result has the ``error``.

    If all graphs are names of files or specs, the keywords of :func:`load` hold for all of them. With ``comm``, all
    ranks pass the same names; rank r loads and computes the graphs r, r + comm.size, ..., and all get the summaries.
    Sources are numbers, and so are the vertices of files in the results.
    Other graphs are those of this process alone: several ranks pass some each.

    Raises InputError if there are ``targets`` or a graph is distributed over several ranks.
    """
    if isinstance(graphs, (str, os.PathLike)):
        raise TypeError("graphs: expected several graphs, found one name; pass a list")
    all_graphs = list(graphs)
    of_loading: dict[str, Any] = {name: value for name, value in options.items()
                                  if name in ("weights", "names") or name in GraphOptions.__annotations__}
    of_pairs: dict[str, Any] = {name: value for name, value in options.items() if name not in of_loading}
    made, progress = made_options(of_pairs, "all_pairs_of_many")  # type: ignore[arg-type]
    if all(isinstance(graph, (str, os.PathLike)) for graph in all_graphs):
        weights, names = of_loading.pop("weights", ""), of_loading.pop("names", False)
        loading = _load_options(of_loading, "as_in_input")  # type: ignore[arg-type]
        loading.weights = weights
        loading.names = names
        found = _core.all_pairs_of_names([os.fspath(graph) for graph in all_graphs], matrices, made, loading, progress)
        return [_result_of(each, loading.direction == "reversed") for each in found]
    if of_loading:
        raise TypeError(f"{min(of_loading)}: is for names of files and specs; make the other graphs with it")
    loaded = [_graph_or_error(graph) for graph in all_graphs]
    cores = [graph._core for graph in loaded if isinstance(graph, Graph)]
    computed = iter(_core.all_pairs_of_graphs(cores, matrices, made, progress))
    return [graph if isinstance(graph, PairsOfGraph)
            else _result_of(next(computed), graph._direction == "reversed", graph._names) for graph in loaded]
