"""The Graph500 benchmark."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arguments import typed
from ._graph import GraphOptions, _load_options
from ._progress import Progress, callback_of


class Graph500Searches(TypedDict):
    """The searches of one kernel, and the statistics of their traversed edges per second (TEPS)."""

    harmonic_mean_teps: float
    #: NaN for a single search.
    harmonic_stddev_teps: float
    min_teps: float
    first_quartile_teps: float
    median_teps: float
    third_quartile_teps: float
    max_teps: float
    #: Of each search: its source, its time, and the edge tuples in the component of its source.
    keys: NDArray[np.int64]
    seconds: NDArray[np.float64]
    edges: NDArray[np.int64]
    #: Empty if the searches were not validated.
    validate_seconds: NDArray[np.float64]


class Graph500Run(TypedDict):
    """What :func:`graph500` returns, on all ranks."""

    scale: int
    edge_factor: int
    vertices: int
    edges: int
    ranks: int
    #: Of the first rank.
    threads: int
    #: "cpu" or "gpu"; of both kernels, that of breadth-first searches.
    engine: str
    #: Whether all searches were checked. One that is not valid raises ResultError.
    validated: bool
    generation_seconds: float
    construction_seconds: float
    #: The kernels that ran.
    bfs: NotRequired[Graph500Searches]
    sssp: NotRequired[Graph500Searches]


@typed
def graph500(scale: int, *, edge_factor: int = 16, keys: int = 64, kernel: Literal["bfs", "sssp", "both"] = "bfs",
             validate: bool = True, warmups: int = 1, seeds: tuple[int, int] = (2, 3),
             engine: Literal["auto", "cpu", "gpu", "split"] = "auto", grid: tuple[int, int] | None = None,
             threads: int = 0, comm: Any = None, watch_ranks: bool = False,
             progress: Progress | None = None) -> Graph500Run:
    """Runs the Graph500 benchmark on a graph of 2**scale vertices, as ``wayfront graph500`` does.

    ``kernel`` names the searches: breadth-first, for shortest paths, or both from the same ``keys``.
    ``warmups`` searches run before the timed ones. ``threads``, ``comm`` and ``watch_ranks`` are those of
    :func:`load`. Raises InputError before any work if an argument is out of range.
    """
    options = _core.Graph500Options()
    options.edge_factor, options.keys, options.warmups = edge_factor, keys, warmups
    options.kernel, options.engine, options.grid = kernel, engine, grid
    options.validate, options.seeds = validate, seeds
    loading: GraphOptions = {"threads": threads, "comm": comm, "watch_ranks": watch_ranks}
    options.loading = _load_options(loading, "as_in_input")
    return cast(Graph500Run, _core.graph500(scale, options, callback_of(progress)))
