"""Random graphs for the tests."""

import os
import pathlib

import numpy as np
import pytest
import scipy.sparse

ROOT = pathlib.Path(__file__).parents[2]

# Open MPI refuses root unless it is told twice, and more ranks than cores.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}
os.environ.update({name: value for name, value in MPI_ENVIRONMENT.items() if name not in os.environ})
# Waiting threads leave the cores to other programs, so that the tests take the same time beside them.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def random_matrix(seed: int, vertices: int = 60, density: float = 0.05, dtype=np.float64, lowest: float = 0):
    """Weights from `lowest` to 10; whole numbers for types of whole numbers."""
    rng = np.random.default_rng(seed)
    matrix = scipy.sparse.random_array((vertices, vertices), density=density, rng=rng, format="csr")
    weights = rng.uniform(lowest, 10, matrix.nnz)
    if np.dtype(dtype).kind in "iu":
        weights = np.floor(weights)
    return scipy.sparse.csr_array((weights.astype(dtype), matrix.indices, matrix.indptr), shape=matrix.shape)


def with_potentials(matrix, seed: int):
    """The graph with weights w(u, v) + p(u) - p(v): many are negative, and no cycle is. Potentials are
    whole numbers."""
    potentials = np.random.default_rng(seed).integers(0, 20, matrix.shape[0])
    coo = matrix.tocoo()
    data = coo.data + (potentials[coo.coords[0]] - potentials[coo.coords[1]]).astype(coo.data.dtype)
    return scipy.sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


@pytest.fixture(params=[np.int32, np.int64, np.float32, np.float64], ids=lambda dtype: dtype.__name__)
def weight_type(request):
    return request.param


@pytest.fixture(params=[True, False], ids=["directed", "undirected"])
def directed(request):
    return request.param
