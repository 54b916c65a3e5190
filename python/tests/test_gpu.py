"""Edges and results in GPU memory. Without a GPU the tests are skipped."""

import gc
import pathlib
import re
import subprocess
import sys
import weakref

import numpy as np
import pytest
from gpu_memory import GpuArray, read, require_gpus

import wayfront
from wayfront import _core


@pytest.fixture
def gpu():
    require_gpus()


def random_edges(seed: int, vertices: int, edges: int, dtype=np.int32):
    """Sources and targets, with loops and duplicates; the last vertices have no edges."""
    rng = np.random.default_rng(seed)
    used = max(1, vertices - vertices // 10)
    sources = (used * rng.random(edges) ** 3).astype(dtype)
    targets = rng.integers(0, used, edges).astype(dtype)
    loops = rng.random(edges) < 0.05
    targets[loops] = sources[loops]
    return sources, targets


def random_weights(seed: int, edges: int, dtype):
    rng = np.random.default_rng(seed + 1)
    weights = rng.integers(0, 50, edges)
    return weights.astype(dtype) if np.dtype(dtype).kind in "iu" else (weights / 8).astype(dtype)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("direction", ["directed", "undirected", "reversed"])
def test_bfs_of_edges_on_the_gpu(gpu, index, direction):
    for seed, (vertices, edges) in enumerate([(1, 2), (50, 60), (3000, 30_000), (20_000, 300_000)]):
        sources, targets = random_edges(seed, vertices, edges, index)
        on_host = wayfront.Graph.from_edges(vertices, sources, targets, direction=direction)
        on_gpu = wayfront.Graph.from_edges(vertices, GpuArray(sources), GpuArray(targets), direction=direction)
        assert (on_gpu.vertex_count, on_gpu.edge_count, on_gpu.directed) == (vertices, edges, direction != "undirected")
        search = wayfront.Bfs(on_gpu, validate=True)
        assert search.engine["engine"] == "gpu"
        for source in {0, vertices // 2, vertices - 1}:
            expected = wayfront.bfs(on_host, source, engine="cpu")
            found = search.run(source)
            assert np.array_equal(found.levels, expected.levels)
            assert found.reached == expected.reached
            in_memory = search.run_on_device(source)
            assert (in_memory.source, in_memory.reached, in_memory.depth) == (source, expected.reached, expected.depth)
            assert np.array_equal(read(in_memory.levels), expected.levels)
            assert np.array_equal(in_memory.levels.to_host(), expected.levels)
            parents = read(in_memory.parents)
            assert parents.dtype == np.int64
            reached = expected.levels > 0
            assert np.array_equal(expected.levels[parents[reached]] + 1, expected.levels[reached])
            assert np.array_equal(parents < 0, expected.levels < 0)


@pytest.mark.parametrize("direction", ["directed", "undirected"])
def test_shortest_paths_of_edges_on_the_gpu(gpu, weight_type, direction):
    for seed, (vertices, edges) in enumerate([(50, 60), (3000, 60_000), (20_000, 100_000)]):
        sources, targets = random_edges(seed, vertices, edges)
        weights = random_weights(seed, edges, weight_type)
        on_host = wayfront.Graph.from_edges(vertices, sources, targets, weights, direction=direction)
        on_gpu = wayfront.Graph.from_edges(vertices, GpuArray(sources), GpuArray(targets), GpuArray(weights), direction=direction)
        assert on_gpu._core.whole_distances == on_host._core.whole_distances
        search = wayfront.ShortestPaths(on_gpu)
        # The GPU has no distances of 64 bits.
        assert search.engine["engine"] == ("cpu" if weight_type == np.float64 else "gpu")
        for source in {0, vertices // 2}:
            expected = wayfront.shortest_paths(on_host, source, engine="cpu")
            in_memory = search.run_on_device(source)
            assert in_memory.reached == expected.reached
            assert read(in_memory.distances).dtype == expected.distances.dtype
            assert np.array_equal(read(in_memory.distances), expected.distances)
            assert np.array_equal(search.run(source).distances, expected.distances)
            assert np.array_equal(read(in_memory.parents) < 0, expected.parents < 0)


def test_shortest_paths_without_weights(gpu):
    sources, targets = random_edges(5, 2000, 20_000)
    levels = wayfront.bfs(wayfront.Graph.from_edges(2000, sources, targets), 0, engine="cpu").levels
    on_gpu = wayfront.Graph.from_edges(2000, GpuArray(sources), GpuArray(targets))
    distances = read(wayfront.ShortestPaths(on_gpu).run_on_device(0).distances)
    assert np.array_equal(np.where(levels < 0, np.iinfo(np.int64).max, levels.astype(np.int64)), distances)


def test_distances_of_more_than_32_bits(gpu):
    """The GPU's search overflows, and the cores repeat it."""
    count = 200
    sources, targets = np.arange(count, dtype=np.int32), np.arange(1, count + 1, dtype=np.int32)
    weights = np.full(count, 2**31, dtype=np.int64)
    graph = wayfront.Graph.from_edges(count + 1, GpuArray(sources), GpuArray(targets), GpuArray(weights))
    found = wayfront.ShortestPaths(graph).run_on_device(0)
    assert read(found.distances).tolist() == [i * 2**31 for i in range(count + 1)]


def test_results_on_the_gpu_of_edges_on_the_host(gpu):
    graph = wayfront.load("kron:12", weights="uniform:1..100")
    for engine in ("cpu", "gpu"):
        found = wayfront.Bfs(graph, engine=engine).run_on_device(1)
        assert np.array_equal(read(found.levels), wayfront.bfs(graph, 1, engine="cpu").levels)
        found = wayfront.ShortestPaths(graph, engine=engine).run_on_device(1)
        assert np.array_equal(read(found.distances), wayfront.shortest_paths(graph, 1, engine="cpu").distances)


def test_results_are_arrays_of_their_own(gpu):
    sources, targets = random_edges(7, 500, 3000)
    search = wayfront.Bfs(wayfront.Graph.from_edges(500, GpuArray(sources), GpuArray(targets)))
    first = search.run_on_device(0)
    before = read(first.levels)
    search.run_on_device(100)
    assert np.array_equal(read(first.levels), before)
    levels = first.levels
    del first, search
    gc.collect()
    assert np.array_equal(read(levels), before)
    assert (len(levels), levels.shape, levels.dtype, levels.device) == (500, (500,), "int32", 0)


class ByDlpack:
    """As an array that is known by DLPack only."""

    def __init__(self, array):
        self.array = array
        self.streams = []

    def __dlpack__(self, **options):
        self.streams.append(options.get("stream"))
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_results_are_edges_of_the_next_graph(gpu):
    """From an array of wayfront to wayfront, by either protocol, without the host."""
    path = np.arange(9, dtype=np.int32)
    found = wayfront.Bfs(wayfront.Graph.from_edges(10, GpuArray(path), GpuArray(path + 1))).run_on_device(0)
    assert read(found.levels).tolist() == list(range(10))
    for wrap in (lambda array: array, ByDlpack):
        levels, parents = wrap(found.levels), wrap(found.parents)
        graph = wayfront.Graph.from_edges(10, parents, levels, levels)
        search = wayfront.ShortestPaths(graph)
        assert search.engine["engine"] == "gpu"
        assert read(search.run_on_device(0).distances).tolist() == [0, *np.cumsum(range(1, 10)).tolist()]
        if isinstance(levels, ByDlpack):
            assert set(levels.streams) == {1}  # the export makes the default stream wait


def test_an_array_that_names_no_stream_is_exported_once(gpu):
    exports = []

    class Array(GpuArray):
        def __dlpack__(self, stream):
            exports.append(stream)

    graph = wayfront.Graph.from_edges(3, Array([0, 1], version=2), Array([1, 2], version=2))
    assert exports == [1, 1]
    assert wayfront.bfs(graph, 0).levels.tolist() == [0, 1, 2]


def test_a_graph_keeps_its_arrays(gpu):
    sources, targets = GpuArray(np.array([0, 1], dtype=np.int32)), GpuArray(np.array([1, 2], dtype=np.int32))
    of_sources = weakref.ref(sources)
    graph = wayfront.Graph.from_edges(3, sources, targets)
    del sources, targets
    gc.collect()
    search = wayfront.Bfs(graph)
    del graph
    gc.collect()
    assert of_sources() is not None
    assert search.run(0).levels.tolist() == [0, 1, 2]
    assert search.run_nearest([0, 2]).levels.tolist() == [0, 1, 0]
    del search
    gc.collect()
    assert of_sources() is None


def test_all_that_runs_on_the_cores(gpu):
    sources, targets = random_edges(3, 300, 3000)
    weights = random_weights(3, 3000, np.float32)
    host = wayfront.Graph.from_edges(300, sources, targets, weights)
    graph = wayfront.Graph.from_edges(300, GpuArray(sources), GpuArray(targets), GpuArray(weights))
    assert np.array_equal(wayfront.bfs(graph, 0, engine="cpu").levels, wayfront.bfs(host, 0, engine="cpu").levels)
    assert np.array_equal(wayfront.bfs(graph, 0, deterministic=True).parents, wayfront.bfs(host, 0, deterministic=True).parents)
    search = wayfront.ShortestPaths(graph, validate=True)
    assert np.array_equal(search.run(0).distances, wayfront.shortest_paths(host, 0, engine="cpu").distances)
    assert np.array_equal(search.run_nearest([5, 7]).distances, wayfront.ShortestPaths(host).run_nearest([5, 7]).distances)
    pairs = [(0, 5), (7, 200)]
    assert np.array_equal(wayfront.ShortestPaths.between(graph, pairs).distances, wayfront.ShortestPaths.between(host, pairs).distances)
    assert np.array_equal(wayfront.all_pairs(graph, engine="cpu").distances, wayfront.all_pairs(host, engine="cpu").distances)
    cut = wayfront.ShortestPaths(graph, cutoff=3.5).run(0)
    assert np.array_equal(cut.distances, wayfront.shortest_paths(host, 0, cutoff=3.5, engine="cpu").distances)


def test_negative_weights(gpu):
    weights = np.array([2, -1, 5], dtype=np.int64)
    graph = wayfront.Graph.from_edges(3, GpuArray(np.array([0, 1, 0])), GpuArray(np.array([1, 2, 2])), GpuArray(weights))
    assert wayfront.shortest_paths(graph, 0).distances.tolist() == [0, 2, 1]
    weights[1] = -3
    graph = wayfront.Graph.from_edges(3, GpuArray(np.array([0, 1, 2])), GpuArray(np.array([1, 2, 0])), GpuArray(weights - 4))
    with pytest.raises(wayfront.NegativeCycleError):
        wayfront.ShortestPaths(graph).run_on_device(0)


@pytest.mark.parametrize(("words", "sources", "targets", "weights"), [
    ("edge 1 has an end", [0, 3], [1, 2], None),
    ("edge 0 has an end", [0, 1], [-1, 2], None),
    ("2 sources and 1 targets", [0, 1], [1], None),
    ("1 weights were given for 2 edges", [0, 1], [1, 2], [1.5]),
    ("weight of edge 1 is not finite", [0, 1], [1, 2], [1.5, np.nan]),
    ("weight of edge 0 is not finite", [0, 1], [1, 2], [np.inf, 1]),
])
def test_bad_edges_are_refused(gpu, words, sources, targets, weights):
    arrays = [GpuArray(np.array(values)) for values in (sources, targets, weights) if values is not None]
    with pytest.raises(wayfront.InputError, match=words):
        wayfront.Graph.from_edges(3, *arrays)


def test_other_arrays_are_copied_to_the_host(gpu):
    """Those of other types, and those of which only some are on the GPU."""
    sources, targets = np.array([0, 1]), np.array([1, 2])
    for arrays in [(GpuArray(sources.astype(np.int16)), GpuArray(targets)), (GpuArray(sources), targets)]:
        graph = wayfront.Graph.from_edges(3, *arrays)
        assert wayfront.bfs(graph, 0).levels.tolist() == [0, 1, 2]


def test_many_calls_leave_no_memory(gpu):
    sources, targets = random_edges(1, 2000, 20_000)
    arrays = GpuArray(sources), GpuArray(targets)
    free = []
    for call in range(60):
        found = wayfront.Bfs(wayfront.Graph.from_edges(2000, *arrays)).run_on_device(0)
        del found
        if call in (9, 59):
            gc.collect()
            free.append(_free_bytes())
    assert free[0] - free[1] < 2**24


def _free_bytes() -> int:
    import ctypes

    from gpu_memory import driver
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    driver().call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    return free.value


def test_cupy(gpu):
    cupy = pytest.importorskip("cupy")
    sources, targets = random_edges(2, 5000, 50_000)
    weights = random_weights(2, 50_000, np.float32)
    expected = wayfront.shortest_paths(wayfront.Graph.from_edges(5000, sources, targets, weights), 0, engine="cpu")
    with cupy.cuda.Stream(non_blocking=True):  # written by a stream for which nothing else waits
        arrays = [cupy.asarray(values) + 0 for values in (sources, targets, weights)]
        graph = wayfront.Graph.from_edges(5000, *arrays)
    found = wayfront.ShortestPaths(graph).run_on_device(0)
    assert np.array_equal(cupy.asnumpy(cupy.asarray(found.distances)), expected.distances)
    assert np.array_equal(cupy.asnumpy(cupy.from_dlpack(found.distances)), expected.distances)
    assert cupy.asarray(found.distances).data.ptr == found.distances.__cuda_array_interface__["data"][0]


def test_torch(gpu):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this PyTorch has no GPU")
    sources, targets = random_edges(2, 5000, 50_000)
    expected = wayfront.bfs(wayfront.Graph.from_edges(5000, sources, targets), 0, engine="cpu")
    with torch.cuda.stream(torch.cuda.Stream()):
        arrays = [torch.from_numpy(values).to("cuda", non_blocking=True) + 0 for values in (sources, targets)]
        graph = wayfront.Graph.from_edges(5000, *arrays)
    found = wayfront.Bfs(graph).run_on_device(0)
    for tensor in (torch.from_dlpack(found.levels), torch.as_tensor(found.levels, device="cuda")):
        assert tensor.is_cuda
        assert np.array_equal(tensor.cpu().numpy(), expected.levels)


def test_two_ranks_on_two_gpus():
    """Searches with mpi4py, beside those of one rank on the cores."""
    require_gpus(2)
    pytest.importorskip("mpi4py")
    program = pathlib.Path(__file__).with_name("gpu_ranks_program.py")
    run = subprocess.run(["mpirun", "-n", "2", sys.executable, program], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert sorted(re.findall(r"rank \d of \d: ok", run.stdout)) == ["rank 0 of 2: ok", "rank 1 of 2: ok"]


# Without a GPU, too.

def test_results_in_gpu_memory_need_a_gpu(monkeypatch):
    if _core.gpu_count() > 0:
        pytest.skip("there is a GPU")
    for search in (wayfront.Bfs("ring:5"), wayfront.ShortestPaths("ring:5")):
        with pytest.raises(wayfront.ResourceError, match="no GPU"):
            search.run_on_device(0)
        with pytest.raises(wayfront.InputError, match="source"):
            search.run_on_device(5)


def test_edges_in_gpu_memory_need_a_gpu(monkeypatch):
    if _core.gpu_count() > 0:
        pytest.skip("there is a GPU")
    monkeypatch.setattr(_core, "gpu_count", lambda: 1)

    class Array:
        def __init__(self, pointer, typestr="<i4", shape=(2,), **other):
            self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (pointer, False), "version": 3, "stream": None, **other}

        def get(self):
            return np.array([0, 1])

    with pytest.raises(wayfront.ResourceError, match="no GPU"):
        wayfront.Graph.from_edges(3, Array(4096), Array(8192))
    # What needs a conversion is copied to the host.
    for other in ({"typestr": "<u4"}, {"strides": (8,)}, {"mask": Array(4096)}):
        assert wayfront.bfs(wayfront.Graph.from_edges(3, Array(4096, **other), Array(8192)), 0).levels.tolist() == [0, -1, -1]
