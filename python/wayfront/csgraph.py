"""Functions of ``scipy.sparse.csgraph`` with the same names, arguments and results.

    from wayfront.csgraph import dijkstra        # instead of: from scipy.sparse.csgraph import dijkstra

Distances are the same, as 64-bit floating-point numbers, and rounded in the same way unless a method
adds in another order. Trees of predecessors are valid ones, but where there are several, not always
SciPy's. What differs (docs/python.md#scipy):

- The names of methods ("D", "FW", "J", "BF") decide what is allowed, as in SciPy; how distances are
  computed is chosen by the graph.
- Weights stay whole numbers if they are, so that their sums are exact up to 2**53.
- NaN in a sparse matrix raises ValueError.
- All of the cores that ``OMP_NUM_THREADS`` allows are used.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, csr_matrix, isspmatrix, issparse
from scipy.sparse.csgraph import NegativeCycleError, csgraph_from_dense, csgraph_from_masked

from . import _core, _errors
from ._arguments import typed
from ._graph import Direction, Graph, as_csr
from ._searches import BfsResult
from ._searches import bfs as _bfs

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "construct_dist_matrix",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "reconstruct_path",
    "shortest_path",
]

#: Whole numbers in any shape, also one alone, or None.
Indices = Any

#: The predecessor of a source and of a vertex that was not reached.
_NO_PREDECESSOR = -9999

#: For up to this number of sources, searches from one after the other, each on all threads, take less
#: time than the plan of all pairs and rows, each on one thread (bench/python_package.py).
_FEW_SOURCES = 4

#: Whole numbers up to this are doubles.
_EXACT = 2**53


class _NegativeCycleError(_errors.NegativeCycleError, NegativeCycleError):
    """An error for those who expect SciPy's, and for those who expect wayfront's."""


def _csr(csgraph: Any) -> csr_array | csr_matrix:
    """The graph as SciPy reads it: in a dense one 0, infinity and NaN are no edges."""
    if hasattr(csgraph, "to_scipy_sparse"):  # of the package sparse
        csgraph = csgraph.to_scipy_sparse()
    if issparse(csgraph):
        if csgraph.ndim != 2:
            raise ValueError("compressed-sparse graph must be 2-D")
        csr = as_csr(csgraph)
    else:
        dense = csgraph if np.ma.isMaskedArray(csgraph) else np.asarray(csgraph)
        if dense.ndim != 2:
            raise ValueError("compressed-sparse graph must be 2-D")
        if np.ma.isMaskedArray(dense):
            # SciPy's function needs an element of the mask for each element.
            csr = csgraph_from_masked(np.ma.array(dense.data, mask=np.ma.getmaskarray(dense)))
        else:
            csr = csgraph_from_dense(dense, null_value=0)
    if csr.shape[0] != csr.shape[1]:
        raise ValueError("compressed-sparse graph must be shape (N, N)")
    return csr


def _finite(csr: csr_array | csr_matrix) -> csr_array | csr_matrix:
    """Without the edges of infinite weight, along which SciPy finds no path either."""
    if csr.data.dtype.kind != "f":
        return csr
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(csr.data.sum()):
            return csr
    if np.isposinf(csr.data).any():
        coo = csr.tocoo()
        kept = ~np.isposinf(coo.data)
        csr = type(csr)((coo.data[kept], (coo.row[kept], coo.col[kept])), shape=csr.shape)
    return csr


class _Input(NamedTuple):
    """What all functions are given."""

    graph: Graph
    unweighted: bool
    negative: bool  # whether a weight is

    @classmethod
    def read(cls, csgraph: Any, directed: bool, unweighted: bool) -> _Input:
        csr = _csr(csgraph) if unweighted else _finite(_csr(csgraph))
        weights = csr.data
        if weights.dtype.kind in "iu" and weights.size and _largest(weights) * csr.shape[0] >= _EXACT:
            weights = weights.astype(np.float64)
        elif weights.dtype.kind == "c" or weights.dtype.itemsize > 8:
            weights = weights.astype(np.float64)
        graph = _graph(csr, None if unweighted else weights, directed)
        negative = not unweighted and weights.dtype.kind in "if" and weights.size > 0 and weights.min() < 0
        return cls(graph, unweighted, bool(negative))


def _largest(weights: NDArray[Any]) -> int:
    return max(int(weights.max()), -int(weights.min()))


def _graph(csr: csr_array | csr_matrix, weights: NDArray[Any] | None, directed: bool) -> Graph:
    used = int(csr.indptr[-1])
    direction: Direction = "directed" if directed else "undirected"
    return Graph.from_csr(csr.indptr, csr.indices[:used], None if weights is None else weights[:used],
                          vertices=csr.shape[1], direction=direction, double_precision=True)


def _sources(indices: Indices, vertices: int) -> NDArray[np.int64]:
    """The sources, of any shape; a negative one counts from the end."""
    if indices is None:
        return np.arange(vertices)
    given = np.asarray(indices)
    if given.dtype.kind not in "iu" and given.size > 0:
        raise TypeError(f"indices: expected whole numbers, found {given.dtype}")
    sources = given.astype(np.int64)
    sources = np.where(sources < 0, sources + vertices, sources)
    if np.any(sources < 0) or np.any(sources >= vertices):
        raise ValueError("indices out of range 0...N")
    return sources


class _Rows(NamedTuple):
    distances: NDArray[np.float64]
    predecessors: NDArray[np.int32] | None

    def shaped(self, shape: tuple[int, ...]) -> Any:
        """The result of a function whose sources have this shape."""
        whole = shape + self.distances.shape[1:]
        if self.predecessors is None:
            return self.distances.reshape(whole)
        return self.distances.reshape(whole), self.predecessors.reshape(whole)


def _search_rows(graph: Graph, sources: NDArray[np.int64], predecessors: bool, cutoff: float | None) -> _Rows:
    """Rows by searches from one source after the other."""
    shape = (len(sources), graph.vertex_count)
    rows = _Rows(np.empty(shape), np.empty(shape, dtype=np.int32) if predecessors else None)
    options = _core.ShortestPathsOptions()
    options.cutoff = cutoff
    search = _core.ShortestPaths(graph._core, options) if len(sources) > 1 else None
    for i, source in enumerate(sources.tolist()):
        row = _core.SciPyRow(graph._core, rows.distances[i],
                             None if rows.predecessors is None else rows.predecessors[i])
        if search is not None:
            search.run_row(source, row)
        else:
            _core.shortest_paths_row(graph._core, options, source, row)
    return rows


def _all_pairs_rows(graph: Graph, sources: NDArray[np.int64], predecessors: bool) -> _Rows:
    options = _core.AllPairsOptions()
    options.type = "float64"
    if not np.array_equal(sources, np.arange(graph.vertex_count)):
        options.sources = sources.tolist()
    options.predecessors = predecessors
    _, distances, found = _core.AllPairs(graph._core, options, None).matrix(True)
    return _Rows(distances, found)


def _rows_within(graph: Graph, sources: NDArray[np.int64], limit: float) -> _Rows:
    """Rows by searches that end at the limit, each by one thread."""
    distances = np.empty((len(sources), graph.vertex_count))
    options = _core.AllPairsOptions()
    options.type = "float64"
    options.sources = sources.tolist()
    _core.AllPairs(graph._core, options, None).fill_within(limit, distances)
    return _Rows(distances, None)


def _rows(given: _Input, sources: NDArray[np.int64], predecessors: bool, limit: float = np.inf) -> _Rows:
    """A row for each source. Raises NegativeCycleError."""
    graph = given.graph
    if len(sources) == 0 or graph.vertex_count == 0:
        shape = (len(sources), graph.vertex_count)
        return _Rows(np.empty(shape), np.empty(shape, dtype=np.int32) if predecessors else None)
    try:
        if given.negative:
            return _beyond(limit, _rows_of_negative_weights(graph, sources, predecessors))
        if given.unweighted and len(sources) == 1:
            return _bfs_row(graph, int(sources[0]), predecessors, limit)
        if len(sources) > _FEW_SOURCES and np.isfinite(limit) and not predecessors:
            return _rows_within(graph, sources, limit)
        if len(sources) == 1 or np.isfinite(limit) or (len(sources) <= _FEW_SOURCES and not given.unweighted):
            return _search_rows(graph, sources, predecessors, limit if np.isfinite(limit) else None)
        return _all_pairs_rows(graph, sources, predecessors)
    except _errors.NegativeCycleError as error:
        raise _NegativeCycleError(str(error), error.vertices) from None


def _rows_of_negative_weights(graph: Graph, sources: NDArray[np.int64], predecessors: bool) -> _Rows:
    if len(sources) > 1:
        try:
            return _all_pairs_rows(graph, sources, predecessors)
        except _errors.NegativeCycleError:
            pass  # the sources may not reach the cycle
    return _search_rows(graph, sources, predecessors, None)


def _bfs_row(graph: Graph, source: int, predecessors: bool, limit: float) -> _Rows:
    result = _bfs(graph, source, cutoff=int(limit) if limit < graph.vertex_count else None)
    distances = result.levels.astype(np.float64)
    distances[result.levels < 0] = np.inf
    return _Rows(distances.reshape(1, -1), _scipy_predecessors(result).reshape(1, -1) if predecessors else None)


def _scipy_predecessors(result: BfsResult) -> NDArray[np.int32]:
    predecessors = result.parents.astype(np.int32)
    predecessors[predecessors < 0] = _NO_PREDECESSOR
    predecessors[result.source] = _NO_PREDECESSOR
    return predecessors


def _beyond(limit: float, rows: _Rows) -> _Rows:
    """The rows without distances beyond the limit."""
    if np.isfinite(limit):
        beyond = rows.distances > limit
        rows.distances[beyond] = np.inf
        if rows.predecessors is not None:
            rows.predecessors[beyond] = _NO_PREDECESSOR
    return rows


@typed
def shortest_path(csgraph: Any, method: str = "auto", directed: bool = True, return_predecessors: bool = False,
                  unweighted: bool = False, overwrite: bool = False, indices: Indices = None) -> Any:
    """As ``scipy.sparse.csgraph.shortest_path``."""
    if method == "auto" and indices is None and np.ma.isMaskedArray(csgraph) and 4 * csgraph.count() >= csgraph.size:
        method = "FW"  # as SciPy chooses, for which zeros are no edges then
    if method == "FW":
        if indices is not None:
            raise ValueError("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(csgraph, directed, return_predecessors, unweighted, overwrite)
    if method == "D":
        return dijkstra(csgraph, directed, indices, return_predecessors, unweighted)
    if method == "J":
        return johnson(csgraph, directed, indices, return_predecessors, unweighted)
    if method in ("auto", "BF"):
        return bellman_ford(csgraph, directed, indices, return_predecessors, unweighted)
    raise ValueError(f"unrecognized method '{method}'")


@typed
def dijkstra(csgraph: Any, directed: bool = True, indices: Indices = None, return_predecessors: bool = False,
             unweighted: bool = False, limit: float = np.inf, min_only: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.dijkstra``. With a finite ``limit``, searches end there. Negative weights
    cause a warning, and the distances are right."""
    if not limit >= 0:
        raise ValueError("limit must be >= 0")
    limit = float(limit)
    if min_only:
        return _nearest(csgraph, directed, indices, return_predecessors, unweighted, limit)
    given = _Input.read(csgraph, directed, unweighted)
    _warn_of_negative_weights(given.negative, 3)
    sources = _sources(indices, given.graph.vertex_count)
    return _rows(given, sources.reshape(-1), return_predecessors, limit).shaped(sources.shape)


def _warn_of_negative_weights(negative: bool, frames: int) -> None:
    """A warning that names the line of the caller, which is as many frames above the function that warns."""
    if negative:
        warnings.warn("Graph has negative weights: dijkstra will raise an error if the graph contains negative cycles. "
                      "Consider johnson or bellman_ford.", UserWarning, stacklevel=1 + frames)


def _nearest(csgraph: Any, directed: bool, indices: Indices, return_predecessors: bool, unweighted: bool,
             limit: float) -> Any:
    """The distances from the nearest source: those from a vertex that has edges of weight 0 to all
    sources."""
    csr = _csr(csgraph) if unweighted else _finite(_csr(csgraph))
    vertices = csr.shape[0]
    sources = np.unique(_sources(indices, vertices))
    given = _Input.read(_with_root(csr, sources, unweighted), directed, False)
    _warn_of_negative_weights(given.negative, 4)
    rows = _rows(given, np.array([vertices]), return_predecessors, limit)
    distances = np.ascontiguousarray(rows.distances[0, :-1])
    if rows.predecessors is None:
        return distances
    predecessors = np.ascontiguousarray(rows.predecessors[0, :-1])
    predecessors[sources[distances[sources] == 0]] = _NO_PREDECESSOR
    predecessors[predecessors == vertices] = _NO_PREDECESSOR
    return distances, predecessors, _core.roots(predecessors, distances)


def _with_root(csr: csr_array | csr_matrix, sources: NDArray[np.int64], unweighted: bool) -> csr_array:
    """The graph and one more vertex, the last, which has edges of weight 0 to the sources."""
    used = int(csr.indptr[-1])
    weights = np.ones(used, dtype=np.int32) if unweighted else csr.data[:used]
    return csr_array((np.concatenate([weights, np.zeros(len(sources), dtype=weights.dtype)]),
                      np.concatenate([csr.indices[:used], sources.astype(csr.indices.dtype)]),
                      np.append(csr.indptr, csr.indptr[-1] + len(sources)).astype(csr.indptr.dtype)),
                     shape=(csr.shape[0] + 1, csr.shape[1] + 1))


@typed
def bellman_ford(csgraph: Any, directed: bool = True, indices: Indices = None,
                 return_predecessors: bool = False, unweighted: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.bellman_ford``."""
    given = _Input.read(csgraph, directed, unweighted)
    sources = _sources(indices, given.graph.vertex_count)
    return _rows(given, sources.reshape(-1), return_predecessors).shaped(sources.shape)


@typed
def johnson(csgraph: Any, directed: bool = True, indices: Indices = None, return_predecessors: bool = False,
            unweighted: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.johnson``: raises NegativeCycleError also if no source reaches the cycle."""
    csr = _csr(csgraph)
    if indices is not None and not unweighted and csr.nnz > 0 and csr.data.dtype.kind in "if" and csr.data.min() < 0:
        vertices = csr.shape[0]
        _rows(_Input.read(_with_root(_finite(csr), np.arange(vertices), False), directed, False), np.array([vertices]),
              False)
    return bellman_ford(csr, directed, indices, return_predecessors, unweighted)


@typed
def floyd_warshall(csgraph: Any, directed: bool = True, return_predecessors: bool = False, unweighted: bool = False,
                   overwrite: bool = False) -> Any:
    """As ``scipy.sparse.csgraph.floyd_warshall``: zeros of masked arrays are no edges, masked or not."""
    masked = np.ma.isMaskedArray(csgraph)
    found = bellman_ford(np.ma.masked_equal(csgraph, 0) if masked else csgraph, directed, None, return_predecessors,
                         unweighted)
    if not (overwrite and isinstance(csgraph, np.ndarray) and not masked and csgraph.dtype == np.float64
            and csgraph.flags.c_contiguous):
        return found
    csgraph[...] = found[0] if return_predecessors else found
    return (csgraph, found[1]) if return_predecessors else csgraph


@typed
def breadth_first_order(csgraph: Any, i_start: int, directed: bool = True, return_predecessors: bool = True) -> Any:
    """As ``scipy.sparse.csgraph.breadth_first_order``. Vertices of one level are in ascending order,
    and the predecessor of a vertex is the smallest one."""
    csr = _csr(csgraph)
    if not 0 <= i_start < csr.shape[0]:
        raise ValueError(f"i_start must be one of the {csr.shape[0]} vertices, not {i_start}")
    result = _bfs(_graph(csr, None, directed), i_start, deterministic=True)
    order = _core.level_order(result.levels)
    if not return_predecessors:
        return order
    return order, _scipy_predecessors(result)


@typed
def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> csr_array | csr_matrix:
    """As ``scipy.sparse.csgraph.breadth_first_tree``."""
    csr = _csr(csgraph)
    _, predecessors = breadth_first_order(csr, i_start, directed)
    return reconstruct_path(csr, predecessors, directed)


def _sorted_rows(csr: csr_array | csr_matrix) -> _core.SortedRows:
    if not csr.has_sorted_indices:
        csr = csr.sorted_indices()
    return _core.SortedRows(csr.indptr.astype(np.int64), csr.indices.astype(np.int32, copy=False),
                            csr.data.astype(np.float64, copy=False))


@typed
def reconstruct_path(csgraph: Any, predecessors: ArrayLike, directed: bool = True) -> csr_array | csr_matrix:
    """As ``scipy.sparse.csgraph.reconstruct_path``. Raises ValueError if a predecessor has no edge to
    its vertex."""
    csr = _csr(csgraph)
    above = _predecessors(np.asarray(predecessors), csr.shape[:1], csr.shape[0]).astype(np.int32)
    weights = _sorted_rows(csr).weights_to(above, bool(directed))
    vertices = np.flatnonzero(above >= 0)
    for vertex in vertices[np.isinf(weights[vertices])]:  # an edge may have that weight
        edges = [(above[vertex], vertex)] if directed else [(above[vertex], vertex), (vertex, above[vertex])]
        if not any(head in csr.indices[csr.indptr[tail]:csr.indptr[tail + 1]] for tail, head in edges):
            raise ValueError(f"predecessors: there is no edge from {above[vertex]} to {vertex}")
    order = vertices[np.argsort(above[vertices], kind="stable")]
    offsets = np.searchsorted(above[order], np.arange(csr.shape[0] + 1))
    container = csr_matrix if isspmatrix(csr) else csr_array
    return container((weights[order], order.astype(np.int32), offsets.astype(np.int32)), shape=csr.shape)


def _predecessors(given: NDArray[Any], shape: tuple[int, ...], vertices: int) -> NDArray[Any]:
    if given.dtype.kind not in "iu":
        raise TypeError(f"predecessors must be whole numbers, not {given.dtype}")
    if given.shape != shape:
        raise ValueError(f"predecessors must have the shape {shape}, not {given.shape}")
    if given.size and given.max() >= vertices:
        raise ValueError(f"predecessors must be below {vertices}, not {given.max()}")
    return given


@typed
def construct_dist_matrix(graph: Any, predecessors: ArrayLike, directed: bool = True,
                          null_value: float = np.inf) -> NDArray[np.float64]:
    """As ``scipy.sparse.csgraph.construct_dist_matrix``."""
    csr = _csr(graph)
    vertices = csr.shape[0]
    trees = _predecessors(np.asarray(predecessors), csr.shape, vertices)
    if trees.dtype != np.int32:
        raise TypeError(f"predecessors must be of type int32, not {trees.dtype}")
    rows = _sorted_rows(csr)
    distances = np.empty(csr.shape)
    for source in range(vertices):
        tree = np.ascontiguousarray(trees[source])
        distances[source] = rows.weights_to(tree, bool(directed))
        _core.sum_paths(tree, source, null_value, distances[source])
    return distances
