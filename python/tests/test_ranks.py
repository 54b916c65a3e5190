"""Graphs over the ranks of an mpi4py communicator, which ranks_program.py checks."""

import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("mpi4py")  # not mpi4py.MPI: mpirun refuses to start from within a job


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_ranks(ranks):
    program = pathlib.Path(__file__).with_name("ranks_program.py")
    run = subprocess.run(["mpirun", "-n", str(ranks), sys.executable, program], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    assert sorted(re.findall(r"rank \d of \d: ok", run.stdout)) == [f"rank {rank} of {ranks}: ok" for rank in range(ranks)]
