"""nx-wayfront: wayfront as a backend of NetworkX (docs/python.md#networkx).

NetworkX imports this module whenever it is imported itself, to learn what the backend has. So it
imports nothing large; the backend is the module ``nx_wayfront.backend``.
"""

import re
import sys

__all__ = ["MINIMUM_NETWORKX", "get_info"]

#: The first version whose functions return what the backend's return.
MINIMUM_NETWORKX = (3, 5)

_LEVELS = "By a breadth-first search."
_QUEUE = "By a breadth-first search, in NetworkX's order."
_PATHS = "Paths are made when they are asked for: a mapping that equals NetworkX's dictionary."
_WEIGHTS = "Weights may be whole or floating-point numbers, missing ones count as 1."
_DIJKSTRA = f"{_WEIGHTS} For negative weights, NetworkX answers."
_NEGATIVE = f"{_WEIGHTS} They may be negative."
_CHUNKS = "In chunks of rows, one of which is in memory."
_FIGURES = "Distances are summed up while they are found, and not kept."

#: What each function does, and in which way it differs from NetworkX's.
_FUNCTIONS = {
    "all_pairs_all_shortest_paths": _DIJKSTRA,
    "all_pairs_bellman_ford_path": f"{_NEGATIVE} {_PATHS}",
    "all_pairs_bellman_ford_path_length": f"{_NEGATIVE} {_CHUNKS}",
    "all_pairs_dijkstra": f"{_DIJKSTRA} {_PATHS}",
    "all_pairs_dijkstra_path": f"{_DIJKSTRA} {_PATHS}",
    "all_pairs_dijkstra_path_length": f"{_DIJKSTRA} {_CHUNKS}",
    "all_pairs_shortest_path": f"{_QUEUE} {_PATHS}",
    "all_pairs_shortest_path_length": f"{_LEVELS} {_CHUNKS}",
    "all_shortest_paths": f"{_DIJKSTRA} A path is found once, also if a cycle of length 0 leads back to the source.",
    "ancestors": _LEVELS,
    "astar_path": f"Without a heuristic only. {_DIJKSTRA}",
    "astar_path_length": f"Without a heuristic only. {_DIJKSTRA}",
    "average_shortest_path_length": f"{_FIGURES} {_WEIGHTS}",
    "barycenter": f"Without attr and sp only. {_FIGURES} {_DIJKSTRA}",
    "bellman_ford_path": _NEGATIVE,
    "bellman_ford_path_length": _NEGATIVE,
    "bellman_ford_predecessor_and_distance": _NEGATIVE,
    "bfs_edges": f"Without sort_neighbors only. With reverse, maybe another tree. {_QUEUE}",
    "bfs_labeled_edges": _QUEUE,
    "bfs_layers": _QUEUE,
    "bfs_predecessors": f"Without sort_neighbors only. {_QUEUE}",
    "bfs_successors": f"Without sort_neighbors only. {_QUEUE}",
    "bfs_tree": f"Without sort_neighbors only. With reverse, maybe another tree. {_QUEUE}",
    "bidirectional_dijkstra": f"One search, from the source; of several shortest paths, maybe another one. {_DIJKSTRA}",
    "bidirectional_shortest_path": "One search, from the source; of several shortest paths, maybe another one.",
    "center": f"Without e only. {_DIJKSTRA}",
    "closeness_centrality": f"Without sp only. {_FIGURES} {_DIJKSTRA}",
    "descendants": _LEVELS,
    "descendants_at_distance": _LEVELS,
    "diameter": f"Without e only. {_DIJKSTRA}",
    "dijkstra_path": _DIJKSTRA,
    "dijkstra_path_length": _DIJKSTRA,
    "dijkstra_predecessor_and_distance": _DIJKSTRA,
    "eccentricity": f"Without sp only. {_DIJKSTRA}",
    "efficiency": _LEVELS,
    "find_negative_cycle": "The cycle may begin at another of its nodes.",
    "floyd_warshall": f"By any method for all pairs. {_NEGATIVE}",
    "floyd_warshall_numpy": f"By any method for all pairs. {_NEGATIVE}",
    "floyd_warshall_predecessor_and_distance": f"By any method for all pairs. {_NEGATIVE}",
    "generic_bfs_edges": f"Without neighbors only. {_QUEUE}",
    "global_efficiency": _FIGURES,
    "goldberg_radzik": f"By another algorithm. {_NEGATIVE}",
    "harmonic_centrality": f"{_FIGURES} {_DIJKSTRA}",
    "harmonic_diameter": f"Without sp only. {_FIGURES} {_DIJKSTRA}",
    "has_path": _LEVELS,
    "is_connected": _LEVELS,
    "is_strongly_connected": "By two breadth-first searches.",
    "johnson": f"{_NEGATIVE} A row is searched for when it is asked for.",
    "multi_source_dijkstra": f"{_DIJKSTRA} {_PATHS}",
    "multi_source_dijkstra_path": f"{_DIJKSTRA} {_PATHS}",
    "multi_source_dijkstra_path_length": _DIJKSTRA,
    "negative_edge_cycle": "By one search from all nodes.",
    "node_connected_component": _LEVELS,
    "periphery": f"Without e only. {_DIJKSTRA}",
    "predecessor": _QUEUE,
    "radius": f"Without e only. {_DIJKSTRA}",
    "reconstruct_path": "",
    "shortest_path": f"{_DIJKSTRA} With method='bellman-ford' they may be. {_PATHS}",
    "shortest_path_length": f"{_DIJKSTRA} With method='bellman-ford' they may be.",
    "single_source_all_shortest_paths": _DIJKSTRA,
    "single_source_bellman_ford": f"{_NEGATIVE} {_PATHS}",
    "single_source_bellman_ford_path": f"{_NEGATIVE} {_PATHS}",
    "single_source_bellman_ford_path_length": _NEGATIVE,
    "single_source_dijkstra": f"{_DIJKSTRA} {_PATHS}",
    "single_source_dijkstra_path": f"{_DIJKSTRA} {_PATHS}",
    "single_source_dijkstra_path_length": _DIJKSTRA,
    "single_source_shortest_path": f"{_QUEUE} {_PATHS}",
    "single_source_shortest_path_length": _LEVELS,
    "single_target_shortest_path": f"{_LEVELS} {_PATHS}",
    "single_target_shortest_path_length": _LEVELS,
    "wiener_index": f"{_FIGURES} {_DIJKSTRA}",
}


def _functions() -> dict[str, str]:
    """The functions by the names that the NetworkX has which is being imported: 3.7 calls barycenter centroid, and
    before, trees have a function of this name."""
    functions = dict(_FUNCTIONS)
    networkx = sys.modules.get("networkx")
    if networkx is not None and version_of(networkx.__version__) >= (3, 7):
        functions["centroid"] = functions.pop("barycenter")
    return functions


def version_of(text: str) -> tuple[int, ...]:
    """The first two numbers of a version: of "3.6rc0", 3 and 6."""
    return tuple(int(number) for number in re.findall(r"\d+", text)[:2])


def get_info() -> dict[str, object]:
    """What NetworkX asks of a backend: its names, and its functions with what is to be said of them."""
    return {
        "backend_name": "wayfront",
        "project": "wayfront",
        "package": "nx_wayfront",
        "short_summary": "Breadth-first search and shortest paths in C++, on all cores or on GPUs.",
        "functions": {name: {"additional_docs": text} for name, text in _functions().items()},
    }
