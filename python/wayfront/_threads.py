"""How OpenMP's threads wait for each other. Its runtime reads this when it is loaded, which happens
with the module ``_core``."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_RANKS_OF_HOST = ("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE")


def _number(name: str) -> int:
    """The number that a variable begins with; 0 if there is none."""
    digits = ""
    for character in os.environ.get(name, ""):
        if not character.isdigit():
            break
        digits += character
    return int(digits or 0)


@contextmanager
def waiting_shortly() -> Iterator[None]:
    """Sets what the program ``wayfront`` sets for itself while the runtime is loaded: threads look for
    work for a short time before they sleep. By default they look for so long that they hinder each
    other if other programs use the cores. With more threads than cores they sleep at once."""
    if "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ:
        yield
        return
    ranks = max([1, *map(_number, _RANKS_OF_HOST)])
    cores = os.cpu_count() or 1
    crowded = ranks * _number("OMP_NUM_THREADS") > cores
    name, value = ("OMP_WAIT_POLICY", "passive") if crowded else ("GOMP_SPINCOUNT", "10000")
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
