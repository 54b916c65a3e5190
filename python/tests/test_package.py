"""The package as a whole: the program, types, processes, Ctrl-C, and memory."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import networkx
import numpy as np
import pytest
from conftest import ROOT, random_matrix

import wayfront
import wayfront.csgraph
from nx_wayfront import backend


def run_python(code, *arguments, **keywords):
    return subprocess.run([sys.executable, *arguments, "-c", code], capture_output=True, text=True, timeout=120, **keywords)


def test_the_program_comes_with_the_package():
    run = subprocess.run([sys.executable, "-m", "wayfront", "bfs", "ring:9", "--source", "2", "--quiet"], capture_output=True, text=True)
    assert run.returncode == 0
    assert "9 reached, depth 4" in run.stdout
    assert subprocess.run([sys.executable, "-m", "wayfront", "no-such-command"], capture_output=True).returncode == 2


def test_types_come_with_the_package():
    folder = pathlib.Path(wayfront.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "_core.pyi").read_text()
    assert "def view_rows(vertices: int, arrays: Arrays, first_row: int, options: LoadOptions) -> Graph" in stub
    compile(stub, "_core.pyi", "exec")


def test_types_are_consistent():
    run = subprocess.run([sys.executable, "-m", "mypy", "-p", "wayfront", "-p", "nx_wayfront", "--disallow-untyped-defs", "--ignore-missing-imports",
                          "--cache-dir", os.devnull], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_neither_scipy_nor_networkx_nor_mpi_is_needed():
    code = """
import sys
sys.modules["scipy"] = sys.modules["networkx"] = sys.modules["mpi4py"] = None
import wayfront
print(wayfront.bfs("ring:9", 2).depth)
"""
    assert run_python(code).stdout == "4\n"


def test_mpi_is_not_initialised():
    code = """
import wayfront
wayfront.bfs("ring:9", 2)
wayfront.all_pairs("ring:9")
import mpi4py
mpi4py.rc.initialize = False
from mpi4py import MPI
assert not MPI.Is_initialized()
MPI.Init()
assert wayfront.bfs(wayfront.load("ring:9", comm=MPI.COMM_SELF), 2).depth == 4
graph = wayfront.load("ring:9", comm=MPI.COMM_WORLD)  # outlives MPI
print("ok")
"""
    pytest.importorskip("mpi4py")
    run = run_python(code)
    assert (run.returncode, run.stdout) == (0, "ok\n"), run.stderr


def test_the_environment_is_as_before():
    code = "import os; before = dict(os.environ); import wayfront; assert dict(os.environ) == before"
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    for changes in ({}, {"OMP_NUM_THREADS": "4096"}, {"OMP_WAIT_POLICY": "active"}):
        assert run_python(code, env=environment | changes).returncode == 0


@pytest.mark.parametrize("method, works", [("spawn", True), ("fork", False)])
def test_processes(method, works, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"""
import multiprocessing, wayfront
def depth(source):
    return wayfront.bfs("ring:9", source).depth
if __name__ == "__main__":
    wayfront.load("ring:9", threads=2)
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        try:
            print(pool.map(depth, [0, 1]))
        except wayfront.ResourceError as error:
            print(error)
""")
    run = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "[4, 4]\n" if works else "'spawn'" in run.stdout


LONG_WORK = {
    "matrix": "wayfront.all_pairs(graph, sources=range(6000), algorithm='dijkstra')",
    "rows": "wayfront.AllPairs(graph, algorithm='dijkstra').rows(lambda rows: None)",
    "csgraph": "wayfront.csgraph.dijkstra(random_matrix(1, 10000, 0.001))",
    "limited": "wayfront.csgraph.dijkstra(random_matrix(1, 10000, 0.001), limit=1e6)",
}


@pytest.mark.parametrize("work", LONG_WORK)
def test_ctrl_c_ends_all_pairs(work):
    code = f"""
import wayfront, wayfront.csgraph
from conftest import random_matrix
graph = wayfront.load("grid:200x200", weights="uniform:1..100")
print("begins", flush=True)
try:
    {LONG_WORK[work]}
    print("done")
except KeyboardInterrupt:
    print("interrupted", wayfront.bfs(graph, 0).depth)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=pathlib.Path(__file__).parent)
    assert process.stdout.readline() == "begins\n"
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    output, _ = process.communicate(timeout=60)
    assert output == "interrupted 398\n"
    assert time.monotonic() - begin < 5


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def fails(call, error=wayfront.Error):
    try:
        call()
    except error:
        return
    raise AssertionError("no error")


MATRIX = random_matrix(5, vertices=1000, density=0.004)
EDGES = MATRIX.tocoo()
SMALL = random_matrix(6)
GRAPH = wayfront.Graph.from_scipy(MATRIX)
BFS = wayfront.Bfs(GRAPH)
PATHS = wayfront.ShortestPaths(GRAPH)
PAIRS = wayfront.AllPairs(SMALL, predecessors=True)
TREE = networkx.balanced_tree(2, 8)
CONVERTED = backend.convert_from_nx(TREE)
CALLS = {
    "graph": lambda: wayfront.Graph.from_scipy(MATRIX),
    "edges": lambda: wayfront.Graph.from_edges(1000, *EDGES.coords, EDGES.data.astype(np.float32)),
    "bfs": lambda: wayfront.bfs(GRAPH, 3),
    "Bfs": lambda: BFS.run(3).path(4),
    "shortest_paths": lambda: wayfront.shortest_paths(GRAPH, 3),
    "ShortestPaths": lambda: PATHS.run(3).path(4),
    "matrix": lambda: PAIRS.matrix(),
    "rows": lambda: PAIRS.rows(lambda rows: rows.distances),
    "summary": lambda: wayfront.AllPairs(SMALL).summary(),
    "diameter": lambda: wayfront.AllPairs("grid:20x20").diameter(),
    "dijkstra": lambda: wayfront.csgraph.dijkstra(MATRIX, indices=1, return_predecessors=True),
    "nearest": lambda: wayfront.csgraph.dijkstra(MATRIX, indices=[1, 2], min_only=True, return_predecessors=True),
    "tree": lambda: wayfront.csgraph.breadth_first_tree(MATRIX, 1),
    "pairs": lambda: (wayfront.Bfs.between(SMALL, [(1, 2), (3, 4)]).paths[0], wayfront.ShortestPaths.between(SMALL, [(1, 2)])),
    "progress": lambda: wayfront.AllPairs(SMALL, progress=lambda *report: report).summary(),
    "progress that ends": lambda: fails(lambda: wayfront.AllPairs(SMALL, progress=lambda *report: 1 / 0).summary(), ZeroDivisionError),
    "arrays of the caller": lambda: PATHS.run(3, out=(np.empty(1000), np.empty(1000, np.int64))),
    "graph500": lambda: wayfront.graph500(5, keys=2)["bfs"]["seconds"],
    "nearest sources": lambda: (BFS.run_nearest([3, 4]), PATHS.run_nearest([3, 4])),
    "figures": lambda: wayfront.AllPairs(SMALL).vertex_figures(),
    "within": lambda: wayfront.AllPairs(SMALL).within(5),
    "backend": lambda: backend.single_source_dijkstra(backend.convert_from_nx(TREE, {"weight": 1}), 0)[1][499],
    "backend, prepared": lambda: backend.predecessor(CONVERTED, 0),
    "wrong type": lambda: fails(lambda: BFS.run("3"), TypeError),
    "no vertex": lambda: fails(lambda: BFS.run(1000)),
    "no graph": lambda: fails(lambda: wayfront.Graph.from_edges(1, np.zeros(1000, int), np.ones(1000, int))),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_thousand_calls_leak_nothing(name):
    call = CALLS[name]
    for _ in range(200):
        call()
    before = resident_bytes()
    for _ in range(1000):
        call()
    # One array of 1000 vertices has 4000 bytes or more; the allocator may keep some pages.
    assert resident_bytes() - before < 1_000_000


def test_the_version_is_that_of_the_library():
    assert f"project(wayfront VERSION {wayfront.__version__} " in (ROOT / "CMakeLists.txt").read_text()
