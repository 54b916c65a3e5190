#!/usr/bin/env python3
"""How many steps does a message take to all members of a network, from each of some members? On several ranks.

usage: mpirun -n N python3 ranks.py [SCALE [K]]      a Kronecker graph of 2^SCALE vertices (12), K sources (4)

Needs the Python package with mpi4py (docs/python.md). Each rank makes its share of the edges, and keeps the levels of its
own vertices; only sums go to the first rank.
"""
import sys

import numpy as np
from mpi4py import MPI

import wayfront


def members_by_level(comm, levels):
    """The number of vertices at each level, of all ranks; those that were not reached have level -1."""
    deepest = comm.allreduce(int(levels.max(initial=0)), MPI.MAX)
    own = np.bincount(levels[levels >= 0], minlength=deepest + 1)
    return comm.reduce(own, MPI.SUM)


def main():
    if len(sys.argv) > 3 or "--help" in sys.argv:
        sys.exit(__doc__)
    scale = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    comm = MPI.COMM_WORLD
    graph = wayfront.load(f"kron:{scale}", comm=comm)
    # The same on each rank.
    sources = np.random.default_rng(7).choice(graph.vertex_count, count, replace=False)
    for source in map(int, sources):
        members = members_by_level(comm, wayfront.bfs(graph, source).levels)
        if comm.rank == 0:
            print(f"from {source}: {members.sum()} members, {' '.join(map(str, members))} by level")


if __name__ == "__main__":
    main()
