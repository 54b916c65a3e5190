"""Searches over the GPUs of two ranks: mpirun -n 2 python3 gpu_ranks_program.py"""

import numpy as np
from mpi4py import MPI

import wayfront

comm = MPI.COMM_WORLD
for spec in ("kron:15", "rmat:15,directed=1", "random:20000,200000"):
    graph = wayfront.load(spec, weights="uniform:1..100", comm=comm)
    alone = wayfront.load(spec, weights="uniform:1..100")
    assert graph.ranks == comm.size and alone.ranks == 1
    bfs = wayfront.Bfs(graph, engine="gpu", gather=True)
    paths = wayfront.ShortestPaths(graph, engine="gpu", gather=True)
    assert bfs.engine["engine"] == paths.engine["engine"] == "gpu", (bfs.engine, paths.engine)
    for source in (1, 77, 12345):
        levels = wayfront.bfs(alone, source, engine="cpu").levels
        assert np.array_equal(bfs.run(source).levels, levels), (spec, source)
        distances = wayfront.shortest_paths(alone, source, engine="cpu").distances
        assert np.array_equal(paths.run(source).distances, distances), (spec, source)
    own = wayfront.Bfs(graph, engine="gpu").run(1)
    assert np.array_equal(own.levels, wayfront.bfs(alone, 1, engine="cpu").levels[graph.own_vertices()])
    try:
        bfs.run_on_device(1)
        raise AssertionError("results of two ranks are not in the memory of one GPU")
    except wayfront.InputError:
        pass
print(f"rank {comm.rank} of {comm.size}: ok")
