"""Breadth-first search and shortest paths, on CPU cores, GPUs and over MPI ranks.

    import wayfront
    graph = wayfront.load("kron:16")
    levels = wayfront.bfs(graph, 1).levels

``docs/python.md`` describes the package, ``wayfront.csgraph`` has SciPy's functions.
"""

from importlib.metadata import PackageNotFoundError, version

from ._threads import waiting_shortly

with waiting_shortly():
    from . import _core  # noqa: F401  (loads OpenMP's runtime)

from ._all_pairs import AllPairs, AllPairsSummary, DistanceMatrix, RowsWithin, VertexFigures, all_pairs
from ._errors import Error, InputError, NegativeCycleError, RankFailure, ResourceError, ResultError
from ._graph import Graph, load
from ._graph500 import Graph500Run, Graph500Searches, graph500
from ._many_graphs import PairsOfGraph, all_pairs_of_many
from ._pairs import PairsResult, Paths
from ._searches import (
    NOT_REACHED,
    Bfs,
    BfsResult,
    DeviceArray,
    DeviceBfsResult,
    DeviceShortestPathsResult,
    ShortestPaths,
    ShortestPathsResult,
    bfs,
    shortest_paths,
)

try:
    __version__ = version("wayfront")
except PackageNotFoundError:  # imported from a build folder
    __version__ = "unknown"

__all__ = [
    "NOT_REACHED",
    "AllPairs",
    "AllPairsSummary",
    "Bfs",
    "BfsResult",
    "DeviceArray",
    "DeviceBfsResult",
    "DeviceShortestPathsResult",
    "DistanceMatrix",
    "Error",
    "Graph",
    "Graph500Run",
    "Graph500Searches",
    "InputError",
    "NegativeCycleError",
    "PairsOfGraph",
    "PairsResult",
    "Paths",
    "RankFailure",
    "ResourceError",
    "ResultError",
    "RowsWithin",
    "ShortestPaths",
    "ShortestPathsResult",
    "VertexFigures",
    "all_pairs",
    "all_pairs_of_many",
    "bfs",
    "graph500",
    "load",
    "shortest_paths",
]
