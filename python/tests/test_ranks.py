"""Graphs over the ranks of an mpi4py communicator, which ranks_program.py checks."""

import collections
import pathlib
import re
import subprocess
import sys

import networkx
import pytest
from conftest import ROOT

pytest.importorskip("mpi4py")  # not mpi4py.MPI: mpirun refuses to start from within a job


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_ranks(ranks):
    program = pathlib.Path(__file__).with_name("ranks_program.py")
    run = subprocess.run(["mpirun", "-n", str(ranks), sys.executable, program], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    assert sorted(re.findall(r"rank \d of \d: ok", run.stdout)) == [f"rank {rank} of {ranks}: ok" for rank in range(ranks)]


@pytest.mark.parametrize("ranks", [1, 3])
def test_example(ranks, tmp_path):
    """examples/ranks.py, beside NetworkX's searches of the same edges."""
    run = subprocess.run(["mpirun", "-n", str(ranks), sys.executable, ROOT / "examples" / "ranks.py", "9", "3"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    edges = tmp_path / "edges.txt"
    subprocess.run([sys.executable, "-m", "wayfront", "convert", "kron:9", "--output", edges, "--quiet"], check=True)
    network = networkx.Graph()
    network.add_nodes_from(range(2**9))
    network.add_edges_from(tuple(map(int, line.split()[:2])) for line in edges.read_text().splitlines() if not line.startswith("#"))
    lines = run.stdout.splitlines()
    assert len(lines) == 3
    for line in lines:
        source, members, *levels = map(int, re.findall(r"\d+", line))
        expected = collections.Counter(networkx.single_source_shortest_path_length(network, source).values())
        assert levels == [expected[level] for level in range(len(expected))]
        assert members == sum(levels)
